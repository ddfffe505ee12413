//! By which mistake a foreign book was made: keys are made in every way there is, and the way with which the book's own tree can be
//! followed farthest is the one. Its moves are not needed for that, and may be as wrong.

use super::{contents::id, file::placement};
use rookery_book::polyglot::{Book, Convention, EnPassant, Layout};
use shakmaty::{Chess, Position};
use std::collections::{HashSet, VecDeque};

/// So many positions are looked at for each way, at most.
const MOST: usize = 50_000;

/// One way of making keys, and how well it explains a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// The way.
    pub convention: Convention,
    /// The keys are the lower halves of Polyglot's.
    pub lower_half: bool,
    /// How many different keys of the book are those of a position that its tree leads to.
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

/// Tries all conventions. The best comes first; of equal ones the one with the fewest departures. Also gives the number of different keys
/// in the book.
#[must_use]
pub fn diagnose(book: &Book, roots: &[Chess]) -> (Vec<Diagnosis>, usize) {
    let keys: HashSet<u64> = book.entries().iter().map(|entry| entry.key).collect();
    let lower_half = !keys.is_empty() && keys.iter().all(|key| *key <= u64::from(u32::MAX));
    let mut found: Vec<Diagnosis> = Convention::all()
        .map(|convention| {
            let hits = follow(&keys, roots, |position| {
                let key = convention.key(&placement(position));
                if lower_half { key & u64::from(u32::MAX) } else { key }
            });
            Diagnosis { convention, lower_half, hits }
        })
        .collect();
    found.sort_by_key(|d| (std::cmp::Reverse(d.hits), d.departures().len()));
    (found, keys.len())
}

/// How many keys are reached. A position leads on when the book has it, and when the one before it is the book's (a book of one side has
/// nothing for the other) or a root.
fn follow(keys: &HashSet<u64>, roots: &[Chess], key: impl Fn(&Chess) -> u64) -> usize {
    let (mut seen, mut hits) = (HashSet::new(), HashSet::new());
    let mut queue: VecDeque<(Chess, bool)> =
        roots.iter().map(|root| (root.clone(), true)).collect();
    while let Some((position, after_hit)) = queue.pop_front() {
        if seen.len() >= MOST {
            break;
        }
        // One that led nowhere may lead on when it is come upon from the book.
        if !seen.insert((id(&position), after_hit)) {
            continue;
        }
        let own = key(&position);
        let hit = keys.contains(&own);
        if hit {
            hits.insert(own);
        }
        if hit || after_hit {
            for mv in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(mv);
                queue.push_back((next, hit));
            }
        }
    }
    hits.len()
}
