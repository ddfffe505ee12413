//! What goes over a link, shown: the console at a server's side and alone, and the report of a game.

mod http_support;
mod run_support;

use futures_util::{SinkExt as _, StreamExt as _};
use http_support::ask;
use run_support::{Daemon, Done, Place, Sim, utf8};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    io::{Cursor, Read as _, Write as _},
    net::SocketAddr,
    process::Stdio,
    time::Duration,
};
use tokio::{net::TcpStream, time::timeout};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server with one simulated board that is as slow as it is told.
fn daemon(place: &Place, sim: &Sim, more: &str) -> Daemon {
    let path = place.path("rookery.toml");
    let text = format!("[boards.desk]\nurl = '{}'\n{more}", sim.url);
    std::fs::write(&path, text).expect("a file");
    place.serve(&["--config", utf8(&path)])
}

/// Runs a command with a text typed into it.
fn typed(place: &Place, args: &[&str], text: &str) -> Done {
    let mut command = place.command(args);
    command.stdin(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads");
    place.finish(child)
}

struct Console(WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Console {
    async fn open(address: SocketAddr) -> Console {
        let url = format!("ws://{address}/api/v1/boards/1/console");
        Console(connect_async(url).await.expect("a WebSocket").0)
    }

    async fn say(&mut self, what: Value) {
        self.0.send(Message::text(what.to_string())).await.expect("it takes it");
    }

    /// The next message for which something holds.
    async fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        let found = async {
            loop {
                let message = self.0.next().await.expect("a message").expect("a good message");
                if let Message::Text(text) = message {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    if holds(&value) {
                        return value;
                    }
                }
            }
        };
        timeout(PATIENCE, found).await.expect("in time")
    }

    async fn answer(&mut self, what: Value) -> (bool, String) {
        self.say(what).await;
        let answer = self.until(|m| m["type"] == "answer").await;
        (
            answer["sent"].as_bool().expect("a flag"),
            answer["text"].as_str().expect("words").to_owned(),
        )
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_console_shows_what_was_and_what_comes_and_talks_to_the_board() {
    let (place, sim) = (Place::new(), Sim::start(&[]));
    let daemon = daemon(&place, &sim, "");
    let mut console = Console::open(daemon.address).await;
    let session =
        console.until(|m| m["meaning"].as_str().is_some_and(|t| t.starts_with("in session"))).await;
    assert_eq!(session["way"], "in");
    assert!(session["text"].as_str().unwrap().starts_with("<S"));
    assert!(session["hex"].as_str().unwrap().starts_with("3c53"));
    // A second one sees what was before it came.
    let mut second = Console::open(daemon.address).await;
    second.until(|m| m["text"] == session["text"]).await;

    let (sent, text) = console.answer(json!({"say": "."})).await;
    assert!(sent && text.starts_with("executed"), "{text}");
    let (sent, text) = console.answer(json!({"say": "i 0"})).await;
    assert!(sent && text.contains("kind"), "{text}");
    let (sent, text) = console.answer(json!({"say": "t 1"})).await;
    assert!(!sent && text.contains("no command"), "{text}");
    let (sent, text) = console.answer(json!({"say": "p 1/1 nonsense"})).await;
    assert!(!sent || text.starts_with("refused"), "{text}");
    let (sent, _) = console.answer(json!({"say": r"!no \x01 line"})).await;
    assert!(sent);
    let raw = second.until(|m| m["way"] == "out" && m["meaning"] == Value::Null).await;
    assert_eq!(
        (&raw["text"], &raw["hex"]),
        (&json!(r"no \x01 line"), &json!("6e6f2001206c696e65"))
    );
    let (sent, text) = console.answer(json!({"sya": "."})).await;
    assert!(!sent && text.contains("sya"), "{text}");
    // The session was not disturbed.
    let (_, text) = second.answer(json!({"say": "."})).await;
    assert!(text.starts_with("executed"), "{text}");

    let lines = ask(daemon.address, "GET", "/api/v1/boards/1/lines?last=3", &[], "").await;
    assert_eq!(lines.json().as_array().map(Vec::len), Some(3));
    let text = ask(daemon.address, "GET", "/api/v1/boards/1/lines.txt", &[], "").await;
    assert!(text.header("content-disposition").unwrap().contains("rookery-board-1.txt"));
    assert!(text.body.lines().any(|line| line.ends_with(r" > no \x01 line")), "{}", text.body);
    for path in ["lines", "lines.txt", "console"] {
        let path = format!("/api/v1/boards/7/{path}");
        ask(daemon.address, "GET", &path, &[], "").await.is_error(404, "not_found");
    }
    daemon.stop(&place).0.ok();
}

const NIGHT: &str = "[engines.sf]\npath = 'stockfish'\nlimit = 'nodes=100'\n\
    [[runs]]\nname = 'night'\nboards = ['desk']\nengine = 'sf'\ngames = 1\nlevel = 3000\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_not_disturbed_unless_that_is_wanted() {
    let (place, sim) = (Place::new(), Sim::start(&["--no-book", "--speed", "500"]));
    let daemon = daemon(&place, &sim, NIGHT);
    let mut console = Console::open(daemon.address).await;
    let mut watcher = Console::open(daemon.address).await;
    console.until(|m| m["meaning"].as_str().is_some_and(|t| t.contains(": think "))).await;
    let (sent, text) = console.answer(json!({"say": "x"})).await;
    assert!(!sent && text.contains("plays game 1") && text.contains("force"), "{text}");
    // Between two thinks there is nothing to stop.
    for tries in 1.. {
        let (sent, text) = console.answer(json!({"say": "x", "force": true})).await;
        assert!(sent && text.starts_with("executed"), "{text}");
        let stopped = |m: &Value| m["meaning"].as_str().is_some_and(|t| t.contains("when stopped"));
        if timeout(Duration::from_secs(4), watcher.until(stopped)).await.is_ok() {
            break;
        }
        assert!(tries < 5, "no think is stopped");
    }
    daemon.stop(&place).0.ok();
}

#[test]
fn the_command_talks_to_a_board_alone_or_through_its_server() {
    let (place, sim) = (Place::new(), Sim::start(&[]));
    let served = Place::new();
    let alone = typed(&place, &["console", "--board", &sim.url], "i 0\n\nnonsense\n!0X\n").ok();
    assert!(alone.stdout.contains("identify, page 0"), "{}", alone.stdout);
    assert!(alone.stdout.contains(" > 0X"), "{}", alone.stdout);
    assert!(alone.stderr.contains("i 0: executed: 0/"), "{}", alone.stderr);
    assert!(alone.stderr.contains("'nonsense' is no command"), "{}", alone.stderr);

    let daemon = daemon(&served, &sim, "");
    let server = format!("http://{}", daemon.address);
    for board in ["desk", "1", &sim.url] {
        let args = ["console", "--board", board, "--server", &server, "--hex", "--filter", "ping"];
        let through = typed(&place, &args, ".\n").ok();
        assert!(through.stdout.contains("ping"), "{}", through.stdout);
        assert!(!through.stdout.contains("in session"), "{}", through.stdout);
        assert!(through.stdout.contains("3e 43"), "{}", through.stdout);
        assert!(through.stderr.contains(".: executed"), "{}", through.stderr);
    }
    let raw = typed(&place, &["console", "--board", "1", "--server", &server, "--raw"], ".\n").ok();
    assert!(
        raw.stdout.lines().all(|l| l.split(' ').next().unwrap().parse::<i64>().is_ok()),
        "{}",
        raw.stdout
    );

    for (args, words) in [
        (&["--board", "desk"][..], &["--server", "tcp://HOST:PORT"][..]),
        (&["--board", "window", "--server", &server], &["'window'", "desk"]),
        (
            &["--board", "desk", "--server", "http://127.0.0.1:1"],
            &["http://127.0.0.1:1", "cannot be asked"],
        ),
        (&["--board", "desk", "--server", "ftp://h"], &["http://HOST:PORT"]),
    ] {
        let done = typed(&place, &[&["console"], args].concat(), "");
        assert!(!done.status.success());
        for word in words {
            assert!(done.stderr.contains(word), "{word} is not in: {}", done.stderr);
        }
    }
    daemon.stop(&served).0.ok();
}

fn unpack(bytes: &[u8]) -> BTreeMap<String, String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).expect("a ZIP file");
    let mut files = BTreeMap::new();
    for at in 0..zip.len() {
        let mut file = zip.by_index(at).expect("a file");
        let name = file.name().expect("a name").into_owned();
        let mut text = String::new();
        file.read_to_string(&mut text).expect("a text");
        files.insert(name, text);
    }
    files
}

