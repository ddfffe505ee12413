//! The positions of a book that only knows keys.

use super::{
    Book, Contents, Weighted,
    contents::{Gather, id},
    file::read_move,
};
use shakmaty::{Chess, Move, Position};
use std::collections::{HashSet, VecDeque};

/// What a walk came upon.
pub(super) struct Walked {
    /// The positions that were reached.
    pub(super) contents: Contents,
    /// Entries of a `.bin` whose position was reached, and whose move is not legal there.
    pub(super) illegal: Vec<(Chess, u16)>,
    /// Entries of a `.bin` whose position was reached.
    pub(super) reached: usize,
    /// Entries of a `.bin` that mean the move of another one, in the other notation for castling.
    pub(super) twice: usize,
    /// Positions that the book does not have, though it has the same with another key: a board after another order of moves.
    pub(super) strangers: Vec<Chess>,
}

/// Breadth first. A book of one side has nothing for the other, so every legal move is tried that leads to a position that the book
/// has; the book's own moves are followed in any case.
pub(super) fn walk(book: &Book, roots: &[Chess]) -> Walked {
    let mut gather = Gather::new(roots.to_vec());
    let (mut seen, mut keys) = (HashSet::new(), HashSet::new());
    let (mut illegal, mut unknown) = (Vec::new(), Vec::new());
    let (mut reached, mut twice) = (0, 0);
    let mut queue: VecDeque<(Chess, usize, Vec<Move>)> = VecDeque::new();
    for (index, root) in roots.iter().enumerate() {
        if seen.insert(id(root)) {
            queue.push_back((root.clone(), index, Vec::new()));
        }
    }
    while let Some((position, root, line)) = queue.pop_front() {
        let moves = book.moves(&position);
        if let Some(polyglot) = book.polyglot()
            && keys.insert(super::key(&position))
        {
            let entries = polyglot.find(super::key(&position));
            let before = illegal.len();
            for entry in entries {
                if read_move(&position, entry.mv).is_none() {
                    illegal.push((position.clone(), entry.mv.0));
                }
            }
            reached += entries.len();
            twice += entries.len() - (illegal.len() - before) - moves.len();
        }
        for m in &moves {
            gather.add(&position, root, &line, *m);
        }
        if moves.is_empty() {
            unknown.push(position.clone());
        } else {
            keys.insert(super::key(&position));
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let own = moves.iter().any(|m: &Weighted| m.mv == mv);
            if (own || !book.moves(&next).is_empty()) && seen.insert(id(&next)) {
                let mut line = line.clone();
                line.push(mv);
                queue.push_back((next, root, line));
            }
        }
    }
    let strangers = match book.compact() {
        Some(_) => unknown.into_iter().filter(|p| keys.contains(&super::key(p))).collect(),
        None => Vec::new(),
    };
    Walked { contents: gather.finish(), illegal, reached, twice, strangers }
}
