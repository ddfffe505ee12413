//! Firmware through the API: what is kept, who may flash, and boards that are flashed while they play.

mod flash_support;
mod http_support;
mod run_support;

use flash_support::images::{hex, program};
use http_support::{Reply, Server, ask, send};
use rookery_server::{
    app::AppOptions,
    model::{BoardId, BoardSpec},
};
use run_support::{Sim, path_with_games};
use serde_json::{Value, json};
use std::path::PathBuf;

const FLASH: u32 = 0x0800_0000;

/// A file as a request's body.
async fn upload(server: &Server, query: &str, headers: &[(&str, &str)], file: &[u8]) -> Reply {
    let mut request = format!(
        "POST /api/v1/firmware{query} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n",
        server.address,
        file.len()
    );
    for (name, value) in headers {
        request.push_str(&format!("{name}: {value}\r\n"));
    }
    request.push_str("\r\n");
    send(server.address, &[request.as_bytes(), file].concat()).await
}

async fn kept(server: &Server, file: &[u8]) -> String {
    let reply = upload(server, "", &[], file).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    reply.json()["sha256"].as_str().expect("a hash").to_owned()
}

async fn board(server: &Server, sim: &Sim) -> BoardId {
    let spec = BoardSpec { name: Some("sim".into()), url: sim.url.clone() };
    server.app.boards.get(&spec).await.expect("a board").id
}

async fn flash(server: &Server, board: BoardId, request: Value) -> Reply {
    server.ask("POST", &format!("/api/v1/boards/{board}/flash"), &request.to_string()).await
}

/// Waits for the end of a flash.
async fn ended(server: &Server, board: BoardId) -> Value {
    let target = format!("/api/v1/boards/{board}/flash");
    server.until("the end", &target, |view| view["record"]["result"] != "running").await
}

