//! The state of the conversation and what a line does to it.

use super::chunks::{Chunks, Gathered};
use super::events::{Events, QueueFull};
use super::{BadPosition, BadValue, Device, IllegalMove, NoSuchTarget, ThinkRefused};
use crate::board::{Activity, Banner, BoardStatus, Nak, NakReason, SyncReply};
use crate::buffer::{PayloadBuffer, WireBuffer};
use crate::decoder::Decoded;
use crate::event::{Event, Telemetry};
use crate::frame::{Direction, Kind, Line};
use crate::host::{Command, CommandError};
use crate::id::{BootId, Nonce, Seq, Sid};
use crate::identify::PageWriter;

/// A partial line is dropped when nothing has come for so many milliseconds (or twenty
/// character times, on a line so slow that they are more).
pub const PARTIAL_TIMEOUT: u32 = 200;

/// At most one refusal of damaged lines for one expected number in so many milliseconds.
const NAK_INTERVAL: u32 = 200;

/// What a board remembers of the conversation.
#[derive(Debug)]
pub struct Endpoint {
    boot: BootId,
    events: Events,
    reply: Reply,
    chunks: Chunks,
    nak: Option<(Seq, u32)>,
    counters: Counters,
    sid: Sid,
    command_seq: Seq,
    telemetry_seq: Seq,
}

/// What has happened since the reset; each stays at its highest value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Commands executed or refused by execution.
    pub executed: u16,
    /// Commands that came again.
    pub repeated: u16,
    /// Damaged lines.
    pub damaged: u16,
    /// Lines of a board: echoes.
    pub echoed: u16,
    /// Lines of another session.
    pub foreign: u16,
    /// Lines with a right checksum that made no sense.
    pub senseless: u16,
    /// Refusals for a wrong number or a bad checksum.
    pub refused: u16,
    /// Events that were sent again.
    pub events_repeated: u16,
}

/// The answer to the last command, small enough to be kept.
#[derive(Debug, Clone, Copy)]
enum Reply {
    None,
    Status(BoardStatus),
    Refused(NakReason, Option<u8>),
    Identify(u8),
}

fn count(counter: &mut u16) {
    *counter = counter.saturating_add(1);
}

/// Takes one outcome of the decoder: executes, answers, or drops and counts it.
///
/// `out` gets whole lines, one a call.
pub fn handle<D: Device>(
    endpoint: &mut Endpoint,
    device: &mut D,
    decoded: Decoded<'_>,
    now: u32,
    out: &mut impl FnMut(&[u8]),
) {
    match decoded {
        Decoded::Pending => {}
        Decoded::Bad(error, _) if error.is_damage() => {
            count(&mut endpoint.counters.damaged);
            endpoint.refuse_damage(now, out);
        }
        Decoded::Bad(..) => count(&mut endpoint.counters.senseless),
        Decoded::Line(line) => match (line.direction, line.kind) {
            (Direction::Board, _) => count(&mut endpoint.counters.echoed),
            (_, Kind::Sync) => endpoint.sync(device, &line, now, out),
            _ if endpoint.sid == Sid::NONE || line.sid != endpoint.sid => {
                count(&mut endpoint.counters.foreign);
            }
            (_, Kind::Command) => endpoint.command(device, &line, out),
            (_, Kind::EventAck) => {
                if endpoint.events.acknowledge(line.seq) {
                    endpoint.tick(now, out);
                }
            }
            _ => count(&mut endpoint.counters.senseless),
        },
    }
}

impl Endpoint {
    /// The state after a reset.
    #[must_use]
    pub const fn new(boot: BootId) -> Self {
        Self {
            boot,
            events: Events::new(),
            reply: Reply::None,
            chunks: Chunks::new(),
            nak: None,
            counters: Counters {
                executed: 0,
                repeated: 0,
                damaged: 0,
                echoed: 0,
                foreign: 0,
                senseless: 0,
                refused: 0,
                events_repeated: 0,
            },
            sid: Sid::NONE,
            command_seq: Seq(0),
            telemetry_seq: Seq(0),
        }
    }

    /// Names the time since the reset.
    #[must_use]
    pub const fn boot(&self) -> BootId {
        self.boot
    }

    /// The session, [`Sid::NONE`] before the first sync.
    #[must_use]
    pub const fn sid(&self) -> Sid {
        self.sid
    }

    /// What has happened since the reset.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }

