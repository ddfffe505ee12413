//! Openings: lines to begin games from, read from PGN, EPD or FEN files, or from the small set built in.
//!
//! Every line that leaves this module is legal from its first position to its last move, and its game is not over. An error names the
//! file and the line. Knows nothing of runs and games.

mod builtin;
pub mod eco;
mod epd;
mod pgn;

pub use builtin::builtin;

use crate::model::{OpeningLine, not_text};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};
use std::{
    io,
    path::{Path, PathBuf},
};

/// The largest file that is read: 200,000 lines of a usual book are about 20 MB.
const LARGEST: u64 = 256 << 20;

/// Why an opening file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The system refused.
    #[error("cannot read openings from '{}': {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
    /// Something in it is wrong.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Its line; for PGN the line in which the game begins.
        line: usize,
        /// What is wrong.
        why: LineError,
    },
    /// It is compressed, or in an encoding that is not read.
    #[error("'{}' cannot be read: {why}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// What it is, and what to do.
        why: &'static str,
    },
    /// Nothing is in it.
    #[error("'{}' holds no opening", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A book that cannot be read.
    #[error("{why}")]
    Book {
        /// What is wrong, and with which file.
        why: String,
    },
    /// Its name says nothing and its content neither.
    #[error("'{}' is neither PGN nor EPD: name it .pgn, .epd or .fen; a book .bin, .rkb or .json", path.display())]
    Unknown {
        /// The file.
        path: PathBuf,
    },
}

/// What is wrong with one opening.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// No FEN.
    #[error("'{fen}' is not a FEN: {why}")]
    Fen {
        /// What stands there.
        fen: String,
        /// Why not.
        why: String,
    },
    /// A FEN of a position that no game can have.
    #[error("'{fen}' is not a position of chess: {why}")]
    Position {
        /// The FEN.
        fen: String,
        /// Why not.
        why: String,
    },
    /// Not a move, or not one of the position.
    #[error("half-move {number}, '{text}', is not legal in '{fen}'")]
    Move {
        /// 1 for the line's first half-move.
        number: usize,
        /// The move as written.
        text: String,
        /// The position it was to be played in.
        fen: String,
    },
    /// The position after the last move is mate, stalemate or dead, or fifty moves have passed in it.
    #[error(
        "the game is over at the end of this opening, in '{fen}': take fewer of its moves, or leave it out"
    )]
    Over {
        /// The position.
        fen: String,
    },
    /// The PGN reader stopped.
    #[error("not PGN: {why}")]
    Pgn {
        /// Why.
        why: String,
    },
}

/// How openings are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpeningOptions {
    /// Moves of a PGN game to take at most, in plies; all where it is not given.
    pub max_plies: Option<usize>,
    /// Shuffle with this seed; in the file's order where it is not given.
    pub shuffle: Option<u64>,
}

/// Reads a file. Its name's ending (`.pgn`, `.epd`, `.fen`) says what it is; without one, its content.
pub fn read(path: &Path, options: OpeningOptions) -> Result<Vec<OpeningLine>, OpeningError> {
    let io = |source| OpeningError::Io { path: path.to_owned(), source };
    let size = std::fs::metadata(path).map_err(io)?.len();
    if size > LARGEST {
        let text = format!("it is larger than {} MiB", LARGEST >> 20);
        return Err(io(io::Error::new(io::ErrorKind::FileTooLarge, text)));
    }
    let bytes = std::fs::read(path).map_err(io)?;
    parse(path, &bytes, options)
}

/// Reads a file's content; `path` names it in errors.
pub fn parse(
    path: &Path,
    bytes: &[u8],
    options: OpeningOptions,
) -> Result<Vec<OpeningLine>, OpeningError> {
    let bytes = unmarked(bytes);
    if let Some(why) = not_text(bytes) {
        return Err(OpeningError::NotText { path: path.to_owned(), why });
    }
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let lines = match ending.to_str() {
        Some("pgn") => pgn::openings(bytes, options.max_plies),
        Some("epd" | "fen") => epd::parse(bytes),
        _ => match guess(bytes) {
            Some(Guess::Pgn) => pgn::openings(bytes, options.max_plies),
            Some(Guess::Epd) => epd::parse(bytes),
            None => {
                return Err(OpeningError::Unknown { path: path.to_owned() });
            }
        },
    };
    let mut lines =
        lines.map_err(|(line, why)| OpeningError::Line { path: path.to_owned(), line, why })?;
    if lines.is_empty() {
        return Err(OpeningError::Empty { path: path.to_owned() });
    }
    if let Some(seed) = options.shuffle {
        shuffle(&mut lines, seed);
    }
    Ok(lines)
}

