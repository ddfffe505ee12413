//! What an engine is asked, and what it answers.

use super::{
    error::EngineFailure,
    info::{Bound, Info},
};
use crate::model::Limit;
use std::{fmt::Write as _, time::Duration};
use tokio_util::sync::CancellationToken;

/// The `go` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// `go nodes N`
    Nodes(u64),
    /// `go depth N`
    Depth(u32),
    /// `go movetime MS`
    MoveTime {
        /// Milliseconds.
        ms: u64,
    },
    /// `go wtime … btime … winc … binc …`, all in milliseconds.
    Clock {
        /// On White's clock.
        wtime: u64,
        /// On Black's clock.
        btime: u64,
        /// White's increment.
        winc: u64,
        /// Black's increment.
        binc: u64,
    },
}

impl Go {
    /// The command for a limit that needs no clocks.
    #[must_use]
    pub fn fixed(limit: Limit) -> Option<Go> {
        match limit {
            Limit::Nodes(n) => Some(Go::Nodes(n)),
            Limit::Depth(n) => Some(Go::Depth(n)),
            Limit::MoveTime { ms } => Some(Go::MoveTime { ms }),
            Limit::Clock { .. } => None,
        }
    }
}

/// One think.
#[derive(Clone, Copy, Debug)]
pub struct Think<'a> {
    /// The position before `moves`.
    pub start_fen: &'a str,
    /// The moves from there, in UCI notation: the engine gets the whole game each time.
    pub moves: &'a [String],
    /// The limit.
    pub go: Go,
    /// The mover has lost on time when no answer came within this. A deadline beyond `watchdog` has no effect.
    pub deadline: Option<Duration>,
    /// The engine counts as hung, in every mode, when no answer came within this.
    pub watchdog: Duration,
    /// Ends the think.
    pub cancel: &'a CancellationToken,
}

impl Think<'_> {
    /// Writes `position` and `go`, both whole.
    pub(super) fn write_commands(&self, out: &mut String) -> Result<(), EngineFailure> {
        out.clear();
        out.push_str("position fen ");
        out.push_str(self.start_fen);
        if !self.moves.is_empty() {
            out.push_str(" moves");
        }
        for mv in self.moves {
            out.push(' ');
            out.push_str(mv);
        }
        if out.bytes().any(|b| b.is_ascii_control()) {
            return Err(EngineFailure::BadRequest("the position contains control characters"));
        }
        let written = match self.go {
            Go::Nodes(n) => writeln!(out, "\ngo nodes {n}"),
            Go::Depth(n) => writeln!(out, "\ngo depth {n}"),
            Go::MoveTime { ms } => writeln!(out, "\ngo movetime {ms}"),
            Go::Clock { wtime, btime, winc, binc } => {
                writeln!(out, "\ngo wtime {wtime} btime {btime} winc {winc} binc {binc}")
            }
        };
        written.expect("a String takes any text");
        Ok(())
    }
}

/// What came of a think. Whether it is a move is for [`interpret`](super::interpret) to say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The `bestmove` line as it came.
    pub raw: String,
    /// The word after `bestmove`.
    pub text: Option<String>,
    /// The word after `ponder`.
    pub ponder: Option<String>,
    /// The last `info` line of the best line that has a score: an exact one where there was any, else a bound.
    pub last: Option<Info>,
    /// With the option `MultiPV`: the last line of each of the others, the second best first.
    pub others: Vec<Info>,
    /// Nodes, by the latest line that says so.
    pub nodes: Option<u64>,
    /// Milliseconds, by the latest line that says so.
    pub time_ms: Option<u64>,
    /// From just before the command was written until the answer was read.
    pub elapsed: Duration,
    /// What was odd since the last answer.
    pub warnings: Vec<String>,
}

/// The part of an [`Answer`] that `info` lines give.
#[derive(Debug, Default)]
pub(super) struct Opinion {
    pub(super) last: Option<Info>,
    pub(super) others: Vec<Info>,
    pub(super) nodes: Option<u64>,
    pub(super) time_ms: Option<u64>,
}

impl Opinion {
    pub(super) fn add(&mut self, info: Info) {
        self.nodes = info.nodes.or(self.nodes);
        self.time_ms = info.time_ms.or(self.time_ms);
        if let Some(place) = info.multipv.and_then(|n| n.checked_sub(2)) {
            self.add_other(place as usize, info);
            return;
        }
        let had_exact = self.last.as_ref().is_some_and(|l| l.bound == Bound::Exact);
        if info.is_best_line() && info.score.is_some() && (info.bound == Bound::Exact || !had_exact)
        {
            self.last = Some(info);
        }
    }