    /// Sends the banner; once, after a reset.
    pub fn banner(&self, banner: &Banner<'_>, out: &mut impl FnMut(&[u8])) {
        let mut payload = PayloadBuffer::new();
        if banner.write(&mut payload).is_ok() {
            send(Kind::Banner, Sid::NONE, Seq(0), payload.as_str(), out);
        }
    }

    /// Makes an event. It is sent now, or when the one before it is acknowledged, or with the
    /// first session, and again until the host acknowledges it.
    ///
    /// # Errors
    /// [`QueueFull`] when two wait already. A think is not begun then, so that the event of a
    /// think always has room.
    pub fn event(
        &mut self,
        event: Event,
        now: u32,
        out: &mut impl FnMut(&[u8]),
    ) -> Result<(), QueueFull> {
        self.events.push(event)?;
        self.tick(now, out);
        Ok(())
    }

    /// Sends telemetry, if there is a session to send it to. Its number is used up in any case:
    /// a caller that cannot send it shows the gap.
    pub fn telemetry(&mut self, telemetry: &Telemetry, out: &mut impl FnMut(&[u8])) {
        if self.sid == Sid::NONE {
            return;
        }
        self.telemetry_seq = self.telemetry_seq.next();
        let mut payload = PayloadBuffer::new();
        if telemetry.write(&mut payload).is_ok() {
            let seq = self.telemetry_seq;
            send(Kind::Telemetry, self.sid, seq, payload.as_str(), out);
        }
    }

    /// Sends the event that waits, if it is time. To be called often.
    pub fn tick(&mut self, now: u32, out: &mut impl FnMut(&[u8])) {
        if self.sid == Sid::NONE {
            return;
        }
        let Some((event, seq, repeat)) = self.events.due(now) else {
            return;
        };
        if repeat {
            count(&mut self.counters.events_repeated);
        }
        let mut payload = PayloadBuffer::new();
        if event.write(&mut payload).is_ok() {
            send(Kind::Event, self.sid, seq, payload.as_str(), out);
        }
    }

    /// How many milliseconds [`Endpoint::tick`] may wait; `None`: nothing is to be sent.
    #[must_use]
    pub fn wait(&self, now: u32) -> Option<u32> {
        if self.sid == Sid::NONE {
            return None;
        }
        self.events.wait(now)
    }

    /// A session begins; nothing else changes.
    fn sync<D: Device>(
        &mut self,
        device: &D,
        line: &Line<'_>,
        now: u32,
        out: &mut impl FnMut(&[u8]),
    ) {
        let Ok(nonce) = Nonce::parse(line.payload) else {
            return count(&mut self.counters.senseless);
        };
        if line.sid == Sid::NONE {
            return count(&mut self.counters.senseless);
        }
        self.sid = line.sid;
        let reply = SyncReply {
            nonce,
            boot: self.boot,
            command_seq: self.command_seq,
            event_seq: self.events.last_seq(),
            hash: device.position_hash(),
            activity: device.activity(),
        };
        let mut payload = PayloadBuffer::new();
        if reply.write(&mut payload).is_ok() {
            send(Kind::Sync, self.sid, line.seq, payload.as_str(), out);
        }
        self.events.restart();
        self.tick(now, out);
    }

    fn command<D: Device>(&mut self, device: &mut D, line: &Line<'_>, out: &mut impl FnMut(&[u8])) {
        let again = line.seq == self.command_seq && !matches!(self.reply, Reply::None);
        if again {
            count(&mut self.counters.repeated);
        } else if line.seq == self.command_seq.next() {
            self.reply = self.execute(device, line.payload);
            self.command_seq = line.seq;
            count(&mut self.counters.executed);
        } else {
            count(&mut self.counters.refused);
            let reason = NakReason::Seq;
            return self.refuse(line.seq, reason, None, out);
        }
        self.answer(device, out);
    }

    /// Sends the answer to the last command.
    fn answer<D: Device>(&self, device: &D, out: &mut impl FnMut(&[u8])) {
        let seq = self.command_seq;
        let mut payload = PayloadBuffer::new();
        let written = match self.reply {
            Reply::None => return,
            Reply::Refused(reason, detail) => return self.refuse(seq, reason, detail, out),
            Reply::Status(status) => status.write(&mut payload),
            Reply::Identify(page) => {
                PageWriter::write(page, &mut payload, |pages| device.identify(pages))
            }
        };
        if written.is_ok() {
            send(Kind::Ack, self.sid, seq, payload.as_str(), out);
        } else {
            self.refuse(seq, NakReason::Arg, None, out);
        }
    }

