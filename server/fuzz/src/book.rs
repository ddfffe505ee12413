//! Opening books in every form, and lines as people type them.

use rookery_server::{
    book::{
        Book, BookError, Contents, Form, Stats, check, encode, legal_move, parse_named, parse_root,
        uci, wire_fen,
    },
    model::Pick,
    openings::replay,
};
use shakmaty::{Chess, Position};
use std::path::Path;

/// Contents that are more than this are not written in every form: that takes a while.
const MANY: usize = 300;
/// The same for a board's form, of which is proved what it does two moves around every position.
const MANY_FOR_A_BOARD: usize = 10;

/// Any file as a book, any text as lines: refused with a reason, or read, and written in each form so that it is read as the same.
pub fn file(data: &[u8]) {
    for name in ["a", "a.bin", "a.rkb", "a.json", "a.pgn"] {
        match Book::parse(Path::new(name), data.to_vec()) {
            Ok(book) => opened(&book),
            Err(error) => assert!(error.to_string().contains(name), "{error}"),
        }
    }
    let text = String::from_utf8_lossy(data);
    if let Ok(line) = parse_root(&text) {
        replay(&line).expect("a line that was accepted");
    }
    for line in parse_named(&text).unwrap_or_default() {
        replay(&line).expect("a line that was accepted");
        let row = format!("{} {}", line.name.as_deref().unwrap_or_default(), line.moves.join(" "));
        assert_eq!(parse_named(&row).expect("its own row"), [line], "{row}");
    }
}

fn opened(book: &Book) {
    let contents = book.contents(&[Chess::default()]);
    for known in &contents.positions {
        let along = contents.along(known);
        assert_eq!(along.last().map(wire_fen), Some(wire_fen(&known.position)));
        assert!(!known.moves.is_empty() && known.moves.is_sorted_by(|a, b| a.weight >= b.weight));
        for m in &known.moves {
            assert_eq!(legal_move(&known.position, &uci(m.mv)), Some(m.mv));
        }
        if let Some(mv) = book.pick(&known.position, Pick::Weighted, 1) {
            assert!(known.position.is_legal(mv));
        }
    }
    let _ = (Stats::of(&contents), check(book, &[Chess::default()]).findings.len());
    if contents.move_count() > MANY {
        return;
    }
    assert_eq!(sorted(&written(&contents, Form::Json), true), sorted(&contents, true));
    // The moves that a line passes are there as well.
    let pgn = written(&contents, Form::Pgn);
    let passed = sorted(&pgn, false);
    assert!(sorted(&contents, false).iter().all(|mv| passed.contains(mv)));
    assert_eq!(sorted(&written(&pgn, Form::Pgn), false), passed);
    let polyglot = encode(&contents, Form::Polyglot).expect("any contents");
    keeps_moves(&contents, &parse("a.bin", polyglot));
    if contents.move_count() > MANY_FOR_A_BOARD {
        return;
    }
    match encode(&contents, Form::Compact) {
        Ok(bytes) => {
            let compact = parse("a.rkb", bytes);
            for known in &contents.positions {
                for m in compact.moves(&known.position) {
                    assert!(known.position.is_legal(m.mv));
                }
            }
        }
        Err(error) => assert!(matches!(error, BookError::Compact(_)), "{error}"),
    }
}

fn parse(name: &str, bytes: Vec<u8>) -> Book {
    Book::parse(Path::new(name), bytes).unwrap_or_else(|error| panic!("{error}"))
}

fn written(contents: &Contents, form: Form) -> Contents {
    let bytes = encode(contents, form).expect("any contents");
    let name = if form == Form::Json { "a.json" } else { "a.pgn" };
    parse(name, bytes).contents(&[])
}

/// Every move is still there. One of two positions with one key of Polyglot's may have moves of the other.
fn keeps_moves(contents: &Contents, book: &Book) {
    for known in &contents.positions {
        let moves = book.moves(&known.position);
        for m in &known.moves {
            assert!(moves.iter().any(|other| other.mv == m.mv), "{}", uci(m.mv));
        }
    }
}

/// Positions with their moves, and their weights where the form has them.
fn sorted(contents: &Contents, weights: bool) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for known in &contents.positions {
        let fen = wire_fen(&known.position);
        let fen = fen.rsplitn(3, ' ').last().unwrap_or_default();
        for m in &known.moves {
            let weight = if weights { format!(" {} {:?}", m.weight, m.cp) } else { String::new() };
            all.push(format!("{fen} {}{weight}", uci(m.mv)));
        }
    }
    all.sort();
    all
}
