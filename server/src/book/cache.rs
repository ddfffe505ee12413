//! What an engine has said already: an SQLite file of its own beside the book that is being made, so that an interrupted build goes on.

use sqlx::{
    ConnectOptions, Connection, Row, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};
use std::path::{Path, PathBuf};

/// `PRAGMA application_id`: "RkBc".
const APPLICATION_ID: i64 = i64::from_be_bytes([0, 0, 0, 0, b'R', b'k', b'B', b'c']);

/// Why the cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// SQLite failed.
    #[error("the evaluations in '{}' cannot be read or written: {source}{}", path.display(), cure(source))]
    Sql {
        /// The file.
        path: PathBuf,
        /// SQLite's answer.
        source: sqlx::Error,
    },
    /// A database of somebody else's.
    #[error(
        "'{}' is a database, but not one of evaluations: name another file with --cache",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
}

/// What to do about the failures that people bring about.
fn cure(error: &sqlx::Error) -> &'static str {
    // SQLite's primary result codes, https://www.sqlite.org/rescode.html
    const BUSY: i32 = 5;
    const READ_ONLY: i32 = 8;
    const FULL: i32 = 13;
    const CANNOT_OPEN: i32 = 14;
    const NO_DATABASE: i32 = 26;
    let code = error.as_database_error().and_then(|e| e.code()?.parse::<i32>().ok());
    match code.map(|code| code & 0xff) {
        Some(BUSY) => "; another program holds the file: end it, or name another file with --cache",
        Some(FULL) => {
            "; make room: what was judged is kept, and the same command goes on from there"
        }
        Some(NO_DATABASE) => "; it is no cache: name another file with --cache, or delete this one",
        Some(CANNOT_OPEN | READ_ONLY) => {
            "; name a file with --cache in a folder that may be written to, or keep none with --no-cache"
        }
        _ => "",
    }
}

/// An open cache.
pub(super) struct Cache {
    path: PathBuf,
    conn: SqliteConnection,
}

impl Cache {
    pub(super) async fn open(path: &Path) -> Result<Cache, CacheError> {
        let sql = |source| CacheError::Sql { path: path.to_owned(), source };
        let mut conn = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            // The last seconds before a power cut are evaluated again.
            .synchronous(SqliteSynchronous::Normal)
            .connect()
            .await
            .map_err(sql)?;
        let id: i64 =
            sqlx::query("PRAGMA application_id").fetch_one(&mut conn).await.map_err(sql)?.get(0);
        let tables: i64 = sqlx::query("SELECT count(*) FROM sqlite_schema")
            .fetch_one(&mut conn)
            .await
            .map_err(sql)?
            .get(0);
        if id != APPLICATION_ID && tables > 0 {
            return Err(CacheError::Foreign { path: path.to_owned() });
        }
        // Only now that it is known to be ours: the mode is kept in the file.
        sqlx::raw_sql("PRAGMA journal_mode = WAL").execute(&mut conn).await.map_err(sql)?;
        let schema = format!(
            "PRAGMA application_id = {APPLICATION_ID};
             CREATE TABLE IF NOT EXISTS evaluations (
                 engine TEXT NOT NULL, -- its name and options
                 search TEXT NOT NULL, -- its limit, as on the command line
                 width  INTEGER NOT NULL, -- lines that were asked for
                 fen    TEXT NOT NULL,
                 lines  TEXT NOT NULL, -- JSON
                 PRIMARY KEY (engine, search, width, fen)
             ) STRICT, WITHOUT ROWID;"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(schema)).execute(&mut conn).await.map_err(sql)?;
        Ok(Cache { path: path.to_owned(), conn })
    }

    pub(super) async fn get(
        &mut self,
        engine: &str,
        search: &str,
        width: u32,
        fen: &str,
    ) -> Result<Option<String>, CacheError> {
        let row = sqlx::query(
            "SELECT lines FROM evaluations WHERE engine = ?1 AND search = ?2 AND width = ?3 AND fen = ?4",
        )
        .bind(engine)
        .bind(search)
        .bind(width)
        .bind(fen)
        .fetch_optional(&mut self.conn)
        .await;
        let row = row.map_err(|source| CacheError::Sql { path: self.path.clone(), source })?;
        Ok(row.map(|row| row.get(0)))
    }

    pub(super) async fn put(
        &mut self,
        engine: &str,
        search: &str,
        width: u32,
        fen: &str,
        lines: &str,
    ) -> Result<(), CacheError> {
        let done = sqlx::query("INSERT OR REPLACE INTO evaluations VALUES (?1, ?2, ?3, ?4, ?5)")
            .bind(engine)
            .bind(search)
            .bind(width)
            .bind(fen)
            .bind(lines)
            .execute(&mut self.conn)
            .await;
        match done {
            Ok(_) => Ok(()),
            Err(source) => Err(CacheError::Sql { path: self.path.clone(), source }),
        }
    }

    /// Leaves one file behind, without a write-ahead log.
    pub(super) async fn close(self) -> Result<(), CacheError> {
        let path = self.path;
        self.conn.close().await.map_err(|source| CacheError::Sql { path, source })
    }
}
