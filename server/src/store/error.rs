//! What can go wrong with the store, told apart by what somebody has to do about it.

use crate::model::{GameId, RunId};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Room below which a failed write is taken for a full disk, whatever name the failure has.
const NO_ROOM: u64 = 1 << 20;

/// Every error of the store.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Nothing was written; the same call succeeds once there is room.
    #[error("no room for '{}' ({cause}): nothing was lost or half written; make room on its disk (or start with a greater --db-max-mb), then it goes on", path.display())]
    Full {
        /// The database.
        path: PathBuf,
        /// As SQLite or the system words it.
        cause: String,
    },
    /// Another Rookery has the database.
    #[error("'{}' is in use by another rookery{}: stop that one, or give this one another --db", path.display(), holder.as_ref().map_or(String::new(), |pid| format!(" (process {pid})")))]
    Locked {
        /// The database.
        path: PathBuf,
        /// The process that holds it, where it could be read.
        holder: Option<u32>,
    },
    /// Another program writes to the database and does not let go.
    #[error("'{}' is being written by another program and stayed busy for {} s: close it (an sqlite3 shell with an open transaction?)", path.display(), super::BUSY_SECONDS)]
    Busy {
        /// The database.
        path: PathBuf,
    },
    /// No SQLite database.
    #[error("'{}' is not an SQLite database: give another --db, or move the file away", path.display())]
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// An SQLite database of something else.
    #[error("'{}' is a database of another program: give another --db", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// SQLite found the file damaged.
    #[error("'{}' is damaged ({cause}): copy it, then try `sqlite3 FILE .recover`, or restore a copy", path.display())]
    Corrupt {
        /// The database.
        path: PathBuf,
        /// As SQLite words it.
        cause: String,
    },
    /// Written by a later version of Rookery.
    #[error("'{}' has schema version {found}, this rookery knows {known} at most: use a newer rookery", path.display())]
    TooNew {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The latest version known here.
        known: i64,
    },
    /// Written by an earlier version, and opened for reading only, so that it cannot be brought up to date.
    #[error("'{}' has schema version {found} and must be brought to {known} first: open it once with `rookery serve` or `rookery run`", path.display())]
    TooOld {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The version needed.
        known: i64,
    },
    /// There is no such file.
    #[error("there is no database '{}'", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written, or the store was opened for reading only.
    #[error("'{}' cannot be written: {cause}", path.display())]
    ReadOnly {
        /// The database.
        path: PathBuf,
        /// Why.
        cause: String,
    },
    /// The system refused.
    #[error("cannot {doing} '{}': {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried: a verb.
        doing: &'static str,
        /// The system's answer.
        source: io::Error,
    },
    /// A migration failed.
    #[error("cannot bring '{}' to schema version {known}: {source}", path.display())]
    Migration {
        /// The database.
        path: PathBuf,
        /// The version wanted.
        known: i64,
        /// Why.
        source: Box<sqlx::migrate::MigrateError>,
    },
    /// No such row.
    #[error("there is no {what} {id}")]
    NotFound {
        /// `run`, `game` or `board`.
        what: &'static str,
        /// Its number.
        id: i64,
    },
    /// The run already has a game with that number.
    #[error("run {run} already has a game {number}")]
    GameExists {
        /// The run.
        run: RunId,
        /// The game's number within it.
        number: u32,
    },
    /// A ply that is not the one that follows the last.
    #[error("ply {ply} of game {game} does not follow ply {last}, the last that is stored")]
    OutOfOrder {
        /// The game.
        game: GameId,
        /// The ply offered.
        ply: u32,
        /// The last ply stored; 0: none.
        last: u32,
    },
    /// The game is over and does not change any more.
    #[error("game {game} is over: it does not change any more")]
    GameOver {
        /// The game.
        game: GameId,
    },
    /// A row holds something this version does not know.
    #[error(
        "{column} holds {value:?}, which this rookery does not know: was it written by a newer one, or by hand?"
    )]
    Unreadable {
        /// `table.column`
        column: &'static str,
        /// What stands there.
        value: String,
    },
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// Anything else.
    #[error("'{}': {source}", path.display())]
    Sql {
        /// The database.
        path: PathBuf,
        /// What sqlx says.
        source: Box<sqlx::Error>,
    },
}

impl StoreError {
    /// Whether there is no room: pause, raise an alarm, and try the same call again later.
    #[must_use]
    pub fn is_full(&self) -> bool {
        matches!(self, StoreError::Full { .. })
    }

    /// Whether trying the same call again later may help.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        matches!(self, StoreError::Full { .. } | StoreError::Busy { .. })
    }

    /// Names an error of sqlx. `path` is the database, whose disk is asked for room where a write failed for an unnamed reason.
    pub(super) fn from_sqlx(path: &Path, error: sqlx::Error) -> StoreError {
        let path = path.to_owned();
        let code = match &error {
            sqlx::Error::Database(e) => e.code().and_then(|c| c.parse::<i32>().ok()).unwrap_or(0),
            sqlx::Error::Io(e) if e.kind() == io::ErrorKind::StorageFull => FULL,
            sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => return StoreError::Closed,
            sqlx::Error::PoolTimedOut => BUSY,
            _ => 0,
        };
        let cause = match &error {
            sqlx::Error::Database(e) => e.message().to_owned(),
            other => other.to_string(),
        };
        // The low byte is the kind; the rest says where.
        match code & 0xff {
            FULL => StoreError::Full { path, cause },
            IOERR | CANTOPEN if !has_room(&path) => StoreError::Full { path, cause },
            BUSY | LOCKED => StoreError::Busy { path },
            READONLY => StoreError::ReadOnly { path, cause },
            CORRUPT => StoreError::Corrupt { path, cause },
            NOTADB => StoreError::NotADatabase { path },
            _ => StoreError::Sql { path, source: Box::new(error) },
        }
    }

    pub(super) fn from_io(path: &Path, doing: &'static str, source: io::Error) -> StoreError {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                StoreError::Full { path, cause: source.to_string() }
            }
            _ => StoreError::Io { path, doing, source },
        }
    }

    /// Whether a constraint or a trigger of the schema refused.
    pub(super) fn is_constraint(&self) -> bool {
        let StoreError::Sql { source, .. } = self else {
            return false;
        };
        let sqlx::Error::Database(e) = &**source else {
            return false;
        };
        e.code().and_then(|c| c.parse::<i32>().ok()).is_some_and(|c| c & 0xff == CONSTRAINT)
    }
}

// SQLite's result codes.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const READONLY: i32 = 8;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const CONSTRAINT: i32 = 19;
const NOTADB: i32 = 26;

/// SQLite says "disk I/O error" where it cannot enlarge its shared memory file or sync: the disk itself is asked then.
fn has_room(path: &Path) -> bool {
    let folder = super::open::folder_of(path);
    match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail.saturating_mul(stat.f_frsize) >= NO_ROOM,
        Err(_) => true,
    }
}
