//! What a `go` line allows a search.

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
    /// Read the words after `go`. Without any the node budget is the only bound; a clock comes on
    /// top of it, and the other words take its place.
    pub(crate) fn read(line: &str, side: Side, params: &Params) -> Allowance {
        let mut words = line.split_whitespace();
        let mut allowance = Allowance { limits: params.limits(), time: None, infinite: false };
        let (mut clock, mut increment, mut moves_to_go) = (None, Duration::ZERO, MOVES_TO_GO);
        let (my_clock, my_increment) = match side {
            Side::White => ("wtime", "winc"),
            Side::Black => ("btime", "binc"),
        };
        while let Some(word) = words.next() {
            if word == "infinite" {
                allowance = Allowance { limits: Limits::NONE, infinite: true, ..allowance };
                continue;
            }
            let named = ["nodes", "depth", "movetime", "movestogo", my_clock, my_increment];
            if !named.contains(&word) {
                continue;
            }
            // A clock that has run out may be told as a negative number.
            let Some(number) = words.next().and_then(|number| number.parse::<i64>().ok()) else {
                continue;
            };
            let number = number.max(0) as u64;
            match word {
                "nodes" => allowance.limits.nodes = number.min(u32::MAX.into()) as u32,
                "depth" => {
                    let beyond = number.clamp(1, 97) as u8 + 1;
                    allowance.limits = Limits { nodes: u32::MAX, depth: beyond };
                }
                "movetime" => {
                    allowance.limits = Limits::NONE;
                    allowance.time = Some(Duration::from_millis(number).saturating_sub(MARGIN));
                }
                "movestogo" => moves_to_go = number.clamp(1, MOVES_TO_GO.into()) as u32,
                _ if word == my_clock => clock = Some(Duration::from_millis(number)),
                _ => increment = Duration::from_millis(number),
            }
        }
        if let Some(clock) = clock {
            let share = clock / (moves_to_go + 1) + increment * 3 / 4;
            allowance.time = Some(share.min(clock.saturating_sub(MARGIN)));
        }
        allowance
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Allowance {
        Allowance::read(line, Side::White, &Params::CLASSIC)
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
    }
}
