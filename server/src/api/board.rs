//! The shapes of boards and what their links are doing.

use crate::model::{BoardId, GameId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

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
