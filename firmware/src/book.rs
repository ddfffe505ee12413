//! Where moves come from before the engine is asked.

use rookery_book::compact::Compact;
use rookery_book::{BookMove, Promotion};
use rookery_engine::{Game, Move, Role};
use rookery_protocol::PositionHash;

/// A book of moves.
pub trait Book {
    /// The move for a position. The board checks that it is legal.
    fn probe(&self, game: &Game, hash: PositionHash) -> Option<Move>;

    /// What the book is called in the board's description of itself; `None`: there is none.
    fn id(&self) -> Option<BookId>;
}

/// Tells one book from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BookId {
    /// A hash of its contents.
    pub hash: u32,
    /// How many positions it knows.
    pub size: u32,
}

/// The empty book.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBook;

impl Book for NoBook {
    fn probe(&self, _: &Game, _: PositionHash) -> Option<Move> {
        None
    }

    fn id(&self) -> Option<BookId> {
        None
    }
}

impl<B: Book> Book for Option<B> {
    fn probe(&self, game: &Game, hash: PositionHash) -> Option<Move> {
        self.as_ref()?.probe(game, hash)
    }

    fn id(&self) -> Option<BookId> {
        self.as_ref()?.id()
    }
}

/// The book that a board carries in flash. It has one move for a position: variety comes from the
/// other side, from openings, or from a book drawn with another seed.
impl Book for Compact<'_> {
    fn probe(&self, _: &Game, hash: PositionHash) -> Option<Move> {
        Compact::probe(self, hash).map(of_book)
    }

    fn id(&self) -> Option<BookId> {
        Some(BookId { hash: self.crc(), size: self.len() as u32 })
    }
}

/// A book's move in the engine's words.
#[must_use]
pub fn of_book(mv: BookMove) -> Move {
    let role = |promotion| match promotion {
        Promotion::Knight => Role::Knight,
        Promotion::Bishop => Role::Bishop,
        Promotion::Rook => Role::Rook,
        Promotion::Queen => Role::Queen,
    };
    Move { from: mv.from(), to: mv.to(), promotion: mv.promotion().map(role) }
}
