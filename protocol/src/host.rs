//! What a host says: commands, the acknowledgement of an event, a sync.

use core::fmt;

use crate::buffer::{Overflow, PayloadBuffer, hex_digit, hex_value};
use crate::field::{PayloadError, Words, decimal_field, hex_field, signed_field};
use crate::frame::{Direction, Kind, Line, MAX_PAYLOAD};
use crate::id::{Nonce, PositionHash, Tag};
use crate::move_text::MoveText;

/// The most chunks a text may come in.
pub const MAX_CHUNKS: u8 = 8;

/// The longest FEN that a board takes: 71 bytes of placement and the longest of the other fields.
pub const MAX_FEN: usize = 96;

/// The moves of one command.
pub type MoveList = heapless::Vec<MoveText, 8, u8>;

/// What a host tells a board to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// `i`: send a page of what you are.
    Identify {
        /// Which page, from 0.
        page: u8,
    },
    /// `p`: a chunk of a FEN, which takes effect with the last one.
    Position {
        /// Which chunk, from 0.
        index: u8,
        /// How many there are.
        count: u8,
        /// Its text, to the letter.
        text: &'a str,
    },
    /// `m`: play these moves, all or none.
    Moves {
        /// The position that they start from.
        before: PositionHash,
        /// One to eight moves; a line holds six promotions or eight others.
        moves: MoveList,
    },
    /// `t`: think and play the move found.
    Think {
        /// Comes back in everything that the think sends.
        tag: Tag,
        /// The budget.
        nodes: u32,
    },
    /// `x`: end the think.
    Stop,
    /// `s`: set a parameter.
    Param {
        /// Which one.
        key: ParamKey,
        /// To what.
        value: i32,
    },
    /// `.`: are you there?
    Ping,
    /// `r`: reset.
    Reboot(RebootTarget),
}

/// A parameter of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParamKey {
    /// `castle-short`: bonus for castling to the king's side.
    CastleShort,
    /// `castle-long`: bonus for castling to the queen's side.
    CastleLong,
    /// `pawn`: coefficient of the pawn structure.
    Pawn,
    /// `depth`: ceiling of the iterations.
    Depth,
}

/// What runs after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RebootTarget {
    /// The board's program.
    App,
    /// The loader in ROM.
    Loader,
}

/// Why a command could not be read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandError {
    /// No such command.
    Unknown,
    /// The command is known, its arguments are not right.
    Arguments(PayloadError),
    /// The text does not fit into a line.
    Overflow,
    /// A chunk's number or count is out of range.
    Chunk,
    /// A move command without a move.
    NoMoves,
}

/// A line from a host, understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostMessage<'a> {
    /// `>C`
    Command(Command<'a>),
    /// `>K`
    EventAck,
    /// `>S`
    Sync(Nonce),
}

impl ParamKey {
    /// Every key, in the order in which boards list them.
    pub const ALL: [Self; 4] = [Self::CastleShort, Self::CastleLong, Self::Pawn, Self::Depth];

    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::CastleShort => "castle-short",
            Self::CastleLong => "castle-long",
            Self::Pawn => "pawn",
            Self::Depth => "depth",
        }
    }

    fn parse(text: &str) -> Result<Self, PayloadError> {
        Self::ALL.into_iter().find(|key| key.name() == text).ok_or(PayloadError::Field("parameter"))
    }
}

impl RebootTarget {
    const fn name(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::Loader => "boot",
        }
    }

    fn parse(text: &str) -> Result<Self, PayloadError> {
        [Self::App, Self::Loader]
            .into_iter()
            .find(|target| target.name() == text)
            .ok_or(PayloadError::Field("target"))
    }
}

impl<'a> Command<'a> {
    /// Reads the payload of a `>C` line.
    ///
    /// # Errors
    /// [`CommandError::Unknown`] for an unknown command, else what is wrong with its arguments.
    pub fn parse(payload: &'a str) -> Result<Self, CommandError> {
        let mut words = Words::new(payload);
        let name = words.next("command").map_err(|_| CommandError::Unknown)?;
        let command = match name {
            "i" => Self::Identify { page: digit(words.next("page")?, "page")? },
            "p" => return parse_position(words),
            "m" => return parse_moves(words),
            "t" => Self::Think {
                tag: Tag::parse(words.next("tag")?)?,
                nodes: decimal_field(words.next("node budget")?, "node budget")?,
            },
            "x" => Self::Stop,
            "s" => Self::Param {
                key: ParamKey::parse(words.next("parameter")?)?,
                value: signed_field(words.next("value")?, "value")?,
            },
            "." => Self::Ping,
            "r" => Self::Reboot(RebootTarget::parse(words.next("target")?)?),
            _ => return Err(CommandError::Unknown),
        };
        words.end()?;
        Ok(command)
    }

