//! By which mistake a foreign book was made: its keys are compared with those of positions near the start, made in every way there is.

use super::file::placement;
use rookery_book::polyglot::{Book, Convention, EnPassant, Layout};
use shakmaty::{Chess, Position};
use std::collections::{HashMap, HashSet};

/// More positions than this are not looked at.
const MOST: usize = 60_000;

/// One way of making keys, and how well it explains a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The way.
    pub convention: Convention,
    /// The keys are the lower halves of Polyglot's.
    pub lower_half: bool,
    /// How many different keys of the book are those of a position near the start.
    pub hits: usize,
}

impl Diagnosis {
    /// What is not as the format says, in words.
    #[must_use]
    pub fn departures(&self) -> Vec<&'static str> {
        let Convention {
            layout,
            ranks_flipped,
            colours_swapped,
            turn_swapped,
            castling,
            en_passant,
        } = self.convention;
        [
            (self.lower_half, "the keys are only the lower 32 bits"),
            (
                layout == Layout::Blocks,
                "the table is dealt out by colour, then the side to move, castling, en passant",
            ),
            (ranks_flipped, "the ranks are counted from the eighth"),
            (colours_swapped, "White's and Black's numbers are swapped"),
            (turn_swapped, "the side to move counts for Black instead of White"),
            (!castling, "castling rights do not count"),
            (en_passant == EnPassant::Always, "the en passant file counts after every double step"),
            (en_passant == EnPassant::Never, "the en passant file never counts"),
        ]
        .into_iter()
        .filter_map(|(departs, words)| departs.then_some(words))
        .collect()
    }
}

/// Tries all conventions: the book's own tree is followed as far as it goes, from all positions up to `plies` from the roots on. The best
/// comes first; of equal ones the one with the fewest departures. Also gives the number of different keys in the book.
#[must_use]
pub fn diagnose(book: &Book, roots: &[Chess], plies: usize) -> (Vec<Diagnosis>, usize) {
    let keys: HashSet<u64> = book.entries().iter().map(|entry| entry.key).collect();
    let lower_half = !keys.is_empty() && keys.iter().all(|key| *key <= u64::from(u32::MAX));
    let near = near(roots, plies);
    let placements: Vec<_> = near.iter().map(placement).collect();
    let mut found: Vec<Diagnosis> = Convention::all()
        .map(|convention| {
            let key = |p| {
                let key = convention.key(p);
                if lower_half { key & u64::from(u32::MAX) } else { key }
            };
            let hits: HashSet<u64> =
                placements.iter().map(key).filter(|k| keys.contains(k)).collect();
            Diagnosis { convention, lower_half, hits: hits.len() }
        })
        .collect();
    found.sort_by_key(|d| (std::cmp::Reverse(d.hits), d.departures().len()));
    (found, keys.len())
}

/// All positions within so many plies, as long as there are not too many: the last ply may be incomplete.
fn near(roots: &[Chess], plies: usize) -> Vec<Chess> {
    let mut seen: HashMap<u128, ()> = HashMap::new();
    let mut all: Vec<Chess> = Vec::new();
    let mut level: Vec<Chess> = roots.to_vec();
    for ply in 0..=plies {
        level.retain(|p| seen.insert(super::contents::id(p), ()).is_none());
        level.truncate(MOST.saturating_sub(all.len()));
        all.extend(level.iter().cloned());
        if ply == plies || all.len() >= MOST {
            break;
        }
        let after = |position: &Chess| {
            let position = position.clone();
            position.legal_moves().into_iter().map(move |mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                next
            })
        };
        level = level.iter().flat_map(after).collect();
    }
    all
}
