//! What the openings of games are called, by the positions that they went through.

use super::{Store, StoreError};
use crate::{
    model::{GameId, PlyRecord},
    openings::eco::{LONGEST, name_of_fen},
};
use sqlx::{Row, SqliteConnection};

/// As it is kept: empty where no position has a name.
pub(super) fn of_plies(plies: &[PlyRecord]) -> String {
    of_fens(plies.iter().rev().filter(|ply| ply.ply <= LONGEST).map(|ply| &*ply.fen))
}

/// Of positions from the last to the first.
fn of_fens<'a>(mut fens: impl Iterator<Item = &'a str>) -> String {
    fens.find_map(name_of_fen).map(|eco| eco.to_string()).unwrap_or_default()
}

const FENS: &str = "SELECT fen FROM plies WHERE game_id = ?1 AND ply <= ?2 ORDER BY ply DESC";

impl Store {
    /// Of a game's first plies.
    pub(super) async fn eco(&self, game: GameId) -> Result<String, StoreError> {
        let fens: Vec<String> = sqlx::query_scalar(FENS)
            .bind(game.0)
            .bind(LONGEST)
            .fetch_all(&self.inner.readers)
            .await
            .map_err(|e| self.error(e))?;
        Ok(of_fens(fens.iter().map(String::as_str)))
    }
}

/// Names the openings of games that ended when nobody looked. A database that is full or locked is none the worse without: the next to
/// open it tries again.
pub(super) async fn name_old_games(conn: &mut SqliteConnection) {
    if let Err(error) = name_all(conn).await {
        tracing::warn!("the openings of older games have no names yet: {error}");
        let _ = sqlx::query("ROLLBACK").execute(conn).await;
    }
}

/// In one transaction: thousands of games take a second.
async fn name_all(conn: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let games = "SELECT id FROM games WHERE eco IS NULL AND state = 'finished'";
    let games: Vec<i64> = sqlx::query_scalar(games).fetch_all(&mut *conn).await?;
    if games.is_empty() {
        return Ok(());
    }
    sqlx::query("BEGIN IMMEDIATE").execute(&mut *conn).await?;
    for game in games {
        let rows = sqlx::query(FENS).bind(game).bind(LONGEST).fetch_all(&mut *conn).await?;
        let name = of_fens(rows.iter().map(|row| row.get::<&str, _>(0)));
        let update = sqlx::query("UPDATE games SET eco = ?2 WHERE id = ?1");
        update.bind(game).bind(name).execute(&mut *conn).await?;
    }
    sqlx::query("COMMIT").execute(&mut *conn).await.map(drop)
}
