//! Whether the game goes on.

use crate::game::Game;
use crate::piece::{BISHOP, KIND, KING, KNIGHT};

/// How a game stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position stands for the third time.
    Repetition,
    /// A hundred half moves without a capture or a pawn's move.
    FiftyMoves,
    /// Neither side has the men to mate.
    InsufficientMaterial,
}

impl Game {
    /// How the game stands. A mate on the hundredth half move is a mate.
    pub fn status(&self) -> Status {
        if self.any_legal_move().is_none() {
            if self.in_check() { Status::Checkmate } else { Status::Stalemate }
        } else if self.insufficient_material() {
            Status::InsufficientMaterial
        } else if self.occurrences() >= 3 {
            Status::Repetition
        } else if self.halfmove_clock >= 100 {
            Status::FiftyMoves
        } else {
            Status::Ongoing
        }
    }

    /// How often the present position has stood on the board, this time included.
    pub fn occurrences(&self) -> u32 {
        1 + self.history.earlier_occurrences(&self.board)
    }

    /// No sequence of moves mates: bare kings, a single knight or bishop, or bishops that all stand
    /// on one colour.
    fn insufficient_material(&self) -> bool {
        let (mut knights, mut light, mut dark) = (0u8, 0u8, 0u8);
        for square in self.board.men.iter().flat_map(|men| men.squares()) {
            match self.board.at(square) & KIND {
                KING => {}
                KNIGHT => knights += 1,
                BISHOP if (square >> 4 ^ square) & 1 == 0 => light += 1,
                BISHOP => dark += 1,
                _ => return false,
            }
        }
        match knights {
            0 => light == 0 || dark == 0,
            1 => light + dark == 0,
            _ => false,
        }
    }
}
