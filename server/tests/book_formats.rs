//! Polyglot as python-chess has it: keys, moves, and books that each writes and the other reads.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rookery_book::{Placement, polyglot};
use rookery_server::{
    book::{Book, Contents, Finding, Form, check, encode, key, wire_fen},
    openings,
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};
use std::{
    collections::BTreeMap,
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

/// Games at random, which castle, pass and promote as it comes: every position of them.
fn random_positions(count: usize) -> Vec<Chess> {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut below = |n: usize| ((u128::from(random.next_u64()) * n as u128) >> 64) as usize;
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = Chess::default();
        for _ in 0..120 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[below(moves.len())]);
        }
    }
    positions
}

fn python(script: &str, file: &Path, input: &str) -> String {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let mut child = Command::new(python)
        .args(["-c", script])
        .arg(file)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("python3 with the package chess is needed: pip install chess");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let out = child.wait_with_output().expect("python ends");
    writer.join().expect("the writer ends").expect("python reads");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("UTF-8")
}

#[test]
fn keys_are_python_chess_keys() {
    const SCRIPT: &str = "import sys, chess, chess.polyglot\n\
        for line in sys.stdin: print('%016x' % chess.polyglot.zobrist_hash(chess.Board(line.strip())))";
    let mut positions = random_positions(6_000);
    // Double steps beside a pawn that may not capture, and beside none.
    for fen in ["8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1"] {
        let fen: Fen = fen.parse().expect("a FEN");
        positions.push(fen.into_position(CastlingMode::Standard).expect("a position"));
    }
    let fens: Vec<String> = positions.iter().map(wire_fen).collect();
    let theirs = python(SCRIPT, Path::new("-"), &(fens.join("\n") + "\n"));
    let theirs: Vec<&str> = theirs.lines().collect();
    assert_eq!(theirs.len(), positions.len());
    let mut passed = 0;
    for ((position, fen), theirs) in positions.iter().zip(&fens).zip(theirs) {
        let placement = Placement::of_fen(fen).expect("a FEN");
        passed += usize::from(placement.en_passant_file_ready().is_some());
        assert_eq!(format!("{:016x}", polyglot::key(&placement)), theirs, "the crate's, {fen}");
        assert_eq!(format!("{:016x}", key(position)), theirs, "shakmaty's, {fen}");
    }
    assert!(passed > 20, "only {passed} positions with a pawn ready to capture en passant");
}

/// Moves of all kinds: all that are legal in positions at random and in some that promote and castle.
fn many_moves() -> Contents {
    let mut text = String::new();
    let mut positions: Vec<Chess> = random_positions(3_000).into_iter().step_by(15).collect();
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "1n5k/P7/8/8/8/8/7p/K5N1 w - - 0 1",
        "1n5k/P7/8/8/8/8/7p/K5N1 b - - 0 1",
        "4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1",
    ] {
        let fen: Fen = fen.parse().expect("a FEN");
        positions.push(fen.into_position(CastlingMode::Standard).expect("a position"));
    }
    for (n, position) in positions.iter().enumerate() {
        for (m, mv) in position.legal_moves().iter().enumerate() {
            let root = if text.is_empty() { "" } else { ",\n" };
            let uci = UciMove::from_standard(*mv);
            text.push_str(&format!(
                "{root}{{\"root\": {n}, \"line\": [], \"moves\": [{{\"uci\": \"{uci}\", \"weight\": {}}}]}}",
                m + 1
            ));
        }
    }
    let roots: Vec<String> = positions.iter().map(|p| format!("{:?}", wire_fen(p))).collect();
    let json = format!(
        "{{\"format\": \"rookery-book\", \"version\": 1, \"roots\": [{}], \"positions\": [{text}]}}",
        roots.join(",")
    );
    let book = Book::parse(Path::new("all.json"), json.into_bytes()).expect("a book");
    book.contents(&[])
}

/// FEN and move, weight.
fn listed(contents: &Contents) -> BTreeMap<String, u16> {
    let of = |known: &rookery_server::book::Known| {
        let fen = wire_fen(&known.position);
        known
            .moves
            .iter()
            .map(move |m| (format!("{fen} {}", UciMove::from_standard(m.mv)), m.weight))
            .collect::<Vec<_>>()
    };
    contents.positions.iter().flat_map(of).collect()
}

#[test]
fn python_chess_reads_what_we_write() {
    const SCRIPT: &str = r#"
import sys, chess, chess.polyglot
with chess.polyglot.open_reader(sys.argv[1]) as book:
    for line in sys.stdin:
        board = chess.Board(line.strip())
        for entry in book.find_all(board, minimum_weight=0):
            print(line.strip(), entry.move.uci(), entry.weight, sep="\t")
"#;
    let contents = many_moves();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("ours.bin");
    std::fs::write(&file, encode(&contents, Form::Polyglot).expect("a book")).expect("a file");
    let fens: Vec<String> = contents.positions.iter().map(|k| wire_fen(&k.position)).collect();
    let theirs = python(SCRIPT, &file, &(fens.join("\n") + "\n"));
    let theirs: BTreeMap<String, u16> = theirs
        .lines()
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            (format!("{} {}", fields[0], fields[1]), fields[2].parse().expect("a weight"))
        })
        .collect();
    let ours = listed(&contents);
    assert!(ours.len() > 3_000 && ours.keys().any(|key| key.ends_with("e1g1")));
    assert!(ours == theirs, "{} of ours, {} of theirs", ours.len(), theirs.len());
}

