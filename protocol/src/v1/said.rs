//! What a board says, found in a line whatever surrounds it.

use core::fmt;

use crate::move_text::MoveText;

use super::input::Order;

/// One thing that a board has said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said<'a> {
    /// `enter=`: it waits for a move, or has just received one.
    Prompt,
    /// What it has received; never to be taken for a move of its own.
    Echo(Order),
    /// The move that it was told is played.
    Accepted(MoveText),
    /// The move that it was told is not legal.
    Rejected,
    /// A row of its board, whole.
    Row(Row),
    /// A move was made.
    Moved {
        /// Which.
        mv: MoveText,
        /// By whom.
        side: Side,
    },
    /// An iteration was finished, or, with depth 0 and one node, the book has moved.
    Iteration {
        /// `d`
        depth: u8,
        /// `uz`
        nodes: u32,
        /// `oc`, in the engine's units; 99 also stands for a value that was lost.
        score: i32,
    },
    /// The move is from the book.
    BookMarker,
    /// The move is from a search.
    SearchMarker,
    /// Something that is none of these: what a loss has left.
    Noise(&'a str),
}

/// Who has made a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// `w`
    White,
    /// `b`
    Black,
}

/// A row of the board, the file `a` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row(pub [Symbol; 8]);

/// A square as the board prints it: out of `.?+nkbrq?*?NKBRQ`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// `.`
    Empty,
    /// `?`: a byte that no piece has.
    Unknown,
    /// A piece by its letter in a FEN; pawns are `+` and `*` on the wire.
    Piece(char),
}

impl Symbol {
    fn of(byte: u8) -> Option<Self> {
        match byte {
            b'.' => Some(Self::Empty),
            b'?' => Some(Self::Unknown),
            b'+' => Some(Self::Piece('p')),
            b'*' => Some(Self::Piece('P')),
            b'n' | b'k' | b'b' | b'r' | b'q' | b'N' | b'K' | b'B' | b'R' | b'Q' => {
                Some(Self::Piece(char::from(byte)))
            }
            _ => None,
        }
    }
}

/// Finds everything in a line that was said, in order. What is left between two findings is
/// [`Said::Noise`], without the spaces around it.
///
/// ```
/// use rookery_protocol::v1::{Order, Said, read};
/// let mv = "d2c3".parse().unwrap();
/// let said: Vec<_> = read("ed2c3X GO d2c3 OK").collect();
/// assert_eq!(said, [Said::Noise("e"), Said::Echo(Order::Play(mv)), Said::Accepted(mv)]);
/// ```
#[must_use]
pub fn read(line: &str) -> SaidIter<'_> {
    SaidIter { rest: line }
}

/// See [`read`].
#[derive(Debug, Clone)]
pub struct SaidIter<'a> {
    rest: &'a str,
}

impl<'a> Iterator for SaidIter<'a> {
    type Item = Said<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rest = self.rest.trim_ascii_start();
        let mut word_start = true;
        for (place, letter) in self.rest.char_indices() {
            let (before, here) = self.rest.split_at(place);
            if let Some((said, length)) = recognise(here, word_start) {
                let noise = before.trim_ascii_end();
                if !noise.is_empty() {
                    self.rest = here;
                    return Some(Said::Noise(noise));
                }
                self.rest = &here[length..];
                return Some(said);
            }
            word_start = letter == ' ';
        }
        let noise = core::mem::take(&mut self.rest).trim_ascii_end();
        (!noise.is_empty()).then_some(Said::Noise(noise))
    }
}

/// What the text begins with, and how long that is.
fn recognise(text: &str, word_start: bool) -> Option<(Said<'_>, usize)> {
    if text.starts_with("enter=") {
        return Some((Said::Prompt, 6));
    }
    if text.starts_with("book,") {
        return Some((Said::BookMarker, 5));
    }
    if word_start && let Some(said) = whole_word(text) {
        return Some(said);
    }
    if text.starts_with('#') {
        return Some((Said::Rejected, 1));
    }
    echo(text).or_else(|| accepted(text)).or_else(|| moved(text)).or_else(|| iteration(text))
}

