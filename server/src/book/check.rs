//! What is wrong with a book.

use super::{
    AnalysisError, Analyst, Book, Contents, Known,
    analyst::Question,
    around::Around,
    contents::{from_book, uci, wire_fen, wire_hash},
    walk::Walked,
};
use rookery_book::compact::Compact;
use rookery_protocol::PositionHash;
use shakmaty::{Chess, Move, Position, Square, san::SanPlus};
use std::collections::HashMap;

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No move at all.
    Empty,
    /// A move that its position does not have.
    Illegal {
        /// The position.
        fen: String,
        /// The move's bits as they stand in the file.
        bits: u16,
    },
    /// A `.bin` that is not sorted: other programs do not find all its moves.
    Unsorted(usize),
    /// Moves that stand there more than once.
    Twice(usize),
    /// A position all of whose moves have the weight 0: none is ever played.
    Weightless(String),
    /// Entries whose position was not reached.
    Unreached(usize),
    /// A compact book has a position after one order of moves, and not after another one.
    OneOrder(String),
    /// A position that is not in a compact book, and for which it has a legal move all the same.
    Stray {
        /// The position.
        fen: String,
        /// The move.
        uci: String,
    },
    /// Two positions of the book with the same board hash: a board could have only one of them.
    Clash(String, String),
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Positions that were reached.
    pub positions: usize,
    /// Moves in them.
    pub moves: usize,
    /// Other positions that a compact book was asked for.
    pub strays: usize,
    /// What is good to know, and no fault.
    pub notes: Vec<Finding>,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Checks everything that needs no engine.
#[must_use]
pub fn check(book: &Book, roots: &[Chess]) -> CheckReport {
    let Walked { contents, illegal, reached, twice, strangers } = book.walk(roots);
    let listed = book.listed().unwrap_or(&contents);
    let mut findings = Vec::new();
    findings.extend((book.entries() == 0).then_some(Finding::Empty));
    for (position, bits) in &illegal {
        findings.push(Finding::Illegal { fen: wire_fen(position), bits: *bits });
    }
    if let Some(polyglot) = book.polyglot() {
        let missed = polyglot.entries().len() - reached.min(polyglot.entries().len());
        findings.extend((polyglot.unsorted() > 0).then(|| Finding::Unsorted(polyglot.unsorted())));
        let twice = polyglot.merged() + twice;
        findings.extend((twice > 0).then_some(Finding::Twice(twice)));
        findings.extend((missed > 0).then_some(Finding::Unreached(missed)));
    }
    for known in &listed.positions {
        if known.moves.iter().all(|m| m.weight == 0) {
            findings.push(Finding::Weightless(wire_fen(&known.position)));
        }
    }
    findings.extend(clashes(listed));
    let mut strays = 0;
    if let Some(compact) = book.compact() {
        let reached = listed.positions.len();
        let missed = compact.len().saturating_sub(reached);
        findings.extend((missed > 0).then_some(Finding::Unreached(missed)));
        findings.extend(astray(&compact, listed, &mut strays));
    }
    let (positions, moves) = (listed.positions.len(), listed.move_count());
    let notes = strangers.iter().map(|p| Finding::OneOrder(wire_fen(p))).collect();
    CheckReport { positions, moves, strays, notes, findings }
}

fn clashes(contents: &Contents) -> Vec<Finding> {
    let mut seen: HashMap<PositionHash, &Chess> = HashMap::new();
    let mut findings = Vec::new();
    for known in &contents.positions {
        if let Some(other) = seen.insert(wire_hash(&known.position), &known.position) {
            findings.push(Finding::Clash(wire_fen(other), wire_fen(&known.position)));
        }
    }
    findings
}

/// Asks a compact book for the positions around it.
fn astray(compact: &Compact<'_>, contents: &Contents, asked: &mut usize) -> Vec<Finding> {
    let around = Around::of(contents);
    *asked = around.len();
    let hits = around.among(|hash| compact.probe(hash).is_some());
    let stray = |position: Chess| {
        let mv = from_book(&position, compact.probe(wire_hash(&position))?)?;
        Some(Finding::Stray { fen: wire_fen(&position), uci: uci(mv) })
    };
    hits.filter_map(stray).collect()
}

