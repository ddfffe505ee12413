//! Contents as a board carries them.

use super::{
    Contents,
    around::Around,
    contents::{from_book, to_book, wire_hash},
};
use crate::model::Pick;
use rookery_book::{
    BookMove,
    compact::{self, BuildError},
};
use rookery_protocol::PositionHash;
use std::collections::HashSet;

/// Why there is no compact book.
#[derive(Debug, thiserror::Error)]
pub enum CompactError {
    /// It does not fit, or its keys are not told apart.
    #[error("no compact book can be made: {0}")]
    Build(#[from] BuildError),
    /// Nothing is in it.
    #[error("no compact book can be made: there is no position in it that has a move")]
    Empty,
}

/// A compact book, and what was proved of it.
#[derive(Clone, Debug)]
pub struct CompactReport {
    /// The book.
    pub bytes: Vec<u8>,
    /// How many positions it has.
    pub positions: usize,
    /// How many bits tell positions apart.
    pub key_bits: u32,
    /// How many positions within two moves of it were asked for, and gave no legal move.
    pub strays: usize,
    /// Positions that were left out since another one has the same hash.
    pub clashes: usize,
}

/// Makes a compact book of at most `limit` bytes, with one move for a position: the best, or one that is drawn by the seed.
///
/// # Errors
/// [`CompactError`]
pub fn compact(
    contents: &Contents,
    pick: Pick,
    seed: u64,
    limit: usize,
) -> Result<CompactReport, CompactError> {
    let mut moves: Vec<(PositionHash, BookMove)> = Vec::new();
    let mut hashes = HashSet::new();
    let mut clashes = 0;
    // Those nearer to a root come first and stay.
    for known in &contents.positions {
        let Some(mv) = pick.choose(&known.moves, &known.position, seed) else { continue };
        let hash = wire_hash(&known.position);
        if hashes.insert(hash) {
            moves.push((hash, to_book(mv)));
        } else {
            clashes += 1;
        }
    }
    if moves.is_empty() {
        return Err(CompactError::Empty);
    }
    // Before the positions around are found: of a large book they would be millions.
    compact::fits(moves.len(), limit)?;
    let around = Around::of(contents);
    let built = compact::build(&moves, limit, |book| {
        let hits = around.among(|hash| book.probe(hash).is_some());
        hits.into_iter().all(|position| {
            let mv = book.probe(wire_hash(&position));
            mv.is_none_or(|mv| from_book(&position, mv).is_none())
        })
    })?;
    let (bytes, key_bits) = (built.bytes, built.key_bits);
    Ok(CompactReport { bytes, positions: moves.len(), key_bits, strays: around.len(), clashes })
}
