//! The host's side of protocol v2 as a state machine without I/O and without a clock: bytes, commands and instants go in; bytes,
//! replies and link events come out. Section 8 of the protocol's README is its specification.

mod incoming;
mod words;

pub use words::{CommandId, Outcome, Payload, SessionEvent};

use super::rtt::RoundTrip;
use crate::{api::LinkState, link::transport::Timing, model::LinkEventKind};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use rookery_protocol::{
    Activity, BoardStatus, BootId, Command, Decoded, Decoder, Direction, Kind, Line, Nonce,
    PayloadBuffer, PositionHash, Seq, Sid, WireBuffer,
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// A line that has begun is given this long to go on.
const PARTIAL: Duration = Duration::from_millis(200);
/// Silence after which the board is pinged.
const IDLE: Duration = Duration::from_secs(2);
/// The longest drain.
const DRAIN_CAP: Duration = Duration::from_secs(3);
/// Time-outs in a row that end in a drain.
const MISSES: u32 = 3;
/// A command that has no answer for so long ends in a drain as well, however long a time-out has become by stalls: with [`IDLE`]
/// before and a drain and a sync behind it, the board is in session again within 5 s.
const UNANSWERED: Duration = Duration::from_secs(2);
/// The longest wait for the answer to a sync, for the same reason.
const SYNC_WAIT: Duration = Duration::from_secs(2);
/// A board refuses damaged lines for one number every 200 ms. One that does so much more often is not answered more often.
const REFUSALS: Duration = Duration::from_millis(100);
/// Answers with a right checksum and a payload that this protocol does not have, before they are believed: one damaged line in
/// 65,536 has a right checksum by accident, but not three for the same command.
const UNREADABLE: u32 = 3;
/// After such an answer the command is not sent again at once: a line that the channel doubles, or three of them, is one answer.
const DOUBLES: Duration = Duration::from_millis(100);
/// Syncs before the transport is given up.
const SYNC_TRIES: u32 = 5;

/// The session's own pings.
const PING: CommandId = 0;

#[derive(Debug)]
enum Phase {
    Closed,
    Draining { since: Instant, quiet_since: Instant },
    Syncing { tries: u32, nonce: Nonce, sent_at: Instant, deadline: Instant },
    Ready,
}

#[derive(Debug)]
struct Outstanding {
    id: CommandId,
    seq: Seq,
    payload: Payload,
    /// First sent, in this session.
    sent_at: Instant,
    deadline: Instant,
    sent_once: bool,
    /// When it was last sent again because it was refused.
    refused_at: Option<Instant>,
    /// Answers to it that could not be read.
    unreadable: u32,
    /// The last answer was none: it is sent again at its deadline.
    ask_again: bool,
    /// An event came since: the board may stand elsewhere than where the command left it.
    overtaken: bool,
}

/// The host's end of a link.
#[derive(Debug)]
pub struct Session {
    timing: Timing,
    rtt: RoundTrip,
    rng: StdRng,
    decoder: Decoder,
    phase: Phase,
    sid: Sid,
    boot: Option<BootId>,
    status: BoardStatus,
    next_seq: Seq,
    outstanding: Option<Outstanding>,
    waiting: VecDeque<(CommandId, Payload)>,
    last_event: Option<Seq>,
    last_telemetry: Option<Seq>,
    last_received: Instant,
    /// The last line of this session. Noise is no sign of life.
    last_heard: Instant,
    misses: u32,
    transmit: VecDeque<Vec<u8>>,
    events: VecDeque<SessionEvent>,
}

impl Session {
    /// A session without a transport. `seed` decides session ids and nonces.
    #[must_use]
    pub fn new(timing: Timing, seed: u64, now: Instant) -> Session {
        let mut rng = StdRng::seed_from_u64(seed);
        Session {
            timing,
            rtt: RoundTrip::new(timing),
            sid: Sid(rng.random()),
            rng,
            decoder: Decoder::new(),
            phase: Phase::Closed,
            boot: None,
            status: BoardStatus { hash: PositionHash(0), activity: Activity::Idle },
            next_seq: Seq(1),
            outstanding: None,
            waiting: VecDeque::new(),
            last_event: None,
            last_telemetry: None,
            last_received: now,
            last_heard: now,
            misses: 0,
            transmit: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// The transport is open.
    pub fn opened(&mut self, now: Instant) {
        self.emit(LinkEventKind::Connected, String::new());
        self.decoder = Decoder::new();
        self.transmit.clear();
        self.drain(now, "the transport was opened");
    }

    /// The transport is gone. What is outstanding is held for the next one.
    pub fn closed(&mut self, why: &str) {
        if !matches!(self.phase, Phase::Closed) {
            self.phase = Phase::Closed;
            self.decoder = Decoder::new();
            self.transmit.clear();
            self.emit(LinkEventKind::Disconnected, why.to_owned());
            self.events.push_back(SessionEvent::State(LinkState::Disconnected));
        }
    }

    /// Queues a command; its reply comes as an event.
    pub fn submit(&mut self, id: CommandId, command: Payload, now: Instant) {
        self.waiting.push_back((id, command));
        self.send_next(now);
    }

    /// Forgets a command whose sender does not wait any more, unless it is on its way already.
    pub fn withdraw(&mut self, id: CommandId) {
        self.waiting.retain(|(waiting, _)| *waiting != id);
    }

    /// Bytes came.
    pub fn received(&mut self, bytes: &[u8], now: Instant) {
        self.last_received = now;
        match &mut self.phase {
            Phase::Closed => return,
            Phase::Draining { quiet_since, .. } => {
                *quiet_since = now;
                return;
            }
            Phase::Syncing { .. } | Phase::Ready => {}
        }
        let mut decoder = std::mem::take(&mut self.decoder);
        for &byte in bytes {
            match decoder.push(byte) {
                Decoded::Pending => {}
                Decoded::Bad(error, raw) => self.bad_line(error, raw),
                Decoded::Line(line) => self.line(&line, now),
            }
            if matches!(self.phase, Phase::Draining { .. }) {
                return;
            }
        }
        self.decoder = decoder;
    }

    /// The instant of [`Session::next_deadline`] has come.
    pub fn tick(&mut self, now: Instant) {
        if self.partial_deadline().is_some_and(|at| at <= now) && self.decoder.drop_partial() {
            self.emit(LinkEventKind::Partial, String::new());
        }
        match self.phase {
            Phase::Closed => {}
            Phase::Draining { since, quiet_since } => {
                if now >= (quiet_since + self.timing.quiet).min(since + DRAIN_CAP) {
                    self.sync(0, now);
                }
            }
            Phase::Syncing { tries, ref mut deadline, .. } => {
                if now >= *deadline && tries >= SYNC_TRIES {
                    // Said again later to a driver that does not close.
                    *deadline = now + SYNC_WAIT;
                    self.emit(LinkEventKind::SyncFailed, format!("{tries} tries"));
                    self.events.push_back(SessionEvent::GiveUp);
                } else if now >= *deadline {
                    self.sync(tries, now);
                }
            }
            Phase::Ready => self.tick_ready(now),
        }
    }

    /// When [`Session::tick`] has something to do, if nothing comes before.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        let phase = match &self.phase {
            Phase::Closed => None,
            Phase::Draining { since, quiet_since } => {
                Some((*quiet_since + self.timing.quiet).min(*since + DRAIN_CAP))
            }
            Phase::Syncing { deadline, .. } => Some(*deadline),
            Phase::Ready => Some(match &self.outstanding {
                Some(outstanding) => outstanding.deadline,
                None => self.last_heard + IDLE,
            }),
        };
        phase.into_iter().chain(self.partial_deadline()).min()
    }

    /// The next bytes for the transport.
    pub fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.transmit.pop_front()
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<SessionEvent> {
        self.events.pop_front()
    }

    /// The board's boot id, once it is known.
    #[must_use]
    pub fn boot(&self) -> Option<BootId> {
        self.boot
    }

    /// The board's position and activity as of its last word.
    #[must_use]
    pub fn status(&self) -> BoardStatus {
        self.status
    }

    /// The smoothed round trip.
    #[must_use]
    pub fn round_trip(&self) -> Option<Duration> {
        self.rtt.smoothed()
    }

    /// Counts something that only the session's user can see, such as a position that differs.
    pub fn emit(&mut self, kind: LinkEventKind, detail: String) {
        self.events.push_back(SessionEvent::Link(kind, detail));
    }

    fn partial_deadline(&self) -> Option<Instant> {
        self.decoder.is_partial().then(|| self.last_received + PARTIAL)
    }

    fn drain(&mut self, now: Instant, why: &str) {
        self.phase = Phase::Draining { since: now, quiet_since: now };
        self.decoder = Decoder::new();
        self.transmit.push_back(b"\n".to_vec());
        self.emit(LinkEventKind::Drained, why.to_owned());
        self.events.push_back(SessionEvent::State(LinkState::Draining));
    }

    fn sync(&mut self, tries: u32, now: Instant) {
        // In order, so that none comes again while a line of it can still be under way.
        self.sid = self.sid.next();
        let nonce = Nonce(self.rng.next_u32());
        // The answer of a board at 9600 baud takes 60 ms, a command in its way as long again.
        let first = self.rtt.base().max(self.timing.first_timeout);
        let deadline = now + (first * 2u32.pow(tries)).min(SYNC_WAIT);
        self.phase = Phase::Syncing { tries: tries + 1, nonce, sent_at: now, deadline };
        let mut payload = PayloadBuffer::new();
        nonce.write(&mut payload).expect("a nonce fits");
        self.send(Kind::Sync, Seq(0), payload.as_str());
        if tries == 0 {
            self.events.push_back(SessionEvent::State(LinkState::Syncing));
        }
    }

    fn tick_ready(&mut self, now: Instant) {
        match &self.outstanding {
            Some(outstanding) if now >= outstanding.deadline && outstanding.ask_again => {
                self.resend(now);
            }
            Some(outstanding) if now >= outstanding.deadline => {
                let (id, payload) = (outstanding.id, outstanding.payload.clone());
                let unanswered = now >= outstanding.sent_at + UNANSWERED;
                self.emit(LinkEventKind::Timeout, payload.0);
                if id == PING {
                    self.emit(LinkEventKind::PingMissed, String::new());
                }
                self.misses += 1;
                self.rtt.timed_out();
                if self.misses >= MISSES {
                    self.drain(now, "three time-outs in a row");
                } else if unanswered {
                    self.drain(now, "no answer for too long");
                } else {
                    self.resend(now);
                }
            }
            None if now >= self.last_heard + IDLE => {
                let ping = Payload::try_from(&Command::Ping).expect("a ping fits");
                self.submit(PING, ping, now);
            }
            _ => {}
        }
    }

    fn send(&mut self, kind: Kind, seq: Seq, payload: &str) {
        let line = Line { direction: Direction::Host, kind, sid: self.sid, seq, payload };
        let mut wire = WireBuffer::new();
        let bytes = line.encode(&mut wire).expect("a payload of ours fits into a line");
        self.transmit.push_back(bytes.to_vec());
    }

    fn send_next(&mut self, now: Instant) {
        if !matches!(self.phase, Phase::Ready) || self.outstanding.is_some() {
            return;
        }
        if let Some((id, payload)) = self.waiting.pop_front() {
            let seq = self.next_seq;
            self.next_seq = seq.next();
            self.send(Kind::Command, seq, &payload.0);
            let deadline = now + self.rtt.timeout().min(UNANSWERED);
            self.outstanding = Some(Outstanding {
                id,
                seq,
                payload,
                sent_at: now,
                deadline,
                sent_once: true,
                refused_at: None,
                unreadable: 0,
                ask_again: false,
                overtaken: false,
            });
        }
    }

    fn resend(&mut self, now: Instant) {
        let wait = self.rtt.timeout();
        if let Some(outstanding) = &mut self.outstanding {
            outstanding.deadline = (now + wait).min(outstanding.sent_at + UNANSWERED);
            outstanding.sent_once = false;
            outstanding.ask_again = false;
            let (seq, payload) = (outstanding.seq, outstanding.payload.clone());
            self.send(Kind::Command, seq, &payload.0);
            self.emit(LinkEventKind::Retransmitted, payload.0);
        }
    }
}
