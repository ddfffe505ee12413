//! One position of a book, as somebody who walks through it wants to see it.

use super::{Book, contents::id};
use crate::openings::eco::{self, Eco};
use shakmaty::{Chess, Move, Position};

/// A move of a book's position.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its weight. `None`: the book has no move here, and this one leads to a position in which it has.
    pub weight: Option<u16>,
    /// How much of all weights of the position this is, 0 to 1.
    pub share: Option<f64>,
    /// What the engine that made the book said of it, in centipawns from the mover's side.
    pub cp: Option<i32>,
    /// The position after it.
    pub after: Chess,
    /// The name of that position, where it has one of its own.
    pub opening: Option<Eco>,
    /// Whether the line goes on in the book after it: by a move of the book's, or by one that leads back into it.
    pub goes_on: bool,
}

/// The moves of a position, the heaviest first; where the book has none, as at the other side's turn in a book of one side, the moves that
/// lead back into it.
#[must_use]
pub fn explore(book: &Book, position: &Chess) -> Vec<BookMove> {
    let own = book.moves(position);
    let total: f64 = own.iter().map(|m| f64::from(m.weight)).sum();
    let scores = book.scores(position);
    let seen = |mv: Move, weight: Option<u16>| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        BookMove {
            mv,
            weight,
            share: weight.filter(|_| total > 0.0).map(|weight| f64::from(weight) / total),
            cp: scores.iter().find(|(scored, _)| *scored == mv).map(|(_, cp)| *cp),
            opening: eco::name(&after),
            goes_on: goes_on(book, &after),
            after,
        }
    };
    if own.is_empty() {
        return leading_back(book, position).map(|mv| seen(mv, None)).collect();
    }
    own.iter().map(|m| seen(m.mv, Some(m.weight))).collect()
}

fn goes_on(book: &Book, position: &Chess) -> bool {
    !book.moves(position).is_empty() || leading_back(book, position).next().is_some()
}

fn leading_back<'a>(book: &'a Book, position: &'a Chess) -> impl Iterator<Item = Move> + 'a {
    position.legal_moves().into_iter().filter(|mv| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        !book.moves(&after).is_empty()
    })
}

impl Book {
    /// What is known of the scores of a position's moves.
    fn scores(&self, position: &Chess) -> Vec<(Move, i32)> {
        let Some(contents) = self.listed() else { return Vec::new() };
        let wanted = id(position);
        let known = contents.positions.iter().find(|known| id(&known.position) == wanted);
        let moves = known.into_iter().flat_map(|known| &known.moves);
        moves.filter_map(|m| Some((m.mv, m.cp?))).collect()
    }
}
