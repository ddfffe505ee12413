//! `rookery runs` against a real server: everything that the page does with runs, from another process.

mod run_support;

use run_support::{Daemon, Done, Place, engine, until, utf8};
use serde_json::Value;
use std::process::Child;

/// A server, and a place of its own for who talks to it.
struct Desk {
    daemon: Daemon,
    // Dropped after the daemon.
    server: Place,
    here: Place,
    token: Option<&'static str>,
}

impl Desk {
    fn new(token: Option<&'static str>) -> Desk {
        let (server, here) = (Place::new(), Place::new());
        let more = token.map_or(Vec::new(), |token| vec!["--token", token]);
        let db = server.db();
        let daemon = server.serve(&[&["--db", utf8(&db)], &*more].concat());
        Desk { daemon, server, here, token }
    }

    fn args(&self, args: &[&str]) -> Vec<String> {
        let url = format!("http://{}", self.daemon.address);
        let mut all: Vec<String> = ["runs"].iter().chain(args).map(|s| (*s).to_owned()).collect();
        all.extend(["--server".to_owned(), url]);
        all.extend(self.token.iter().flat_map(|token| ["--token".to_owned(), (*token).to_owned()]));
        all
    }

    fn runs(&self, args: &[&str]) -> Done {
        self.here.rookery(self.args(args))
    }

    fn json(&self, args: &[&str]) -> Value {
        let done = self.runs(&[args, &["--format", "json"]].concat()).ok();
        serde_json::from_str(&done.stdout).expect("JSON")
    }

    fn spawn(&self, args: &[&str]) -> Child {
        self.here.command(self.args(args)).spawn().expect("rookery starts")
    }

    /// Begins a run of two engines, of which the second one takes so many seconds for each move.
    fn start(&self, pace: &str, more: &[&str]) -> i64 {
        let (knights, pace) = (engine("knights.sh"), format!("PACE={pace}"));
        let players = ["start", "--engine2", &knights, "--engine", &knights, "--engine-env", &pace];
        self.json(&[&players, more].concat())["id"].as_i64().expect("a number")
    }
}

#[track_caller]
fn fails(done: &Done, status: i32, words: &[&str]) {
    assert_eq!(done.status.code(), Some(status), "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "{word:?} is not in: {}", done.stderr);
    }
}

#[test]
fn a_run_is_begun_listed_shown_held_and_ended() {
    let desk = Desk::new(None);
    assert!(desk.runs(&["list"]).ok().stderr.contains("no run"));
    let run = desk.start("0.05", &["--games", "0", "--name", "endless"]);
    let number = run.to_string();
    let listed = desk.runs(&["list", "--state", "running"]).ok().stdout;
    assert!(listed.contains("endless") && listed.contains("running"), "{listed}");
    assert_eq!(desk.json(&["list", "--state", "finished"]), Value::Array(vec![]));
    let paused = desk.runs(&["pause", &number]).ok().stdout;
    assert!(paused.contains(&format!("run {run} 'endless' is paused")), "{paused}");
    assert_eq!(desk.json(&["show", &number])["state"], "paused");
    assert_eq!(desk.json(&["resume", &number])["state"], "running");
    let shown = desk.runs(&["show", &number]).ok().stdout;
    assert!(shown.contains("nodes=5000") && shown.contains("knights.sh"), "{shown}");
    // Without a terminal nobody can be asked.
    fails(&desk.runs(&["abort", &number]), 2, &["cannot be taken up again", "--yes"]);
    assert_eq!(desk.json(&["show", &number])["state"], "running");
    desk.runs(&["abort", &number, "--yes"]).ok();
    until("the run is over", || desk.json(&["show", &number])["state"] == "stopped");
    for action in ["pause", "resume", "stop"] {
        fails(&desk.runs(&[action, &number]), 1, &["is not being played", "it is stopped"]);
    }
    let aborted = desk.runs(&["abort", &number, "--yes"]);
    fails(&aborted, 1, &["it is stopped"]);
    fails(&desk.runs(&["show", "99"]), 1, &["there is no run 99"]);
    fails(&desk.runs(&["stop", "99"]), 1, &["there is no run 99"]);
}

