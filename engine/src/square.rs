//! Squares as the search numbers them, and the numbers of the outer world.
//!
//! Inside, a square is `16 * row + file` with row 0 the eighth rank, so that a8 is 0, h1 is 0x77,
//! and a set bit of 0x88 means off the board. Outside, a1 is 0 and h8 is 63.

/// The bits that are set outside the board.
pub(crate) const OFF_BOARD: u8 = 0x88;
/// No square.
pub(crate) const NOWHERE: u8 = 0x80;

/// From the outer number to the inner one.
pub(crate) const fn inner(outer: u8) -> u8 {
    let flipped = (outer & 63) ^ 56;
    flipped + (flipped & 56)
}

/// From the inner number to the outer one.
pub(crate) const fn outer(inner: u8) -> u8 {
    let packed = (inner & 7) | ((inner & 0x70) >> 1);
    packed ^ 56
}

/// How far a square is from the middle of the board, squared and rounded down. Indexed by the inner
/// number.
static CENTRE: [u8; 128] = centre_table();

#[inline]
pub(crate) fn centre(square: u8) -> i32 {
    i32::from(CENTRE[usize::from(square & 0x7f)])
}

const fn centre_table() -> [u8; 128] {
    let mut table = [0; 128];
    let mut square = 0;
    while square < 0x78 {
        if square & 0x88 == 0 {
            let (file, row) = ((square & 7) as i32, (square >> 4) as i32);
            let twice_row = 2 * row - 7;
            table[square] = ((file - 4) * (file - 4) + twice_row * twice_row / 4) as u8;
        }
        square += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_numberings_are_inverse() {
        assert_eq!(inner(0), 0x70);
        assert_eq!(inner(63), 0x07);
        assert!(
            (0..64).all(|square| outer(inner(square)) == square && inner(square) & OFF_BOARD == 0)
        );
    }

    #[test]
    fn the_centre_lies_between_e4_and_e5() {
        assert_eq!(CENTRE[0x34], 0);
        assert_eq!(CENTRE[0x44], 0);
        assert_eq!(CENTRE[0x00], 28);
        assert_eq!(CENTRE[0x77], 21);
    }
}
