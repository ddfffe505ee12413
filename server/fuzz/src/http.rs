//! Requests to the API: paths, queries and bodies as anybody may send them.

use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request, StatusCode,
    body::Bytes,
    header::{CONTENT_ENCODING, CONTENT_TYPE, HOST},
    service::Service as _,
};
use hyper_util::service::TowerToHyperService;
use rookery_server::{
    boards::Boards,
    books::{Books, BooksOptions},
    flashes::Flashes,
    http::{Access, Limits, State, router},
    import::{ImportOptions, import},
    live::Live,
    queue::Queue,
    runner::Resources,
    runs::Runs,
    store::Store,
    uci::EngineOptions,
};
use std::{
    path::Path,
    sync::{Mutex, OnceLock, PoisonError},
};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Games to ask about.
const GAMES: &str = include_str!("../../tests/corpus/import/journal.pgn");

/// What the server of [`headers`] wants to hear: a form would make something else of it.
const TOKEN: &str = "open+sesame";

/// A server without a socket, with some games.
struct Server {
    runtime: Runtime,
    state: State,
    _folder: TempDir,
}

impl Server {
    fn start(access: Access) -> Server {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let state = runtime.block_on(state(folder.path(), access));
        Server { runtime, state, _folder: folder }
    }

    /// The status. It is no fault of the server's, and an error has the API's form.
    fn answer(&self, request: Request<Full<Bytes>>) -> StatusCode {
        let service = TowerToHyperService::new(router(self.state.clone()));
        let (status, is_json, body) = self.runtime.block_on(async {
            let response = service.call(request).await.expect("an answer");
            let (parts, body) = response.into_parts();
            let body = body.collect().await.expect("a whole answer").to_bytes();
            let kind = parts.headers.get(CONTENT_TYPE).filter(|kind| *kind == "application/json");
            (parts.status, kind.is_some() && !parts.headers.contains_key(CONTENT_ENCODING), body)
        });
        assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(&body));
        if is_json && !body.is_empty() {
            let value: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
            assert!(status.is_success() || value["message"].is_string(), "{status}: {value}");
        }
        status
    }
}

async fn state(folder: &Path, access: Access) -> State {
    let store = Store::open(folder.join("rookery.db")).await.expect("a store");
    let options = ImportOptions { run: "journal".into(), units: 74, ..ImportOptions::default() };
    let file = folder.join("games.pgn");
    std::fs::write(&file, GAMES).expect("a file");
    let report = import(&store, &[file], &options).await.expect("an import");
    assert!(!report.imported.is_empty());
    let (end, tasks, live) = (CancellationToken::new(), TaskTracker::new(), Live::new());
    let boards = Boards::new(store.clone(), live.clone(), tasks.clone(), end.clone());
    let engines = EngineOptions::default();
    let resources = Resources {
        store: store.clone(),
        live: live.clone(),
        boards: boards.clone(),
        engines: engines.clone(),
        pgn: None,
        queue: Queue::default(),
    };
    let runs = Runs::new(resources, tasks.clone(), end.clone());
    let flashes = Flashes::new(
        store.clone(),
        live.clone(),
        boards.clone(),
        runs.clone(),
        tasks.clone(),
        end.clone(),
    );
    let books = Books::new(store.clone(), BooksOptions::default(), engines, &tasks, end.clone());
    let limits = Limits::default();
    State { store, live, boards, runs, log_dir: None, flashes, books, access, limits, end, tasks }
}

/// Any request but one for a WebSocket and one that starts engines: it is answered, never with a fault of the server's, and an error has the API's form.
///
/// The first line is method and target, the rest is the body.
pub fn request(data: &[u8]) {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (head, body) = text.split_once('\n').unwrap_or((text, ""));
    let Some((method, target)) = head.split_once(' ') else { return };
    if is_for_others(method, target) {
        return;
    }
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header("Host", "127.0.0.1")
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::copy_from_slice(body.as_bytes())));
    let Ok(request) = request else { return };
    let server = SERVER.get_or_init(|| Mutex::new(Server::start(Access::new(None, None))));
    server.lock().unwrap_or_else(PoisonError::into_inner).answer(request);
}

/// A WebSocket needs a connection, and a run starts engines.
fn is_for_others(method: &str, target: &str) -> bool {
    let needs_a_connection = target.contains("/ws") || target.contains("/console");
    needs_a_connection || (method == "POST" && target.contains("runs"))
}

/// Any head of a request to a server that has a token: what is in the store is told to nobody who has not said it, in a request to this machine.
///
/// The first line is method and target, the others are header fields.
pub fn headers(data: &[u8]) {
    static SERVER: OnceLock<Mutex<Server>> = OnceLock::new();
    let mut lines = data.split(|byte| *byte == b'\n');
    let first = lines.next().and_then(|line| std::str::from_utf8(line).ok()).unwrap_or_default();
    let Some((method, target)) = first.split_once(' ') else { return };
    if is_for_others(method, target) {
        return;
    }
    let mut request = Request::builder().method(method).uri(target);
    for line in lines {
        let mut parts = line.splitn(2, |byte| *byte == b':');
        let (name, value) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        request = request.header(name, value.trim_ascii());
    }
    let Ok(request) = request.body(Full::default()) else { return };
    let hosts: Vec<_> = request.headers().get_all(HOST).iter().cloned().collect();
    let named = hosts.first().map(|host| String::from_utf8_lossy(host.as_bytes()).into_owned());
    let host = named.or(request.uri().authority().map(ToString::to_string)).unwrap_or_default();
    let is_api = request.uri().path().starts_with("/api/v1/games");
    let access = || Access::new(Some(TOKEN.into()), None);
    let server = SERVER.get_or_init(|| Mutex::new(Server::start(access())));
    let status = server.lock().unwrap_or_else(PoisonError::into_inner).answer(request);
    if !status.is_success() {
        return;
    }
    let host = host.to_ascii_lowercase();
    let here = ["localhost", "127.", "[", "::1", "0"].iter().any(|name| host.starts_with(name));
    assert!(hosts.len() < 2 && here, "{host:?}");
    let decoded: Vec<u8> = percent_encoding::percent_decode(data).collect();
    let is_said = |text: &[u8]| text.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes());
    assert!(!is_api || is_said(data) || is_said(&decoded), "{first}");
}
