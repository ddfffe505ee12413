//! The shapes of the HTTP and WebSocket API. The page's TypeScript types are generated from these (`make types`).
//!
//! Times are Unix milliseconds. Scores are from the mover's side. "First" is the run's player under test (the board), "second" its
//! opponent.

mod book;
mod console;
mod flash;

pub use book::{
    BookMoveView, BookPage, BookSource, BookStep, BookView, EvaluationView, JudgedMove, MoveView,
    PassedGameView, PlayedMoveView, PositionGames,
};
pub use console::{ConsoleMessage, ConsoleSay, RawLineView, RawWay};
pub use flash::{FlashRequest, FlashView, FlashWhen};

use crate::{
    model::{
        BoardId, GameId, GameResult, GameState, IterationRecord, LinkEventKind, Mover, RunId,
        RunSettings, RunState, Score, Standing, Termination,
    },
    telemetry::Format,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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

/// What a board's link is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum LinkState {
    /// No transport; waiting before the next try.
    Disconnected,
    /// Opening the transport.
    Connecting,
    /// Discarding input until the line is quiet.
    Draining,
    /// Waiting for the answer to a sync.
    Syncing,
    /// In session.
    Ready,
    /// In other hands: the board is being flashed, or somebody types at it.
    Leased,
}

/// A board, its link and its identity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct BoardView {
    /// Its number.
    pub id: BoardId,
    /// The name shown.
    pub name: String,
    /// How it is reached.
    pub url: String,
    /// The link's state.
    pub link: LinkState,
    /// Since when.
    pub since: i64,
    /// What the board says of itself (`kind`, `fw`, `eng`, `cells`, `unit`, `hz`, parameters); empty before the first contact.
    pub identity: BTreeMap<String, String>,
    /// Its boot id, eight hex digits.
    pub boot: Option<String>,
    /// Smoothed round trip, milliseconds.
    pub rtt_ms: Option<f64>,
    /// Link events since the server's start, by name.
    pub counters: BTreeMap<String, u64>,
    /// The game it plays.
    pub game: Option<GameId>,
    /// What a person should know or do.
    pub alarm: Option<String>,
}

/// A run and its score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct RunView {
    /// Its number.
    pub id: RunId,
    /// The name shown.
    pub name: String,
    /// Where it stands.
    pub state: RunState,
    /// Name of the player under test.
    pub first: String,
    /// Name of its opponent.
    pub second: String,
    /// The settings. The opening lines are only in `GET /api/v1/runs/{id}`: there may be thousands.
    pub settings: RunSettings,
    /// How many opening lines there are.
    pub openings: u32,
    /// Games over.
    pub played: u32,
    /// Games won by the first player.
    pub wins: u32,
    /// Games lost by the first player.
    pub losses: u32,
    /// Games drawn.
    pub draws: u32,
    /// What the score says about strength.
    pub standing: Standing,
    /// Created at.
    pub created_at: i64,
    /// Over at.
    pub ended_at: Option<i64>,
    /// Why it waits or failed.
    pub alarm: Option<String>,
    /// Where it waits for a board, or for one more.
    pub queue: Option<QueueView>,
}

/// A run's place among those that wait for the same boards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct QueueView {
    /// 1 for the one that is next.
    pub place: u32,
    /// Why it waits: `run 3 plays on desk`.
    pub why: String,
    /// The runs that have its boards.
    pub behind: Vec<RunId>,
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

/// One finished iteration of a think, from `GET /api/v1/games/{id}/iterations`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct IterationView {
    /// The ply that was thought about.
    pub ply: u32,
    /// Who thought.
    pub mover: Mover,
    /// 0 for the first of its think.
    pub index: u32,
    /// Depth.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// The score in the mover's own units.
    pub score_raw: i32,
    /// The score in centipawns or moves to mate.
    pub score: Option<Score>,
    /// Milliseconds so far, as reported.
    pub ms: Option<u64>,
    /// The best line so far, UCI notation.
    pub pv: String,
}

impl From<&IterationRecord> for IterationView {
    fn from(record: &IterationRecord) -> IterationView {
        IterationView {
            ply: record.ply,
            mover: record.mover,
            index: record.index,
            depth: record.depth,
            nodes: record.nodes,
            score_raw: record.score_raw,
            score: record.score,
            ms: record.ms,
            pv: record.pv.clone(),
        }
    }
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

/// `POST /api/v1/telemetry/sql`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct SqlQuery {
    /// One `SELECT`, `WITH`, `VALUES` or `EXPLAIN`. It cannot change anything.
    pub sql: String,
    /// Rows at most, up to 100000; 1000 where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub limit: Option<u32>,
    /// How the answer is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "\"json\" | \"ndjson\" | \"csv\"")]
    pub format: Option<Format>,
}

/// A table, column by column, as plots take it. `docs/telemetry.md` describes the columns of each view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct TelemetryTable {
    /// The names of the columns in their order, units included.
    pub columns: Vec<String>,
    /// How many rows.
    pub rows: u32,
    /// There are more: the limit was reached.
    pub truncated: bool,
    /// The values of each column.
    pub data: BTreeMap<String, Vec<Cell>>,
}

/// A value of a table; `null` is not measured or not known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(untagged)]
#[ts(export_to = "api.ts")]
pub enum Cell {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// Nothing.
    Null(()),
}
