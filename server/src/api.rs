//! The shapes of the HTTP and WebSocket API. The page's TypeScript types are generated from these (`make types`).
//!
//! Times are Unix milliseconds. Scores are from the mover's side. "First" is the run's player under test (the board), "second" its
//! opponent.

mod board;
mod book;
mod console;
mod flash;
mod game;
mod run;
mod stream;
mod telemetry;

pub use board::{BoardView, LinkState};
pub use book::{
    BookMoveView, BookPage, BookSource, BookStep, BookView, EvaluationView, JudgedMove, MoveView,
    PassedGameView, PlayedMoveView, PositionGames,
};
pub use console::{ConsoleMessage, ConsoleSay, RawLineView, RawWay};
pub use flash::{FlashRequest, FlashView, FlashWhen};
pub use game::{
    GameDetail, GamePage, GameView, IncidentView, LinkEventView, LiveGame, PlyView, Side,
    ThinkingView,
};
pub use run::{QueueView, RunView};
pub use stream::{Change, ServerMessage, Snapshot};
pub use telemetry::{Cell, SqlQuery, TelemetryTable};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Games or runs in one page of a list, at most.
pub const LARGEST_PAGE: u32 = 500;
/// Rows of one answer of telemetry, at most: more is the business of `rookery telemetry` or of sqlite3.
pub const MOST_ROWS: u32 = 100_000;

/// Every error of the API.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct ApiError {
    /// A short name: `bad_request`, `unauthorized`, `forbidden`, `not_found`, `method_not_allowed`, `conflict`, `too_large`,
    /// `unsupported_media_type`, `internal`, `unavailable`, `timeout`.
    pub error: String,
    /// What was wrong and what to do.
    pub message: String,
}

/// `GET /api/v1/version`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct VersionView {
    /// The server's version.
    pub version: String,
    /// The boards' protocol version that it speaks.
    pub protocol: u8,
}
