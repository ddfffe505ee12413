//! What is in a book: positions, and the moves to play in them.

use crate::openings::eco::{self, Eco};
use rookery_book::{BookMove, Promotion};
use rookery_protocol::PositionHash;
use shakmaty::{
    Chess, EnPassantMode, Move, Position, Role, Square,
    fen::Fen,
    san::SanPlus,
    uci::UciMove,
    zobrist::{Zobrist64, Zobrist128},
};
use std::{
    cmp::{Ordering, Reverse},
    collections::BTreeMap,
};

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighted {
    /// The move.
    pub mv: Move,
    /// How often it is to be played among the moves of its position; 0 is never.
    pub weight: u16,
    /// What the engine that made the book said of it, in centipawns from the mover's side.
    pub cp: Option<i32>,
}

/// A position that a book knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The position.
    pub position: Chess,
    /// Which of the roots the line begins at.
    pub root: usize,
    /// A shortest line to it.
    pub line: Vec<Move>,
    /// Its moves, the heaviest first; never empty.
    pub moves: Vec<Weighted>,
}

/// Where lines begin.
pub type Root = Chess;

/// Positions with their moves, each position once, those nearer to a root first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Where lines begin: the usual start position where nothing else is said.
    pub roots: Vec<Root>,
    /// The positions.
    pub positions: Vec<Known>,
}

impl Default for Contents {
    fn default() -> Contents {
        Contents { roots: vec![Chess::default()], positions: Vec::new() }
    }
}

impl Contents {
    /// How many moves there are in all positions together.
    #[must_use]
    pub fn move_count(&self) -> usize {
        self.positions.iter().map(|known| known.moves.len()).sum()
    }

    /// The positions along a line, its root first.
    pub fn along(&self, known: &Known) -> Vec<Chess> {
        let mut all = vec![self.roots[known.root].clone()];
        for mv in &known.line {
            let mut next = all[all.len() - 1].clone();
            next.play_unchecked(*mv);
            all.push(next);
        }
        all
    }

    /// The opening that a position belongs to.
    #[must_use]
    pub fn eco(&self, known: &Known) -> Option<Eco> {
        eco::classify(self.along(known).iter())
    }

    /// A line in SAN with move numbers.
    #[must_use]
    pub fn line_text(&self, known: &Known) -> String {
        movetext(&self.roots[known.root], &known.line, |_| ())
    }
}

/// Gathers moves by position, whatever order they come in.
#[derive(Debug, Default)]
pub(super) struct Gather {
    roots: Vec<Root>,
    positions: BTreeMap<u128, Known>,
}

impl Gather {
    pub(super) fn new(roots: Vec<Root>) -> Gather {
        Gather { roots, positions: BTreeMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    /// The weight of a move that is there already grows. The shorter line wins.
    pub(super) fn add(&mut self, position: &Chess, root: usize, line: &[Move], mv: Weighted) {
        let known = self.positions.entry(id(position)).or_insert_with(|| Known {
            position: position.clone(),
            root,
            line: line.to_vec(),
            moves: Vec::new(),
        });
        if line.len() < known.line.len() {
            (known.position, known.root) = (position.clone(), root);
            known.line = line.to_vec();
        }
        add(&mut known.moves, mv);
    }

    pub(super) fn finish(self) -> Contents {
        let mut positions: Vec<Known> = self.positions.into_values().collect();
        for known in &mut positions {
            known.moves.sort_by_key(|m| (Reverse(m.weight), uci(m.mv)));
        }
        positions.sort_by(|a, b| {
            let before = (a.line.len(), a.root).cmp(&(b.line.len(), b.root));
            before.then_with(|| in_words(&a.line, &b.line))
        });
        Contents { roots: self.roots, positions }
    }
}

/// Moves in SAN with their numbers; `passed` is told of the position after each.
pub(super) fn movetext(root: &Chess, line: &[Move], mut passed: impl FnMut(&Chess)) -> String {
    let mut position = root.clone();
    let mut words = Vec::new();
    for (n, mv) in line.iter().enumerate() {
        let number = position.fullmoves();
        if position.turn().is_white() {
            words.push(format!("{number}."));
        } else if n == 0 {
            words.push(format!("{number}..."));
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, *mv).to_string());
        passed(&position);
    }
    words.join(" ")
}

/// Lines in the order of their words in UCI notation, without the words: there may be hundreds of thousands of lines.
pub(super) fn in_words(one: &[Move], other: &[Move]) -> Ordering {
    // Squares in the order of their names: by file, then by rank. No promotion comes before any.
    let square = |square: Square| (square.file(), square.rank());
    let word = |mv: &Move| match UciMove::from_standard(*mv) {
        UciMove::Normal { from, to, promotion } => {
            Some((square(from), square(to), promotion.map(Role::char)))
        }
        UciMove::Put { .. } | UciMove::Null => None,
    };
    one.iter().map(word).cmp(other.iter().map(word))
}

/// A move is there once: its weight grows where it comes again, as castling can in a `.bin`, which has two notations for it.
pub(super) fn add(moves: &mut Vec<Weighted>, mv: Weighted) {
    match moves.iter_mut().find(|other| other.mv == mv.mv) {
        Some(other) => {
            other.weight = other.weight.saturating_add(mv.weight);
            other.cp = other.cp.or(mv.cp);
        }
        None => moves.push(mv),
    }
}

/// Polyglot's key of a position.
#[must_use]
pub fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// What tells positions apart that boards tell apart.
pub(super) fn id(position: &Chess) -> u128 {
    position.zobrist_hash::<Zobrist128>(EnPassantMode::Always).0
}

/// A position as boards hash it: the en passant square after every double step.
#[must_use]
pub fn wire_fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}

/// The hash by which a board knows a position.
#[must_use]
pub fn wire_hash(position: &Chess) -> PositionHash {
    PositionHash::of_fen(&wire_fen(position))
}

/// A move in UCI notation, castling as the king's two steps.
#[must_use]
pub fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

/// The move of a text in UCI notation, if the position has it.
#[must_use]
pub fn legal(position: &Chess, text: &str) -> Option<Move> {
    text.parse::<UciMove>().ok()?.to_move(position).ok()
}

pub(super) fn to_book(mv: Move) -> BookMove {
    uci(mv).parse().expect("a legal move has the form of one")
}

/// The move that a book means, if the position has it.
pub(super) fn from_book(position: &Chess, mv: BookMove) -> Option<Move> {
    let promotion = mv.promotion().map(|promotion| match promotion {
        Promotion::Knight => Role::Knight,
        Promotion::Bishop => Role::Bishop,
        Promotion::Rook => Role::Rook,
        Promotion::Queen => Role::Queen,
    });
    let square = |index: u8| shakmaty::Square::new(u32::from(index));
    let uci = UciMove::Normal { from: square(mv.from()), to: square(mv.to()), promotion };
    uci.to_move(position).ok()
}
