//! A host and a board over a link that loses, doubles, swaps, splits and merges, in virtual time.
//!
//! What must hold: a command is executed at most once per boot and in order, what the host takes
//! for an answer is the answer to its command, an event arrives exactly once and in order, and all
//! of it comes to an end once the link is good again.

#[path = "../../fuzz/src/toy.rs"]
#[allow(dead_code, unreachable_pub)]
mod toy;

use std::collections::VecDeque;

use proptest::prelude::*;
use proptest::test_runner::TestRng;
use rookery_protocol::device::{Endpoint, handle};
use rookery_protocol::{
    Ack, Activity, BestMove, BoardMessage, BootId, Command, Decoded, Decoder, Direction, Event,
    Kind, Line, MoveSource, MoveText, Nonce, ParamKey, PayloadBuffer, PositionHash, Seq, Sid, Tag,
    WireBuffer,
};
use toy::{Call, Toy};

const TIMEOUT: u32 = 400;

/// What the link does to bytes: a share of a thousand lines each.
#[derive(Debug, Clone)]
struct Link {
    faults: u32,
    bytes: VecDeque<(u32, u8)>,
}

impl Link {
    fn send(&mut self, now: u32, line: &[u8], rng: &mut TestRng) {
        let mut line = line.to_vec();
        let mut delay = 1;
        let roll = |rng: &mut TestRng, of: usize| rng.random_range(0..of.max(1));
        if rng.random_range(0..1000) < self.faults {
            let at = roll(rng, line.len());
            match roll(rng, 9) {
                0 => drop(line.remove(at)),
                1 => drop(line.drain(at..)),
                2 => line.extend_from_within(..),
                3 => line[at] ^= 1 << roll(rng, 8),
                4 => line.insert(at, b'\n'),
                5 => {
                    let other = (at + 1) % line.len();
                    line.swap(at, other);
                }
                6 => line.retain(|&byte| byte != b'\n'),
                7 => delay = 900,
                _ => line.clear(),
            }
        }
        // Order is kept: a late line holds up those behind it.
        let due = self.bytes.back().map_or(0, |(due, _)| *due).max(now + delay);
        self.bytes.extend(line.into_iter().map(|byte| (due, byte)));
    }

    fn receive(&mut self, now: u32) -> Vec<u8> {
        let count = self.bytes.partition_point(|(due, _)| *due <= now);
        self.bytes.drain(..count).map(|(_, byte)| byte).collect()
    }
}

struct World {
    rng: TestRng,
    now: u32,
    up: Link,
    down: Link,
    // The board.
    endpoint: Endpoint,
    board_decoder: Decoder,
    toy: Toy,
    finish_at: Option<u32>,
    boots: u32,
    executed: Vec<i32>,
    // The host.
    host_decoder: Decoder,
    sid: Sid,
    nonce: u32,
    boot: Option<BootId>,
    seq: Seq,
    synced: bool,
    sent_at: Option<u32>,
    timeouts: u32,
    outstanding: Option<Wish>,
    event_seq: Seq,
    answered: Vec<i32>,
    events: Vec<Tag>,
    unknown: u32,
}

/// What the host wants next. Its number makes each command unlike every other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    Param(i32),
    Think(Tag),
}

impl World {
    fn new(rng: TestRng, faults: u32) -> Self {
        let link = Link { faults, bytes: VecDeque::new() };
        Self {
            rng,
            now: 0,
            up: link.clone(),
            down: link,
            endpoint: Endpoint::new(BootId(1)),
            board_decoder: Decoder::new(),
            toy: Toy::default(),
            finish_at: None,
            boots: 1,
            executed: Vec::new(),
            host_decoder: Decoder::new(),
            sid: Sid::NONE,
            nonce: 0,
            boot: None,
            seq: Seq(0),
            synced: false,
            sent_at: None,
            timeouts: 0,
            outstanding: None,
            event_seq: Seq(0),
            answered: Vec::new(),
            events: Vec::new(),
            unknown: 0,
        }
    }

