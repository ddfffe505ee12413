//! Boards.

use super::{Store, StoreError};
use crate::model::{BoardId, GameId, unix_millis};
use sqlx::Row;
use std::collections::BTreeMap;

impl Store {
    /// The board with that URL, created if it is new; its name is brought up to date.
    pub async fn upsert_board(&self, name: &str, url: &str) -> Result<BoardId, StoreError> {
        let rows = self
            .write_rows(
                sqlx::query(
                    "INSERT INTO boards (name, url, first_seen, last_seen) VALUES (?1, ?2, ?3, ?3) \
                     ON CONFLICT (url) DO UPDATE SET name = excluded.name RETURNING id",
                )
                .bind(name)
                .bind(url)
                .bind(unix_millis()),
            )
            .await?;
        Ok(BoardId(rows.first().map_or(0, |row| row.get(0))))
    }

    /// Keeps what a board says of itself, for the board and for the game it plays.
    pub async fn set_board_identity(
        &self,
        board: BoardId,
        identity: &BTreeMap<String, String>,
    ) -> Result<(), StoreError> {
        let json = serde_json::to_string(identity).expect("a map of texts is JSON");
        let known = self
            .write_rows(
                sqlx::query(
                    "BEGIN IMMEDIATE; \
                     UPDATE games SET board_identity = ?2 WHERE board_id = ?1 AND state = 'playing'; \
                     UPDATE boards SET identity = ?2, last_seen = ?3 WHERE id = ?1 RETURNING id; \
                     COMMIT",
                )
                .bind(board.0)
                .bind(json)
                .bind(unix_millis()),
            )
            .await?;
        if known.is_empty() {
            return Err(StoreError::NotFound { what: "board", id: board.0 });
        }
        Ok(())
    }

    /// What the board last said of itself; empty before the first contact.
    pub async fn board_identity(
        &self,
        board: BoardId,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let json: Option<String> = sqlx::query_scalar("SELECT identity FROM boards WHERE id = ?1")
            .bind(board.0)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        let json = json.ok_or(StoreError::NotFound { what: "board", id: board.0 })?;
        serde_json::from_str(&json)
            .map_err(|_| StoreError::Unreadable { column: "boards.identity", value: json })
    }

    /// What the board said of itself when a game began; empty for a game of two engines.
    pub async fn game_board_identity(
        &self,
        game: GameId,
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let json: Option<Option<String>> =
            sqlx::query_scalar("SELECT board_identity FROM games WHERE id = ?1")
                .bind(game.0)
                .fetch_optional(&self.inner.readers)
                .await
                .map_err(|e| self.error(e))?;
        let json = json.ok_or(StoreError::NotFound { what: "game", id: game.0 })?;
        let Some(json) = json else { return Ok(BTreeMap::new()) };
        serde_json::from_str(&json)
            .map_err(|_| StoreError::Unreadable { column: "games.board_identity", value: json })
    }

    /// Whether the board of a game had a level of its own (`level=board` in what was known of it then).
    pub async fn had_own_level(&self, game: GameId) -> Result<bool, StoreError> {
        let query =
            "SELECT json_extract(board_identity, '$.level') IS 'board' FROM games WHERE id = ?1";
        let own: Option<bool> = sqlx::query_scalar(query)
            .bind(game.0)
            .fetch_optional(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(own.unwrap_or(false))
    }
}
