//! What a board says of its own accord: events, which it repeats until acknowledged, and
//! telemetry, which it does not.

use crate::buffer::{Overflow, PayloadBuffer};
use crate::field::{PayloadError, Words, decimal_field, signed_field, small_field};
use crate::id::{PositionHash, Tag};
use crate::move_text::MoveText;

/// The largest node count and time that are written; more is written as this.
const MAX_NUMBER: u32 = 999_999_999;

/// The largest score that is written, either way.
const MAX_SCORE: i32 = 99_999;

/// The largest depth that is written.
const MAX_DEPTH: u8 = 99;

/// Something that the host must get to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// `b`: a think has ended.
    BestMove(BestMove),
}

/// What a think has led to. The board has played the move.
///
/// So that it fits into a line whatever happens, depth is written up to 99, nodes and
/// milliseconds up to 999,999,999 and the score up to 99,999 either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BestMove {
    /// The host's name for the think.
    pub tag: Tag,
    /// The move, or `0000` when there was none.
    pub best: MoveText,
    /// The deepest finished iteration.
    pub depth: u8,
    /// Nodes spent.
    pub nodes: u32,
    /// In the engine's units, from the mover's side.
    pub score: i32,
    /// As the board measured.
    pub millis: u32,
    /// Where the move is from.
    pub source: MoveSource,
    /// The position after the move.
    pub hash: PositionHash,
}

/// Where a move is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveSource {
    /// `-`: a search that used up its budget.
    Search,
    /// `B`: the book.
    Book,
    /// `S`: a search that was stopped.
    Stopped,
}

/// Something that is nice to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Telemetry {
    /// `i`: an iteration was finished.
    Iteration(Iteration),
}

/// A finished root iteration. The same limits as in [`BestMove`] hold for what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Iteration {
    /// The host's name for the think.
    pub tag: Tag,
    /// Its depth.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u32,
    /// In the engine's units, from the mover's side.
    pub score: i32,
    /// The best move so far.
    pub best: MoveText,
    /// Since the think began, as the board measured.
    pub millis: u32,
}

impl MoveSource {
    const fn letter(self) -> &'static str {
        match self {
            Self::Search => "-",
            Self::Book => "B",
            Self::Stopped => "S",
        }
    }

    fn parse(text: &str) -> Result<Self, PayloadError> {
        match text {
            "-" => Ok(Self::Search),
            "B" => Ok(Self::Book),
            "S" => Ok(Self::Stopped),
            _ => Err(PayloadError::Field("flags")),
        }
    }
}

fn parse_move(text: &str) -> Result<MoveText, PayloadError> {
    text.parse().map_err(|_| PayloadError::Field("move"))
}

fn write_search(
    out: &mut PayloadBuffer,
    depth: u8,
    nodes: u32,
    score: i32,
) -> Result<(), Overflow> {
    out.decimal(u32::from(depth.min(MAX_DEPTH)))?;
    out.decimal(nodes.min(MAX_NUMBER))?;
    out.signed(score.clamp(-MAX_SCORE, MAX_SCORE))
}

impl Event {
    /// Reads the payload of an `<E` line.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        if words.next("event")? != "b" {
            return Err(PayloadError::Unknown);
        }
        let best = BestMove {
            tag: Tag::parse(words.next("tag")?)?,
            best: parse_move(words.next("move")?)?,
            depth: small_field(words.next("depth")?, "depth")?,
            nodes: decimal_field(words.next("nodes")?, "nodes")?,
            score: signed_field(words.next("score")?, "score")?,
            millis: decimal_field(words.next("time")?, "time")?,
            source: MoveSource::parse(words.next("flags")?)?,
            hash: PositionHash::parse(words.next("position hash")?)?,
        };
        words.end()?;
        Ok(Self::BestMove(best))
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// Never: it fits.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        let Self::BestMove(best) = self;
        out.clear();
        out.word("b")?;
        best.tag.write(out)?;
        out.word(best.best.as_str())?;
        write_search(out, best.depth, best.nodes, best.score)?;
        out.decimal(best.millis.min(MAX_NUMBER))?;
        out.word(best.source.letter())?;
        best.hash.write(out)
    }
}

impl Telemetry {
    /// Reads the payload of a `<T` line.
    ///
    /// # Errors
    /// Which field is wrong.
    pub fn parse(payload: &str) -> Result<Self, PayloadError> {
        let mut words = Words::new(payload);
        if words.next("telemetry")? != "i" {
            return Err(PayloadError::Unknown);
        }
        let iteration = Iteration {
            tag: Tag::parse(words.next("tag")?)?,
            depth: small_field(words.next("depth")?, "depth")?,
            nodes: decimal_field(words.next("nodes")?, "nodes")?,
            score: signed_field(words.next("score")?, "score")?,
            best: parse_move(words.next("move")?)?,
            millis: decimal_field(words.next("time")?, "time")?,
        };
        words.end()?;
        Ok(Self::Iteration(iteration))
    }

    /// Writes the payload over what `out` held.
    ///
    /// # Errors
    /// Never: it fits.
    pub fn write(&self, out: &mut PayloadBuffer) -> Result<(), Overflow> {
        let Self::Iteration(iteration) = self;
        out.clear();
        out.word("i")?;
        iteration.tag.write(out)?;
        write_search(out, iteration.depth, iteration.nodes, iteration.score)?;
        out.word(iteration.best.as_str())?;
        out.decimal(iteration.millis.min(MAX_NUMBER))
    }
}