    fn board(&mut self) {
        let mut out = Vec::new();
        for byte in self.up.receive(self.now) {
            let calls = self.toy.calls.len();
            let decoded = self.board_decoder.push(byte);
            handle(&mut self.endpoint, &mut self.toy, decoded, self.now, &mut |line| {
                out.push(line.to_vec());
            });
            for call in &self.toy.calls[calls..] {
                match call {
                    Call::Param(_, number) => {
                        assert!(!self.executed.contains(number), "{number} was executed twice");
                        self.executed.push(*number);
                    }
                    Call::Think(..) => self.finish_at = Some(self.now + 300),
                    other => panic!("nobody has said {other:?}"),
                }
            }
        }
        if self.finish_at.is_some_and(|at| at <= self.now) {
            self.finish_at = None;
            let event = Event::BestMove(BestMove {
                tag: self.toy.thinking.take().expect("a think"),
                best: MoveText::NULL,
                depth: 1,
                nodes: 1,
                score: 0,
                millis: 1,
                source: MoveSource::Search,
                hash: PositionHash(0),
            });
            self.endpoint
                .event(event, self.now, &mut |line| out.push(line.to_vec()))
                .expect("the event of a think has room");
        }
        self.endpoint.tick(self.now, &mut |line| out.push(line.to_vec()));
        for line in out {
            self.down.send(self.now, &line, &mut self.rng);
        }
    }

    fn reboot(&mut self) {
        self.boots += 1;
        self.endpoint = Endpoint::new(BootId(self.boots));
        self.board_decoder = Decoder::new();
        self.toy = Toy::default();
        self.finish_at = None;
    }

    fn say(&mut self, kind: Kind, seq: Seq, payload: &str) {
        let line = Line { direction: Direction::Host, kind, sid: self.sid, seq, payload };
        let mut wire = WireBuffer::new();
        let bytes = line.encode(&mut wire).expect("can be sent").to_vec();
        self.up.send(self.now, &bytes, &mut self.rng);
    }

    fn sync(&mut self) {
        self.synced = false;
        self.sid = self.sid.next();
        self.nonce += 1;
        let mut payload = PayloadBuffer::new();
        Nonce(self.nonce).write_sync(&mut payload).expect("fits");
        self.say(Kind::Sync, Seq(0), payload.as_str());
        self.sent_at = Some(self.now);
    }

    fn ask(&mut self) {
        let command = match self.outstanding.expect("a wish") {
            Wish::Param(value) => Command::Param { key: ParamKey::Pawn, value },
            Wish::Think(tag) => Command::Think { tag, nodes: 1 },
        };
        let mut payload = PayloadBuffer::new();
        command.write(&mut payload).expect("fits");
        let seq = self.seq.next();
        self.say(Kind::Command, seq, payload.as_str());
        self.sent_at = Some(self.now);
    }

