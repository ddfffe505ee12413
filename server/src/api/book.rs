//! Opening books, walked through: which there are, what one says of a position, what an engine thinks of it, and the games that came
//! through it.

use crate::model::{BookForm, GameId, GameResult, RunId, Score};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// From where the server knows a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum BookSource {
    /// The configuration names it.
    Configured,
    /// An engine of a run plays from it.
    Run,
    /// It was brought here, and its file is kept beside the database.
    Kept,
}

/// A book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct BookView {
    /// What names it in the API: its name in the configuration, the hash of a kept file, `run-7-second`.
    pub id: String,
    /// The name shown.
    pub name: String,
    /// From where it is known.
    pub source: BookSource,
    /// The run, where it is one's.
    pub run: Option<RunId>,
    /// What its file is; `None` where the name does not say.
    pub form: Option<BookForm>,
    /// The file on the server: what a run names as `book.path`.
    pub path: String,
    /// Entries, where they were counted.
    pub entries: Option<u32>,
    /// Bytes; `None` where the file is gone.
    pub size: Option<u64>,
    /// When it was kept.
    pub at: Option<i64>,
}

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct MoveView {
    /// UCI notation.
    pub uci: String,
    /// SAN.
    pub san: String,
}

/// A step of the line that leads to a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct BookStep {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveView,
    /// The position after it.
    pub fen: String,
}

/// A move of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct BookMoveView {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveView,
    /// Its weight; `null` at the turn of a side for which the book has nothing: the move leads back into the book.
    pub weight: Option<u16>,
    /// How much of the position's weights this is, 0 to 1.
    pub share: Option<f64>,
    /// What the engine that made the book said of it, in centipawns from the mover's side.
    pub cp: Option<i32>,
    /// The position after it.
    pub fen: String,
    /// The name of that position, where it has one of its own.
    pub opening: Option<String>,
    /// Whether the book goes on after it.
    pub goes_on: bool,
}

/// A position of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct BookPage {
    /// The book.
    pub book: BookView,
    /// Where the line begins.
    pub start: String,
    /// The line.
    pub line: Vec<BookStep>,
    /// The position at its end.
    pub fen: String,
    /// Whether its side to move is in check.
    pub check: bool,
    /// The opening of the line: the last name on it.
    pub opening: Option<String>,
    /// The book's moves, the heaviest first.
    pub moves: Vec<BookMoveView>,
    /// Every legal move, the book's included.
    pub legal: Vec<MoveView>,
}

/// A move that an engine judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct JudgedMove {
    /// The move.
    #[serde(flatten)]
    pub mv: MoveView,
    /// Its score, from the mover's side.
    pub score: Score,
}

/// What the server's engine thinks of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct EvaluationView {
    /// The engine's name; `null` where the server has none for this.
    pub engine: Option<String>,
    /// The limit of its think.
    pub limit: Option<String>,
    /// Its moves, the best first; none where the game is over.
    pub moves: Vec<JudgedMove>,
    /// Why there is nothing, and what to do.
    pub absent: Option<String>,
}

/// What was played in a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct PlayedMoveView {
    /// UCI notation; `null` for the games that ended there, or stand there.
    pub uci: Option<String>,
    /// SAN.
    pub san: Option<String>,
    /// Games, those without a result included.
    pub games: u32,
    /// Won by White.
    pub white: u32,
    /// Drawn.
    pub draws: u32,
    /// Won by Black.
    pub black: u32,
}

/// A game that came through a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct PassedGameView {
    /// The game.
    pub game: GameId,
    /// Its run.
    pub run: RunId,
    /// The ply after which the position stood; 0 is the start.
    pub ply: u32,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// How it ended.
    pub result: GameResult,
    /// What was played then.
    pub san: Option<String>,
    /// When it ended.
    pub ended_at: Option<i64>,
}

/// The games of the database that came through a position, by whatever order of moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct PositionGames {
    /// What was played, the most played first.
    pub moves: Vec<PlayedMoveView>,
    /// The latest of them, newest first.
    pub games: Vec<PassedGameView>,
    /// Plies of a game within which a position is found.
    pub within_plies: u32,
    /// So many of the latest games are counted at most.
    pub counted: u32,
}
