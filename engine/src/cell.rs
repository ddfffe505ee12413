//! A cell of the table: what is remembered of one position, in eight bytes.
//!
//! micro-Max's cell has 36 bits besides its lock of 32. Here the depth takes five bits instead of
//! seven, for a depth is below 30, or 98 (a mate or stalemate), or 99 (the position stood on the
//! board, and counts as a draw); a depth of 30 to 97 is kept as 29. So 30 bits of the lock are
//! left: of the positions that meet in a cell without being the same, one in 2^30 is taken for the
//! same where the original takes one in 2^32. Nothing else is lost.
//!
//! Which two bits of the lock go is not all one: locks of kindred positions differ by small numbers
//! (a castled rook's corner, less 128) or by a power of two of the bytes that the keys overlap in.
//! Over sixty million probes no two locks in a cell differed in bits 27 and 28 alone; in bits 6 and
//! 7, or 0 and 1, some did.
//!
//! | word | bits | holds |
//! |---|---|---|
//! | first | 0-26, 29-31 | the lock's bits |
//! | first | 27-28 | file of the to-square, low bits |
//! | second | 18-31 | value, signed |
//! | second | 13-17 | depth |
//! | second | 7-12 | from-square: row, file |
//! | second | 6, 5 | value is above alpha; value is below beta |
//! | second | 4 | the move is an ordinary one (neither double nor castling step) |
//! | second | 1-3, 0 | to-square: row; file, high bit |

/// One cell. The empty one is all zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    lock_and_file: u32,
    rest: u32,
}

/// The depth of a mate or a stalemate.
pub(crate) const DECIDED: u8 = 98;
/// The mark of an ordinary move on a to-square.
pub(crate) const ORDINARY: u8 = 0x80;

const DEEPEST_KEPT: u8 = 29;
const ABOVE_ALPHA: u32 = 1 << 6;
const BELOW_BETA: u32 = 1 << 5;
const DEPTH: u32 = 31 << 13;
const DEPTH_PLAYED: u32 = 31 << 13;
const VALUE: u32 = !0 << 18;
const FILE_LOW: u32 = 3 << FILE_SHIFT;
const FILE_SHIFT: u32 = 27;
/// Values are kept within these bounds; only material that no game has could go beyond.
const LARGEST_VALUE: i32 = 8191;

/// What a node writes into its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) value: i32,
    pub(crate) depth: u8,
    pub(crate) from: u8,
    /// With [`ORDINARY`], or zero for no move.
    pub(crate) to: u8,
    pub(crate) above_alpha: bool,
    pub(crate) below_beta: bool,
}

impl Cell {
    /// A cell that holds nothing.
    pub const EMPTY: Cell = Cell { lock_and_file: 0, rest: 0 };

    #[inline]
    pub(crate) fn fits(self, lock: u32) -> bool {
        (self.lock_and_file ^ lock) & !FILE_LOW == 0
    }

    #[inline]
    pub(crate) fn value(self) -> i32 {
        self.rest as i32 >> 18
    }

    #[inline]
    pub(crate) fn depth(self) -> u8 {
        let code = (self.rest >> 13 & 31) as u8;
        if code > DEEPEST_KEPT { code + (DECIDED - DEEPEST_KEPT - 1) } else { code }
    }

    #[inline]
    pub(crate) fn from(self) -> u8 {
        (self.rest >> 6 & 0x70 | self.rest >> 7 & 7) as u8
    }

    #[inline]
    pub(crate) fn to(self) -> u8 {
        ((self.rest & 0x1e) << 3 | (self.rest & 1) << 2 | self.lock_and_file >> FILE_SHIFT & 3)
            as u8
    }

    #[inline]
    pub(crate) fn above_alpha(self) -> bool {
        self.rest & ABOVE_ALPHA != 0
    }

    #[inline]
    pub(crate) fn below_beta(self) -> bool {
        self.rest & BELOW_BETA != 0
    }

    /// Whether the cell belongs to a position that has stood on the board, and must not be
    /// overwritten.
    #[inline]
    pub(crate) fn is_locked(self) -> bool {
        self.rest & DEPTH == DEPTH_PLAYED
    }

    /// Keep the cell as that of a position that has stood on the board.
    pub(crate) fn lock_as_played(&mut self) {
        self.rest = self.rest & !VALUE | DEPTH_PLAYED;
    }

    #[inline]
    pub(crate) fn new(lock: u32, finding: Finding) -> Cell {
        let code = if finding.depth < DECIDED {
            finding.depth.min(DEEPEST_KEPT)
        } else {
            finding.depth - (DECIDED - DEEPEST_KEPT - 1)
        };
        let (from, to) = (u32::from(finding.from), u32::from(finding.to));
        let mut rest = (finding.value.clamp(-LARGEST_VALUE, LARGEST_VALUE) as u32) << 18
            | u32::from(code) << 13
            | (from & 0x70) << 6
            | (from & 7) << 7
            | to >> 3 & 0x1e
            | to >> 2 & 1;
        if finding.above_alpha {
            rest |= ABOVE_ALPHA;
        }
        if finding.below_beta {
            rest |= BELOW_BETA;
        }
        Cell { lock_and_file: lock & !FILE_LOW | (to & 3) << FILE_SHIFT, rest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_eight_bytes() {
        assert_eq!(core::mem::size_of::<Cell>(), 8);
        assert!(!Cell::EMPTY.is_locked() && Cell::EMPTY.to() == 0 && Cell::EMPTY.depth() == 0);
    }

    #[test]
    fn what_is_written_is_read() {
        let squares = || (0..0x78u8).filter(|square| square & 0x88 == 0);
        for (index, from) in squares().enumerate() {
            for to in squares().flat_map(|to| [to, to | ORDINARY]) {
                let depth = if index < 30 { index as u8 } else { DECIDED };
                let finding = Finding {
                    value: 17 * i32::from(to) - 150 * index as i32 + 3000,
                    depth,
                    from,
                    to,
                    above_alpha: index % 2 == 0,
                    below_beta: index % 3 == 0,
                };
                let mut cell = Cell::new(0xdead_beef, finding);
                let read = Finding {
                    value: cell.value(),
                    depth: cell.depth(),
                    from: cell.from(),
                    to: cell.to(),
                    above_alpha: cell.above_alpha(),
                    below_beta: cell.below_beta(),
                };
                assert_eq!(read, finding);
                assert!(cell.fits(0xdead_beef) && !cell.fits(0xdead_beed) && !cell.is_locked());
                cell.lock_as_played();
                assert_eq!((cell.value(), cell.depth(), cell.to(), cell.from()), (0, 99, to, from));
                assert!(cell.is_locked());
            }
        }
    }

    #[test]
    fn great_depths_and_values_keep_to_their_bounds() {
        let mut finding = Finding {
            value: 12_000,
            depth: 97,
            from: 0,
            to: 0,
            above_alpha: true,
            below_beta: true,
        };
        assert_eq!((Cell::new(0, finding).value(), Cell::new(0, finding).depth()), (8191, 29));
        finding.value = -12_000;
        assert_eq!(Cell::new(0, finding).value(), -8191);
    }
}
