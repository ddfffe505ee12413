//! What a board answers: acknowledgements, refusals, the reply to a sync; and its banner.

use core::fmt;

use crate::buffer::{Overflow, PayloadBuffer};
use crate::event::{Event, Telemetry};
use crate::field::{PayloadError, Words, small_field};
use crate::frame::{Direction, Kind, Line};
use crate::id::{BootId, Nonce, PositionHash, Seq};
use crate::identify::IdentifyPage;

/// What a board does just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Activity {
    /// `i`: it waits for a command.
    Idle,
    /// `t`: it thinks.
    Thinking,
}

/// Where a board is and what it does: the payload of most acknowledgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardStatus {
    /// The position, after the command.
    pub hash: PositionHash,
    /// What it does now.
    pub activity: Activity,
}

/// The payload of an `<A` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ack<'a> {
    /// To every command but identify.
    Status(BoardStatus),
    /// To identify.
    Identify(IdentifyPage<'a>),
}

/// The payload of an `<N` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Nak {
    /// Why.
    pub reason: NakReason,
    /// The number of the command that the board takes next.
    pub expected: Seq,
    /// With [`NakReason::Move`]: which of the moves, from 0.
    pub detail: Option<u8>,
}

/// Why a board refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NakReason {
    /// A line with a bad checksum came.
    Crc,
    /// Neither the next number nor the last.
    Seq,
    /// It thinks.
    Busy,
    /// It is in another position.
    Hash,
    /// A move is not legal.
    Move,
    /// The FEN is none, or its chunks are out of order.
    Fen,
    /// An argument is not right.
    Arg,
    /// The game is over: there is no legal move.
    Over,
    /// The command is unknown.
    What,
}

/// The payload of an `<S` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncReply {
    /// The host's.
    pub nonce: Nonce,
    /// Another one than before: the board was reset.
    pub boot: BootId,
    /// The last command that was executed; `00` after a reset.
    pub command_seq: Seq,
    /// The last event that was made, acknowledged or not; `00` after a reset.
    pub event_seq: Seq,
    /// The position.
    pub hash: PositionHash,
    /// What the board does.
    pub activity: Activity,
}

/// The payload of a `<B` line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Banner<'a> {
    /// Names the time since the reset.
    pub boot: BootId,
    /// Why there was a reset.
    pub cause: ResetCause,
    /// The version of the protocol.
    pub protocol: u8,
    /// The version of the board's program.
    pub firmware: &'a str,
    /// The kind of board.
    pub kind: &'a str,
}

/// Why a board was reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResetCause {
    /// `por`: power came.
    PowerOn,
    /// `pin`: the reset line.
    Pin,
    /// `soft`: its own program, on a command.
    Software,
    /// `wdg`: the watchdog.
    Watchdog,
    /// `fault`: a fault of the processor.
    Fault,
    /// `panic`: a panic of the program.
    Panic,
    /// `low`: the voltage was low.
    LowPower,
}

/// A line from a board, understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardMessage<'a> {
    /// `<A`
    Ack(Ack<'a>),
    /// `<N`
    Nak(Nak),
    /// `<E`
    Event(Event),
    /// `<T`
    Telemetry(Telemetry),
    /// `<B`
    Banner(Banner<'a>),
    /// `<S`
    Sync(SyncReply),
}

impl Activity {
    const fn letter(self) -> &'static str {
        match self {
            Self::Idle => "i",
            Self::Thinking => "t",
        }
    }

    fn parse(text: &str) -> Result<Self, PayloadError> {
        match text {
            "i" => Ok(Self::Idle),
            "t" => Ok(Self::Thinking),
            _ => Err(PayloadError::Field("state")),
        }
    }
}

impl BoardStatus {
    /// Reads `HASH STATE`.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        let status = Self {
            hash: PositionHash::parse(words.next("position hash")?)?,
            activity: Activity::parse(words.next("state")?)?,
        };
        words.end()?;
        Ok(status)
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// Never: it fits.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        out.clear();
        self.hash.write(out)?;
        out.word(self.activity.letter())
    }
}

impl<'a> Ack<'a> {
    /// Reads a payload; a page of identify begins with `PAGE/PAGES`.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &'a str) -> Result<Self, PayloadError> {
        if payload.as_bytes().get(1) == Some(&b'/') {
            IdentifyPage::parse(payload).map(Self::Identify)
        } else {
            BoardStatus::parse(payload).map(Self::Status)
        }
    }
}

impl NakReason {
    /// Every reason.
    pub const ALL: [Self; 9] = [
        Self::Crc,
        Self::Seq,
        Self::Busy,
        Self::Hash,
        Self::Move,
        Self::Fen,
        Self::Arg,
        Self::Over,
        Self::What,
    ];

