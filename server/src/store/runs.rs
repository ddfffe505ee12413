//! Runs and their scores.

use super::{Store, StoreError, fingerprint, names::Named};
use crate::model::{RunId, RunRecord, RunSettings, RunState, unix_millis};
use sqlx::{Row, sqlite::SqliteRow};

/// A run's score from its first player's side. Only games that are over and have a result count as won, lost or drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games over, those without a result (aborted, interrupted) included.
    pub played: u32,
    /// Won by the first player.
    pub wins: u32,
    /// Lost by the first player.
    pub losses: u32,
    /// Drawn.
    pub draws: u32,
    /// Games 1 and 2, 3 and 4 and so on, by their points together: 0, 1/2, 1, 1 1/2, 2. Only those of which both have a result.
    pub pairs: [u32; 5],
}

/// An imported run is kept as finished: the schema's states are those of runs that are played.
const COLUMNS: &str = "SELECT id, settings, iif(source IS NULL, state, 'imported'), error, created_at, ended_at, stopping, place FROM runs";

impl Store {
    /// Creates a run, pending.
    pub async fn create_run(&self, settings: &RunSettings) -> Result<RunId, StoreError> {
        let json = fingerprint::canonical(settings);
        let rows = self
            .write_rows(
                sqlx::query(
                    "INSERT INTO runs (name, fingerprint, settings, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id",
                )
                .bind(settings.name.as_deref())
                .bind(fingerprint::fingerprint(&json))
                .bind(json)
                .bind(unix_millis()),
            )
            .await?;
        Ok(RunId(rows.first().map_or(0, |row| row.get(0))))
    }

    /// The latest run with equal settings that is not over, or failed: the one to go on with when the same command is given again.
    pub async fn find_unfinished_run(
        &self,
        settings: &RunSettings,
    ) -> Result<Option<RunRecord>, StoreError> {
        let print = fingerprint::fingerprint(&fingerprint::canonical(settings));
        let sql = format!(
            "{COLUMNS} WHERE fingerprint = ?1 AND state IN ('pending', 'running', 'paused', 'failed') \
             ORDER BY id DESC LIMIT 1"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(print);
        Ok(self.run_rows(rows).await?.pop())
    }

    /// Every run that is not over, oldest first.
    pub async fn unfinished_runs(&self) -> Result<Vec<RunRecord>, StoreError> {
        let sql = format!("{COLUMNS} WHERE state IN ('pending', 'running', 'paused') ORDER BY id");
        self.run_rows(sqlx::query(sqlx::AssertSqlSafe(sql))).await
    }

    /// Sets where a run stands, and why; a word that it stops is forgotten. The time of its end is kept with the first state that is an end.
    pub async fn set_run_state(
        &self,
        run: RunId,
        state: RunState,
        error: Option<&str>,
    ) -> Result<(), StoreError> {
        let over = state.is_over();
        let changed = self
            .write(
                sqlx::query(
                    "UPDATE runs SET state = ?2, stopping = 0, error = ?3, \
                     ended_at = CASE WHEN ?4 THEN coalesce(ended_at, ?5) END WHERE id = ?1",
                )
                .bind(run.0)
                .bind(state.name())
                .bind(error)
                .bind(over)
                .bind(unix_millis()),
            )
            .await?;
        if changed.rows_affected() == 0 {
            return Err(StoreError::NotFound { what: "run", id: run.0 });
        }
        Ok(())
    }

    /// Sets where a run stands that is not over, and whether it ends after the games that are being played; `false` where it is over,
    /// and stays so.
    pub async fn set_open_run_state(
        &self,
        run: RunId,
        state: RunState,
        stopping: bool,
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE runs SET state = ?2, stopping = ?3, error = NULL \
                   WHERE id = ?1 AND state IN ('pending', 'running', 'paused')";
        let query = sqlx::query(sql).bind(run.0).bind(state.name()).bind(stopping);
        let changed = self.write(query).await?;
        Ok(changed.rows_affected() > 0)
    }

    /// A run that waited has a board: it is played. One that was paused or is over stays so.
    pub async fn run_has_board(&self, run: RunId) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET state = 'running' WHERE id = ?1 AND state = 'pending'";
        self.write(sqlx::query(sql).bind(run.0)).await.map(drop)
    }

