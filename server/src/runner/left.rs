//! Runs that an earlier server left, and games that nobody goes on with.

use super::Resources;
use crate::{
    api::{Change, GameView, RunView},
    model::{GameResult, RunId, RunState, Termination},
    store::StoreError,
};

impl Resources {
    /// Closes what is open of a run's games as aborted: those on a board, and those that waited to be resumed.
    pub async fn abort_games(&self, run: RunId) -> Result<(), StoreError> {
        for game in self.store.unfinished_games(run).await? {
            let (result, reason) = (GameResult::Unfinished, Termination::Aborted);
            self.store.finish_game(game.id, result, reason, None).await?;
            let game = GameView::from(&self.store.game(game.id).await?);
            self.live.publish(Change::GameEnded { game });
        }
        Ok(())
    }

    /// Ends a run that nobody plays, with its games.
    pub async fn abort_left(&self, run: RunId) -> Result<(), StoreError> {
        self.abort_games(run).await?;
        self.store.set_run_state(run, RunState::Stopped, None).await?;
        let record = self.store.run(run).await?;
        let view = RunView::from_record(&record, self.store.tally(run).await?);
        self.live.publish(Change::Run { run: Box::new(view) });
        Ok(())
    }
}
