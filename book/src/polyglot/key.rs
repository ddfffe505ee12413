//! Keys: the exclusive or of a random number for everything that makes a position.

use super::random64::RANDOM64;
use crate::Placement;

/// The key of a position: Polyglot's own, [`Convention::POLYGLOT`].
///
/// ```
/// use rookery_book::{Placement, polyglot};
/// let start = Placement::of_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -").unwrap();
/// assert_eq!(polyglot::key(&start), 0x463b_9618_1691_fc9c);
/// ```
#[must_use]
pub fn key(placement: &Placement) -> u64 {
    Convention::POLYGLOT.key(placement)
}

/// When the en passant file takes part in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EnPassant {
    /// When a pawn stands ready to capture, be it pinned or not: the format's rule.
    Ready,
    /// After every double step.
    Always,
    /// Never.
    Never,
}

/// How the numbers of the table are dealt out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// The colours alternate from one piece to the next (black pawn, white pawn, black knight, …),
    /// then castling, en passant, the side to move: the format's rule.
    Interleaved,
    /// All pieces of one colour, then all of the other, then the side to move, castling, en passant.
    Blocks,
}

/// A way to make keys out of the published numbers. There is one right way; the others are the
/// mistakes that books in the wild were made with, so that a book can be asked which it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convention {
    /// Which number stands for what.
    pub layout: Layout,
    /// Rank 8 is counted as rank 1.
    pub ranks_flipped: bool,
    /// White's men have the numbers of Black's.
    pub colours_swapped: bool,
    /// The number of the side to move is taken when Black is to move instead of White.
    pub turn_swapped: bool,
    /// The castling rights take part.
    pub castling: bool,
    /// The en passant file takes part.
    pub en_passant: EnPassant,
}

impl Convention {
    /// The format's own.
    pub const POLYGLOT: Self = Self {
        layout: Layout::Interleaved,
        ranks_flipped: false,
        colours_swapped: false,
        turn_swapped: false,
        castling: true,
        en_passant: EnPassant::Ready,
    };

    /// All there are, the format's own first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..96_u8).map(|number| {
            let bit = |index: u8| number >> index & 1 == 1;
            Self {
                layout: if bit(0) { Layout::Blocks } else { Layout::Interleaved },
                ranks_flipped: bit(1),
                colours_swapped: bit(2),
                turn_swapped: bit(3),
                castling: !bit(4),
                en_passant: match number >> 5 {
                    0 => EnPassant::Ready,
                    1 => EnPassant::Always,
                    _ => EnPassant::Never,
                },
            }
        })
    }

    /// The key of a position.
    #[must_use]
    pub fn key(&self, placement: &Placement) -> u64 {
        let mut key = 0;
        for (square, &man) in placement.men.iter().enumerate() {
            let Some(role) = b"pnbrqk".iter().position(|r| *r == man.to_ascii_lowercase()) else {
                continue;
            };
            let white = man.is_ascii_uppercase() != self.colours_swapped;
            let square = if self.ranks_flipped { square ^ 56 } else { square };
            let kind = match self.layout {
                Layout::Interleaved => role * 2 + usize::from(white),
                Layout::Blocks => role + 6 * usize::from(white),
            };
            key ^= RANDOM64[kind * 64 + square];
        }
        let (castling, en_passant, turn) = match self.layout {
            Layout::Interleaved => (768, 772, 780),
            Layout::Blocks => (769, 773, 768),
        };
        if self.castling {
            for (index, _) in placement.castling.iter().enumerate().filter(|(_, right)| **right) {
                key ^= RANDOM64[castling + index];
            }
        }
        let file = match self.en_passant {
            EnPassant::Ready => placement.en_passant_file_ready(),
            EnPassant::Always => placement.en_passant.map(|square| square & 7),
            EnPassant::Never => None,
        };
        if let Some(file) = file {
            key ^= RANDOM64[en_passant + usize::from(file)];
        }
        if placement.white_to_move != self.turn_swapped {
            key ^= RANDOM64[turn];
        }
        key
    }
}
