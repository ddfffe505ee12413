//! Games: begun, ended, listed, and read one after another for an export.

use super::{
    Statement, Store, StoreError,
    names::{Named, uint32},
};
use crate::model::{
    BoardId, GameId, GameRecord, GameResult, GameState, NewGame, PlyRecord, RunId, Termination,
    unix_millis,
};
use shakmaty::Color;
use sqlx::{AssertSqlSafe, QueryBuilder, Row, Sqlite, sqlite::SqliteRow};
use std::collections::VecDeque;

const COLUMNS: &str = "SELECT id, run_id, number, board_id, white, black, first_color, start_fen, opening, \
     started_at, state, result, termination, detail, ended_at, \
     coalesce(plies, (SELECT max(ply) FROM plies WHERE game_id = games.id), 0), tags FROM games";

/// The plies of a game that ends, counted.
const COUNT_PLIES: &str =
    "plies = (SELECT coalesce(max(ply), 0) FROM plies WHERE game_id = games.id)";

/// Games read at once by [`FinishedGames`]: enough that the lookups are few, little enough to hold.
const BATCH: u32 = 64;

/// Which games. What is given must all hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Of one run.
    pub run: Option<RunId>,
    /// Of one board.
    pub board: Option<BoardId>,
    /// Being played, or over.
    pub state: Option<GameState>,
    /// With this result.
    pub result: Option<GameResult>,
    /// That ended so.
    pub termination: Option<Termination>,
    /// Whose opening's name has this text in it.
    pub opening: Option<String>,
    /// That have this text in a player's name, the opening's, the run's, or in the words about their end.
    pub text: Option<String>,
    /// Begun at this time (Unix milliseconds) or later.
    pub since: Option<i64>,
    /// Begun before this time.
    pub until: Option<i64>,
    /// Over, with this many plies or more.
    pub min_plies: Option<u32>,
    /// Over, with this many plies or fewer.
    pub max_plies: Option<u32>,
    /// Older than this one: the cursor of the next page.
    pub before: Option<GameId>,
    /// At most so many.
    pub limit: Option<u32>,
}

impl GameFilter {
    /// Only the conditions that are asked for: "?1 IS NULL OR ..." would keep SQLite from its indexes.
    fn sql(&self) -> QueryBuilder<Sqlite> {
        let mut sql = QueryBuilder::new(format!("{COLUMNS} WHERE id < "));
        sql.push_bind(self.before.map_or(i64::MAX, |g| g.0));
        let numbers = [
            (" AND run_id = ", self.run.map(|r| r.0)),
            (" AND board_id = ", self.board.map(|b| b.0)),
            (" AND started_at >= ", self.since),
            (" AND started_at < ", self.until),
            (" AND plies >= ", self.min_plies.map(i64::from)),
            (" AND plies <= ", self.max_plies.map(i64::from)),
        ];
        for (condition, number) in numbers {
            if let Some(number) = number {
                sql.push(condition).push_bind(number);
            }
        }
        let names = [
            (" AND state = ", self.state.map(Named::name)),
            (" AND result = ", self.result.map(Named::name)),
            (" AND termination = ", self.termination.map(Named::name)),
        ];
        for (condition, name) in names {
            if let Some(name) = name {
                sql.push(condition).push_bind(name);
            }
        }
        if let Some(opening) = &self.opening {
            sql.push(" AND opening LIKE ").push_bind(pattern(opening)).push(" ESCAPE '\\'");
        }
        if let Some(text) = &self.text {
            sql.push(" AND (");
            for (n, column) in
                ["white", "black", "opening", "termination", "detail"].iter().enumerate()
            {
                sql.push(if n == 0 { "" } else { " OR " });
                sql.push(format!("{column} LIKE ")).push_bind(pattern(text)).push(" ESCAPE '\\'");
            }
            sql.push(" OR run_id IN (SELECT id FROM runs WHERE name LIKE ");
            sql.push_bind(pattern(text)).push(" ESCAPE '\\'))");
        }
        sql.push(" ORDER BY id DESC LIMIT ").push_bind(self.limit.map_or(-1, i64::from));
        sql
    }
}

