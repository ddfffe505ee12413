//! The task that owns one board's transport and session: connects, backs off, reads, writes, keeps time, identifies the board, and
//! passes what it learns on. Others hold a [`LinkHandle`].

use super::{
    handle::{LinkHandle, LinkStatus, Request, ThinkEvent},
    lease::Lease,
    session::{CommandId, Outcome, Payload, Session, SessionEvent},
    tape::{LineCutter, Tape, Way},
    transport::{Connector, ResetLines, Transport},
};
use crate::{
    api::LinkState,
    model::{LinkEvent, LinkEventKind, unix_millis},
};
use rand::RngExt;
use rookery_protocol::{BestMove, Command, Event, IdentifyPage, PROTOCOL_VERSION, Tag, Telemetry};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    sync::{mpsc, oneshot, watch},
    time::{sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;

/// Requests are answered one at a time; a few may wait.
const REQUESTS: usize = 16;
/// A write that takes longer than this goes to a peer that is gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
const BACKOFF_FIRST: Duration = Duration::from_millis(250);
const BACKOFF_LAST: Duration = Duration::from_secs(30);

/// Starts a link's task. Its events go to `recorder`; one that does not keep up loses the text of events, never their count.
pub fn spawn(
    way: impl Into<Connector>,
    recorder: mpsc::Sender<LinkEvent>,
    cancel: CancellationToken,
) -> (LinkHandle, impl Future<Output = ()> + Send) {
    let status = LinkStatus {
        state: LinkState::Disconnected,
        since: unix_millis(),
        down_since: Some(Instant::now()),
        boot: None,
        board: None,
        identity: Arc::default(),
        round_trip: None,
        counters: BTreeMap::new(),
        trouble: None,
    };
    let connector = way.into();
    let url = connector.url();
    let (requests, inbox) = mpsc::channel(REQUESTS);
    let (publish, status) = watch::channel(status);
    let tape = Tape::default();
    let handle = LinkHandle { requests, status, tape: tape.clone() };
    let session = Session::new(url.timing(), rand::rng().random(), Instant::now());
    let actor = Actor {
        label: url.to_string(),
        reset: url.reset_lines(),
        session,
        inbox,
        publish,
        recorder,
        tape,
        cutter: LineCutter::default(),
        cancel,
        leases: VecDeque::new(),
        replies: HashMap::new(),
        think: None,
        identify: None,
        identified: false,
        last_id: 0,
        was_ready: false,
        is_open: false,
        raw: Vec::new(),
    };
    (handle, actor.run(connector))
}

/// An identification under way.
struct Identify {
    id: CommandId,
    page: u8,
    pairs: BTreeMap<String, String>,
}

struct Actor {
    label: String,
    /// What resets a board that does not answer, where its URL says so.
    reset: ResetLines,
    session: Session,
    inbox: mpsc::Receiver<Request>,
    publish: watch::Sender<LinkStatus>,
    recorder: mpsc::Sender<LinkEvent>,
    tape: Tape,
    cutter: LineCutter,
    cancel: CancellationToken,
    /// Who waits for the link to be theirs.
    leases: VecDeque<oneshot::Sender<Lease>>,
    replies: HashMap<CommandId, oneshot::Sender<Outcome>>,
    think: Option<(Tag, mpsc::Sender<ThinkEvent>)>,
    identify: Option<Identify>,
    /// This boot has said what it is, and it is one to talk to.
    identified: bool,
    last_id: CommandId,
    was_ready: bool,
    is_open: bool,
    /// Bytes that somebody sends by hand.
    raw: Vec<u8>,
}

impl Actor {
    async fn run(mut self, mut connector: Connector) {
        let mut backoff = BACKOFF_FIRST;
        let cancel = self.cancel.clone();
        while !cancel.is_cancelled() {
            if let Some(reply) = self.leases.pop_front() {
                match self.lend(connector, reply).await {
                    Some(returned) => connector = returned,
                    None => return,
                }
                backoff = BACKOFF_FIRST;
                continue;
            }
            self.set_state(LinkState::Connecting);
            if let Some(what) = connector.waits_for() {
                self.set_trouble(Some(format!("waiting for {what}")));
            }
            let Some(opened) = self.meanwhile(connector.open()).await else { continue };
            match opened {
                Ok(mut transport) => {
                    (self.was_ready, self.is_open) = (false, true);
                    self.session.opened(Instant::now());
                    let why = self.drive(transport.as_mut()).await;
                    self.is_open = false;
                    self.raw.clear();
                    drop(transport);
                    self.cutter.flush(&self.tape, Way::In);
                    self.session.closed(&why);
                    if !cancel.is_cancelled() {
                        self.set_trouble(Some(format!("{}: {why}", self.label)));
                    }
                    if self.was_ready {
                        backoff = BACKOFF_FIRST;
                    }
                }
                Err(error) => {
                    self.session.emit(LinkEventKind::ConnectFailed, error.to_string());
                    self.set_trouble(Some(format!("{} cannot be reached: {error}", self.label)));
                }
            }
            self.events();
            self.set_state(LinkState::Disconnected);
            let jitter = rand::rng().random_range(0.75..1.25);
            let _ = self.meanwhile(tokio::time::sleep(backoff.mul_f64(jitter))).await;
            backoff = (backoff * 2).min(BACKOFF_LAST);
        }
    }

    /// Waits without a transport, and takes requests meanwhile. None where there is something more urgent to do.
    async fn meanwhile<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = std::pin::pin!(work);
        while self.leases.is_empty() {
            tokio::select! {
                done = &mut work => return Some(done),
                () = self.cancel.cancelled() => return None,
                request = self.inbox.recv() => self.take(request),
            }
            self.events();
        }
        None
    }

    /// Puts the way to the board into other hands until those give it back; none where the link is to end.
    async fn lend(
        &mut self,
        connector: Connector,
        reply: oneshot::Sender<Lease>,
    ) -> Option<Connector> {
        let (lease, mut returned) = Lease::new(connector, self.tape.clone());
        self.set_trouble(None);
        self.set_state(LinkState::Leased);
        // Whoever does not wait for it any more drops it, and that gives it back.
        let _ = reply.send(lease);
        loop {
            tokio::select! {
                connector = &mut returned => {
                    self.set_state(LinkState::Disconnected);
                    return connector.ok();
                }
                () = self.cancel.cancelled() => return None,
                request = self.inbox.recv() => self.take(request),
            }
            self.events();
        }
    }

    /// A request, or the end of all who could have one.
    fn take(&mut self, request: Option<Request>) {
        match request {
            Some(request) => self.request(request),
            None => self.cancel.cancel(),
        }
    }

    /// Drives the session over an open transport until that ends; says why it did.
    async fn drive(&mut self, transport: &mut dyn Transport) -> String {
        let mut buffer = [0; 1024];
        loop {
            self.forget_given_up();
            if self.events() {
                return self.reset_board(transport).await;
            }
            if !self.leases.is_empty() {
                return "it is given to somebody else".into();
            }
            let bytes = self.transmit();
            if !bytes.is_empty() {
                let written = tokio::select! {
                    written = timeout(WRITE_PATIENCE, transport.write_all(&bytes)) => written,
                    () = self.cancel.cancelled() => return "the server stops".into(),
                };
                match written {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => return format!("writing failed: {error}"),
                    Err(_) => return "writing took too long".into(),
                }
            }
            let deadline = self.session.next_deadline();
            let far = Instant::now() + Duration::from_secs(3600);
            tokio::select! {
                read = transport.read(&mut buffer) => match read {
                    Ok(0) => return "closed by the other end".into(),
                    Ok(n) => {
                        self.cutter.push(&self.tape, Way::In, &buffer[..n]);
                        self.session.received(&buffer[..n], Instant::now());
                    }
                    Err(error) => return format!("reading failed: {error}"),
                },
                request = self.inbox.recv() => self.take(request),
                () = sleep_until(deadline.unwrap_or(far).into()) => {
                    self.session.tick(Instant::now());
                }
                () = self.cancel.cancelled() => return "the server stops".into(),
            }
        }
    }

    /// A board that does not answer is reset where there is a line for that; says why the connection is given up.
    async fn reset_board(&mut self, transport: &mut dyn Transport) -> String {
        let Some(control) = transport.control() else { return "the board does not answer".into() };
        match self.reset.pulse(control, false).await {
            Ok(true) => "the board did not answer and was reset".into(),
            Ok(false) => "the board does not answer".into(),
            Err(error) => format!("the board does not answer and cannot be reset: {error}"),
        }
    }

    fn transmit(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.raw);
        while let Some(line) = self.session.poll_transmit() {
            bytes.extend_from_slice(&line);
        }
        if !bytes.is_empty() {
            for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
                self.tape.record(Way::Out, line);
            }
        }
        bytes
    }

    fn request(&mut self, request: Request) {
        match request {
            Request::Command { payload, reply } => {
                let id = self.submit(payload);
                self.replies.insert(id, reply);
            }
            Request::Watch { tag, sink } => self.think = Some((tag, sink)),
            Request::Note { kind, detail } => self.session.emit(kind, detail),
            Request::Lease { reply } => self.leases.push_back(reply),
            Request::Raw { mut bytes, sent } => {
                if self.is_open {
                    bytes.push(b'\n');
                    self.raw.extend_from_slice(&bytes);
                }
                let _ = sent.send(self.is_open);
            }
        }
    }

    /// Whoever gave up waiting, while the link was down or another command was under way, wants nothing executed any more.
    fn forget_given_up(&mut self) {
        let session = &mut self.session;
        self.replies.retain(|id, reply| {
            let wanted = !reply.is_closed();
            if !wanted {
                session.withdraw(*id);
            }
            wanted
        });
    }

    fn submit(&mut self, payload: Payload) -> CommandId {
        self.last_id += 1;
        self.session.submit(self.last_id, payload, Instant::now());
        self.last_id
    }

    /// Handles what the session has to say; `true` when it gives up. The status is published before anybody is woken by a reply, so
    /// that whoever is woken sees it.
    fn events(&mut self) -> bool {
        let mut give_up = false;
        loop {
            let mut counted = Vec::new();
            let mut heard = Vec::new();
            while let Some(event) = self.session.poll_event() {
                match event {
                    SessionEvent::Link(kind, detail) => counted.push(self.record(kind, detail)),
                    event => heard.push(event),
                }
            }
            self.publish_counts(&counted);
            if heard.is_empty() {
                return give_up;
            }
            for event in heard {
                give_up |= event == SessionEvent::GiveUp;
                self.hear(event);
            }
        }
    }

    fn hear(&mut self, event: SessionEvent) {
        match event {
            // Published when the board is identified as well.
            SessionEvent::State(LinkState::Ready) => {}
            SessionEvent::State(state) => self.set_state(state),
            SessionEvent::Ready { new_boot } => self.ready(new_boot),
            SessionEvent::Reply(id, outcome) => self.reply(id, outcome),
            SessionEvent::Event(Event::BestMove(best)) => self.best_move(best),
            SessionEvent::Telemetry(Telemetry::Iteration(iteration)) => {
                // A reader that is that far behind misses an iteration, as on the wire; the last place is the move's.
                let think = self.think.as_ref();
                if let Some((_, sink)) = think.filter(|t| t.0 == iteration.tag)
                    && sink.capacity() > 1
                {
                    let _ = sink.try_send(ThinkEvent::Iteration(iteration));
                }
            }
            SessionEvent::Link(..) | SessionEvent::GiveUp => {}
        }
    }

    fn ready(&mut self, new_boot: bool) {
        self.was_ready = true;
        if new_boot && let Some((_, sink)) = self.think.take() {
            let _ = sink.try_send(ThinkEvent::Lost);
        }
        self.identified &= !new_boot;
        if self.identified {
            self.set_ready();
        } else if new_boot || self.identify.is_none() {
            self.ask_identity(0, BTreeMap::new());
        }
    }

    fn ask_identity(&mut self, page: u8, pairs: BTreeMap<String, String>) {
        let payload = Payload::try_from(&Command::Identify { page }).expect("an identify fits");
        let id = self.submit(payload);
        self.identify = Some(Identify { id, page, pairs });
    }

    fn reply(&mut self, id: CommandId, outcome: Outcome) {
        match self.identify.take_if(|identify| identify.id == id) {
            Some(identify) => self.identity_page(identify, outcome),
            None => {
                if let Some(reply) = self.replies.remove(&id) {
                    let _ = reply.send(outcome);
                }
            }
        }
    }

    fn identity_page(&mut self, mut identify: Identify, outcome: Outcome) {
        let text = match outcome {
            Outcome::Page(text) => text,
            // The board was reset meanwhile: its new session asks again.
            Outcome::Unknown => return self.ask_identity(0, BTreeMap::new()),
            other => {
                return self.set_trouble(Some(format!("the board does not identify: {other:?}")));
            }
        };
        let page = match IdentifyPage::parse(&text) {
            Ok(page) => page,
            Err(error) => {
                return self.set_trouble(Some(format!("identify page '{text}': {error}")));
            }
        };
        identify.pairs.extend(page.pairs().map(|(k, v)| (k.to_owned(), v.to_owned())));
        let next = identify.page + 1;
        if next < page.pages {
            return self.ask_identity(next, identify.pairs);
        }
        let range = identify.pairs.get("proto").cloned().unwrap_or_default();
        let speaks = range.split_once('-').and_then(|(low, high)| {
            Some((low.parse::<u8>().ok()?..=high.parse().ok()?).contains(&PROTOCOL_VERSION))
        });
        self.publish.send_modify(|status| status.identity = Arc::new(identify.pairs));
        self.identified = speaks == Some(true);
        if self.identified {
            self.set_ready();
        } else {
            self.set_trouble(Some(format!(
                "the board speaks protocol '{range}', this server {PROTOCOL_VERSION}: update one of them"
            )));
        }
    }

    fn best_move(&mut self, best: BestMove) {
        match self.think.take_if(|(tag, _)| *tag == best.tag) {
            Some((_, sink)) => {
                let _ = sink.try_send(ThinkEvent::Best(best));
            }
            // Of a think that was given up.
            None => self.session.emit(LinkEventKind::StaleReply, format!("{best:?}")),
        }
    }

    fn record(&mut self, kind: LinkEventKind, detail: String) -> LinkEventKind {
        metrics::counter!("rookery_link_events_total", "board" => self.label.clone(), "kind" => kind.as_str())
            .increment(1);
        tracing::debug!(board = %self.label, kind = kind.as_str(), %detail, "link");
        let event = LinkEvent { at: unix_millis(), kind, detail };
        if self.recorder.try_send(event).is_err() {
            tracing::warn!(board = %self.label, kind = kind.as_str(), "link event not recorded");
        }
        kind
    }

    fn publish_counts(&mut self, counted: &[LinkEventKind]) {
        let (boot, board) = (self.session.boot(), self.session.status());
        let round_trip = self.session.round_trip();
        self.publish.send_if_modified(|status| {
            let board = boot.map(|_| board);
            let changed = !counted.is_empty() || status.boot != boot || status.board != board;
            for kind in counted {
                *status.counters.entry(*kind).or_insert(0) += 1;
            }
            (status.boot, status.board, status.round_trip) = (boot, board, round_trip);
            changed
        });
    }

    fn set_ready(&mut self) {
        self.set_trouble(None);
        self.publish_counts(&[]);
        self.set_state(LinkState::Ready);
    }

    fn set_state(&self, state: LinkState) {
        self.publish.send_if_modified(|status| {
            let changed = status.state != state;
            if changed {
                status.state = state;
                status.since = unix_millis();
                status.down_since = match state {
                    LinkState::Ready => None,
                    _ => status.down_since.or(Some(Instant::now())),
                };
            }
            changed
        });
    }

    fn set_trouble(&self, trouble: Option<String>) {
        if let Some(text) = &trouble {
            tracing::info!(board = %self.label, "{text}");
        }
        self.publish.send_if_modified(|status| {
            let changed = status.trouble != trouble;
            status.trouble = trouble;
            changed
        });
    }
}
