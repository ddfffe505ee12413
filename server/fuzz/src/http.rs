//! Requests to the API: paths, queries and bodies as anybody may send them.

use http_body_util::{BodyExt as _, Full};
use hyper::{Request, body::Bytes, header::CONTENT_TYPE, service::Service as _};
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

/// A server without a socket, with some games.
struct Server {
    runtime: Runtime,
    state: State,
    _folder: TempDir,
}

impl Server {
    fn start() -> Server {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let state = runtime.block_on(state(folder.path()));
        Server { runtime, state, _folder: folder }
    }
}

async fn state(folder: &Path) -> State {
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
    let access = Access::new(None, None);
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
    let needs_a_connection = target.contains("/ws") || target.contains("/console");
    if needs_a_connection || (method == "POST" && target.contains("runs")) {
        return;
    }
    let request = Request::builder()
        .method(method)
        .uri(target)
        .header("Host", "127.0.0.1")
        .header(CONTENT_TYPE, "application/json")
        .body(Full::new(Bytes::copy_from_slice(body.as_bytes())));
    let Ok(request) = request else { return };
    let server = SERVER.get_or_init(|| Mutex::new(Server::start()));
    let server = server.lock().unwrap_or_else(PoisonError::into_inner);
    let service = TowerToHyperService::new(router(server.state.clone()));
    let (status, kind, body) = server.runtime.block_on(async {
        let response = service.call(request).await.expect("an answer");
        let (parts, body) = response.into_parts();
        let kind = parts.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let body = body.collect().await.expect("a whole answer").to_bytes();
        (parts.status, kind, body)
    });
    assert!(!status.is_server_error(), "{status}: {}", String::from_utf8_lossy(&body));
    if kind == "application/json" {
        let value: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        assert!(status.is_success() || value["message"].is_string(), "{status}: {value}");
    }
}
