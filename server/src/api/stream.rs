//! The shapes of the WebSocket: a snapshot, and numbered changes.

use super::{BoardView, FlashView, GameView, LiveGame, PlyView, RunView, Side, ThinkingView};
use crate::model::{BoardId, GameId, LinkEventKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Everything that a viewer needs to begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct Snapshot {
    /// Changes with every start of the server; numbers of another epoch mean nothing.
    pub epoch: String,
    /// The number of the last delta that is contained.
    pub seq: u64,
    /// The server's clock.
    pub now: i64,
    /// The server's version.
    pub version: String,
    /// All boards.
    pub boards: Vec<BoardView>,
    /// Runs that are not over, and the latest of the others; newest first.
    pub runs: Vec<RunView>,
    /// Games being played.
    pub live: Vec<LiveGame>,
    /// The latest games that are over; newest first.
    pub recent: Vec<GameView>,
    /// The last flash of each board since the server's start.
    pub flashes: Vec<FlashView>,
}

/// One change. Apply those with numbers above the snapshot's, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum Change {
    /// A board appeared or changed.
    Board {
        /// As it is now.
        board: BoardView,
    },
    /// A run appeared or changed.
    Run {
        /// As it is now.
        run: Box<RunView>,
    },
    /// A game began or was resumed: put it in the place of one with the same number.
    GameStarted {
        /// As it is now.
        live: LiveGame,
    },
    /// A ply was played. It is durable.
    Ply {
        /// The game.
        game: GameId,
        /// The ply.
        ply: PlyView,
    },
    /// A think began.
    ThinkStarted {
        /// The game.
        game: GameId,
        /// Whose.
        side: Side,
    },
    /// An iteration was finished.
    Thinking {
        /// The iteration.
        thinking: ThinkingView,
    },
    /// A game is over. It is durable.
    GameEnded {
        /// As it is now.
        game: GameView,
    },
    /// A flash began, went on or ended: put it in the place of its board's last one.
    Flash {
        /// As it is now.
        flash: FlashView,
    },
    /// Something happened on a board's link.
    Link {
        /// When it did; it may be told a moment later.
        at: i64,
        /// The board.
        board: BoardId,
        /// The game it played then.
        game: Option<GameId>,
        /// What.
        event: LinkEventKind,
        /// Raw line or words.
        detail: String,
    },
}

/// What the server sends over the WebSocket.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum ServerMessage {
    /// The state, whole: at the start, and again for a viewer that fell behind.
    Snapshot(Box<Snapshot>),
    /// One change.
    Delta {
        /// One more than the last.
        seq: u64,
        /// Sent at.
        at: i64,
        /// The change.
        change: Box<Change>,
    },
    /// The viewer's numbers were right: deltas follow from where it was.
    Resumed {
        /// The epoch.
        epoch: String,
        /// The last number that the viewer has.
        seq: u64,
    },
}
