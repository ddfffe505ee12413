//! The database: boards, runs, games, plies and everything measured. All SQL of the program stands below this module.
//!
//! One connection writes, a pool of others reads; the log (WAL) lets them work at the same time. A call that writes has reached the
//! disk when it returns (`synchronous = FULL`), or has changed nothing when it fails. What must hold (plies without gaps, a game that
//! ends once) is enforced by the schema itself, see `migrations/`.
//!
//! It knows no board, engine or page; only [`view`] knows the API's shapes.

mod boards;
mod books;
mod eco;
mod error;
mod events;
mod fingerprint;
mod firmware;
mod games;
mod import;
mod names;
mod open;
mod plies;
mod runs;
mod telemetry;
pub mod view;

pub use books::{COUNTED_GAMES, OPENING_PLIES, RunBook};
pub use error::StoreError;
pub use events::LinkScope;
pub use firmware::{FlashEnd, NewFlash};
pub use games::GamesWithPlies;
pub use import::ImportedGame;
pub use open::StoreOptions;
pub use runs::Tally;
pub use telemetry::{CompareError, SqlError, SqlLimits};

use sqlx::{
    Connection, Sqlite, SqliteConnection, SqlitePool,
    query::Query,
    sqlite::{SqliteArguments, SqliteConnectOptions, SqliteQueryResult, SqliteRow},
};
use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::sync::{Mutex, MutexGuard};

/// How long a write waits for another program that writes.
pub(crate) const BUSY_SECONDS: u64 = 5;

type Statement<'q> = Query<'q, Sqlite, SqliteArguments>;

/// A handle on the database: cheap to clone, the last one closes it.
#[derive(Clone, Debug)]
pub struct Store {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    id: String,
    writable: bool,
    writer: Mutex<Writer>,
    readers: SqlitePool,
    /// How a reader is opened.
    reading: SqliteConnectOptions,
}

#[derive(Debug)]
struct Writer {
    conn: Option<SqliteConnection>,
    /// Keeps other rookeries out until this one has closed the database.
    lock: Option<File>,
    /// A statement was begun and its end not seen: its caller was dropped, or it failed. A transaction may be open.
    dirty: bool,
}

impl Store {
    /// The database's file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inner.path
    }

    /// The database's own identity, 16 hex digits: no other database has it.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// Limits the database's size; `None` lifts the limit. Rounded to pages of 4 KiB; never below what is used already.
    pub async fn set_max_bytes(&self, max: Option<u64>) -> Result<(), StoreError> {
        const PAGE: u64 = 4096;
        const SQLITE_MOST: u64 = 4_294_967_294;
        let pages = max.map_or(SQLITE_MOST, |bytes| (bytes / PAGE).clamp(1, SQLITE_MOST));
        let sql = sqlx::AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        self.write_rows(sqlx::query(sql)).await.map(drop)
    }

    /// Ends all reading, writes the log into the database and closes it. Later calls fail with [`StoreError::Closed`].
    pub async fn close(&self) -> Result<(), StoreError> {
        // The writer is the last: only then can SQLite put the log away.
        self.inner.readers.close().await;
        let mut writer = self.inner.writer.lock().await;
        let closed = match writer.conn.take() {
            Some(conn) => conn.close().await.map_err(|e| self.error(e)),
            None => Ok(()),
        };
        writer.lock = None;
        closed
    }

    fn error(&self, error: sqlx::Error) -> StoreError {
        StoreError::from_sqlx(&self.inner.path, error)
    }

    /// Runs statements that change something. Several in one text, `BEGIN` to `COMMIT`, cost one trip to SQLite's thread.
    async fn write(&self, statement: Statement<'_>) -> Result<SqliteQueryResult, StoreError> {
        let mut writer = self.writer().await?;
        let conn = writer.conn.as_mut().ok_or(StoreError::Closed)?;
        let result = statement.execute(conn).await;
        self.settle(writer, result).await
    }

    /// As [`Store::write`], for statements with `RETURNING`.
    ///
    /// Always all rows: a fetch of one row leaves the statement before its end, and then SQLite commits while it is being reset,
    /// where a full disk is reported to nobody.
    async fn write_rows(&self, statement: Statement<'_>) -> Result<Vec<SqliteRow>, StoreError> {
        let mut writer = self.writer().await?;
        let conn = writer.conn.as_mut().ok_or(StoreError::Closed)?;
        let result = statement.fetch_all(conn).await;
        self.settle(writer, result).await
    }

    async fn writer(&self) -> Result<MutexGuard<'_, Writer>, StoreError> {
        if !self.inner.writable {
            return Err(StoreError::ReadOnly {
                path: self.inner.path.clone(),
                cause: "it was opened for reading only".to_owned(),
            });
        }
        let mut writer = self.inner.writer.lock().await;
        if writer.dirty {
            roll_back(&mut writer).await;
        }
        writer.dirty = true;
        Ok(writer)
    }

    async fn settle<T>(
        &self,
        mut writer: MutexGuard<'_, Writer>,
        result: Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        match result {
            Ok(value) => {
                writer.dirty = false;
                Ok(value)
            }
            Err(error) => {
                roll_back(&mut writer).await;
                Err(self.error(error))
            }
        }
    }
}

/// Ends a transaction that may be open. SQLite has often ended it by itself, and says so with an error that means nothing.
async fn roll_back(writer: &mut Writer) {
    if let Some(conn) = writer.conn.as_mut() {
        let _ = sqlx::query("ROLLBACK").execute(conn).await;
    }
    writer.dirty = false;
}