#[tokio::test(flavor = "multi_thread")]
async fn a_report_has_everything_about_a_game() {
    let (place, sim) = (Place::new(), Sim::start(&[]));
    let log = place.path("log");
    let path = place.path("rookery.toml");
    let text = format!("log_dir = '{}'\n[boards.desk]\nurl = '{}'\n{NIGHT}", utf8(&log), sim.url);
    std::fs::write(&path, text).expect("a file");
    let daemon = place.serve(&["--config", utf8(&path)]);
    let server = format!("http://{}", daemon.address);
    run_support::until("the game ends", || {
        place.count("SELECT count(*) FROM games WHERE state = 'finished'") == 1
    });
    // What happens on a link is written some of it at a time.
    run_support::until("the link's events are kept", || {
        place.count("SELECT count(*) FROM link_events WHERE kind = 'synced'") > 0
    });
    let file = place.path("r.zip");
    let desk = Place::new();
    desk.rookery(["report", "--game", "1", "--server", &server, "-o", utf8(&file)]).ok();
    let files = unpack(&std::fs::read(&file).expect("a file"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "about.txt",
            "board.json",
            "game.json",
            "game.pgn",
            "iterations.json",
            "link.json",
            "log.txt",
            "run.json",
            "traffic.txt"
        ]
    );
    let game: Value = serde_json::from_str(&files["game.json"]).expect("JSON");
    assert_eq!(
        game["plies"].as_array().map(Vec::len),
        game["game"]["plies"].as_u64().map(|n| n as usize)
    );
    assert!(files["game.pgn"].contains("[White "));
    assert!(files["traffic.txt"].lines().count() > 20);
    assert!(files["log.txt"].contains("INFO"), "{}", files["log.txt"]);
    assert!(files["board.json"].contains("\"fw\""), "{}", files["board.json"]);
    assert!(files["link.json"].contains("synced"), "{}", files["link.json"]);
    daemon.stop(&place).0.ok();

    // Without a server there is no traffic, without a folder no log; the file has a name of its own.
    place.rookery(["report", "--game", "1", "--db", utf8(&place.db())]).ok();
    let files = unpack(&std::fs::read(place.path("rookery-report-1.zip")).expect("a file"));
    assert!(!files.contains_key("traffic.txt") && !files.contains_key("log.txt"));
    assert!(files["about.txt"].contains("No traffic.txt"));
    let done = place.rookery(["report", "--game", "9", "--db", utf8(&place.db())]);
    assert!(!done.status.success() && done.stderr.contains("game 9"), "{}", done.stderr);
}
