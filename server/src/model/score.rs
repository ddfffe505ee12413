//! A score as chess programs give it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// From the mover's side: centipawns, or moves (not plies) to mate, negative when the mover is mated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "lowercase")]
#[ts(export_to = "api.ts")]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// Full moves until mate.
    Mate(i32),
}

/// micro-Max's score of a mate on the board.
const MATE: i32 = 8000;
/// Scores so near to it are mates: one unit a full move, for either side, as micro-Max takes it off where a side fares worse than it
/// hoped. No other score comes near, and no mate that it finds is so far away.
const MATE_BAND: i32 = 136;

impl Score {
    /// A board's score: `units` make a pawn; near 8000 it is a mate, as many moves away as units.
    #[must_use]
    pub fn from_units(raw: i32, units: i32) -> Score {
        let distance = MATE - raw.saturating_abs();
        if distance < MATE_BAND {
            let moves = distance.max(1);
            return Score::Mate(if raw > 0 { moves } else { -moves });
        }
        let cp = i64::from(raw) * 100 / i64::from(units.max(1));
        Score::Cp(i32::try_from(cp).unwrap_or(if raw > 0 { i32::MAX } else { i32::MIN }))
    }

    /// The same score seen from the other side.
    #[must_use]
    pub fn negated(self) -> Score {
        match self {
            Score::Cp(v) => Score::Cp(v.saturating_neg()),
            Score::Mate(v) => Score::Mate(v.saturating_neg()),
        }
    }

    /// What [`Score::as_cp`] made a number of.
    #[must_use]
    pub fn of_cp(cp: i32) -> Score {
        match cp {
            31_000..=32_000 => Score::Mate(32_000 - cp),
            -32_000..=-31_000 => Score::Mate(-32_000 - cp),
            cp => Score::Cp(cp),
        }
    }

    /// One number for comparisons: a mate counts as 32,000 centipawns less its distance.
    #[must_use]
    pub fn as_cp(self) -> i32 {
        match self {
            Score::Cp(v) => v,
            Score::Mate(n) if n > 0 => 32_000 - n.min(1_000),
            Score::Mate(n) => -32_000 - n.max(-1_000),
        }
    }
}

/// `+0.31`, `-M4`, `+M12`, as cutechess and fastchess write it.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Score::Cp(0) => f.write_str("0.00"),
            Score::Cp(v) => write!(f, "{:+.2}", f64::from(v) / 100.0),
            Score::Mate(n) if n > 0 => write!(f, "+M{n}"),
            Score::Mate(n) => write!(f, "-M{}", n.unsigned_abs()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_become_centipawns_and_mates() {
        assert_eq!(Score::from_units(74, 74), Score::Cp(100));
        assert_eq!(Score::from_units(-37, 74), Score::Cp(-50));
        assert_eq!(Score::from_units(7999, 74), Score::Mate(1));
        assert_eq!(Score::from_units(7997, 74), Score::Mate(3));
        assert_eq!(Score::from_units(-7998, 74), Score::Mate(-2));
        assert_eq!(Score::from_units(-8000, 74), Score::Mate(-1));
        assert_eq!(Score::from_units(i32::MIN, 0), Score::Mate(-1));
    }

    #[test]
    fn shows_as_other_tools_do() {
        assert_eq!(Score::Cp(31).to_string(), "+0.31");
        assert_eq!(Score::Cp(-120).to_string(), "-1.20");
        assert_eq!(Score::Cp(0).to_string(), "0.00");
        assert_eq!(Score::Mate(4).to_string(), "+M4");
        assert_eq!(Score::Mate(-4).to_string(), "-M4");
        assert_eq!(Score::Mate(0).to_string(), "-M0");
    }

    #[test]
    fn a_nearer_mate_is_better_and_any_mate_beats_any_evaluation() {
        assert!(Score::Mate(1).as_cp() > Score::Mate(9).as_cp());
        assert!(Score::Mate(900).as_cp() > Score::Cp(20_000).as_cp());
        assert!(Score::Mate(-1).as_cp() < Score::Mate(-9).as_cp());
    }
}
