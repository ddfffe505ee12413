//! Why a run cannot go on.

use crate::{
    boards::BoardAddError,
    book::BookError,
    game,
    referee::{OldBoardError, ResumeError},
    store::StoreError,
    uci::{self, EngineFailure},
};

/// Why a run cannot go on. The games that are over stay as they are.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An engine does not start.
    #[error(transparent)]
    Start(#[from] uci::StartError),
    /// An engine does not begin another game.
    #[error("the engine does not begin a new game: {0}")]
    NewGame(EngineFailure),
    /// An engine's book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// A board cannot be added.
    #[error(transparent)]
    Board(#[from] BoardAddError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An opening line is wrong.
    #[error("game {number}: {source}")]
    Opening {
        /// The game's number in its run.
        number: u32,
        /// What is wrong.
        source: game::StartError,
    },
    /// An opening line has no words in the dialect of the board.
    #[error("game {number} cannot be played with the board {board}: {source}")]
    OldBoard {
        /// The game's number in its run.
        number: u32,
        /// The board.
        board: String,
        /// Why.
        source: OldBoardError,
    },
    /// A kept game is wrong.
    #[error("game {number} cannot be resumed: {source}")]
    Resume {
        /// The game's number in its run.
        number: u32,
        /// What is wrong.
        source: ResumeError,
    },
    /// A bug: a task of the run ended by a panic.
    #[error("a task of the run failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}
