//! What the commands share: the log, the database's place, the server's life between its start and Ctrl-C.

use super::{Usage, out};
use crate::{
    app::{App, AppOptions},
    books::JudgeOptions,
    config::Config,
    http::Limits,
    pgn::PgnStyle,
};
use anyhow::Context as _;
use std::{
    net::SocketAddr,
    num::NonZeroU32,
    path::{Path, PathBuf},
};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_appender::{
    non_blocking::WorkerGuard,
    rolling::{RollingFileAppender, Rotation},
};
use tracing_subscriber::{
    EnvFilter, Layer as _, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

/// Where the page is served by default.
pub(super) const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// The options of every command that starts a server.
#[derive(Debug, Default, clap::Args)]
pub(super) struct ServerArgs {
    /// Address of the page and the API; port 0 picks a free one
    #[arg(long, env = "ROOKERY_LISTEN", value_name = "ADDR:PORT")]
    pub listen: Option<SocketAddr>,
    /// Token that requests need; required where the address is not a loopback one
    #[arg(long, env = "ROOKERY_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub token: Option<String>,
    /// Token that requests need to flash boards, beside what the other one lets them do; without it, boards are flashed from this machine
    /// only
    #[arg(long, env = "ROOKERY_FLASH_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub flash_token: Option<String>,
    /// Connections to the page and the API at a time, viewers included; fewer where the limit of open files is lower [default: 4096]
    #[arg(long, env = "ROOKERY_MAX_CONNECTIONS", value_name = "N")]
    pub max_connections: Option<NonZeroU32>,
    /// Database (SQLite)
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    pub db: Option<PathBuf>,
    /// Let the database grow to at most this many megabytes; a full one holds the runs with an alarm
    #[arg(long, env = "ROOKERY_DB_MAX_MB", value_name = "N")]
    pub db_max_mb: Option<u64>,
    /// PGN file that grows with every finished game
    #[arg(long, env = "ROOKERY_PGN", value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Comments in that file: engine {+0.31/12 0.5s, n=45012}, lichess {[%eval 0.31]}, board { d=5 uz=45012 oc=-34}
    #[arg(
        long,
        env = "ROOKERY_PGN_STYLE",
        value_name = "STYLE",
        value_enum,
        default_value = "engine",
        hide_possible_values = true
    )]
    pub pgn_style: PgnStyle,
    /// Close interrupted games of the database as interrupted instead of resuming them
    #[arg(long)]
    pub no_resume: bool,
}

impl ServerArgs {
    /// Starts a server. Without an address from anywhere it listens on `listen`; without a database it uses `db`; without
    /// an engine for books `judge`.
    pub(super) async fn start(
        &self,
        config: &Config,
        listen: Option<&str>,
        db: Option<&str>,
        judge: Option<JudgeOptions>,
    ) -> anyhow::Result<App> {
        let db = self.database(config, db)?;
        let default = listen.map(str::parse).transpose()?;
        let mut http = Limits::default();
        if let Some(most) = self.max_connections.or(config.max_connections) {
            http.connections = usize::try_from(most.get())?;
        }
        let mut books = config.books_options()?;
        books.judge = books.judge.or(judge);
        let options = AppOptions {
            db,
            max_db_bytes: self.db_max_mb.map(|mb| mb.saturating_mul(1_000_000)),
            pgn: self.pgn.clone().or_else(|| config.pgn.clone()),
            pgn_style: self.pgn_style,
            listen: self.listen.or(config.listen).or(default),
            token: self.token.clone().or_else(|| config.token.clone()),
            log_dir: config.log_dir.clone(),
            flash_token: self.flash_token.clone().or_else(|| config.flash_token.clone()),
            http,
            guard: std::env::current_exe().ok(),
            books,
        };
        crate::http::install_metrics();
        Ok(App::start(options).await?)
    }

    fn database(&self, config: &Config, default: Option<&str>) -> anyhow::Result<PathBuf> {
        let db = self.db.clone().or_else(|| config.db.clone()).or(default.map(PathBuf::from));
        db.ok_or_else(no_database)
    }
}

fn no_database() -> anyhow::Error {
    Usage("no database is named: add --db FILE, or set ROOKERY_DB".into()).into()
}

/// A database to read from.
pub(super) fn database(flag: Option<&Path>, config: &Config) -> anyhow::Result<PathBuf> {
    let db = flag.map(Path::to_owned).or_else(|| config.db.clone());
    db.ok_or_else(no_database)
}

/// Starts the log: `filter` on standard error, and files in `folder`.
pub(super) fn start_log(
    filter: &str,
    folder: Option<&Path>,
) -> anyhow::Result<Option<WorkerGuard>> {
    let filter: EnvFilter = filter.parse().map_err(|error| {
        Usage(format!("'{filter}' is not a log filter ({error}); try warn, or info,engine=debug"))
    })?;
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(console::colors_enabled_stderr())
        .with_filter(filter);
    let registry = tracing_subscriber::registry().with(stderr);
    let Some(folder) = folder else {
        registry.init();
        return Ok(None);
    };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("the log folder '{}' cannot be made", folder.display()))?;
    let files = RollingFileAppender::builder()
        .rotation(Rotation::DAILY)
        .filename_prefix("rookery.log")
        .build(folder)
        .with_context(|| format!("no log file can be made in '{}'", folder.display()))?;
    let (writer, guard) = tracing_appender::non_blocking(files);
    let layer = tracing_subscriber::fmt::layer()
        .with_writer(writer)
        .with_ansi(false)
        .with_filter(EnvFilter::new("info,rookery_server::link=debug"));
    registry.with(layer).init();
    Ok(Some(guard))
}

/// Ctrl-C and SIGTERM: the first one asks for the end, the second one is the end.
pub(super) struct Interrupts {
    int: Signal,
    term: Signal,
}

impl Interrupts {
    /// From now on they are caught.
    pub(super) fn catch() -> std::io::Result<Interrupts> {
        let (int, term) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Interrupts { int, term })
    }

    /// Waits for the first one.
    pub(super) async fn first(&mut self) {
        tokio::select! {
            _ = self.int.recv() => {}
            _ = self.term.recv() => {}
        }
    }

    /// Ends the server; another signal ends the program at once.
    pub(super) async fn end(mut self, app: App) -> anyhow::Result<()> {
        tokio::select! {
            ended = app.shutdown() => Ok(ended?),
            () = self.first() => {
                out::note("ended at once; interrupted games are resumed at the next start");
                std::process::exit(130);
            }
        }
    }
}
