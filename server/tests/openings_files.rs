//! Opening files: what is read, what is refused and where.
#![allow(missing_docs, clippy::unwrap_used)]

use rookery_server::{
    model::OpeningLine,
    openings::{
        LineError, OpeningError, OpeningOptions, builtin, parse, pick, read, replay, shuffle,
    },
};
use std::path::{Path, PathBuf};

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/openings").join(name)
}

fn load(name: &str) -> Result<Vec<OpeningLine>, OpeningError> {
    read(&corpus(name), OpeningOptions::default())
}

fn refused(name: &str) -> String {
    let error = load(name).unwrap_err().to_string();
    let folder = format!("{}/", corpus("").display()).replace("//", "/");
    error.replace(&folder, "")
}

#[test]
fn pgn_gives_main_lines_names_and_starts() {
    let lines = load("two.pgn").unwrap();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0].name.as_deref(), Some("Ruy Lopez: Berlin"));
    assert_eq!(lines[0].moves.join(" "), "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6");
    assert_eq!(lines[0].fen, None);
    assert_eq!(lines[1].name.as_deref(), Some("Black begins"));
    assert_eq!(lines[1].fen.as_deref(), Some("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"));
    assert_eq!(lines[1].moves.join(" "), "e6e5 e3d3");
    let cut = OpeningOptions { max_plies: Some(3), ..OpeningOptions::default() };
    let lines = read(&corpus("two.pgn"), cut).unwrap();
    assert_eq!(lines[0].moves.len(), 3);
    assert_eq!(lines[1].moves.len(), 2);
    assert_eq!(load("untagged.pgn").unwrap().len(), 2);
}

#[test]
fn epd_and_fen_with_and_without_counters() {
    let lines = load("mixed.epd").unwrap();
    assert_eq!(lines.len(), 2);
    let kept = "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6 0 1";
    assert_eq!(lines[0].fen.as_deref(), Some(kept));
    assert_eq!(lines[0].name.as_deref(), Some("ep kept"));
    assert_eq!(
        lines[1].fen.as_deref(),
        Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7")
    );
    let (start, _) = replay(&lines[0]).unwrap();
    let moves = shakmaty::Position::legal_moves(&start);
    assert!(moves.iter().any(|m| m.is_en_passant()), "d5xe6 is there");
}

#[test]
fn errors_name_the_file_and_the_line() {
    let said: Vec<String> = [
        "illegal.pgn",
        "bare.pgn",
        "badfen.pgn",
        "empty_board.epd",
        "mated.fen",
        "huge_counter.fen",
        "brackets.txt",
        "empty.pgn",
        "latin1_cut.pgn",
        "no such.pgn",
    ]
    .map(refused)
    .into();
    insta::assert_snapshot!(said.join("\n"));
    let error = load("illegal.pgn").unwrap_err();
    let OpeningError::Line { line, why, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(line, 5);
    assert!(matches!(why, LineError::Move { number: 3, .. }));
}

#[test]
fn content_decides_where_the_name_does_not() {
    for (name, count) in [("two.pgn", 2), ("mixed.epd", 2)] {
        let bytes = std::fs::read(corpus(name)).unwrap();
        let lines = parse(Path::new("book"), &bytes, OpeningOptions::default());
        assert_eq!(lines.unwrap().len(), count);
    }
    let not = parse(Path::new("book"), b"hello there\n", OpeningOptions::default());
    assert!(matches!(not, Err(OpeningError::Unknown { .. })));
}

#[test]
fn built_in_lines_are_legal_named_and_short() {
    let lines = builtin();
    assert_eq!(lines.len(), 16);
    let mut ends = std::collections::HashSet::new();
    for line in &lines {
        let (_, end) = replay(line).unwrap_or_else(|e| panic!("{line:?}: {e}"));
        assert!((4..=8).contains(&line.moves.len()), "{line:?}");
        assert!(line.name.is_some());
        ends.insert(format!("{end:?}"));
    }
    assert_eq!(ends.len(), 16, "each leads somewhere else");
}

#[test]
fn each_line_is_played_from_both_sides_before_the_next() {
    let lines = &builtin()[..3];
    let order = |alternate| -> Vec<usize> {
        (1..=7)
            .map(|n| pick(lines, n, alternate).expect("a line"))
            .map(|line| lines.iter().position(|l| l == line).expect("its place"))
            .collect()
    };
    assert_eq!(order(true), [0, 0, 1, 1, 2, 2, 0]);
    assert_eq!(order(false), [0, 1, 2, 0, 1, 2, 0]);
    assert_eq!(pick(&[], 1, true), None);
    assert_eq!(pick(lines, 0, false), Some(&lines[0]));
    assert!(pick(lines, u32::MAX, true).is_some());
}

#[test]
fn a_seed_gives_the_same_order_for_ever() {
    let order = |seed| -> Vec<String> {
        let mut lines = builtin();
        shuffle(&mut lines, seed);
        lines.into_iter().filter_map(|l| l.name).collect()
    };
    let (one, two) = (order(1), order(2));
    assert_ne!(one, two);
    assert_eq!(one, order(1));
    insta::assert_snapshot!("order_of_seed_1", one.join("\n"));
}

#[test]
fn lines_from_elsewhere_are_checked() {
    let line = |fen: Option<&str>, moves: &[&str]| OpeningLine {
        name: None,
        fen: fen.map(str::to_owned),
        moves: moves.iter().map(|m| (*m).to_owned()).collect(),
    };
    assert!(replay(&line(None, &["e2e4", "e7e5"])).is_ok());
    assert!(matches!(
        replay(&line(None, &["e2e4", "e2e4"])),
        Err(LineError::Move { number: 2, .. })
    ));
    assert!(replay(&line(None, &["nonsense\u{0}"])).is_err());
    assert!(matches!(replay(&line(Some("x"), &[])), Err(LineError::Fen { .. })));
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    assert!(matches!(replay(&line(None, &mate)), Err(LineError::Over { .. })));
}