    /// Keeps a run's place among those that wait for boards.
    pub async fn set_run_place(&self, run: RunId, place: i64) -> Result<(), StoreError> {
        let sql = "UPDATE runs SET place = ?2 WHERE id = ?1";
        self.write(sqlx::query(sql).bind(run.0).bind(place)).await.map(drop)
    }

    /// A run.
    pub async fn run(&self, run: RunId) -> Result<RunRecord, StoreError> {
        let sql = format!("{COLUMNS} WHERE id = ?1");
        self.run_rows(sqlx::query(sqlx::AssertSqlSafe(sql)).bind(run.0))
            .await?
            .pop()
            .ok_or(StoreError::NotFound { what: "run", id: run.0 })
    }

    /// Runs, newest first, those before `before` where it is given.
    pub async fn runs(
        &self,
        limit: u32,
        before: Option<RunId>,
    ) -> Result<Vec<RunRecord>, StoreError> {
        let sql = format!("{COLUMNS} WHERE id < ?1 ORDER BY id DESC LIMIT ?2");
        let query = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(before.map_or(i64::MAX, |run| run.0))
            .bind(limit);
        self.run_rows(query).await
    }

    /// A run's score.
    pub async fn tally(&self, run: RunId) -> Result<Tally, StoreError> {
        let row = sqlx::query(
            "SELECT count(*), \
             count(*) FILTER (WHERE result = iif(first_color = 'white', '1-0', '0-1')), \
             count(*) FILTER (WHERE result = iif(first_color = 'white', '0-1', '1-0')), \
             count(*) FILTER (WHERE result = '1/2-1/2') \
             FROM games WHERE run_id = ?1 AND state = 'finished'",
        )
        .bind(run.0)
        .fetch_one(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        let mut pairs = [0; 5];
        let halves = sqlx::query(
            "SELECT halves, count(*) FROM (\
             SELECT sum(CASE result WHEN '1/2-1/2' THEN 1 \
             WHEN iif(first_color = 'white', '1-0', '0-1') THEN 2 ELSE 0 END) AS halves \
             FROM games WHERE run_id = ?1 AND state = 'finished' AND result <> '*' \
             GROUP BY (number + 1) / 2 HAVING count(*) = 2) GROUP BY halves",
        );
        let halves = halves.bind(run.0).fetch_all(&self.inner.readers).await;
        for row in halves.map_err(|e| self.error(e))? {
            let halves: u32 = row.get(0);
            pairs[halves as usize] = row.get(1);
        }
        let (played, wins, losses, draws) = (row.get(0), row.get(1), row.get(2), row.get(3));
        Ok(Tally { played, wins, losses, draws, pairs })
    }

    async fn run_rows(&self, query: super::Statement<'_>) -> Result<Vec<RunRecord>, StoreError> {
        let rows = query.fetch_all(&self.inner.readers).await.map_err(|e| self.error(e))?;
        rows.iter().map(read_run).collect()
    }
}

fn read_run(row: &SqliteRow) -> Result<RunRecord, StoreError> {
    let settings: &str = row.get(1);
    Ok(RunRecord {
        id: RunId(row.get(0)),
        settings: serde_json::from_str(settings).map_err(|error| StoreError::Unreadable {
            column: "runs.settings",
            value: format!("{settings} ({error})"),
        })?,
        state: RunState::read("runs.state", row.get(2))?,
        error: row.get(3),
        created_at: row.get(4),
        ended_at: row.get(5),
        stopping: row.get(6),
        place: row.get(7),
    })
}
