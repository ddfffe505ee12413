//! What goes wrong in the loader itself: how often, by seeded chance.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::list;
use crate::rom::Mishap;

/// How many kinds there are.
pub(crate) const MISHAPS: usize = Mishap::ALL.len();

/// The rate of `all`: of the commands, or of the erases.
const RATE_OF_ALL: f64 = 0.05;

/// How often each kind strikes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MishapRates([f64; MISHAPS]);

impl MishapRates {
    /// Reads `none`, `all` and KIND=RATE, joined by commas; what comes later wins.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let profiles = [("none", [0.0; MISHAPS]), ("all", [RATE_OF_ALL; MISHAPS])];
        list::parse(text, Mishap::ALL.map(Mishap::name), &profiles).map(Self)
    }

    /// How often this kind strikes.
    #[cfg(test)]
    pub(crate) const fn of(&self, mishap: Mishap) -> f64 {
        self.0[mishap as usize]
    }
}

/// Rates with chance.
#[derive(Debug)]
pub(crate) struct Mishaps {
    rates: MishapRates,
    /// One for each kind, so that one does not shift another.
    chances: [ChaCha8Rng; MISHAPS],
}

impl Mishaps {
    pub(crate) fn new(rates: MishapRates, seed: u64) -> Self {
        let chances = std::array::from_fn(|kind| {
            let mut chance = ChaCha8Rng::seed_from_u64(seed);
            // Behind those of the streams.
            chance.set_stream(6 + kind as u64);
            chance
        });
        Self { rates, chances }
    }

    pub(crate) fn strikes(&mut self, mishap: Mishap) -> bool {
        let kind = mishap as usize;
        self.chances[kind].random_bool(self.rates.0[kind])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_as_those_of_the_link() {
        let rates = MishapRates::parse("all, nack=0.5,ack-lost=0").expect("rates");
        assert_eq!(Mishap::ALL.map(|mishap| rates.of(mishap)), [0.5, RATE_OF_ALL, 0.0]);
        let error = MishapRates::parse("lose=1").expect_err("no such kind");
        assert_eq!(error, "`lose` is no kind of fault; there are nack, abort-erase, ack-lost");
        let error = MishapRates::parse("heavy").expect_err("no such profile");
        assert_eq!(error, "`heavy` is neither none, all nor KIND=RATE");
    }

    #[test]
    fn the_seed_decides() {
        let rates = MishapRates::parse("nack=0.5").expect("rates");
        let draw = |seed| {
            let mut mishaps = Mishaps::new(rates, seed);
            (0..64).map(|_| mishaps.strikes(Mishap::Nack)).collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        let mut mishaps = Mishaps::new(rates, 1);
        assert!((0..64).all(|_| !mishaps.strikes(Mishap::AckLost)));
    }
}
