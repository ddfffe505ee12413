//! Protocol v2 for the driver: the session, the board's identity, and who waits for which answer.

use super::session::{CommandId, Outcome, Payload, Session, SessionEvent};
use crate::{
    api::LinkState,
    link::{
        dialect::{Dialect, Health, Notice, Spoken},
        handle::{Request, RequestError, ThinkEvent},
        transport::Timing,
    },
    model::LinkEventKind,
};
use rookery_protocol::{BestMove, Command, Event, IdentifyPage, PROTOCOL_VERSION, Tag, Telemetry};
use std::{
    collections::{BTreeMap, HashMap, VecDeque},
    time::Instant,
};
use tokio::sync::{mpsc, oneshot};

/// Refusals to identify before they are believed: a damaged command may have a right checksum.
const REFUSALS: u32 = 3;

/// An identification under way.
#[derive(Default)]
struct Identify {
    id: CommandId,
    page: u8,
    pairs: BTreeMap<String, String>,
    /// Of this page.
    refusals: u32,
}

/// The host's side of protocol v2.
pub(in crate::link) struct Host {
    session: Session,
    /// What the session has said and nobody has dealt with yet.
    heard: VecDeque<SessionEvent>,
    replies: HashMap<CommandId, oneshot::Sender<Result<Outcome, RequestError>>>,
    think: Option<(Tag, mpsc::Sender<ThinkEvent>)>,
    identify: Option<Identify>,
    /// This boot has said what it is, and it is one to talk to.
    identified: bool,
    last_id: CommandId,
}

impl Host {
    pub(in crate::link) fn new(timing: Timing, seed: u64, now: Instant) -> Host {
        Host {
            session: Session::new(timing, seed, now),
            heard: VecDeque::new(),
            replies: HashMap::new(),
            think: None,
            identify: None,
            identified: false,
            last_id: 0,
        }
    }

    fn submit(&mut self, payload: Payload, now: Instant) -> CommandId {
        self.last_id += 1;
        self.session.submit(self.last_id, payload, now);
        self.last_id
    }

    fn hear(&mut self, event: SessionEvent, now: Instant) -> Vec<Notice> {
        match event {
            // Published when the board is identified as well.
            SessionEvent::State(LinkState::Ready) => Vec::new(),
            SessionEvent::State(state) => vec![Notice::State(state)],
            SessionEvent::Ready { new_boot } => self.ready(new_boot, now),
            SessionEvent::Reply(id, outcome) => self.reply(id, outcome, now),
            SessionEvent::Event(Event::BestMove(best)) => {
                self.best_move(best);
                Vec::new()
            }
            SessionEvent::Telemetry(Telemetry::Iteration(iteration)) => {
                // A reader that is that far behind misses an iteration, as on the wire; the last place is the move's.
                let think = self.think.as_ref();
                if let Some((_, sink)) = think.filter(|t| t.0 == iteration.tag)
                    && sink.capacity() > 1
                {
                    let _ = sink.try_send(ThinkEvent::Iteration(iteration));
                }
                Vec::new()
            }
            SessionEvent::GiveUp => vec![Notice::Close("the board does not answer")],
            SessionEvent::Link(kind, detail) => vec![Notice::Link(kind, detail)],
        }
    }

    fn ready(&mut self, new_boot: bool, now: Instant) -> Vec<Notice> {
        if new_boot && let Some((_, sink)) = self.think.take() {
            let _ = sink.try_send(ThinkEvent::Lost);
        }
        self.identified &= !new_boot;
        let mut notices = vec![Notice::Answers];
        if self.identified {
            notices.push(Notice::State(LinkState::Ready));
        } else if new_boot || self.identify.is_none() {
            self.ask_identity(Identify::default(), now);
        }
        notices
    }

    fn ask_identity(&mut self, mut identify: Identify, now: Instant) {
        let command = Command::Identify { page: identify.page };
        identify.id = self.submit(Payload::try_from(&command).expect("an identify fits"), now);
        self.identify = Some(identify);
    }

    fn reply(&mut self, id: CommandId, outcome: Outcome, now: Instant) -> Vec<Notice> {
        match self.identify.take_if(|identify| identify.id == id) {
            Some(identify) => self.identity_page(identify, outcome, now),
            None => {
                if let Some(reply) = self.replies.remove(&id) {
                    let _ = reply.send(Ok(outcome));
                }
                Vec::new()
            }
        }
    }

    fn identity_page(
        &mut self,
        mut identify: Identify,
        outcome: Outcome,
        now: Instant,
    ) -> Vec<Notice> {
        let trouble = |text: String| vec![Notice::Trouble(Some(text))];
        let text = match outcome {
            Outcome::Page(text) => text,
            // The board was reset meanwhile: its new session asks again.
            Outcome::Unknown => {
                self.ask_identity(Identify::default(), now);
                return Vec::new();
            }
            Outcome::Refused(_) if identify.refusals + 1 < REFUSALS => {
                identify.refusals += 1;
                self.ask_identity(identify, now);
                return Vec::new();
            }
            other => return trouble(format!("the board does not identify: {other:?}")),
        };
        let page = match IdentifyPage::parse(&text) {
            Ok(page) => page,
            Err(error) => return trouble(format!("identify page '{text}': {error}")),
        };
        identify.pairs.extend(page.pairs().map(|(k, v)| (k.to_owned(), v.to_owned())));
        identify.page += 1;
        identify.refusals = 0;
        if identify.page < page.pages {
            self.ask_identity(identify, now);
            return Vec::new();
        }
        let range = identify.pairs.get("proto").cloned().unwrap_or_default();
        let speaks = range.split_once('-').and_then(|(low, high)| {
            Some((low.parse::<u8>().ok()?..=high.parse().ok()?).contains(&PROTOCOL_VERSION))
        });
        self.identified = speaks == Some(true);
        let verdict = if self.identified {
            Notice::State(LinkState::Ready)
        } else {
            Notice::Trouble(Some(format!(
                "the board speaks protocol '{range}', this server {PROTOCOL_VERSION}: update one of them"
            )))
        };
        vec![Notice::Identity(identify.pairs), verdict]
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
}

impl Dialect for Host {
    fn opened(&mut self, now: Instant) {
        self.session.opened(now);
    }

