//! The shapes of games, their plies, and what happened meanwhile.

use crate::model::{
    BoardId, GameId, GameResult, GameState, LinkEventKind, Mover, RunId, Score, Termination,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// White or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<shakmaty::Color> for Side {
    fn from(color: shakmaty::Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// A game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct GameView {
    /// Its number.
    pub id: GameId,
    /// Its run.
    pub run: RunId,
    /// 1 to the run's number of games.
    pub number: u32,
    /// The board that plays it.
    pub board: Option<BoardId>,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The colour of the run's first player.
    pub first_color: Side,
    /// The position before the first ply.
    pub start_fen: String,
    /// The name that the run's opening line has.
    pub opening: Option<String>,
    /// What its opening is called, found by position: `C60 Ruy Lopez`. None while it is played: its plies have the names.
    pub eco: Option<String>,
    /// Where it stands.
    pub state: GameState,
    /// `*` while it is played.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Option<Termination>,
    /// The same in words: `White mates`.
    pub reason: Option<String>,
    /// More words: the illegal move, the exit code.
    pub detail: Option<String>,
    /// Plies played.
    pub plies: u32,
    /// Begun at.
    pub started_at: i64,
    /// Over at.
    pub ended_at: Option<i64>,
}

/// A half-move and its telemetry.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct PlyView {
    /// 1 for the first move after the start position.
    pub ply: u32,
    /// Whose move it was.
    pub side: Side,
    /// Who made it.
    pub mover: Mover,
    /// UCI notation.
    pub uci: String,
    /// SAN.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// What stands on the mover's clock.
    pub clock_ms: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Depth.
    pub depth: Option<u32>,
    /// The score in centipawns or moves to mate.
    pub score: Option<Score>,
    /// The score in the mover's own units.
    pub score_raw: Option<i32>,
    /// Milliseconds measured by the host.
    pub host_ms: Option<f64>,
    /// Milliseconds reported by the mover.
    pub board_ms: Option<u64>,
    /// From the book.
    pub book: bool,
    /// Lines sent again during this ply.
    pub retransmissions: u32,
    /// Expected line, UCI notation.
    pub pv: Option<String>,
    /// What the opening is called whose line ends in this position: `C60 Ruy Lopez`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub opening: Option<String>,
    /// Made at.
    pub at: i64,
}

/// A finished iteration of a think that is going on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct ThinkingView {
    /// The game.
    pub game: GameId,
    /// The ply that is thought about.
    pub ply: u32,
    /// Whose.
    pub side: Side,
    /// Depth.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// The score in centipawns or moves to mate.
    pub score: Option<Score>,
    /// The score in the mover's own units.
    pub score_raw: i32,
    /// Milliseconds so far, as reported.
    pub ms: Option<u64>,
    /// The best line so far in SAN.
    pub pv: Vec<String>,
}

/// A game that is being played, whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct LiveGame {
    /// The game.
    pub game: GameView,
    /// All its plies.
    pub plies: Vec<PlyView>,
    /// The last iteration of White's current or last think.
    pub white_thinking: Option<ThinkingView>,
    /// The last iteration of Black's current or last think.
    pub black_thinking: Option<ThinkingView>,
    /// When the think that is going on began.
    pub thinking_since: Option<i64>,
}

/// Something that happened to a game and is none of its plies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct IncidentView {
    /// When.
    pub at: i64,
    /// At which ply.
    pub ply: u32,
    /// Who.
    pub mover: Option<Mover>,
    /// A short name.
    pub kind: String,
    /// The position.
    pub fen: Option<String>,
    /// All there is to say.
    pub detail: String,
}

/// Something that happened on the link of a board while it played a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct LinkEventView {
    /// When.
    pub at: i64,
    /// What.
    pub event: LinkEventKind,
    /// Raw line or words.
    pub detail: String,
}

/// `GET /api/v1/games/{id}`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct GameDetail {
    /// The game.
    pub game: GameView,
    /// All its plies.
    pub plies: Vec<PlyView>,
    /// Engine restarts, illegal moves, warnings.
    pub incidents: Vec<IncidentView>,
}

/// A list with a cursor: ask again with `before` = `next` for the rows that follow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct GamePage {
    /// Newest first.
    pub games: Vec<GameView>,
    /// The cursor, where there is more.
    pub next: Option<GameId>,
    /// How many games there are on all pages. Only the first page says it.
    pub total: Option<u32>,
}
