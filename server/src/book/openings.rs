//! Openings for runs out of a book: what the book would play against itself.

use super::{
    Book, BookError, Form,
    contents::{id, uci},
};
use crate::{
    model::{OpeningLine, OpeningOrder},
    openings::{self, OpeningError, OpeningOptions},
};
use rookery_book::polyglot::draw;
use shakmaty::{Chess, Move, Position};
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
    /// legal move that leads back into it is followed there. A line also ends before it would come to one of its positions again.
    #[must_use]
    pub fn openings(&self, options: BookOpenings) -> Vec<OpeningLine> {
        match options.order {
            OpeningOrder::Weighted => (0..options.lines)
                .map(|n| self.drawn(options.plies, options.seed.wrapping_add(n as u64)))
                .filter(|line| !line.moves.is_empty())
                .collect(),
            OpeningOrder::InTurn | OpeningOrder::Best => self.in_turn(options),
        }
    }

    fn drawn(&self, plies: usize, seed: u64) -> OpeningLine {
        let mut path = Following::default();
        while path.moves.len() < plies {
            let replies = path.onward(self.replies(path.end()));
            let weights = replies.iter().map(|(_, weight)| *weight);
            let Some(index) = draw(weights, super::key(path.end()), seed) else { break };
            path.push(replies[index].0);
        }
        path.line()
    }

    /// Depth first. Where another order of moves has led to the same position after as many plies, what follows is known: two orders
    /// are one opening, and a book in which many orders meet is no labyrinth.
    fn in_turn(&self, options: BookOpenings) -> Vec<OpeningLine> {
        let (mut lines, mut ends, mut passed) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut path = Following::default();
        // What is still to be tried at each position of the path. A line may be longer than a stack is deep.
        let mut open = vec![self.onward(&path, options).into_iter()];
        while let Some(moves) = open.last_mut()
            && lines.len() < options.lines
        {
            let Some((mv, _)) = moves.next() else {
                open.pop();
                path.pop();
                continue;
            };
            path.push(mv);
            let onward = self.onward(&path, options);
            let known = !passed.insert((path.moves.len(), id(path.end())));
            if !known && !onward.is_empty() {
                open.push(onward.into_iter());
                continue;
            }
            if !known && ends.insert(id(path.end())) {
                lines.push(path.line());
            }
            path.pop();
        }
        lines
    }

    fn onward(&self, path: &Following, options: BookOpenings) -> Vec<(Move, u16)> {
        if path.moves.len() >= options.plies {
            return Vec::new();
        }
        let mut replies = self.replies(path.end());
        if options.order == OpeningOrder::Best && !self.moves(path.end()).is_empty() {
            replies.truncate(1);
        }
        path.onward(replies)
    }

    /// The book's moves with weights; at the turn of a side for which it has none, all moves that lead back into it.
    fn replies(&self, position: &Chess) -> Vec<(Move, u16)> {
        let own = self.moves(position);
        if !own.is_empty() {
            return own.iter().filter(|m| m.weight > 0).map(|m| (m.mv, m.weight)).collect();
        }
        let leads_back = |mv: &Move| {
            let mut next = position.clone();
            next.play_unchecked(*mv);
            !self.moves(&next).is_empty()
        };
        position.legal_moves().into_iter().filter(leads_back).map(|mv| (mv, 1)).collect()
    }
}

/// A line that is being followed: from the usual start position, no position twice.
struct Following {
    positions: Vec<Chess>,
    ids: HashSet<u128>,
    moves: Vec<Move>,
}

impl Default for Following {
    fn default() -> Following {
        let start = Chess::default();
        Following { ids: HashSet::from([id(&start)]), positions: vec![start], moves: Vec::new() }
    }
}

impl Following {
    fn end(&self) -> &Chess {
        self.positions.last().expect("a path has a beginning")
    }

    fn after(&self, mv: Move) -> Chess {
        let mut next = self.end().clone();
        next.play_unchecked(mv);
        next
    }

    /// Those that lead to a position where the path has not been. A game that begins with a repetition could be drawn before it has begun.
    fn onward(&self, mut replies: Vec<(Move, u16)>) -> Vec<(Move, u16)> {
        replies.retain(|(mv, _)| !self.ids.contains(&id(&self.after(*mv))));
        replies
    }

    fn push(&mut self, mv: Move) {
        let next = self.after(mv);
        self.ids.insert(id(&next));
        self.positions.push(next);
        self.moves.push(mv);
    }

    fn pop(&mut self) {
        if self.moves.pop().is_some()
            && let Some(left) = self.positions.pop()
        {
            self.ids.remove(&id(&left));
        }
    }

    fn line(&self) -> OpeningLine {
        let name = openings::eco::classify(self.positions.iter()).map(|eco| eco.name.to_owned());
        OpeningLine { name, fen: None, moves: self.moves.iter().map(|mv| uci(*mv)).collect() }
    }
}
