//! A move as it is written, legal or not.

use core::fmt;
use core::str::FromStr;

use ascii::AsciiStr;

/// The text of a move: `e2e4`, `e7e8q`, or `0000` for no move.
///
/// Its letters are those of a move; whether any position has it is not known here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct MoveText {
    // The fifth byte is 0 where there is no promotion.
    letters: [u8; 5],
}

/// Not the text of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveTextError {
    /// Neither four nor five letters.
    Length,
    /// The first or second pair is no square `a1` to `h8`.
    Square,
    /// The fifth letter is none of `q r b n`.
    Promotion,
}

impl MoveText {
    /// No move at all.
    pub const NULL: Self = Self { letters: [b'0', b'0', b'0', b'0', 0] };

    /// The letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let length = if self.letters[4] == 0 { 4 } else { 5 };
        self.letters
            .get(..length)
            .and_then(|letters| AsciiStr::from_ascii(letters).ok())
            .map_or("0000", AsciiStr::as_str)
    }

    /// From one square to another (a1 is 0, h8 is 63), with the letter of what a pawn becomes.
    /// `None`: no move is written so.
    #[must_use]
    pub fn between(from: u8, to: u8, promotion: Option<u8>) -> Option<Self> {
        let square = |number: u8| [b'a' + (number & 7), b'1' + (number >> 3)];
        let ([a, b], [c, d]) = (square(from & 63), square(to & 63));
        let letter = promotion.unwrap_or(0);
        let fits = (from | to) < 64 && (promotion.is_none() || is_promotion(letter));
        fits.then_some(Self { letters: [a, b, c, d, letter] })
    }

    /// The two squares, and the letter of what a pawn becomes; `None` for the null move.
    #[must_use]
    pub fn squares(&self) -> Option<(u8, u8, Option<u8>)> {
        let [a, b, c, d, promotion] = self.letters;
        let square = |file: u8, rank: u8| (rank & 0xf).wrapping_sub(1) * 8 + (file & 0xf) - 1;
        let promotion = (promotion != 0).then_some(promotion);
        (!self.is_null()).then(|| (square(a, b), square(c, d), promotion))
    }

    /// Whether this is `0000`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Self::NULL
    }
}

/// Whether a pawn can become what this letter says.
fn is_promotion(letter: u8) -> bool {
    matches!(letter, b'q' | b'r' | b'b' | b'n')
}

impl FromStr for MoveText {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "0000" {
            return Ok(Self::NULL);
        }
        let mut letters = [0; 5];
        match letters.get_mut(..text.len()) {
            Some(place) if place.len() > 3 => place.copy_from_slice(text.as_bytes()),
            _ => return Err(MoveTextError::Length),
        }
        let [a, b, c, d, promotion] = letters;
        for square in [[a, b], [c, d]] {
            if !matches!(square, [b'a'..=b'h', b'1'..=b'8']) {
                return Err(MoveTextError::Square);
            }
        }
        if text.len() == 5 && !is_promotion(promotion) {
            return Err(MoveTextError::Promotion);
        }
        Ok(Self { letters })
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MoveText({})", self.as_str())
    }
}

impl fmt::Display for MoveTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Length => "a move is four letters, or five with a promotion",
            Self::Square => "a move's squares are a1 to h8",
            Self::Promotion => "a promotion is one of q, r, b, n",
        })
    }
}

impl core::error::Error for MoveTextError {}
