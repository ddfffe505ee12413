//! Contents as a board carries them.

use super::{
    Contents,
    contents::{from_book, to_book, wire_hash},
};
use crate::model::Pick;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rookery_book::{
    BookMove,
    compact::{self, BuildError},
};
use rookery_protocol::PositionHash;
use shakmaty::{Chess, Position};
use std::collections::{HashMap, HashSet};

/// Positions that a book must not take for its own: as many as are reached from it, and so many more from games at random.
const STRAYS: usize = 100_000;
const SEED: u64 = 2026;

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
    /// How many other positions were asked for, and gave no legal move.
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
    let strays = strays(contents, &hashes);
    let built = compact::build(&moves, limit, |book| {
        strays.iter().all(|(hash, position)| {
            book.probe(*hash).is_none_or(|mv| from_book(position, mv).is_none())
        })
    })?;
    let (bytes, key_bits) = (built.bytes, built.key_bits);
    Ok(CompactReport { bytes, positions: moves.len(), key_bits, strays: strays.len(), clashes })
}

/// Positions that games from the book reach: all that are one move away from it, then games at random from there on.
fn strays(contents: &Contents, own: &HashSet<PositionHash>) -> HashMap<PositionHash, Chess> {
    let mut strays = HashMap::new();
    let mut add = |position: &Chess| {
        let hash = wire_hash(position);
        if !own.contains(&hash) {
            strays.entry(hash).or_insert_with(|| position.clone());
        }
        strays.len()
    };
    let mut starts: Vec<Chess> = contents.roots.clone();
    for known in &contents.positions {
        for mv in known.position.legal_moves() {
            let mut next = known.position.clone();
            next.play_unchecked(mv);
            add(&next);
            starts.push(next);
        }
    }
    // A small book needs no more than a large one for each of its positions.
    let wanted = STRAYS.min(contents.positions.len() * 100) + starts.len();
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut below = |n: usize| ((u128::from(random.next_u64()) * n as u128) >> 64) as usize;
    for _ in 0..wanted {
        let mut position = starts[below(starts.len())].clone();
        for _ in 0..40 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[below(moves.len())]);
            if add(&position) >= wanted {
                return strays;
            }
        }
    }
    strays
}