/// A move of the book that loses more than it may.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blunder {
    /// The line to the position.
    pub line: String,
    /// The position.
    pub fen: String,
    /// The book's move, in SAN.
    pub san: String,
    /// What it loses against the best move, in centipawns.
    pub loss: i32,
    /// The best move, in SAN.
    pub best: String,
}

/// Has every move judged that can be played; `each` is called with how many positions are judged and how many there are.
///
/// # Errors
/// [`AnalysisError`]
pub async fn blunders(
    contents: &Contents,
    threshold: i32,
    analyst: &mut Analyst,
    each: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Vec<Blunder>, AnalysisError> {
    // First the positions of the book, then those after its moves, as far as the game goes on there.
    let mut questions: Vec<Question> = contents.positions.iter().map(question).collect();
    let mut after: Vec<(usize, Move, Option<usize>)> = Vec::new();
    for (index, known) in contents.positions.iter().enumerate() {
        for m in known.moves.iter().filter(|m| m.weight > 0) {
            let mut position = known.position.clone();
            position.play_unchecked(m.mv);
            let place = (!position.is_game_over()).then_some(questions.len());
            questions.extend(place.map(|_| Question { position, width: 1 }));
            after.push((index, m.mv, place));
        }
    }
    let (mut done, total) = (0, questions.len());
    let judged = analyst
        .judge(&questions, || {
            done += 1;
            each(done, total);
        })
        .await?;
    let mut blunders = Vec::new();
    for (index, mv, question) in after {
        let known = &contents.positions[index];
        let best = &judged[index][0];
        let best_move: Option<Move> = super::contents::legal(&known.position, &best.uci);
        let mut position = known.position.clone();
        position.play_unchecked(mv);
        let score = match question {
            Some(question) => -judged[question][0].cp,
            None if position.is_checkmate() => 32_000,
            None => 0,
        };
        let loss = best.cp - score;
        if loss > threshold && best_move != Some(mv) {
            let san = |mv| SanPlus::from_move(known.position.clone(), mv).to_string();
            blunders.push(Blunder {
                line: contents.line_text(known),
                fen: wire_fen(&known.position),
                san: san(mv),
                loss,
                best: best_move.map_or_else(|| best.uci.clone(), san),
            });
        }
    }
    blunders.sort_by_key(|blunder| std::cmp::Reverse(blunder.loss));
    Ok(blunders)
}

fn question(known: &Known) -> Question {
    Question { position: known.position.clone(), width: 1 }
}

/// The squares that a move's bits name.
fn bits_text(bits: u16) -> String {
    let square = |n: u16| Square::new(u32::from(n & 63));
    format!("{}{}", square(bits >> 6), square(bits))
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Finding::Empty => f.write_str("the book is empty"),
            Finding::Illegal { fen, bits } => {
                write!(f, "'{}' ({bits:#06x}) is not legal in '{fen}'", bits_text(*bits))
            }
            Finding::Unsorted(n) => write!(
                f,
                "{n} entries stand before one with a smaller key: other programs do not find all moves; 'book convert' sorts them"
            ),
            Finding::Twice(n) => {
                write!(f, "{n} entries say again what another one says; 'book convert' merges them")
            }
            Finding::Weightless(fen) => {
                write!(f, "no move of '{fen}' has a weight: none is ever played")
            }
            Finding::Unreached(n) => write!(
                f,
                "{n} entries were not reached from the roots: add roots with --root, or see whether the keys are foreign with --diagnose"
            ),
            Finding::OneOrder(fen) => {
                write!(f, "'{fen}' is known after another order of moves, but not as it stands")
            }
            Finding::Stray { fen, uci } => {
                write!(f, "'{fen}' is not of the book and gets {uci} all the same")
            }
            Finding::Clash(one, other) => {
                write!(f, "'{one}' and '{other}' have the same board hash")
            }
        }
    }
}
