//! Games: begun, ended, listed, and read one after another for an export.

use super::{
    Statement, Store, StoreError,
    names::{Named, uint32},
    plies::{insert_plies, rows},
};
use crate::{
    model::{
        BoardId, GameId, GameRecord, GameResult, GameState, NewGame, PlyRecord, RunId, Termination,
        unix_millis,
    },
    telemetry::GameFilter,
};
use serde_json::json;
use shakmaty::Color;
use sqlx::{AssertSqlSafe, QueryBuilder, Row, Sqlite, sqlite::SqliteRow};
use std::collections::VecDeque;

const COLUMNS: &str = "SELECT id, run_id, number, board_id, white, black, first_color, start_fen, opening, \
     started_at, state, result, termination, detail, ended_at, \
     coalesce(plies, (SELECT max(ply) FROM plies WHERE game_id = games.id), 0), nullif(eco, ''), tags FROM games";

/// The plies of a game that ends, counted.
const COUNT_PLIES: &str =
    "plies = (SELECT coalesce(max(ply), 0) FROM plies WHERE game_id = games.id)";

/// One transaction: the game and the plies of its opening. A game without its opening would be another one when it is resumed.
const BEGIN: &str = concat!(
    "BEGIN IMMEDIATE; \
    INSERT INTO games (run_id, number, board_id, white, black, first_color, start_fen, opening, started_at, board_identity, level) \
    SELECT ?1 ->> 'run', ?1 ->> 'number', ?1 ->> 'board', ?1 ->> 'white', ?1 ->> 'black', ?1 ->> 'first_color', \
    ?1 ->> 'start_fen', ?1 ->> 'opening', ?1 ->> 'started_at', \
    (SELECT nullif(identity, '{}') FROM boards WHERE id = ?1 ->> 'board'), \
    (SELECT level FROM runs WHERE id = ?1 ->> 'run' AND json_extract(settings, '$.first.boards') IS NOT NULL); ",
    insert_plies!(),
    "COMMIT; \
    SELECT id FROM games WHERE run_id = ?1 ->> 'run' AND number = ?1 ->> 'number'"
);

/// Games read at once by [`GamesWithPlies`]: enough that the lookups are few, little enough to hold.
const BATCH: u32 = 64;