    /// Writes the payload of a `>C` line over what `out` held.
    ///
    /// # Errors
    /// When the command cannot be said in one line.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), CommandError> {
        out.clear();
        match self {
            Self::Identify { page } => {
                out.word("i")?;
                out.hex(u32::from(*page), 1)?;
            }
            Self::Position { index, count, text } => {
                if !(1..=MAX_CHUNKS).contains(count) || index >= count {
                    return Err(CommandError::Chunk);
                }
                out.word("p")?;
                out.hex(u32::from(*index), 1)?;
                out.text("/")?;
                out.hex_behind(u32::from(*count), 1)?;
                out.word(text)?;
            }
            Self::Moves { before, moves } => {
                if moves.is_empty() {
                    return Err(CommandError::NoMoves);
                }
                out.word("m")?;
                before.write(out)?;
                for mv in moves {
                    out.word(mv.as_str())?;
                }
            }
            Self::Think { tag, nodes } => {
                out.word("t")?;
                tag.write(out)?;
                out.decimal(*nodes)?;
            }
            Self::Stop => out.word("x")?,
            Self::Param { key, value } => {
                out.word("s")?;
                out.word(key.name())?;
                out.signed(*value)?;
            }
            Self::Ping => out.word(".")?,
            Self::Reboot(target) => {
                out.word("r")?;
                out.word(target.name())?;
            }
        }
        Ok(())
    }
}

fn parse_position(mut words: Words<'_>) -> Result<Command<'_>, CommandError> {
    let chunk = words.next("chunk")?;
    let digits = match *chunk.as_bytes() {
        [index, b'/', count] => hex_value(&[index, count]),
        _ => None,
    };
    let value = digits.ok_or(PayloadError::Field("chunk"))? as u8;
    let (index, count) = (value >> 4, value & 0xf);
    if !(1..=MAX_CHUNKS).contains(&count) || index >= count {
        return Err(CommandError::Chunk);
    }
    let text = words.rest("text")?;
    Ok(Command::Position { index, count, text })
}

fn parse_moves(mut words: Words<'_>) -> Result<Command<'_>, CommandError> {
    let before = PositionHash::parse(words.next("position hash")?)?;
    let mut moves = MoveList::new();
    while let Some(word) = words.maybe() {
        let mv = word.parse().map_err(|_| PayloadError::Field("move"))?;
        moves.push(mv).map_err(|_| PayloadError::Trailing)?;
    }
    if moves.is_empty() {
        return Err(CommandError::NoMoves);
    }
    Ok(Command::Moves { before, moves })
}

/// One hex digit.
fn digit(text: &str, field: &'static str) -> Result<u8, PayloadError> {
    hex_field(text, 1, field).map(|value| value as u8)
}

impl<'a> HostMessage<'a> {
    /// Reads a line from a host.
    ///
    /// # Errors
    /// [`CommandError`], also when the line is not from a host.
    pub fn parse(line: &Line<'a>) -> Result<Self, CommandError> {
        match (line.direction, line.kind) {
            (Direction::Host, Kind::Command) => Command::parse(line.payload).map(Self::Command),
            (Direction::Host, Kind::EventAck) => Ok(Self::EventAck),
            (Direction::Host, Kind::Sync) => Ok(Self::Sync(Nonce::parse(line.payload)?)),
            _ => Err(PayloadError::NotForUs.into()),
        }
    }
}

impl Nonce {
    /// Writes the payload of a `>S` line over what `out` held.
    ///
    /// # Errors
    /// Never: eight digits fit.
    pub fn write_sync(self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        out.clear();
        self.write(out)
    }
}

/// The text of a chunk: what is left of a payload after `p I/N `.
const CHUNK: usize = MAX_PAYLOAD - 6;

/// The commands that push a position, in order.
///
/// ```
/// use rookery_protocol::{Command, fen_chunks};
/// let chunks: Vec<_> = fen_chunks("8/8/8/8/8/8/8/K1k5 w - - 0 1").collect();
/// assert_eq!(chunks, [Command::Position { index: 0, count: 1, text: "8/8/8/8/8/8/8/K1k5 w - - 0 1" }]);
/// ```
#[must_use]
pub fn fen_chunks(fen: &str) -> FenChunks<'_> {
    FenChunks { rest: fen, index: 0, count: fen.len().div_ceil(CHUNK).clamp(1, 0xff) as u8 }
}

/// See [`fen_chunks`].
#[derive(Debug, Clone)]
pub struct FenChunks<'a> {
    rest: &'a str,
    index: u8,
    count: u8,
}

impl<'a> Iterator for FenChunks<'a> {
    type Item = Command<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.index == self.count {
            return None;
        }
        // No FEN has such letters; one that is given all the same must not be a panic here.
        let end = self.rest.floor_char_boundary(CHUNK);
        let (text, rest) = self.rest.split_at(end);
        let command = Command::Position { index: self.index, count: self.count, text };
        self.rest = rest;
        self.index += 1;
        Some(command)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::from(self.count - self.index);
        (left, Some(left))
    }
}

impl ExactSizeIterator for FenChunks<'_> {}

impl From<PayloadError> for CommandError {
    fn from(error: PayloadError) -> Self {
        Self::Arguments(error)
    }
}

impl From<Overflow> for CommandError {
    fn from(_: Overflow) -> Self {
        Self::Overflow
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no such command"),
            Self::Arguments(error) => error.fmt(f),
            Self::Overflow => f.write_str("the command does not fit into one line"),
            Self::Chunk => write!(f, "chunks are numbered below their count, at most {MAX_CHUNKS}"),
            Self::NoMoves => f.write_str("a move command without a move"),
        }
    }
}

impl core::error::Error for CommandError {}

const _: () = assert!(hex_digit(MAX_CHUNKS) == b'8');
