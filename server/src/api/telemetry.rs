//! The shapes of questions about what was measured, and of their answers.

use crate::telemetry::Format;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

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
