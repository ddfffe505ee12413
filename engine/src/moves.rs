//! A move as the outer world writes it, and a list of them.

use core::fmt;
use core::str::FromStr;

use crate::piece::Role;

/// A move from one square to another; a1 is 0, h8 is 63. Castling is the king's move (e1g1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// Where the man stands.
    pub from: u8,
    /// Where it goes.
    pub to: u8,
    /// What a pawn becomes on the last rank.
    pub promotion: Option<Role>,
}

/// Why a text is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// A move has four or five characters.
    Length(usize),
    /// The character at this index should name a file or a rank.
    Square(usize),
    /// The fifth character should be one of n, b, r, q.
    Promotion,
}

impl fmt::Display for MoveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Length(length) => write!(out, "a move has 4 or 5 characters, not {length}"),
            MoveError::Square(index) => {
                write!(out, "character {} of the move names no square", index + 1)
            }
            MoveError::Promotion => out.write_str("a pawn becomes n, b, r or q"),
        }
    }
}

impl core::error::Error for MoveError {}

impl FromStr for Move {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Move, MoveError> {
        let bytes = text.as_bytes();
        let (squares, promotion) = match *bytes {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, letter] => {
                let role = match letter {
                    b'n' | b'b' | b'r' | b'q' => Role::from_letter(letter),
                    _ => return Err(MoveError::Promotion),
                };
                ([a, b, c, d], role)
            }
            _ => return Err(MoveError::Length(bytes.len())),
        };
        let mut numbers = [0; 4];
        for (index, byte) in squares.into_iter().enumerate() {
            let first = if index % 2 == 0 { b'a' } else { b'1' };
            numbers[index] = byte.wrapping_sub(first);
            if numbers[index] > 7 {
                return Err(MoveError::Square(index));
            }
        }
        Ok(Move { from: numbers[1] * 8 + numbers[0], to: numbers[3] * 8 + numbers[2], promotion })
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [self.from, self.to] {
            write!(
                out,
                "{}{}",
                char::from(b'a' + (square & 7)),
                char::from(b'1' + ((square >> 3) & 7))
            )?;
        }
        match self.promotion {
            Some(role) => write!(out, "{}", char::from(role.letter())),
            None => Ok(()),
        }
    }
}

/// The most legal moves a position can have.
const CAPACITY: usize = 218;

/// The moves of one position.
#[derive(Clone)]
pub struct MoveList {
    moves: [Move; CAPACITY],
    len: usize,
}

impl MoveList {
    pub(crate) const fn new() -> MoveList {
        MoveList { moves: [Move { from: 0, to: 0, promotion: None }; CAPACITY], len: 0 }
    }

    pub(crate) fn push(&mut self, mv: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = mv;
            self.len += 1;
        }
    }
}

impl core::ops::Deref for MoveList {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.moves[..self.len]
    }
}

impl fmt::Debug for MoveList {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
