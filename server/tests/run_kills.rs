//! A server that is killed, interrupted and terminated at any moment: nothing that was announced is missing, every game goes on, no
//! process stays behind.

mod run_support;

use futures_util::StreamExt as _;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use run_support::{Place, SOON, Sim, engine, until, utf8, wait};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    process::Child,
    time::{Duration, Instant},
};
use tokio::time::timeout_at;

const KILLS: usize = 30;
/// Fewer plies are too little to have seen; a slow machine is killed more often.
const ENOUGH: usize = 100;
/// For what must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// Played where the file is there: two lines of eight plies.
const OPENINGS: &str = "openings.pgn";
const LINES: &str = "[Event \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 *\n\n\
    [Event \"B\"]\n\n1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 *\n";

/// What viewers were told: game and ply to move.
type Announced = BTreeMap<(u64, u64), String>;

fn start(place: &Place, sim: &Sim, mark: &str, games: &str) -> Child {
    let mark = format!("ROOK_TEST_MARK={mark}");
    let openings = place.path(OPENINGS);
    let engine = ["--engine-limit", "nodes=2000", "--engine-env", &mark];
    let mut more = vec!["--games", games, "--level", "2000", "--listen", "127.0.0.1:0"];
    if openings.exists() {
        more.extend(["--openings", utf8(&openings)]);
    }
    place.board_run(&sim.url, &[&engine[..], &more].concat()).spawn().expect("rookery starts")
}

/// The page's address, once it is said; `None` when the program ended before.
fn address(place: &Place, child: &mut Child) -> Option<String> {
    let mut found = None;
    until("the address", || {
        let text = place.text("stderr");
        found =
            text.lines().find_map(|l| l.strip_prefix("the page is at http://")).map(str::to_owned);
        found.is_some() || child.try_wait().expect("a child").is_some()
    });
    found
}

/// Where the time of a watch begins.
#[derive(Clone, Copy, PartialEq)]
enum Since {
    Now,
    /// A machine that is slow to begin does not spend the time with that.
    TheFirstPly,
}

/// Watches as a viewer does, for so long or until the server's end.
async fn watch(address: &str, since: Since, time: Duration, announced: &mut Announced) {
    let url = format!("ws://{address}/ws");
    let Ok((mut socket, _)) = tokio_tungstenite::connect_async(url).await else { return };
    let mut end = Instant::now() + if since == Since::Now { time } else { PATIENCE };
    let mut waits = since == Since::TheFirstPly;
    let mut note = |game: &Value, ply: &Value| {
        let key = (game.as_u64().expect("a game"), ply["ply"].as_u64().expect("a ply"));
        let uci = ply["uci"].as_str().expect("a move").to_owned();
        if let Some(before) = announced.insert(key, uci.clone()) {
            assert_eq!(before, uci, "{key:?} was announced as another move before");
        }
    };
    while let Ok(Some(Ok(message))) = timeout_at(end.into(), socket.next()).await {
        let Ok(text) = message.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        let change = &message["change"];
        match change["kind"].as_str() {
            Some("ply") => {
                note(&change["game"], &change["ply"]);
                if std::mem::take(&mut waits) {
                    end = Instant::now() + time;
                }
            }
            Some("game_started") => {
                for ply in change["live"]["plies"].as_array().expect("plies") {
                    note(&change["live"]["game"]["id"], ply);
                }
            }
            _ => {}
        }
    }
    assert!(!waits, "no ply in {PATIENCE:?}");
}

fn stored(place: &Place) -> Announced {
    let parse = |row: String| {
        let mut fields = row.split('|');
        let mut number = || fields.next().and_then(|f| f.parse().ok()).expect("a number");
        ((number(), number()), fields.next().expect("a move").to_owned())
    };
    place.sql("SELECT game_id, ply, uci FROM plies").into_iter().map(parse).collect()
}

