//! Plies and the iterations behind them: the path that every move takes to the disk.

use super::{
    Store, StoreError,
    names::{Named, int, join_score, split_score, uint, uint32},
};
use crate::model::{GameId, GameState, IterationRecord, Mover, PlyRecord};
use serde::Serialize;
use serde_json::{Value, json};
use sqlx::{Row, sqlite::SqliteRow};

/// One transaction in one text: one trip to SQLite's thread, each statement prepared once. The iterations travel as one JSON
/// parameter, however many they are.
const APPEND: &str = "BEGIN IMMEDIATE; \
    INSERT INTO plies (game_id, ply, uci, san, fen, mover, clock_ms, nodes, depth, score_raw, score_cp, score_mate, \
    host_us, board_ms, book, retransmissions, white_material, black_material, pv, at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20); \
    INSERT INTO iterations (game_id, ply, n, think_index, mover, depth, nodes, score_raw, score_cp, score_mate, ms, pv) \
    SELECT ?1, ?2, key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
    value ->> 7, value ->> 8 FROM json_each(?21); \
    COMMIT";

/// The same without iterations: opening and book moves, forced replies.
const APPEND_ALONE: &str = "INSERT INTO plies (game_id, ply, uci, san, fen, mover, clock_ms, nodes, depth, score_raw, \
    score_cp, score_mate, host_us, board_ms, book, retransmissions, white_material, black_material, pv, at) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20)";

/// Plies of the game that was inserted last, from the JSON parameter `?2` that [`rows`] makes. `last_insert_rowid()` is the game as
/// long as nothing with a rowid was inserted since.
macro_rules! insert_plies {
    () => {
        "INSERT INTO plies (game_id, ply, uci, san, fen, mover, clock_ms, nodes, depth, score_raw, score_cp, score_mate, host_us, \
         board_ms, book, retransmissions, white_material, black_material, pv, at) \
         SELECT last_insert_rowid(), value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, \
         value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, \
         value ->> 15, value ->> 16, value ->> 17, value ->> 18 FROM json_each(?2) ORDER BY key; "
    };
}
pub(super) use insert_plies;

/// Plies as the JSON array that [`insert_plies`] takes apart.
pub(super) fn rows(plies: &[PlyRecord]) -> String {
    let row = |ply: &PlyRecord| {
        let (cp, mate) = split_score(ply.score);
        let (white, black) = material(&ply.fen);
        json!([
            ply.ply,
            ply.uci,
            ply.san,
            ply.fen,
            ply.mover.name(),
            ply.clock_ms.map(int),
            ply.nodes.map(int),
            ply.depth,
            ply.score_raw,
            cp,
            mate,
            ply.host_us.map(int),
            ply.board_ms.map(int),
            i32::from(ply.book),
            ply.retransmissions,
            white,
            black,
            ply.pv,
            ply.at
        ])
    };
    Value::Array(plies.iter().map(row).collect()).to_string()
}

/// An iteration as the JSON array that [`APPEND`] takes apart.
#[derive(Serialize)]
struct IterationRow<'a>(
    u32,
    &'static str,
    u32,
    i64,
    i32,
    Option<i32>,
    Option<i32>,
    Option<i64>,
    &'a str,
);

impl Store {
    /// Adds the next ply of a game with the iterations of its think. On return it is on the disk; on an error nothing is.
    ///
    /// Only the ply after the last stored is taken ([`StoreError::OutOfOrder`]), only while the game is played
    /// ([`StoreError::GameOver`]). The iterations belong to this ply whatever their own `ply` says, and keep their order.
    pub async fn append_ply(
        &self,
        game: GameId,
        ply: &PlyRecord,
        iterations: &[IterationRecord],
    ) -> Result<(), StoreError> {
        let (cp, mate) = split_score(ply.score);
        let (white, black) = material(&ply.fen);
        let sql = if iterations.is_empty() { APPEND_ALONE } else { APPEND };
        let mut query = sqlx::query(sql)
            .bind(game.0)
            .bind(ply.ply)
            .bind(&*ply.uci)
            .bind(&*ply.san)
            .bind(&*ply.fen)
            .bind(ply.mover.name())
            .bind(ply.clock_ms.map(int))
            .bind(ply.nodes.map(int))
            .bind(ply.depth)
            .bind(ply.score_raw)
            .bind(cp)
            .bind(mate)
            .bind(ply.host_us.map(int))
            .bind(ply.board_ms.map(int))
            .bind(ply.book)
            .bind(ply.retransmissions)
            .bind(white)
            .bind(black)
            .bind(ply.pv.as_deref())
            .bind(ply.at);
        if !iterations.is_empty() {
            query = query.bind(as_json(iterations));
        }
        match self.write(query).await {
            Ok(_) => Ok(()),
            Err(error) if error.is_constraint() => {
                Err(self.why_refused(game, ply.ply, error).await)
            }
            Err(error) => Err(error),
        }
    }

