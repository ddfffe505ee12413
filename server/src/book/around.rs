//! The positions around a book: where a game is when it has just left it, and where a board must not take one position for another.

use super::{Contents, contents::wire_hash};
use rookery_protocol::PositionHash;
use shakmaty::{Chess, Move, Position};
use std::collections::HashSet;

/// All positions within two moves of a book that are not of the book, by their hashes.
pub(super) struct Around<'a> {
    contents: &'a Contents,
    places: Vec<Place>,
}

/// How a position is come to; small, as there are hundreds of thousands.
struct Place {
    hash: PositionHash,
    known: u32,
    first: u8,
    second: u8,
}

impl<'a> Around<'a> {
    pub(super) fn of(contents: &'a Contents) -> Around<'a> {
        let own: HashSet<PositionHash> =
            contents.positions.iter().map(|known| wire_hash(&known.position)).collect();
        let (mut seen, mut places) = (HashSet::new(), Vec::new());
        let mut add = |position: &Chess, known: usize, first: usize, second: usize| {
            let hash = wire_hash(position);
            if !own.contains(&hash) && seen.insert(hash) {
                let small = |n: usize| u8::try_from(n).expect("a position has 218 moves at most");
                let known = u32::try_from(known).expect("a book has fewer positions");
                places.push(Place { hash, known, first: small(first), second: small(second) });
            }
        };
        for (n, known) in contents.positions.iter().enumerate() {
            for (i, mv) in known.position.legal_moves().into_iter().enumerate() {
                let between = after(&known.position, mv);
                add(&between, n, i, NONE);
                for (j, mv) in between.legal_moves().into_iter().enumerate() {
                    add(&after(&between, mv), n, i, j);
                }
            }
        }
        Around { contents, places }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// The positions for which `suspect` says yes to the hash: there are few, and they are made again.
    pub(super) fn among(
        &self,
        mut suspect: impl FnMut(PositionHash) -> bool,
    ) -> impl Iterator<Item = Chess> {
        self.places.iter().filter(move |place| suspect(place.hash)).map(|place| {
            let known = &self.contents.positions[place.known as usize].position;
            let between = after(known, known.legal_moves()[usize::from(place.first)]);
            match usize::from(place.second) {
                NONE => between,
                second => after(&between, between.legal_moves()[second]),
            }
        })
    }
}

/// No second move: more than any position has.
const NONE: usize = 255;

fn after(position: &Chess, mv: Move) -> Chess {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}
