//! What happened beside the moves: on links, and to games.

use super::{
    Store, StoreError,
    names::{Named, uint, uint32},
};
use crate::model::{BoardId, GameId, Incident, LinkEvent, LinkEventKind, Mover, RunId};
use sqlx::{Row, sqlite::SqliteRow};
use std::{collections::BTreeMap, ops::RangeInclusive};

/// Whose link events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkScope {
    /// A board's, over all its life.
    Board(BoardId),
    /// Those of all games of a run.
    Run(RunId),
    /// Those of a game.
    Game(GameId),
}

impl Store {
    /// Keeps link events of a board, and the game it played then: in one transaction, so collect some.
    pub async fn add_link_events(
        &self,
        board: BoardId,
        game: Option<GameId>,
        events: &[LinkEvent],
    ) -> Result<(), StoreError> {
        if events.is_empty() {
            return Ok(());
        }
        let rows: Vec<(i64, &str, &str)> =
            events.iter().map(|e| (e.at, e.kind.name(), &*e.detail)).collect();
        let json = serde_json::to_string(&rows).expect("numbers and texts are JSON");
        self.write(
            sqlx::query(
                "INSERT INTO link_events (board_id, game_id, at, kind, detail) \
                 SELECT ?1, ?2, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?3) ORDER BY key",
            )
            .bind(board.0)
            .bind(game.map(|g| g.0))
            .bind(json),
        )
        .await
        .map(drop)
    }

    /// How often each thing happened; what never did is absent. Kinds of a newer version are left out.
    pub async fn link_event_counts(
        &self,
        scope: LinkScope,
    ) -> Result<BTreeMap<LinkEventKind, u64>, StoreError> {
        let (sql, id) = match scope {
            LinkScope::Board(id) => {
                ("SELECT kind, count(*) FROM link_events WHERE board_id = ?1 GROUP BY kind", id.0)
            }
            LinkScope::Game(id) => {
                ("SELECT kind, count(*) FROM link_events WHERE game_id = ?1 GROUP BY kind", id.0)
            }
            LinkScope::Run(id) => (
                "SELECT kind, count(*) FROM link_events WHERE game_id IN (SELECT id FROM games WHERE run_id = ?1) \
                 GROUP BY kind",
                id.0,
            ),
        };
        let rows = sqlx::query(sql)
            .bind(id)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(rows
            .iter()
            .filter_map(|row| Some((LinkEventKind::of(row.get(0))?, uint(row.get(1)))))
            .collect())
    }

    /// The latest link events of a board, newest first. Events of a newer version's kinds are left out.
    pub async fn link_events(
        &self,
        board: BoardId,
        limit: u32,
    ) -> Result<Vec<(Option<GameId>, LinkEvent)>, StoreError> {
        let rows = sqlx::query(
            "SELECT game_id, at, kind, detail FROM link_events WHERE board_id = ?1 ORDER BY id DESC LIMIT ?2",
        )
        .bind(board.0)
        .bind(limit)
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        let game = |row: &SqliteRow| row.get::<Option<i64>, _>(0).map(GameId);
        Ok(rows.iter().filter_map(|row| Some((game(row), link_event(row)?))).collect())
    }

    /// The latest link events of a game, in order. Events of a newer version's kinds are left out.
    pub async fn game_link_events(
        &self,
        game: GameId,
        limit: u32,
    ) -> Result<Vec<LinkEvent>, StoreError> {
        let rows = sqlx::query(
            "SELECT game_id, at, kind, detail FROM link_events WHERE game_id = ?1 ORDER BY id DESC LIMIT ?2",
        )
        .bind(game.0)
        .bind(limit)
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        Ok(rows.iter().rev().filter_map(link_event).collect())
    }

    /// The link events of a board in a time (Unix milliseconds, both ends included), in order.
    pub async fn link_events_between(
        &self,
        board: BoardId,
        time: RangeInclusive<i64>,
    ) -> Result<Vec<LinkEvent>, StoreError> {
        let rows = sqlx::query(
            "SELECT game_id, at, kind, detail FROM link_events WHERE board_id = ?1 AND at BETWEEN ?2 AND ?3 ORDER BY id",
        )
        .bind(board.0)
        .bind(time.start())
        .bind(time.end())
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        Ok(rows.iter().filter_map(link_event).collect())
    }

    /// Keeps an incident.
    pub async fn add_incident(&self, game: GameId, incident: &Incident) -> Result<(), StoreError> {
        self.write(
            sqlx::query(
                "INSERT INTO incidents (game_id, at, ply, mover, kind, fen, detail) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )
            .bind(game.0)
            .bind(incident.at)
            .bind(incident.ply)
            .bind(incident.mover.map(Named::name))
            .bind(&*incident.kind)
            .bind(incident.fen.as_deref())
            .bind(&*incident.detail),
        )
        .await
        .map(drop)
    }

    /// The incidents of a game, in order.
    pub async fn incidents(&self, game: GameId) -> Result<Vec<Incident>, StoreError> {
        let rows = sqlx::query(
            "SELECT at, ply, mover, kind, fen, detail FROM incidents WHERE game_id = ?1 ORDER BY id",
        )
        .bind(game.0)
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        rows.iter()
            .map(|row| {
                Ok(Incident {
                    at: row.get(0),
                    ply: uint32(row.get(1)),
                    mover: row
                        .get::<Option<&str>, _>(2)
                        .map(|name| Mover::read("incidents.mover", name))
                        .transpose()?,
                    kind: row.get(3),
                    fen: row.get(4),
                    detail: row.get(5),
                })
            })
            .collect()
    }
}

fn link_event(row: &SqliteRow) -> Option<LinkEvent> {
    Some(LinkEvent { at: row.get(1), kind: LinkEventKind::of(row.get(2))?, detail: row.get(3) })
}
