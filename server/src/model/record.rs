//! What is kept: rows as the store writes and reads them.

use super::{BoardId, GameId, GameResult, RunId, RunSettings, Score, Termination, WordError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::str::FromStr;
use ts_rs::TS;

/// Which of a run's two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Mover {
    /// The player under test: the board.
    First,
    /// Its opponent.
    Second,
    /// Nobody: a move of the opening line.
    Opening,
}

impl Mover {
    /// As the API and the store write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Mover::First => "first",
            Mover::Second => "second",
            Mover::Opening => "opening",
        }
    }
}

/// A run's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum RunState {
    /// Waits for its first board.
    Pending,
    /// Games are being played, or the server was stopped and will go on.
    Running,
    /// Held by a person between two plies.
    Paused,
    /// Every game is over.
    Finished,
    /// Ended by a person before its last game.
    Stopped,
    /// Could not go on; the reason stands in `error`.
    Failed,
    /// Played elsewhere and read from a file: over, and never begun again.
    Imported,
    /// Left by a server that ended, and taken up by nobody yet. It is how a server shows such a run; it is never kept.
    Interrupted,
}

impl RunState {
    /// All of them.
    pub const ALL: [RunState; 8] = [
        RunState::Pending,
        RunState::Running,
        RunState::Paused,
        RunState::Finished,
        RunState::Stopped,
        RunState::Failed,
        RunState::Imported,
        RunState::Interrupted,
    ];

    /// As the API and the store write it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            RunState::Pending => "pending",
            RunState::Running => "running",
            RunState::Paused => "paused",
            RunState::Finished => "finished",
            RunState::Stopped => "stopped",
            RunState::Failed => "failed",
            RunState::Imported => "imported",
            RunState::Interrupted => "interrupted",
        }
    }

    /// The state of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<RunState> {
        RunState::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Whether nothing of the run is going to be played, unless it is begun again.
    #[must_use]
    pub fn is_over(self) -> bool {
        matches!(
            self,
            RunState::Finished | RunState::Stopped | RunState::Failed | RunState::Imported
        )
    }
}

/// A game's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum GameState {
    /// Not over; resumed at the next start of the server.
    Playing,
    /// Over.
    Finished,
}

impl FromStr for GameState {
    type Err = WordError;

    fn from_str(text: &str) -> Result<GameState, WordError> {
        match text {
            "playing" => Ok(GameState::Playing),
            "finished" => Ok(GameState::Finished),
            _ => Err(WordError::new("state", text, &["playing", "finished"])),
        }
    }
}

/// A run as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Its number.
    pub id: RunId,
    /// Its settings.
    pub settings: RunSettings,
    /// Where it stands.
    pub state: RunState,
    /// Whether it ends after the games that are being played.
    pub stopping: bool,
    /// Its place among runs that wait for boards: the least is the next, of equals the older run.
    pub place: i64,
    /// Why it failed, where it did.
    pub error: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub ended_at: Option<i64>,
}

/// A game about to begin.
#[derive(Clone, Debug, PartialEq)]
pub struct NewGame {
    /// Its run.
    pub run_id: RunId,
    /// 1 to the run's number of games, once each.
    pub number: u32,
    /// The board that plays it, if one does.
    pub board_id: Option<BoardId>,
    /// PGN's `White`.
    pub white: String,
    /// PGN's `Black`.
    pub black: String,
    /// The first player's colour.
    pub first_color: Color,
    /// The position before the first ply, always written out.
    pub start_fen: String,
    /// Name of the opening line, where it has one.
    pub opening: Option<String>,
    /// Unix milliseconds.
    pub started_at: i64,
}

/// A game as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct GameRecord {
    /// Its number.
    pub id: GameId,
    /// How it began.
    pub game: NewGame,
    /// Where it stands.
    pub state: GameState,
    /// `*` while it is played.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Option<Termination>,
    /// More words: an illegal move's text, a crash's exit code.
    pub detail: Option<String>,
    /// Plies played.
    pub plies: u32,
    /// What its opening is called, found by position: `C60 Ruy Lopez`. None while it is played.
    pub eco: Option<String>,
    /// Unix milliseconds.
    pub ended_at: Option<i64>,
    /// What its file says of an imported game, tag by tag; nothing where it was played here.
    pub tags: Vec<(String, String)>,
}

/// A half-move with everything measured about it. All scores are from the mover's side.
#[derive(Clone, Debug, PartialEq)]
pub struct PlyRecord {
    /// 1 for the first move after the start position.
    pub ply: u32,
    /// UCI notation.
    pub uci: String,
    /// SAN with check and mate marks.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Who made it.
    pub mover: Mover,
    /// What stands on the mover's clock after it, where it has one.
    pub clock_ms: Option<u64>,
    /// Nodes as the mover reports them.
    pub nodes: Option<u64>,
    /// Depth as the mover reports it.
    pub depth: Option<u32>,
    /// The score in the mover's own units.
    pub score_raw: Option<i32>,
    /// The score in centipawns or moves to mate.
    pub score: Option<Score>,
    /// Microseconds from the command to the answer, measured by the host.
    pub host_us: Option<u64>,
    /// Milliseconds that the mover itself reports.
    pub board_ms: Option<u64>,
    /// Played from the book.
    pub book: bool,
    /// Lines that had to be sent again during this ply.
    pub retransmissions: u32,
    /// The line that the mover expects, in UCI notation.
    pub pv: Option<String>,
    /// Unix milliseconds.
    pub at: i64,
}

