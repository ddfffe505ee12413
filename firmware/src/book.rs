//! Where moves come from before the engine is asked.

use rookery_engine::{Game, Move};
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
