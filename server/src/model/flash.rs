//! Firmware images and flashes, as they are kept and shown.

use super::BoardId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a flash is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum FlashPhase {
    /// It waits for a game or a run.
    Wait,
    /// The board is led into its loader.
    Enter,
    /// The loader is asked to answer.
    Sync,
    /// The read-out protection is taken away.
    Unprotect,
    /// What is there is read.
    Read,
    /// Pages are erased.
    Erase,
    /// Pages are written.
    Write,
    /// Everything is read back.
    Verify,
    /// The program is started, and the board is waited for.
    Start,
}

impl FlashPhase {
    /// As the API writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            FlashPhase::Wait => "wait",
            FlashPhase::Enter => "enter",
            FlashPhase::Sync => "sync",
            FlashPhase::Unprotect => "unprotect",
            FlashPhase::Read => "read",
            FlashPhase::Erase => "erase",
            FlashPhase::Write => "write",
            FlashPhase::Verify => "verify",
            FlashPhase::Start => "start",
        }
    }
}

/// The way into the loader.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum FlashEntry {
    /// The board's program is asked.
    #[default]
    App,
    /// Lines beside the data pull RESET and BOOT0.
    Lines,
    /// A person does.
    Manual,
}

/// What is to be done with an image.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS,
)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum FlashMode {
    /// Write it.
    #[default]
    Write,
    /// Compare it with what is there.
    Verify,
    /// Say what would be written.
    DryRun,
}

/// How a flash ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum FlashResult {
    /// It has not.
    Running,
    /// The image stands in the flash and was verified.
    Flashed,
    /// It stood there already.
    Unchanged,
    /// It was compared only, or what would be done was only said.
    Compared,
    /// It failed; the reason stands beside.
    Failed,
    /// Somebody stopped it.
    Cancelled,
    /// The server ended before it did: flash again to go on.
    Interrupted,
}

/// An image that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct FirmwareImage {
    /// SHA-256 of what stands in the flash, 64 hex digits: the image's name.
    pub sha256: String,
    /// Where it belongs: `application` or `book`.
    pub region: String,
    /// The board it is for, where it says so.
    pub board: Option<String>,
    /// Its version, where it says so.
    pub version: Option<String>,
    /// Its size in bytes.
    pub size: u32,
    /// Kept at, Unix milliseconds.
    pub at: i64,
}

/// A flash as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct FlashRecord {
    /// Its number.
    pub id: i64,
    /// The board.
    pub board: BoardId,
    /// The image's SHA-256; the image itself may have been deleted since.
    pub image: String,
    /// The image's region.
    pub region: String,
    /// The image's version, where it says one.
    pub version: Option<String>,
    /// Who asked for it.
    pub by: String,
    /// The way into the loader.
    pub entry: FlashEntry,
    /// How it ended.
    pub result: FlashResult,
    /// Why it failed.
    pub detail: Option<String>,
    /// Bytes written.
    pub bytes: u32,
    /// Exchanges that were tried again.
    pub retries: u32,
    /// Begun at, Unix milliseconds.
    pub started_at: i64,
    /// Over at, Unix milliseconds.
    pub ended_at: Option<i64>,
}