/// A text anywhere in another, whatever characters it has; `LIKE` takes small and capital letters of ASCII for the same.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

impl Store {
    /// Begins a game.
    pub async fn create_game(&self, game: &NewGame) -> Result<GameId, StoreError> {
        let inserted = self
            .write_rows(
                sqlx::query(
                    "INSERT INTO games (run_id, number, board_id, white, black, first_color, start_fen, opening, \
                     started_at, board_identity, level) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \
                     (SELECT nullif(identity, '{}') FROM boards WHERE id = ?3), \
                     (SELECT level FROM runs WHERE id = ?1 AND json_extract(settings, '$.first.boards') IS NOT NULL)) \
                     RETURNING id",
                )
                .bind(game.run_id.0)
                .bind(game.number)
                .bind(game.board_id.map(|b| b.0))
                .bind(&*game.white)
                .bind(&*game.black)
                .bind(game.first_color.name())
                .bind(&*game.start_fen)
                .bind(game.opening.as_deref())
                .bind(game.started_at),
            )
            .await;
        match inserted {
            Ok(rows) => Ok(GameId(rows.first().map_or(0, |row| row.get(0)))),
            Err(error) if error.is_constraint() => {
                self.run(game.run_id).await?;
                if let Some(board) = game.board_id {
                    self.board_identity(board).await?;
                }
                let taken = sqlx::query("SELECT 1 FROM games WHERE run_id = ?1 AND number = ?2")
                    .bind(game.run_id.0)
                    .bind(game.number)
                    .fetch_optional(&self.inner.readers)
                    .await;
                Err(match taken {
                    Ok(Some(_)) => StoreError::GameExists { run: game.run_id, number: game.number },
                    _ => error,
                })
            }
            Err(error) => Err(error),
        }
    }

    /// Ends a game, once.
    pub async fn finish_game(
        &self,
        game: GameId,
        result: GameResult,
        termination: Termination,
        detail: Option<&str>,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "UPDATE games SET state = 'finished', result = ?2, termination = ?3, detail = ?4, ended_at = ?5, \
             {COUNT_PLIES} WHERE id = ?1 AND state = 'playing'"
        );
        let changed = self
            .write(
                sqlx::query(AssertSqlSafe(sql))
                    .bind(game.0)
                    .bind(result.name())
                    .bind(termination.name())
                    .bind(detail)
                    .bind(unix_millis()),
            )
            .await?;
        if changed.rows_affected() == 0 {
            self.game(game).await?;
            return Err(StoreError::GameOver { game });
        }
        Ok(())
    }

    /// Closes every game that is being played (of one run, or of all) as interrupted, instead of resuming it.
    pub async fn close_interrupted(&self, run: Option<RunId>) -> Result<Vec<GameId>, StoreError> {
        let sql = format!(
            "UPDATE games SET state = 'finished', result = '*', termination = ?2, ended_at = ?3, {COUNT_PLIES} \
             WHERE state = 'playing' AND (?1 IS NULL OR run_id = ?1) RETURNING id"
        );
        let rows = self
            .write_rows(
                sqlx::query(AssertSqlSafe(sql))
                    .bind(run.map(|r| r.0))
                    .bind(Termination::Interrupted.name())
                    .bind(unix_millis()),
            )
            .await?;
        Ok(rows.iter().map(|row| GameId(row.get(0))).collect())
    }

    /// The games of a run that are being played, by number.
    pub async fn unfinished_games(&self, run: RunId) -> Result<Vec<GameRecord>, StoreError> {
        let sql = format!("{COLUMNS} WHERE run_id = ?1 AND state = 'playing' ORDER BY number");
        self.game_rows(sqlx::query(AssertSqlSafe(sql)).bind(run.0)).await
    }

    /// A game.
    pub async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        let sql = format!("{COLUMNS} WHERE id = ?1");
        self.game_rows(sqlx::query(AssertSqlSafe(sql)).bind(game.0))
            .await?
            .pop()
            .ok_or(StoreError::NotFound { what: "game", id: game.0 })
    }

    /// Games, newest first.
    pub async fn games(&self, filter: &GameFilter) -> Result<Vec<GameRecord>, StoreError> {
        let mut sql = filter.sql();
        let rows = sql.build().fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        rows.iter().map(read_game).collect()
    }

    /// The numbers that a run's games have so far, and whether each is over: what is left to play follows from it.
    pub async fn game_numbers(&self, run: RunId) -> Result<Vec<(u32, GameState)>, StoreError> {
        let rows = sqlx::query("SELECT number, state FROM games WHERE run_id = ?1 ORDER BY number")
            .bind(run.0)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        rows.iter()
            .map(|row| Ok((uint32(row.get(0)), GameState::read("games.state", row.get(1))?)))
            .collect()
    }

    /// The games that are over (of one run, or of all), in the order in which they ended.
    pub async fn finished_ids(&self, run: Option<RunId>) -> Result<Vec<GameId>, StoreError> {
        let sql = match run {
            Some(_) => {
                "SELECT id FROM games WHERE state = 'finished' AND run_id = ?1 ORDER BY ended_at, id"
            }
            None => "SELECT id FROM games WHERE state = 'finished' ORDER BY ended_at, id",
        };
        let rows = sqlx::query(sql)
            .bind(run.map(|r| r.0))
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(rows.iter().map(|row| GameId(row.get(0))).collect())
    }

    /// Reads the games that are over one after another, with their plies: by run, then by number. Holds one batch of games and one
    /// game's plies in memory, and no transaction between two calls, so that an export of a week does not hold the log.
    #[must_use]
    pub fn finished_games(&self, run: Option<RunId>) -> FinishedGames {
        FinishedGames { store: self.clone(), run, after: (0, 0), batch: VecDeque::new() }
    }

    async fn game_rows(&self, query: Statement<'_>) -> Result<Vec<GameRecord>, StoreError> {
        let rows = query.fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        rows.iter().map(read_game).collect()
    }
}