/// The games of a PGN file as lines to their ends, where a game may be over: what a book is made of, and not what a game begins with.
pub fn games(path: &Path, bytes: &[u8]) -> Result<Vec<OpeningLine>, OpeningError> {
    pgn::games(unmarked(bytes)).map_err(|(line, why)| OpeningError::Line {
        path: path.to_owned(),
        line,
        why,
    })
}

/// Without a byte order mark.
fn unmarked(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

enum Guess {
    Pgn,
    Epd,
}

fn guess(bytes: &[u8]) -> Option<Guess> {
    let line = bytes
        .split(|b| *b == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| !line.is_empty() && !line.starts_with(b"#") && !line.starts_with(b"%"))?;
    let word = line.split(u8::is_ascii_whitespace).next()?;
    if line.starts_with(b"[") || line.starts_with(b"1.") {
        Some(Guess::Pgn)
    } else if word.iter().filter(|b| **b == b'/').count() == 7 {
        Some(Guess::Epd)
    } else {
        None
    }
}

/// The opening of game `number` (1 and up): in turn, and with alternating colours each twice, so that both players have both sides.
#[must_use]
pub fn pick(lines: &[OpeningLine], number: u32, alternate: bool) -> Option<&OpeningLine> {
    let turn = number.saturating_sub(1) / if alternate { 2 } else { 1 };
    lines.get(turn as usize % lines.len().max(1))
}

/// Shuffles. The same seed gives the same order with every version: the generator is fixed, and so is what is done with its numbers.
pub fn shuffle(lines: &mut [OpeningLine], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..lines.len()).rev() {
        let range = last as u128 + 1;
        let other = (u128::from(random.next_u64()) * range) >> 64;
        lines.swap(last, other as usize);
    }
}

/// Plays a line: the position before its moves, and after them. This is the check for lines that come from elsewhere (API, configuration).
pub fn replay(line: &OpeningLine) -> Result<(Chess, Chess), LineError> {
    let start = match &line.fen {
        Some(fen) => position(fen)?.1,
        None => Chess::default(),
    };
    let mut now = start.clone();
    for (n, text) in line.moves.iter().enumerate() {
        let illegal = || LineError::Move { number: n + 1, text: shorten(text), fen: fen_of(&now) };
        let m = text
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| uci.to_move(&now).ok())
            .ok_or_else(illegal)?;
        now.play_unchecked(m);
    }
    open(&now)?;
    Ok((start, now))
}

/// Reads a FEN. The text that comes back has all six fields, and the en passant square as it was given.
pub(crate) fn position(text: &str) -> Result<(String, Chess), LineError> {
    let fen: Fen =
        text.parse().map_err(|e| LineError::Fen { fen: shorten(text), why: format!("{e}") })?;
    let whole = fen.to_string();
    let position = fen
        .into_position(CastlingMode::Standard)
        .map_err(|e| LineError::Position { fen: whole.clone(), why: e.to_string() })?;
    Ok((whole, position))
}

/// An error if the game is over; so it is when fifty moves have passed, since then the first move ends it.
fn open(position: &Chess) -> Result<(), LineError> {
    if position.is_game_over() || position.halfmoves() >= 100 {
        return Err(LineError::Over { fen: fen_of(position) });
    }
    Ok(())
}

fn fen_of(position: &Chess) -> String {
    Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string()
}

/// What an error quotes of a file that may hold anything.
fn shorten(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let mut out: String = text.chars().take(100).map(plain).collect();
    if text.chars().nth(100).is_some() {
        out.push('…');
    }
    out
}
