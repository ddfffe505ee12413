//! A query in somebody's own words: on a connection of its own that can only read, with an end to its time and its rows.

use super::{super::StoreError, table, values_within};
use crate::{
    store::Store,
    telemetry::{StatementError, Table, one_statement},
};
use futures_util::TryStreamExt as _;
use sqlx::{
    AssertSqlSafe, Column as _, ConnectOptions as _, Connection as _, Executor as _,
    SqlSafeStr as _, SqliteConnection, Statement as _,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Instructions of SQLite's machine between two looks at the clock: well below a millisecond.
const LOOK_EVERY: i32 = 10_000;

/// What a query may take.
#[derive(Clone, Copy, Debug)]
pub struct SqlLimits {
    /// Rows; more are cut off, and said to be.
    pub rows: u32,
    /// Time; then the query is ended.
    pub time: Duration,
    /// Bytes of all values together; then the query is ended.
    pub bytes: usize,
}

impl Default for SqlLimits {
    fn default() -> SqlLimits {
        SqlLimits { rows: 10_000, time: Duration::from_secs(10), bytes: 64 << 20 }
    }
}

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// It is no query.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// SQLite refuses it.
    #[error("the query is refused: {0}")]
    Refused(String),
    /// It took too long.
    #[error(
        "the query was ended after {0} seconds; ask for less (a run, a game), or ask the file with sqlite3"
    )]
    TooLong(f64),
    /// It answered too much.
    #[error(
        "the query was ended after {0} bytes of answer; ask for less, or ask the file with sqlite3"
    )]
    TooMuch(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Ends the query of a caller that went away.
struct Given(Arc<AtomicBool>);

impl Drop for Given {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Store {
    /// Answers one `SELECT` (or `WITH`, `VALUES`, `EXPLAIN`). It cannot change anything, whatever it says.
    pub async fn query(&self, text: &str, limits: SqlLimits) -> Result<Table, SqlError> {
        let text = one_statement(text)?;
        let options =
            self.inner.reading.clone().pragma("query_only", "ON").pragma("temp_store", "MEMORY");
        let mut conn = options.connect().await.map_err(|e| self.error(e))?;
        let end = Instant::now() + limits.time;
        let left = Arc::new(AtomicBool::new(false));
        let _given = Given(Arc::clone(&left));
        let mut handle = conn.lock_handle().await.map_err(|e| self.error(e))?;
        handle.set_progress_handler(LOOK_EVERY, move || {
            Instant::now() < end && !left.load(Ordering::Relaxed)
        });
        drop(handle);
        let answer = self.read(&mut conn, text, limits).await;
        let late = Instant::now() >= end;
        // What was begun is ended by the handler as well: closing waits for nothing long.
        let _ = conn.close().await;
        match answer {
            Err(_) if late => Err(SqlError::TooLong(limits.time.as_secs_f64())),
            other => other,
        }
    }

    async fn read(
        &self,
        conn: &mut SqliteConnection,
        text: &str,
        limits: SqlLimits,
    ) -> Result<Table, SqlError> {
        let wrong = |error: sqlx::Error| match error {
            sqlx::Error::Database(error) => SqlError::Refused(error.message().to_owned()),
            other => SqlError::Store(self.error(other)),
        };
        // Names also where there is no row. What is wrong is found here already.
        let prepared = (&mut *conn).prepare(AssertSqlSafe(text.to_owned()).into_sql_str()).await;
        let prepared = prepared.map_err(wrong)?;
        let columns = prepared.columns().iter().map(|column| column.name().to_owned()).collect();
        let mut answer = table(&[], columns);
        let mut rows = (&mut *conn).fetch(sqlx::query(AssertSqlSafe(text.to_owned())));
        let mut bytes = 0;
        while let Some(row) = rows.try_next().await.map_err(wrong)? {
            if answer.rows.len() == limits.rows as usize {
                answer.truncated = true;
                break;
            }
            let left = limits.bytes.saturating_sub(bytes);
            let row = values_within(&row, left).ok_or(SqlError::TooMuch(limits.bytes))?;
            bytes += row.iter().map(|v| v.as_str().map_or(16, str::len)).sum::<usize>();
            if bytes > limits.bytes {
                return Err(SqlError::TooMuch(limits.bytes));
            }
            answer.rows.push(row);
        }
        Ok(answer)
    }
}
