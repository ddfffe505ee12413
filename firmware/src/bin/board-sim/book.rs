//! A small book of openings, as a board in the field carries one.
//!
//! As in the boards before, variety comes from the other side: in one position there is one move.

use std::collections::HashMap;

use rookery_board::{Book, BookId, hash_of};
use rookery_engine::{Game, Move};
use rookery_protocol::PositionHash;

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
