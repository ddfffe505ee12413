//! One line: `<dir><type><sid><seq>[ payload]*<crc>`.
//!
//! Knows the fields and the checksum; what a payload says is the business of [`crate::host`],
//! [`crate::board`] and [`crate::event`].

use core::fmt;

use ascii::AsciiStr;

use crate::buffer::{WireBuffer, hex_value};
use crate::crc::crc16;
use crate::id::{Seq, Sid};

/// The longest line, with the LF at its end.
pub const MAX_LINE: usize = 64;

/// The longest payload.
pub const MAX_PAYLOAD: usize = 51;

/// `*` and the four digits behind it.
const CHECKSUM: usize = 5;

/// Direction, type, sid and seq.
const HEAD: usize = 6;

/// Who has written a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `>`: the host.
    Host,
    /// `<`: the board.
    Board,
}

/// The type of a line. Only a sync goes both ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `>C`: a command.
    Command,
    /// `<A`: a command was executed.
    Ack,
    /// `<N`: a command was refused.
    Nak,
    /// `<E`: an event, repeated until acknowledged.
    Event,
    /// `>K`: an event has arrived.
    EventAck,
    /// `<T`: telemetry, never repeated.
    Telemetry,
    /// `<B`: the board was reset.
    Banner,
    /// `>S`, `<S`: a session begins.
    Sync,
}

impl Kind {
    const fn letter(self, direction: Direction) -> Option<u8> {
        match (direction, self) {
            (Direction::Host, Self::Command) => Some(b'C'),
            (Direction::Host, Self::EventAck) => Some(b'K'),
            (Direction::Board, Self::Ack) => Some(b'A'),
            (Direction::Board, Self::Nak) => Some(b'N'),
            (Direction::Board, Self::Event) => Some(b'E'),
            (Direction::Board, Self::Telemetry) => Some(b'T'),
            (Direction::Board, Self::Banner) => Some(b'B'),
            (_, Self::Sync) => Some(b'S'),
            _ => None,
        }
    }

    const fn of_letter(direction: Direction, letter: u8) -> Option<Self> {
        match (direction, letter) {
            (Direction::Host, b'C') => Some(Self::Command),
            (Direction::Host, b'K') => Some(Self::EventAck),
            (Direction::Board, b'A') => Some(Self::Ack),
            (Direction::Board, b'N') => Some(Self::Nak),
            (Direction::Board, b'E') => Some(Self::Event),
            (Direction::Board, b'T') => Some(Self::Telemetry),
            (Direction::Board, b'B') => Some(Self::Banner),
            (_, b'S') => Some(Self::Sync),
            _ => None,
        }
    }
}

/// A line whose checksum was right, or one that is to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Who has written it.
    pub direction: Direction,
    /// Its type.
    pub kind: Kind,
    /// Its session.
    pub sid: Sid,
    /// Its number.
    pub seq: Seq,
    /// The rest, empty when there is none.
    pub payload: &'a str,
}

/// Why a line cannot be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodeError {
    /// The payload has more than [`MAX_PAYLOAD`] bytes.
    TooLong,
    /// The payload holds `*` or something that is not printable ASCII.
    Character,
    /// This direction has no line of this type.
    Kind,
}

/// Why the bytes up to an LF are not a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineError {
    /// The checksum is another: no field is to be trusted.
    BadCrc,
    /// More than [`MAX_LINE`] bytes: skipped to the LF.
    TooLong,
    /// Not the shape of a line.
    Malformed(MalformedLine),
}

/// What is wrong with the shape of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MalformedLine {
    /// Too few bytes for the fields that every line has.
    TooShort,
    /// No `*` with four hex digits behind it at the end.
    NoChecksum,
    /// The checksum is right, but the direction is neither `>` nor `<`.
    Direction,
    /// The checksum is right, but the type is unknown in this direction.
    Kind,
    /// The checksum is right, but sid or seq are not two hex digits.
    Number,
    /// The checksum is right, but the payload is not what a payload may be.
    Payload,
}

impl LineError {
    /// Whether the line may be a damaged one, so that its sender should hear of it.
    ///
    /// The others have a right checksum: they are of another version, and repeating them does
    /// not help.
    #[must_use]
    pub const fn is_damage(self) -> bool {
        matches!(
            self,
            Self::BadCrc
                | Self::TooLong
                | Self::Malformed(MalformedLine::TooShort | MalformedLine::NoChecksum)
        )
    }
}

