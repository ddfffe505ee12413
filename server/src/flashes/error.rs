//! Why a flash does not begin, or an image is not kept.

use crate::{
    flash::{ImageError, LineSequenceError},
    model::{BoardId, GameId, RunId, RunState},
    store::StoreError,
};
use std::{io, path::PathBuf};

/// What is wrong.
#[derive(Debug, thiserror::Error)]
pub enum FlashesError {
    /// No such board.
    #[error("there is no board {0}")]
    NoBoard(BoardId),
    /// No such image.
    #[error("there is no image '{0}': upload it first (POST /api/v1/firmware)")]
    NoImage(String),
    /// No such region.
    #[error("'{0}' is no region of the flash; there are application and book")]
    NoRegion(String),
    /// Neither an image nor a rollback, or both.
    #[error("say which image: either 'image' with the SHA-256 of a kept one, or 'rollback': true")]
    Which,
    /// A rollback to nothing.
    #[error(
        "board {0} has no other image to go back to: this server has flashed none before the last one"
    )]
    NoPrevious(BoardId),
    /// The image is wrong.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The lines are wrong.
    #[error(transparent)]
    Lines(#[from] LineSequenceError),
    /// Lines are named and not used.
    #[error("'lines' is for entry 'lines' only")]
    LinesUnused,
    /// A name that is none.
    #[error("'by' is not a name: write 1 to 200 characters, none of them a control character")]
    By,
    /// The board is being flashed.
    #[error("board {0} is being flashed already: wait for its end, or stop it")]
    Busy(BoardId),
    /// The board is playing.
    #[error(
        "the board plays game {game} of run {run} ({}): finish it first, or pause it for the flash (--finish, --pause; 'when' in the API)",
        if *state == RunState::Paused { "paused" } else { "running" }
    )]
    Playing {
        /// The game.
        game: GameId,
        /// Its run.
        run: RunId,
        /// Where the run stands.
        state: RunState,
    },
    /// Nothing to be stopped.
    #[error("board {0} is not being flashed")]
    NotActive(BoardId),
    /// Nothing to be deleted now.
    #[error("image '{0}' is being flashed: it can be deleted afterwards")]
    InUse(String),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// An image's file.
    #[error("the image's file '{}' cannot be {doing}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// A verb.
        doing: &'static str,
        /// Why.
        source: io::Error,
    },
    /// An image's file was changed.
    #[error("the image's file '{}' is not what was uploaded: delete the image and upload it again", .0.display())]
    Changed(PathBuf),
}