    fn refuse(&self, seq: Seq, reason: NakReason, detail: Option<u8>, out: &mut impl FnMut(&[u8])) {
        let nak = Nak { reason, expected: self.command_seq.next(), detail };
        let mut payload = PayloadBuffer::new();
        if nak.write(&mut payload).is_ok() {
            send(Kind::Nak, self.sid, seq, payload.as_str(), out);
        }
    }

    fn refuse_damage(&mut self, now: u32, out: &mut impl FnMut(&[u8])) {
        if self.sid == Sid::NONE {
            return;
        }
        let expected = self.command_seq.next();
        let recent = self
            .nak
            .is_some_and(|(seq, at)| seq == expected && now.wrapping_sub(at) < NAK_INTERVAL);
        if recent {
            return;
        }
        self.nak = Some((expected, now));
        count(&mut self.counters.refused);
        self.refuse(expected, NakReason::Crc, None, out);
    }

    fn execute<D: Device>(&mut self, device: &mut D, payload: &str) -> Reply {
        let command = Command::parse(payload);
        if !matches!(command, Ok(Command::Position { .. })) {
            self.chunks.abandon();
        }
        let refusal = match command {
            Err(CommandError::Unknown) => Err(NakReason::What.into()),
            Err(_) => Err(NakReason::Arg.into()),
            Ok(Command::Identify { page }) => return Reply::Identify(page),
            Ok(Command::Ping) => Ok(()),
            Ok(Command::Stop) => {
                device.stop();
                Ok(())
            }
            Ok(Command::Reboot(target)) => device.reboot(target).map_err(Refusal::from),
            Ok(_) if device.activity() == Activity::Thinking => {
                self.chunks.abandon();
                Err(NakReason::Busy.into())
            }
            Ok(Command::Position { index, count, text }) => {
                match self.chunks.add(index, count, text) {
                    Gathered::More => Ok(()),
                    Gathered::Whole(fen) => device.set_position(fen).map_err(Refusal::from),
                    Gathered::Abandoned => Err(NakReason::Fen.into()),
                }
            }
            Ok(Command::Moves { before, moves }) => {
                if before == device.position_hash() {
                    device.play(&moves).map_err(Refusal::from)
                } else {
                    Err(NakReason::Hash.into())
                }
            }
            // The event of this think must have room when it comes.
            Ok(Command::Think { .. }) if !self.events.has_room() => Err(NakReason::Busy.into()),
            Ok(Command::Think { tag, nodes }) => device.think(tag, nodes).map_err(Refusal::from),
            Ok(Command::Param { key, value }) => {
                device.set_param(key, value).map_err(Refusal::from)
            }
        };
        match refusal {
            Ok(()) => Reply::Status(BoardStatus {
                hash: device.position_hash(),
                activity: device.activity(),
            }),
            Err(Refusal(reason, detail)) => Reply::Refused(reason, detail),
        }
    }
}

struct Refusal(NakReason, Option<u8>);

impl From<NakReason> for Refusal {
    fn from(reason: NakReason) -> Self {
        Self(reason, None)
    }
}

impl From<BadPosition> for Refusal {
    fn from(_: BadPosition) -> Self {
        NakReason::Fen.into()
    }
}

impl From<IllegalMove> for Refusal {
    fn from(IllegalMove(index): IllegalMove) -> Self {
        Self(NakReason::Move, Some(index))
    }
}

impl From<BadValue> for Refusal {
    fn from(_: BadValue) -> Self {
        NakReason::Arg.into()
    }
}

impl From<NoSuchTarget> for Refusal {
    fn from(_: NoSuchTarget) -> Self {
        NakReason::Arg.into()
    }
}

impl From<ThinkRefused> for Refusal {
    fn from(refused: ThinkRefused) -> Self {
        match refused {
            ThinkRefused::Over => NakReason::Over.into(),
            ThinkRefused::Budget => NakReason::Arg.into(),
        }
    }
}

fn send(kind: Kind, sid: Sid, seq: Seq, payload: &str, out: &mut impl FnMut(&[u8])) {
    let line = Line { direction: Direction::Board, kind, sid, seq, payload };
    let mut wire = WireBuffer::new();
    if let Ok(bytes) = line.encode(&mut wire) {
        out(bytes);
    }
}
