//! A chess clock.

use crate::model::Limit;
use std::time::Duration;

/// One player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    remaining_ms: u64,
    increment_ms: u64,
}

impl Clock {
    /// The clock of a limit that has one; `remaining_ms` where the game is resumed.
    #[must_use]
    pub fn new(limit: Limit, remaining_ms: Option<u64>) -> Option<Clock> {
        match limit {
            Limit::Clock { base_ms, increment_ms } => {
                Some(Clock { remaining_ms: remaining_ms.unwrap_or(base_ms), increment_ms })
            }
            Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime { .. } => None,
        }
    }

    /// Takes the time of a move, adds the increment, and says what is left.
    pub fn spend(&mut self, elapsed: Duration) -> u64 {
        let spent = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.remaining_ms = self.remaining_ms.saturating_sub(spent) + self.increment_ms;
        self.remaining_ms
    }

    /// What is left.
    #[must_use]
    pub fn remaining_ms(&self) -> u64 {
        self.remaining_ms
    }

    /// What each move adds.
    #[must_use]
    pub fn increment_ms(&self) -> u64 {
        self.increment_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_down_and_adds_the_increment() {
        let limit = Limit::Clock { base_ms: 1_000, increment_ms: 100 };
        let mut clock = Clock::new(limit, None).unwrap();
        assert_eq!(clock.spend(Duration::from_millis(300)), 800);
        assert_eq!(clock.spend(Duration::from_millis(900)), 100, "never below zero");
        assert_eq!(Clock::new(limit, Some(42)).unwrap().remaining_ms(), 42);
        assert_eq!(Clock::new(Limit::Depth(3), Some(42)), None);
    }
}
