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
        let (place, lock) = entries(square, byte);
        self.place = self.place.wrapping_add(place);
        self.lock = self.lock.wrapping_add(lock);
    }

    /// Take a man away.
    #[inline]
    pub(crate) fn remove(&mut self, square: u8, byte: u8) {
        let (place, lock) = entries(square, byte);
        self.place = self.place.wrapping_sub(place);
        self.lock = self.lock.wrapping_sub(lock);
    }

    /// Note that the rook of this corner has castled.
    #[inline]
    pub(crate) fn castle(&mut self, corner: u8) {
        self.lock = self.lock.wrapping_add(u32::from(corner)).wrapping_sub(u32::from(NOWHERE));
    }
}

/// The table without what belongs to an empty square, which is zero; and as long as any man's place
/// in it, so that none has to be checked.
static MEN: [u8; 7 * 128 + 8 + 12] = {
    let mut men = [0; 7 * 128 + 8 + 12];
    let mut index = 0;
    while index + 128 < KEY_TABLE.len() {
        men[index] = KEY_TABLE[index + 128];
        index += 1;
    }
    men
};

/// What a man on a square adds to the two keys.
#[inline]
fn entries(square: u8, byte: u8) -> (u32, u32) {
    let Some(kind) = usize::from(byte & 7).checked_sub(1) else { return (0, 0) };
    let at = 128 * kind + usize::from(square & 0x7f) + usize::from(byte & 8);
    match MEN.get(at..at + 12) {
        Some(&[a, b, c, d, _, _, _, _, e, f, g, h]) => {
            (u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h]))
        }
        _ => (0, 0),
    }
}
