//! A move as books have it.

use core::fmt;
use core::str::FromStr;

/// What a pawn becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Promotion {
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
}

impl Promotion {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Knight, Self::Bishop, Self::Rook, Self::Queen];

    /// The letter in UCI notation.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self {
            Self::Knight => b'n',
            Self::Bishop => b'b',
            Self::Rook => b'r',
            Self::Queen => b'q',
        }
    }

    /// 0 to 3, knight to queen; only the lowest two bits count.
    #[must_use]
    pub const fn from_number(number: u16) -> Self {
        match number & 3 {
            0 => Self::Knight,
            1 => Self::Bishop,
            2 => Self::Rook,
            _ => Self::Queen,
        }
    }
}

/// A move from one square to another; a1 is 0, h8 is 63. Castling is the king's move (e1g1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BookMove {
    pub(crate) from: u8,
    pub(crate) to: u8,
    pub(crate) promotion: Option<Promotion>,
}

/// Why a text is no move of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a move is two squares and, for a promotion, one of n, b, r, q: e2e4, e7e8q")]
pub struct MoveError;

impl BookMove {
    /// A move. `None` unless both squares are 0 to 63 and a promotion goes from the seventh rank
    /// to the eighth, or from the second to the first.
    #[must_use]
    pub const fn new(from: u8, to: u8, promotion: Option<Promotion>) -> Option<Self> {
        let on_board = from < 64 && to < 64;
        let promotes = matches!((from >> 3, to >> 3), (6, 7) | (1, 0));
        if on_board && (promotion.is_none() || promotes) {
            Some(Self { from, to, promotion })
        } else {
            None
        }
    }

    /// Where the man stands.
    #[must_use]
    pub const fn from(self) -> u8 {
        self.from
    }

    /// Where it goes.
    #[must_use]
    pub const fn to(self) -> u8 {
        self.to
    }

    /// What a pawn becomes on the last rank.
    #[must_use]
    pub const fn promotion(self) -> Option<Promotion> {
        self.promotion
    }
}

impl FromStr for BookMove {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (squares, promotion) = match *text.as_bytes() {
            [a, b, c, d] => ([a, b, c, d], None),
            [a, b, c, d, letter] => {
                let promotion = Promotion::ALL.into_iter().find(|p| p.letter() == letter);
                ([a, b, c, d], Some(promotion.ok_or(MoveError)?))
            }
            _ => return Err(MoveError),
        };
        let square = |file: u8, rank: u8| match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Ok((rank - b'1') * 8 + file - b'a'),
            _ => Err(MoveError),
        };
        let [a, b, c, d] = squares;
        Self::new(square(a, b)?, square(c, d)?, promotion).ok_or(MoveError)
    }
}

impl fmt::Display for BookMove {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in [self.from, self.to] {
            let (file, rank) = (b'a' + (square & 7), b'1' + (square >> 3));
            write!(out, "{}{}", char::from(file), char::from(rank))?;
        }
        match self.promotion {
            Some(promotion) => write!(out, "{}", char::from(promotion.letter())),
            None => Ok(()),
        }
    }
}
