//! The two keys of a position: one chooses its cell, the other is the cell's lock.
//!
//! They know the men and where they stand, and that a game castled; not whose move it is, nor the
//! square a pawn passed over. That is micro-Max's choice, and with few cells the two sides of a
//! position share one.

use crate::key_table::KEY_TABLE;
use crate::square::NOWHERE;

/// The keys of a position, counted from the initial one, where both are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// Chooses the cell.
    pub(crate) place: u32,
    /// Fits the cell.
    pub(crate) lock: u32,
}

impl Keys {
    /// Add a man.
    #[inline]
    pub(crate) fn add(&mut self, square: u8, byte: u8) {
        self.place = self.place.wrapping_add(entry(index(square, byte)));
        self.lock = self.lock.wrapping_add(entry(index(square, byte) + 8));
    }

    /// Take a man away.
    #[inline]
    pub(crate) fn remove(&mut self, square: u8, byte: u8) {
        self.place = self.place.wrapping_sub(entry(index(square, byte)));
        self.lock = self.lock.wrapping_sub(entry(index(square, byte) + 8));
    }

    /// Note that the rook of this corner has castled.
    #[inline]
    pub(crate) fn castle(&mut self, corner: u8) {
        self.lock = self.lock.wrapping_add(u32::from(corner)).wrapping_sub(u32::from(NOWHERE));
    }
}

#[inline]
fn index(square: u8, byte: u8) -> usize {
    usize::from(square & 0x7f) + usize::from(byte & 8) + 128 * usize::from(byte & 7)
}

#[inline]
fn entry(index: usize) -> u32 {
    match KEY_TABLE.get(index..index + 4) {
        Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    }
}
