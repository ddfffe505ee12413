//! `/ws` of the real program, seen by viewers that come, go, come back, dawdle and misbehave.

mod http_support;
mod run_support;

use futures_util::{SinkExt as _, StreamExt as _};
use http_support::{Server, ask, knights, redact};
use rookery_server::{
    api::Change,
    http::Limits,
    model::{BoardId, LinkEventKind},
};
use run_support::{Daemon, Place, SOON, utf8};
use serde_json::Value;
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tokio::{
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, client_async, connect_async,
    tungstenite::{Message, protocol::frame::coding::CloseCode},
};

const PATIENCE: Duration = Duration::from_secs(60);

struct Viewer<S = MaybeTlsStream<TcpStream>> {
    socket: WebSocketStream<S>,
}

impl Viewer {
    async fn connect(address: SocketAddr, query: &str) -> Viewer {
        let url = format!("ws://{address}/ws{query}");
        let (socket, _) = connect_async(url).await.expect("a WebSocket");
        Viewer { socket }
    }
}

impl<S: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin> Viewer<S> {
    /// The next frame that is none of the protocol's own.
    async fn frame(&mut self) -> Message {
        loop {
            let next = timeout(PATIENCE, self.socket.next()).await.expect("a message in time");
            match next.expect("a message").expect("a good message") {
                Message::Ping(_) | Message::Pong(_) => {}
                message => return message,
            }
        }
    }

    async fn message(&mut self) -> Value {
        let frame = self.frame().await;
        serde_json::from_str(frame.to_text().expect("text")).expect("JSON")
    }

    /// Reads until a message fits, and gives all that were read.
    async fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut read = Vec::new();
        loop {
            let message = self.message().await;
            let last = fits(&message);
            read.push(message);
            if last {
                return read;
            }
        }
    }
}

fn seq(message: &Value) -> u64 {
    message["seq"].as_u64().expect("a number")
}

fn is_run_over(message: &Value) -> bool {
    message["change"]["kind"] == "run" && message["change"]["run"]["state"] == "finished"
}

/// That every message is a delta, each one more than the one before.
#[track_caller]
fn follows(mut last: u64, messages: &[Value]) {
    for message in messages {
        assert_eq!(message["type"], "delta", "{message}");
        last += 1;
        assert_eq!(seq(message), last, "{message}");
    }
}

fn daemon(place: &Place) -> Daemon {
    place.serve(&["--db", utf8(&place.db())])
}

