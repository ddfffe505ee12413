//! What must be true before a game is begun: its board is in session and in nobody else's hands, and its engines answer.

use super::{RunError, Runner, seat::Seat};
use crate::{
    api::LinkState,
    boards::Board,
    referee::{Control, Player, Seen},
    uci::EngineFailure,
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often is looked whether the run is over, while nothing changes.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// So many looks may pass before a person is told.
const QUIET: u32 = 4;

impl Runner {
    /// Waits for the board (with an alarm: no game is begun, and so none lost, without it) and tells the engines of another game.
    /// `false` when the run is over meanwhile.
    pub(super) async fn make_ready(&self, seat: &mut Seat) -> Result<bool, RunError> {
        if let Some(board) = seat.board.as_deref()
            && !self.board_is_ready(board).await
        {
            return Ok(false);
        }
        // Both at once: an engine may clear its tables for a while.
        let [first, second] = &mut seat.players;
        let begun = tokio::join!(begin_game(first, &self.stop), begin_game(second, &self.stop));
        for begun in [begun.0, begun.1] {
            match begun {
                Ok(()) => {}
                Err(EngineFailure::Cancelled) => return Ok(false),
                Err(failure) => return Err(RunError::NewGame(failure)),
            }
        }
        Ok(true)
    }

    /// Waits for the board. `false` when the run is over meanwhile.
    async fn board_is_ready(&self, board: &Board) -> bool {
        let mut looks = 0;
        // One receiver for the whole wait: a new one would take what it has never seen for a change, and never wait.
        let (mut changes, mut holds) = (board.link.status(), board.holds());
        loop {
            let status = changes.borrow_and_update().clone();
            let held = *holds.borrow_and_update() > 0;
            if status.state == LinkState::Ready && !held {
                // The game has with it what the board is now: it may have been flashed.
                let store = &self.resources.store;
                if let Err(error) = store.set_board_identity(board.id, &status.identity).await {
                    tracing::warn!(board = %board.url, "the identity is not kept: {error}");
                }
                break;
            }
            looks += 1;
            if looks >= QUIET {
                let why = match held {
                    true => "it is being flashed".into(),
                    false => status.trouble.unwrap_or_else(|| "no answer yet".into()),
                };
                self.alarm(Some(format!("waiting for board {}: {why}", board.url)));
            }
            tokio::select! {
                _ = tokio::time::timeout(LOOK_EVERY, changes.changed()) => {}
                _ = holds.changed() => {}
                () = self.stop.cancelled() => return false,
            }
            if self.control() == Control::StopAfterGame
                && !self.plan().has_interrupted(Some(board.id))
            {
                return false;
            }
        }
        if looks >= QUIET {
            self.alarm(None);
        }
        true
    }
}

async fn begin_game(player: &mut Player, stop: &CancellationToken) -> Result<(), EngineFailure> {
    let Player::Engine(engine) = player else { return Ok(()) };
    let mut notice = |seen: Seen| {
        if let Seen::Notice { kind, text } = seen {
            tracing::warn!(kind, "between games: {text}");
        }
    };
    engine.new_game(stop, &mut notice).await
}
