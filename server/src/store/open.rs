//! Opening: whose file it is, which version, who else has it; then the connections.

use super::{BUSY_SECONDS, Inner, Store, StoreError, Writer, eco};
use sqlx::{
    ConnectOptions, Connection, Row, SqliteConnection,
    migrate::{MigrateError, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{Read, Seek, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::Mutex;

/// The schema, embedded.
pub(super) static MIGRATOR: Migrator = sqlx::migrate!("../migrations");

/// `PRAGMA application_id` of a Rookery database: "Rook".
const APPLICATION_ID: i64 = i64::from_be_bytes([0, 0, 0, 0, b'R', b'o', b'o', b'k']);

/// Readers at the same time: a page, an export and a telemetry query do not wait for each other; more would only compete for the disk.
const READERS: u32 = 4;

/// Patience with whoever has the database: a server that is started again may meet the one before it at its last step.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

/// How a store is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct StoreOptions {
    /// The database may not grow beyond this many bytes: writing then fails as on a full disk.
    pub max_bytes: Option<u64>,
}

impl Store {
    /// Opens or creates the database for reading and writing, brings its schema up to date, and holds `<path>.lock` as long as a
    /// handle lives.
    pub async fn open(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        Store::open_with(path, StoreOptions::default()).await
    }

    /// [`Store::open`] with options.
    pub async fn open_with(
        path: impl AsRef<Path>,
        options: StoreOptions,
    ) -> Result<Store, StoreError> {
        let path = resolve(path.as_ref())?;
        let lock = lock_soon(&path).await?;
        if std::fs::metadata(&path).is_ok_and(|m| m.len() > 0) {
            // Before anything is changed, the journal mode included: it may be somebody else's.
            let mut probe = connect(&path, &base(&path).read_only(true)).await?;
            let found = version(&path, &mut probe).await;
            let _ = probe.close().await;
            found?;
        }
        let base = base(&path);
        let mut conn = connect(
            &path,
            &base
                .clone()
                .create_if_missing(true)
                .journal_mode(SqliteJournalMode::Wal)
                .synchronous(SqliteSynchronous::Full)
                .pragma("temp_store", "memory")
                .pragma("journal_size_limit", "67108864"),
        )
        .await?;
        migrate(&path, &mut conn).await?;
        eco::name_old_games(&mut conn).await;
        let store = finish(path, base, Some(conn), Some(lock)).await?;
        if options.max_bytes.is_some() {
            store.set_max_bytes(options.max_bytes).await?;
        }
        Ok(store)
    }

    /// Opens an existing database for reading, also while a server has it. Takes no lock and changes nothing.
    pub async fn open_read_only(path: impl AsRef<Path>) -> Result<Store, StoreError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(StoreError::Missing { path: path.to_owned() });
        }
        let path = resolve(path)?;
        let mut base = base(&path).read_only(true);
        let mut probe = connect(&path, &base).await?;
        let mut found = version(&path, &mut probe).await;
        if found.is_err() && !sibling(&path, "-wal").exists() {
            // Where the folder cannot be written, SQLite has no place for its shared memory; without a log nothing can be
            // missed by doing without.
            base = base.immutable(true);
            let mut again = connect(&path, &base).await?;
            if let Ok(v) = version(&path, &mut again).await {
                found = Ok(v);
            }
            let _ = again.close().await;
        }
        let _ = probe.close().await;
        let (found, known) = (found?, known());
        if found < known {
            return Err(StoreError::TooOld { path, found, known });
        }
        finish(path, base, None, None).await
    }
}

/// The latest schema version known here.
pub(super) fn known() -> i64 {
    MIGRATOR.iter().map(|m| m.version).max().unwrap_or(0)
}

/// The folder of a file, `.` where the path names none.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// One name for one file: two links to a database must meet at the same lock.
fn resolve(path: &Path) -> Result<PathBuf, StoreError> {
    if path.is_dir() {
        let source = std::io::ErrorKind::IsADirectory.into();
        return Err(StoreError::from_io(path, "open", source));
    }
    if let Ok(real) = path.canonicalize() {
        return Ok(real);
    }
    let folder = folder_of(path);
    let real =
        folder.canonicalize().map_err(|e| StoreError::from_io(folder, "find the folder", e))?;
    let name = path.file_name().ok_or_else(|| {
        StoreError::from_io(path, "open", std::io::ErrorKind::InvalidFilename.into())
    })?;
    Ok(real.join(name))
}

