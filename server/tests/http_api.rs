//! Every route of the API in a real server: what it answers, and what it says when it cannot.

mod http_support;

use http_support::{Server, ask, engine, knights, redact, send, settings};
use rookery_server::{
    model::{GameResult, LinkEvent, LinkEventKind, NewGame, RunId, Termination},
    runner::RunEnd,
};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::sleep;

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_server_has_empty_lists() {
    let server = Server::start().await;
    assert_eq!(server.json("/api/v1/runs").await, json!([]));
    assert_eq!(server.json("/api/v1/boards").await, json!([]));
    assert_eq!(server.json("/api/v1/games").await, json!({"games": [], "next": null, "total": 0}));
    let version = server.json("/api/v1/version").await;
    assert_eq!(version["version"], env!("CARGO_PKG_VERSION"));
    assert!(version["protocol"].as_u64().is_some_and(|v| v >= 2), "{version}");
    let health = server.get("/healthz").await;
    assert_eq!((health.status, &*health.body), (200, "ok\n"));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_error_has_the_one_form_and_says_what_was_wrong() {
    let server = Server::start().await;
    for (method, target, status, name, words) in [
        ("GET", "/api/v1/runs/7", 404, "not_found", "no run 7"),
        ("GET", "/api/v1/games/7", 404, "not_found", "no game 7"),
        ("GET", "/api/v1/games/7/pgn", 404, "not_found", "no game 7"),
        ("GET", "/api/v1/games/7/iterations", 404, "not_found", "no game 7"),
        ("GET", "/api/v1/games/7/events", 404, "not_found", "no game 7"),
        ("GET", "/api/v1/games/7/events?limit=0", 400, "bad_request", "from 1 to 10000"),
        ("GET", "/api/v1/boards/7", 404, "not_found", "no board 7"),
        ("POST", "/api/v1/runs/7/pause", 404, "not_found", "no run 7"),
        ("GET", "/api/v1/nothing", 404, "not_found", "/api/v1/nothing"),
        ("GET", "/api/v1/", 404, "not_found", "/api/v1/"),
        ("GET", "/api/v1", 404, "not_found", "/api/v1"),
        ("GET", "/api/v2/games", 404, "not_found", "/api/v2/games"),
        ("GET", "/api", 404, "not_found", "/api"),
        ("GET", "/api/v1/runs/x", 400, "bad_request", "`x`"),
        ("GET", "/api/v1/games/1e3", 400, "bad_request", "`1e3`"),
        ("GET", "/api/v1/games/99999999999999999999", 400, "bad_request", "9999"),
        ("GET", "/api/v1/games/%ff", 400, "bad_request", "UTF-8"),
        ("GET", "/api/v1/boards/-", 400, "bad_request", "`-`"),
        ("POST", "/api/v1/runs/x/pause", 400, "bad_request", "`x`"),
        ("GET", "/api/v1/games?run=x", 400, "bad_request", "run"),
        ("GET", "/api/v1/games?state=lost", 400, "bad_request", "lost"),
        ("GET", "/api/v1/games?stat=playing", 400, "bad_request", "stat"),
        ("GET", "/api/v1/games?limit=0", 400, "bad_request", "from 1 to 500"),
        ("GET", "/api/v1/games?limit=501", 400, "bad_request", "from 1 to 500"),
        ("GET", "/api/v1/games?limit=-1", 400, "bad_request", "limit"),
        ("GET", "/api/v1/games?before=1&before=2", 400, "bad_request", "before"),
        ("GET", "/api/v1/games?result=won", 400, "bad_request", "result"),
        ("GET", "/api/v1/games?since=yesterday", 400, "bad_request", "since: 'yesterday'"),
        ("GET", "/api/v1/games?stat=1", 400, "bad_request", "board, firmware, max_plies"),
        ("GET", "/api/v1/games.pgn?run=7", 404, "not_found", "no run 7"),
        ("GET", "/api/v1/games.pgn?board=7", 404, "not_found", "no board 7"),
        ("GET", "/api/v1/games.pgn?limit=1", 400, "bad_request", "limit"),
        ("GET", "/api/v1/games.pgn?style=latex", 400, "bad_request", "latex"),
        ("GET", "/api/v1/telemetry/plies?sid=white", 400, "bad_request", "side, since"),
        ("GET", "/api/v1/telemetry/compare?a=run=1", 400, "bad_request", "b"),
        ("GET", "/api/v1/telemetry/compare?a=run=1&b=engine=1", 400, "bad_request", "firmware=1.1"),
        ("GET", "/api/v1/games/1/pgn?style=latex", 400, "bad_request", "latex"),
        ("GET", "/api/v1/games/1/pgn?stile=board", 400, "bad_request", "stile"),
        ("GET", "/ws", 400, "bad_request", "WebSocket"),
        ("GET", "/ws?since=x", 400, "bad_request", "since"),
        ("GET", "/ws?sinse=1", 400, "bad_request", "sinse"),
        ("DELETE", "/api/v1/runs", 405, "method_not_allowed", "DELETE"),
        ("PUT", "/api/v1/games/1", 405, "method_not_allowed", "PUT"),
        ("GET", "/api/v1/runs/1/pause", 405, "method_not_allowed", "GET"),
        ("POST", "/metrics", 405, "method_not_allowed", "POST"),
        ("POST", "/ws", 405, "method_not_allowed", "POST"),
        ("POST", "/healthz", 405, "method_not_allowed", "POST"),
        ("POST", "/", 405, "method_not_allowed", "POST"),
        ("PATCH", "/index.html", 405, "method_not_allowed", "PATCH"),
    ] {
        let reply = server.ask(method, target, "").await;
        let said = reply.is_error(status, name);
        assert!(said.contains(words), "{method} {target}: {said}");
        if status == 405 {
            assert!(reply.header("allow").is_some_and(|a| !a.is_empty()), "{target}: {reply:?}");
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_is_no_run_is_refused_with_the_field_that_is_wrong() {
    let server = Server::start().await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut settings = knights(1, "");
        change(&mut settings);
        settings.to_string()
    };
    let long = "x".repeat(201);
    for (body, words) in [
        ("{".to_owned(), "JSON"),
        ("[]".to_owned(), "RunSettings"),
        ("{}".to_owned(), "first"),
        (with(&|s| s["first"] = json!({"pigeon": {}})), "pigeon"),
        (with(&|s| s["gmaes"] = 3.into()), "gmaes"),
        (with(&|s| s["second"]["pat"] = 3.into()), "second"),
        (with(&|s| s["second"]["limit"] = "nodes".into()), "second.limit"),
        (with(&|s| s["second"]["limit"] = "tc=0".into()), "clock starts at zero"),
        (with(&|s| s["games"] = "four".into()), "games"),
        (with(&|s| s["games"] = (-1).into()), "games"),
        (with(&|s| s["games"] = 1_000_001.into()), "'games' is 1000001"),
        (with(&|s| s["level"] = 0.into()), "'level'"),
        (with(&|s| s["concurrency"] = 0.into()), "'concurrency'"),
        (with(&|s| s["concurrency"] = 257.into()), "'concurrency'"),
        (with(&|s| s["think_timeout_s"] = 0.into()), "'think_timeout_s'"),
        (with(&|s| s["color"] = "red".into()), "color"),
        (with(&|s| s["name"] = "".into()), "'name'"),
        (with(&|s| s["name"] = "a\nb".into()), "'name'"),
        (with(&|s| s["name"] = long.clone().into()), "'name'"),
        (with(&|s| s["second"]["name"] = "\u{1b}[2J".into()), "'second.name'"),
        (with(&|s| s["adjudication"] = json!({"max_plies": 0})), "'adjudication.max_plies'"),
        (
            with(&|s| s["adjudication"] = json!({"resign": {"moves": 0, "score": 1}})),
            "'adjudication.resign.moves'",
        ),
        (
            with(&|s| {
                s["adjudication"] = json!({"draw": {"move_number": 1, "moves": 0, "score": 1}})
            }),
            "'adjudication.draw.moves'",
        ),
        (with(&|s| s["first"] = json!({"boards": []})), "no board"),
        (with(&|s| s["first"] = json!({"boards": [{"url": "com3"}]})), "com3"),
        (
            with(&|s| {
                s["first"] = json!({"boards": [{"url": "tcp://a:1"}, {"url": "tcp://a:01/"}]})
            }),
            "named twice",
        ),
        (
            with(&|s| {
                s["first"] = json!({"boards": [{"url": "tcp://a:1"}]});
                s["concurrency"] = 2.into();
            }),
            "there are 1 boards",
        ),
        (with(&|s| s["openings"] = json!([{"fen": "8/8 w"}])), "opening line 1"),
        (
            with(&|s| s["openings"] = json!([{"moves": ["e2e4"]}, {"moves": ["e2e5"]}])),
            "opening line 2",
        ),
        (
            with(&|s| s["openings"] = json!([{"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}])),
            "opening line 1: the game is over",
        ),
        (
            with(&|s| {
                let twice = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
                s["openings"] = json!([{"moves": twice}, {"moves": ["e2e4"]}]);
            }),
            "3-fold repetition",
        ),
        (
            with(&|s| {
                s["adjudication"] = json!({"max_plies": 2});
                s["openings"] = json!([{"moves": ["e2e4", "e7e5", "g1f3"]}]);
            }),
            "maximum game length",
        ),
    ] {
        let reply = server.ask("POST", "/api/v1/runs", &body).await;
        let said = reply.is_error(400, "bad_request");
        assert!(said.contains(words), "{body}: {said}");
    }
    let plain = ask(server.address, "POST", "/api/v1/runs", &[], &knights(1, "").to_string()).await;
    plain.is_error(415, "unsupported_media_type");
    let mut large = knights(1, "");
    large["openings"] = json!(vec![json!({"moves": ["e2e4", "e7e5", "g1f3"]}); 200_000]);
    let reply = server.ask("POST", "/api/v1/runs", &large.to_string()).await;
    let said = reply.is_error(413, "too_large");
    assert!(said.contains(&(4 << 20).to_string()), "{said}");
    assert_eq!(server.json("/api/v1/runs").await, json!([]), "none of them was kept");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_from_its_beginning_to_its_pgn() {
    let server = Server::start().await;
    let mut settings = knights(5, "");
    settings["name"] = "Knights".into();
    settings["openings"] = json!([{"name": "Home", "moves": []}]);
    let id = server.create(&settings).await;
    let mut run = server.until_run(id, "finished").await;
    assert_eq!(run["settings"]["openings"][0]["name"], "Home", "it can be posted again");
    redact(&mut run);
    insta::assert_json_snapshot!("run", run);

    let list = server.json("/api/v1/runs").await;
    assert_eq!(list[0]["id"], id);
    assert_eq!(list[0]["draws"], 5);
    assert_eq!(list[0]["settings"]["openings"], json!([]), "there may be thousands");
    assert_eq!(list[0]["openings"], 1);

    // By pages of two: the newest first, each game once.
    let (mut found, mut before) = (Vec::new(), String::new());
    loop {
        let page = server.json(&format!("/api/v1/games?run={id}&limit=2{before}")).await;
        let games = page["games"].as_array().expect("a list");
        assert!((1..=2).contains(&games.len()), "{page}");
        let all = if before.is_empty() { json!(5) } else { Value::Null };
        assert_eq!(page["total"], all, "{page}");
        found.extend(games.iter().map(|game| game["number"].as_i64().expect("a number")));
        let Some(next) = page["next"].as_i64() else { break };
        before = format!("&before={next}");
    }
    assert_eq!(found, [5, 4, 3, 2, 1]);
    for (query, count) in [
        ("?state=playing", 0),
        ("?state=finished", 5),
        ("?run=99", 0),
        ("?limit=5", 5),
        ("?before=1", 0),
    ] {
        let page = server.json(&format!("/api/v1/games{query}")).await;
        assert_eq!(page["games"].as_array().map(Vec::len), Some(count), "{query}");
        assert_eq!(page["next"], Value::Null, "{query}: {page}");
    }
    let total = async |query: &str| server.json(&format!("/api/v1/games?limit=1&{query}")).await;
    assert_eq!(total("min_plies=8&result=1/2-1/2&text=two").await["total"], 5);
    assert_eq!(total("max_plies=7").await["total"], 0);

    let mut detail = server.json("/api/v1/games/1").await;
    redact(&mut detail);
    insta::assert_json_snapshot!("game", detail);
    let iterations = server.json("/api/v1/games/1/iterations").await;
    assert_eq!(iterations.as_array().map(Vec::len), Some(8));
    insta::assert_json_snapshot!("iteration", iterations[0]);

    for (query, words) in [
        ("", "{+0.10/1 "),
        ("?style=engine", "n=20"),
        ("?style=lichess", "[%eval 0.10"),
        ("?style=board", "Nf3"),
    ] {
        let pgn = server.get(&format!("/api/v1/games/1/pgn{query}")).await;
        assert_eq!(pgn.status, 200);
        assert!(pgn.body.contains(words), "{}", pgn.body);
        assert!(pgn.body.contains("[Event \"Knights\"]"), "{}", pgn.body);
        assert!(pgn.body.ends_with("1/2-1/2\n\n"), "{:?}", pgn.body);
        assert_eq!(pgn.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
        let disposition = "attachment; filename=\"rookery-game-1.pgn\"";
        assert_eq!(pgn.header("content-disposition"), Some(disposition));
    }

    // One file of several games; without chunks, so that the body is the file.
    let file = async |query: &str| {
        let request = format!("GET /api/v1/games.pgn{query} HTTP/1.0\r\nHost: localhost\r\n\r\n");
        let reply = send(server.address, request.as_bytes()).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let disposition = "attachment; filename=\"rookery-games.pgn\"";
        assert_eq!(reply.header("content-disposition"), Some(disposition));
        reply.body
    };
    let mut singly = String::new();
    for game in 1..=5 {
        singly += &server.get(&format!("/api/v1/games/{game}/pgn?style=lichess")).await.body;
    }
    assert_eq!(file("?style=lichess").await, singly);
    for (query, count) in [
        (
            "?run=1&result=1/2-1/2&termination=threefold_repetition&opening=ome&text=two&opponent=tw",
            5,
        ),
        ("?min_plies=8&max_plies=8&since=2026-01-01&until=9999-01-01", 5),
        ("?result=1-0", 0),
        ("?opponent=One", 0),
        ("?firmware=1.0", 0),
        ("?state=playing", 0),
    ] {
        assert_eq!(file(query).await.matches("[Event ").count(), count, "{query}");
    }

    for word in ["pause", "resume", "stop", "abort"] {
        let said =
            server.post(&format!("/api/v1/runs/{id}/{word}")).await.is_error(409, "conflict");
        assert!(said.contains(&format!("run {id} is not being played")), "{said}");
    }
    let said = server.post(&format!("/api/v1/runs/{id}/dance")).await.is_error(404, "not_found");
    assert!(said.contains("pause, resume, stop, abort and next"), "{said}");

    // A server that is started again shows what there was.
    let dir = server.stop().await;
    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    let snapshot = server.app.live.snapshot();
    assert_eq!(snapshot.runs.len(), 1);
    assert_eq!(snapshot.recent.iter().map(|game| game.number).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_a_server_left_is_shown_so_and_is_taken_up_or_ended_by_a_word() {
    let server = Server::start().await;
    // Its first game outlives four servers.
    let (settings, goes) = noted(&server, 2, "0.8");
    let id = server.create(&settings).await;
    let run = format!("/api/v1/runs/{id}");
    let more_than = |n: usize| move |v: &Value| v["plies"].as_array().is_some_and(|p| p.len() > n);
    server.until("a game", "/api/v1/games", |page| page["games"][0]["plies"].is_u64()).await;
    server.until("some plies", "/api/v1/games/1", more_than(2)).await;
    // Nobody takes it up by itself: so it is with a server that was started for another run.
    let again = async |server: Server| {
        let server = Server::start_in(server.stop().await, "127.0.0.1:0", None).await;
        assert_eq!(server.json(&run).await["state"], "interrupted");
        assert_eq!(server.json("/api/v1/runs").await[0]["state"], "interrupted");
        let snapshot = server.app.live.snapshot();
        assert_eq!(snapshot.runs.iter().map(|run| run.id.0).collect::<Vec<_>>(), [id]);
        assert!(snapshot.live.is_empty());
        server
    };
    let say = async |server: &Server, word: &str| {
        let reply = server.post(&format!("{run}/{word}")).await;
        assert_eq!(reply.status, 200, "{word}: {reply:?}");
        reply.json()["state"].as_str().expect("a state").to_owned()
    };

    let server = again(server).await;
    let kept = plies(&server, 1).await;
    assert_eq!(say(&server, "resume").await, "running");
    server.until("more plies", "/api/v1/games/1", more_than(kept)).await;
    assert_eq!(server.json("/api/v1/games").await["total"], 1, "the same game goes on");

    let server = again(server).await;
    let (kept, thought) = (plies(&server, 1).await, lines(&goes));
    assert_eq!(say(&server, "pause").await, "paused");
    let server = again(server).await;
    assert_eq!((plies(&server, 1).await, lines(&goes)), (kept, thought), "it was held");
    assert_eq!(say(&server, "resume").await, "running");
    server.until("more plies", "/api/v1/games/1", more_than(kept)).await;

    let server = again(server).await;
    assert_eq!(say(&server, "abort").await, "stopped");
    let game = server.json("/api/v1/games/1").await;
    assert_eq!(game["game"]["termination"], "aborted", "{game}");
    assert_eq!(server.app.live.snapshot().recent.len(), 1, "viewers see the game's end");
    let said = server.post(&format!("{run}/resume")).await.is_error(409, "conflict");
    assert!(said.contains("is not being played: it is stopped"), "{said}");
    server.stop().await;
}

/// The page is there before the command that goes on with a run has come to it, so a word may be first.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_a_word_took_up_or_ended_is_not_begun_a_second_time() {
    // At the same time: they wait most of it.
    let words = ["resume", "pause", "stop", "abort"].map(|word| async move {
        let server = Server::start().await;
        // The first game is not over before the last word.
        let (settings, _) = noted(&server, 2, "0.5");
        let id = server.create(&settings).await;
        let run = format!("/api/v1/runs/{id}");
        let some = |game: &Value| game["plies"].as_array().is_some_and(|plies| plies.len() > 2);
        server.until("a game", "/api/v1/games", |page| page["games"][0]["plies"].is_u64()).await;
        server.until("some plies", "/api/v1/games/1", some).await;
        let server = Server::start_in(server.stop().await, "127.0.0.1:0", None).await;
        let left = server.app.store.run(RunId(id)).await.expect("a run");
        server.post(&format!("{run}/{word}")).await;
        let ending = server.app.runs.begin(left).await.expect("it goes on, or is over");
        if word != "abort" {
            // One word more, so that the second game need not be waited for.
            server.post(&format!("{run}/stop")).await;
        }
        let end = ending.await.expect("an end").unwrap_or_else(|e| panic!("{word}: {e}"));
        assert_eq!(end, RunEnd::Stopped, "{word}");
        let games = server.json("/api/v1/games").await;
        assert_eq!((&games["total"], &games["games"][0]["state"]), (&1.into(), &"finished".into()));
        assert_eq!(server.json(&run).await["state"], "stopped", "{word}");
        server.stop().await;
    });
    futures_util::future::join_all(words).await;
}

/// A run whose engines note every think, so that what is kept can be compared with what was thought.
fn noted(server: &Server, games: u32, pace: &str) -> (Value, std::path::PathBuf) {
    let goes = server.dir.path().join("goes");
    let mut settings = knights(games, pace);
    settings["claims"] = "never".into();
    for player in ["/first/engine/env", "/second/env"] {
        settings.pointer_mut(player).expect("a player")["GOES"] =
            goes.to_str().expect("a path").into();
    }
    (settings, goes)
}

async fn plies(server: &Server, game: i64) -> usize {
    let detail = server.json(&format!("/api/v1/games/{game}")).await;
    detail["plies"].as_array().map_or(0, Vec::len)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_paused_run_stands_still_with_its_last_ply_kept_and_a_resumed_one_goes_on() {
    let server = Server::start().await;
    let (settings, goes) = noted(&server, 3, "0.15");
    let id = server.create(&settings).await;
    let plied = |value: &Value| value["plies"].as_array().is_some_and(|plies| plies.len() >= 3);
    server.until("a game", "/api/v1/games", |page| page["games"][0]["plies"].is_u64()).await;
    server.until("some plies", "/api/v1/games/1", plied).await;

    let reply = server.post(&format!("/api/v1/runs/{id}/pause")).await;
    assert_eq!((reply.status, &reply.json()["state"]), (200, &json!("paused")));
    // The think that is going on comes to its end, and no other begins.
    sleep(Duration::from_millis(600)).await;
    let at_rest = |game: &Value| {
        let live = server.app.live.snapshot().live;
        game["plies"].as_array().is_some_and(|plies| plies.len() == lines(&goes))
            && live[0].plies.len() == lines(&goes)
            && live[0].thinking_since.is_none()
    };
    server.until("the last ply is kept and shown", "/api/v1/games/1", at_rest).await;
    let (kept, thought) = (plies(&server, 1).await, lines(&goes));
    assert_eq!(kept, thought, "the last ply is kept and shown although the run is held");
    let live = server.app.live.snapshot().live;
    assert_eq!((live[0].plies.len(), live[0].thinking_since), (kept, None), "nobody thinks");
    sleep(Duration::from_millis(600)).await;
    assert_eq!((plies(&server, 1).await, lines(&goes)), (kept, thought));
    assert_eq!(server.until_run(id, "paused").await["played"], 0);
    // Twice is no mistake.
    assert_eq!(server.post(&format!("/api/v1/runs/{id}/pause")).await.status, 200);

    // A server that is started again holds it still.
    let dir = server.stop().await;
    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    let resumed = server.app.runs.resume_all().await.expect("runs");
    assert_eq!(resumed.len(), 1);
    sleep(Duration::from_millis(600)).await;
    assert_eq!(lines(&goes), thought);
    assert_eq!(server.json(&format!("/api/v1/runs/{id}")).await["state"], "paused");

    let reply = server.post(&format!("/api/v1/runs/{id}/resume")).await;
    assert_eq!((reply.status, &reply.json()["state"]), (200, &json!("running")));
    server
        .until("more plies", "/api/v1/games/1", |v| {
            v["plies"].as_array().map_or(0, Vec::len) > kept
        })
        .await;

    // Stopped while it is held, it plays its game to the end, and no other.
    assert_eq!(server.post(&format!("/api/v1/runs/{id}/pause")).await.status, 200);
    let reply = server.post(&format!("/api/v1/runs/{id}/stop")).await;
    assert_eq!((reply.status, &reply.json()["state"]), (200, &json!("running")));
    assert_eq!(reply.json()["alarm"], "stops after this game");
    let said = server.post(&format!("/api/v1/runs/{id}/pause")).await.is_error(409, "conflict");
    assert!(said.contains("stops after this game"), "{said}");
    let run = server.until_run(id, "stopped").await;
    assert_eq!((&run["played"], &run["draws"]), (&json!(1), &json!(1)), "{run}");
    assert!(run["ended_at"].is_i64());
    server.stop().await;
}

fn lines(path: &std::path::Path) -> usize {
    std::fs::read_to_string(path).unwrap_or_default().lines().count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_run_is_over_whatever_is_said_after_that() {
    let server = Server::start().await;
    let id = server.create(&knights(3, "0.6")).await;
    server
        .until("a game", "/api/v1/games", |page| page["games"][0]["plies"].as_u64() > Some(1))
        .await;
    let before = server.app.live.snapshot().seq;
    // All at once, as an impatient person clicks.
    let target = |word: &str| format!("/api/v1/runs/{id}/{word}");
    let (abort, resume, pause) = (target("abort"), target("resume"), target("pause"));
    assert_eq!(server.post(&abort).await.status, 200);
    for reply in [server.post(&resume).await, server.post(&pause).await, server.post(&abort).await]
    {
        reply.is_error(409, "conflict");
    }
    let run = server.until_run(id, "stopped").await;
    assert_eq!(run["played"], 1);
    let game = server.json("/api/v1/games/1").await["game"].clone();
    assert_eq!(game["termination"], "aborted");
    assert_eq!((&game["result"], &game["state"]), (&json!("*"), &json!("finished")));
    let snapshot = server.app.live.snapshot();
    assert!(snapshot.live.is_empty(), "{:?}", snapshot.live);
    assert!(snapshot.seq > before);
    let dir = server.stop().await;
    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    assert!(server.app.runs.resume_all().await.expect("runs").is_empty());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_that_is_taken_back_is_forgotten() {
    let server = Server::start().await;
    let id = server.create(&knights(2, "0.4")).await;
    server.until("a game", "/api/v1/games", |page| page["games"][0]["plies"].is_u64()).await;
    let stop = server.post(&format!("/api/v1/runs/{id}/stop")).await;
    assert_eq!(stop.json()["alarm"], "stops after this game");
    let resume = server.post(&format!("/api/v1/runs/{id}/resume")).await;
    assert_eq!(resume.json()["alarm"], Value::Null);
    assert_eq!(server.until_run(id, "finished").await["played"], 2);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_outlives_a_restart_unless_it_is_taken_back() {
    let dir = tempfile::tempdir().expect("a folder");
    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    // Sixteen plies, which outlive two servers.
    let (settings, _) = noted(&server, 9, "0.6");
    let id = server.create(&settings).await;
    server
        .until("a game", "/api/v1/games", |page| page["games"][0]["plies"].as_u64() > Some(1))
        .await;
    let target = |word: &str| format!("/api/v1/runs/{id}/{word}");
    server.post(&target("stop")).await;
    let dir = server.stop().await;

    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    assert_eq!(server.app.runs.resume_all().await.expect("runs").len(), 1);
    let run = server.json(&format!("/api/v1/runs/{id}")).await;
    assert_eq!(
        (&run["state"], &run["alarm"]),
        (&json!("running"), &json!("stops after this game"))
    );
    // Taken back, and said again: the last word counts.
    server.post(&target("resume")).await;
    assert!(!server.app.store.run(RunId(id)).await.expect("the run").stopping);
    server.post(&target("stop")).await;
    let dir = server.stop().await;

    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    assert_eq!(server.app.runs.resume_all().await.expect("runs").len(), 1);
    let run = server.until_run(id, "stopped").await;
    assert_eq!(run["played"], 1, "the game that was being played is over, and no other began");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_board_another_run_has_says_so_and_can_be_ended() {
    let server = Server::start().await;
    let board = |url: &str| {
        let mut settings = knights(1, "");
        settings["first"] = json!({"boards": [{"name": "bench", "url": url}]});
        settings
    };
    // Nobody answers there; both spell one board.
    let first = server.create(&board("tcp://127.0.0.1:1")).await;
    let alarm = |view: &Value| view["alarm"].as_str().unwrap_or_default().to_owned();
    let run = |id: i64| format!("/api/v1/runs/{id}");
    server.until("the alarm", &run(first), |v| alarm(v).contains("waiting for board")).await;
    let (aborted, stopped) = (
        server.create(&board("tcp://127.0.0.1:1/")).await,
        server.create(&board("tcp://127.0.0.1:01")).await,
    );
    assert_eq!(server.json("/api/v1/boards").await.as_array().map(Vec::len), Some(1));
    let why = format!("run {first} plays on bench");
    for (id, place) in [(aborted, 1), (stopped, 2)] {
        let waits = json!({"place": place, "why": why, "behind": [first]});
        server.until("its place", &run(id), |v| v["queue"] == waits).await;
    }
    assert_eq!(server.post(&format!("{}/abort", run(aborted))).await.status, 200);
    server.until_run(aborted, "stopped").await;
    assert_eq!(server.post(&format!("{}/stop", run(stopped))).await.status, 200);
    server.until_run(stopped, "stopped").await;
    let view = server.json(&run(first)).await;
    assert_eq!(view["state"], "running");
    // Waiting is quiet: a board's state now and then, and no alarm twice.
    let before = server.app.live.snapshot().seq;
    sleep(Duration::from_millis(1500)).await;
    let said = server.app.live.snapshot().seq - before;
    assert!(said < 20, "{said} messages while nothing happened");
    assert_eq!(server.json("/api/v1/boards/1").await["name"], "bench");
    assert_eq!(server.post(&format!("{}/stop", run(first))).await.status, 200);
    server.until_run(first, "stopped").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_fails_says_why_and_is_whole_when_it_is_tried_again() {
    let server = Server::start().await;
    let mut settings = knights(1, "");
    let program = server.dir.path().join("late.sh");
    settings["second"]["path"] = program.to_str().expect("a path").into();
    let id = server.create(&settings).await;
    let run = server.until_run(id, "failed").await;
    assert!(run["alarm"].as_str().is_some_and(|alarm| alarm.contains("late.sh")), "{run}");
    std::os::unix::fs::symlink(engine("knights.sh"), &program).expect("a link");
    std::os::unix::fs::symlink(engine("lib.sh"), server.dir.path().join("lib.sh")).expect("a link");
    let record = server.app.store.run(rookery_server::model::RunId(id)).await.expect("a run");
    let ending = server.app.runs.begin(record).await.expect("it begins");
    let begun = server.app.live.run(rookery_server::model::RunId(id)).expect("a run");
    assert_eq!((begun.alarm, begun.ended_at), (None, None), "the old failure is over");
    ending.await.expect("an end").expect("a good one");
    assert_eq!(server.json(&format!("/api/v1/runs/{id}")).await["state"], "finished");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_counted_stands_in_the_metrics() {
    rookery_server::http::install_metrics();
    let server = Server::start().await;
    let before = metrics(&server).await;
    for name in [
        "rookery_plies_total{mover=\"first\"}",
        "rookery_plies_total{mover=\"second\"}",
        "rookery_games_total{termination=\"checkmate\"}",
        "rookery_runs_active",
        "rookery_games_live",
        "rookery_delta_sequence",
    ] {
        assert!(before.iter().any(|(key, _)| key == name), "{name} is missing: {before:?}");
    }
    let id = server.create(&knights(2, "")).await;
    server.until_run(id, "finished").await;
    let after = metrics(&server).await;
    let grown = |name: &str| {
        let value = |list: &[(String, f64)]| {
            list.iter().find(|(key, _)| key == name).map_or(0.0, |(_, v)| *v)
        };
        value(&after) - value(&before)
    };
    // Other tests of this program count in the same place.
    assert!(grown("rookery_plies_total{mover=\"first\"}") >= 8.0);
    assert!(grown("rookery_plies_total{mover=\"second\"}") >= 8.0);
    assert!(grown("rookery_games_total{termination=\"threefold_repetition\"}") >= 2.0);
    server.stop().await;
}

/// Every sample of the text format, each line of which must be one.
async fn metrics(server: &Server) -> Vec<(String, f64)> {
    let reply = server.get("/metrics").await;
    assert_eq!(reply.header("content-type"), Some("text/plain; version=0.0.4; charset=utf-8"));
    assert!(reply.body.ends_with('\n'));
    let mut typed = Vec::new();
    let mut samples = Vec::new();
    for line in reply.body.lines().filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix("# ") {
            let words: Vec<&str> = comment.splitn(3, ' ').collect();
            assert!(matches!(words[0], "HELP" | "TYPE"), "{line}");
            if words[0] == "TYPE" {
                assert!(matches!(words[2], "counter" | "gauge"), "{line}");
                typed.push(words[1].to_owned());
            }
            continue;
        }
        let (key, value) = line.rsplit_once(' ').expect("a value");
        let name = key.split('{').next().unwrap_or(key);
        assert!(typed.iter().any(|t| t == name), "{line} has no type");
        samples.push((key.to_owned(), value.parse().expect("a number")));
    }
    samples
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_many_games_comes_in_parts() {
    let server = Server::start().await;
    let store = &server.app.store;
    let run = store.create_run(&settings()).await.expect("a run");
    for number in 1..=200 {
        let game = new_game(run, number);
        let game = store.create_game(&game).await.expect("a game");
        let why = "x".repeat(900);
        let end = store.finish_game(game, GameResult::Draw, Termination::Aborted, Some(&why));
        end.await.expect("its end");
    }
    let reply = server.get("/api/v1/games.pgn").await;
    assert_eq!(reply.header("transfer-encoding"), Some("chunked"), "{}", reply.head);
    let whole =
        send(server.address, b"GET /api/v1/games.pgn HTTP/1.0\r\nHost: localhost\r\n\r\n").await;
    let rounds = whole.body.lines().filter_map(|line| line.strip_prefix("[Round \""));
    let rounds: Vec<u32> =
        rounds.map(|r| r.trim_end_matches("\"]").parse().expect("a number")).collect();
    assert_eq!(rounds, (1..=200).collect::<Vec<_>>());
    let most = reply.body.lines().filter_map(|line| usize::from_str_radix(line, 16).ok()).max();
    assert!(
        most.is_some_and(|most| (1..100_000).contains(&most)),
        "{most:?} of {}",
        whole.body.len()
    );
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_on_the_link_of_a_past_game() {
    let server = Server::start().await;
    let store = &server.app.store;
    let run = store.create_run(&settings()).await.expect("a run");
    let board = store.upsert_board("Board", "tcp://x:1").await.expect("a board");
    let mut games = Vec::new();
    for number in 1..=2 {
        let game = new_game(run, number);
        games.push(store.create_game(&game).await.expect("a game"));
    }
    let event = |at, kind, detail: &str| LinkEvent { at, kind, detail: detail.into() };
    let of_first = [
        event(5, LinkEventKind::BadCrc, "@1 b 0000"),
        event(6, LinkEventKind::Retransmitted, "@1 p"),
        event(9, LinkEventKind::Retransmitted, "@2 p"),
    ];
    for (game, events) in [
        (Some(games[0]), &of_first[..]),
        (Some(games[1]), &[event(7, LinkEventKind::Rebooted, "")]),
        (None, &[event(8, LinkEventKind::Timeout, "")]),
    ] {
        store.add_link_events(board, game, events).await.expect("events");
    }
    assert_eq!(
        server.json("/api/v1/games/1/events").await,
        json!([
            {"at": 5, "event": "bad_crc", "detail": "@1 b 0000"},
            {"at": 6, "event": "retransmitted", "detail": "@1 p"},
            {"at": 9, "event": "retransmitted", "detail": "@2 p"},
        ])
    );
    let last = server.json("/api/v1/games/1/events?limit=1").await;
    assert_eq!(last, json!([{"at": 9, "event": "retransmitted", "detail": "@2 p"}]));
    server.stop().await;
}

fn new_game(run: RunId, number: u32) -> NewGame {
    NewGame {
        run_id: run,
        number,
        board_id: None,
        white: format!("White {number}"),
        black: "Black".into(),
        first_color: shakmaty::Color::White,
        start_fen: "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1".into(),
        opening: None,
        started_at: 0,
    }
}
