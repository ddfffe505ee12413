//! Other programs read our PGN: Debian's `pgn-extract` and python-chess, without a complaint and to the same final position.
#![allow(missing_docs, clippy::unwrap_used)]

mod store_support;

use proptest::prelude::*;
use rookery_server::{
    model::{
        GameId, GameRecord, GameResult, GameState, Mover, PlyRecord, RunId, RunRecord, RunState,
        Score, Termination,
    },
    pgn::{PgnGame, PgnStyle},
};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Position, fen::Fen, san::SanPlus, uci::UciMove,
};
use std::{
    path::Path,
    process::{Command, Output},
};
use store_support::*;

const STARTS: [&str; 6] = [
    START,
    "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/5N2/PPPP1PPP/RNBQKB1R b KQkq e3 0 3",
    "8/P6k/8/8/8/8/p6K/8 b - - 99 120",
    "6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1",
];

/// A legal game from a seed: its plies, the final position, and how it ended.
fn play(fen: &str, seed: u64, length: u32) -> (Vec<PlyRecord>, String, GameResult, Termination) {
    let fen: Fen = fen.parse().unwrap();
    let mut position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
    let mut random = seed | 1;
    let mut next = |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 11) as usize % below
    };
    let mut plies = Vec::new();
    let mut mover = Mover::First;
    for n in 1..=length {
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_insufficient_material() {
            break;
        }
        let m = moves[next(moves.len())];
        let uci = UciMove::from_standard(m).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        let mut record = ply(n);
        record.uci = uci;
        record.san = san;
        record.fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        record.mover = if n <= 2 { Mover::Opening } else { mover };
        record.book = n > 2 && n < 6 && next(2) == 0;
        record.score =
            [None, Some(Score::Cp(next(2000) as i32 - 1000)), Some(Score::Mate(-3))][next(3)];
        record.depth = [None, Some(12)][next(2)];
        record.nodes = [None, Some(next(1_000_000) as u64)][next(2)];
        record.host_us = [None, Some(next(90_000_000) as u64)][next(2)];
        record.clock_ms = [None, Some(next(9_000_000) as u64)][next(2)];
        plies.push(record);
        mover = if mover == Mover::First { Mover::Second } else { Mover::First };
    }
    let (result, why) = if position.is_checkmate() {
        (GameResult::win_of(!position.turn()), Termination::Checkmate)
    } else if position.is_stalemate() {
        (GameResult::Draw, Termination::Stalemate)
    } else {
        let loser = GameResult::win_of(!position.turn());
        [
            (loser, Termination::IllegalMove),
            (GameResult::Draw, Termination::MaxPlies),
            (GameResult::Unfinished, Termination::Aborted),
        ][next(3)]
    };
    let last = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    (plies, last, result, why)
}

fn run_record(name: Option<String>) -> RunRecord {
    let mut settings = settings();
    settings.name = name;
    settings.second.options = vec![("Skill Level".into(), "3 \"easy\" \\".into())];
    RunRecord {
        id: RunId(1),
        settings,
        state: RunState::Running,
        stopping: false,
        place: 0,
        error: None,
        created_at: WHEN,
        ended_at: None,
    }
}

fn game_record(
    number: u32,
    plies: &[PlyRecord],
    result: GameResult,
    why: Termination,
) -> GameRecord {
    GameRecord {
        id: GameId(i64::from(number)),
        game: new_game(RunId(1), number),
        state: GameState::Finished,
        result,
        termination: Some(why),
        detail: None,
        plies: u32::try_from(plies.len()).unwrap(),
        eco: None,
        ended_at: Some(WHEN + 60_000),
        tags: Vec::new(),
    }
}

