//! Runs and games that were played elsewhere: added whole, never resumed.

use super::{
    Store, StoreError, eco, fingerprint,
    names::{Named, int, split_score},
    plies::{insert_plies, rows},
};
use crate::model::{
    GameId, GameResult, IterationRecord, NewGame, PlyRecord, RunId, RunSettings, Termination,
    unix_millis,
};
use serde_json::{Value, json};
use sqlx::Row;

/// All or nothing: the game, its plies, its iterations, its end. `last_insert_rowid()` is the game: nothing else here has a rowid.
/// Three parameters, all JSON, each statement with the next or the first: sqlx counts numbers that a statement leaves out.
const ADD: &str = concat!(
    "BEGIN IMMEDIATE; \
    INSERT INTO games (run_id, number, white, black, first_color, start_fen, opening, eco, started_at, board_identity, level, digest, tags) \
    SELECT ?1 ->> 'run', coalesce(max(number), 0) + 1, ?1 ->> 'white', ?1 ->> 'black', ?1 ->> 'first_color', ?1 ->> 'start_fen', \
    ?1 ->> 'opening', ?1 ->> 'eco', ?1 ->> 'started_at', ?1 ->> 'board_identity', ?1 ->> 'level', ?1 ->> 'digest', ?1 -> 'tags' \
    FROM games WHERE run_id = ?1 ->> 'run'; \
    ",
    insert_plies!(),
    "INSERT INTO iterations (game_id, ply, n, think_index, mover, depth, nodes, score_raw, score_cp, score_mate, ms, pv) \
    SELECT last_insert_rowid(), value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, \
    value ->> 8, value ->> 9, value ->> 10 FROM json_each(?3) ORDER BY key; \
    UPDATE games SET state = 'finished', result = ?1 ->> 'result', termination = ?1 ->> 'termination', detail = ?1 ->> 'detail', \
    ended_at = ?1 ->> 'ended_at', plies = ?1 ->> 'plies' WHERE id = last_insert_rowid(); \
    COMMIT; \
    SELECT id FROM games WHERE digest = ?1 ->> 'digest'",
);

/// A game that was played elsewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedGame {
    /// How it began; its `number` is given when it is added.
    pub game: NewGame,
    /// The firmware of its board, where it is known.
    pub firmware: Option<String>,
    /// The board's node budget, where it is known.
    pub level: Option<u32>,
    /// What the game is known again by: equal for the same game, different for any other.
    pub digest: String,
    /// What its file says of it: names and values.
    pub tags: Vec<(String, String)>,
    /// Its plies, 1 and so on.
    pub plies: Vec<PlyRecord>,
    /// The iterations of its thinks, in the order of their plies.
    pub iterations: Vec<IterationRecord>,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// More words.
    pub detail: Option<String>,
    /// Unix milliseconds.
    pub ended_at: i64,
}

impl Store {
    /// The imported run of that name, created where there is none. It is over from the beginning.
    pub async fn imported_run(
        &self,
        settings: &RunSettings,
        source: &str,
    ) -> Result<RunId, StoreError> {
        let json = fingerprint::canonical(settings);
        let known = sqlx::query("SELECT id FROM runs WHERE source IS NOT NULL AND name = ?1")
            .bind(settings.name.as_deref())
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        if let Some(row) = known {
            return Ok(RunId(row.get(0)));
        }
        let rows = self
            .write_rows(
                sqlx::query(
                    "INSERT INTO runs (name, fingerprint, settings, state, source, created_at, ended_at) \
                     VALUES (?1, ?2, ?3, 'finished', ?4, ?5, ?5) RETURNING id",
                )
                .bind(settings.name.as_deref())
                .bind(fingerprint::fingerprint(&json))
                .bind(json)
                .bind(source)
                .bind(unix_millis()),
            )
            .await?;
        Ok(RunId(rows.first().map_or(0, |row| row.get(0))))
    }

    /// Keeps how many games an imported run has, and where the latest came from.
    pub async fn imported(&self, run: RunId, source: &str) -> Result<(), StoreError> {
        self.write(
            sqlx::query(
                "UPDATE runs SET source = ?2, settings = json_set(settings, '$.games', \
                 (SELECT count(*) FROM games WHERE run_id = ?1)) WHERE id = ?1 AND source IS NOT NULL",
            )
            .bind(run.0)
            .bind(source),
        )
        .await
        .map(drop)
    }

    /// The game with that digest.
    pub async fn game_by_digest(&self, digest: &str) -> Result<Option<GameId>, StoreError> {
        let id: Option<i64> = sqlx::query_scalar("SELECT id FROM games WHERE digest = ?1")
            .bind(digest)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(id.map(GameId))
    }

    /// Adds a game with everything about it. On an error nothing of it is there.
    pub async fn import_game(&self, imported: &ImportedGame) -> Result<GameId, StoreError> {
        let game = &imported.game;
        let identity =
            imported.firmware.as_ref().map(|firmware| json!({"fw": firmware}).to_string());
        let head = json!({
            "run": game.run_id.0,
            "white": game.white,
            "black": game.black,
            "first_color": game.first_color.name(),
            "start_fen": game.start_fen,
            "opening": game.opening,
            "eco": eco::of_plies(&imported.plies),
            "started_at": game.started_at,
            "board_identity": identity,
            "level": imported.level,
            "digest": imported.digest,
            "tags": imported.tags,
            "result": imported.result.name(),
            "termination": imported.termination.name(),
            "detail": imported.detail,
            "ended_at": imported.ended_at,
            "plies": imported.plies.len(),
        });
        let query = sqlx::query(ADD)
            .bind(head.to_string())
            .bind(rows(&imported.plies))
            .bind(array(iterations(&imported.iterations)));
        let found = self.write_rows(query).await?;
        Ok(GameId(found.last().map_or(0, |row| row.get(0))))
    }
}

fn array(rows: impl Iterator<Item = Value>) -> String {
    Value::Array(rows.collect()).to_string()
}

fn iterations(all: &[IterationRecord]) -> impl Iterator<Item = Value> + '_ {
    let (mut last, mut n) = (0, 0);
    all.iter().map(move |it| {
        n = if it.ply == last { n + 1 } else { 0 };
        last = it.ply;
        let (cp, mate) = split_score(it.score);
        json!([
            it.ply,
            n,
            it.index,
            it.mover.name(),
            it.depth,
            int(it.nodes),
            it.score_raw,
            cp,
            mate,
            it.ms.map(int),
            it.pv
        ])
    })
}
