//! Making a compact book.

use alloc::vec::Vec;

use rookery_protocol::PositionHash;

use super::{Compact, DIRECTORY_BITS, HEADER_BYTES, KEY_BITS, MAGIC, MOVE_BITS, VERSION};
use super::{crc32, mix, write_move};
use crate::BookMove;

/// So many salts there are: all are tried with the largest directory that there is room for.
const SALTS: u16 = 1 << 12;
/// So many are tried where a larger directory, and with it a longer key, fits as well.
const FEW: u16 = 64;

/// A compact book and what it took to make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Built {
    /// The book.
    pub bytes: Vec<u8>,
    /// How many bits of a key tell positions apart.
    pub key_bits: u32,
    /// How many salts were tried.
    pub tried: u32,
}

/// Why there is no compact book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// Two positions have the same hash.
    #[error("the positions of {first} and {second} have the same hash, {hash}: leave one out")]
    SameHash {
        /// The hash.
        hash: PositionHash,
        /// The one's move.
        first: BookMove,
        /// The other's.
        second: BookMove,
    },
    /// Too many positions.
    #[error("{count} positions do not fit: {most} fit into {limit} bytes, take fewer of them")]
    TooMany {
        /// How many there are.
        count: usize,
        /// How many can be.
        most: usize,
        /// The bytes there are.
        limit: usize,
    },
    /// No salt does.
    #[error(
        "no salt keeps all positions apart in {limit} bytes: allow more bytes or take fewer positions"
    )]
    NoSalt {
        /// The bytes there are.
        limit: usize,
    },
}

/// Builds a book of at most `limit` bytes; the order of the moves does not matter.
///
/// Keys are made as long as a quarter of a byte for each entry allows, and longer where that is not
/// enough: `accept` says whether a book will do, and probes it for that with positions that it must not
/// know.
///
/// # Errors
/// [`BuildError`]
pub fn build(
    moves: &[(PositionHash, BookMove)],
    limit: usize,
    mut accept: impl FnMut(&Compact<'_>) -> bool,
) -> Result<Built, BuildError> {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves.dedup();
    if let Some(pair) = moves.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        let (hash, first, second) = (pair[0].0, pair[0].1, pair[1].1);
        return Err(BuildError::SameHash { hash, first, second });
    }
    fits(moves.len(), limit)?;
    // A bucket counts its entries in a byte.
    let spread = |bits: &u8| moves.len() <= 128 << bits;
    let generous = (moves.len() / 4).max(4).ilog2() as u8;
    let fitting = DIRECTORY_BITS.filter(spread).filter(|bits| room(limit, *bits) >= moves.len());
    let largest = fitting.clone().max();
    let from = fitting.clone().filter(|bits| *bits <= generous).max();
    let mut tried = 0;
    for bits in fitting.filter(|bits| from.is_none_or(|from| *bits >= from)) {
        for salt in 0..if Some(bits) == largest { SALTS } else { FEW } {
            tried += 1;
            let Some(bytes) = lay_out(&moves, bits, salt) else { continue };
            let book = Compact::open(&bytes).expect("what was just built is a book");
            if accept(&book) {
                let key_bits = book.key_bits();
                return Ok(Built { bytes, key_bits, tried });
            }
        }
    }
    Err(BuildError::NoSalt { limit })
}

/// Whether so many positions can be in a book of `limit` bytes, whatever they are: cheap to ask before they are looked at.
///
/// # Errors
/// [`BuildError::TooMany`]
pub fn fits(count: usize, limit: usize) -> Result<(), BuildError> {
    let most = DIRECTORY_BITS
        .map(|bits| room(limit, bits).min(255 << bits).min(usize::from(u16::MAX)))
        .max()
        .unwrap_or(0);
    if count > most { Err(BuildError::TooMany { count, most, limit }) } else { Ok(()) }
}

fn room(limit: usize, bits: u8) -> usize {
    limit.saturating_sub(HEADER_BYTES + (1 << bits)) / 4
}

/// `None` when two entries have the same key, or a bucket has too many.
fn lay_out(moves: &[(PositionHash, BookMove)], bits: u8, salt: u16) -> Option<Vec<u8>> {
    let mut keyed: Vec<(u32, BookMove)> = moves
        .iter()
        .map(|&(hash, mv)| (mix(hash.0, salt) >> (32 - KEY_BITS - u32::from(bits)), mv))
        .collect();
    keyed.sort_unstable();
    if keyed.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return None;
    }
    let mut directory = alloc::vec![0_u8; 1 << bits];
    for (key, _) in &keyed {
        let count = directory.get_mut((key >> KEY_BITS) as usize)?;
        *count = count.checked_add(1)?;
    }
    let mut checked = Vec::from(u16::try_from(keyed.len()).ok()?.to_le_bytes());
    checked.extend((u16::from(bits) | salt << 4).to_le_bytes());
    checked.extend(directory);
    for (key, mv) in keyed {
        checked.extend((key << MOVE_BITS | write_move(mv)).to_le_bytes());
    }
    let mut bytes = Vec::from(MAGIC);
    bytes.push(VERSION);
    bytes.extend(crc32(&checked).to_le_bytes());
    bytes.extend(checked);
    Some(bytes)
}
