//! One place of a run: a board or an engine in its place, and the engine that opposes it.

use super::{RunError, Runner};
use crate::{
    boards::Board,
    book::Chooser,
    link::Spoken,
    model::{BoardId, EngineSpec, GameId},
    queue::{Taken, Wait},
    referee::{BoardPlayer, Control, EnginePlayer, Player},
    uci::Supervised,
};
use std::sync::Arc;

/// Who sits in the first player's place.
pub(super) enum First {
    /// One of these boards, as soon as it is the run's turn.
    Board(Wait, Arc<[Arc<Board>]>),
    Engine(EngineSpec),
}

/// The two players at one place.
pub(super) struct Seat {
    pub(super) board: Option<Arc<Board>>,
    pub(super) players: [Player; 2],
    /// After the players: who has the board next finds its client free.
    _taken: Option<Taken>,
}

impl Seat {
    /// `None` when the run is over before its board is free.
    pub(super) async fn prepare(runner: &Runner, first: First) -> Result<Option<Seat>, RunError> {
        match first {
            First::Engine(spec) => {
                let second = start_engine(runner, &runner.settings.second);
                let (first, second) = tokio::try_join!(start_engine(runner, &spec), second)?;
                Ok(Some(Seat { board: None, players: [first, second], _taken: None }))
            }
            First::Board(wait, boards) => {
                let Some(taken) = turn(runner, wait).await else { return Ok(None) };
                let board = boards.iter().find(|board| board.id == taken.board());
                let board = Arc::clone(board.expect("the queue gives what was wished for"));
                runner.has_board().await?;
                let client = Arc::clone(&board.client).lock_owned().await;
                let second = start_engine(runner, &runner.settings.second).await?;
                let player = Player::Board(BoardPlayer::new(client, board.name.clone()));
                Ok(Some(Seat {
                    board: Some(board),
                    players: [player, second],
                    _taken: Some(taken),
                }))
            }
        }
    }

    pub(super) fn board_id(&self) -> Option<BoardId> {
        self.board.as_ref().map(|board| board.id)
    }

    /// The board, where it speaks the dialect of version 1.
    pub(super) fn old_board(&self) -> Option<&Board> {
        let board = self.board.as_deref()?;
        (board.link.status().borrow().dialect == Some(Spoken::V1)).then_some(board)
    }

    pub(super) fn set_game(&self, game: Option<GameId>) {
        if let Some(board) = &self.board {
            board.set_game(game);
        }
    }

    pub(super) async fn leave(self) {
        let [first, second] = self.players.map(|player| async {
            if let Player::Engine(engine) = player {
                engine.quit().await;
            }
        });
        tokio::join!(first, second);
    }
}

async fn start_engine(runner: &Runner, spec: &EngineSpec) -> Result<Player, RunError> {
    let options = runner.resources.engines.clone();
    let book = spec.book.as_deref().map(Chooser::open).transpose()?;
    let engine = Supervised::start(spec, options, runner.settings.engine_restarts).await?;
    let player = EnginePlayer::new(engine, spec.name.clone(), spec.limit, book);
    Ok(Player::Engine(Box::new(player)))
}

/// Waits for a board. `None` when the run is over meanwhile.
async fn turn(runner: &Runner, mut wait: Wait) -> Option<Taken> {
    // A run that stops has only its interrupted games left to wait for.
    let stops = async {
        let stops = |control: &Control| *control == Control::StopAfterGame;
        let told = runner.control.clone().wait_for(stops).await.is_ok();
        if !told || !runner.plan().interrupted_boards().is_empty() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        taken = wait.board() => taken,
        () = runner.stop.cancelled() => None,
        () = stops => None,
    }
}
