//! HTTP: the router in one place. Knows the store, the viewers and the runs; boards only for what is on their links.

mod access;
mod asked;
mod assets;
mod books;
mod console;
mod error;
mod firmware;
mod games;
mod metrics;
mod openapi;
mod runs;
mod serve;
mod socket;
mod telemetry;
mod ws;

pub use access::Access;
pub use error::HttpError;
pub use metrics::install as install_metrics;
pub use openapi::{openapi, websocket_schema};
pub use serve::{Limits, serve};

use crate::{boards::Boards, books::Books, flashes::Flashes, live::Live, runs::Runs, store::Store};
use axum::{
    Router,
    extract::{DefaultBodyLimit, Request},
    http::{HeaderName, HeaderValue, header},
    middleware::{self, Next},
    response::Response,
    routing::{get, post},
};
use std::{path::Path, sync::Arc, time::Duration};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower_http::{compression::CompressionLayer, set_header::SetResponseHeaderLayer};

/// The largest body of a request: a run with some thousand opening lines.
const LARGEST_BODY: usize = 4 << 20;
/// The longest that a request (not a WebSocket) may take.
const LONGEST_REQUEST: Duration = Duration::from_secs(30);

/// What the handlers work with.
#[derive(Clone)]
pub struct State {
    /// The database.
    pub store: Store,
    /// The viewers.
    pub live: Live,
    /// The boards.
    pub boards: Boards,
    /// The runs.
    pub runs: Runs,
    /// Where the log is, for reports.
    pub log_dir: Option<Arc<Path>>,
    /// The flashes.
    pub flashes: Flashes,
    /// The books.
    pub books: Books,
    /// Who may ask.
    pub access: Access,
    /// What strangers may take.
    pub limits: Limits,
    /// Cancelled when the server ends.
    pub end: CancellationToken,
    /// Where WebSocket tasks are counted: HTTP's own end does not wait for them.
    pub tasks: TaskTracker,
}

/// The routes.
pub fn router(state: State) -> Router {
    let flashing = Router::new()
        .route("/firmware", get(firmware::list).post(firmware::upload))
        .route("/firmware/{sha256}", get(firmware::one).delete(firmware::delete))
        .route(
            "/boards/{id}/flash",
            get(firmware::last).post(firmware::start).delete(firmware::cancel),
        )
        .route("/boards/{id}/flashes", get(firmware::history))
        .route("/books/{book}/image", post(books::image))
        .layer(middleware::from_fn_with_state(state.clone(), access::need_flash_token));
    let api = Router::new()
        .merge(flashing)
        .route(
            "/books",
            get(books::list).post(books::upload).layer(DefaultBodyLimit::max(books::LARGEST_BOOK)),
        )
        .route("/books/{book}", get(books::page).delete(books::delete))
        .route("/books/{book}/file", get(books::file))
        .route("/books/{book}/openings", get(books::openings))
        .route("/positions/evaluation", get(books::evaluation))
        .route("/positions/games", get(books::games))
        .route("/boards", get(runs::boards))
        .route("/boards/{id}", get(runs::board))
        .route("/boards/{id}/lines", get(console::lines))
        .route("/boards/{id}/lines.txt", get(console::text))
        .route("/boards/{id}/console", get(console::upgrade))
        .route("/runs", get(runs::list).post(runs::create))
        .route("/runs/{id}", get(runs::one))
        .route("/runs/{id}/{action}", post(runs::control))
        .route("/games", get(games::list))
        .route("/games.pgn", get(games::all_as_pgn))
        .route("/games/{id}", get(games::one))
        .route("/games/{id}/pgn", get(games::pgn))
        .route("/games/{id}/report", get(games::report))
        .route("/games/{id}/events", get(games::events))
        .route("/games/{id}/iterations", get(games::iterations))
        .route("/telemetry/compare", get(telemetry::compare))
        .route("/telemetry/sql", post(telemetry::sql))
        .route("/telemetry/{view}", get(telemetry::view))
        .route("/openapi.json", get(openapi::document))
        .route("/version", get(runs::version))
        .fallback(error::no_such_route)
        .layer(middleware::from_fn(limit_time));
    let guarded = Router::new()
        .nest("/api/v1", api)
        .route("/metrics", get(metrics::metrics))
        .route("/ws", get(ws::upgrade))
        .layer(middleware::from_fn_with_state(state.clone(), access::need_token))
        .layer(fixed_header(header::CACHE_CONTROL, "no-store"));
    Router::new()
        .merge(guarded)
        .route("/healthz", get(runs::health))
        .fallback(assets::asset)
        .method_not_allowed_fallback(error::no_such_method)
        .layer(middleware::from_fn_with_state(state.clone(), access::check_origin))
        .layer(CompressionLayer::new())
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(fixed_header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(fixed_header(header::REFERRER_POLICY, "no-referrer"))
        .layer(fixed_header(header::X_FRAME_OPTIONS, "DENY"))
        .layer(fixed_header(header::CONTENT_SECURITY_POLICY, assets::POLICY))
        .with_state(state)
}

fn fixed_header(name: HeaderName, value: &'static str) -> SetResponseHeaderLayer<HeaderValue> {
    SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
}

/// Ends a request that takes too long; a WebSocket is none.
async fn limit_time(request: Request, next: Next) -> Result<Response, HttpError> {
    let in_time = tokio::time::timeout(LONGEST_REQUEST, next.run(request)).await;
    in_time.map_err(|_| HttpError::Timeout(LONGEST_REQUEST.as_secs()))
}