    /// Its word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crc => "crc",
            Self::Seq => "seq",
            Self::Busy => "busy",
            Self::Hash => "hash",
            Self::Move => "move",
            Self::Fen => "fen",
            Self::Arg => "arg",
            Self::Over => "over",
            Self::What => "what",
        }
    }

    /// Whether the command was taken and its number is used up.
    #[must_use]
    pub const fn consumes_seq(self) -> bool {
        !matches!(self, Self::Crc | Self::Seq)
    }
}

impl fmt::Display for NakReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Nak {
    /// Whether the refused command was taken and its number is used up.
    #[must_use]
    pub const fn consumes_seq(&self) -> bool {
        self.reason.consumes_seq()
    }

    /// Reads `REASON EXPECTED[ DETAIL]`.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        let name = words.next("reason")?;
        let nak = Self {
            reason: NakReason::ALL
                .into_iter()
                .find(|reason| reason.name() == name)
                .ok_or(PayloadError::Field("reason"))?,
            expected: Seq::parse(words.next("expected seq")?)?,
            detail: words.maybe().map(|text| small_field(text, "detail")).transpose()?,
        };
        words.end()?;
        Ok(nak)
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// Never: it fits.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        out.clear();
        out.word(self.reason.name())?;
        self.expected.write(out)?;
        if let Some(detail) = self.detail {
            out.decimal(u32::from(detail))?;
        }
        Ok(())
    }
}

impl SyncReply {
    /// Reads `NONCE BOOT CSEQ ESEQ HASH STATE`.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        let reply = Self {
            nonce: Nonce::parse(words.next("nonce")?)?,
            boot: BootId::parse(words.next("boot id")?)?,
            command_seq: Seq::parse(words.next("command seq")?)?,
            event_seq: Seq::parse(words.next("event seq")?)?,
            hash: PositionHash::parse(words.next("position hash")?)?,
            activity: Activity::parse(words.next("state")?)?,
        };
        words.end()?;
        Ok(reply)
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// Never: it fits.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        out.clear();
        self.nonce.write(out)?;
        self.boot.write(out)?;
        self.command_seq.write(out)?;
        self.event_seq.write(out)?;
        self.hash.write(out)?;
        out.word(self.activity.letter())
    }
}

impl ResetCause {
    /// Every cause.
    pub const ALL: [Self; 7] = [
        Self::PowerOn,
        Self::Pin,
        Self::Software,
        Self::Watchdog,
        Self::Fault,
        Self::Panic,
        Self::LowPower,
    ];

    /// Its word on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PowerOn => "por",
            Self::Pin => "pin",
            Self::Software => "soft",
            Self::Watchdog => "wdg",
            Self::Fault => "fault",
            Self::Panic => "panic",
            Self::LowPower => "low",
        }
    }
}

impl fmt::Display for ResetCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<'a> Banner<'a> {
    /// Reads `BOOT CAUSE PROTO FIRMWARE KIND`.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &'a str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        let boot = BootId::parse(words.next("boot id")?)?;
        let name = words.next("reset cause")?;
        let banner = Self {
            boot,
            cause: ResetCause::ALL
                .into_iter()
                .find(|cause| cause.name() == name)
                .ok_or(PayloadError::Field("reset cause"))?,
            protocol: small_field(words.next("protocol version")?, "protocol version")?,
            firmware: words.next("firmware version")?,
            kind: words.next("board kind")?,
        };
        words.end()?;
        Ok(banner)
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// When firmware version and board kind together have more than 30 letters.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        out.clear();
        self.boot.write(out)?;
        out.word(self.cause.name())?;
        out.decimal(u32::from(self.protocol))?;
        out.word(self.firmware)?;
        out.word(self.kind)
    }
}

impl<'a> BoardMessage<'a> {
    /// Reads a line from a board.
    ///
    /// # Errors
    /// Which field is wrong; also when the line is not from a board.
    pub fn parse(line: &Line<'a>) -> Result<Self, PayloadError> {
        if line.direction != Direction::Board {
            return Err(PayloadError::NotForUs);
        }
        match line.kind {
            Kind::Ack => Ack::parse(line.payload).map(Self::Ack),
            Kind::Nak => Nak::parse(line.payload).map(Self::Nak),
            Kind::Event => Event::parse(line.payload).map(Self::Event),
            Kind::Telemetry => Telemetry::parse(line.payload).map(Self::Telemetry),
            Kind::Banner => Banner::parse(line.payload).map(Self::Banner),
            Kind::Sync => SyncReply::parse(line.payload).map(Self::Sync),
            Kind::Command | Kind::EventAck => Err(PayloadError::NotForUs),
        }
    }
}
