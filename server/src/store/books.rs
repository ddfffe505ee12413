//! Books that are kept, those that runs name, and games by the positions of their openings.

use super::{
    Store, StoreError,
    names::{Named, uint, uint32},
};
use crate::{
    api::{PassedGameView, PlayedMoveView},
    model::{BookForm, GameId, GameResult, KeptBook, RunId},
};
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use sqlx::{Row, sqlite::SqliteRow};
use std::path::PathBuf;

/// Plies of a game that can be asked for by position: those of the index.
pub const OPENING_PLIES: u32 = 60;
/// Games through a position that are counted: the latest, so that the start position of a large archive does not take seconds.
pub const COUNTED_GAMES: u32 = 20_000;

const BOOK: &str = "SELECT sha256, name, form, entries, size, at FROM books";

/// The games through the position `?1` (`?2` as a start position may be written), each at the first ply at which it stood there.
const PASSED: &str = "WITH passed (game_id, ply) AS ( \
    SELECT game_id, min(ply) FROM ( \
        SELECT game_id, ply FROM plies WHERE position = ?1 AND ply <= 60 \
        UNION ALL SELECT id, 0 FROM games WHERE start_position IN (?1, ?2)) \
    GROUP BY game_id ORDER BY game_id DESC LIMIT ?3)";

/// A book that a run's engine plays from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunBook {
    /// The first run that named it.
    pub run: RunId,
    /// Whether it is the first player's.
    pub first: bool,
    /// The file.
    pub path: PathBuf,
}

impl Store {
    /// Keeps a book's row; one that is there already gets the new name.
    pub async fn keep_book(&self, book: &KeptBook) -> Result<(), StoreError> {
        self.write(
            sqlx::query(
                "INSERT INTO books (sha256, name, form, entries, size, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) \
                 ON CONFLICT (sha256) DO UPDATE SET name = excluded.name",
            )
            .bind(&*book.sha256)
            .bind(&*book.name)
            .bind(book.form.name())
            .bind(book.entries)
            .bind(i64::try_from(book.size).unwrap_or(i64::MAX))
            .bind(book.at),
        )
        .await
        .map(drop)
    }

    /// All kept books, newest first.
    pub async fn books(&self) -> Result<Vec<KeptBook>, StoreError> {
        let sql = format!("{BOOK} ORDER BY at DESC, sha256");
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        rows.iter().map(read_book).collect()
    }

    /// A kept book, where there is one of this hash.
    pub async fn book(&self, sha256: &str) -> Result<Option<KeptBook>, StoreError> {
        let sql = format!("{BOOK} WHERE sha256 = ?1");
        let row = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(sha256)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        row.as_ref().map(read_book).transpose()
    }

    /// Forgets a book; `false` where there is none.
    pub async fn delete_book(&self, sha256: &str) -> Result<bool, StoreError> {
        let done =
            self.write(sqlx::query("DELETE FROM books WHERE sha256 = ?1").bind(sha256)).await?;
        Ok(done.rows_affected() > 0)
    }

    /// The books that the engines of runs play from, each file once, those of the latest runs first.
    pub async fn run_books(&self) -> Result<Vec<RunBook>, StoreError> {
        let rows = sqlx::query(
            "SELECT min(id), first, path FROM ( \
                SELECT id, 0 AS first, settings ->> '$.second.book.path' AS path FROM runs \
                UNION ALL SELECT id, 1, settings ->> '$.first.engine.book.path' FROM runs) \
             WHERE path IS NOT NULL GROUP BY path ORDER BY max(id) DESC, path",
        )
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        let read = |row: &SqliteRow| RunBook {
            run: RunId(row.get(0)),
            first: row.get(1),
            path: PathBuf::from(row.get::<String, _>(2)),
        };
        Ok(rows.iter().map(read).collect())
    }

    /// What was played in a position, and how it ended: the most played first. Of the latest [`COUNTED_GAMES`] that stood there within
    /// [`OPENING_PLIES`] plies.
    pub async fn played_at(&self, position: &Chess) -> Result<Vec<PlayedMoveView>, StoreError> {
        let sql = format!(
            "{PASSED} SELECT n.uci, n.san, count(*), total(g.result = '1-0'), total(g.result = '1/2-1/2'), total(g.result = '0-1') \
             FROM passed JOIN games AS g ON g.id = passed.game_id \
             LEFT JOIN plies AS n ON n.game_id = passed.game_id AND n.ply = passed.ply + 1 \
             GROUP BY n.uci ORDER BY n.uci IS NULL, count(*) DESC, n.uci"
        );
        let rows = self.passed(&sql, position, COUNTED_GAMES).await?;
        // A sum of comparisons is a whole number that `total` gives as a real one, so as to have one where there is no row.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let count = |row: &SqliteRow, n: usize| row.get::<f64, _>(n) as u32;
        let read = |row: &SqliteRow| PlayedMoveView {
            uci: row.get(0),
            san: row.get(1),
            games: uint32(row.get(2)),
            white: count(row, 3),
            draws: count(row, 4),
            black: count(row, 5),
        };
        Ok(rows.iter().map(read).collect())
    }

    /// The latest games that came through a position.
    pub async fn games_through(
        &self,
        position: &Chess,
        limit: u32,
    ) -> Result<Vec<PassedGameView>, StoreError> {
        let sql = format!(
            "{PASSED} SELECT g.id, g.run_id, passed.ply, g.white, g.black, g.result, n.san, g.ended_at \
             FROM passed JOIN games AS g ON g.id = passed.game_id \
             LEFT JOIN plies AS n ON n.game_id = passed.game_id AND n.ply = passed.ply + 1 \
             ORDER BY g.id DESC"
        );
        let rows = self.passed(&sql, position, limit).await?;
        rows.iter().map(read_passed).collect()
    }

    async fn passed(
        &self,
        sql: &str,
        position: &Chess,
        limit: u32,
    ) -> Result<Vec<SqliteRow>, StoreError> {
        sqlx::query(sqlx::AssertSqlSafe(sql.to_owned()))
            .bind(identity(position, EnPassantMode::Legal))
            .bind(identity(position, EnPassantMode::Always))
            .bind(limit)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))
    }
}

/// A FEN without its counters, as the schema's `position` is one.
fn identity(position: &Chess, en_passant: EnPassantMode) -> String {
    let fen = Fen::from_position(position, en_passant).to_string();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

fn read_book(row: &SqliteRow) -> Result<KeptBook, StoreError> {
    Ok(KeptBook {
        sha256: row.get(0),
        name: row.get(1),
        form: BookForm::read("books.form", row.get(2))?,
        entries: uint32(row.get(3)),
        size: uint(row.get(4)),
        at: row.get(5),
    })
}

fn read_passed(row: &SqliteRow) -> Result<PassedGameView, StoreError> {
    Ok(PassedGameView {
        game: GameId(row.get(0)),
        run: RunId(row.get(1)),
        ply: uint32(row.get(2)),
        white: row.get(3),
        black: row.get(4),
        result: GameResult::read("games.result", row.get(5))?,
        san: row.get(6),
        ended_at: row.get(7),
    })
}
