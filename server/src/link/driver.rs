//! The task that owns one board's transport: connects, backs off, reads, writes, keeps time, lends the line, and passes on what the
//! board's dialect has to say. Others hold a [`LinkHandle`].

use super::{
    auto::Auto,
    dialect::{Dialect, Notice, Spoken, note},
    handle::{LinkHandle, LinkStatus, Request},
    lease::Lease,
    tape::{LineCutter, Tape, Way},
    transport::{Connector, Dialect as Wanted, ResetLines, Transport},
    v1, v2,
};
use crate::{
    api::LinkState,
    model::{LinkEvent, LinkEventKind, unix_millis},
};
use futures_util::FutureExt as _;
use rand::RngExt;
use std::{
    collections::{BTreeMap, VecDeque},
    io,
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
        dialect: None,
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
    let (timing, seed, now) = (url.timing(), rand::rng().random(), Instant::now());
    let dialect: Box<dyn Dialect> = match url.dialect() {
        Wanted::V2 => Box::new(v2::Host::new(timing, seed, now)),
        Wanted::V1 => Box::new(v1::Host::new(timing, seed, url.reset(), now)),
        Wanted::Auto => Box::new(Auto::new(timing, seed, url.reset(), now)),
    };
    let driver = Driver {
        label: url.to_string(),
        reset: url.reset_lines(),
        wanted: url.dialect(),
        dialect,
        inbox,
        publish,
        recorder,
        tape,
        cutter: LineCutter::default(),
        cancel,
        leases: VecDeque::new(),
        answered: false,
        ending: None,
        is_open: false,
        raw: Vec::new(),
    };
    (handle, driver.run(connector))
}

