//! `rookery-engine match`, as it is called.

#![allow(clippy::unwrap_used)]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Fen, san::San};

fn openings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../bench/balanced.epd")
}

fn call(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rookery-engine")).arg("match").args(words).output().unwrap()
}

/// A match at few nodes; gives the text and the lines of the result by their first word.
fn play(first: &str, second: &str, more: &[&str]) -> (String, HashMap<String, String>) {
    let openings = openings();
    let openings = openings.to_str().unwrap();
    let mut words = vec!["--first", first, "--second", second, "--openings", openings];
    words.extend(["--nodes", "200", "--cells", "64"]);
    words.extend(more);
    let out = call(&words);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let text = String::from_utf8(out.stdout).unwrap();
    let lines = text.lines().map(|line| line.split_once(char::is_whitespace).unwrap());
    let lines = lines.map(|(name, rest)| (name.to_owned(), rest.trim().to_owned())).collect();
    (text, lines)
}

#[test]
fn equal_sides_are_exactly_even_for_every_pair_is_a_mirror() {
    let (_, lines) = play("pawn=9", "pawn=9", &["--games", "60"]);
    assert!(lines["first"].contains(" 50.00 %, Elo +0.0 ± 0.0, LOS 50.0 %"), "{lines:?}");
    assert_eq!(lines["pairs"], "0: 0, ½: 0, 1: 30, 1½: 0, 2: 0");
    assert_eq!(lines["games"], "60, 30 of them distinct, from 30 openings");
}

#[test]
fn swapping_the_sides_mirrors_the_match() {
    let points = |line: &str| -> Vec<u32> {
        line.split(", ").map(|part| part.split_once(": ").unwrap().1.parse().unwrap()).collect()
    };
    let (_, one) = play("pawn=9", "pawn=60,nodes=60", &["--games", "60"]);
    let (_, other) = play("pawn=60,nodes=60", "pawn=9", &["--games", "60"]);
    let (one_pairs, mut other_pairs) = (points(&one["pairs"]), points(&other["pairs"]));
    other_pairs.reverse();
    assert_eq!(one_pairs, other_pairs);
    assert_eq!((&one["games"], &one["ends"]), (&other["games"], &other["ends"]));
    // Who may think three times as long is the stronger one.
    assert!(one["first"].contains("Elo +"), "{one:?}");
    assert!(other["first"].contains("Elo -"), "{other:?}");
}

#[test]
fn the_same_words_have_the_same_result_with_any_number_of_workers() {
    let folder = Folder::new("workers");
    let files: Vec<String> = ["a", "b"].iter().map(|name| folder.path(name)).collect();
    let run = |path: &str, workers| {
        play("preset=journal", "long=0", &["--games", "30", "--workers", workers, "--csv", path]).0
    };
    assert_eq!(run(&files[0], "1"), run(&files[1], "3"));
    let read = |path: &String| std::fs::read_to_string(path).unwrap();
    assert_eq!(read(&files[0]), read(&files[1]));
    assert_eq!(read(&files[0]).lines().count(), 31);
}

