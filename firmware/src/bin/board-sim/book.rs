//! The books that a simulated board can have: one from a file, or a small one of its own.
//!
//! As in the boards before, variety comes from the other side: in one position there is one move,
//! but for a Polyglot book with a seed.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

use rookery_board::{Book, BookId, hash_of, of_book};
use rookery_book::compact::{Compact, MAGIC, REGION_BYTES, crc32};
use rookery_book::{Placement, polyglot};
use rookery_engine::{Game, Move};
use rookery_protocol::PositionHash;

use crate::rom::flash::PAGE;

/// In a position that several lines share the first of them decides.
const LINES: &[&str] = &[
    "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "e2e4 e7e6 d2d4 d7d5 b1c3 g8f6",
    "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4 c8f5",
    "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7",
    "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",
    "c2c4 e7e5 b1c3 g8f6 g1f3 b8c6",
    "g1f3 d7d5 d2d4 g8f6 c2c4 e7e6",
];

#[derive(Debug)]
pub(crate) struct SmallBook {
    moves: HashMap<PositionHash, Move>,
    id: BookId,
}

impl SmallBook {
    pub(crate) fn new() -> Self {
        let mut moves = HashMap::new();
        for line in LINES {
            let mut game = Game::new();
            for text in line.split(' ') {
                let mv: Move = text.parse().expect("the book's moves are moves");
                moves.entry(hash_of(&game)).or_insert(mv);
                game.play(mv).expect("the book's moves are legal");
            }
        }
        let id = BookId {
            // Any hash will do that changes with the text.
            hash: PositionHash::of_fen(&LINES.concat().replace(' ', "")).0,
            size: u32::try_from(moves.len()).unwrap_or(u32::MAX),
        };
        Self { moves, id }
    }
}

impl Book for SmallBook {
    fn probe(&self, _: &Game, hash: PositionHash) -> Option<Move> {
        self.moves.get(&hash).copied()
    }

    fn id(&self) -> Option<BookId> {
        Some(self.id)
    }
}

/// A book from a file, as a board in the field would have it in flash, or as other programs have it.
#[derive(Debug)]
pub(crate) enum FileBook {
    /// The chip's form.
    Compact(Vec<u8>),
    /// Polyglot's.
    Polyglot { book: polyglot::Book, seed: Option<u64>, id: BookId },
}

impl FileBook {
    /// Reads a file; `seed` is for drawing among the moves of a position, of which the heaviest is
    /// played without one.
    pub(crate) fn open(path: &Path, seed: Option<u64>) -> Result<Self, String> {
        let wrong = |why: String| format!("the book {} cannot be used: {why}", path.display());
        let bytes = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
        if bytes.starts_with(&MAGIC) {
            Compact::open(&bytes).map_err(|error| wrong(error.to_string()))?;
            return Ok(Self::Compact(bytes));
        }
        let book = polyglot::Book::read(&bytes).map_err(|error| wrong(error.to_string()))?;
        let positions = book.entries().chunk_by(|one, next| one.key == next.key).count();
        let id = BookId { hash: crc32(&bytes), size: positions.try_into().unwrap_or(u32::MAX) };
        Ok(Self::Polyglot { book, seed, id })
    }
}

impl Book for FileBook {
    fn probe(&self, game: &Game, hash: PositionHash) -> Option<Move> {
        match self {
            Self::Compact(bytes) => Book::probe(&Compact::reopen(bytes).ok()?, game, hash),
            Self::Polyglot { book, seed, .. } => {
                let mut fen = String::new();
                game.write_fen(&mut fen).ok()?;
                let placement = Placement::of_fen(&fen).ok()?;
                let key = polyglot::key(&placement);
                let entries = book.find(key);
                let index = match seed {
                    Some(seed) => polyglot::draw(entries.iter().map(|e| e.weight), key, *seed)?,
                    None => entries.iter().position(|entry| entry.weight > 0)?,
                };
                entries[index].mv.read(&placement).map(of_book)
            }
        }
    }

    fn id(&self) -> Option<BookId> {
        match self {
            Self::Compact(bytes) => Compact::reopen(bytes).ok()?.id(),
            Self::Polyglot { id, .. } => Some(*id),
        }
    }
}

/// The book that the options ask for.
#[derive(Debug)]
pub(crate) enum Shelf {
    Small(SmallBook),
    File(FileBook),
}

impl Book for Shelf {
    fn probe(&self, game: &Game, hash: PositionHash) -> Option<Move> {
        match self {
            Self::Small(book) => book.probe(game, hash),
            Self::File(book) => book.probe(game, hash),
        }
    }

    fn id(&self) -> Option<BookId> {
        match self {
            Self::Small(book) => book.id(),
            Self::File(book) => book.id(),
        }
    }
}

/// Where the chip has its book: behind 26 pages of program.
const REGION: Range<usize> = 26 * PAGE..26 * PAGE + REGION_BYTES;

/// What a board plays from between two resets: the book in its flash, where one was put there, as
/// the chip does; else the one that it was given.
#[derive(Debug)]
pub(crate) struct Carried<B> {
    flashed: Option<Vec<u8>>,
    pub(crate) given: B,
}

impl<B: Book> Carried<B> {
    pub(crate) fn new(flash: &[u8], given: B) -> Self {
        let region = &flash[REGION];
        let flashed = Compact::open(region).is_ok().then(|| region.to_vec());
        Self { flashed, given }
    }

    fn flashed(&self) -> Option<Compact<'_>> {
        Compact::reopen(self.flashed.as_deref()?).ok()
    }
}

impl<B: Book> Book for Carried<B> {
    fn probe(&self, game: &Game, hash: PositionHash) -> Option<Move> {
        match self.flashed() {
            Some(book) => Book::probe(&book, game, hash),
            None => self.given.probe(game, hash),
        }
    }

    fn id(&self) -> Option<BookId> {
        match self.flashed() {
            Some(book) => Book::id(&book),
            None => self.given.id(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_legal_and_the_first_one_decides() {
        let book = SmallBook::new();
        let game = Game::new();
        assert_eq!(book.probe(&game, hash_of(&game)), "e2e4".parse().ok());
        assert!(book.moves.len() > 40);
        assert_eq!(book.probe(&game, PositionHash(0)), None);
    }
}
