//! Which games: the archive's search, the same for the page, the API and the command line.

use super::When;
use crate::model::{BoardId, GameResult, GameState, RunId, Termination};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Which games. What is given must all hold.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS, clap::Args,
)]
#[serde(deny_unknown_fields)]
#[ts(export_to = "api.ts", optional_fields)]
pub struct GameFilter {
    /// Only of this run
    #[arg(long, value_name = "ID")]
    pub run: Option<RunId>,
    /// Only of this board
    #[arg(long, value_name = "ID")]
    pub board: Option<BoardId>,
    /// Only of boards that said this firmware version at that time
    #[arg(long, value_name = "VERSION")]
    pub firmware: Option<String>,
    /// Only those with this text in the name of the opponent, the player that is not under test
    #[arg(long, value_name = "TEXT")]
    pub opponent: Option<String>,
    /// Only those being played, or over: playing, finished
    #[arg(long, value_name = "STATE")]
    pub state: Option<GameState>,
    /// Only with this result: 1-0, 0-1, 1/2-1/2, *
    #[arg(long, value_name = "RESULT")]
    pub result: Option<GameResult>,
    /// Only those that ended so: checkmate, time_forfeit, dead_board, …
    #[arg(long, value_name = "REASON")]
    pub termination: Option<Termination>,
    /// Only those with this text in the opening's name
    #[arg(long, value_name = "TEXT")]
    pub opening: Option<String>,
    /// Only those with this text in a player's name, the opening's, the run's, or in the words about their end
    #[arg(long, value_name = "TEXT")]
    pub text: Option<String>,
    /// Only those begun at this time or later: 2026-10-19, 2026-10-19T14:30:00Z, or Unix milliseconds
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub since: Option<When>,
    /// Only those begun before this time
    #[arg(long, value_name = "TIME")]
    #[schemars(with = "Option<String>")]
    #[ts(type = "string | null")]
    pub until: Option<When>,
    /// Only those over with so many plies or more
    #[arg(long, value_name = "N")]
    pub min_plies: Option<u32>,
    /// Only those over with so many plies or fewer
    #[arg(long, value_name = "N")]
    pub max_plies: Option<u32>,
}

impl GameFilter {
    /// The games of a board.
    #[must_use]
    pub fn of_board(board: BoardId) -> GameFilter {
        GameFilter { board: Some(board), ..GameFilter::default() }
    }

    /// The games of a firmware version.
    #[must_use]
    pub fn of_firmware(version: &str) -> GameFilter {
        GameFilter { firmware: Some(version.to_owned()), ..GameFilter::default() }
    }

    /// The games of a run.
    #[must_use]
    pub fn of_run(run: RunId) -> GameFilter {
        GameFilter { run: Some(run), ..GameFilter::default() }
    }
}