fn sibling(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// The lock, at once or as soon as the holder lets it go.
async fn lock_soon(path: &Path) -> Result<File, StoreError> {
    let end = Instant::now() + LOCK_PATIENCE;
    loop {
        match lock(path) {
            Err(StoreError::Locked { .. }) if Instant::now() < end => {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            done => return done,
        }
    }
}

/// The lock dies with the process, however it dies; the file stays, since removing it would let two in.
fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = sibling(path, ".lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&lock_path)
        .map_err(|e| StoreError::from_io(&lock_path, "create", e))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.read_to_string(&mut text);
            return Err(StoreError::Locked {
                path: path.to_owned(),
                holder: text.trim().parse().ok(),
            });
        }
        Err(TryLockError::Error(e)) => return Err(StoreError::from_io(&lock_path, "lock", e)),
    }
    // Only for the other's error message: a full disk must not keep us out.
    let _ = file.set_len(0);
    let _ = file.rewind();
    let _ = writeln!(file, "{}", std::process::id());
    Ok(file)
}

fn base(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .foreign_keys(true)
        .busy_timeout(Duration::from_secs(BUSY_SECONDS))
        .disable_statement_logging()
}

async fn connect(
    path: &Path,
    options: &SqliteConnectOptions,
) -> Result<SqliteConnection, StoreError> {
    options.connect().await.map_err(|e| StoreError::from_sqlx(path, e))
}

/// The schema version of a database; an error if it is not ours or too new.
async fn version(path: &Path, conn: &mut SqliteConnection) -> Result<i64, StoreError> {
    let fail = |e| StoreError::from_sqlx(path, e);
    let row = sqlx::query(
        "SELECT (SELECT application_id FROM pragma_application_id), \
         (SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE '%sqlx_migrations%'), \
         (SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations')",
    )
    .fetch_one(&mut *conn)
    .await
    .map_err(fail)?;
    let (application, tables, migrated): (i64, i64, i64) = (row.get(0), row.get(1), row.get(2));
    // Killed within its first second, a database of ours has no table of ours yet.
    if application != APPLICATION_ID && tables > 0 {
        return Err(StoreError::Foreign { path: path.to_owned() });
    }
    if migrated == 0 {
        return Ok(0);
    }
    let found: i64 = sqlx::query_scalar("SELECT coalesce(max(version), 0) FROM _sqlx_migrations")
        .fetch_one(conn)
        .await
        .map_err(fail)?;
    let known = known();
    if found > known {
        return Err(StoreError::TooNew { path: path.to_owned(), found, known });
    }
    Ok(found)
}

async fn migrate(path: &Path, conn: &mut SqliteConnection) -> Result<(), StoreError> {
    MIGRATOR.run(conn).await.map_err(|error| match error {
        MigrateError::Execute(e) | MigrateError::ExecuteMigration(e, _) => {
            StoreError::from_sqlx(path, e)
        }
        other => {
            StoreError::Migration { path: path.to_owned(), known: known(), source: Box::new(other) }
        }
    })
}

async fn finish(
    path: PathBuf,
    base: SqliteConnectOptions,
    writer: Option<SqliteConnection>,
    lock: Option<File>,
) -> Result<Store, StoreError> {
    let reading = base.read_only(true);
    let readers = SqlitePoolOptions::new()
        .max_connections(READERS)
        .acquire_timeout(Duration::from_secs(30))
        .test_before_acquire(false)
        .connect_lazy_with(reading.clone());
    let id: String = sqlx::query_scalar("SELECT id FROM store")
        .fetch_one(&readers)
        .await
        .map_err(|e| StoreError::from_sqlx(&path, e))?;
    Ok(Store {
        inner: Arc::new(Inner {
            writable: writer.is_some(),
            writer: Mutex::new(Writer { conn: writer, lock, dirty: false }),
            readers,
            reading,
            path,
            id,
        }),
    })
}
