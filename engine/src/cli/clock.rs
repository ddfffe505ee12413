//! What a `go` line allows a search.

use std::num::IntErrorKind;
use std::time::Duration;

use rookery_engine::{Limits, Params, Side};

/// Moves a game is expected to last yet.
const MOVES_TO_GO: u32 = 30;
/// Kept back for the way to the other program.
const MARGIN: Duration = Duration::from_millis(20);

/// The bounds of one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    pub(crate) limits: Limits,
    pub(crate) time: Option<Duration>,
    /// No move may be told before `stop`.
    pub(crate) infinite: bool,
}

impl Allowance {
    /// Read the words after `go`, in any order; beside it, what is wrong with words that were passed
    /// over. Without any the node budget is the only bound; a clock comes on top of it, and the other
    /// words take its place. Of several bounds the strictest counts.
    pub(crate) fn read(line: &str, side: Side, params: &Params) -> (Allowance, Vec<String>) {
        let (my_clock, my_increment) = match side {
            Side::White => ("wtime", "winc"),
            Side::Black => ("btime", "binc"),
        };
        let (mut nodes, mut depth, mut move_time, mut infinite) = (None, None, None, false);
        let (mut clock, mut increment, mut moves_to_go) = (None, Duration::ZERO, MOVES_TO_GO);
        let mut faults = Vec::new();
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            if word == "infinite" {
                infinite = true;
                continue;
            }
            let named = ["nodes", "depth", "movetime", "movestogo", my_clock, my_increment];
            if !named.contains(&word) {
                continue;
            }
            let Some(value) = words.peek().and_then(|text| number(text)) else {
                faults.push(format!("there is no number after {word}, which was passed over"));
                continue;
            };
            words.next();
            // A clock that has run out may be told as a negative number.
            let value = value.max(0) as u64;
            match word {
                "nodes" => nodes = Some(value.min(u32::MAX.into()) as u32),
                "depth" => depth = Some(value.clamp(1, u64::from(Params::DEEPEST) - 1) as u8 + 1),
                "movetime" => {
                    move_time = Some(Duration::from_millis(value).saturating_sub(MARGIN));
                }
                "movestogo" => moves_to_go = value.clamp(1, MOVES_TO_GO.into()) as u32,
                _ if word == my_clock => clock = Some(Duration::from_millis(value)),
                _ => increment = Duration::from_millis(value),
            }
        }
        let Limits { nodes: budget, depth: ceiling } = match (depth, move_time, infinite) {
            (None, None, false) => params.limits(),
            _ => Limits::NONE,
        };
        let limits = Limits { nodes: nodes.unwrap_or(budget), depth: depth.unwrap_or(ceiling) };
        let share = clock.map(|clock: Duration| {
            let share = clock / (moves_to_go + 1) + increment * 3 / 4;
            share.min(clock.saturating_sub(MARGIN))
        });
        let time = share.into_iter().chain(move_time).min();
        (Allowance { limits, time, infinite }, faults)
    }
}

/// A whole number; one that is too large for any bound is the largest.
pub(crate) fn number(text: &str) -> Option<i64> {
    text.parse().map_or_else(
        |error: std::num::ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => Some(i64::MAX),
            IntErrorKind::NegOverflow => Some(i64::MIN),
            _ => None,
        },
        Some,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(line: &str) -> Allowance {
        let (allowance, faults) = Allowance::read(line, Side::White, &Params::CLASSIC);
        assert_eq!(faults, [""; 0], "{line}");
        allowance
    }

    #[test]
    fn a_bare_go_has_the_budget() {
        assert_eq!(
            read(""),
            Allowance { limits: Params::CLASSIC.limits(), time: None, infinite: false }
        );
        assert_eq!(read("ponder what"), read(""));
    }

    #[test]
    fn each_word_bounds_the_search() {
        assert_eq!(read("nodes 5000").limits.nodes, 5000);
        assert_eq!(read("depth 6").limits, Limits { nodes: u32::MAX, depth: 7 });
        assert_eq!(read("movetime 1020").time, Some(Duration::from_secs(1)));
        assert!(read("infinite").infinite);
        assert_eq!(
            read("wtime 31000 btime 1 winc 1000 binc 0").time,
            Some(Duration::from_millis(1750))
        );
        assert_eq!(read("wtime -5 btime 1").time, Some(Duration::ZERO));
        assert_eq!(read("wtime 60000 movestogo 1").time, Some(Duration::from_secs(30)));
        assert_eq!(read("movetime 40 wtime 31000").time, Some(MARGIN));
    }

    #[test]
    fn a_number_beyond_all_bounds_is_the_largest() {
        let huge = "9".repeat(40);
        assert_eq!(read(&format!("nodes {huge} depth {huge}")).limits, Limits::NONE);
        assert_eq!(read(&format!("wtime -{huge}")).time, Some(Duration::ZERO));
        let clock = format!("wtime {huge} winc {huge} movestogo 1");
        assert!(read(&clock).time > Some(Duration::from_secs(1 << 40)));
        assert!(read(&format!("movetime {huge}")).time > Some(Duration::from_secs(1 << 40)));
    }

    #[test]
    fn a_word_without_its_number_is_told_and_takes_nothing_else_away() {
        for (line, wanted, same) in [
            ("movetime infinite", "movetime", "infinite"),
            ("depth nodes 70", "depth", "nodes 70"),
            ("nodes 7e4 depth 3", "nodes", "depth 3"),
            ("wtime", "wtime", ""),
        ] {
            let (allowance, faults) = Allowance::read(line, Side::White, &Params::CLASSIC);
            assert_eq!(allowance, read(same), "{line}");
            assert!(faults.len() == 1 && faults[0].contains(wanted), "{line}: {faults:?}");
        }
    }

    proptest! {
        #[test]
        fn the_order_of_the_words_does_not_matter(
            words in prop::collection::btree_map(
                "nodes|depth|movetime|movestogo|wtime|winc|btime|binc|infinite|mate", "-?[0-9]{1,22}", 0..8,
            ).prop_map(|words| words.into_iter().collect::<Vec<_>>()).prop_shuffle(),
        ) {
            let line = |words: &[(String, String)]| -> String {
                let part = |(name, number): &(String, String)| match name.as_str() {
                    "infinite" => "infinite ".to_owned(),
                    _ => format!("{name} {number}\t"),
                };
                words.iter().map(part).collect()
            };
            let mut sorted = words.clone();
            sorted.sort();
            prop_assert_eq!(read(&line(&words)), read(&line(&sorted)));
        }
    }
}
