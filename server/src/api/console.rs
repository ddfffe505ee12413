//! A board's raw traffic and what is said to it by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A line of a board's raw traffic, from `GET /api/v1/boards/{id}/lines`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct RawLineView {
    /// When it was complete.
    pub at: i64,
    /// From the board (`in`) or to it (`out`).
    pub way: RawWay,
    /// The line without its end; bytes that are no printable ASCII as `\xHH`.
    pub text: String,
    /// The same in hex digits.
    pub hex: String,
    /// What it means, in words; none where it is noise.
    pub meaning: Option<String>,
}

/// Which way a raw line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum RawWay {
    /// From the board.
    In,
    /// To the board.
    Out,
}

/// What the console's WebSocket sends (`/api/v1/boards/{id}/console`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(tag = "type", rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum ConsoleMessage {
    /// A line: first those that are kept, then what comes.
    Line(RawLineView),
    /// So many lines were left out, because the viewer did not keep up.
    Missed {
        /// How many.
        lines: u64,
    },
    /// The answer to what was said.
    Answer {
        /// What was said.
        said: String,
        /// Whether it was sent.
        sent: bool,
        /// What became of it, in words.
        text: String,
    },
}

/// What the console's WebSocket takes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
#[serde(deny_unknown_fields)]
pub struct ConsoleSay {
    /// A command of protocol v2 without its frame (`.` is a ping), or `!` and a raw line with escapes (`\\n`, `\xHH`).
    pub say: String,
    /// Also while the board plays a game.
    #[serde(default)]
    pub force: bool,
}
