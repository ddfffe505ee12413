//! Which of several moves is played.

use super::{Book, Weighted, key};
use rookery_book::polyglot::draw;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Move};
use ts_rs::TS;

/// How a move is chosen among those of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Pick {
    /// Drawn by the weights.
    #[default]
    Weighted,
    /// The heaviest.
    Best,
    /// Drawn, each as likely as the others.
    Uniform,
}

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
    book: std::sync::Arc<Book>,
    pick: Pick,
    max_plies: Option<u32>,
}

impl Chooser {
    /// A chooser that plays from the book in the first `max_plies` plies of a game.
    #[must_use]
    pub fn new(book: Book, pick: Pick, max_plies: Option<u32>) -> Chooser {
        Chooser { book: std::sync::Arc::new(book), pick, max_plies }
    }

    /// The move for a position, before the ply with this number (1 is a game's first).
    #[must_use]
    pub fn choose(&self, position: &Chess, ply: u32, seed: u64) -> Option<Move> {
        if self.max_plies.is_some_and(|max| ply > max) {
            return None;
        }
        self.pick.choose(&self.book.moves(position), position, seed)
    }
}