#[test]
fn a_run_is_begun_like_another_and_from_what_was_shown() {
    let desk = Desk::new(None);
    let first = desk.start("", &["--name", "first", "--max-plies", "6", "--seed", "7"]).to_string();
    let watched = desk.runs(&["watch", &first]).ok();
    assert!(watched.stdout.contains("+0 -0 =1"), "{}", watched.stdout);
    let shown = desk.runs(&["show", &first, "--format", "json"]).ok().stdout;
    std::fs::write(desk.here.path("first.json"), &shown).expect("a file");
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    let settings = &shown["settings"];
    std::fs::write(desk.here.path("settings.json"), settings.to_string()).expect("a file");
    let ways: [&[&str]; 3] =
        [&["--like", &first], &["--settings", "first.json"], &["--settings", "settings.json"]];
    for way in ways {
        let run = desk.json(&[&["start"], way, &["--games", "2", "--name", "again"]].concat());
        let mut expected = settings.clone();
        expected["games"] = 2.into();
        expected["name"] = "again".into();
        assert_eq!(run["settings"], expected, "{way:?}");
    }
    std::fs::write(desk.here.path("wrong.json"), r#"{"games": 1, "second": {}}"#).expect("a file");
    let start = |more: &[&str]| desk.runs(&[&["start"], more].concat());
    fails(&start(&["--settings", "wrong.json"]), 1, &["'wrong.json'", "line 1"]);
    fails(&start(&["--settings", "none.json"]), 1, &["'none.json' cannot be read"]);
    fails(&start(&["--like", "99"]), 1, &["there is no run 99"]);
    fails(&start(&["--like", "1", "--level", "5"]), 2, &["--like", "--level"]);
    fails(&start(&["--like", "1", "--settings", "first.json"]), 2, &["--settings"]);
    fails(&start(&[]), 2, &["--engine", "--board"]);
    fails(&start(&["--engine", "x", "--engine2", "x", "--seed", "x"]), 2, &["--seed"]);
    let none = start(&["--board", "tcp://a:1", "--engine", "x", "--concurrency", "2"]);
    fails(&none, 1, &["the server says", "'concurrency' is 2"]);
}

#[test]
fn who_watches_sees_every_game_and_its_status_says_how_the_run_ended() {
    let desk = Desk::new(None);
    // Slow enough that it is watched before the second game is over, also on a loaded machine.
    let run = desk.start("0.9", &["--games", "3"]).to_string();
    let done = desk.here.finish(desk.spawn(&["watch", &run, "--format", "json"])).ok();
    let rows: Vec<Value> =
        done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = rows.last().expect("the run");
    assert_eq!((&last["state"], &last["played"]), (&"finished".into(), &3.into()));
    let numbers: Vec<_> = rows[..rows.len() - 1].iter().map(|game| &game["number"]).collect();
    // Each once; a first one may have been over before anybody watched.
    assert!(numbers.ends_with(&[&2.into(), &3.into()]) && numbers.len() <= 3, "{numbers:?}");
    let endless = desk.start("0.02", &["--games", "0"]).to_string();
    let watching = desk.spawn(&["watch", &endless]);
    until("a game is told", || desk.here.text("stderr").contains("game 2"));
    // From a place of its own: the one who watches has the other one's files.
    let other = Place::new();
    other.rookery(desk.args(&["stop", &endless])).ok();
    let done = desk.here.finish(watching);
    fails(&done, 1, &["is stopped", "games are over"]);
    let failing = desk.runs(&["start", "--engine2", "no-such", "--engine", "no-such", "--watch"]);
    fails(&failing, 1, &["is failed", "no-such"]);
}

#[test]
fn who_watches_is_not_lost_when_the_server_is_started_anew() {
    let desk = Desk::new(None);
    // Slow enough that it is watched before a game is over, and that the server ends before the last one does.
    let run = desk.start("1", &["--games", "3"]).to_string();
    let watching = desk.spawn(&["watch", &run, "--format", "json"]);
    until("a game is told", || desk.here.text("stdout").contains("\"number\":1"));
    let Desk { daemon, server, here, .. } = desk;
    let (address, db) = (daemon.address.to_string(), server.db());
    daemon.stop(&server).0.ok();
    let args = ["serve", "--listen", &address, "--db", utf8(&db)];
    let _daemon = Daemon::of(&server, server.command(args));
    let done = here.finish(watching).ok();
    let numbers: Vec<Value> = done
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["number"].clone())
        .collect();
    assert_eq!(numbers, [1.into(), 2.into(), 3.into(), Value::Null], "{}", done.stderr);
    assert!(done.stderr.contains("trying again"), "{}", done.stderr);
}

