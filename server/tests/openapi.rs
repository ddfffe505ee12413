//! The OpenAPI document against the router and against what a real server answers; the WebSocket's schema against what it sends; and the
//! example clients against the same server.

mod http_support;

use http_support::{Server, knights, send};
use rookery_server::{
    app::AppOptions,
    books::BooksOptions,
    http::{openapi, websocket_schema},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Output,
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The method and path of everything that the router is given, from its source: axum cannot be asked.
fn routes() -> BTreeSet<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/http/mod.rs");
    let text = std::fs::read_to_string(path).expect("the router");
    let router = text.split("pub fn router(").nth(1).expect("the router's function");
    let mut routes = BTreeSet::new();
    for line in router.split("\n}\n").next().expect("its end").split(".route(").skip(1) {
        let path = line.split('"').nth(1).expect("a path");
        let prefix = if ["/metrics", "/ws", "/healthz"].contains(&path) { "" } else { "/api/v1" };
        for method in ["get", "post", "put", "patch", "delete"] {
            if line.contains(&format!("{method}(")) {
                routes.insert((method.to_owned(), format!("{prefix}{path}")));
            }
        }
    }
    routes
}

/// The same from the document.
fn operations(document: &Value) -> BTreeSet<(String, String)> {
    let paths = document["paths"].as_object().expect("paths");
    paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().expect("methods").keys();
            methods.map(move |method| (method.clone(), path.clone()))
        })
        .collect()
}