/// python-chess has no writer; the format's own words in ten lines of Python, with its keys.
#[test]
fn we_read_what_python_writes() {
    const SCRIPT: &str = r#"
import sys, struct, chess, chess.polyglot
entries = []
for line in sys.stdin:
    board = chess.Board(line.strip())
    for n, move in enumerate(board.legal_moves):
        to = move.to_square
        if board.is_castling(move):
            to = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(to))
        bits = to | move.from_square << 6 | ((move.promotion or 1) - 1) << 12
        entries.append((chess.polyglot.zobrist_hash(board), bits, n + 1))
        print(line.strip(), move.uci(), n + 1, sep="\t")
entries.sort(key=lambda entry: (entry[0], -entry[2]))
with open(sys.argv[1], "wb") as file:
    for key, bits, weight in entries: file.write(struct.pack(">QHHI", key, bits, weight, 0))
"#;
    let contents = many_moves();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("theirs.bin");
    let fens: Vec<String> = contents.positions.iter().map(|k| wire_fen(&k.position)).collect();
    let said = python(SCRIPT, &file, &(fens.join("\n") + "\n"));
    let book = Book::open(&file).expect("a book");
    let polyglot = book.polyglot().expect("a Polyglot book");
    assert_eq!((polyglot.unsorted(), book.entries()), (0, said.lines().count()));
    for known in &contents.positions {
        let mut found: Vec<String> = book
            .moves(&known.position)
            .iter()
            .map(|m| format!("{}\t{}", UciMove::from_standard(m.mv), m.weight))
            .collect();
        found.sort();
        let fen = wire_fen(&known.position);
        let mut wanted: Vec<&str> =
            said.lines().filter_map(|line| line.strip_prefix(&fen)?.strip_prefix('\t')).collect();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{fen}");
    }
}

/// Castling has two notations in a `.bin`, and programs write both, also of one position: it is one move all the same.
#[test]
fn a_move_in_two_notations_is_one_move() {
    let mut castlings = 0;
    for known in many_moves().positions {
        let place = key(&known.position);
        let mut bytes = Vec::new();
        for m in &known.moves {
            let (from, to) = (m.mv.from().expect("no drop"), m.mv.to());
            let promotion = m.mv.promotion().map_or(0, |role| u16::from(role) - 1);
            let mut notations = vec![to];
            if m.mv.is_castle() {
                castlings += 1;
                let step = UciMove::from_standard(m.mv).to_string();
                notations.push(step[2..4].parse().expect("a square"));
            }
            for to in notations {
                let bits = u16::from(to) | u16::from(from) << 6 | promotion << 12;
                bytes.extend(place.to_be_bytes());
                bytes.extend(bits.to_be_bytes());
                bytes.extend([0, 3, 0, 0, 0, 0]);
            }
        }
        let entries = bytes.len() / 16;
        let book = Book::parse(Path::new("both.bin"), bytes).expect("a book");
        let moves = book.moves(&known.position);
        assert_eq!(moves.len(), known.moves.len(), "{}", wire_fen(&known.position));
        for m in &moves {
            assert_eq!(m.weight, if m.mv.is_castle() { 6 } else { 3 });
        }
        assert!(moves.is_sorted_by_key(|m| std::cmp::Reverse(m.weight)));
        let checked = check(&book, std::slice::from_ref(&known.position));
        let twice = entries - moves.len();
        assert_eq!(checked.findings, [Finding::Twice(twice)][..usize::from(twice > 0)]);
    }
    assert!(castlings >= 2, "{castlings}");
}

/// Every line of a file of openings is found again in each form that a book can have.
#[test]
fn a_book_is_the_same_in_every_form() {
    let named = rookery_server::book::import(&[], &openings::builtin(), Default::default());
    let named = named.expect("the built-in lines").contents;
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["a.bin", "a.json", "a.pgn", "a.rkb"] {
        let path = folder.path().join(name);
        let form = Form::of_name(&path).expect("a form");
        std::fs::write(&path, encode(&named, form).expect("a book")).expect("a file");
        // Without its ending the content says what it is.
        let bare = folder.path().join("bare");
        std::fs::copy(&path, &bare).expect("a copy");
        for path in [&path, &bare] {
            let book = Book::open(path).expect(name);
            assert_eq!(book.form(), form);
            let again = book.contents(&[Chess::default()]);
            let weightless = |contents: &Contents, best: bool| -> Vec<String> {
                let moves = |k: &rookery_server::book::Known| {
                    let count = if best { 1 } else { k.moves.len() };
                    let mut moves: Vec<String> =
                        k.moves.iter().take(count).map(|m| m.mv.to_string()).collect();
                    moves.sort();
                    format!("{} {moves:?}", wire_fen(&k.position))
                };
                let mut all: Vec<String> = contents.positions.iter().map(moves).collect();
                all.sort();
                all
            };
            match form {
                Form::Polyglot | Form::Json => assert_eq!(listed(&again), listed(&named), "{name}"),
                Form::Pgn => assert_eq!(weightless(&again, false), weightless(&named, false)),
                // What a best line does not lead to is there as well, with its one move.
                Form::Compact => assert_eq!(weightless(&again, true), weightless(&named, true)),
            }
        }
    }
}
