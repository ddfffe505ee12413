//! A session and a board in virtual time, with a channel between them, and everything written down that must hold.

use super::{Board, Call, Executed, Faults, Pipe};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rookery_protocol::{
    BootId, Command, Decoded, Decoder, Event, Kind, MoveList, MoveText, ParamKey, Sid, Tag,
    fen_chunks,
};
use rookery_server::{
    api::LinkState,
    link::{
        Timing,
        v2::session::{CommandId, Outcome, Payload, Session, SessionEvent},
    },
    model::LinkEventKind,
};
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::{Duration, Instant},
};

/// What a command should have done once it is answered.
#[derive(Clone, Debug, PartialEq)]
pub enum Key {
    /// Nothing that a board writes down.
    Quiet,
    /// A stop, which is told apart from no other.
    Stop,
    /// This, and no other command does the same.
    Unique(Call),
}

/// Times for how long a board may think, so that resets and losses come in the middle.
pub fn pace(nodes: u32) -> u32 {
    (nodes.wrapping_mul(2_654_435_761) >> 12) % 2500
}

pub struct World {
    pub now: Instant,
    pub rng: StdRng,
    pub session: Session,
    pub board: Board,
    pub faults: Faults,
    pub counts: BTreeMap<LinkEventKind, u64>,
    pub state: LinkState,
    /// Everything that happened: lines, pieces, ticks, replies.
    pub events: u64,
    pub give_ups: u64,
    pub outcomes: HashMap<CommandId, Outcome>,
    pub pending: HashMap<CommandId, Key>,
    pub connected: bool,
    /// Whether the channel may double lines: one that is doubled and delayed can outlive a reset together with its doubled sync.
    pub doubling: bool,
    /// Telemetry that came.
    pub telemetry: Vec<u8>,
    pub up: Pipe,
    pub down: Pipe,
    timing: Timing,
    start: Instant,
    reopen: Option<Instant>,
    last_id: CommandId,
    known_boot: Option<BootId>,
    /// How often this session delivered the move of a think.
    delivered: HashMap<u32, u32>,
    delivered_ever: HashMap<u32, u32>,
    stops: usize,
    host_sid: Sid,
    still: u32,
}

impl World {
    pub fn new(seed: u64, timing: Timing, latency: Duration) -> World {
        let now = Instant::now();
        World {
            now,
            rng: StdRng::seed_from_u64(seed),
            session: Session::new(timing, seed, now),
            board: Board::new(0xb007, pace).telling(),
            faults: Faults::NONE,
            counts: BTreeMap::new(),
            state: LinkState::Disconnected,
            events: 0,
            give_ups: 0,
            outcomes: HashMap::new(),
            pending: HashMap::new(),
            connected: false,
            doubling: true,
            telemetry: Vec::new(),
            up: Pipe::new(latency, now),
            down: Pipe::new(latency, now),
            timing,
            start: now,
            reopen: Some(now),
            last_id: 0,
            known_boot: None,
            delivered: HashMap::new(),
            delivered_ever: HashMap::new(),
            stops: 0,
            host_sid: Sid::NONE,
            still: 0,
        }
    }