/// Final positions and White's names as a reader found them.
fn python_chess(file: &Path) -> Vec<(String, String, String)> {
    const SCRIPT: &str = r#"
import sys, chess.pgn
with open(sys.argv[1], encoding="utf-8") as f:
    while (game := chess.pgn.read_game(f)) is not None:
        if game.errors: sys.exit(repr(game.errors))
        end = game.end()
        if int(game.headers["PlyCount"]) != len(list(game.mainline_moves())): sys.exit("PlyCount")
        print(end.board().fen(), game.headers["White"], end.comment.replace("\n", " "), sep="\x1f")
"#;
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let out = Command::new(python).arg("-c").arg(SCRIPT).arg(file).output();
    let out = out.expect("python3 with the package chess is needed: pip install chess");
    quiet(&out, file);
    let text = String::from_utf8(out.stdout).unwrap();
    text.split_terminator('\n')
        .map(|line| {
            let mut fields = line.split('\u{1f}').map(str::to_owned);
            let mut field = || fields.next().expect("three fields");
            (field(), field(), field())
        })
        .collect()
}

/// Final positions of the games that have a move: `-F` writes each into a comment after the last.
fn pgn_extract(file: &Path, games: usize) -> Vec<String> {
    let program = ["/usr/games/pgn-extract", "pgn-extract"];
    let program = program.iter().find(|p| Path::new(p).exists()).unwrap_or(&program[1]);
    let out = Command::new(program).args(["-s", "-F", "-C", "-w9999"]).arg(file).output();
    let out = out.expect("pgn-extract is needed: apt-get install pgn-extract");
    quiet(&out, file);
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let read = text.lines().filter(|line| line.starts_with("[Event ")).count();
    assert_eq!(read, games, "{text}");
    text.lines()
        .filter_map(|line| Some(line.rsplit_once("{ \"")?.1.split_once('"')?.0))
        // It also gives the en passant squares on which no capture is legal.
        .map(|fen| {
            let fen: Fen = fen.parse().unwrap();
            let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
            Fen::from_position(&position, EnPassantMode::Legal).to_string()
        })
        .collect()
}

fn quiet(out: &Output, file: &Path) {
    let complaint = String::from_utf8_lossy(&out.stderr);
    assert!(
        out.status.success() && complaint.is_empty(),
        "{complaint}\n{}",
        std::fs::read_to_string(file).unwrap()
    );
}

/// python-chess hands values out as they stand in the file.
fn unescaped(value: &str) -> String {
    let mut chars = value.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().expect("a pair") } else { c });
    }
    out
}

type Spec = (usize, u64, u32, String, String, Option<String>);

fn check(specs: &[Spec], style: PgnStyle, event: Option<String>) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("games.pgn");
    let run = run_record(event);
    let (mut text, mut finals, mut names) = (String::new(), Vec::new(), Vec::new());
    for (number, (start, seed, length, white, black, detail)) in (1..).zip(specs) {
        let (plies, last, result, why) = play(STARTS[*start], *seed, *length);
        let mut game = game_record(number, &plies, result, why);
        game.game.start_fen = STARTS[*start].to_owned();
        game.game.white.clone_from(white);
        game.game.black.clone_from(black);
        game.game.opening.clone_from(detail);
        game.game.first_color = if seed % 2 == 0 { Color::White } else { Color::Black };
        game.detail.clone_from(detail);
        let pgn = PgnGame {
            store: "0123456789abcdef",
            run: &run,
            game: &game,
            plies: &plies,
            own_level: false,
        };
        text.push_str(&pgn.to_pgn(style));
        finals.push((last, plies.len()));
        names.push(white.clone());
    }
    std::fs::write(&file, &text).unwrap();
    let read = python_chess(&file);
    let positions: Vec<&str> = read.iter().map(|(fen, ..)| &**fen).collect();
    assert!(
        positions.iter().copied().eq(finals.iter().map(|(fen, _)| &**fen)),
        "python-chess {positions:?}\n{text}"
    );
    for ((_, name, _), given) in read.iter().zip(names) {
        let plain = |s: &str| s.chars().all(|c| c.is_alphanumeric() || c == '"' || c == '\\');
        if plain(&given) && !given.is_empty() && given.chars().count() < 100 {
            assert_eq!(unescaped(name), given, "{text}");
        }
    }
    finals.retain(|(_, plies)| *plies > 0);
    let finals: Vec<String> = finals.into_iter().map(|(fen, _)| fen).collect();
    assert_eq!(pgn_extract(&file, specs.len()), finals, "pgn-extract\n{text}");
}

