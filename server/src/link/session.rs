//! The host's side of protocol v2 as a state machine without I/O and without a clock: bytes, commands and instants go in; bytes,
//! replies and link events come out. Section 8 of the protocol's README is its specification.

use super::{rtt::RoundTrip, transport::Timing};
use crate::{api::LinkState, model::LinkEventKind};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use rookery_protocol::{
    Ack, Activity, BoardMessage, BoardStatus, BootId, Command, CommandError, Decoded, Decoder,
    Direction, Event, Kind, Line, LineError, Nak, NakReason, Nonce, PayloadBuffer, PositionHash,
    Seq, Sid, SyncReply, Telemetry, WireBuffer,
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
/// Syncs before the transport is given up.
const SYNC_TRIES: u32 = 5;

/// Names a command between its submission and its reply.
pub type CommandId = u64;
/// The session's own pings.
const PING: CommandId = 0;

/// A command as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(String);

impl TryFrom<&Command<'_>> for Payload {
    type Error = CommandError;

    fn try_from(command: &Command<'_>) -> Result<Payload, CommandError> {
        let mut buffer = PayloadBuffer::new();
        command.write(&mut buffer)?;
        Ok(Payload(buffer.as_str().to_owned()))
    }
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Executed.
    Done(BoardStatus),
    /// Executed: the payload of an identify page.
    Page(String),
    /// Refused by execution.
    Refused(Nak),
    /// The board was reset before it answered: whether it was executed is unknown and does not matter any more.
    Unknown,
    /// The board answered with something that this protocol does not have.
    Garbled(String),
}

/// What a session has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// Something happened on the link.
    Link(LinkEventKind, String),
    /// The link's state is another.
    State(LinkState),
    /// A session stands; after a new boot id the board knows nothing any more.
    Ready {
        /// The board was reset since the last session (or is met for the first time).
        new_boot: bool,
    },
    /// A command was answered.
    Reply(CommandId, Outcome),
    /// A guaranteed event, once.
    Event(Event),
    /// Telemetry.
    Telemetry(Telemetry),
    /// Nobody answers: close the transport, back off and open it again.
    GiveUp,
}

#[derive(Debug)]
enum Phase {
    Closed,
    Draining { since: Instant, quiet_since: Instant },
    Syncing { tries: u32, nonce: Nonce, deadline: Instant },
    Ready,
}

#[derive(Debug)]
struct Outstanding {
    id: CommandId,
    seq: Seq,
    payload: Payload,
    sent_at: Instant,
    deadline: Instant,
    sent_once: bool,
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
    misses: u32,
    transmit: VecDeque<Vec<u8>>,
    events: VecDeque<SessionEvent>,
}