    pub fn count(&self, kind: LinkEventKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    fn millis(&self) -> u32 {
        let millis = (self.now - self.start).as_millis();
        // The board's clock wraps soon after the start.
        u32::try_from(millis).unwrap().wrapping_add(u32::MAX - 5000)
    }

    pub fn submit(&mut self, command: &Command<'_>, key: Key) -> CommandId {
        self.last_id += 1;
        if key == Key::Stop {
            self.stops += 1;
        }
        self.pending.insert(self.last_id, key);
        self.session.submit(self.last_id, Payload::try_from(command).unwrap(), self.now);
        self.flush();
        self.last_id
    }

    /// Any command, one of its kind.
    pub fn submit_any(&mut self) {
        let id = self.last_id + 1;
        let number = u32::try_from(id).unwrap();
        match self.rng.random_range(0..12) {
            0 => self.submit(&Command::Ping, Key::Quiet),
            1 => self.submit(&Command::Identify { page: number as u8 % 3 }, Key::Quiet),
            2 => self.submit(&Command::Stop, Key::Stop),
            3 => {
                let fen = format!("{number}p/8/8 w - - 0 1");
                self.submit_position(&fen)
            }
            4 => {
                let fen =
                    format!("{number}p/nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
                self.submit_position(&fen)
            }
            5 | 6 => {
                let moves: MoveList =
                    [number >> 12, number & 0xfff].map(square_pair).into_iter().collect();
                let command = Command::Moves { before: self.board.hash(), moves: moves.clone() };
                self.submit(&command, Key::Unique(Call::Play(moves.to_vec())))
            }
            7..=9 => {
                let tag = Tag(number as u8);
                self.submit(
                    &Command::Think { tag, nodes: number },
                    Key::Unique(Call::Think(number)),
                )
            }
            _ => {
                let value = i32::try_from(number).unwrap();
                let value = if value % 7 == 0 { -value } else { value };
                let command = Command::Param { key: ParamKey::Pawn, value };
                self.submit(&command, Key::Unique(Call::Param(value)))
            }
        };
    }

    fn submit_position(&mut self, fen: &str) -> CommandId {
        let chunks = fen_chunks(fen);
        let last = chunks.len() - 1;
        for (index, chunk) in chunks.enumerate() {
            let whole = Key::Unique(Call::Position(fen.to_owned()));
            self.submit(&chunk, if index == last { whole } else { Key::Quiet });
        }
        self.last_id
    }

    /// The connection breaks; it can be made again after some time.
    pub fn disconnect(&mut self, stale: bool, again: Duration) {
        if self.connected {
            self.session.closed("cut");
        }
        self.connected = false;
        self.up.cut(stale, self.now);
        self.down.cut(stale, self.now);
        self.reopen = Some(self.now + again);
        self.flush();
    }

    /// The board is reset.
    pub fn reset(&mut self) {
        let boot = self.rng.random();
        let mut lines = Vec::new();
        self.board.reset(boot, &mut |line| lines.push(line.to_vec()));
        self.said(lines);
        self.flush();
    }

    /// The server is started anew; what the old one waited for is nobody's any more.
    pub fn restart_host(&mut self) {
        let seed = self.rng.random();
        self.session = Session::new(self.timing, seed, self.now);
        self.pending.clear();
        self.delivered.clear();
        self.host_sid = Sid::NONE;
        self.known_boot = None;
        self.connected = false;
        self.state = LinkState::Disconnected;
        self.disconnect(false, Duration::from_millis(10));
    }

    pub fn run_for(&mut self, time: Duration) {
        let until = self.now + time;
        self.run_until(until, |_| false);
    }

    pub fn run_millis(&mut self, millis: u64) {
        self.run_for(Duration::from_millis(millis));
    }

    /// Runs until something holds; whether it did.
    pub fn run_until(&mut self, until: Instant, holds: impl Fn(&World) -> bool) -> bool {
        self.flush();
        loop {
            if holds(self) {
                return true;
            }
            let board = self.board.wait(self.millis()).map(|millis| {
                let floor = (self.now - self.start).as_millis() as u64;
                self.start + Duration::from_millis(floor + u64::from(millis))
            });
            let (up, down) = match self.connected {
                true => (self.up.next(), self.down.next()),
                false => (None, None),
            };
            let session = self.session.next_deadline().filter(|_| self.connected);
            let next = [board, up, down, session, self.reopen].into_iter().flatten().min();
            let Some(next) = next.filter(|next| *next <= until) else {
                self.now = until.max(self.now);
                return false;
            };
            self.still = if next <= self.now { self.still + 1 } else { 0 };
            assert!(self.still < 1000, "it spins: {:?}", self.session);
            self.now = self.now.max(next);
            self.step();
        }
    }

    fn step(&mut self) {
        self.events += 1;
        if self.reopen.take_if(|at| *at <= self.now).is_some() {
            self.connected = true;
            self.session.opened(self.now);
        }
        if self.connected {
            if let Some(bytes) = self.up.take(self.now) {
                let mut lines = Vec::new();
                self.board.receive(&bytes, self.millis(), &mut |line| lines.push(line.to_vec()));
                self.said(lines);
            }
            if let Some(bytes) = self.down.take(self.now) {
                self.session.received(&bytes, self.now);
                self.flush();
            }
        }
        let mut lines = Vec::new();
        self.board.advance(self.millis(), &mut |line| lines.push(line.to_vec()));
        self.said(lines);
        if self.connected && self.session.next_deadline().is_some_and(|at| at <= self.now) {
            self.session.tick(self.now);
        }
        self.flush();
    }

    /// The board has sent lines.
    fn said(&mut self, lines: Vec<Vec<u8>>) {
        for line in lines {
            self.events += 1;
            // Some bridges keep what comes while nobody is connected.
            let heard = self.connected || self.rng.random_bool(0.3);
            if heard
                && let Some(echo) = self.down.send(&line, &self.faults, self.now, &mut self.rng)
            {
                self.up.push(echo, self.now, Duration::ZERO);
            }
        }
    }

    /// Takes what the session has to send and to say.
    pub fn flush(&mut self) {
        while let Some(bytes) = self.session.poll_transmit() {
            assert!(self.connected, "sent without a transport");
            self.events += 1;
            let mut sniff = Decoder::new();
            for &byte in &bytes {
                if let Decoded::Line(line) = sniff.push(byte)
                    && line.kind == Kind::Sync
                {
                    assert_ne!(line.sid, self.host_sid, "a session of its own");
                    self.host_sid = line.sid;
                }
            }
            if let Some(echo) = self.up.send(&bytes, &self.faults, self.now, &mut self.rng) {
                self.down.push(echo, self.now, Duration::ZERO);
            }
        }
        let mut give_up = false;
        while let Some(event) = self.session.poll_event() {
            self.events += 1;
            match event {
                SessionEvent::Link(kind, _) => *self.counts.entry(kind).or_insert(0) += 1,
                SessionEvent::State(state) => self.state = state,
                SessionEvent::Ready { new_boot } => {
                    assert_eq!(new_boot, self.known_boot != self.session.boot());
                    if new_boot {
                        // What was thought for another server is not this one's.
                        for made in &self.board.made {
                            self.delivered_ever.entry(made.1).or_insert(0);
                        }
                    }
                    self.known_boot = self.session.boot();
                }
                SessionEvent::Reply(id, outcome) => self.replied(id, outcome),
                SessionEvent::Event(Event::BestMove(best)) => {
                    *self.delivered.entry(best.nodes).or_insert(0) += 1;
                    *self.delivered_ever.entry(best.nodes).or_insert(0) += 1;
                    let made = self.board.made.iter().find(|(_, nodes, _)| *nodes == best.nodes);
                    assert_eq!(made.map(|made| made.2), Some(best.hash), "never made");
                    assert_eq!(self.delivered[&best.nodes], 1, "delivered twice");
                }
                SessionEvent::Telemetry(rookery_protocol::Telemetry::Iteration(iteration)) => {
                    self.telemetry.push(iteration.depth);
                }
                SessionEvent::GiveUp => give_up = true,
            }
        }
        if give_up {
            self.give_ups += 1;
            self.disconnect(false, Duration::from_millis(250));
        }
    }

    fn replied(&mut self, id: CommandId, outcome: Outcome) {
        let key = self.pending.remove(&id).expect("one outcome per command");
        if let Key::Unique(call) = &key {
            let boot = self.session.boot().expect("replies come in a session");
            let here = |e: &&Executed| e.call == *call && e.boot == boot;
            let executed: Vec<_> = self.board.log().iter().filter(here).collect();
            match (&outcome, &executed[..]) {
                (Outcome::Done(status), [once]) => {
                    assert_eq!(status.hash, once.after, "the reply to another command: {call:?}");
                }
                (Outcome::Refused(_) | Outcome::Unknown, []) => {}
                (Outcome::Unknown, [_]) if self.doubling => {}
                // Forged three times in a row; whether it was executed is not known.
                (Outcome::Garbled(_), [] | [_]) => {}
                other => panic!("{call:?}: {other:?}"),
            }
        }
        self.outcomes.insert(id, outcome);
    }

    /// Whether host and board agree on everything that they must agree on.
    pub fn in_session(&self) -> bool {
        self.connected
            && self.state == LinkState::Ready
            && self.session.boot() == Some(self.board.boot())
            && self.board.endpoint.sid() == self.host_sid
    }

    /// Nothing harms the channel any more. How long it takes until the session stands, and until all is answered.
    pub fn settle(&mut self) -> (Duration, Duration) {
        self.faults = Faults::NONE;
        self.up.flow(self.now);
        self.down.flow(self.now);
        if let Some(at) = &mut self.reopen {
            *at = (*at).min(self.now + Duration::from_millis(250));
        }
        let (mut since, given_up) = (self.now, self.give_ups);
        let limit = Duration::from_secs(5);
        let ready = |world: &World| world.in_session() || world.give_ups > given_up;
        if !self.run_until(since + limit, ready) {
            panic!("not in session within 5 s: {:?} {:?}", self.state, self.session);
        }
        if self.give_ups > given_up {
            // A clear error; the next connection is a clean one from its start.
            since = self.now + Duration::from_millis(250);
            let again = self.run_until(since + limit, World::in_session);
            assert!(again, "not in session within 5 s of a new connection: {:?}", self.session);
            assert_eq!(self.give_ups, given_up + 1);
        }
        let session = self.now - since;
        let answered = |world: &World| world.pending.is_empty() && world.in_session();
        if !self.run_until(since + 2 * limit, answered) {
            panic!("{:?} unanswered after 10 s: {:?}", self.pending, self.session);
        }
        let answers = self.now - since;
        // Thinks end, and their moves arrive.
        let moved = |world: &World| !world.board.is_thinking() && world.undelivered().is_none();
        if !self.run_until(self.now + 2 * limit, moved) {
            panic!("the move of {:?} never came: {:?}", self.undelivered(), self.session);
        }
        self.verify();
        (session.max(Duration::ZERO), answers)
    }

    /// A move of the present boot that was made and not heard of.
    fn undelivered(&self) -> Option<u32> {
        let boot = self.board.boot();
        let made = self.board.made.iter().rev().take_while(|made| made.0 == boot);
        made.map(|made| made.1).find(|nodes| !self.delivered_ever.contains_key(nodes))
    }

    /// Nothing was executed twice in a boot; not even in two, where the channel does not double lines.
    fn verify(&mut self) {
        let mut seen = HashSet::new();
        let mut stops: HashMap<BootId, usize> = HashMap::new();
        for executed in self.board.log() {
            let boot = if self.doubling { executed.boot } else { BootId(0) };
            match &executed.call {
                Call::Stop => *stops.entry(boot).or_insert(0) += 1,
                call => {
                    let first = seen.insert((boot, format!("{call:?}")));
                    assert!(first, "executed twice: {executed:?}");
                }
            }
        }
        assert!(stops.values().all(|stops| *stops <= self.stops), "stops executed twice");
    }
}

fn square_pair(number: u32) -> MoveText {
    let square = |n: u32| {
        let file = char::from(b'a' + (n % 8) as u8);
        let rank = char::from(b'1' + (n / 8 % 8) as u8);
        format!("{file}{rank}")
    };
    format!("{}{}", square(number), square(number >> 6)).parse().unwrap()
}
