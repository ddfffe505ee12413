//! The form for a chip: one move for a position, four bytes an entry.
//!
//! | offset | bytes | |
//! |---|---|---|
//! | 0 | 3 | `RKB` |
//! | 3 | 1 | version, 1 |
//! | 4 | 4 | CRC-32 (IEEE 802.3) of everything behind it |
//! | 8 | 2 | number of entries |
//! | 10 | 2 | bits 0-3: directory bits *d*, 2 to 13; bits 4-15: salt |
//! | 12 | 2^*d* | directory: how many entries each bucket has, a byte each |
//! | 12 + 2^*d* | 4 each | entries, bucket by bucket, sorted within: 19 bits of key, 13 bits of move |
//!
//! Numbers are little-endian. What follows the last entry is not looked at: in flash it is the rest
//! of the region. Erased flash (all `ff`) is no book.
//!
//! **Key.** `hash * (0x9e3779b1 + 2 * salt)`, modulo 2^32, of the position's
//! [`PositionHash`](rookery_protocol::PositionHash). Its topmost *d* bits are the bucket, the next 19
//! stand in the entry: *d* + 19 bits tell positions apart, 25 to 27 in a book of some 1,000. The salt is
//! the builder's choice: it takes the first with which all entries differ and no position of a sample
//! is taken for one of the book (see [`build()`]).
//!
//! **Move.** Bits 0-5 are the square it goes to, 6-11 the one it comes from; castling is the king's
//! move. With bit 12 it is a promotion: bits 0-2 are then the file it goes to and bits 3-4 the new
//! piece, knight 0 to queen 3; the rank is the last one on the side that it comes from.
//!
//! A position that the book does not have can still meet a key: about once in 2^(*d* + 19) / entries
//! probes. The move must be checked for legality before it is played, which it seldom is then.

#[cfg(feature = "alloc")]
mod build;
mod reader;

#[cfg(feature = "alloc")]
pub use build::{BuildError, Built, build, fits};
pub use reader::{Compact, CompactError};

use crate::{BookMove, Promotion};

/// What a book begins with; the byte after it is the version.
pub const MAGIC: [u8; 3] = *b"RKB";
/// The version of the format.
pub const VERSION: u8 = 1;
/// The length of what stands before the directory.
pub const HEADER_BYTES: usize = 12;
/// The flash region of a board: the largest book that it can carry.
pub const REGION_BYTES: usize = 4096;

const KEY_BITS: u32 = 19;
const MOVE_BITS: u32 = 13;
const PROMOTES: u32 = 1 << 12;
const DIRECTORY_BITS: core::ops::RangeInclusive<u8> = 2..=13;

/// The whole key, of which the topmost bits count.
const fn mix(hash: u32, salt: u16) -> u32 {
    hash.wrapping_mul(0x9e37_79b1 + 2 * salt as u32)
}

const fn read_move(bits: u32) -> BookMove {
    let (from, to) = ((bits >> 6 & 63) as u8, (bits & 63) as u8);
    if bits & PROMOTES == 0 {
        return BookMove { from, to, promotion: None };
    }
    let last_rank = if from < 32 { 0 } else { 56 };
    let promotion = Some(Promotion::from_number(bits as u16 >> 3));
    BookMove { from, to: last_rank | to & 7, promotion }
}

#[cfg(feature = "alloc")]
fn write_move(mv: BookMove) -> u32 {
    let from = u32::from(mv.from()) << 6;
    match mv.promotion() {
        None => from | u32::from(mv.to()),
        Some(promotion) => PROMOTES | from | (promotion as u32) << 3 | u32::from(mv.to() & 7),
    }
}

/// CRC-32 (IEEE 802.3), bit by bit: the chip does it once, and has no room for a table.
#[must_use]
pub const fn crc32(mut bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    while let [byte, rest @ ..] = bytes {
        crc ^= *byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        bytes = rest;
    }
    !crc
}