#[test]
fn every_route_is_in_the_document_and_the_other_way_round() {
    let (routes, document) = (routes(), openapi());
    assert!(routes.len() > 15, "{routes:?}");
    assert_eq!(
        routes,
        operations(&document),
        "the router (left), the document (right): http/openapi.rs describes each route"
    );
    let ids: Vec<&str> = document["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|methods| methods.as_object().expect("methods").values())
        .map(|operation| operation["operationId"].as_str().expect("an id"))
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{ids:?}");
}

/// `make types` writes it as it writes the page's types.
#[test]
fn the_websockets_schema_in_docs_is_the_servers() {
    let path = root().join("docs/websocket.schema.json");
    let made = format!("{:#}\n", websocket_schema());
    if std::env::var_os("WRITE_TYPES").is_some() {
        std::fs::write(&path, &made).expect("the schema is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/websocket.schema.json is not what the server's types are: make types"
    );
}

fn python() -> tokio::process::Command {
    let program = std::env::var("PYTHON").unwrap_or_else(|_| {
        let venv = root().join("target/venv/bin/python");
        if venv.exists() { venv.to_string_lossy().into_owned() } else { "python3".into() }
    });
    let mut command = tokio::process::Command::new(program);
    command.kill_on_drop(true);
    command
}

fn said(output: &Output) -> String {
    let text = [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat();
    assert!(output.status.success(), "{text}");
    text
}

/// A path with real values in it.
fn filled(path: &str, run: i64) -> Vec<String> {
    if path == "/api/v1/telemetry/{view}" {
        let views = [
            "summary?group=mover&percentiles=true",
            "plies",
            "games",
            "iterations",
            "link",
            "journal",
        ];
        return views.map(|view| format!("/api/v1/telemetry/{view}")).to_vec();
    }
    let id = if path.contains("/runs/") { run.to_string() } else { "1".to_owned() };
    let mut path = path.replace("{id}", &id).replace("{book}", "lines");
    if path.ends_with("/compare") {
        path.push_str("?a=game=1&b=game=1");
    }
    vec![path]
}

/// What every request of the document is answered, and which schema it must fit.
async fn answers(server: &Server, document: &Value, run: i64) -> Vec<Value> {
    let mut cases = Vec::new();
    let mut add = |name: String, status: u16, operation: &Value, body: Value| {
        let answer = operation["responses"].get(status.to_string());
        let answer = answer.or_else(|| operation["responses"].get("default"));
        let schema = answer.unwrap_or_else(|| panic!("{name}: {status}"))["content"]["application/json"]["schema"].clone();
        cases.push(json!({"name": name, "schema": schema, "instance": body}));
    };
    for (method, path) in operations(document) {
        let operation = &document["paths"][&path][&method];
        if operation["responses"].get("101").is_some() {
            continue;
        }
        // Nothing was flashed here: what is not there is answered as an error, which has a schema as well.
        if method == "get" && (path.contains("{sha256}") || path.ends_with("/flash")) {
            let target = path.replace("{sha256}", &"0".repeat(64)).replace("{id}", "1");
            let reply = server.get(&target).await;
            assert_eq!(reply.status, 404, "{target}: {reply:?}");
            add(target, 404, operation, reply.json());
            continue;
        }
        if method == "get" {
            for target in filled(&path, run) {
                let reply = server.get(&target).await;
                assert_eq!(reply.status, 200, "{target}: {reply:?}");
                let content = &operation["responses"]["200"]["content"];
                let kind =
                    reply.header("content-type").expect("a type").split(';').next().expect("one");
                assert!(content.get(kind).is_some(), "{target}: {kind} is not in {content}");
                if kind == "application/json" {
                    add(target, 200, operation, reply.json());
                }
            }
        }
        // What is not there, and what is not possible, is an error in the documented form.
        let wrong = path
            .replace("{id}", "999")
            .replace("{action}", "dance")
            .replace("{view}", "none")
            .replace("{book}", "none");
        let reply = match &*method {
            "get" => server.get(&format!("{wrong}?nothing=1")).await,
            _ => server.ask("POST", &wrong, "{}").await,
        };
        if reply.status >= 400 {
            add(format!("{method} {wrong}"), reply.status, operation, reply.json());
        }
    }
    let operation = |method: &str, path: &str| &document["paths"][path][method];
    let settings = knights(1, "5");
    let reply = server.ask("POST", "/api/v1/runs", &settings.to_string()).await;
    add("begin".into(), reply.status, operation("post", "/api/v1/runs"), reply.json());
    let schema =
        &operation("post", "/api/v1/runs")["requestBody"]["content"]["application/json"]["schema"];
    cases_of_body(&mut cases, schema, settings);
    let id = reply.json()["id"].clone();
    // A run that is told to stop before its first game is over, and cannot be aborted then.
    let games = format!("/api/v1/games?run={id}&state=playing");
    let plays = |page: &Value| page["games"].as_array().is_some_and(|games| !games.is_empty());
    server.until("a game is played", &games, plays).await;
    for action in ["pause", "resume", "stop", "abort"] {
        let reply = server.post(&format!("/api/v1/runs/{id}/{action}")).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let schema = &operation("post", "/api/v1/runs/{id}/{action}")["responses"]["200"];
        cases.push(json!({"name": action, "schema": schema["content"]["application/json"]["schema"], "instance": reply.json()}));
    }
    let sql = json!({"sql": "SELECT 1 AS a, 'b' AS b, NULL AS c, 2.5 AS d", "limit": 5});
    let reply = server.ask("POST", "/api/v1/telemetry/sql", &sql.to_string()).await;
    let operation = operation("post", "/api/v1/telemetry/sql");
    let content = |part: &Value| part["content"]["application/json"]["schema"].clone();
    cases.push(json!({"name": "sql", "schema": content(&operation["responses"]["200"]), "instance": reply.json()}));
    cases_of_body(&mut cases, &content(&operation["requestBody"]), sql);
    cases
}

fn cases_of_body(cases: &mut Vec<Value>, schema: &Value, body: Value) {
    let mut wrong = body.clone();
    wrong["no_such_field"] = 1.into();
    cases.push(json!({"name": "a body", "schema": schema, "instance": body}));
    cases.push(json!({"name": "a wrong body", "schema": schema, "instance": wrong, "wrong": true}));
}

/// The messages of a WebSocket while a game is played.
async fn messages(server: &Server) -> Vec<Value> {
    use futures_util::StreamExt as _;
    let (mut socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/ws", server.address))
        .await
        .expect("a WebSocket");
    let run = server.create(&knights(1, "")).await;
    let mut heard = Vec::new();
    loop {
        let message = socket.next().await.expect("a message").expect("no error");
        let Ok(text) = message.to_text() else { continue };
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        let change = &message["change"];
        let over = change["run"]["id"] == run && change["run"]["state"] == "finished";
        heard.push(message);
        if over {
            return heard;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn real_answers_fit_their_schemas_and_the_document_is_openapi() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let book = dir.path().join("lines.pgn");
    std::fs::write(&book, "1. e4 e5 2. Nf3 *\n").expect("a book");
    let books = BooksOptions { configured: [("lines".to_owned(), book)].into(), judge: None };
    let options = AppOptions { books, ..AppOptions::default() };
    let server = Server::start_as(dir, "127.0.0.1:0", options).await;
    let run = server.create(&knights(2, "")).await;
    server.until_run(run, "finished").await;
    let board = server.app.store.upsert_board("B", "tcp://127.0.0.1:1").await.expect("a board");
    assert_eq!(board.0, 1);
    let spec = rookery_server::model::BoardSpec { name: None, url: "tcp://127.0.0.1:1".into() };
    server.app.boards.get(&spec).await.expect("the board");
    let document = server.json("/api/v1/openapi.json").await;
    assert_eq!(document, openapi());
    let cases = answers(&server, &document, run).await;
    let heard = messages(&server).await;
    let kinds: BTreeSet<&str> = heard.iter().filter_map(|m| m["change"]["kind"].as_str()).collect();
    assert!(kinds.is_superset(&["run", "ply", "thinking", "game_ended"].into()), "{kinds:?}");
    let given = json!({"document": document, "cases": cases, "websocket": websocket_schema(), "messages": heard});
    let file = server.dir.path().join("given.json");
    std::fs::write(&file, given.to_string()).expect("a file");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openapi_check.py");
    let output = python().arg(script).arg(&file).output().await.expect("Python runs");
    let words = said(&output);
    assert!(words.contains("cases fit") && words.contains("messages fit"), "{words}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_that_is_not_documented_is_not_answered() {
    let server = Server::start().await;
    let documented = operations(&openapi());
    let paths: BTreeSet<&String> = documented.iter().map(|(_, path)| path).collect();
    for path in paths {
        for method in ["get", "post", "put", "delete"] {
            if !documented.contains(&(method.to_owned(), path.clone())) {
                let target = path
                    .replace("{id}", "1")
                    .replace("{action}", "stop")
                    .replace("{view}", "plies");
                let (method, host) = (method.to_uppercase(), server.address);
                let request = format!(
                    "{method} {target} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
                );
                let reply = send(host, request.as_bytes()).await;
                assert_eq!(reply.status, 405, "{method} {target}: {reply:?}");
            }
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_clients_work() {
    let server = Server::start().await;
    let url = format!("http://{}", server.address);
    let watching = python()
        .arg(root().join("examples/watch.py"))
        .args([&url, "--games", "1"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("Python runs");
    // It begins with a snapshot, whenever it comes.
    let run = server.create(&knights(400, "0.02")).await;
    let output =
        tokio::time::timeout(std::time::Duration::from_secs(60), watching.wait_with_output());
    let words = said(&output.await.expect("it sees a game end").expect("it ran"));
    assert!(
        words.contains("Ng8 depth=1 nodes=20") && words.contains("1/2-1/2 (Draw by"),
        "{words}"
    );
    server.post(&format!("/api/v1/runs/{run}/abort")).await;
    server.until_run(run, "stopped").await;
    let output = python().arg(root().join("examples/telemetry.py")).arg(&url).output().await;
    let words = said(&output.expect("Python runs"));
    assert!(words.contains("nodes") && words.contains("first") && words.contains("p90"), "{words}");
    server.stop().await;
}