    /// An engine has no more lines than a position has moves; what comes beyond that, or out of turn, is noise.
    fn add_other(&mut self, place: usize, info: Info) {
        const MOST: usize = 255;
        if info.score.is_none() || info.pv.is_empty() || place >= MOST {
            return;
        }
        let next = self.others.len();
        match self.others.get_mut(place) {
            Some(other) if info.bound == Bound::Exact || other.bound != Bound::Exact => {
                *other = info;
            }
            None if place == next => self.others.push(info),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Score;

    fn commands(moves: &[&str], go: Go) -> Result<String, EngineFailure> {
        let moves: Vec<String> = moves.iter().map(|m| (*m).to_owned()).collect();
        let cancel = CancellationToken::new();
        let mut out = "left over".to_owned();
        Think {
            start_fen: "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1",
            moves: &moves,
            go,
            deadline: None,
            watchdog: Duration::from_secs(1),
            cancel: &cancel,
        }
        .write_commands(&mut out)
        .map(|()| out)
    }

    #[test]
    fn every_go_follows_the_whole_position() {
        let clock = Go::Clock { wtime: 1, btime: 2, winc: 3, binc: 4 };
        for (moves, go, expected) in [
            (&[][..], Go::Nodes(5), "\ngo nodes 5\n"),
            (&["e6d6", "e3d4"][..], Go::Depth(6), " moves e6d6 e3d4\ngo depth 6\n"),
            (&[][..], Go::MoveTime { ms: 7 }, "\ngo movetime 7\n"),
            (&[][..], clock, "\ngo wtime 1 btime 2 winc 3 binc 4\n"),
        ] {
            let text = commands(moves, go).unwrap();
            let position = "position fen 8/8/4k3/8/4P3/4K3/8/8 b - - 0 1";
            assert_eq!(text, format!("{position}{expected}"));
        }
    }

    #[test]
    fn a_move_cannot_smuggle_a_command() {
        let refused = commands(&["e6d6\nquit"], Go::Nodes(1));
        assert!(matches!(refused, Err(EngineFailure::BadRequest(_))));
    }

    #[test]
    fn limits_without_a_clock() {
        assert_eq!(Go::fixed(Limit::Nodes(3)), Some(Go::Nodes(3)));
        assert_eq!(Go::fixed(Limit::Depth(3)), Some(Go::Depth(3)));
        assert_eq!(Go::fixed(Limit::MoveTime { ms: 3 }), Some(Go::MoveTime { ms: 3 }));
        assert_eq!(Go::fixed("tc=1+1".parse().unwrap()), None);
    }

    #[test]
    fn every_line_is_kept_as_it_came_last() {
        let mut opinion = Opinion::default();
        for line in [
            "depth 1 multipv 1 score cp 5 pv e2e4",
            "depth 1 multipv 2 score cp 3 pv d2d4",
            "depth 1 multipv 4 score cp 1 pv a2a3",
            "depth 2 multipv 2 score cp 4 lowerbound pv c2c4",
            "depth 2 multipv 3 score cp 2 pv g1f3",
            "depth 2 multipv 2 score cp 2 pv c2c4",
            "depth 3 multipv 3 score cp 9",
            "depth 3 multipv 4000000000 score cp 9 pv a2a3",
        ] {
            opinion.add(Info::parse(line));
        }
        let lines: Vec<_> = opinion.others.iter().map(|l| (l.pv.as_str(), l.score)).collect();
        assert_eq!(lines, [("c2c4", Some(Score::Cp(2))), ("g1f3", Some(Score::Cp(2)))]);
        assert_eq!(opinion.last.map(|l| l.pv).as_deref(), Some("e2e4"));
    }

    #[test]
    fn an_exact_score_of_the_best_line_is_the_opinion() {
        let mut opinion = Opinion::default();
        let mut after = |line: &str| {
            opinion.add(Info::parse(line));
            (opinion.last.as_ref().and_then(|l| l.score), opinion.nodes)
        };
        let cp = |n| Some(Score::Cp(n));
        assert_eq!(after("depth 1 score cp 5 lowerbound nodes 10"), (cp(5), Some(10)));
        assert_eq!(after("depth 1 score cp 7 nodes 20"), (cp(7), Some(20)));
        assert_eq!(after("depth 2 score cp 9 lowerbound nodes 30"), (cp(7), Some(30)));
        assert_eq!(after("depth 2 multipv 2 score cp 1 nodes 40"), (cp(7), Some(40)));
        assert_eq!(after("depth 2 currmove e2e4"), (cp(7), Some(40)));
        assert_eq!(after("depth 2 multipv 1 score mate 3"), (Some(Score::Mate(3)), Some(40)));
    }
}
