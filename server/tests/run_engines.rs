//! Whole runs with engines that hang, die, lie and print rubbish: the run goes on, says why, and keeps the truth.

mod run_support;

use run_support::{Place, SOON, engine, until, utf8, wait, write_engine};
use serde_json::Value;
use std::path::PathBuf;

const QUICK: [&str; 4] = ["--engine-limit", "nodes=100", "--engine2-limit", "nodes=100"];

fn more<'a>(args: &[&'a str]) -> Vec<&'a str> {
    QUICK.iter().chain(args).copied().collect()
}

fn field<'a>(game: &'a Value, name: &str) -> &'a str {
    game[name].as_str().unwrap_or_default()
}

fn endings(games: &[Value]) -> Vec<(&str, &str)> {
    games.iter().map(|game| (field(game, "result"), field(game, "termination"))).collect()
}

fn openings(place: &Place, text: &str) -> PathBuf {
    let path = place.path("openings.epd");
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn an_engine_that_hangs_under_go_nodes_loses_by_a_stalled_connection_and_the_run_goes_on() {
    let place = Place::new();
    let args = more(&["--games", "2", "--think-timeout", "3", "--engine-restarts", "1"]);
    let done = place.engine_run(&engine("hang_on_go.sh"), "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(endings(&games), [("0-1", "stalled_connection"), ("1-0", "stalled_connection")]);
    let pgn = place.text("rookery.pgn");
    assert_eq!(pgn.matches("[Termination \"stalled connection\"]").count(), 2, "{pgn}");
    assert!(pgn.contains("White's connection stalls"), "{pgn}");
    assert!(done.stdout.contains("White's connection stalls"), "{}", done.stdout);
    // Of the one that hangs; Stockfish may be late on a loaded machine.
    let restarts = place
        .sql("SELECT count(*) FROM incidents WHERE kind = 'engine_restart' AND mover = 'first'");
    assert_eq!(restarts, ["2"], "one restart in each game");
}

#[test]
fn an_engine_that_dies_at_every_go_loses_and_the_run_goes_on() {
    let place = Place::new();
    let args = more(&["--games", "2", "--engine-restarts", "2"]);
    place.engine_run(&engine("die_at_go.sh"), "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(endings(&games), [("0-1", "engine_crash"), ("1-0", "engine_crash")]);
    assert!(place.text("rookery.pgn").contains("[Termination \"abandoned\"]"));
    assert_eq!(games[1]["plies"], 1, "Stockfish's move is kept");
    assert!(!field(&games[0], "detail").is_empty());
}

#[test]
fn an_engine_that_dies_or_hangs_once_is_started_again_and_its_game_goes_on() {
    for name in ["die_once.sh", "hang_once.sh"] {
        let place = Place::new();
        let state = format!("STATE={}", utf8(&place.path("state")));
        let args = more(&[
            "--games",
            "1",
            "--color",
            "black",
            "--think-timeout",
            "5",
            "--engine-env",
            &state,
        ]);
        place.engine_run("stockfish", &engine(name), &args).ok();
        let games = place.verify();
        // It plays e2e4 and, a move later, again: that is the only thing wrong with it.
        assert_eq!(endings(&games), [("0-1", "illegal_move")], "{name}");
        assert_eq!(games[0]["plies"], 2, "{name}");
        let incidents = place.sql("SELECT kind, mover FROM incidents ORDER BY id");
        assert_eq!(incidents, ["engine_restart|second", "illegal_move|second"], "{name}");
    }
}

#[test]
fn an_illegal_move_is_kept_whole_and_never_stands_in_the_movetext() {
    for text in ["e2e5", "a1a1", "0000", "(none)", "", "a7a8", "rubbish", "e7e5"] {
        let place = Place::new();
        let body =
            format!("on_go() {{ say 'info depth 3 score cp 1 nodes 5'; say 'bestmove {text}'; }}");
        let program = write_engine(&place, "liar.sh", &body);
        place.engine_run(&program, "stockfish", &more(&["--games", "1"])).ok();
        let games = place.verify();
        assert_eq!(endings(&games), [("0-1", "illegal_move")], "{text:?}");
        assert_eq!(games[0]["plies"], 0);
        let pgn = place.text("rookery.pgn");
        assert!(pgn.contains("[PlyCount \"0\"]"), "{pgn}");
        assert!(pgn.contains("[Termination \"rules infraction\"]"), "{pgn}");
        let kept = place.sql("SELECT kind, ply, fen, detail FROM incidents").join("\n");
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert!(kept.starts_with(&format!("illegal_move|1|{start}|")), "{kept}");
        assert!(kept.contains(format!("bestmove {text}").trim()), "the raw line: {kept}");
    }
}

#[test]
fn odd_notations_are_understood_where_they_are_unambiguous_with_a_warning() {
    for (fen, text, uci) in [
        ("4k3/8/8/8/8/8/5p2/K7 b - -", "f2f1Q", "f2f1q"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "e1h1", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", "O-O", "e1g1"),
    ] {
        let place = Place::new();
        let file = openings(&place, &format!("{fen}\n"));
        let body = format!("on_go() {{ say 'bestmove {text}'; }}");
        let program = write_engine(&place, "odd.sh", &body);
        let color = if fen.contains(" b ") { "black" } else { "white" };
        let args = more(&["--games", "1", "--openings", utf8(&file), "--color", color]);
        place.engine_run(&program, "stockfish", &args).ok();
        place.verify();
        assert_eq!(place.sql("SELECT uci FROM plies WHERE ply = 1"), [uci]);
        let warnings =
            place.sql("SELECT count(*) FROM incidents WHERE kind = 'engine_warning' AND ply = 1");
        assert_eq!(warnings, ["1"], "{text}");
    }
}

#[test]
fn garbage_around_the_handshake_and_the_moves_is_put_up_with() {
    for name in ["noise.sh", "crlf.sh", "glued.sh", "late_after_empty.sh", "flood_stderr.sh"] {
        let place = Place::new();
        place.engine_run(&engine(name), "stockfish", &more(&["--games", "1"])).ok();
        place.verify();
        let first = place.sql("SELECT mover FROM plies WHERE ply = 1");
        assert_eq!(first, ["first"], "{name}: its first move is played");
    }
}

#[test]
fn a_late_move_loses_on_time_and_never_reaches_the_next_game() {
    let place = Place::new();
    let args = [
        "--engine2-limit",
        "movetime=100",
        "--engine-limit",
        "nodes=100",
        "--time-margin",
        "100",
        "--games",
        "2",
        "--color",
        "white",
    ];
    place.engine_run(&engine("late.sh"), "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(endings(&games), [("0-1", "time_forfeit"), ("0-1", "time_forfeit")]);
    assert!(place.text("rookery.pgn").contains("White loses on time"));
    assert_eq!(place.sql("SELECT count(*) FROM plies"), ["0"], "no late line became a move");
    // One that is even later than its grace is killed without it; not twice.
    let kept = games.iter().any(|game| field(game, "detail").contains("a2a3"));
    assert!(kept, "the late answer is kept: {games:?}");
}

#[test]
fn an_engine_that_does_not_start_is_named_with_its_reason_and_no_game_is_scored() {
    for (name, words) in [
        ("no-such-engine", vec!["no-such-engine"]),
        ("not_executable.txt", vec!["not_executable.txt"]),
        ("die_at_uci.sh", vec!["die_at_uci.sh"]),
    ] {
        let place = Place::new();
        let program = if name.contains('.') { engine(name) } else { name.to_owned() };
        let done = place.engine_run("stockfish", &program, &more(&["--games", "3"]));
        assert_eq!(done.status.code(), Some(1), "{}", done.stderr);
        for word in words {
            assert!(done.stderr.contains(word), "{}", done.stderr);
        }
        assert_eq!(place.sql("SELECT count(*) FROM games"), ["0"]);
        assert_eq!(place.sql("SELECT state FROM runs"), ["failed"]);
    }
}

#[test]
fn names_with_quotes_backslashes_and_markup_survive_the_pgn() {
    let place = Place::new();
    let name = r#"A "quoted" \ <b>näme</b>"#;
    let args =
        more(&["--games", "1", "--max-plies", "6", "--engine-name", name, "--name", r#"Ev"ent\"#]);
    place.engine_run("stockfish", "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(field(&games[0], "black"), name);
    let pgn = place.text("rookery.pgn");
    assert!(pgn.contains(r#"[Black "A \"quoted\" \\ <b>näme</b>"]"#), "{pgn}");
    assert!(pgn.contains(r#"[Event "Ev\"ent\\"]"#), "{pgn}");
}

#[test]
fn games_start_from_any_position_also_with_black_to_move() {
    let place = Place::new();
    let file = openings(
        &place,
        "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1\nrnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6\n",
    );
    let args =
        more(&["--games", "2", "--color", "white", "--openings", utf8(&file), "--max-plies", "8"]);
    place.engine_run("stockfish", "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(field(&games[0], "start_fen"), "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1");
    assert!(field(&games[1], "start_fen").ends_with(" e6 0 1"));
    assert!(place.text("rookery.pgn").contains("1... "));
}

#[test]
fn adjudication_ends_games_early_under_its_own_name() {
    let place = Place::new();
    let file = openings(&place, "4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1\n");
    let args =
        more(&["--games", "1", "--openings", utf8(&file), "--resign", "movecount=2,score=500"]);
    place.engine_run("stockfish", "stockfish", &args).ok();
    assert_eq!(endings(&place.verify()), [("1-0", "win_adjudication")]);

    let place = Place::new();
    let args = more(&["--games", "1", "--draw", "movecount=2,score=3000"]);
    place.engine_run("stockfish", "stockfish", &args).ok();
    let games = place.verify();
    assert_eq!(endings(&games), [("1/2-1/2", "draw_adjudication")]);
    assert_eq!(games[0]["plies"], 4);
    assert!(place.text("rookery.pgn").contains("[Termination \"adjudication\"]"));
}

#[test]
fn clocks_run_and_are_kept() {
    let place = Place::new();
    let args = [
        "--engine2-limit",
        "tc=2+0.02",
        "--engine-limit",
        "tc=2+0.02",
        "--games",
        "1",
        "--max-plies",
        "20",
        "--time-margin",
        "20000",
    ];
    place.engine_run("stockfish", "stockfish", &args).ok();
    place.verify();
    let clocks = place.sql("SELECT clock_ms FROM plies WHERE mover = 'first' ORDER BY ply");
    assert_eq!(clocks.len(), 10);
    let millis: Vec<u64> = clocks.iter().map(|c| c.parse().unwrap()).collect();
    assert!(millis[9] < 2_000 + 9 * 20, "{millis:?}");
    assert!(
        place.text("rookery.pgn").contains("tc=2+0.02")
            || place.text("rookery.pgn").contains("2+0.02")
    );
}

#[test]
fn games_at_the_same_time_are_each_played_once() {
    let place = Place::new();
    let args = more(&["--games", "7", "--concurrency", "3", "--max-plies", "30"]);
    let done = place.engine_run("stockfish", "stockfish", &args).ok();
    let games = place.verify();
    let numbers: Vec<u64> = games.iter().map(|game| game["number"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7]);
    assert!(done.stdout.contains("/7"), "{}", done.stdout);
}

#[test]
fn json_output_is_an_object_a_game_and_the_summary() {
    let place = Place::new();
    let args = more(&["--games", "2", "--max-plies", "10", "--json"]);
    let done = place.engine_run("stockfish", "stockfish", &args).ok();
    let lines: Vec<Value> =
        done.stdout.lines().map(|l| serde_json::from_str(l).expect(l)).collect();
    assert_eq!(lines.len(), 3, "{}", done.stdout);
    assert_eq!(lines[0]["number"], 1);
    assert_eq!(lines[0]["termination"], "max_plies");
    assert_eq!(lines[2]["played"], 2);
}

#[test]
fn a_full_database_holds_the_run_with_an_alarm_and_it_goes_on_when_there_is_room() {
    let place = Place::new();
    let (db, pgn) = (place.db(), place.pgn());
    let run = |more: &[&str]| {
        let args = [
            "run",
            "--engine2",
            "stockfish",
            "--engine",
            "stockfish",
            "--games",
            "36",
            "--max-plies",
            "120",
            "--db",
            utf8(&db),
            "--pgn",
            utf8(&pgn),
        ];
        place.command(args.iter().chain(&QUICK).chain(more)).spawn().unwrap()
    };
    let mut child = run(&["--db-max-mb", "1"]);
    until("the alarm", || {
        assert!(child.try_wait().unwrap().is_none(), "it ended: {}", place.text("stderr"));
        place.text("stderr").contains("waiting for the database")
    });
    let kept = place.sql("SELECT count(*) FROM plies");
    interrupt(&child);
    assert!(wait(&mut child, SOON).expect("it ends soon").success());
    let done = place.finish(run(&[])).ok();
    assert!(done.stderr.contains("resuming run 1"), "{}", done.stderr);
    let games = place.verify();
    assert_eq!(games.len(), 36);
    assert!(games.iter().all(|game| field(game, "state") == "finished"));
    assert!(kept[0].parse::<u32>().unwrap() > 100, "it was full before it began: {kept:?}");
}

fn interrupt(child: &std::process::Child) {
    let pid = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
}