async fn begin(address: SocketAddr, settings: &Value) {
    let headers = [("Content-Type", "application/json")];
    let reply = ask(address, "POST", "/api/v1/runs", &headers, &settings.to_string()).await;
    assert_eq!(reply.status, 201, "{reply:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_transcript_of_one_game() {
    let place = Place::new();
    let daemon = daemon(&place);
    let mut viewer = Viewer::connect(daemon.address, "").await;
    let mut transcript = vec![viewer.message().await];
    begin(daemon.address, &knights(1, "")).await;
    transcript.extend(viewer.until(is_run_over).await);
    follows(0, &transcript[1..]);
    let mut text = Value::Array(transcript);
    redact(&mut text);
    insta::assert_json_snapshot!(text);
    daemon.stop(&place).0.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_comes_back_goes_on_where_it_was() {
    let place = Place::new();
    let daemon = daemon(&place);
    let mut steady = Viewer::connect(daemon.address, "").await;
    let snapshot = steady.message().await;
    assert_eq!(snapshot["type"], "snapshot");
    let epoch = snapshot["epoch"].as_str().expect("an epoch").to_owned();
    begin(daemon.address, &knights(4, "0.03")).await;
    let all = tokio::spawn(async move { steady.until(is_run_over).await });

    let mut heard = Vec::new();
    let mut last = seq(&snapshot);
    loop {
        let query = format!("?epoch={epoch}&since={last}");
        let mut restless = Viewer::connect(daemon.address, &query).await;
        let first = restless.message().await;
        assert_eq!((&first["type"], seq(&first)), (&"resumed".into(), last), "{first}");
        assert_eq!(first["epoch"], *epoch);
        for _ in 0..7 {
            let message = restless.message().await;
            last = seq(&message);
            heard.push(message);
            if heard.last().is_some_and(is_run_over) {
                break;
            }
        }
        if heard.last().is_some_and(is_run_over) {
            break;
        }
        drop(restless);
        sleep(Duration::from_millis(30)).await;
    }
    let all = all.await.expect("the other viewer");
    follows(seq(&snapshot), &all);
    assert!(all.len() > 60, "{}", all.len());
    assert_eq!(heard, all, "nothing is missing, nothing is there twice, and all is the same");

    // Numbers that mean nothing here.
    for query in [
        "?epoch=other&since=3".to_owned(),
        format!("?epoch={epoch}&since=99999"),
        format!("?epoch={epoch}"),
        "?since=1".into(),
    ] {
        let first = Viewer::connect(daemon.address, &query).await.message().await;
        assert_eq!(first["type"], "snapshot", "{query}");
        assert_eq!(seq(&first), last, "{query}");
        assert_eq!(first["recent"].as_array().map(Vec::len), Some(4), "{query}");
    }
    daemon.stop(&place).0.ok();

    // A server that was started again has other numbers, and the games of the one before.
    let daemon = self::daemon(&place);
    let query = format!("?epoch={epoch}&since=0");
    let first = Viewer::connect(daemon.address, &query).await.message().await;
    assert_eq!(first["type"], "snapshot");
    assert_ne!(first["epoch"], *epoch);
    assert_eq!(first["recent"].as_array().map(Vec::len), Some(4));
    assert_eq!(first["runs"][0]["state"], "finished");
    daemon.stop(&place).0.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_misbehaves_is_cut_off_and_no_other() {
    let place = Place::new();
    let daemon = daemon(&place);
    let mut good = Viewer::connect(daemon.address, "").await;
    good.message().await;
    for message in
        [Message::text("x".repeat(5000)), Message::binary(vec![0; 5000]), Message::Close(None)]
    {
        let mut bad = Viewer::connect(daemon.address, "").await;
        bad.message().await;
        bad.socket.send(message).await.expect("it is sent");
        let ended = timeout(PATIENCE, async {
            while let Some(Ok(message)) = bad.socket.next().await {
                assert!(!message.is_text(), "{message}");
            }
        });
        ended.await.expect("the server ends it");
    }
    // What is said is not listened to.
    good.socket.send(Message::text("{\"type\":\"stop\"}")).await.expect("it is sent");
    good.socket.send(Message::Ping("hello".into())).await.expect("it is sent");
    begin(daemon.address, &knights(1, "")).await;
    good.until(is_run_over).await;
    daemon.stop(&place).0.ok();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_server_is_told_to_who_listens_and_waits_for_nobody() {
    let place = Place::new();
    let daemon = daemon(&place);
    let mut viewer = Viewer::connect(daemon.address, "").await;
    viewer.message().await;
    begin(daemon.address, &knights(1000, "0.02")).await;
    viewer.until(|message| message["change"]["kind"] == "ply").await;
    // Who never reads, who never finishes a request, and who only holds a connection.
    let silent = Viewer::connect(daemon.address, "").await;
    let mut half = TcpStream::connect(daemon.address).await.expect("a connection");
    tokio::io::AsyncWriteExt::write_all(&mut half, b"GET /api/v1/ga").await.expect("some bytes");
    let idle = TcpStream::connect(daemon.address).await.expect("a connection");

    let place = Arc::new(place);
    let stopped = {
        let place = Arc::clone(&place);
        tokio::task::spawn_blocking(move || daemon.stop(&place))
    };
    let close = loop {
        match viewer.frame().await {
            Message::Close(close) => break close.expect("a code"),
            Message::Text(_) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(close.code, CloseCode::Away);
    let (done, took) = stopped.await.expect("its end");
    let done = done.ok();
    assert!(took < SOON, "{took:?}");
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
    drop((silent, half, idle));
}

/// Kilobytes of memory that this process has.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("VmRSS");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

fn change() -> Change {
    Change::Link {
        at: 0,
        board: BoardId(1),
        game: None,
        event: LinkEventKind::BadCrc,
        detail: "x".repeat(1000),
    }
}

/// A viewer with a window of a few kilobytes: what it does not read stays with the server.
async fn narrow(address: SocketAddr) -> Viewer<TcpStream> {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("a small buffer");
    let stream = socket.connect(address).await.expect("a connection");
    let (socket, _) = client_async(format!("ws://{address}/ws"), stream).await.expect("a socket");
    Viewer { socket }
}

/// A viewer that reads, checks that nothing is missing, and says how far it is.
struct Steady {
    heard: Arc<AtomicU64>,
    reader: JoinHandle<()>,
}

impl Steady {
    async fn of(server: &Server) -> Steady {
        let mut viewer = Viewer::connect(server.address, "").await;
        let mut last = seq(&viewer.message().await);
        let heard = Arc::new(AtomicU64::new(last));
        let shared = Arc::clone(&heard);
        let reader = tokio::spawn(async move {
            loop {
                let message = viewer.message().await;
                last += 1;
                assert_eq!((message["type"].as_str(), seq(&message)), (Some("delta"), last));
                shared.store(last, Ordering::Relaxed);
            }
        });
        Steady { heard, reader }
    }

    /// Until it is at most so far behind.
    async fn within(&self, published: u64, behind: u64) {
        let end = Instant::now() + PATIENCE;
        while published - self.heard.load(Ordering::Relaxed) > behind {
            assert!(!self.reader.is_finished(), "the good viewer misses something");
            assert!(Instant::now() < end, "the good viewer waits in vain");
            sleep(Duration::from_millis(1)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn viewers_that_do_not_read_cost_little_disturb_nobody_and_begin_anew() {
    const DELTAS: u64 = 20_000;
    const SLOW: usize = 20;
    let silence = Duration::from_secs(3600);
    let server = Server::start_limited(Limits { silence, ..Limits::default() }).await;
    let mut slow = Vec::new();
    for _ in 0..SLOW {
        slow.push(narrow(server.address).await);
    }
    let steady = Steady::of(&server).await;
    let before = resident();
    for published in 1..=DELTAS {
        server.app.live.publish(change());
        steady.within(published, 200).await;
    }
    steady.within(DELTAS, 0).await;
    let grown = resident().saturating_sub(before);
    assert!(grown < 20_000, "{grown} kB more for {SLOW} viewers that are 20 MB behind");

    // They read again: what was under way to each, then the state of now, then what follows.
    for viewer in &mut slow {
        let first = viewer.message().await;
        assert_eq!((&first["type"], seq(&first)), (&"snapshot".into(), 0));
        let early = viewer.until(|message| message["type"] == "snapshot").await;
        let (renewed, early) = early.split_last().expect("a snapshot");
        follows(0, early);
        assert!(early.len() < 1000, "{} old deltas before the present", early.len());
        assert_eq!(seq(renewed), DELTAS);
    }
    server.app.live.publish(change());
    for viewer in &mut slow {
        follows(DELTAS, &viewer.until(|message| seq(message) == DELTAS + 1).await);
    }
    steady.within(DELTAS + 1, 0).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_viewer_that_takes_nothing_for_long_gives_its_place_to_another() {
    let limits = Limits { connections: 3, silence: Duration::from_secs(2), ..Limits::default() };
    let server = Server::start_limited(limits).await;
    let silent = narrow(server.address).await;
    // Takes so little that the system does not even tell the server of it.
    let mut dripping = narrow(server.address).await;
    let steady = Steady::of(&server).await;
    ask(server.address, "GET", "/healthz", &[], "").await.is_error(503, "unavailable");
    let (end, mut published) = (Instant::now() + PATIENCE, 0);
    // Both are gone when there is a place for two others.
    loop {
        for _ in 0..20 {
            published += 1;
            server.app.live.publish(change());
        }
        steady.within(published, 0).await;
        let stream = dripping.socket.get_mut();
        let _ = stream.try_read(&mut [0]);
        let idle = TcpStream::connect(server.address).await.expect("a connection");
        if ask(server.address, "GET", "/healthz", &[], "").await.status == 200 {
            drop(idle);
            break;
        }
        assert!(Instant::now() < end, "a silent viewer keeps its place");
        sleep(Duration::from_millis(20)).await;
    }
    assert!(!steady.reader.is_finished());
    drop(silent);
    server.stop().await;
}
