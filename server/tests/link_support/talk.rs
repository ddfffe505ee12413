//! A session whose other end is the test itself, line by line.

use rookery_protocol::{Decoded, Decoder, Direction, Kind, Line, Seq, Sid, WireBuffer};
use rookery_server::{
    api::LinkState,
    link::{
        Timing,
        v2::session::{CommandId, Outcome, Payload, Session, SessionEvent},
    },
    model::LinkEventKind,
};
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

pub const HASH: &str = "3706291c";

pub struct Talk {
    pub session: Session,
    pub now: Instant,
    pub sid: Sid,
    pub counts: BTreeMap<LinkEventKind, u64>,
    pub replies: Vec<(CommandId, Outcome)>,
    pub heard: Vec<SessionEvent>,
    pub state: LinkState,
}

impl Talk {
    /// Closed.
    pub fn new(timing: Timing) -> Talk {
        let now = Instant::now();
        Talk {
            session: Session::new(timing, 7, now),
            now,
            sid: Sid::NONE,
            counts: BTreeMap::new(),
            replies: Vec::new(),
            heard: Vec::new(),
            state: LinkState::Disconnected,
        }
    }

    /// In session with boot `0000b007`, whose last command has the number `command_seq`. The round trip was nothing.
    pub fn ready(timing: Timing, command_seq: u8) -> Talk {
        let mut talk = Talk::new(timing);
        talk.session.opened(talk.now);
        talk.resync("0000b007", command_seq);
        talk.counts.clear();
        talk.heard.clear();
        talk
    }

    /// Waits for the end of a drain and answers the sync.
    pub fn resync(&mut self, boot: &str, command_seq: u8) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..4000 {
            lines.extend(self.lines());
            if let Some(nonce) = self.nonce(&lines) {
                self.answer_sync(&nonce, boot, command_seq);
                return self.lines();
            }
            self.pass(1);
        }
        panic!("no sync within 4 s: {lines:?}")
    }

    pub fn nonce(&self, lines: &[String]) -> Option<String> {
        let sync = lines.iter().rev().find(|line| line.starts_with(">S"))?;
        Some(sync[7..15].to_owned())
    }

    pub fn answer_sync(&mut self, nonce: &str, boot: &str, command_seq: u8) {
        let payload = format!("{nonce} {boot} {command_seq:02x} 00 {HASH} i");
        self.say(Kind::Sync, 0, &payload);
    }

    /// What the session has sent since, without checksums and empty lines.
    pub fn lines(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        while let Some(bytes) = self.session.poll_transmit() {
            let mut decoder = Decoder::new();
            for &byte in &bytes {
                match decoder.push(byte) {
                    Decoded::Pending => {}
                    Decoded::Line(line) => {
                        assert_eq!(line.direction, Direction::Host);
                        self.sid = line.sid;
                        let text = std::str::from_utf8(&bytes).unwrap().trim_matches('\n');
                        lines.push(text[..text.len() - 5].to_owned());
                    }
                    Decoded::Bad(..) => panic!("{:?}", bytes.escape_ascii().to_string()),
                }
            }
        }
        self.listen();
        lines
    }

    /// What has happened is counted and kept.
    fn listen(&mut self) {
        while let Some(event) = self.session.poll_event() {
            match event {
                SessionEvent::Link(kind, _) => *self.counts.entry(kind).or_insert(0) += 1,
                SessionEvent::Reply(id, outcome) => self.replies.push((id, outcome)),
                SessionEvent::State(state) => self.state = state,
                event => self.heard.push(event),
            }
        }
    }

    pub fn count(&mut self, kind: LinkEventKind) -> u64 {
        self.listen();
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// Everything counted so far, by name.
    pub fn counted(&mut self) -> Vec<(&'static str, u64)> {
        self.listen();
        self.counts.iter().map(|(kind, count)| (kind.as_str(), *count)).collect()
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        self.session.received(bytes, self.now);
    }

    pub fn say(&mut self, kind: Kind, seq: u8, payload: &str) {
        self.say_as(Direction::Board, self.sid, kind, seq, payload);
    }

    pub fn say_as(&mut self, direction: Direction, sid: Sid, kind: Kind, seq: u8, payload: &str) {
        let line = encode(direction, sid, kind, seq, payload);
        self.raw(&line);
    }

    /// Time passes, tick by tick.
    pub fn pass(&mut self, millis: u64) {
        let until = self.now + Duration::from_millis(millis);
        let mut turns = 0;
        while let Some(at) = self.session.next_deadline().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.session.tick(self.now);
            turns += 1;
            assert!(turns < 1000, "it spins: {:?}", self.session);
        }
        self.now = until;
    }

    /// The same, and what was sent in that time.
    pub fn lines_after(&mut self, millis: u64) -> Vec<String> {
        self.pass(millis);
        self.lines()
    }

    pub fn submit(&mut self, id: CommandId, command: &rookery_protocol::Command<'_>) {
        self.session.submit(id, Payload::try_from(command).unwrap(), self.now);
    }
}

pub fn encode(direction: Direction, sid: Sid, kind: Kind, seq: u8, payload: &str) -> Vec<u8> {
    let line = Line { direction, kind, sid, seq: Seq(seq), payload };
    let mut wire = WireBuffer::new();
    line.encode(&mut wire).unwrap().to_vec()
}