#[test]
fn its_files_tell_of_the_same_games() {
    let folder = Folder::new("files");
    let [pgn, csv, json] = ["pgn", "csv", "json"].map(|name| folder.path(name));
    let more = ["--games", "40", "--longest", "40", "--pgn", &pgn, "--csv", &csv, "--json", &json];
    let (_, lines) = play("pawn=9", "pawn=20", &more);

    let csv = std::fs::read_to_string(csv).unwrap();
    let rows: Vec<Vec<&str>> =
        csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>()).collect();
    let games = games_of(&std::fs::read_to_string(pgn).unwrap());
    assert_eq!((rows.len(), games.len()), (40, 40));
    let mut half_points = 0;
    for (row, game) in rows.iter().zip(&games) {
        assert_eq!((row[3], row[5], row[7]), (&*game.result, &*game.plies.to_string(), &*game.fen));
        // The board after the last move is what the end says.
        assert_eq!(row[4] == "checkmate", game.last.is_checkmate(), "{row:?}");
        assert_eq!(row[4] == "stalemate", game.last.is_stalemate(), "{row:?}");
        assert_eq!(row[4] == "length", game.plies == 80, "{row:?}");
        half_points += match (row[3], row[2]) {
            ("1/2-1/2", _) => 1,
            ("1-0", "white") | ("0-1", "black") => 2,
            _ => 0,
        };
    }
    let json = flat(&std::fs::read_to_string(json).unwrap());
    assert_eq!(json["games"], "40");
    assert_eq!(json["score"].parse::<f64>().unwrap(), f64::from(half_points) / 80.0);
    let told = format!("{:.2} %", 100.0 * f64::from(half_points) / 80.0);
    assert!(lines["first"].contains(&told), "{told} {lines:?}");
}

#[test]
fn a_fault_is_told_before_anything_is_played() {
    let openings = openings();
    let openings = openings.to_str().unwrap();
    let folder = Folder::new("faults");
    let twice = folder.path("twice.epd");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    std::fs::write(&twice, format!("{start}\n{start}\n")).unwrap();
    let sides = ["--first", "pawn=9", "--second", "pawn=20", "--openings"];
    for (more, wanted) in [
        (&[openings, "--games", "3"][..], "--games must be even"),
        (&[openings, "--games", "100000"], "has 2000 openings, enough for 4000 games"),
        (&["nowhere.epd"], "nowhere.epd: No such file"),
        (&[&twice], "line 2: the position of line 1 again"),
        (&[openings, "--pgn", "/nowhere/x.pgn"], "/nowhere/x.pgn: No such file"),
    ] {
        let out = call(&[&sides[..], more].concat());
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{error}");
        assert!(error.contains(wanted), "{error}");
        assert!(out.stdout.is_empty());
    }
}

/// A game of a PGN file, replayed by shakmaty.
struct Replayed {
    fen: String,
    result: String,
    plies: usize,
    last: Chess,
}

fn games_of(text: &str) -> Vec<Replayed> {
    let games = text.split("[Event ").skip(1);
    games
        .map(|game| {
            let tag = |name: &str| {
                let rest = game.split(&format!("[{name} \"")).nth(1).unwrap();
                rest.split('"').next().unwrap().to_owned()
            };
            let (fen, result) = (tag("FEN"), tag("Result"));
            let start = fen.parse::<Fen>().unwrap();
            let mut last: Chess = start.into_position(CastlingMode::Standard).unwrap();
            let movetext = game.split("\n\n").nth(1).unwrap();
            assert!(movetext.lines().all(|line| line.len() < 80), "{movetext}");
            assert!(movetext.trim_end().ends_with(&result), "{movetext}");
            let mut plies = 0;
            for word in movetext.split('{').next().unwrap().split_whitespace() {
                if word.ends_with('.') {
                    continue;
                }
                let mv = word.trim_end_matches(['+', '#']).parse::<San>().unwrap().to_move(&last);
                let fen = Fen::from_position(&last, EnPassantMode::Legal);
                last.play_unchecked(mv.unwrap_or_else(|error| panic!("{word} in {fen}: {error}")));
                plies += 1;
            }
            assert_eq!(tag("PlyCount"), plies.to_string());
            Replayed { fen, result, plies, last }
        })
        .collect()
}

/// A folder of this test program's own, removed with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("contest-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The result's JSON, an object whose values stand on lines of their own.
fn flat(text: &str) -> HashMap<String, String> {
    let inner = text.trim().strip_prefix('{').unwrap().strip_suffix('}').unwrap();
    let lines = inner.trim().lines().map(|line| line.trim().trim_end_matches(','));
    let pairs = lines.map(|line| line.split_once(": ").unwrap());
    pairs.map(|(name, value)| (name.trim_matches('"').to_owned(), value.to_owned())).collect()
}