fn odd_name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z\"\\\\]{1,20}",
        ".{0,40}",
        any::<String>(),
        Just("O\"Brien \\ \"\\\"".to_owned()),
        Just("]\n\n[Event \"x\"]".to_owned()),
        Just("\\".to_owned()),
        Just("a".repeat(600)),
    ]
}

fn spec() -> impl Strategy<Value = Spec> {
    (
        0..STARTS.len(),
        any::<u64>(),
        prop_oneof![0..3_u32, 0..160_u32],
        odd_name(),
        odd_name(),
        proptest::option::of(prop_oneof![
            odd_name(),
            Just("a1a1 {raw} [x] ; % } 1-0\n\n[Event \"y\"]\n%x ;".to_owned()),
        ]),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_file_is_read_by_both(
        specs in proptest::collection::vec(spec(), 1..12),
        style in prop_oneof![Just(PgnStyle::Engine), Just(PgnStyle::Lichess), Just(PgnStyle::Board)],
        event in proptest::option::of(odd_name()),
    ) {
        check(&specs, style, event);
    }
}

#[test]
fn long_games_from_every_start_are_read_by_both() {
    for style in PgnStyle::ALL {
        let specs: Vec<Spec> = (0..STARTS.len())
            .map(|n| (n, 77 + n as u64, 600, "W".into(), "B".into(), None))
            .collect();
        check(&specs, style, None);
    }
}

fn example(style: PgnStyle) -> String {
    let run = run_record(Some("Board A against Stockfish".to_owned()));
    let start = "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1";
    let (mut plies, _, _, _) = play(start, 5, 14);
    for (n, p) in (0_u32..).zip(&mut plies) {
        let board = n % 2 == 1;
        p.mover = if board { Mover::First } else { Mover::Second };
        p.book = n == 1;
        p.depth = Some(if p.book {
            0
        } else if board {
            5
        } else {
            12
        });
        p.nodes = Some(if p.book {
            1
        } else if board {
            45_012
        } else {
            5_003
        });
        p.score = (!p.book).then_some(if n == 12 { Score::Mate(4) } else { Score::Cp(31) });
        p.score_raw = Some(if p.book { 0 } else { -34 });
        p.host_us = Some(if board { 6_200_123 } else { 12_345 });
        p.clock_ms = (!board).then_some(59_500);
    }
    let mut game = game_record(3, &plies, GameResult::BlackWins, Termination::IllegalMove);
    game.game.start_fen = start.to_owned();
    game.game.white = "Board \"A\" \\ 1".to_owned();
    game.game.opening = Some("King and pawn".to_owned());
    game.detail = Some("e4e6 is not a move of 8/8/8/8 [raw: mov e4e6 w]".to_owned());
    PgnGame { store: "0123456789abcdef", run: &run, game: &game, plies: &plies, own_level: false }
        .to_pgn(style)
}

#[test]
fn one_of_each_style() {
    for style in PgnStyle::ALL {
        insta::assert_snapshot!(format!("{style:?}"), example(style));
    }
}

#[test]
fn a_game_that_black_begins_a_forfeit_and_the_measurements_are_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.pgn");
    let text = example(PgnStyle::Engine);
    assert!(text.contains("\n1... "), "{text}");
    assert!(text.contains("[PlyCount \"14\"]"), "{text}");
    std::fs::write(&file, &text).unwrap();
    let read = python_chess(&file);
    assert_eq!(unescaped(&read[0].1), "Board \"A\" \\ 1");
    assert!(read[0].2.contains("White makes an illegal move: e4e6"), "{read:?}");
    assert_eq!(pgn_extract(&file, 1)[0], read[0].0);

    let text = example(PgnStyle::Lichess);
    std::fs::write(&file, &text).unwrap();
    let script = r#"
import sys, chess.pgn
node = chess.pgn.read_game(open(sys.argv[1], encoding="utf-8")).next()
print(node.eval().white().score(), node.eval_depth(), node.clock(), node.emt())
"#;
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let out = Command::new(python).arg("-c").arg(script).arg(&file).output().unwrap();
    // Black's first move: 31 for the mover is -31 for White.
    let said = String::from_utf8_lossy(&out.stdout);
    assert_eq!(said.trim(), "-31 12 59.5 0.012", "{out:?}");
}