fn whole_word(text: &str) -> Option<(Said<'_>, usize)> {
    let word = text.split(' ').next()?;
    match word {
        "B" => return Some((Said::BookMarker, 1)),
        "D" => return Some((Said::SearchMarker, 1)),
        _ => {}
    }
    let bytes: [u8; 8] = word.as_bytes().try_into().ok()?;
    let mut row = [Symbol::Empty; 8];
    for (symbol, byte) in row.iter_mut().zip(bytes) {
        *symbol = Symbol::of(byte)?;
    }
    Some((Said::Row(Row(row)), word.len()))
}

/// Four letters that are a move of this dialect, which has no promotions.
fn four(text: &str) -> Option<(MoveText, &str)> {
    let (mv, rest) = text.split_at_checked(4)?;
    let mv: MoveText = mv.parse().ok()?;
    (!mv.is_null()).then_some((mv, rest))
}

fn echo(text: &str) -> Option<(Said<'_>, usize)> {
    if text.starts_with("0X") {
        return Some((Said::Echo(Order::Think), 2));
    }
    let (mv, rest) = four(text)?;
    rest.starts_with('X').then_some((Said::Echo(Order::Play(mv)), 5))
}

fn accepted(text: &str) -> Option<(Said<'_>, usize)> {
    let (mv, rest) = four(text.strip_prefix("GO ")?)?;
    rest.starts_with(" OK").then_some((Said::Accepted(mv), 10))
}

fn moved(text: &str) -> Option<(Said<'_>, usize)> {
    let (mv, rest) = four(text.strip_prefix("mov ")?)?;
    let side = match rest.as_bytes() {
        [b' ', b'w', ..] => Side::White,
        [b' ', b'b', ..] => Side::Black,
        _ => return None,
    };
    // A longer word is not the side: with `w` and the LF lost, `book,` looks like `b`. Only the
    // prompt is known to follow where nothing but the LF was lost.
    let after = rest.get(2..).unwrap_or_default();
    let ends = after.is_empty() || after.starts_with(' ') || after.starts_with("enter=");
    ends.then_some((Said::Moved { mv, side }, 10))
}

fn iteration(text: &str) -> Option<(Said<'_>, usize)> {
    let (depth, rest) = digits(text.strip_prefix("d=")?)?;
    let (nodes, rest) = digits(rest.strip_prefix(" uz=")?)?;
    let rest = rest.strip_prefix(" oc=")?;
    let (sign, rest) = match rest.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, rest),
    };
    let (score, rest) = digits(rest)?;
    let said = Said::Iteration {
        depth: u8::try_from(depth).ok()?,
        nodes,
        score: i32::try_from(score).ok()? * sign,
    };
    Some((said, text.len() - rest.len()))
}

fn digits(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "w",
            Self::Black => "b",
        })
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Write::write_char(
            f,
            match self {
                Self::Empty => '.',
                Self::Unknown => '?',
                Self::Piece('p') => '+',
                Self::Piece('P') => '*',
                Self::Piece(letter) => *letter,
            },
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|symbol| symbol.fmt(f))
    }
}

/// As the board prints it.
impl fmt::Display for Said<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Prompt => f.write_str("enter="),
            Self::Echo(order) => order.fmt(f),
            Self::Accepted(mv) => write!(f, "GO {mv} OK"),
            Self::Rejected => f.write_str("#"),
            Self::Row(row) => row.fmt(f),
            Self::Moved { mv, side } => write!(f, "mov {mv} {side}"),
            Self::Iteration { depth, nodes, score } => {
                write!(f, " d={depth} uz={nodes} oc={score}")
            }
            Self::BookMarker => f.write_str("book,"),
            Self::SearchMarker => f.write_str("D"),
            Self::Noise(text) => f.write_str(text),
        }
    }
}
