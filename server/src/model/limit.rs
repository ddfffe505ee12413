//! What a think may cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};
use ts_rs::TS;

/// The limit of one think of a UCI engine, written as on the command line: `nodes=5000`, `depth=8`, `movetime=200`
/// (milliseconds), `tc=60+0.6` (seconds and increment).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub enum Limit {
    /// `go nodes N`
    Nodes(u64),
    /// `go depth N`
    Depth(u32),
    /// `go movetime MS`
    MoveTime {
        /// Milliseconds for each move.
        ms: u64,
    },
    /// A clock for the whole game: `go wtime … btime … winc … binc …`
    Clock {
        /// Milliseconds at the start.
        base_ms: u64,
        /// Milliseconds added after each move.
        increment_ms: u64,
    },
}

/// Why a text is not a [`Limit`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a limit: {why}; write nodes=N, depth=N, movetime=MILLISECONDS or tc=SECONDS+INCREMENT"
)]
pub struct LimitError {
    text: String,
    why: &'static str,
}

impl FromStr for Limit {
    type Err = LimitError;

    fn from_str(text: &str) -> Result<Limit, LimitError> {
        let fail = |why| LimitError { text: text.to_owned(), why };
        let (key, value) = text.split_once('=').ok_or(fail("it has no '='"))?;
        let number = || match value.parse::<u64>() {
            Ok(0) => Err(fail("it must be more than zero")),
            Ok(n) => Ok(n),
            Err(_) => Err(fail("its value is not a whole number")),
        };
        match key {
            "nodes" => Ok(Limit::Nodes(number()?)),
            "depth" => u32::try_from(number()?)
                .map(Limit::Depth)
                .map_err(|_| fail("the depth is too large")),
            "movetime" => Ok(Limit::MoveTime { ms: number()? }),
            "tc" => {
                let (base, increment) = value.split_once('+').unwrap_or((value, "0"));
                let millis = |s: &str| match s.parse::<f64>() {
                    Ok(v) if v.is_finite() && (0.0..1e9).contains(&v) => {
                        Ok((v * 1000.0).round() as u64)
                    }
                    _ => Err(fail("its seconds are not a number")),
                };
                let (base_ms, increment_ms) = (millis(base)?, millis(increment)?);
                if base_ms == 0 {
                    return Err(fail("the clock starts at zero"));
                }
                Ok(Limit::Clock { base_ms, increment_ms })
            }
            _ => Err(fail("its name is not known")),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        match *self {
            Limit::Nodes(n) => write!(f, "nodes={n}"),
            Limit::Depth(n) => write!(f, "depth={n}"),
            Limit::MoveTime { ms } => write!(f, "movetime={ms}"),
            Limit::Clock { base_ms, increment_ms } => {
                write!(f, "tc={}+{}", seconds(base_ms), seconds(increment_ms))
            }
        }
    }
}

impl TryFrom<String> for Limit {
    type Error = LimitError;
    fn try_from(text: String) -> Result<Limit, LimitError> {
        text.parse()
    }
}

impl From<Limit> for String {
    fn from(limit: Limit) -> String {
        limit.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_the_four_forms() {
        assert_eq!("nodes=500".parse(), Ok(Limit::Nodes(500)));
        assert_eq!("depth=8".parse(), Ok(Limit::Depth(8)));
        assert_eq!("movetime=200".parse(), Ok(Limit::MoveTime { ms: 200 }));
        assert_eq!("tc=60+0.6".parse(), Ok(Limit::Clock { base_ms: 60_000, increment_ms: 600 }));
        assert_eq!("tc=5".parse(), Ok(Limit::Clock { base_ms: 5_000, increment_ms: 0 }));
    }

    #[test]
    fn says_what_is_wrong() {
        for bad in [
            "",
            "500",
            "nodes=",
            "nodes=0",
            "nodes=x",
            "tc=0+1",
            "tc=a",
            "tc=1+nan",
            "speed=3",
            "depth=99999999999",
        ] {
            let error = bad.parse::<Limit>().expect_err(bad).to_string();
            assert!(error.contains("nodes=N"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,40}") {
            if let Ok(limit) = text.parse::<Limit>() {
                prop_assert_eq!(limit.to_string().parse::<Limit>(), Ok(limit));
            }
        }
    }
}
