//! Openings for runs out of a book: what the book would play against itself.

use super::{Book, BookError, Form, contents::uci, contents::wire_fen};
use crate::{
    model::{OpeningLine, OpeningOrder},
    openings::{self, OpeningError, OpeningOptions},
};
use rookery_book::polyglot::draw;
use shakmaty::{Chess, Position};
use std::{collections::HashSet, path::Path};

/// How openings are taken from a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookOpenings {
    /// Which.
    pub order: OpeningOrder,
    /// Plies of a line at most.
    pub plies: usize,
    /// How many lines are wanted, where they are drawn; and how many there may be otherwise.
    pub lines: usize,
    /// The seed of the draw.
    pub seed: u64,
}

impl Default for BookOpenings {
    fn default() -> BookOpenings {
        BookOpenings { order: OpeningOrder::InTurn, plies: 8, lines: 1_000, seed: 0 }
    }
}

/// Reads a file of openings, be it PGN, EPD or FEN (see [`openings::read`]) or a book.
///
/// # Errors
/// [`OpeningError`]; what is wrong with a book is in it as [`OpeningError::Book`].
pub fn read_openings(
    path: &Path,
    options: OpeningOptions,
    book: BookOpenings,
) -> Result<Vec<OpeningLine>, OpeningError> {
    let is_book = matches!(Form::of_name(path), Some(Form::Polyglot | Form::Compact | Form::Json));
    if !is_book {
        return openings::read(path, options);
    }
    let wrong = |why: BookError| OpeningError::Book { why: why.to_string() };
    let opened = Book::open(path).map_err(wrong)?;
    let book = BookOpenings { plies: options.max_plies.unwrap_or(book.plies), ..book };
    let mut lines = book_openings(&opened, book);
    if lines.is_empty() {
        return Err(OpeningError::Empty { path: path.to_owned() });
    }
    if let (Some(seed), OpeningOrder::InTurn | OpeningOrder::Best) = (options.shuffle, book.order) {
        openings::shuffle(&mut lines, seed);
    }
    Ok(lines)
}

/// The lines of a book that games can begin with: the game is not over at their end.
#[must_use]
pub fn book_openings(book: &Book, options: BookOpenings) -> Vec<OpeningLine> {
    let mut lines = book.openings(options);
    lines.retain(|line| openings::replay(line).is_ok());
    lines
}

impl Book {
    /// Lines from the usual start position that follow the book until it ends. A book of one side alone ends at the other one's turn; any
    /// legal move that leads back into it is followed there.
    #[must_use]
    pub fn openings(&self, options: BookOpenings) -> Vec<OpeningLine> {
        match options.order {
            OpeningOrder::Weighted => (0..options.lines)
                .map(|n| self.drawn(options.plies, options.seed.wrapping_add(n as u64)))
                .filter(|line| !line.moves.is_empty())
                .collect(),
            OpeningOrder::InTurn | OpeningOrder::Best => {
                let mut lines = Vec::new();
                let mut seen = HashSet::new();
                self.follow(&Chess::default(), &mut Vec::new(), options, &mut seen, &mut lines);
                lines
            }
        }
    }

    fn drawn(&self, plies: usize, seed: u64) -> OpeningLine {
        let (mut position, mut passed, mut moves) =
            (Chess::default(), vec![Chess::default()], Vec::new());
        while moves.len() < plies {
            let known = self.replies(&position);
            let weights = known.iter().map(|(_, weight)| *weight);
            let Some(index) = draw(weights, super::key(&position), seed) else { break };
            let mv = known[index].0;
            position.play_unchecked(mv);
            moves.push(uci(mv));
            passed.push(position.clone());
        }
        named(moves, &passed)
    }

    fn follow(
        &self,
        position: &Chess,
        path: &mut Vec<(String, Chess)>,
        options: BookOpenings,
        seen: &mut HashSet<String>,
        lines: &mut Vec<OpeningLine>,
    ) {
        // Two orders of moves to one position are one opening, and so is whatever follows: a book that goes round in circles would have
        // more ways through it than anybody can walk.
        if lines.len() >= options.lines || !seen.insert(wire_fen(position)) {
            return;
        }
        let mut replies = self.replies(position);
        if options.order == OpeningOrder::Best && !self.moves(position).is_empty() {
            replies.truncate(1);
        }
        if replies.is_empty() || path.len() >= options.plies {
            if !path.is_empty() {
                let passed: Vec<Chess> = path.iter().map(|(_, p)| p.clone()).collect();
                lines.push(named(path.iter().map(|(mv, _)| mv.clone()).collect(), &passed));
            }
            return;
        }
        for (mv, _) in replies {
            let mut next = position.clone();
            next.play_unchecked(mv);
            path.push((uci(mv), next.clone()));
            self.follow(&next, path, options, seen, lines);
            path.pop();
        }
    }

    /// The book's moves with weights; at the turn of a side for which it has none, all moves that lead back into it.
    fn replies(&self, position: &Chess) -> Vec<(shakmaty::Move, u16)> {
        let own = self.moves(position);
        if !own.is_empty() {
            return own.iter().filter(|m| m.weight > 0).map(|m| (m.mv, m.weight)).collect();
        }
        let leads_back = |mv: &shakmaty::Move| {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            !self.moves(&next).is_empty()
        };
        position.legal_moves().into_iter().filter(leads_back).map(|mv| (mv, 1)).collect()
    }
}

fn named(moves: Vec<String>, passed: &[Chess]) -> OpeningLine {
    let name = openings::eco::classify(passed.iter()).map(|eco| eco.name.to_owned());
    OpeningLine { name, fen: None, moves }
}