#[test]
fn a_server_that_cannot_be_asked_is_named_and_so_is_a_wrong_token() {
    let place = Place::new();
    fails(&place.rookery(["runs", "list"]), 2, &["no server", "--server", "ROOKERY_SERVER"]);
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", nobody.local_addr().expect("its address"));
    drop(nobody);
    for args in [&["list"][..], &["show", "1"], &["watch", "1"], &["abort", "1", "--yes"]] {
        let done = place.rookery([&["runs"], args, &["--server", &url]].concat());
        fails(&done, 1, &[&url, "refused"]);
    }
    let done = place.rookery(["runs", "list", "--server", "desk:8080"]);
    fails(&done, 2, &["'desk:8080' is not a server's URL"]);
    let mut desk = Desk::new(Some("secret"));
    desk.runs(&["list"]).ok();
    let run = desk.start("", &["--games", "1"]).to_string();
    desk.runs(&["watch", &run]).ok();
    desk.token = Some("guess");
    fails(&desk.runs(&["list"]), 1, &["another token", "--token"]);
    desk.token = None;
    fails(&desk.runs(&["watch", &run]), 1, &["needs its token", "--token", "ROOKERY_TOKEN"]);
}

#[test]
fn boards_and_firmware_of_a_server_are_seen_and_changed_from_anywhere() {
    let desk = Desk::new(None);
    let url = format!("http://{}", desk.daemon.address);
    let ask = |args: &[&str]| desk.here.rookery([args, &["--server", &url]].concat());
    assert!(ask(&["boards"]).ok().stderr.contains("no board yet"));
    let sim = run_support::Sim::start(&["--no-book"]);
    let more = ["--games", "1", "--level", "300", "--max-plies", "4", "--engine-limit", "nodes=50"];
    let start = ["start", "--watch", "--board", &sim.url, "--engine", "stockfish"];
    desk.runs(&[&start[..], &more].concat()).ok();
    run_support::until("the board is in session again", || {
        let boards = ask(&["boards"]).ok().stdout;
        boards.contains(&sim.url) && boards.contains("ready")
    });
    let json: Value = serde_json::from_str(&ask(&["boards", "--json"]).ok().stdout).expect("JSON");
    assert_eq!(json["url"], sim.url);
    fails(&ask(&["boards", "--board", &sim.url]), 2, &["--server"]);

    // The least that is taken for a program of the chip.
    let mut image = vec![0x5a; 2048];
    image[..8].copy_from_slice(&[0xe0, 0x08, 0x00, 0x20, 0x01, 0x02, 0x00, 0x08]);
    let tag = b"rookery-firmware stm32f103c6 9.9.9\0";
    image[0x180..0x180 + tag.len()].copy_from_slice(tag);
    std::fs::write(desk.here.path("image.bin"), &image).expect("a file");
    std::fs::write(desk.here.path("text.bin"), "nothing").expect("a file");
    fails(&ask(&["firmware", "upload", "text.bin"]), 1, &["the server says"]);
    fails(&ask(&["firmware", "upload", "none.bin"]), 1, &["'none.bin' cannot be read"]);
    let kept = ask(&["firmware", "upload", "image.bin", "--json"]).ok().stdout;
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let sha256 = kept["sha256"].as_str().expect("a hash");
    let listed = ask(&["firmware", "list"]).ok().stdout;
    assert!(listed.contains("9.9.9") && listed.contains(&sha256[..16]), "{listed}");
    assert!(ask(&["firmware", "history", &sim.url]).ok().stdout.contains("result"));
    fails(&ask(&["firmware", "status", &sim.url]), 1, &["the server says", "there is no"]);
    fails(&ask(&["firmware", "cancel", "nobody"]), 1, &["no board 'nobody'", &sim.url]);
    fails(&ask(&["firmware", "delete", "ffffffffff"]), 1, &["no image 'ffffffffff'"]);
    ask(&["firmware", "delete", &sha256[..8]]).ok();
    assert_eq!(ask(&["firmware", "list", "--json"]).ok().stdout.trim(), "[]");

    // Lines of games are a book, which can be kept, looked into, fetched in another form, put on boards, and forgotten.
    std::fs::write(desk.here.path("e4.pgn"), "1. e4 e5 2. Nf3 *\n\n1. e4 c5 *\n").expect("a file");
    fails(&ask(&["books", "upload", "text.bin"]), 1, &["the server says"]);
    assert!(ask(&["books", "upload", "e4.pgn"]).ok().stdout.contains("PGN"));
    assert!(ask(&["books", "list"]).ok().stdout.contains("e4.pgn"));
    let shown = ask(&["books", "show", "e4.pgn", "--line", "e4"]).ok().stdout;
    assert!(
        shown.contains("King's Pawn") && shown.contains("c5") && shown.contains("e5"),
        "{shown}"
    );
    let shown = ask(&["books", "show", "e4.pgn", "--json"]).ok().stdout;
    let shown: Value = serde_json::from_str(&shown).expect("JSON");
    assert_eq!(shown["book"]["moves"][0]["san"], "e4");
    assert!(shown["games"]["games"].is_array() && shown["evaluation"].is_object());
    fails(&ask(&["books", "show", "e4.pgn", "--line", "e5"]), 1, &["the server says", "e5"]);
    fails(&ask(&["books", "show", "d4.pgn"]), 1, &["no book 'd4.pgn'"]);
    fails(&ask(&["books", "download", "e4.pgn", "--out", "e4.txt"]), 1, &["e4.txt", ".rkb"]);
    ask(&["books", "download", "e4.pgn", "--out", "e4.rkb"]).ok();
    let local = desk.here.rookery(["book", "show", "e4.rkb"]).ok().stdout;
    assert!(local.contains("e4"), "{local}");
    assert!(ask(&["books", "image", "e4.pgn"]).ok().stdout.contains("book"));
    ask(&["books", "delete", "e4.pgn"]).ok();
    assert_eq!(ask(&["books", "list", "--json"]).ok().stdout.trim(), "[]");

    assert!(ask(&["api", "games/1/pgn"]).ok().stdout.starts_with("[Event"));
    let csv = ask(&["api", "telemetry/games?run=1&format=csv"]).ok().stdout;
    assert_eq!(csv.lines().count(), 2, "{csv}");
    std::fs::write(desk.here.path("q.json"), r#"{"sql": "SELECT 7 AS n"}"#).expect("a file");
    let answer = ask(&["api", "telemetry/sql", "--data", "q.json"]).ok().stdout;
    assert!(answer.contains("[7"), "{answer}");
    fails(&ask(&["api", "games/99"]), 1, &["there is no game 99"]);
    fails(&ask(&["api", "a b"]), 2, &["'a b' is not a path"]);
}