impl Session {
    /// A session without a transport. `seed` decides session ids and nonces.
    #[must_use]
    pub fn new(timing: Timing, seed: u64, now: Instant) -> Session {
        Session {
            timing,
            rtt: RoundTrip::new(timing),
            rng: StdRng::seed_from_u64(seed),
            decoder: Decoder::new(),
            phase: Phase::Closed,
            sid: Sid::NONE,
            boot: None,
            status: BoardStatus { hash: PositionHash(0), activity: Activity::Idle },
            next_seq: Seq(1),
            outstanding: None,
            waiting: VecDeque::new(),
            last_event: None,
            last_telemetry: None,
            last_received: now,
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
            Phase::Syncing { tries, deadline, .. } => {
                if now >= deadline && tries >= SYNC_TRIES {
                    self.emit(LinkEventKind::SyncFailed, format!("{tries} tries"));
                    self.events.push_back(SessionEvent::GiveUp);
                } else if now >= deadline {
                    self.rtt.timed_out();
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
                None => self.last_received + IDLE,
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
        let old = self.sid;
        while self.sid == old || self.sid == Sid::NONE {
            self.sid = Sid(self.rng.random());
        }
        let nonce = Nonce(self.rng.next_u32());
        // The answer of a board at 9600 baud takes 60 ms, a command in its way as long again.
        let wait = self.rtt.timeout().max(self.timing.first_timeout);
        self.phase = Phase::Syncing { tries: tries + 1, nonce, deadline: now + wait };
        let mut payload = PayloadBuffer::new();
        nonce.write(&mut payload).expect("a nonce fits");
        self.send(Kind::Sync, Seq(0), payload.as_str());
        if tries == 0 {
            self.events.push_back(SessionEvent::State(LinkState::Syncing));
        }
    }

    fn tick_ready(&mut self, now: Instant) {
        match &self.outstanding {
            Some(outstanding) if now >= outstanding.deadline => {
                let (id, payload) = (outstanding.id, outstanding.payload.clone());
                self.emit(LinkEventKind::Timeout, payload.0);
                if id == PING {
                    self.emit(LinkEventKind::PingMissed, String::new());
                }
                self.misses += 1;
                self.rtt.timed_out();
                if self.misses >= MISSES {
                    self.drain(now, "three time-outs in a row");
                } else {
                    self.resend(now);
                }
            }
            None if now >= self.last_received + IDLE => {
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
            let deadline = now + self.rtt.timeout();
            let sent = Outstanding { id, seq, payload, sent_at: now, deadline, sent_once: true };
            self.outstanding = Some(sent);
        }
    }

    fn resend(&mut self, now: Instant) {
        let deadline = now + self.rtt.timeout();
        if let Some(outstanding) = &mut self.outstanding {
            outstanding.deadline = deadline;
            outstanding.sent_once = false;
            let (seq, payload) = (outstanding.seq, outstanding.payload.clone());
            self.send(Kind::Command, seq, &payload.0);
            self.emit(LinkEventKind::Retransmitted, payload.0);
        }
    }

    fn bad_line(&mut self, error: LineError, raw: &[u8]) {
        let kind = match error {
            LineError::BadCrc => LinkEventKind::BadCrc,
            LineError::TooLong => LinkEventKind::TooLong,
            LineError::Malformed(_) => LinkEventKind::Malformed,
        };
        self.emit(kind, raw.escape_ascii().to_string());
    }

    fn line(&mut self, line: &Line<'_>, now: Instant) {
        if line.direction == Direction::Host {
            return self.emit(LinkEventKind::Echo, line.payload.to_owned());
        }
        let message = match BoardMessage::parse(line) {
            Ok(message) => message,
            Err(error) => return self.unreadable(line, &error.to_string(), now),
        };
        match (message, &self.phase) {
            (BoardMessage::Sync(reply), Phase::Syncing { nonce, .. })
                if line.sid == self.sid && reply.nonce == *nonce =>
            {
                self.synced(&reply, now);
            }
            (BoardMessage::Banner(banner), Phase::Ready) if Some(banner.boot) != self.boot => {
                self.drain(now, &format!("banner: {} {}", banner.boot, line.payload));
            }
            (BoardMessage::Sync(_) | BoardMessage::Banner(_), _) => {
                self.emit(LinkEventKind::StaleReply, line.payload.to_owned());
            }
            _ if line.sid != self.sid => {
                self.emit(LinkEventKind::WrongSession, line.payload.to_owned());
            }
            (_, Phase::Ready) => {
                self.misses = 0;
                self.message(message, line, now);
            }
            _ => self.emit(LinkEventKind::StaleReply, line.payload.to_owned()),
        }
    }

    /// A right checksum around a payload that this version does not have: a board of another version, or one in a million of damaged lines.
    fn unreadable(&mut self, line: &Line<'_>, error: &str, now: Instant) {
        let text = format!("{}: {error}", line.payload);
        self.emit(LinkEventKind::Malformed, text.clone());
        let ours = matches!(self.phase, Phase::Ready) && line.sid == self.sid;
        if ours && line.kind == Kind::Ack {
            self.answered(line.seq, Outcome::Garbled(text), now);
        }
    }

    fn synced(&mut self, reply: &SyncReply, now: Instant) {
        let new_boot = self.boot != Some(reply.boot);
        self.emit(LinkEventKind::Synced, format!("boot {}", reply.boot));
        if new_boot && self.boot.is_some() {
            self.emit(LinkEventKind::Rebooted, format!("boot {}", reply.boot));
        }
        self.boot = Some(reply.boot);
        self.status = BoardStatus { hash: reply.hash, activity: reply.activity };
        self.phase = Phase::Ready;
        self.misses = 0;
        self.rtt.renewed();
        if new_boot {
            self.last_event = None;
            self.last_telemetry = None;
        }
        self.events.push_back(SessionEvent::State(LinkState::Ready));
        self.events.push_back(SessionEvent::Ready { new_boot });
        let resumable = |seq: Seq| seq == reply.command_seq || seq == reply.command_seq.next();
        match &self.outstanding {
            Some(outstanding) if !new_boot && resumable(outstanding.seq) => self.resend(now),
            Some(outstanding) => {
                let id = outstanding.id;
                self.outstanding = None;
                self.next_seq = reply.command_seq.next();
                self.reply(id, Outcome::Unknown);
            }
            None => self.next_seq = reply.command_seq.next(),
        }
        self.send_next(now);
    }

    fn message(&mut self, message: BoardMessage<'_>, line: &Line<'_>, now: Instant) {
        match message {
            BoardMessage::Ack(ack) => {
                let outcome = match ack {
                    Ack::Status(status) => Outcome::Done(status),
                    Ack::Identify(_) => Outcome::Page(line.payload.to_owned()),
                };
                self.answered(line.seq, outcome, now);
            }
            BoardMessage::Nak(nak) if nak.reason.consumes_seq() => {
                self.answered(line.seq, Outcome::Refused(nak), now);
            }
            BoardMessage::Nak(nak) => self.refused_line(nak, line, now),
            BoardMessage::Event(event) => {
                self.send(Kind::EventAck, line.seq, "");
                if self.last_event == Some(line.seq) {
                    return self.emit(LinkEventKind::DuplicateEvent, line.payload.to_owned());
                }
                self.last_event = Some(line.seq);
                let Event::BestMove(best) = event;
                self.status = BoardStatus { hash: best.hash, activity: Activity::Idle };
                self.events.push_back(SessionEvent::Event(event));
            }
            BoardMessage::Telemetry(telemetry) => {
                let expected = self.last_telemetry.map(Seq::next);
                if expected.is_some_and(|seq| seq != line.seq) {
                    self.emit(LinkEventKind::TelemetryGap, line.payload.to_owned());
                }
                self.last_telemetry = Some(line.seq);
                self.events.push_back(SessionEvent::Telemetry(telemetry));
            }
            BoardMessage::Banner(_) | BoardMessage::Sync(_) => {}
        }
    }

    /// The board did not take a line: it came damaged, or its number is not the one that the board expects.
    fn refused_line(&mut self, nak: Nak, line: &Line<'_>, now: Instant) {
        let kind = match nak.reason {
            NakReason::Crc => LinkEventKind::NakCrc,
            _ => LinkEventKind::NakSeq,
        };
        self.emit(kind, line.payload.to_owned());
        let expected = self.outstanding.as_ref().map(|o| o.seq == nak.expected);
        match (nak.reason, expected) {
            // Sent again at once instead of after the time-out.
            (_, Some(true)) => self.resend(now),
            // The board has executed it already: the damaged line was another.
            (NakReason::Crc, _) | (_, None) => {}
            (_, Some(false)) => self.drain(now, "the board expects another number"),
        }
    }

    fn answered(&mut self, seq: Seq, outcome: Outcome, now: Instant) {
        let Some(outstanding) = self.outstanding.take_if(|o| o.seq == seq) else {
            return self.emit(LinkEventKind::StaleReply, format!("{outcome:?}"));
        };
        if outstanding.sent_once {
            self.rtt.measured(now.duration_since(outstanding.sent_at));
        }
        if let Outcome::Done(status) = outcome {
            self.status = status;
        }
        self.reply(outstanding.id, outcome);
        self.send_next(now);
    }

    fn reply(&mut self, id: CommandId, outcome: Outcome) {
        if id != PING {
            self.events.push_back(SessionEvent::Reply(id, outcome));
        }
    }
}