impl<'a> Line<'a> {
    /// Writes the line with the LF before it and the LF after it.
    ///
    /// # Errors
    /// [`EncodeError`] when the payload does not fit into a line or the direction has no such
    /// type. Nothing is to be sent then.
    pub fn encode<'b>(&self, out: &'b mut WireBuffer) -> Result<&'b [u8], EncodeError> {
        if self.payload.len() > MAX_PAYLOAD {
            return Err(EncodeError::TooLong);
        }
        if !self.payload.bytes().all(is_payload_byte) {
            return Err(EncodeError::Character);
        }
        let letter = self.kind.letter(self.direction).ok_or(EncodeError::Kind)?;
        let direction = match self.direction {
            Direction::Host => b'>',
            Direction::Board => b'<',
        };
        let mut write = || {
            out.clear();
            out.push(&[b'\n', direction, letter])?;
            out.push_hex(u16::from(self.sid.0), 2)?;
            out.push_hex(u16::from(self.seq.0), 2)?;
            if !self.payload.is_empty() {
                out.push(b" ")?;
                out.push(self.payload.as_bytes())?;
            }
            let crc = crc16(&out.as_bytes()[1..]);
            out.push(b"*")?;
            out.push_hex(crc, 4)?;
            out.push(b"\n")
        };
        write().map_err(|_| EncodeError::TooLong)?;
        Ok(out.as_bytes())
    }

    /// Reads a line, given without its LF; a CR at its end is ignored.
    ///
    /// # Errors
    /// [`LineError`], which tells damage from a line of another version.
    pub fn parse(line: &'a [u8]) -> Result<Self, LineError> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.len() >= MAX_LINE {
            return Err(LineError::TooLong);
        }
        if line.len() < HEAD + CHECKSUM {
            return Err(LineError::Malformed(MalformedLine::TooShort));
        }
        let (text, checksum) = line.split_at(line.len() - CHECKSUM);
        let claimed =
            parse_checksum(checksum).ok_or(LineError::Malformed(MalformedLine::NoChecksum))?;
        if crc16(text) != claimed {
            return Err(LineError::BadCrc);
        }
        Self::parse_fields(text).map_err(LineError::Malformed)
    }

    fn parse_fields(text: &'a [u8]) -> Result<Self, MalformedLine> {
        let (head, rest) = text.split_first_chunk::<HEAD>().ok_or(MalformedLine::TooShort)?;
        let direction = match head[0] {
            b'>' => Direction::Host,
            b'<' => Direction::Board,
            _ => return Err(MalformedLine::Direction),
        };
        let kind = Kind::of_letter(direction, head[1]).ok_or(MalformedLine::Kind)?;
        let [sid, seq] = hex_value(&head[2..])
            .map(|numbers| (numbers as u16).to_be_bytes())
            .ok_or(MalformedLine::Number)?;
        let payload = match rest {
            [] => rest,
            [b' ', payload @ ..] if !payload.is_empty() => payload,
            _ => return Err(MalformedLine::Payload),
        };
        if !payload.iter().copied().all(is_payload_byte) {
            return Err(MalformedLine::Payload);
        }
        Ok(Self {
            direction,
            kind,
            sid: Sid(sid),
            seq: Seq(seq),
            // Bytes that may be anything in UTF-8 would need more flash to check.
            payload: AsciiStr::from_ascii(payload).map_err(|_| MalformedLine::Payload)?.as_str(),
        })
    }
}

fn parse_checksum(checksum: &[u8]) -> Option<u16> {
    hex_value(checksum.strip_prefix(b"*")?).map(|value| value as u16)
}

/// Printable, 7-bit, and not the mark of the checksum.
const fn is_payload_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') && byte != b'*'
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => write!(f, "the payload has more than {MAX_PAYLOAD} bytes"),
            Self::Character => {
                f.write_str("the payload holds `*` or something that is not printable ASCII")
            }
            Self::Kind => f.write_str("this direction has no line of this type"),
        }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadCrc => f.write_str("the checksum is wrong"),
            Self::TooLong => write!(f, "more than {MAX_LINE} bytes"),
            Self::Malformed(what) => what.fmt(f),
        }
    }
}

impl fmt::Display for MalformedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooShort => "too short for a line",
            Self::NoChecksum => "no checksum at the end",
            Self::Direction => "a direction that is neither `>` nor `<`",
            Self::Kind => "a type that this direction does not have",
            Self::Number => "a sid or seq that is not two hex digits",
            Self::Payload => "a payload with bytes that no payload has",
        })
    }
}

impl core::error::Error for EncodeError {}
impl core::error::Error for LineError {}
