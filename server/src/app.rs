//! Wiring only: opens the store, starts the actors, owns their end.

use crate::{
    api::{GameView, RunView},
    boards::Boards,
    books::{Books, BooksOptions},
    flashes::Flashes,
    http,
    live::Live,
    model::GameState,
    pgn::{PgnFile, PgnStyle},
    queue::Queue,
    runner::Resources,
    runs::Runs,
    store::{Store, StoreError, StoreOptions},
    telemetry::GameFilter,
    uci::EngineOptions,
};
use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Patience with everything that has to end before the server does.
const ENDING: Duration = Duration::from_secs(4);

/// How a server is started.
#[derive(Clone, Debug, Default)]
pub struct AppOptions {
    /// The database.
    pub db: PathBuf,
    /// Its greatest size in bytes.
    pub max_db_bytes: Option<u64>,
    /// The PGN file that grows with every game.
    pub pgn: Option<PathBuf>,
    /// Its comments.
    pub pgn_style: PgnStyle,
    /// Where the page and the API are served, if they are.
    pub listen: Option<SocketAddr>,
    /// What a request must know; needed where `listen` is no loopback address.
    pub token: Option<String>,
    /// Where the log is, for reports.
    pub log_dir: Option<PathBuf>,
    /// What a request must know to flash boards; without one that is possible from this machine alone.
    pub flash_token: Option<String>,
    /// Its books.
    pub books: BooksOptions,
    /// What strangers may take of the server.
    pub http: http::Limits,
    /// The program that guards engines against outliving the server: this one.
    pub guard: Option<PathBuf>,
}

/// Why a server does not start.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The PGN file.
    #[error(transparent)]
    Pgn(#[from] crate::pgn::PgnError),
    /// The address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// An open address without a token.
    #[error(
        "{0} can be reached from other machines: set a token with --token or ROOKERY_TOKEN, or listen on 127.0.0.1"
    )]
    TokenNeeded(SocketAddr),
}

/// A running server.
pub struct App {
    /// The database.
    pub store: Store,
    /// The viewers.
    pub live: Live,
    /// The boards.
    pub boards: Boards,
    /// The runs.
    pub runs: Runs,
    /// The flashes.
    pub flashes: Flashes,
    /// Where the page is, if it is served.
    pub address: Option<SocketAddr>,
    stop: CancellationToken,
    end: CancellationToken,
    run_tasks: TaskTracker,
    tasks: TaskTracker,
}

impl App {
    /// Starts everything except runs.
    pub async fn start(mut options: AppOptions) -> Result<App, AppError> {
        // A variable that is set to nothing, as container files do, must not open the server to everybody.
        for token in [&mut options.token, &mut options.flash_token] {
            let given = token.as_deref().map(str::trim).filter(|token| !token.is_empty());
            *token = given.map(str::to_owned);
        }
        if let Some(address) = options.listen
            && !address.ip().is_loopback()
            && options.token.is_none()
        {
            return Err(AppError::TokenNeeded(address));
        }
        let listener = match options.listen {
            Some(address) => Some(
                TcpListener::bind(address)
                    .await
                    .map_err(|source| AppError::Listen { address, source })?,
            ),
            None => None,
        };
        let store =
            Store::open_with(&options.db, StoreOptions { max_bytes: options.max_db_bytes }).await?;
        let new_pgn = |path: PathBuf| PgnFile::new(&store, None, options.pgn_style, &path);
        let pgn = options.pgn.map(new_pgn).map(Arc::new);
        if let Some(pgn) = &pgn {
            // A folder that cannot be written to is found now and not after the first game.
            pgn.sync().await?;
        }
        let (stop, end) = (CancellationToken::new(), CancellationToken::new());
        let (run_tasks, tasks) = (TaskTracker::new(), TaskTracker::new());
        let live = Live::new();
        recall(&store, &live).await?;
        store.interrupt_flashes().await?;
        let boards = Boards::new(store.clone(), live.clone(), tasks.clone(), end.clone());
        let engines = EngineOptions { guard: options.guard, ..EngineOptions::default() };
        let resources = Resources {
            store: store.clone(),
            live: live.clone(),
            boards: boards.clone(),
            engines: engines.clone(),
            pgn,
            queue: Queue::default(),
        };
        let runs = Runs::new(resources, run_tasks.clone(), stop.clone());
        let flashes = Flashes::new(
            store.clone(),
            live.clone(),
            boards.clone(),
            runs.clone(),
            // With the runs: a flash ends while its board's link still lives.
            run_tasks.clone(),
            stop.clone(),
        );
        let books = Books::new(store.clone(), options.books, engines, &tasks, end.clone());
        let address = listener.as_ref().and_then(|listener| listener.local_addr().ok());
        if let Some(listener) = listener {
            let state = http::State {
                store: store.clone(),
                live: live.clone(),
                boards: boards.clone(),
                runs: runs.clone(),
                log_dir: options.log_dir.map(Into::into),
                flashes: flashes.clone(),
                books,
                access: http::Access::new(options.token, address)
                    .with_flash_token(options.flash_token),
                limits: options.http,
                end: end.clone(),
                tasks: tasks.clone(),
            };
            tasks.spawn(http::serve(listener, state));
        }
        Ok(App { store, live, boards, runs, flashes, address, stop, end, run_tasks, tasks })
    }

    /// Ends everything within some seconds: games are left as they stand, engines end, the last link events are written, the database
    /// is closed. What does not end in time is left behind and said.
    pub async fn shutdown(self) -> Result<(), StoreError> {
        self.stop.cancel();
        self.run_tasks.close();
        let runs = tokio::time::timeout(ENDING / 2, self.run_tasks.wait()).await;
        self.end.cancel();
        self.tasks.close();
        let rest = tokio::time::timeout(ENDING / 2, self.tasks.wait()).await;
        if runs.is_err() || rest.is_err() {
            let left = self.run_tasks.len() + self.tasks.len();
            tracing::warn!("{left} tasks did not end in time");
        }
        tokio::time::timeout(ENDING / 4, self.store.close()).await.unwrap_or(Ok(()))
    }
}

/// Shows viewers what an earlier server left.
async fn recall(store: &Store, live: &Live) -> Result<(), StoreError> {
    const SHOWN: u32 = 50;
    let mut runs = Vec::new();
    let mut records = store.runs(SHOWN, None).await?;
    records.retain(|run| run.state.is_over());
    records.extend(store.unfinished_runs().await?);
    for record in records {
        let tally = store.tally(record.id).await?;
        runs.push(RunView::from_record(&record, tally).unattended());
    }
    let state = Some(GameState::Finished);
    let filter = GameFilter { state, ..GameFilter::default() };
    let games = store.games(&filter, None, Some(SHOWN)).await?;
    live.recall(runs, games.iter().map(GameView::from).collect());
    Ok(())
}