/// Why a transport is to be closed.
#[derive(Clone, Copy)]
enum Ending {
    /// The dialect has given up.
    GivenUp(&'static str),
    /// Opening it anew resets the board.
    Reset,
}

struct Driver {
    label: String,
    /// What resets the board, where its URL says so.
    reset: ResetLines,
    wanted: Wanted,
    dialect: Box<dyn Dialect>,
    inbox: mpsc::Receiver<Request>,
    publish: watch::Sender<LinkStatus>,
    recorder: mpsc::Sender<LinkEvent>,
    tape: Tape,
    cutter: LineCutter,
    cancel: CancellationToken,
    /// Who waits for the link to be theirs.
    leases: VecDeque<oneshot::Sender<Lease>>,
    /// The board has answered on this connection.
    answered: bool,
    ending: Option<Ending>,
    is_open: bool,
    /// Bytes that somebody sends by hand.
    raw: Vec<u8>,
}

impl Driver {
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
                    (self.answered, self.ending, self.is_open) = (false, None, true);
                    self.dialect.opened(Instant::now());
                    let why = self.drive(transport.as_mut()).await;
                    self.is_open = false;
                    self.raw.clear();
                    drop(transport);
                    self.cutter.flush(&self.tape, Way::In);
                    self.dialect.closed(&why);
                    if !cancel.is_cancelled() {
                        self.set_trouble(Some(format!("{}: {why}", self.label)));
                    }
                    if self.answered {
                        backoff = BACKOFF_FIRST;
                    }
                }
                Err(error) => {
                    let dialect = self.dialect.as_mut();
                    note(dialect, LinkEventKind::ConnectFailed, error.to_string());
                    self.set_trouble(Some(format!("{} cannot be reached: {error}", self.label)));
                }
            }
            self.news();
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
            self.news();
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
            self.news();
        }
    }

    /// A request, or the end of all who could have one.
    fn take(&mut self, request: Option<Request>) {
        match request {
            Some(Request::Lease { reply }) => self.leases.push_back(reply),
            Some(Request::Raw { mut bytes, sent }) => {
                if self.is_open {
                    bytes.push(b'\n');
                    self.raw.extend_from_slice(&bytes);
                }
                let _ = sent.send(self.is_open);
            }
            Some(request) => self.dialect.request(request, Instant::now()),
            None => self.cancel.cancel(),
        }
    }

    /// Drives the dialect over an open transport until that ends; says why it did.
    async fn drive(&mut self, transport: &mut dyn Transport) -> String {
        let mut buffer = [0; 1024];
        loop {
            self.dialect.forget_given_up(Instant::now());
            self.news();
            match self.ending {
                Some(Ending::GivenUp(why)) => return self.give_up(why, transport).await,
                Some(Ending::Reset) => {
                    return match self.reset_board(transport).await {
                        Ok(true) => "the board was reset".into(),
                        Ok(false) => "opened again, which resets the board".into(),
                        Err(error) => format!("the board cannot be reset: {error}"),
                    };
                }
                None => {}
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
            let deadline = self.dialect.next_deadline();
            let far = Instant::now() + Duration::from_secs(3600);
            let came = tokio::select! {
                read = transport.read(&mut buffer) => self.came(read, &buffer),
                request = self.inbox.recv() => {
                    self.take(request);
                    Ok(())
                }
                () = sleep_until(deadline.unwrap_or(far).into()) => {
                    // An answer that is there already has come in time, however late a loaded machine looks.
                    let there = transport.read(&mut buffer).now_or_never();
                    let came = there.map_or(Ok(()), |read| self.came(read, &buffer));
                    self.dialect.tick(Instant::now());
                    came
                }
                () = self.cancel.cancelled() => return "the server stops".into(),
            };
            if let Err(why) = came {
                return why;
            }
        }
    }

    /// Takes what a read has given; an error says why the transport is at its end.
    fn came(&mut self, read: io::Result<usize>, buffer: &[u8]) -> Result<(), String> {
        match read {
            Ok(0) => Err("closed by the other end".into()),
            Ok(n) => {
                self.cutter.push(&self.tape, Way::In, &buffer[..n]);
                self.dialect.received(&buffer[..n], Instant::now());
                Ok(())
            }
            Err(error) => Err(format!("reading failed: {error}")),
        }
    }

    /// A board that does not answer is reset where there is a line for that; says why the connection is given up. An old board is
    /// let be: it is silent while it thinks.
    async fn give_up(&mut self, why: &str, transport: &mut dyn Transport) -> String {
        let is_old = self.wanted == Wanted::V1 || self.dialect.health().spoken == Some(Spoken::V1);
        if is_old {
            return why.into();
        }
        match self.reset_board(transport).await {
            Ok(true) => format!("{why}; it was reset"),
            Ok(false) => why.into(),
            Err(error) => format!("{why}; it cannot be reset: {error}"),
        }
    }

    /// Pulses the line that resets the board; `false` where there is none.
    async fn reset_board(&mut self, transport: &mut dyn Transport) -> io::Result<bool> {
        match transport.control() {
            Some(control) => self.reset.pulse(control, false).await,
            None => Ok(false),
        }
    }

    fn transmit(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.raw);
        while let Some(line) = self.dialect.poll_transmit() {
            bytes.extend_from_slice(&line);
        }
        if !bytes.is_empty() {
            for line in bytes.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
                self.tape.record(Way::Out, line);
            }
        }
        bytes
    }

    /// Handles what the dialect has to say. The status is published before anybody is woken by an answer, so that whoever is woken
    /// sees it.
    fn news(&mut self) {
        loop {
            self.publish_health();
            let news = self.dialect.news(Instant::now());
            if news.is_empty() {
                return;
            }
            let mut counted = Vec::new();
            for notice in news {
                match notice {
                    Notice::Link(kind, detail) => counted.push(self.record(kind, detail)),
                    Notice::State(LinkState::Ready) => {
                        self.set_trouble(None);
                        self.set_state(LinkState::Ready);
                    }
                    Notice::State(state) => self.set_state(state),
                    Notice::Answers => self.answered = true,
                    Notice::Trouble(trouble) => self.set_trouble(trouble),
                    Notice::Identity(pairs) => {
                        self.publish.send_modify(|status| status.identity = Arc::new(pairs));
                    }
                    Notice::Reset => self.ending = Some(Ending::Reset),
                    Notice::Close(why) => self.ending = Some(Ending::GivenUp(why)),
                }
            }
            self.publish_counts(&counted);
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

    fn publish_counts(&self, counted: &[LinkEventKind]) {
        self.publish.send_if_modified(|status| {
            for kind in counted {
                *status.counters.entry(*kind).or_insert(0) += 1;
            }
            !counted.is_empty()
        });
    }

    fn publish_health(&self) {
        let health = self.dialect.health();
        self.publish.send_if_modified(|status| {
            let before = (status.dialect, status.boot, status.board);
            (status.dialect, status.boot, status.board) =
                (health.spoken, health.boot, health.board);
            status.round_trip = health.round_trip;
            before != (status.dialect, status.boot, status.board)
        });
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
