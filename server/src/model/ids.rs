//! Identifiers: each owns its number, so that a game can never be asked for by a run's.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, TS,
        )]
        #[serde(transparent)]
        #[ts(type = "number")]
        pub struct $name(pub i64);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<$name, Self::Err> {
                text.parse().map($name)
            }
        }
    };
}

id!(
    /// A board: a row of `boards`, found again by its URL.
    BoardId
);
id!(
    /// A run: a match of some number of games under one set of settings.
    RunId
);
id!(
    /// A game of a run.
    GameId
);
