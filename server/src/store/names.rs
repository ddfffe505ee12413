//! Enums and their names in the database: the same as in JSON.

use super::StoreError;
use crate::model::{
    BookForm, FlashEntry, FlashResult, GameResult, GameState, LinkEventKind, Mover, RunState,
    Score, Termination,
};
use shakmaty::Color;

/// An enum that is kept by name.
pub(super) trait Named: Sized + Copy {
    /// The name.
    fn name(self) -> &'static str;
    /// The value of a name.
    fn of(name: &str) -> Option<Self>;

    /// Reads a column.
    fn read(column: &'static str, name: &str) -> Result<Self, StoreError> {
        Self::of(name).ok_or_else(|| StoreError::Unreadable { column, value: name.to_owned() })
    }
}

macro_rules! named {
    ($ty:ty { $($value:path => $name:literal),+ $(,)? }) => {
        impl Named for $ty {
            fn name(self) -> &'static str {
                match self { $($value => $name),+ }
            }
            fn of(name: &str) -> Option<Self> {
                match name { $($name => Some($value),)+ _ => None }
            }
        }
    };
}

named!(Mover { Mover::First => "first", Mover::Second => "second", Mover::Opening => "opening" });
named!(GameState { GameState::Playing => "playing", GameState::Finished => "finished" });
named!(Color { Color::White => "white", Color::Black => "black" });

named!(BookForm {
    BookForm::Polyglot => "polyglot",
    BookForm::Compact => "compact",
    BookForm::Json => "json",
    BookForm::Pgn => "pgn",
});
named!(FlashEntry {
    FlashEntry::App => "app",
    FlashEntry::Lines => "lines",
    FlashEntry::Manual => "manual",
});
named!(FlashResult {
    FlashResult::Running => "running",
    FlashResult::Flashed => "flashed",
    FlashResult::Unchanged => "unchanged",
    FlashResult::Compared => "compared",
    FlashResult::Failed => "failed",
    FlashResult::Cancelled => "cancelled",
    FlashResult::Interrupted => "interrupted",
});

impl Named for RunState {
    fn name(self) -> &'static str {
        self.as_str()
    }
    fn of(name: &str) -> Option<Self> {
        RunState::from_name(name)
    }
}

impl Named for GameResult {
    fn name(self) -> &'static str {
        self.as_str()
    }
    fn of(name: &str) -> Option<Self> {
        GameResult::from_pgn(name)
    }
}

impl Named for Termination {
    fn name(self) -> &'static str {
        self.as_str()
    }
    fn of(name: &str) -> Option<Self> {
        Termination::from_name(name)
    }
}

impl Named for LinkEventKind {
    fn name(self) -> &'static str {
        self.as_str()
    }
    fn of(name: &str) -> Option<Self> {
        LinkEventKind::ALL.into_iter().find(|k| k.as_str() == name)
    }
}

/// `(score_cp, score_mate)`: one of them, or none.
pub(super) fn split_score(score: Option<Score>) -> (Option<i32>, Option<i32>) {
    match score {
        Some(Score::Cp(v)) => (Some(v), None),
        Some(Score::Mate(v)) => (None, Some(v)),
        None => (None, None),
    }
}

/// The opposite of [`split_score`].
pub(super) fn join_score(cp: Option<i32>, mate: Option<i32>) -> Option<Score> {
    mate.map(Score::Mate).or(cp.map(Score::Cp))
}

/// More nodes, milliseconds or microseconds than a think can come to: a day at a hundred million nodes a second. Times a million, or the
/// sum of a million of them, is still an integer of SQLite's.
const MOST: u64 = 9_000_000_000_000;

/// A count or a time that others report. More than [`MOST`] is kept as that: the tables take nothing but integers, and an engine that
/// miscounts must not cost the game.
pub(super) fn int(value: u64) -> i64 {
    i64::try_from(value.min(MOST)).expect("it is below SQLite's greatest")
}

/// The opposite of [`int`]; a negative number, which only another program could have put there, reads as zero.
pub(super) fn uint(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

/// As [`uint`], for small counts.
pub(super) fn uint32(value: i64) -> u32 {
    u32::try_from(value.max(0)).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agrees_with_json<T: Named + serde::Serialize + PartialEq + std::fmt::Debug>(all: &[T]) {
        for value in all {
            assert_eq!(serde_json::to_string(value).unwrap(), format!("\"{}\"", value.name()));
            assert_eq!(T::of(value.name()), Some(*value));
        }
        assert_eq!(T::of("no such"), None);
    }

    #[test]
    fn names_are_those_of_the_api() {
        agrees_with_json(&[Mover::First, Mover::Second, Mover::Opening]);
        agrees_with_json(&[GameState::Playing, GameState::Finished]);
        agrees_with_json(&RunState::ALL);
        agrees_with_json(&[FlashEntry::App, FlashEntry::Lines, FlashEntry::Manual]);
        agrees_with_json(&[
            FlashResult::Running,
            FlashResult::Flashed,
            FlashResult::Unchanged,
            FlashResult::Compared,
            FlashResult::Failed,
            FlashResult::Cancelled,
            FlashResult::Interrupted,
        ]);
        agrees_with_json(&Termination::ALL);
        agrees_with_json(&LinkEventKind::ALL);
    }
}