    fn host(&mut self) {
        for byte in self.down.receive(self.now) {
            let heard = match self.host_decoder.push(byte) {
                Decoded::Line(line) if line.direction == Direction::Board => {
                    let message = BoardMessage::parse(&line).expect("a message");
                    match message {
                        BoardMessage::Ack(Ack::Identify(_)) => continue,
                        BoardMessage::Ack(Ack::Status(status)) => {
                            (line.sid, line.seq, Ok(Some(status.activity)), None)
                        }
                        BoardMessage::Nak(nak) => {
                            (line.sid, line.seq, Ok(None), Some(nak.consumes_seq()))
                        }
                        BoardMessage::Event(Event::BestMove(best)) => {
                            if line.sid == self.sid && self.synced {
                                let (seq, tag) = (line.seq, best.tag);
                                self.say(Kind::EventAck, seq, "");
                                if seq != self.event_seq {
                                    assert_eq!(seq, self.event_seq.next());
                                    self.event_seq = seq;
                                    self.events.push(tag);
                                }
                            }
                            continue;
                        }
                        BoardMessage::Sync(reply) => (line.sid, line.seq, Err(reply), None),
                        BoardMessage::Telemetry(_) | BoardMessage::Banner(_) => continue,
                    }
                }
                _ => continue,
            };
            match heard {
                (sid, _, Err(reply), _) => {
                    if sid == self.sid && reply.nonce == Nonce(self.nonce) && !self.synced {
                        self.synced = true;
                        self.timeouts = 0;
                        self.sent_at = None;
                        if self.boot != Some(reply.boot) {
                            self.boot = Some(reply.boot);
                            self.seq = reply.command_seq;
                            self.event_seq = Seq(0);
                            self.unknown += u32::from(self.outstanding.take().is_some());
                        }
                        if self.outstanding.is_some() {
                            self.ask();
                        }
                    }
                }
                (sid, seq, Ok(activity), refused) => {
                    let ours = sid == self.sid && self.synced && seq == self.seq.next();
                    if !ours || self.outstanding.is_none() {
                        continue;
                    }
                    if refused == Some(false) {
                        self.ask();
                        continue;
                    }
                    let wish = self.outstanding.take().expect("a wish");
                    self.seq = seq;
                    self.sent_at = None;
                    self.timeouts = 0;
                    match (wish, activity) {
                        (Wish::Param(value), Some(_)) => {
                            assert!(self.executed.contains(&value), "{value} was not executed");
                            self.answered.push(value);
                        }
                        (Wish::Think(_), Some(activity)) => {
                            assert_eq!(activity, Activity::Thinking);
                        }
                        // Busy: it thinks.
                        (_, None) => {}
                    }
                }
            }
        }
        let late = self.sent_at.is_some_and(|at| self.now - at > TIMEOUT);
        if late {
            self.timeouts += 1;
            if !self.synced || self.timeouts >= 3 {
                self.sync();
            } else {
                self.ask();
            }
        } else if self.sent_at.is_none() && !self.synced {
            self.sync();
        }
    }

    fn step(&mut self) {
        self.now += 5;
        self.board();
        self.host();
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_the_link_does(seed in any::<[u8; 32]>(), faults in prop::sample::select(vec![0u32, 30, 150, 400]), reboots in prop::sample::select(vec![0u32, 0, 3, 10])) {
        let rng = TestRng::from_seed(prop::test_runner::RngAlgorithm::ChaCha, &seed);
        let mut world = World::new(rng, faults);
        let mut number = 0;
        let mut wished = Vec::new();
        for step in 0..12_000u32 {
            world.step();
            if world.rng.random_range(0..12_000) < reboots {
                world.reboot();
            }
            let free = world.synced && world.outstanding.is_none();
            if free && step % 7 == 0 {
                number += 1;
                let wish = if number % 5 == 0 {
                    Wish::Think(Tag(number as u8))
                } else {
                    wished.push(number);
                    Wish::Param(number)
                };
                world.outstanding = Some(wish);
                world.ask();
            }
        }
        // The link is good again: what is outstanding comes to its end.
        world.up.faults = 0;
        world.down.faults = 0;
        let quiet = world.now + 5000;
        while world.now < quiet {
            world.step();
        }
        prop_assert!(world.synced, "READY within 5 s of bytes flowing");
        prop_assert_eq!(world.outstanding, None);
        // In order, and only what was said.
        prop_assert!(world.executed.is_sorted());
        prop_assert!(world.executed.iter().all(|number| wished.contains(number)));
        prop_assert!(world.answered.is_sorted());
        prop_assert!(world.unknown < world.boots);
        if reboots == 0 {
            prop_assert_eq!(world.toy.calls.iter().filter(|call| matches!(call, Call::Think(..))).count(), world.events.len());
            // Busy refusals apart, all that was asked for was answered.
            prop_assert_eq!(&world.executed, &world.answered);
        }
        prop_assert!(world.answered.len() > 10, "{}", world.answered.len());
    }
}