fn marked_processes(mark: &str) -> usize {
    let needle = format!("ROOK_TEST_MARK={mark}");
    let folders = std::fs::read_dir("/proc").expect("/proc").flatten();
    folders
        .filter_map(|folder| std::fs::read(folder.path().join("environ")).ok())
        .filter(|environ| environ.split(|b| *b == 0).any(|var| var == needle.as_bytes()))
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn thirty_kills_lose_nothing_that_was_announced_and_every_game_ends() {
    let (place, sim) = (Place::new(), Sim::start(&["--seed", "3"]));
    std::fs::write(place.path(OPENINGS), LINES).expect("a file");
    let mark = format!("{}-{:x}", std::process::id(), rand::random::<u32>());
    let mut rng = StdRng::seed_from_u64(3);
    let mut announced = Announced::new();
    let mut kill = 0;
    while kill < KILLS || announced.len() <= ENOUGH {
        kill += 1;
        let mut child = start(&place, &sim, &mark, "400");
        // A third of the kills strike while it starts, a third from the page on, a third in the midst of a game.
        let after = Duration::from_millis(rng.random_range(0..900));
        let end = Instant::now() + after;
        if kill % 3 != 0
            && let Some(address) = address(&place, &mut child)
        {
            let since = if kill % 3 == 1 { Since::Now } else { Since::TheFirstPly };
            watch(&address, since, after, &mut announced).await;
        } else {
            tokio::time::sleep_until(end.into()).await;
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("its end");
        if place.db().exists() && !announced.is_empty() {
            let kept = stored(&place);
            for (key, uci) in &announced {
                assert_eq!(kept.get(key), Some(uci), "kill {kill}: {key:?} was announced");
            }
        }
        until("the engines to end with their server", || marked_processes(&mark) == 0);
    }
    let open = place.sql("SELECT count(*) FROM games WHERE state = 'playing'");
    // None where the last kill came between two games.
    assert!(open == ["1"] || open == ["0"], "one game was interrupted again and again: {open:?}");
    // Fewer games than the run has would take too long: the rest is stopped by hand, what was begun is played to its end.
    let mut child = start(&place, &sim, &mark, "400");
    let page = address(&place, &mut child).expect("its page");
    let stop = format!("http://{page}/api/v1/runs/1/stop");
    post(&stop).await;
    place.finish(child).ok();
    // However early a game was cut off, it has its whole opening behind it, the line of its pair.
    let openings = place.sql(
        "SELECT DISTINCT group_concat(uci, ' ') OVER (PARTITION BY game_id ORDER BY ply \
         ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) || ((number - 1) / 2 % 2) \
         FROM plies JOIN games ON games.id = game_id WHERE mover = 'opening' ORDER BY 1",
    );
    let lines =
        ["d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e71", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f60"];
    assert!(
        !openings.is_empty() && openings.iter().all(|o| lines.contains(&o.as_str())),
        "{openings:?}"
    );
    let games = place.verify();
    for game in &games {
        assert_eq!(game["state"], "finished");
        let termination = game["termination"].as_str().expect("a reason");
        assert!(
            !["interrupted", "dead_board", "illegal_move", "engine_crash"].contains(&termination),
            "{game}"
        );
    }
    assert_eq!(marked_processes(&mark), 0);
}

/// A POST with the standard library alone.
async fn post(url: &str) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let (host, path) = url.strip_prefix("http://").and_then(|u| u.split_once('/')).expect("a URL");
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let mut stream = tokio::net::TcpStream::connect(host).await.expect("the server");
        let request = format!(
            "POST /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await.expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        if answer.starts_with("HTTP/1.1 200") {
            return;
        }
        // The run is not active yet in the first moments.
        assert!(answer.starts_with("HTTP/1.1 409") && Instant::now() < end, "{answer}");
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("a signal");
}

#[test]
fn ctrl_c_and_sigterm_end_soon_and_leave_the_game_resumable() {
    // Slow enough that the game is not over before the third signal.
    let (place, sim) = (Place::new(), Sim::start(&["--speed", "10000"]));
    let mark = format!("{}-{:x}", std::process::id(), rand::random::<u32>());
    let mut plies = 0;
    for sent in [Signal::INT, Signal::TERM, Signal::INT] {
        let mut child = start(&place, &sim, &mark, "1");
        let count = |place: &Place| place.count("SELECT count(*) FROM plies");
        address(&place, &mut child).expect("its page");
        until("some plies", || count(&place) > plies + 3);
        signal(&child, sent);
        let begun = Instant::now();
        let status = wait(&mut child, SOON).expect("it ends soon");
        assert!(
            status.success(),
            "{status:?} after {:?}: {}",
            begun.elapsed(),
            place.text("stderr")
        );
        assert_eq!(marked_processes(&mark), 0, "an engine stayed");
        plies = count(&place);
        assert_eq!(place.sql("SELECT state FROM games"), ["playing"]);
    }
    place.finish(start(&place, &sim, &mark, "1")).ok();
    assert_eq!(place.verify()[0]["state"], "finished");
    assert_eq!(place.sql("SELECT count(*) FROM incidents WHERE kind = 'resumed'"), ["3"]);
}

#[test]
fn no_resume_closes_the_interrupted_game_and_begins_anew() {
    let (place, sim) = (Place::new(), Sim::start(&["--speed", "20000"]));
    let mut child = start(&place, &sim, "none", "1");
    address(&place, &mut child).expect("its page");
    until("a ply", || place.count("SELECT count(*) FROM plies") > 0);
    child.kill().expect("SIGKILL");
    child.wait().expect("its end");
    let more = ["--engine-limit", "nodes=100", "--level", "200", "--games", "1"];
    let mut again = place.board_run(&sim.url, &more);
    place.ended(again.args(["--max-plies", "10", "--no-resume"])).ok();
    let games = place.sql("SELECT result, termination FROM games ORDER BY id");
    assert_eq!(games, ["*|interrupted", "1/2-1/2|max_plies"]);
}

#[test]
fn a_second_ctrl_c_ends_at_once() {
    // On a loaded machine the first one may have ended it before the second one comes.
    let ended = (0..5).any(|_| {
        let code = ended_by_two_ctrl_c();
        assert!(matches!(code, Some(130 | 0)), "{code:?}");
        code == Some(130)
    });
    assert!(ended, "a second one ends nothing");
}

fn ended_by_two_ctrl_c() -> Option<i32> {
    let place = Place::new();
    let db = place.db();
    let slow = engine("ignore_quit.sh");
    let args = [
        "run",
        "--engine2",
        &slow,
        "--engine",
        &engine("hang_on_go.sh"),
        "--color",
        "black",
        "--db",
        utf8(&db),
    ];
    let mut child = place.command(args).spawn().expect("rookery starts");
    until("the game", || place.count("SELECT count(*) FROM games") > 0);
    signal(&child, Signal::INT);
    until("its word", || place.text("stderr").contains("stopping"));
    signal(&child, Signal::INT);
    wait(&mut child, SOON).expect("it ends at once").code()
}