#[tokio::test(flavor = "multi_thread")]
async fn images_are_kept_by_their_hash_and_wrong_ones_are_refused() {
    let server = Server::start().await;
    assert_eq!(server.json("/api/v1/firmware").await, json!([]));
    let bytes = program("1.2.3", 5000);
    let first = kept(&server, &bytes).await;
    // The same program from another file is the same image.
    assert_eq!(kept(&server, hex(FLASH, &bytes).as_bytes()).await, first);
    let images = server.json("/api/v1/firmware").await;
    assert_eq!(images.as_array().map(Vec::len), Some(1));
    assert_eq!(images[0]["version"], "1.2.3");
    assert_eq!((&images[0]["board"], &images[0]["size"]), (&"stm32f103c6".into(), &5000.into()));
    let file = server.dir.path().join(format!("rookery.db.firmware/{first}.bin"));
    assert_eq!(std::fs::read(&file).expect("its file"), bytes);

    let said = upload(&server, "", &[], &[0xff; 100]).await.is_error(400, "bad_request");
    assert!(said.contains("empty"), "{said}");
    let mut foreign = program("1.0", 3000);
    foreign[0x180..0x1c0].fill(0);
    let said = upload(&server, "", &[], &foreign).await.is_error(400, "bad_request");
    assert!(said.contains("rookery-firmware"), "{said}");
    assert_eq!(upload(&server, "?foreign=true", &[], &foreign).await.status, 201);
    assert_eq!(upload(&server, "?region=book", &[], b"BOOK").await.status, 201);
    let said = upload(&server, "?region=attic", &[], b"BOOK").await.is_error(400, "bad_request");
    assert!(said.contains("'attic'") && said.contains("book"), "{said}");
    upload(&server, "?size=3", &[], b"BOOK").await.is_error(400, "bad_request");
    let long = vec![b' '; (4 << 20) + 1];
    let said = upload(&server, "", &[], &long).await.is_error(413, "too_large");
    assert!(said.contains("4194304"), "{said}");

    let one = format!("/api/v1/firmware/{first}");
    assert_eq!(server.json(&one).await["version"], "1.2.3");
    assert_eq!(server.ask("DELETE", &one, "").await.status, 204);
    server.ask("DELETE", &one, "").await.is_error(404, "not_found");
    server.get(&one).await.is_error(404, "not_found");
    assert!(!file.exists());
    server.ask("DELETE", "/api/v1/firmware/..%2f..%2frookery", "").await.is_error(404, "not_found");
    assert!(server.dir.path().join("rookery.db").exists());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn to_flash_needs_a_token_of_its_own() {
    let bytes = program("1.0", 2000);
    let bearer = |token: &str| format!("Bearer {token}");
    let open = |token: Option<&'static str>, flash: Option<&'static str>, listen: &'static str| async move {
        let options = AppOptions {
            token: token.map(str::to_owned),
            flash_token: flash.map(str::to_owned),
            ..AppOptions::default()
        };
        Server::start_as(tempfile::tempdir().expect("a folder"), listen, options).await
    };
    let server = open(Some("play"), Some("flash"), "0.0.0.0:0").await;
    let play = bearer("play");
    let said = upload(&server, "", &[("Authorization", &play)], &bytes).await;
    assert!(said.is_error(403, "forbidden").contains("--flash-token"));
    upload(&server, "", &[], &bytes).await.is_error(401, "unauthorized");
    upload(&server, "", &[("Authorization", "Bearer wrong")], &bytes)
        .await
        .is_error(401, "unauthorized");
    let flash = bearer("flash");
    let key = [("Authorization", &*flash)];
    assert_eq!(upload(&server, "", &key, &bytes).await.status, 201);
    // Who plays may look, and who flashes may play.
    let list = "/api/v1/firmware";
    assert_eq!(ask(server.address, "GET", list, &[("Authorization", &play)], "").await.status, 200);
    assert_eq!(ask(server.address, "GET", "/api/v1/runs", &key, "").await.status, 200);
    for (method, target) in [
        ("DELETE", "/api/v1/firmware/x"),
        ("POST", "/api/v1/boards/1/flash"),
        ("DELETE", "/api/v1/boards/1/flash"),
    ] {
        let denied = ask(server.address, method, target, &[("Authorization", &play)], "").await;
        denied.is_error(403, "forbidden");
    }
    server.stop().await;
    // Without such a token it is possible from this machine alone.
    let server = open(Some("play"), None, "0.0.0.0:0").await;
    let said = upload(&server, "", &[("Authorization", &play)], &bytes).await;
    assert!(said.is_error(403, "forbidden").contains("--flash-token"));
    server.stop().await;
    let server = open(None, Some("flash"), "127.0.0.1:0").await;
    upload(&server, "", &[], &bytes).await.is_error(403, "forbidden");
    assert_eq!(upload(&server, "", &key, &bytes).await.status, 201);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_flashed_its_history_kept_and_the_last_good_image_put_back() {
    let server = Server::start().await;
    // Its flash takes its time, so that something can be asked meanwhile.
    let sim = Sim::start(&["--seed", "5", "--flash-time"]);
    let board = board(&server, &sim).await;
    let (a, b) = (program("1.0", 25_000), program("2.0", 26_000));
    let (a, b) = (kept(&server, &a).await, kept(&server, &b).await);
    let target = format!("/api/v1/boards/{board}");
    server.until("ready", &target, |view| view["link"] == "ready").await;

    server.get(&format!("{target}/flash")).await.is_error(404, "not_found");
    let rollback = json!({"rollback": true, "by": "a test"});
    let said = flash(&server, board, rollback.clone()).await.is_error(409, "conflict");
    assert!(said.contains("no other image"), "{said}");
    for (wrong, word) in [
        (json!({}), "'image'"),
        (json!({"image": a, "rollback": true}), "'rollback'"),
        (json!({"image": a, "lines": "reset=rts"}), "entry 'lines'"),
        (json!({"image": a, "entry": "lines", "lines": "x"}), "reset=rts"),
        (json!({"image": a, "by": "\n"}), "'by'"),
        (json!({"image": a, "when": "never"}), "never"),
    ] {
        let reply = flash(&server, board, wrong).await;
        assert!(reply.status == 400 || reply.status == 422, "{reply:?}");
        assert!(reply.body.contains(word), "{word}: {reply:?}");
    }
    flash(&server, board, json!({"image": "0123"})).await.is_error(404, "not_found");
    flash(&server, BoardId(99), json!({"image": a})).await.is_error(404, "not_found");

    for (image, version) in [(&a, "1.0"), (&b, "2.0")] {
        let begun = flash(&server, board, json!({"image": image, "by": "a test"})).await;
        assert_eq!(begun.status, 202, "{begun:?}");
        // One at a time, and its image stays meanwhile.
        flash(&server, board, json!({"image": image})).await.is_error(409, "conflict");
        let one = format!("/api/v1/firmware/{image}");
        server.ask("DELETE", &one, "").await.is_error(409, "conflict");
        let view = ended(&server, board).await;
        assert_eq!(view["record"]["result"], "flashed", "{view:#}");
        assert_eq!(view["firmware"], version);
        server.until("it says so", &target, |view| view["identity"]["fw"] == version).await;
    }
    // A comparison is no flash that could be put back.
    assert_eq!(flash(&server, board, json!({"image": b, "mode": "verify"})).await.status, 202);
    assert_eq!(ended(&server, board).await["record"]["result"], "compared");
    assert_eq!(flash(&server, board, rollback).await.status, 202);
    let view = ended(&server, board).await;
    assert_eq!((&view["record"]["result"], &view["firmware"]), (&"flashed".into(), &"1.0".into()));
    let history = server.json(&format!("{target}/flashes")).await;
    let results: Vec<_> =
        history.as_array().expect("a list").iter().map(|f| &f["result"]).collect();
    assert_eq!(results, ["flashed", "compared", "flashed", "flashed"]);
    assert_eq!((&history[0]["by"], &history[0]["image"]), (&"a test".into(), &a.clone().into()));
    server.ask("DELETE", &format!("{target}/flash"), "").await.is_error(409, "conflict");
    server.stop().await;
}

/// Version A plays a game; over a bad line the server flashes B between two plies; B finishes the game.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_is_interrupted_by_a_flash_is_finished_by_the_new_version() {
    let server = Server::start().await;
    let faults = "lose=0.005,flip7=0.005,flip8=0.005,dup-bytes=0.005,drop=0.001";
    // Slow enough that its first game is not over before the first flash.
    let sim = Sim::start(&["--seed", "11", "--speed", "9000", "--no-book", "--faults", faults]);
    let board = board(&server, &sim).await;
    let target = format!("/api/v1/boards/{board}");
    let image = kept(&server, &program("2.0", 12_000)).await;
    let run = server
        .create(&json!({
            "first": {"boards": [{"name": "sim", "url": sim.url}]},
            "second": {"name": "Stockfish", "path": stockfish(), "limit": "nodes=500"},
            "games": 2,
            "level": 1000,
            "adjudication": {"max_plies": 36},
        }))
        .await;
    let plies = |at_least: usize| {
        move |games: &Value| {
            let game = &games["games"][0];
            game["number"] == 1 && game["plies"].as_u64() >= Some(at_least as u64)
        }
    };
    let _ = server.until("some plies", "/api/v1/games?limit=1", plies(6)).await;
    let said = flash(&server, board, json!({"image": image})).await.is_error(409, "conflict");
    assert!(said.contains("game 1") && said.contains("--pause"), "{said}");

    let begun = flash(&server, board, json!({"image": image, "when": "pause"})).await;
    assert_eq!(begun.status, 202, "{begun:?}");
    let view = ended(&server, board).await;
    assert_eq!(view["record"]["result"], "flashed", "{view:#}");
    assert_eq!(view["firmware"], "2.0");
    let run_view = server.json(&format!("/api/v1/runs/{run}")).await;
    assert_eq!(run_view["state"], "running", "{run_view:#}");

    // And now one that waits for the game's end; the next game is played by what it leaves.
    let other = kept(&server, &program("3.0", 6000)).await;
    let begun = flash(&server, board, json!({"image": other, "when": "finish"})).await;
    assert_eq!(begun.status, 202, "{begun:?}");
    let view = ended(&server, board).await;
    assert_eq!((&view["record"]["result"], &view["firmware"]), (&"flashed".into(), &"3.0".into()));
    let first = server.json("/api/v1/games/1").await;
    assert_eq!(first["game"]["state"], "finished", "{first:#}");
    assert!(first["game"]["plies"].as_u64() > Some(12), "{first:#}");
    server.until_run(run, "finished").await;
    server.until("it says so", &target, |view| view["identity"]["fw"] == "3.0").await;
    for game in [1, 2] {
        let game = server.json(&format!("/api/v1/games/{game}")).await;
        let termination = game["game"]["termination"].as_str().expect("an end");
        assert!(!["board_dead", "aborted", "interrupted"].contains(&termination), "{termination}");
    }
    server.stop().await;
}

fn stockfish() -> String {
    let path = path_with_games();
    let mut places = std::env::split_paths(&path).map(|folder| folder.join("stockfish"));
    let found: Option<PathBuf> = places.find(|file| file.exists());
    found.expect("stockfish is in PATH or /usr/games").to_string_lossy().into_owned()
}
