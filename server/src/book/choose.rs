//! Which of several moves is played.

use super::{Book, BookError, Weighted, key};
use crate::model::{BookSpec, Pick};
use rookery_book::polyglot::draw;
use shakmaty::{Chess, Move};
use std::sync::Arc;

impl Pick {
    /// Chooses. The draw depends on the seed and the position alone, so that a game can be repeated from any of its positions.
    #[must_use]
    pub fn choose(self, moves: &[Weighted], position: &Chess, seed: u64) -> Option<Move> {
        let weights = moves.iter().map(|m| match self {
            Pick::Uniform => m.weight.min(1),
            Pick::Weighted | Pick::Best => m.weight,
        });
        let index = match self {
            Pick::Best => moves.iter().position(|m| m.weight > 0),
            Pick::Weighted | Pick::Uniform => draw(weights, key(position), seed),
        };
        index.map(|index| moves[index].mv)
    }
}

/// A book with a way to choose from it: what a player has.
#[derive(Clone, Debug)]
pub struct Chooser {
    book: Arc<Book>,
    pick: Pick,
    plies: u32,
}

impl Chooser {
    /// Opens the book.
    ///
    /// # Errors
    /// [`BookError`]
    pub fn open(spec: &BookSpec) -> Result<Chooser, BookError> {
        let book = Arc::new(Book::open(&spec.path)?);
        Ok(Chooser { book, pick: spec.pick, plies: spec.plies.unwrap_or(u32::MAX) })
    }

    /// The move for a position before the ply with this number; 1 is a game's first.
    #[must_use]
    pub fn choose(&self, position: &Chess, ply: u32, seed: u64) -> Option<Move> {
        if ply > self.plies {
            return None;
        }
        self.book.pick(position, self.pick, seed)
    }
}