/// One finished iteration of a think.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct IterationRecord {
    /// The ply that was being thought about.
    pub ply: u32,
    /// Who thought.
    pub mover: Mover,
    /// 0 for the first line of this think.
    pub index: u32,
    /// Depth.
    pub depth: u32,
    /// Nodes so far.
    pub nodes: u64,
    /// The score in the mover's own units.
    pub score_raw: i32,
    /// The score in centipawns or moves to mate.
    pub score: Option<Score>,
    /// Milliseconds as the mover reports them.
    pub ms: Option<u64>,
    /// The best line so far, in UCI notation.
    pub pv: String,
}

/// Everything that can happen on a link, each counted by its name.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum LinkEventKind {
    /// The transport was opened.
    Connected,
    /// It was closed or broke.
    Disconnected,
    /// It could not be opened; the next try waits longer.
    ConnectFailed,
    /// A sync was answered: the session is ready.
    Synced,
    /// Five syncs were not.
    SyncFailed,
    /// Input is discarded until the line is quiet.
    Drained,
    /// A line was not answered in time.
    Timeout,
    /// A line was sent again.
    Retransmitted,
    /// The board refused a line because of its checksum.
    NakCrc,
    /// The board refused a line because of its number.
    NakSeq,
    /// A line with a bad checksum came.
    BadCrc,
    /// A line that is none came.
    Malformed,
    /// A line longer than 64 bytes came.
    TooLong,
    /// The rest of a line never came.
    Partial,
    /// A line of our own came back.
    Echo,
    /// A line of another session came.
    WrongSession,
    /// A reply to something answered before came.
    StaleReply,
    /// An event came a second time.
    DuplicateEvent,
    /// A think ended and its move never came.
    MoveLost,
    /// Telemetry lines are missing.
    TelemetryGap,
    /// A banner, or a new boot id: the board was reset.
    Rebooted,
    /// The board's position is not the host's.
    PositionDiffers,
    /// The position was sent whole.
    PositionPushed,
    /// Pings were not answered.
    PingMissed,
}

impl LinkEventKind {
    /// Every kind, for counters and parsers.
    pub const ALL: [LinkEventKind; 24] = [
        LinkEventKind::Connected,
        LinkEventKind::Disconnected,
        LinkEventKind::ConnectFailed,
        LinkEventKind::Synced,
        LinkEventKind::SyncFailed,
        LinkEventKind::Drained,
        LinkEventKind::Timeout,
        LinkEventKind::Retransmitted,
        LinkEventKind::NakCrc,
        LinkEventKind::NakSeq,
        LinkEventKind::BadCrc,
        LinkEventKind::Malformed,
        LinkEventKind::TooLong,
        LinkEventKind::Partial,
        LinkEventKind::Echo,
        LinkEventKind::WrongSession,
        LinkEventKind::StaleReply,
        LinkEventKind::DuplicateEvent,
        LinkEventKind::MoveLost,
        LinkEventKind::TelemetryGap,
        LinkEventKind::Rebooted,
        LinkEventKind::PositionDiffers,
        LinkEventKind::PositionPushed,
        LinkEventKind::PingMissed,
    ];

    /// The name in the store, in JSON and in the metrics.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LinkEventKind::Connected => "connected",
            LinkEventKind::Disconnected => "disconnected",
            LinkEventKind::ConnectFailed => "connect_failed",
            LinkEventKind::Synced => "synced",
            LinkEventKind::SyncFailed => "sync_failed",
            LinkEventKind::Drained => "drained",
            LinkEventKind::Timeout => "timeout",
            LinkEventKind::Retransmitted => "retransmitted",
            LinkEventKind::NakCrc => "nak_crc",
            LinkEventKind::NakSeq => "nak_seq",
            LinkEventKind::BadCrc => "bad_crc",
            LinkEventKind::Malformed => "malformed",
            LinkEventKind::TooLong => "too_long",
            LinkEventKind::Partial => "partial",
            LinkEventKind::Echo => "echo",
            LinkEventKind::WrongSession => "wrong_session",
            LinkEventKind::StaleReply => "stale_reply",
            LinkEventKind::DuplicateEvent => "duplicate_event",
            LinkEventKind::MoveLost => "move_lost",
            LinkEventKind::TelemetryGap => "telemetry_gap",
            LinkEventKind::Rebooted => "rebooted",
            LinkEventKind::PositionDiffers => "position_differs",
            LinkEventKind::PositionPushed => "position_pushed",
            LinkEventKind::PingMissed => "ping_missed",
        }
    }
}

/// Something that happened on a board's link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkEvent {
    /// Unix milliseconds.
    pub at: i64,
    /// What.
    pub kind: LinkEventKind,
    /// The raw line or other words.
    pub detail: String,
}

/// Something that happened to a game and is none of its plies: an engine that was started again, an illegal move with its raw
/// lines, a warning about a tolerated notation, a full disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Unix milliseconds.
    pub at: i64,
    /// The ply in question.
    pub ply: u32,
    /// Who caused it.
    pub mover: Option<Mover>,
    /// A short name: `illegal_move`, `engine_restart`, `engine_warning`, `late_move`, `resumed`, `board_level`.
    pub kind: String,
    /// The position in question.
    pub fen: Option<String>,
    /// All there is to say, raw lines included.
    pub detail: String,
}
