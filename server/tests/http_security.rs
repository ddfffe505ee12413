//! What strangers and other sites' pages can try against the server, and what they get. README.md says the same in words.

mod http_support;

use http_support::{Server, ask, knights};
use rookery_server::{
    http::Limits,
    model::{LinkEvent, LinkEventKind},
};
use serde_json::Value;
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, timeout},
};

const PATIENCE: Duration = Duration::from_secs(60);
const TOKEN: &str = "the right token";

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.expect("a connection")
}

/// Everything until the server closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut all = Vec::new();
    // A reset is an end as well.
    let _ = timeout(PATIENCE, stream.read_to_end(&mut all)).await.expect("an end in time");
    String::from_utf8_lossy(&all).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_telemetry_is_answered_without_the_token() {
    let server = Server::start_with("0.0.0.0:0", Some(TOKEN)).await;
    let (address, body) = (server.address, r#"{"sql": "SELECT 1 AS one"}"#);
    let json = ("Content-Type", "application/json");
    let targets = [
        ("GET", "/api/v1/telemetry/plies"),
        ("GET", "/api/v1/telemetry/compare?a=run=1&b=run=1"),
        ("POST", "/api/v1/telemetry/sql"),
        ("GET", "/api/v1/openapi.json"),
        ("GET", "/api/v1/games?text=a"),
    ];
    for (method, target) in targets {
        let body = if method == "POST" { body } else { "" };
        for wrong in ["", "the right toke", "the right token!", "THE RIGHT TOKEN", "\u{0}"] {
            let bearer = format!("Bearer {wrong}");
            let given = [json, ("Authorization", bearer.as_str())];
            let reply = ask(address, method, target, &given, body).await;
            assert!(matches!(reply.status, 400 | 401), "{target} {wrong:?}: {reply:?}");
            assert!(!reply.body.contains("one"), "{reply:?}");
        }
        ask(address, method, target, &[json], body).await.is_error(401, "unauthorized");
    }
    let bearer = format!("Bearer {TOKEN}");
    let given = [json, ("Authorization", bearer.as_str())];
    let reply = ask(address, "POST", "/api/v1/telemetry/sql", &given, body).await;
    assert_eq!(reply.json()["data"]["one"][0], 1);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_can_neither_ask_sql_nor_begin_runs() {
    let server = Server::start().await;
    let run = knights(1, "").to_string();
    for (target, body) in [
        ("/api/v1/telemetry/sql", r#"{"sql": "SELECT 1"}"#),
        ("/api/v1/runs", run.as_str()),
        ("/api/v1/runs/1/stop", ""),
    ] {
        // A form or a beacon needs no preflight, but it has no JSON and it has an origin.
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/json"] {
            let headers = [("Origin", "https://evil.example"), ("Content-Type", kind)];
            ask(server.address, "POST", target, &headers, body).await.is_error(403, "forbidden");
        }
        // Without an origin (no browser): JSON is JSON only where it is said to be.
        if !body.is_empty() {
            let headers = [("Content-Type", "text/plain")];
            let reply = ask(server.address, "POST", target, &headers, body).await;
            reply.is_error(415, "unsupported_media_type");
        }
    }
    assert_eq!(server.json("/api/v1/runs").await, Value::Array(Vec::new()));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_and_paths_that_are_too_much_are_refused_in_words() {
    let server = Server::start().await;
    let long = format!(r#"{{"sql": "SELECT {}"}}"#, " ".repeat(5 << 20));
    let said = server.ask("POST", "/api/v1/telemetry/sql", &long).await.is_error(413, "too_large");
    assert!(said.contains("4194304"), "{said}");
    let deep = format!(r#"{{"sql": {}1{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
    server.ask("POST", "/api/v1/telemetry/sql", &deep).await.is_error(400, "bad_request");
    for target in [
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/assets/..%2f..%2f..%2fetc%2fpasswd",
        "/..%5c..%5cwindows",
        "//etc/passwd",
        "/api/v1/../../etc/passwd",
        "/api/v1/telemetry/..%2fgames",
        "/api/v1/games/1%00",
        "/api/v1/games/1%27%20OR%201=1",
        "/api/v1/games?text=%27%3B%20DROP%20TABLE%20games%3B--",
        "/api/v1/telemetry/plies?firmware=%27%29%20OR%20%281=1",
        "/.git/config",
        "/rookery.db",
    ] {
        let reply = server.get(target).await;
        assert!(matches!(reply.status, 200 | 400 | 404), "{target}: {reply:?}");
        assert!(!reply.body.contains("root:") && !reply.body.contains("SQLite"), "{target}");
        if reply.status == 200 {
            let json = reply.json();
            assert!(
                json["games"] == Value::Array(Vec::new()) || json["rows"] == 0,
                "{target}: {json}"
            );
        }
    }
    let long = format!("/api/v1/games?text={}", "a".repeat(1 << 20));
    let reply = server.get(&long).await;
    assert!(matches!(reply.status, 400 | 414 | 431), "{}", reply.status);
    server.stop().await;
}

/// Names come from engines and from people, raw text from a wire: to whoever shows them they are text and nothing else.
#[tokio::test(flavor = "multi_thread")]
async fn markup_in_names_and_on_the_wire_stays_text() {
    const EVIL: &str = "<script>alert(1)</script>\"'&\u{202e}";
    let server = Server::start().await;
    let mut settings = knights(1, "");
    settings["second"]["name"] = EVIL.into();
    settings["name"] = EVIL.into();
    let run = server.create(&settings).await;
    server.until_run(run, "finished").await;
    let store = &server.app.store;
    let board = store.upsert_board(EVIL, "tcp://x:1").await.expect("a board");
    let event =
        LinkEvent { at: 1, kind: LinkEventKind::Malformed, detail: format!("{EVIL}\u{1b}[2J\0") };
    store.add_link_events(board, None, &[event]).await.expect("an event");
    let sql = r#"{"sql": "SELECT detail FROM link_events WHERE kind = 'malformed'"}"#;
    let raw = server.ask("POST", "/api/v1/telemetry/sql", sql).await;
    assert!(raw.json()["data"]["detail"][0].as_str().expect("text").starts_with(EVIL));
    assert!(!raw.body.contains('\u{1b}') && !raw.body.contains('\0'), "escaped: {raw:?}");
    for target in ["/api/v1/games", "/api/v1/runs", "/api/v1/telemetry/games"] {
        let reply = server.get(target).await;
        assert_eq!(reply.header("content-type"), Some("application/json"), "{target}");
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{target}");
        assert!(
            reply
                .header("content-security-policy")
                .expect("a policy")
                .contains("default-src 'self'")
        );
        assert!(reply.body.contains("<script>alert(1)</script>\\\"'&"), "{target}: {}", reply.body);
    }
    let pgn = server.get("/api/v1/games/1/pgn").await;
    assert!(pgn.header("content-disposition").expect("a file").starts_with("attachment"));
    assert!(pgn.body.contains("\\\"'&"), "{}", pgn.body);
    // What was asked for stands in an error, as text.
    let reply = server.get("/api/v1/%3Cscript%3E").await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    reply.is_error(404, "not_found");
    server.stop().await;
}

async fn limited(connections: usize, head: Duration) -> Server {
    Server::start_limited(Limits { connections, head, ..Limits::default() }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_never_arrives_whole_is_ended() {
    let server = limited(64, Duration::from_millis(500)).await;
    let host = server.address;
    let half = format!("GET /api/v1/version HTTP/1.1\r\nHost: {host}\r\nX-Slow: ");
    for said in ["", "G", "GET / HTTP/1.1\r\n", half.as_str()] {
        let mut stream = connect(host).await;
        stream.write_all(said.as_bytes()).await.expect("it takes bytes");
        let heard = rest(&mut stream).await;
        assert!(!heard.contains("200 OK"), "{said:?}: {heard}");
    }
    // One byte now and then is no sign of life.
    let mut stream = connect(host).await;
    let begun = Instant::now();
    for byte in half.bytes().cycle() {
        assert!(begun.elapsed() < PATIENCE, "it is never ended");
        if stream.write_all(&[byte]).await.is_err()
            || stream.try_read(&mut [0; 64]).is_ok_and(|n| n == 0)
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // A connection that is kept and not used is ended as well; a prompt one is answered meanwhile.
    for _ in 0..2 {
        let heard = prompt(host).await;
        assert!(heard.starts_with("HTTP/1.1 200 OK") && heard.ends_with("ok\n"), "{heard}");
    }
    server.stop().await;
}

/// A request all at once, and everything until the end of its connection. On a loaded machine not every one is prompt.
async fn prompt(host: SocketAddr) -> String {
    let mut heard = String::new();
    for _ in 0..10 {
        let mut stream = connect(host).await;
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n");
        // Who is late may find it closed.
        let _ = stream.write_all(request.as_bytes()).await;
        heard = rest(&mut stream).await;
        if heard.contains(" 200 OK") {
            break;
        }
    }
    heard
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_server_waits_for_nobody_who_says_nothing() {
    let server = limited(64, Duration::from_secs(3600)).await;
    let mut idle = Vec::new();
    for _ in 0..20 {
        let mut stream = connect(server.address).await;
        stream.write_all(b"GET / HTTP/1.1\r\nX: ").await.expect("it takes bytes");
        idle.push(stream);
    }
    assert_eq!(server.get("/healthz").await.status, 200);
    timeout(PATIENCE, server.stop()).await.expect("an end");
    for mut stream in idle {
        assert_eq!(rest(&mut stream).await, "");
    }
}

/// Whether the server answers, or says in words that it is full.
async fn answer(address: SocketAddr) -> Option<(String, TcpStream)> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    let request = format!("GET /healthz HTTP/1.1\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut head = vec![0; 12];
    timeout(PATIENCE, stream.read_exact(&mut head)).await.expect("an answer or an end").ok()?;
    Some((String::from_utf8_lossy(&head[9..]).into_owned(), stream))
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_idle_sockets_leave_it_answering() {
    const PLACES: usize = 100;
    let server = limited(PLACES, Duration::from_secs(3600)).await;
    // Both ends are in this process; the server has raised its limit of open files already.
    let files = open_files();
    let wanted = (files.saturating_sub(300) / 2).min(10_000);
    assert!(wanted > PLACES, "{files} open files are too few for this test");
    let mut idle = Vec::new();
    for _ in 0..PLACES {
        let (status, stream) = answer(server.address).await.expect("a place");
        assert_eq!(status, "200");
        idle.push(stream);
    }
    // All places are taken: whoever comes now is told so, or at least not left waiting.
    let full = ask(server.address, "GET", "/api/v1/version", &[], "").await;
    let said = full.is_error(503, "unavailable");
    assert!(said.contains("all 100 connections"), "{said}");
    assert_eq!(full.header("retry-after"), Some("1"));
    let mut refused = 0;
    for _ in PLACES..wanted {
        let mut stream = connect(server.address).await;
        let mut byte = [0; 1];
        // Words or an end.
        let _ = timeout(PATIENCE, stream.read(&mut byte)).await.expect("nobody is left waiting");
        refused += 1;
    }
    assert_eq!(refused, wanted - PLACES);
    // A WebSocket is a connection: its place is free only when it has ended.
    idle.pop();
    let mut socket = websocket(server.address).await;
    ask(server.address, "GET", "/healthz", &[], "").await.is_error(503, "unavailable");
    socket.shutdown().await.expect("it ends");
    drop(socket);
    until_answered(server.address).await;
    drop(idle);
    server.stop().await;
}

/// A WebSocket, once there is a place for it.
async fn websocket(address: SocketAddr) -> TcpStream {
    let request = format!(
        "GET /ws HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let end = Instant::now() + PATIENCE;
    loop {
        let mut stream = connect(address).await;
        let mut head = [0; 12];
        if stream.write_all(request.as_bytes()).await.is_ok()
            && stream.read_exact(&mut head).await.is_ok()
            && &head[9..] == b"101"
        {
            return stream;
        }
        assert!(Instant::now() < end, "no place becomes free");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn until_answered(address: SocketAddr) {
    let end = Instant::now() + PATIENCE;
    while answer(address).await.is_none_or(|(status, _)| status != "200") {
        assert!(Instant::now() < end, "no place becomes free");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn open_files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").expect("Linux");
    let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("a limit");
    let soft = line.split_whitespace().nth(3).expect("a number");
    soft.parse().unwrap_or(usize::MAX)
}
