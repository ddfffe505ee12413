//! Whole runs with boards that speak the dialect before Rookery's, through the real program.

mod run_support;

use run_support::{Done, Place, Sim, utf8};

fn old(more: &[&str]) -> Sim {
    let args = ["--dialect", "v1", "--level", "1500", "--boot-delay", "5"];
    Sim::start(&[&args, more].concat())
}

fn run(place: &Place, url: &str, more: &[&str]) -> Done {
    let more = [&["--engine-limit", "nodes=300"][..], more].concat();
    place.ended(&mut place.board_run(url, &more))
}

#[test]
fn whole_games_from_openings_with_telemetry_in_the_store_and_in_the_pgn() {
    let place = Place::new();
    let sim = old(&["--reset-on-connect"]);
    let openings = place.path("openings.pgn");
    std::fs::write(&openings, "1. e4 c5 2. Nf3 d6 *\n\n1. d4 d5 2. c4 e6 *\n").expect("a file");
    let url = format!("{}?dialect=v1&reset=connect", sim.url);
    let more = ["--games", "4", "--level", "999", "--openings", utf8(&openings)];
    run(&place, &url, &more).ok();
    place.natural_games(4, &["max_plies"]);
    let moves = "FROM plies WHERE mover = 'first'";
    let all = place.count(&format!("SELECT count(*) {moves}"));
    let searched = place.count(&format!("SELECT count(*) {moves} AND nodes > 1 AND depth > 0"));
    assert!(all > 40 && searched * 10 > all * 9, "{searched} of {all}");
    assert_eq!(place.count(&format!("SELECT count(*) {moves} AND (book <> (nodes = 1))")), 0);
    let lone = "SELECT count(*) FROM plies p WHERE mover = 'first' AND NOT book AND NOT EXISTS \
                (SELECT 1 FROM iterations i WHERE i.game_id = p.game_id AND i.ply = p.ply)";
    assert_eq!(place.count(lone), 0, "every think has its iterations");
    // A clean line: nothing was mended but what a loaded machine was late with, and the board was reset for each game.
    let events = place.sql("SELECT DISTINCT kind FROM link_events ORDER BY 1");
    let known = [
        "connected",
        "disconnected",
        "drained",
        "position_pushed",
        "retransmitted",
        "synced",
        "timeout",
    ];
    assert!(events.iter().all(|kind| known.contains(&kind.as_str())), "{events:?}");
    let incidents = place.sql("SELECT kind, detail FROM incidents");
    assert_eq!(incidents.len(), 1, "{incidents:?}");
    assert!(incidents[0].contains("board_level") && incidents[0].contains("999"), "{incidents:?}");
    let pgn = place.text("rookery.pgn");
    assert_eq!(pgn.matches("Limit \"level=board\"").count(), 4, "{pgn}");
    assert!(pgn.contains("micro-Max (v1)") && pgn.contains("n="), "{pgn}");
}

#[test]
fn a_lossy_line_costs_repairs_and_no_game() {
    for seed in ["1", "2", "3"] {
        let place = Place::new();
        let faults = "lose=0.008,run=0.008,merge=0.01,split=0.002,pause=0.005,flip7=0.001,flip8=0.002,\
                      swap=0.001,dup-line=0.002,echo=0.01,drop=0.0007,reboot=0.03";
        let sim = old(&["--reset-on-connect", "--seed", seed, "--faults", faults]);
        // What it speaks is found out.
        let url = format!("{}?reset=connect", sim.url);
        run(&place, &url, &["--games", "2", "--max-plies", "80"]).ok();
        place.natural_games(2, &["max_plies"]);
        let differs = "SELECT count(*) FROM link_events WHERE kind = 'position_differs'";
        assert!(place.count(differs) > 0, "the faults have done nothing");
    }
}

#[test]
fn both_dialects_are_found_and_a_fresh_board_needs_no_reset() {
    let place = Place::new();
    // Slow enough that neither can play both games before the other is found.
    let speed = ["--speed", "3000"];
    let newer = Sim::start(&[&["--boot-delay", "5"], &speed[..]].concat());
    let older = old(&speed);
    let more = ["--board", &newer.url, "--games", "2", "--level", "1500", "--max-plies", "20"];
    run(&place, &older.url, &more).ok();
    place.natural_games(2, &["max_plies"]);
    let kinds = place.sql("SELECT json_extract(identity, '$.kind') FROM boards ORDER BY 1");
    assert_eq!(kinds, ["sim", "v1"]);
    assert_eq!(place.count("SELECT count(*) FROM link_events WHERE kind = 'position_differs'"), 0);
}

#[test]
fn a_board_that_nobody_resets_is_said_to_need_it() {
    let place = Place::new();
    let sim = old(&[]);
    let url = format!("{}?dialect=v1", sim.url);
    let more = ["--games", "2", "--max-plies", "6", "--board-patience", "5"];
    run(&place, &url, &more).ok();
    let ended = place.sql("SELECT termination, coalesce(detail, '') FROM games ORDER BY id");
    assert!(ended[0].starts_with("max_plies"), "{ended:?}");
    assert!(ended[1].starts_with("dead_board"), "{ended:?}");
    assert!(ended[1].contains("reset the board by hand"), "{ended:?}");
}

#[test]
fn positions_that_it_cannot_be_told_are_refused_before_anything_begins() {
    let place = Place::new();
    let openings = place.path("openings.epd");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    std::fs::write(&openings, format!("{fen}\n")).expect("a file");
    let sim = old(&[]);
    let more = ["--openings", utf8(&openings)];
    // Known from its URL: before there is a run.
    let done = run(&place, &format!("{}?dialect=v1", sim.url), &more);
    assert_eq!(done.status.code(), Some(2), "{}", done.stderr);
    assert!(done.stderr.contains("moves from the initial one"), "{}", done.stderr);
    assert!(!place.db().exists());
    // Found by its answers: before there is a game.
    let done = run(&place, &sim.url, &more);
    assert!(!done.status.success());
    assert!(done.stderr.contains("moves from the initial one"), "{}", done.stderr);
    assert_eq!(place.count("SELECT count(*) FROM games"), 0);
}
