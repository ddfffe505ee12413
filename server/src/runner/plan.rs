//! What of a run is left to be played, and who gets it.

use crate::model::{BoardId, GameRecord};
use std::{
    collections::{BTreeSet, VecDeque},
    ops::RangeInclusive,
};

/// A game to be played.
pub(super) enum Job {
    New(u32),
    Resume(Box<GameRecord>),
}

/// More than anybody waits for.
const ENDLESS: u32 = 2_000_000_000;

/// What is left to be played.
#[derive(Default)]
pub(super) struct Plan {
    /// Interrupted games.
    interrupted: VecDeque<GameRecord>,
    /// Numbers of games that have not begun.
    fresh: VecDeque<RangeInclusive<u32>>,
}

impl Plan {
    /// `begun` are the numbers that are used up; no `games` are games without end.
    pub(super) fn new(interrupted: Vec<GameRecord>, begun: &BTreeSet<u32>, games: u32) -> Plan {
        let games = if games == 0 { ENDLESS } else { games };
        let mut fresh = VecDeque::new();
        let mut next = 1;
        for &number in begun.range(..=games).chain(std::iter::once(&(games + 1))) {
            if next < number {
                fresh.push_back(next..=number - 1);
            }
            next = number + 1;
        }
        Plan { interrupted: interrupted.into(), fresh }
    }

    pub(super) fn len(&self) -> usize {
        let count = |range: &RangeInclusive<u32>| (range.end() - range.start()) as usize + 1;
        self.interrupted.len() + self.fresh.iter().map(count).sum::<usize>()
    }

    pub(super) fn clear(&mut self) {
        *self = Plan::default();
    }

    /// Whether an interrupted game waits for a seat.
    pub(super) fn has_interrupted(&self, board: Option<BoardId>) -> bool {
        self.interrupted.iter().any(|game| game.game.board_id == board)
    }

    /// The boards on which a game was interrupted.
    pub(super) fn interrupted_boards(&self) -> BTreeSet<BoardId> {
        self.interrupted.iter().filter_map(|game| game.game.board_id).collect()
    }

    /// The next game for a seat: an interrupted one of its own board before others. With `finish` no game is begun.
    pub(super) fn next(&mut self, board: Option<BoardId>, finish: bool) -> Option<Job> {
        let own = self.interrupted.iter().position(|game| game.game.board_id == board);
        if let Some(game) = own.and_then(|place| self.interrupted.remove(place)) {
            return Some(Job::Resume(Box::new(game)));
        }
        if let Some(range) = self.fresh.front_mut().filter(|_| !finish) {
            let number = range.next();
            if range.is_empty() {
                self.fresh.pop_front();
            }
            return number.map(Job::New);
        }
        self.interrupted.pop_front().map(|game| Job::Resume(Box::new(game)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fresh(begun: &[u32], games: u32) -> Vec<u32> {
        let begun = begun.iter().copied().collect();
        let mut plan = Plan::new(Vec::new(), &begun, games);
        let wanted = plan.len();
        let numbers: Vec<u32> = std::iter::from_fn(|| match plan.next(None, false) {
            Some(Job::New(number)) => Some(number),
            _ => None,
        })
        .collect();
        assert_eq!(numbers.len(), wanted);
        numbers
    }

    #[test]
    fn every_number_is_played_once() {
        assert_eq!(fresh(&[], 3), [1, 2, 3]);
        assert_eq!(fresh(&[1, 2], 4), [3, 4]);
        assert_eq!(fresh(&[2, 3], 5), [1, 4, 5]);
        assert_eq!(fresh(&[1, 2, 3], 3), [] as [u32; 0]);
        assert_eq!(fresh(&[1, 9], 2), [2], "the run was longer once");
        assert!(Plan::new(Vec::new(), &BTreeSet::new(), 0).len() > 1_000_000_000, "no end");
    }
}
