//! One entry of a `.bin` file.

use crate::{BookMove, Placement, Promotion};

/// The length of an entry.
pub const ENTRY_BYTES: usize = 16;

/// A move's sixteen bits as they stand in a file: anything at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RawMove(pub u16);

/// The king's two steps and the rook's square that the format has instead.
const CASTLING: [(u8, u8, u8, u8); 4] =
    [(4, 6, 7, b'K'), (4, 2, 0, b'K'), (60, 62, 63, b'k'), (60, 58, 56, b'k')];

impl RawMove {
    /// The bits of a move. The position says whether it is castling.
    #[must_use]
    pub fn of(mv: BookMove, placement: &Placement) -> Self {
        let king = placement.men[usize::from(mv.from())];
        let to = CASTLING
            .iter()
            .find(|&&(from, to, _, man)| (from, to, man) == (mv.from(), mv.to(), king))
            .map_or(mv.to(), |&(_, _, rook, _)| rook);
        let promotion = mv.promotion().map_or(0, |promotion| promotion as u16 + 1);
        Self(u16::from(to) | u16::from(mv.from()) << 6 | promotion << 12)
    }

    /// The move. `None` when the bits name a promotion that no pawn can make; a move that is
    /// read need not be legal.
    ///
    /// The king's two steps, which some programs write for castling, are understood as well.
    #[must_use]
    pub fn read(self, placement: &Placement) -> Option<BookMove> {
        let (from, to) = ((self.0 >> 6 & 63) as u8, (self.0 & 63) as u8);
        let promotion = match self.0 >> 12 {
            0 => None,
            number @ 1..=4 => Some(Promotion::from_number(number - 1)),
            _ => return None,
        };
        let (king, taken) = (placement.men[usize::from(from)], placement.men[usize::from(to)]);
        let castles = |&&(king_from, _, rook, man): &&(u8, u8, u8, u8)| {
            let own_rook = if man == b'K' { b'R' } else { b'r' };
            (king_from, rook, man, own_rook) == (from, to, king, taken)
        };
        let to = CASTLING.iter().find(castles).map_or(to, |&(_, to, _, _)| to);
        BookMove::new(from, to, promotion)
    }
}

/// A move in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The position's key.
    pub key: u64,
    /// The move.
    pub mv: RawMove,
    /// How often it is to be chosen among the moves of its position.
    pub weight: u16,
    /// For learning.
    pub learn: u32,
}

impl Entry {
    /// Reads an entry.
    #[must_use]
    pub const fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let number = u128::from_be_bytes(*bytes);
        Self {
            key: (number >> 64) as u64,
            mv: RawMove((number >> 48) as u16),
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The entry as it stands in a file.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let number = (self.key as u128) << 64
            | (self.mv.0 as u128) << 48
            | (self.weight as u128) << 32
            | self.learn as u128;
        number.to_be_bytes()
    }
}

/// Draws one of several weights: its index, or `None` when there is no weight above zero.
///
/// The draw depends on the seed and the position alone, not on what was drawn before: a game can be
/// repeated from any of its positions.
#[must_use]
pub fn draw(weights: impl Iterator<Item = u16> + Clone, key: u64, seed: u64) -> Option<usize> {
    let total: u64 = weights.clone().map(u64::from).sum();
    // SplitMix64's last steps, twice: every bit of both numbers counts.
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let random = mix(key ^ mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)));
    let mut left = ((u128::from(random) * u128::from(total)) >> 64) as u64;
    for (index, weight) in weights.enumerate() {
        match left.checked_sub(u64::from(weight)) {
            Some(less) => left = less,
            None => return Some(index),
        }
    }
    None
}
