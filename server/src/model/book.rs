//! Opening books that are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, path::Path};
use ts_rs::TS;

/// The forms that a book's file can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum BookForm {
    /// Polyglot's `.bin`.
    Polyglot,
    /// A board's: one move for a position.
    Compact,
    /// All that is known, for people and scripts.
    Json,
    /// Lines as games, without weights.
    Pgn,
}

impl BookForm {
    /// The ending of a file's name, without the dot.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            BookForm::Polyglot => "bin",
            BookForm::Compact => "rkb",
            BookForm::Json => "json",
            BookForm::Pgn => "pgn",
        }
    }

    /// By the ending of a name.
    #[must_use]
    pub fn of_name(path: &Path) -> Option<BookForm> {
        use BookForm::{Compact, Json, Pgn, Polyglot};
        let ending = path.extension()?.to_str()?;
        [Polyglot, Compact, Json, Pgn]
            .into_iter()
            .find(|form| form.ending().eq_ignore_ascii_case(ending))
    }
}

impl fmt::Display for BookForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BookForm::Polyglot => "Polyglot",
            BookForm::Compact => "compact",
            BookForm::Json => "JSON",
            BookForm::Pgn => "PGN",
        })
    }
}

/// In which order, and how many, lines of a book are taken as openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "api.ts")]
pub enum OpeningOrder {
    /// Every line, in the book's order: the heaviest moves first.
    #[default]
    InTurn,
    /// The lines of the heaviest moves alone.
    Best,
    /// Drawn by the weights, with the seed; the same line may come again.
    Weighted,
}

/// A book whose file is kept beside the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptBook {
    /// Of the file, and what names it.
    pub sha256: String,
    /// What it was called where it came from.
    pub name: String,
    /// What the file is.
    pub form: BookForm,
    /// Entries in it.
    pub entries: u32,
    /// Bytes.
    pub size: u64,
    /// Since when.
    pub at: i64,
}
