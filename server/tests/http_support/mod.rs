//! A server in this process and requests to it, byte for byte as a test wants them: a client library would mend what is wrong.

#![allow(dead_code, reason = "each test program uses a part of it")]

use rookery_server::{
    app::{App, AppOptions},
    http::Limits,
    model::{EngineSpec, PlayerSpec, RunSettings},
};
use serde_json::{Value, json};
use std::{net::SocketAddr, time::Duration};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, sleep, timeout},
};

const PATIENCE: Duration = Duration::from_secs(60);

/// A server and its folder.
pub(crate) struct Server {
    pub(crate) app: App,
    pub(crate) dir: TempDir,
    pub(crate) address: SocketAddr,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Server {
    pub(crate) async fn start() -> Server {
        Server::start_with("127.0.0.1:0", None).await
    }

    pub(crate) async fn start_with(listen: &str, token: Option<&str>) -> Server {
        let dir = tempfile::tempdir().expect("a temporary folder");
        Server::start_in(dir, listen, token).await
    }

    pub(crate) async fn start_in(dir: TempDir, listen: &str, token: Option<&str>) -> Server {
        let token = token.map(str::to_owned);
        Server::start_as(dir, listen, AppOptions { token, ..AppOptions::default() }).await
    }

    pub(crate) async fn start_limited(limits: Limits) -> Server {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let options = AppOptions { http: limits, ..AppOptions::default() };
        Server::start_as(dir, "127.0.0.1:0", options).await
    }

    pub(crate) async fn start_as(dir: TempDir, listen: &str, options: AppOptions) -> Server {
        let options = AppOptions {
            db: dir.path().join("rookery.db"),
            listen: Some(listen.parse().expect("an address")),
            ..options
        };
        let app = App::start(options).await.expect("the server starts");
        let port = app.address.expect("an address").port();
        Server { app, dir, address: SocketAddr::from(([127, 0, 0, 1], port)) }
    }

    pub(crate) async fn stop(self) -> TempDir {
        self.app.shutdown().await.expect("the server ends");
        self.dir
    }

    /// A request with a body of JSON, where there is one.
    pub(crate) async fn ask(&self, method: &str, target: &str, body: &str) -> Reply {
        let kind: &[(&str, &str)] =
            if body.is_empty() { &[] } else { &[("Content-Type", "application/json")] };
        ask(self.address, method, target, kind, body).await
    }

    pub(crate) async fn get(&self, target: &str) -> Reply {
        self.ask("GET", target, "").await
    }

    pub(crate) async fn json(&self, target: &str) -> Value {
        let reply = self.get(target).await;
        assert_eq!(reply.status, 200, "{target}: {reply:?}");
        reply.json()
    }

    pub(crate) async fn post(&self, target: &str) -> Reply {
        self.ask("POST", target, "").await
    }

    /// Creates a run and gives its number.
    pub(crate) async fn create(&self, settings: &Value) -> i64 {
        let reply = self.ask("POST", "/api/v1/runs", &settings.to_string()).await;
        assert_eq!(reply.status, 201, "{reply:?}");
        reply.json()["id"].as_i64().expect("a number")
    }

    /// Waits until a run is in a state.
    pub(crate) async fn until_run(&self, run: i64, state: &str) -> Value {
        let target = format!("/api/v1/runs/{run}");
        self.until(state, &target, |view| view["state"] == state).await
    }

    /// Asks until the answer is right.
    pub(crate) async fn until(
        &self,
        what: &str,
        target: &str,
        right: impl Fn(&Value) -> bool,
    ) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let value = self.json(target).await;
            if right(&value) {
                return value;
            }
            assert!(Instant::now() < end, "in vain: {what}: {value:#}");
            sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Reply {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// That it is an error in the API's form; gives its words.
    #[track_caller]
    pub(crate) fn is_error(&self, status: u16, name: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let error = self.json();
        assert_eq!(error["error"], name, "{self:?}");
        error["message"].as_str().expect("words").to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// One request on a connection of its own. `Host` is the address, unless a header says otherwise.
pub(crate) async fn ask(
    address: SocketAddr,
    method: &str,
    target: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let mut text = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!("Content-Length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body);
    send(address, text.as_bytes()).await
}

/// Any bytes, and what comes back.
pub(crate) async fn send(address: SocketAddr, bytes: &[u8]) -> Reply {
    let exchange = async {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let (mut reader, mut writer) = stream.split();
        let mut answer = Vec::new();
        // A server may refuse a long body before it has read it.
        let (_, read) = tokio::join!(writer.write_all(bytes), reader.read_to_end(&mut answer));
        if answer.is_empty() {
            read.expect("an answer");
        }
        answer
    };
    let answer = timeout(PATIENCE, exchange).await.expect("an answer in time");
    let text = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Reply {
        status: status.unwrap_or_else(|| panic!("no status: {text:?}")),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// Two engines whose games are all the same: eight plies to the third repetition, or sixteen without `claims`.
pub(crate) fn knights(games: u32, pace: &str) -> Value {
    let engine = |name: &str| json!({"name": name, "path": engine("knights.sh"), "env": {"PACE": pace}, "limit": "nodes=20"});
    json!({"first": {"engine": engine("One")}, "second": engine("Two"), "games": games})
}

pub(crate) fn engine(name: &str) -> String {
    format!("{}/tests/engines/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Settings of a run that is never played.
pub(crate) fn settings() -> RunSettings {
    let engine = || EngineSpec::new("engine".into());
    RunSettings::new(PlayerSpec::Engine(engine()), engine())
}

/// What differs from one time to the other, made the same.
pub(crate) fn redact(value: &mut Value) {
    const TIMES: [&str; 8] =
        ["at", "now", "since", "created_at", "started_at", "ended_at", "thinking_since", "host_ms"];
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match (key.as_str(), &*value) {
                    (_, Value::Null) => {}
                    (key, _) if TIMES.contains(&key) => *value = "[time]".into(),
                    ("path", _) => *value = "[path]".into(),
                    ("epoch", _) => *value = "[epoch]".into(),
                    ("version", _) => *value = "[version]".into(),
                    _ => redact(value),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(redact),
        _ => {}
    }
}