    fn closed(&mut self, why: &str) {
        self.session.closed(why);
    }

    fn received(&mut self, bytes: &[u8], now: Instant) {
        self.session.received(bytes, now);
    }

    fn tick(&mut self, now: Instant) {
        self.session.tick(now);
    }

    fn next_deadline(&self) -> Option<Instant> {
        self.session.next_deadline()
    }

    fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.session.poll_transmit()
    }

    fn request(&mut self, request: Request, now: Instant) {
        match request {
            Request::Command { payload, reply } => {
                let id = self.submit(payload, now);
                self.replies.insert(id, reply);
            }
            Request::Watch { tag, sink } => self.think = Some((tag, sink)),
            Request::Note { kind, detail } => self.session.emit(kind, detail),
            // Dropped: whoever asks sees the channel end. The driver keeps leases and raw bytes for itself.
            Request::Errand(_) | Request::Lease { .. } | Request::Raw { .. } => {}
        }
    }

    /// Whoever gave up waiting, while the link was down or another command was under way, wants nothing executed any more.
    fn forget_given_up(&mut self, _now: Instant) {
        let session = &mut self.session;
        self.replies.retain(|id, reply| {
            let wanted = !reply.is_closed();
            if !wanted {
                session.withdraw(*id);
            }
            wanted
        });
    }

    fn news(&mut self, now: Instant) -> Vec<Notice> {
        let mut notices = Vec::new();
        loop {
            while let Some(event) = self.session.poll_event() {
                match event {
                    SessionEvent::Link(kind, detail) => notices.push(Notice::Link(kind, detail)),
                    event => self.heard.push_back(event),
                }
            }
            if !notices.is_empty() {
                return notices;
            }
            let Some(event) = self.heard.pop_front() else { return notices };
            notices = self.hear(event, now);
        }
    }

    fn health(&self) -> Health {
        let boot = self.session.boot();
        Health {
            spoken: Some(Spoken::V2),
            boot,
            board: boot.map(|_| self.session.status()),
            round_trip: self.session.round_trip(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rookery_protocol::{Direction, Kind, Line, Seq, Sid, WireBuffer};

    /// A host whose other end is the test.
    struct Far {
        host: Host,
        now: Instant,
        sid: Sid,
        notices: Vec<Notice>,
    }

    impl Far {
        /// In session, and asked who it is by the command that is returned.
        fn asked() -> (Far, String) {
            let now = Instant::now();
            let host = Host::new(Timing::WIFI, 1, now);
            let mut far = Far { host, now, sid: Sid::NONE, notices: Vec::new() };
            far.host.opened(now);
            let sync = loop {
                far.now = far.host.next_deadline().expect("a sync to come");
                far.host.tick(far.now);
                if let Some(line) = far.heard(">S") {
                    break line;
                }
            };
            let nonce = &sync[7..15];
            far.say(Kind::Sync, 0, &format!("{nonce} 0000b007 00 00 3706291c i"));
            let command = far.heard(">C").expect("the question who it is");
            (far, command)
        }

        fn say(&mut self, kind: Kind, seq: u8, payload: &str) {
            let line =
                Line { direction: Direction::Board, kind, sid: self.sid, seq: Seq(seq), payload };
            let mut wire = WireBuffer::new();
            self.host.received(line.encode(&mut wire).expect("it fits"), self.now);
        }

        /// The next line of this kind, without its checksum.
        fn heard(&mut self, kind: &str) -> Option<String> {
            loop {
                let news = self.host.news(self.now);
                if news.is_empty() {
                    break;
                }
                self.notices.extend(news);
            }
            while let Some(bytes) = self.host.poll_transmit() {
                if let Ok(line) = Line::parse(bytes.trim_ascii()) {
                    self.sid = line.sid;
                    let text = String::from_utf8_lossy(bytes.trim_ascii());
                    if text.starts_with(kind) {
                        return Some(text[..text.len() - 5].to_owned());
                    }
                }
            }
            None
        }

        fn trouble(&self) -> Option<&str> {
            self.notices.iter().find_map(|notice| match notice {
                Notice::Trouble(text) => text.as_deref(),
                _ => None,
            })
        }
    }

    #[test]
    fn a_refusal_to_identify_is_believed_when_it_comes_again() {
        let (mut far, question) = Far::asked();
        for seq in 1..3 {
            far.say(Kind::Nak, seq, &format!("what {:02x}", seq + 1));
            let again = far.heard(">C").expect("it is asked again");
            assert_eq!(again[6..], question[6..]);
            assert_eq!(far.trouble(), None);
        }
        far.say(Kind::Nak, 3, "what 04");
        assert_eq!(far.heard(">C"), None);
        assert!(far.trouble().expect("a trouble").contains("does not identify"));
    }

    #[test]
    fn a_board_that_was_asked_twice_is_ready() {
        let (mut far, _) = Far::asked();
        far.say(Kind::Nak, 1, "arg 02");
        far.heard(">C").expect("it is asked again");
        far.say(Kind::Ack, 2, "0/1 kind=toy proto=2-2");
        far.heard(">C");
        let ready = |n: &Notice| matches!(n, Notice::State(LinkState::Ready));
        assert!(far.notices.iter().any(ready));
        assert_eq!(far.trouble(), None);
    }
}
