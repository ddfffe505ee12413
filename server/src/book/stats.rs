//! What is in a book, in numbers.

use super::{
    Contents,
    contents::{to_book, wire_hash},
};
use rookery_book::{
    compact::{self, HEADER_BYTES, REGION_BYTES},
    polyglot::ENTRY_BYTES,
};
use serde::Serialize;
use shakmaty::{Position, san::SanPlus};
use std::collections::BTreeMap;

/// Numbers of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Positions that it knows.
    pub positions: usize,
    /// Moves in them.
    pub moves: usize,
    /// Positions with White to move.
    pub white: usize,
    /// Positions with Black to move.
    pub black: usize,
    /// Positions by the first move of their lines, in SAN; `-` for the roots themselves.
    pub by_first_move: BTreeMap<String, usize>,
    /// Positions by the opening that they belong to, its variation left out; `-` for those without a name.
    pub by_opening: BTreeMap<String, usize>,
    /// Positions by the plies to them.
    pub by_ply: BTreeMap<usize, usize>,
    /// Bytes as a `.bin`.
    pub bytes_polyglot: usize,
    /// Bytes on a board.
    pub bytes_compact: usize,
    /// Bytes that a board has for it.
    pub bytes_of_board: usize,
}

impl Stats {
    /// Counts.
    #[must_use]
    pub fn of(contents: &Contents) -> Stats {
        let mut stats = Stats {
            positions: contents.positions.len(),
            moves: contents.move_count(),
            bytes_of_board: REGION_BYTES,
            ..Stats::default()
        };
        for known in &contents.positions {
            if known.position.turn().is_white() {
                stats.white += 1;
            } else {
                stats.black += 1;
            }
            let root = &contents.roots[known.root];
            let first = known.line.first().map(|mv| SanPlus::from_move(root.clone(), *mv));
            let first = first.map_or_else(|| "-".to_owned(), |san| san.to_string());
            *stats.by_first_move.entry(first).or_default() += 1;
            let name = contents.eco(known).map_or("-", |eco| eco.name);
            let name = name.split(':').next().unwrap_or(name).to_owned();
            *stats.by_opening.entry(name).or_default() += 1;
            *stats.by_ply.entry(known.line.len()).or_default() += 1;
        }
        stats.bytes_polyglot = stats.moves * ENTRY_BYTES;
        stats.bytes_compact = compact_len(contents);
        stats
    }
}

/// What fits is as long as it will be on a board; what does not is told how much it would need.
fn compact_len(contents: &Contents) -> usize {
    const UNLIMITED: usize = 1 << 20;
    let mut moves: Vec<_> = contents
        .positions
        .iter()
        .map(|known| (wire_hash(&known.position), to_book(known.moves[0].mv)))
        .collect();
    moves.sort_unstable();
    moves.dedup_by_key(|(hash, _)| *hash);
    let built = [REGION_BYTES, UNLIMITED]
        .into_iter()
        .find_map(|limit| compact::build(&moves, limit, |_| true).ok());
    built.map_or(HEADER_BYTES + moves.len() * 4, |built| built.bytes.len())
}
