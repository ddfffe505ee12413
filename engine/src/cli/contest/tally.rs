//! What a match has come to.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashSet};
use std::hash::{Hash as _, Hasher as _};

use rookery_engine::Side;

use super::elo::Pairs;
use super::game::Played;

/// The two games of an opening: in the first one the first side is White.
pub(crate) type Pair = [Played; 2];

/// The sum of all pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) pairs: Pairs,
    pub(crate) wins: u32,
    pub(crate) draws: u32,
    pub(crate) losses: u32,
    pub(crate) ends: BTreeMap<&'static str, u32>,
    pub(crate) plies: u64,
    pub(crate) nodes: u64,
    pub(crate) stopped: u32,
    /// Fingerprints of the games that have been, with their openings.
    distinct: HashSet<u64>,
}

/// What the two games of a pair brought the first side.
pub(crate) fn half_points(pair: &Pair) -> [usize; 2] {
    [pair[0].half_points(Side::White), pair[1].half_points(Side::Black)]
}

impl Tally {
    pub(crate) fn add(&mut self, opening: &str, pair: &Pair) {
        let points = half_points(pair);
        self.pairs.add(points.iter().sum());
        for (played, points) in pair.iter().zip(points) {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
            *self.ends.entry(played.end.name()).or_default() += 1;
            self.plies += played.moves.len() as u64;
            self.nodes += played.nodes;
            self.stopped += played.stopped;
            let mut hasher = DefaultHasher::new();
            (opening, &played.moves).hash(&mut hasher);
            self.distinct.insert(hasher.finish());
        }
    }

    pub(crate) fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// How many games are not the same as another: where the parameters make no difference, the
    /// second game of a pair is the first one again.
    pub(crate) fn distinct(&self) -> usize {
        self.distinct.len()
    }

    pub(crate) fn nodes_a_move(&self) -> u64 {
        self.nodes / self.plies.max(1)
    }

    /// The score, and what it says, in a line.
    pub(crate) fn line(&self) -> String {
        let mut line = format!(
            "+{} ={} -{}, {:.2} %",
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.pairs.score()
        );
        if let (Some(elo), Some(superiority)) = (self.pairs.elo(), self.pairs.superiority()) {
            line.push_str(&format!(
                ", Elo {:+.1} ± {:.1}, LOS {:.1} %",
                elo.difference,
                elo.error,
                100.0 * superiority
            ));
        }
        line
    }
}
