//! The shapes of runs and of the queue for boards.

use crate::model::{RunId, RunSettings, RunState, Standing};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

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