    /// All plies of a game.
    pub async fn plies(&self, game: GameId) -> Result<Vec<PlyRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT ply, uci, san, fen, mover, clock_ms, nodes, depth, score_raw, score_cp, score_mate, host_us, board_ms, \
             book, retransmissions, pv, at FROM plies WHERE game_id = ?1 ORDER BY ply",
        )
        .bind(game.0)
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        rows.iter().map(read_ply).collect()
    }

    /// All iterations of a game, by ply and in the order in which they came.
    pub async fn iterations(&self, game: GameId) -> Result<Vec<IterationRecord>, StoreError> {
        let rows = sqlx::query(
            "SELECT ply, mover, think_index, depth, nodes, score_raw, score_cp, score_mate, ms, pv FROM iterations \
             WHERE game_id = ?1 ORDER BY ply, n",
        )
        .bind(game.0)
        .fetch_all(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        rows.iter().map(read_iteration).collect()
    }

    /// A constraint says that it was broken, not what stands in the table.
    async fn why_refused(&self, game: GameId, ply: u32, error: StoreError) -> StoreError {
        match self.game(game).await {
            Err(gone) => gone,
            Ok(record) if record.state == GameState::Finished => StoreError::GameOver { game },
            Ok(record) if ply != record.plies + 1 => {
                StoreError::OutOfOrder { game, ply, last: record.plies }
            }
            Ok(_) => error,
        }
    }
}

fn as_json(iterations: &[IterationRecord]) -> String {
    let rows: Vec<IterationRow<'_>> = iterations
        .iter()
        .map(|it| {
            let (cp, mate) = split_score(it.score);
            IterationRow(
                it.index,
                it.mover.name(),
                it.depth,
                int(it.nodes),
                it.score_raw,
                cp,
                mate,
                it.ms.map(int),
                &it.pv,
            )
        })
        .collect();
    serde_json::to_string(&rows).expect("numbers and texts are JSON")
}

/// White's and Black's material from a FEN: pawn 1, knight and bishop 3, rook 5, queen 9.
fn material(fen: &str) -> (u32, u32) {
    let placement = fen.split(' ').next().unwrap_or_default();
    placement.bytes().fold((0, 0), |(white, black), symbol| {
        let value = match symbol.to_ascii_lowercase() {
            b'p' => 1,
            b'n' | b'b' => 3,
            b'r' => 5,
            b'q' => 9,
            _ => 0,
        };
        if symbol.is_ascii_uppercase() { (white + value, black) } else { (white, black + value) }
    })
}

fn read_ply(row: &SqliteRow) -> Result<PlyRecord, StoreError> {
    let optional = |n: usize| row.get::<Option<i64>, _>(n).map(uint);
    Ok(PlyRecord {
        ply: uint32(row.get(0)),
        uci: row.get(1),
        san: row.get(2),
        fen: row.get(3),
        mover: Mover::read("plies.mover", row.get(4))?,
        clock_ms: optional(5),
        nodes: optional(6),
        depth: row.get::<Option<i64>, _>(7).map(uint32),
        score_raw: row.get(8),
        score: join_score(row.get(9), row.get(10)),
        host_us: optional(11),
        board_ms: optional(12),
        book: row.get(13),
        retransmissions: uint32(row.get(14)),
        pv: row.get(15),
        at: row.get(16),
    })
}

fn read_iteration(row: &SqliteRow) -> Result<IterationRecord, StoreError> {
    Ok(IterationRecord {
        ply: uint32(row.get(0)),
        mover: Mover::read("iterations.mover", row.get(1))?,
        index: uint32(row.get(2)),
        depth: uint32(row.get(3)),
        nodes: uint(row.get(4)),
        score_raw: row.get(5),
        score: join_score(row.get(6), row.get(7)),
        ms: row.get::<Option<i64>, _>(8).map(uint),
        pv: row.get(9),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn material_of_the_start_position_and_of_bare_kings() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(material(start), (39, 39));
        assert_eq!(material("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1"), (1, 0));
        assert_eq!(material(""), (0, 0));
    }
}
