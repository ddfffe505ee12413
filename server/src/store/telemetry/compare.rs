//! Games to compare.

use crate::{
    model::GameId,
    store::{Store, StoreError},
    telemetry::{Begun, GameFilter, Subject, Table, pairs, side_by_side},
};

/// Why two things cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// The store failed, or a run or game is not there.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Nothing in common.
    #[error(
        "{a} and {b} have no games that begin alike (start position, opening line, colour of the player under test)"
    )]
    NoPair {
        /// One.
        a: Subject,
        /// The other.
        b: Subject,
    },
}

impl Store {
    /// The first full moves of games that begin alike, side by side. Of each pair the plies are read when it is its turn, and none once
    /// there are rows enough.
    pub async fn compare(
        &self,
        a: &Subject,
        b: &Subject,
        moves: u32,
        limit: Option<u32>,
    ) -> Result<Table, CompareError> {
        let (left, right) = (self.begun(a).await?, self.begun(b).await?);
        let paired = pairs(&left, &right);
        if paired.is_empty() {
            return Err(CompareError::NoPair { a: a.clone(), b: b.clone() });
        }
        let mut table = Table::of_comparison();
        for (n, (one, other)) in paired.into_iter().enumerate() {
            let one = (one.clone(), self.plies(one.id).await?);
            let other = (other.clone(), self.plies(other.id).await?);
            side_by_side(&mut table, n + 1, &one, &other, moves);
            if limit.is_some_and(|limit| table.rows.len() > limit as usize) {
                break;
            }
        }
        Ok(super::limited(table, limit))
    }

    /// The games of a subject, by run and number.
    async fn begun(&self, subject: &Subject) -> Result<Vec<Begun>, StoreError> {
        let mut games = match subject {
            Subject::Game(id) => vec![self.game(*id).await?],
            Subject::Run(id) => {
                self.run(*id).await?;
                self.games(&GameFilter::of_run(*id), None, None).await?
            }
            Subject::Board(id) => {
                self.board_identity(*id).await?;
                self.games(&GameFilter::of_board(*id), None, None).await?
            }
            Subject::Firmware(version) => {
                self.games(&GameFilter::of_firmware(version), None, None).await?
            }
        };
        games.sort_by_key(|game| (game.game.run_id, game.game.number));
        let mut begun = Vec::with_capacity(games.len());
        for game in games {
            let line = self.opening_line(game.id).await?;
            begun.push((game, line));
        }
        Ok(begun)
    }

    /// The moves of a game's opening line, with spaces between them. They are its first plies, so that no more are read than that.
    async fn opening_line(&self, game: GameId) -> Result<String, StoreError> {
        let line: Option<String> = sqlx::query_scalar(
            "SELECT group_concat(uci, ' ') FROM (SELECT uci FROM plies WHERE game_id = ?1 AND ply < \
             coalesce((SELECT ply FROM plies WHERE game_id = ?1 AND mover <> 'opening' ORDER BY ply LIMIT 1), 1 << 32) ORDER BY ply)",
        )
        .bind(game.0)
        .fetch_one(&self.inner.readers)
        .await
        .map_err(|e| self.error(e))?;
        Ok(line.unwrap_or_default())
    }
}
