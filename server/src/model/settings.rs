//! The settings of a run, as the command line, the configuration, the API and the store have them.

use super::Limit;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};
use ts_rs::TS;

/// Everything that decides how a run is played. Two runs with equal settings are the same experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct RunSettings {
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The player under test: boards, or an engine in a board's place.
    pub first: PlayerSpec,
    /// Its opponent.
    pub second: EngineSpec,
    /// How many games; 0 for no end.
    pub games: u32,
    /// Which colour the first player has.
    #[serde(default)]
    pub color: ColorPolicy,
    /// The board's node budget for each move.
    #[serde(default = "default_level")]
    pub level: u32,
    /// Openings, used in turn; with alternating colours each is played from both sides before the next. Empty: the start position.
    #[serde(default)]
    pub openings: Vec<OpeningLine>,
    /// Games at the same time (one board plays one game).
    #[serde(default = "one")]
    pub concurrency: u32,
    /// When the referee ends a game early.
    #[serde(default)]
    pub adjudication: Adjudication,
    /// Whether draws that a player may claim are claimed.
    #[serde(default)]
    pub claims: Claims,
    /// What a board's illegal move does.
    #[serde(default)]
    pub on_illegal: OnIllegal,
    /// Seconds that a think may take on the wall clock, whatever its limit says.
    #[serde(default = "default_think_timeout")]
    pub think_timeout_s: u32,
    /// Seconds that a board may be out of reach before the game is forfeited.
    #[serde(default = "default_board_patience")]
    pub board_patience_s: u32,
    /// Milliseconds that an engine may overstep its clock or move time.
    #[serde(default = "default_time_margin")]
    pub time_margin_ms: u32,
    /// How often a crashed or hung engine is started again within a game.
    #[serde(default = "default_engine_restarts")]
    pub engine_restarts: u32,
    /// Seed of everything that is drawn (order of openings).
    #[serde(default)]
    #[ts(type = "number")]
    pub seed: u64,
}

impl RunSettings {
    /// The defaults for two players: one game.
    #[must_use]
    pub fn new(first: PlayerSpec, second: EngineSpec) -> RunSettings {
        RunSettings {
            name: None,
            first,
            second,
            games: 1,
            color: ColorPolicy::default(),
            level: default_level(),
            openings: Vec::new(),
            concurrency: one(),
            adjudication: Adjudication::default(),
            claims: Claims::default(),
            on_illegal: OnIllegal::default(),
            think_timeout_s: default_think_timeout(),
            board_patience_s: default_board_patience(),
            time_margin_ms: default_time_margin(),
            engine_restarts: default_engine_restarts(),
            seed: 0,
        }
    }
}

fn one() -> u32 {
    1
}
/// The level of a run that names none.
pub const DEFAULT_LEVEL: u32 = 45_000;

fn default_level() -> u32 {
    DEFAULT_LEVEL
}
fn default_think_timeout() -> u32 {
    600
}
fn default_board_patience() -> u32 {
    180
}
fn default_time_margin() -> u32 {
    50
}
fn default_engine_restarts() -> u32 {
    3
}

/// Who plays in the board's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum PlayerSpec {
    /// One or more boards; each plays its own games.
    Boards(Vec<BoardSpec>),
    /// A UCI engine.
    Engine(EngineSpec),
}

/// A board and how to reach it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct BoardSpec {
    /// The name shown and kept; the URL where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// A board's URL: `tcp://HOST:PORT`, `serial:///dev/ttyUSB0` and others
    pub url: String,
}

/// A UCI engine: what to start and how to ask it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct EngineSpec {
    /// The name shown and kept; the engine's own `id name` where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The program: a path, or a name that is looked up in PATH.
    #[ts(type = "string")]
    pub path: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "string")]
    pub dir: Option<PathBuf>,
    /// Additional environment variables.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
    /// UCI options, in the order in which they are sent.
    #[serde(default)]
    pub options: Vec<(String, String)>,
    /// The limit of each of its thinks.
    #[serde(default = "default_limit")]
    pub limit: Limit,
    /// The book that it plays from before it is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub book: Option<Box<BookSpec>>,
}

/// A book that the server plays from in an engine's place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct BookSpec {
    /// The file.
    #[ts(type = "string")]
    pub path: PathBuf,
    /// How a move is chosen among those of a position; drawn by the run's seed and the game's number.
    #[serde(default)]
    pub pick: Pick,
    /// Plies of a game in which it is asked; in all where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub plies: Option<u32>,
}

/// How a move is chosen among those of a book's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Pick {
    /// Drawn by the weights.
    #[default]
    Weighted,
    /// The heaviest.
    Best,
    /// Drawn, each as likely as the others.
    Uniform,
}

impl EngineSpec {
    /// An engine without arguments or options.
    #[must_use]
    pub fn new(path: PathBuf) -> EngineSpec {
        EngineSpec {
            name: None,
            path,
            args: Vec::new(),
            dir: None,
            env: BTreeMap::new(),
            options: Vec::new(),
            limit: default_limit(),
            book: None,
        }
    }
}

fn default_limit() -> Limit {
    Limit::Nodes(5_000)
}

/// A start for a game: a position and moves from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct OpeningLine {
    /// Its name, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub name: Option<String>,
    /// The position; the usual start position where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub fen: Option<String>,
    /// Moves in UCI notation, played before the players begin.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl OpeningLine {
    /// Moves from the usual start position, in UCI notation with spaces between.
    #[must_use]
    pub fn of_moves(name: Option<&str>, moves: &str) -> OpeningLine {
        let moves = moves.split_ascii_whitespace().map(str::to_owned).collect();
        OpeningLine { name: name.map(str::to_owned), fen: None, moves }
    }
}

/// Which colour the first player has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum ColorPolicy {
    /// Always White.
    White,
    /// Always Black.
    Black,
    /// White in odd games, Black in even ones.
    #[default]
    Alternate,
}

/// Early ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export_to = "api.ts")]
pub struct Adjudication {
    /// Draw by both sides' scores.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Loss by the losing side's score.
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A draw when the game has this many plies (its opening included).
    #[ts(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_plies: Option<u32>,
}

/// Draw when, from full move `move_number` on, both sides' scores stayed within `score` for `moves` moves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct DrawRule {
    /// Not before this full move.
    pub move_number: u32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
}

/// Loss when a side's own score stayed at or below minus `score` for `moves` of its moves; with `two_sided` the other side's must
/// agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts")]
pub struct ResignRule {
    /// Consecutive moves.
    pub moves: u32,
    /// Centipawns.
    pub score: u32,
    /// Both sides' scores must agree.
    #[serde(default)]
    pub two_sided: bool,
}

/// Draws that a player may claim (threefold repetition, fifty moves): the players here cannot claim, so the referee does it for them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Claims {
    /// Claimed as soon as possible, as match tools do.
    #[default]
    Automatic,
    /// Never: only the fivefold repetition and the seventy-five moves end a game.
    Never,
}

/// What a board's illegal move does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum OnIllegal {
    /// The game is lost.
    #[default]
    Forfeit,
    /// The position is pushed again and the board asked once more; the second illegal move loses.
    Retry,
}