/// See [`Store::finished_games`].
#[derive(Debug)]
pub struct FinishedGames {
    store: Store,
    run: Option<RunId>,
    after: (i64, u32),
    batch: VecDeque<GameRecord>,
}

impl FinishedGames {
    /// The next game, `None` after the last.
    pub async fn next(&mut self) -> Result<Option<(GameRecord, Vec<PlyRecord>)>, StoreError> {
        if self.batch.is_empty() {
            let of_run = if self.run.is_some() { "run_id = ?4 AND" } else { "" };
            let sql = format!(
                "{COLUMNS} WHERE {of_run} state = 'finished' AND (run_id, number) > (?1, ?2) \
                 ORDER BY run_id, number LIMIT ?3"
            );
            let query = sqlx::query(AssertSqlSafe(sql))
                .bind(self.after.0)
                .bind(self.after.1)
                .bind(BATCH)
                .bind(self.run.map(|r| r.0));
            self.batch = self.store.game_rows(query).await?.into();
        }
        let Some(game) = self.batch.pop_front() else {
            return Ok(None);
        };
        let plies = self.store.plies(game.id).await?;
        self.after = (game.game.run_id.0, game.game.number);
        Ok(Some((game, plies)))
    }
}

fn read_game(row: &SqliteRow) -> Result<GameRecord, StoreError> {
    let termination: Option<&str> = row.get(12);
    Ok(GameRecord {
        id: GameId(row.get(0)),
        game: NewGame {
            run_id: RunId(row.get(1)),
            number: uint32(row.get(2)),
            board_id: row.get::<Option<i64>, _>(3).map(BoardId),
            white: row.get(4),
            black: row.get(5),
            first_color: Color::read("games.first_color", row.get(6))?,
            start_fen: row.get(7),
            opening: row.get(8),
            started_at: row.get(9),
        },
        state: GameState::read("games.state", row.get(10))?,
        result: GameResult::read("games.result", row.get(11))?,
        termination: termination
            .map(|name| Termination::read("games.termination", name))
            .transpose()?,
        detail: row.get(13),
        ended_at: row.get(14),
        plies: uint32(row.get(15)),
        tags: tags(row.get(16))?,
    })
}

fn tags(text: Option<&str>) -> Result<Vec<(String, String)>, StoreError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    serde_json::from_str(text)
        .map_err(|_| StoreError::Unreadable { column: "games.tags", value: text.to_owned() })
}
