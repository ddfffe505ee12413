//! Flashes: what is asked for, and how they go.

use crate::model::{FlashEntry, FlashMode, FlashPhase, FlashRecord};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// When a board is flashed that plays a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum FlashWhen {
    /// Not: it is refused.
    #[default]
    Free,
    /// After the game; the run goes on with its next one afterwards.
    Finish,
    /// Between two plies: the game's run is paused, and resumed afterwards.
    Pause,
}

/// `POST /api/v1/boards/{id}/flash`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(deny_unknown_fields, default)]
#[ts(export_to = "api.ts", optional_fields)]
pub struct FlashRequest {
    /// SHA-256 of a kept image.
    pub image: Option<String>,
    /// Instead of an image: the one that was on the board before the last.
    pub rollback: bool,
    /// The way into the loader.
    pub entry: FlashEntry,
    /// Which line is which pin, and how they lead into the loader, where `entry` is `lines`: `reset=rts,boot0=!dtr`.
    pub lines: Option<String>,
    /// What if a game is played.
    pub when: FlashWhen,
    /// Write, compare or try.
    pub mode: FlashMode,
    /// Take the read-out protection away, with everything that is on the chip.
    pub unprotect: bool,
    /// Who asks, for the history.
    pub by: Option<String>,
}

/// A flash and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct FlashView {
    /// As it is kept.
    pub record: FlashRecord,
    /// What it is doing, while it goes on.
    pub phase: Option<FlashPhase>,
    /// So much of the phase is done: bytes, or pages while it erases.
    pub done: u32,
    /// Of so much; 0 where that is not known.
    pub total: u32,
    /// Bytes (or pages) a second in this phase.
    pub rate: Option<f64>,
    /// Seconds until this phase is over, at that rate.
    pub left_s: Option<f64>,
    /// What a person should do or know in this phase.
    pub say: Option<String>,
    /// Pages that differed from the image, once that is known.
    pub differed: Option<u32>,
    /// What the board said that it runs, when it was back.
    pub firmware: Option<String>,
}
