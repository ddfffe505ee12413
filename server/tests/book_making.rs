//! Books that are made: by Stockfish, from games; and what is found in them.

use rookery_book::{Placement, polyglot};
use rookery_server::{
    book::{
        Analyst, AnalystOptions, Book, BookOpenings, BuildOptions, Contents, Finding, Form,
        ImportOptions, Mode, OpeningOrder, Progress, Sides, Stats, blunders, book_openings, build,
        check, compact, default_roots, diagnose, encode, import, key, named_lines, parse_root, uci,
        wire_fen,
    },
    game::{Game, Rules},
    model::{EngineSpec, Limit, Pick},
    uci::EngineOptions,
};
use shakmaty::{Chess, Color, Move, Position, san::SanPlus, uci::UciMove};
use std::{
    collections::HashSet,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

fn analyst_options(nodes: u64, workers: usize, cache: Option<PathBuf>) -> AnalystOptions {
    let debian = PathBuf::from("/usr/games/stockfish");
    let mut engine = EngineSpec::new(if debian.exists() { debian } else { "stockfish".into() });
    engine.limit = Limit::Nodes(nodes);
    engine.options = vec![("Hash".into(), "16".into())];
    let start = EngineOptions { handshake_timeout: Duration::from_secs(60), ..Default::default() };
    AnalystOptions { engine, workers, cache, start, watchdog: Duration::from_secs(120) }
}

async fn analyst(nodes: u64, workers: usize, cache: Option<PathBuf>) -> Analyst {
    let options = analyst_options(nodes, workers, cache);
    Analyst::start(options, CancellationToken::new()).await.expect("Stockfish")
}

fn black(positions: usize) -> BuildOptions {
    BuildOptions {
        roots: default_roots(),
        sides: Sides::Black,
        mode: Mode::Tree,
        width: 4,
        window: 60,
        replies: 1,
        plies: 10,
        positions,
        seed: 1,
    }
}

async fn built(options: &BuildOptions, workers: usize, cache: Option<PathBuf>) -> (Contents, u64) {
    let mut analyst = analyst(400, workers, cache).await;
    let contents = build(options, &mut analyst, &mut |_| ()).await.expect("a book");
    let asked = analyst.asked();
    analyst.end().await.expect("the end");
    (contents, asked)
}

fn position(line: &str) -> Chess {
    let mut position = Chess::default();
    for text in line.split_whitespace() {
        let uci: UciMove = text.parse().expect("UCI");
        let mv = uci.to_move(&position).expect("a legal move");
        position.play_unchecked(mv);
    }
    position
}

fn json(contents: &Contents) -> String {
    String::from_utf8(encode(contents, Form::Json).expect("JSON")).expect("UTF-8")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tree_is_the_same_with_any_number_of_workers_and_after_any_interruption() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = black(30);
    let (alone, asked) = built(&options, 1, None).await;
    assert_eq!(alone.positions.len(), 30);
    assert!(alone.positions.iter().all(|known| known.position.turn() == Color::Black));
    for root in default_roots() {
        let replies = Book::of(alone.clone());
        assert_eq!(replies.moves(&position(&root.moves.join(" "))).len(), 1, "{root:?}");
    }
    // Interrupted after ten judgements; then to the end, with the ten that are known.
    let cache = folder.path().join("cache");
    let cancel = CancellationToken::new();
    let start = Analyst::start(analyst_options(400, 2, Some(cache.clone())), cancel.clone());
    let mut first = start.await.expect("Stockfish");
    let mut count = 0;
    let mut watch = |progress: Progress| {
        count += usize::from(progress.judging.0 > 0);
        if count == 10 {
            cancel.cancel();
        }
    };
    let interrupted = build(&options, &mut first, &mut watch).await;
    assert!(interrupted.expect_err("interrupted").to_string().contains("the same command"));
    let known = first.asked();
    first.end().await.expect("the end");
    assert!((10..asked).contains(&known), "{known} of {asked}");
    let (resumed, again) = built(&options, 3, Some(cache.clone())).await;
    assert_eq!(json(&resumed), json(&alone));
    assert_eq!(again, asked - known);
    // And once more without a single question.
    let (third, none) = built(&options, 2, Some(cache)).await;
    assert_eq!((json(&third), none), (json(&alone), 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_of_both_sides_and_in_stages() {
    let roots = vec![parse_root("e2e4").expect("a root")];
    let both = BuildOptions { roots: roots.clone(), sides: Sides::Both, ..black(24) };
    let (both, _) = built(&both, 2, None).await;
    let stats = Stats::of(&both);
    assert_eq!((stats.positions, stats.white, stats.black), (24, 12, 12));
    // The root's own move is White's in the book.
    let first = Book::of(both.clone()).pick(&Chess::default(), Pick::Best, 0);
    assert_eq!(first.map(|mv| mv.to_string()).as_deref(), Some("e2-e4"));
    let staged = BuildOptions { mode: Mode::Staged, roots, plies: 10, width: 1, ..black(40) };
    let (staged_book, _) = built(&staged, 2, None).await;
    // One opening, the answers to all replies to its one best move, and a fill of random positions.
    let stats = Stats::of(&staged_book);
    assert_eq!((stats.positions, stats.black), (40, 40));
    assert_eq!(stats.by_ply[&1], 1);
    assert!(stats.by_ply[&3] >= 15, "{:?}", stats.by_ply);
    assert!(stats.by_ply.keys().any(|ply| *ply > 3), "{:?}", stats.by_ply);
    assert_eq!(stats.bytes_compact, encode(&staged_book, Form::Compact).expect("a book").len());
    // What the random fill is comes from its seed.
    let (same, _) = built(&staged, 1, None).await;
    assert_eq!(json(&same), json(&staged_book));
    let (other, _) = built(&BuildOptions { seed: 2, ..staged }, 2, None).await;
    assert_ne!(json(&other), json(&staged_book));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blunder_is_found_with_its_price() {
    // White plays the Ruy Lopez; Black answers a queen's sortie by leaving a pawn with mate.
    let lines = ["e2e4 e7e5 f1c4 b8c6 d1h5 g8f6", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"]
        .map(|line| parse_root(line).expect("a line"));
    let options = ImportOptions { side: Some(Color::Black), ..Default::default() };
    let contents = import(&[], &lines, options).expect("a book").contents;
    let mut analyst = analyst(3_000, 2, None).await;
    let mut last = (0, 0);
    let found =
        blunders(&contents, 200, &mut analyst, &mut |done, total| last = (done, total)).await;
    let found = found.expect("judgements");
    analyst.end().await.expect("the end");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].san.as_str(), found[0].loss > 20_000), ("Nf6", true));
    assert_eq!(found[0].line, "1. e4 e5 2. Bc4 Nc6 3. Qh5");
    assert!(last.0 == last.1 && last.1 > contents.positions.len());
}

const GAMES: &str = "\
[Result \"1-0\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {a comment} Nc6 1-0\n\n\
[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 0-1\n\n\
[Result \"1/2-1/2\"]\n\n1. d4 d5 1/2-1/2\n\n\
[Result \"1-0\"]\n[Variant \"Atomic\"]\n\n1. h4 1-0\n\n\
[Result \"0-1\"]\n\n1. e4 e5 2. Ke3 0-1\n\n\
[Result \"1-0\"]\n[FEN \"nonsense\"]\n\n1. h4 1-0\n";

fn weights(contents: &Contents, line: &str) -> Vec<(String, u16)> {
    let position = position(line);
    let known = contents.positions.iter().find(|known| known.position == position);
    let san = |mv: Move| SanPlus::from_move(position.clone(), mv).to_string();
    known.map_or(Vec::new(), |k| k.moves.iter().map(|m| (san(m.mv), m.weight)).collect())
}

#[test]
fn games_become_a_book_by_what_they_scored() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("games.pgn");
    std::fs::write(&file, GAMES).expect("a file");
    let files = [file];
    let taken = import(&files, &[], ImportOptions::default()).expect("a book");
    assert_eq!((taken.games, taken.skipped_count), (6, 3));
    for words in ["'Atomic'", "half-move 3", "'nonsense'"] {
        assert!(taken.skipped.iter().any(|why| why.contains(words)), "{:?}", taken.skipped);
    }
    let of = |contents: &Contents, line: &str| {
        weights(contents, line).into_iter().map(|(san, w)| format!("{san} {w}")).collect::<Vec<_>>()
    };
    assert_eq!(of(&taken.contents, ""), ["e4 2", "d4 1"]);
    assert_eq!(of(&taken.contents, "e2e4"), ["c5 2", "e5 2"]);
    assert_eq!(of(&taken.contents, "e2e4 e7e5"), ["Nf3 2"]);
    let options = ImportOptions { min_games: 2, ..ImportOptions::default() };
    let often = import(&files, &[], options).expect("a book").contents;
    assert_eq!((of(&often, ""), of(&often, "e2e4")), (vec!["e4 2".into()], vec!["e5 2".into()]));
    let options = ImportOptions { min_score: 0.5, ..ImportOptions::default() };
    let good = import(&files, &[], options).expect("a book").contents;
    assert_eq!(of(&good, ""), ["d4 1"]);
    let options = ImportOptions { plies: 1, side: Some(Color::Black), ..ImportOptions::default() };
    assert!(import(&files, &[], options).expect("a book").contents.positions.is_empty());
}

#[test]
fn the_named_lines_are_whole_and_named_right() {
    for line in named_lines() {
        let name = line.name.clone().expect("a name");
        let contents = import(&[], &[line], ImportOptions::default()).expect("a book").contents;
        let last = contents.positions.last().expect("a position");
        let mut end = last.position.clone();
        end.play_unchecked(last.moves[0].mv);
        let along = contents.along(last);
        let eco = rookery_server::openings::eco::classify(along.iter().chain([&end]));
        let eco = eco.expect("a known opening").name;
        let first = name.split([' ', '\'']).next().expect("a word");
        let known = eco.contains(first) || (first == "King" && eco.contains("Indian"));
        assert!(known || first == "Nimzo-Indian", "{name}: {eco}");
    }
}

/// A book of some hundred positions, without an engine: all lines of the names of openings that are short enough.
fn wide() -> Contents {
    let mut lines = Vec::new();
    for first in Chess::default().legal_moves() {
        let mut after = Chess::default();
        after.play_unchecked(first);
        for second in after.legal_moves().into_iter().take(12) {
            let mut text =
                format!("{} {}", UciMove::from_standard(first), UciMove::from_standard(second));
            let mut third = after.clone();
            third.play_unchecked(second);
            text.push_str(&format!(" {}", UciMove::from_standard(third.legal_moves()[0])));
            lines.push(parse_root(&text).expect("a line"));
        }
    }
    import(&[], &lines, ImportOptions::default()).expect("a book").contents
}

#[test]
fn a_boards_book_tells_its_positions_from_all_around_it() {
    let contents = wide();
    let made = compact(&contents, Pick::Best, 0, 4096).expect("a compact book");
    assert_eq!((made.positions, made.clashes), (contents.positions.len(), 0));
    assert!(made.strays > 20_000 && made.key_bits >= 24, "{} {}", made.strays, made.key_bits);
    assert!(made.bytes.len() <= made.positions * 4 + made.positions / 4 + 12);
    let book = Book::parse(Path::new("a.rkb"), made.bytes).expect("a book");
    for known in &contents.positions {
        assert_eq!(book.moves(&known.position)[0].mv, known.moves[0].mv);
    }
    let report = check(&book, &[Chess::default()]);
    assert_eq!(report.findings, []);
    // Another seed, other moves; the same seed, the same.
    let drawn = |seed| compact(&contents, Pick::Uniform, seed, 4096).expect("a book").bytes;
    assert_eq!(drawn(3), drawn(3));
    assert_ne!(drawn(3), drawn(4));
    let refused = compact(&contents, Pick::Best, 0, 100).expect_err("too small").to_string();
    assert!(refused.contains("positions do not fit"), "{refused}");
}

fn entry(position: &Chess, bits: u16, weight: u16) -> polyglot::Entry {
    polyglot::Entry { key: key(position), mv: polyglot::RawMove(bits), weight, learn: 0 }
}

fn bin(entries: &[polyglot::Entry]) -> Book {
    let bytes = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
    Book::parse(Path::new("a.bin"), bytes).expect("a book")
}

#[test]
fn what_is_wrong_with_a_book_is_found() {
    let start = Chess::default();
    let (e4, e5) = (0o1434, 0o6444);
    let after = position("e2e4");
    // Sorted by key: the one after 1. e4 is larger.
    let good = [entry(&start, e4, 1), entry(&after, e5, 1)];
    let findings = |entries: &[polyglot::Entry]| check(&bin(entries), &[Chess::default()]).findings;
    assert_eq!(findings(&good), []);
    let illegal = [entry(&start, e4, 1), entry(&start, e5, 1), entry(&after, e5, 1)];
    let found = findings(&illegal);
    assert_eq!(found, [Finding::Illegal { fen: wire_fen(&start), bits: e5 }]);
    assert!(found[0].to_string().contains("'e7e5'"), "{}", found[0]);
    assert_eq!(findings(&[good[1], good[0]]), [Finding::Unsorted(1)]);
    assert_eq!(findings(&[good[0], good[0], good[1]]), [Finding::Twice(1)]);
    let lost = polyglot::Entry { key: u64::MAX, ..good[0] };
    assert_eq!(findings(&[good[0], good[1], lost]), [Finding::Unreached(1)]);
    let weightless = [good[0], entry(&after, e5, 0)];
    assert_eq!(findings(&weightless), [Finding::Weightless(wire_fen(&after))]);
    // A board tells an en passant square that means nothing from none.
    let contents = import(
        &[],
        &["e2e4 e7e6 d2d4 d7d5", "d2d4 e7e6 e2e4"].map(|l| parse_root(l).expect("a line")),
        ImportOptions::default(),
    );
    let bytes = encode(&contents.expect("a book").contents, Form::Compact).expect("a book");
    let board = Book::parse(Path::new("a.rkb"), bytes).expect("a book");
    let report = check(&board, &[Chess::default()]);
    assert_eq!(report.findings, []);
    let fen = "rnbqkbnr/pppp1ppp/4p3/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq e3 0 2";
    assert_eq!(report.notes, [Finding::OneOrder(fen.into())]);
}

/// A foreign book with each mistake that is known, made of a book with everything in it that tells them apart.
#[test]
fn the_mistake_of_a_foreign_book_is_found() {
    let lines = [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 g8f6",
        "e2e4 d7d5 e4e5 f7f5 e5f6 e7f6 e1e2 e8e7",
        "e2e4 a7a6 e4e5 d7d5 e5d6",
        "a2a3 d7d5 h2h3 d5d4 e2e4 d4e3",
    ];
    let lines = lines.map(|line| parse_root(line).expect("a line"));
    let contents = import(&[], &lines, ImportOptions::default()).expect("a book").contents;
    let all: Vec<polyglot::Convention> = polyglot::Convention::all().collect();
    let mut seen = HashSet::new();
    for convention in all.into_iter().step_by(5) {
        for mask in [u64::MAX, u64::from(u32::MAX)] {
            let entries = contents.positions.iter().map(|known| {
                let placement = Placement::of_fen(&wire_fen(&known.position)).expect("a FEN");
                polyglot::Entry {
                    key: convention.key(&placement) & mask,
                    mv: polyglot::RawMove(0),
                    weight: 1,
                    learn: 0,
                }
            });
            let book = polyglot::Book::new(entries.collect());
            let (found, keys) = diagnose(&book, &[Chess::default()]);
            assert_eq!((found[0].convention, found[0].hits), (convention, keys), "{convention:?}");
            assert!(found[1].hits < keys, "{convention:?} is not the only one");
            assert_eq!(found[0].lower_half, mask != u64::MAX);
            seen.insert(found[0].departures());
        }
    }
    assert!(seen.len() > 30 && seen.contains(&Vec::new()));
    let nothing = polyglot::Book::new(vec![entry(&position("e2e4"), 0, 1)]);
    let mut foreign = nothing.entries()[0];
    foreign.key ^= 1;
    let (found, keys) = diagnose(&polyglot::Book::new(vec![foreign]), &[Chess::default()]);
    assert_eq!((found[0].hits, keys), (0, 1));
}

#[test]
fn openings_come_out_of_a_book_in_turn_or_drawn() {
    let named = import(&[], &named_lines(), ImportOptions::default()).expect("a book").contents;
    let book = Book::of(named);
    let lines = |order, seed| {
        let lines = book.openings(BookOpenings { order, seed, plies: 8, lines: 20 });
        lines.into_iter().map(|line| line.moves.join(" ")).collect::<Vec<_>>()
    };
    let all = lines(OpeningOrder::InTurn, 0);
    assert_eq!(all.len(), 14);
    assert!(named_lines().iter().all(|line| all.contains(&line.moves.join(" "))));
    assert_eq!(lines(OpeningOrder::Best, 0).len(), 1);
    let drawn = lines(OpeningOrder::Weighted, 1);
    assert_eq!((drawn.len(), &drawn), (20, &lines(OpeningOrder::Weighted, 1)));
    assert_ne!(drawn, lines(OpeningOrder::Weighted, 2));
    assert!(drawn.iter().all(|line| all.contains(line)));
    assert!(drawn.iter().collect::<HashSet<_>>().len() > 4);
}

/// A book of knights that go out and come home again, in every order.
fn circle() -> Book {
    let mut entries = Vec::new();
    let (mut seen, mut open) = (Vec::new(), vec![Chess::default()]);
    while let Some(position) = open.pop() {
        let key = key(&position);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        for mv in position.legal_moves() {
            let home = |square: shakmaty::Square| matches!(square.rank() as u32, 0 | 2 | 5 | 7);
            if mv.role() == shakmaty::Role::Knight && home(mv.to()) && !mv.is_capture() {
                entries.push(entry(&position, raw(&position, mv), 1));
                let mut next = position.clone();
                next.play_unchecked(mv);
                open.push(next);
            }
        }
    }
    assert!(seen.len() > 50, "{}", seen.len());
    bin(&entries)
}

/// A book may lead back to where it began, and thousands of orders of moves may lead to the same place: neither makes openings without
/// an end, nor one that is a draw.
#[test]
fn openings_of_a_book_that_goes_round_in_circles_have_an_end() {
    let book = circle();
    for order in [OpeningOrder::InTurn, OpeningOrder::Best, OpeningOrder::Weighted] {
        for plies in [1, 8, 30, 1_000_000] {
            let options = BookOpenings { order, plies, lines: 200, seed: 7 };
            let lines = book_openings(&book, options);
            assert!(!lines.is_empty(), "{order:?} {plies}");
            let mut ends = HashSet::new();
            for line in &lines {
                assert!(line.moves.len() <= plies.min(100));
                let game = Game::from_opening(line, Rules::default()).expect("it is not over");
                let again = !ends.insert(key(game.position()));
                assert!(!again || order == OpeningOrder::Weighted, "{order:?}: {line:?}");
            }
        }
    }
}

/// The names of squares and pieces make the order of a book's file, whatever is compared in their place.
#[test]
fn positions_stand_in_the_order_of_their_lines_words() {
    let promotions: Chess = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"
        .parse::<shakmaty::fen::Fen>()
        .expect("a FEN")
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a position");
    let mut words = Vec::new();
    let mut entries = Vec::new();
    for first in promotions.legal_moves() {
        let mut position = promotions.clone();
        position.play_unchecked(first);
        let Some(reply) = position.legal_moves().first().copied() else { continue };
        words.push(uci(first));
        entries.push(entry(&position, raw(&position, reply), 1));
        entries.push(entry(&promotions, raw(&promotions, first), 1));
    }
    words.sort();
    let contents = bin(&entries).contents(&[promotions]);
    let lines = contents.positions.iter().filter(|known| known.line.len() == 1);
    let found: Vec<String> = lines.map(|known| uci(known.line[0])).collect();
    assert!(found.len() > 20, "{found:?}");
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(found, sorted);
    assert!(found.iter().all(|word| words.contains(word)));
}

fn raw(position: &Chess, mv: shakmaty::Move) -> u16 {
    let fen = shakmaty::fen::Fen::from_position(position, shakmaty::EnPassantMode::Always);
    let placement = Placement::of_fen(&fen.to_string()).expect("a FEN");
    polyglot::RawMove::of(uci(mv).parse().expect("a move"), &placement).0
}

/// What a collection of games from anywhere holds: one game must not cost the others.
#[test]
fn a_damaged_game_is_left_out_and_named_and_the_others_count() {
    let place = tempfile::tempdir().expect("a folder");
    let read = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        import(&[path], &[], ImportOptions::default())
    };
    let glued = b"[Result \"1-0\"]\n\n1. e4 1-0\n1. e4 e5 0-1\n\n[Event \"long\n[Result \"0-1\"]\n\n1. d4 d5 0-1\n\n1. c4 {no end";
    let done = read("a.pgn", glued).expect("most of it is read");
    assert_eq!(weights(&done.contents, ""), [("e4".to_owned(), 2), ("d4".to_owned(), 0)]);
    let said = done.skipped.join("\n");
    assert!(said.contains("game 1: 'e4' follows the result"), "{said}");
    assert!(said.contains("game 3: unterminated comment"), "{said}");
    for (name, bytes, words) in [
        ("b.pgn", &b"\xff\xfe[\0E\0"[..], "UTF-16"),
        ("c.pgn", b"\x1f\x8b\x08\0\0", "gunzip"),
        ("d.pgn", b"1. e4 \0\0", "no text"),
    ] {
        let error = read(name, bytes).expect_err(name).to_string();
        assert!(error.contains(words) && error.contains(name), "{error}");
        let path = place.path().join(name);
        let error = Book::open(&path).expect_err(name).to_string();
        assert!(error.contains(words) && error.contains(name), "{error}");
        let error = rookery_server::openings::read(&path, Default::default()).expect_err(name);
        assert!(error.to_string().contains(words), "{error}");
    }
}