/// The conditions of a filter, behind a first one. Only those that are asked for: "?1 IS NULL OR ..." would keep SQLite from its indexes.
fn push(filter: &GameFilter, sql: &mut QueryBuilder<Sqlite>) {
    let numbers = [
        (" AND run_id = ", filter.run.map(|r| r.0)),
        (" AND board_id = ", filter.board.map(|b| b.0)),
        (" AND started_at >= ", filter.since.map(|when| when.0)),
        (" AND started_at < ", filter.until.map(|when| when.0)),
        (" AND plies >= ", filter.min_plies.map(i64::from)),
        (" AND plies <= ", filter.max_plies.map(i64::from)),
    ];
    for (condition, number) in numbers {
        if let Some(number) = number {
            sql.push(condition).push_bind(number);
        }
    }
    let names = [
        (" AND state = ", filter.state.map(Named::name)),
        (" AND result = ", filter.result.map(Named::name)),
        (" AND termination = ", filter.termination.map(Named::name)),
    ];
    for (condition, name) in names {
        if let Some(name) = name {
            sql.push(condition).push_bind(name);
        }
    }
    if let Some(firmware) = &filter.firmware {
        sql.push(" AND firmware = ").push_bind(firmware.clone());
    }
    let texts = [
        ("coalesce(opening || ' ', '') || coalesce(eco, '')", &filter.opening),
        ("iif(first_color = 'white', black, white)", &filter.opponent),
    ];
    for (column, text) in texts {
        if let Some(text) = text {
            sql.push(format!(" AND {column} LIKE ")).push_bind(pattern(text)).push(" ESCAPE '\\'");
        }
    }
    if let Some(text) = &filter.text {
        sql.push(" AND (");
        for (n, column) in
            ["white", "black", "opening", "eco", "termination", "detail"].iter().enumerate()
        {
            sql.push(if n == 0 { "" } else { " OR " });
            sql.push(format!("{column} LIKE ")).push_bind(pattern(text)).push(" ESCAPE '\\'");
        }
        sql.push(" OR run_id IN (SELECT id FROM runs WHERE name LIKE ");
        sql.push_bind(pattern(text)).push(" ESCAPE '\\'))");
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
    /// Begins a game from its start position; see [`Store::begin_game`].
    pub async fn create_game(&self, game: &NewGame) -> Result<GameId, StoreError> {
        self.begin_game(game, &[]).await
    }

    /// Begins a game with the plies of its opening, all or nothing: one that is resumed has its whole opening behind it.
    pub async fn begin_game(
        &self,
        game: &NewGame,
        opening: &[PlyRecord],
    ) -> Result<GameId, StoreError> {
        let head = json!({
            "run": game.run_id.0,
            "number": game.number,
            "board": game.board_id.map(|board| board.0),
            "white": game.white,
            "black": game.black,
            "first_color": game.first_color.name(),
            "start_fen": game.start_fen,
            "opening": game.opening,
            "started_at": game.started_at,
        });
        let query = sqlx::query(BEGIN).bind(head.to_string()).bind(rows(opening));
        let inserted = self.write_rows(query).await;
        match inserted {
            Ok(found) => Ok(GameId(found.last().map_or(0, |row| row.get(0)))),
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

    /// Ends a game, once. Gives the name that its opening has by position, where it has one.
    pub async fn finish_game(
        &self,
        game: GameId,
        result: GameResult,
        termination: Termination,
        detail: Option<&str>,
    ) -> Result<Option<String>, StoreError> {
        let sql = format!(
            "UPDATE games SET state = 'finished', result = ?2, termination = ?3, detail = ?4, ended_at = ?5, \
             eco = ?6, {COUNT_PLIES} WHERE id = ?1 AND state = 'playing'"
        );
        let eco = self.eco(game).await?;
        let changed = self
            .write(
                sqlx::query(AssertSqlSafe(sql))
                    .bind(game.0)
                    .bind(result.name())
                    .bind(termination.name())
                    .bind(detail)
                    .bind(unix_millis())
                    .bind(&*eco),
            )
            .await?;
        if changed.rows_affected() == 0 {
            self.game(game).await?;
            return Err(StoreError::GameOver { game });
        }
        Ok((!eco.is_empty()).then_some(eco))
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

    /// Games, newest first: those older than one, at most so many.
    pub async fn games(
        &self,
        filter: &GameFilter,
        before: Option<GameId>,
        limit: Option<u32>,
    ) -> Result<Vec<GameRecord>, StoreError> {
        let mut sql = QueryBuilder::new(format!("{COLUMNS} WHERE id < "));
        sql.push_bind(before.map_or(i64::MAX, |g| g.0));
        push(filter, &mut sql);
        sql.push(" ORDER BY id DESC LIMIT ").push_bind(limit.map_or(-1, i64::from));
        self.game_rows(sql.build()).await
    }

    /// A run or a board that is not there is an error: no game is found by it.
    pub async fn check_subjects(&self, filter: &GameFilter) -> Result<(), StoreError> {
        if let Some(run) = filter.run {
            self.run(run).await?;
        }
        if let Some(board) = filter.board {
            self.board_identity(board).await?;
        }
        Ok(())
    }

    /// How many games there are.
    pub async fn count_games(&self, filter: &GameFilter) -> Result<u32, StoreError> {
        let mut sql = QueryBuilder::new("SELECT count(*) FROM games WHERE true");
        push(filter, &mut sql);
        let row = sql.build().fetch_one(&self.inner.readers).await.map_err(|e| self.error(e))?;
        Ok(uint32(row.get(0)))
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

    /// Reads games one after another, with their plies: by run, then by number; those that are over, where the filter does not say
    /// otherwise. Holds one batch of games and one game's plies in memory, and no transaction between two calls, so that an export of a
    /// week does not hold the log.
    #[must_use]
    pub fn games_with_plies(&self, filter: GameFilter) -> GamesWithPlies {
        let state = filter.state.or(Some(GameState::Finished));
        let filter = GameFilter { state, ..filter };
        GamesWithPlies { store: self.clone(), filter, after: (0, 0), batch: VecDeque::new() }
    }

    async fn game_rows(&self, query: Statement<'_>) -> Result<Vec<GameRecord>, StoreError> {
        let rows = query.fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        rows.iter().map(read_game).collect()
    }
}

/// See [`Store::games_with_plies`].
#[derive(Debug)]
pub struct GamesWithPlies {
    store: Store,
    filter: GameFilter,
    after: (i64, u32),
    batch: VecDeque<GameRecord>,
}

impl GamesWithPlies {
    /// The next game, `None` after the last.
    pub async fn next(&mut self) -> Result<Option<(GameRecord, Vec<PlyRecord>)>, StoreError> {
        if self.batch.is_empty() {
            let mut sql = QueryBuilder::new(format!("{COLUMNS} WHERE (run_id, number) > ("));
            sql.push_bind(self.after.0).push(", ").push_bind(self.after.1).push(")");
            push(&self.filter, &mut sql);
            sql.push(" ORDER BY run_id, number LIMIT ").push_bind(BATCH);
            self.batch = self.store.game_rows(sql.build()).await?.into();
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
        eco: row.get(16),
        tags: tags(row.get(17))?,
    })
}

fn tags(text: Option<&str>) -> Result<Vec<(String, String)>, StoreError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    serde_json::from_str(text)
        .map_err(|_| StoreError::Unreadable { column: "games.tags", value: text.to_owned() })
}
