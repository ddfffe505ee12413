//! Games to compare.

use crate::{
    model::{GameId, RunId},
    store::{GameFilter, Store, StoreError},
    telemetry::{Compared, Subject, Table, pairs, side_by_side},
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
    /// The first full moves of games that begin alike, side by side.
    pub async fn compare(
        &self,
        a: Subject,
        b: Subject,
        moves: u32,
        limit: Option<u32>,
    ) -> Result<Table, CompareError> {
        let (left, right) = (self.compared(a).await?, self.compared(b).await?);
        let paired = pairs(&left, &right);
        if paired.is_empty() {
            return Err(CompareError::NoPair { a, b });
        }
        let mut table = Table::of_comparison();
        for (n, (one, other)) in paired.into_iter().enumerate() {
            side_by_side(&mut table, n + 1, one, other, moves);
        }
        Ok(super::limited(table, limit))
    }

    async fn compared(&self, subject: Subject) -> Result<Vec<Compared>, StoreError> {
        let mut games = match subject {
            Subject::Game(id) => vec![self.game(GameId(id)).await?],
            Subject::Run(id) => {
                let run = self.run(RunId(id)).await?.id;
                let filter = GameFilter { run: Some(run), ..GameFilter::default() };
                self.games(&filter).await?
            }
        };
        games.sort_by_key(|game| game.game.number);
        let mut compared = Vec::with_capacity(games.len());
        for game in games {
            let plies = self.plies(game.id).await?;
            compared.push((game, plies));
        }
        Ok(compared)
    }
}
