//! What a match tells of the difference in strength, and how sure it is.
//!
//! The two games of a pair, the same opening with the colours swapped, are not independent, so the
//! unit is the pair (the pentanomial model, as in fastchess, `app/src/matchmaking/elo/elo_pentanomial.cpp`):
//! with `p_i` the share of the pairs whose score is `s_i` (0, ¼, ½, ¾, 1),
//!
//! ```text
//! score     = sum p_i * s_i
//! variance  = sum p_i * (s_i - score)^2         of a pair
//! deviation = sqrt(variance / pairs)            of the score
//! Elo(s)    = -400 * log10(1 / s - 1)
//! error     = (Elo(score + z * deviation) - Elo(score - z * deviation)) / 2,  z = 1.95996 (95 %)
//! LOS       = (1 + erf((score - 1/2) / (sqrt(2) * deviation))) / 2
//! ```

/// Two-sided 95 % of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// The scores of a pair of games, from the first side's view: 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pairs(pub(crate) [u32; 5]);

/// A difference in Elo with its 95 % error bar; infinite where one side won every pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Elo {
    pub(crate) difference: f64,
    pub(crate) error: f64,
}

impl Pairs {
    /// Counts a pair by its half points.
    pub(crate) fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Points a game, from 0 to 1; one half where nothing has been played.
    pub(crate) fn score(&self) -> f64 {
        if self.count() == 0 { 0.5 } else { self.mean(|score| score) }
    }

    /// The standard deviation of [`Pairs::score`].
    fn deviation(&self) -> f64 {
        let score = self.score();
        let variance = self.mean(|pair| (pair - score) * (pair - score));
        (variance / f64::from(self.count())).sqrt()
    }

    fn mean(&self, value: impl Fn(f64) -> f64) -> f64 {
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        let sum: f64 = self.0.iter().zip(scores).map(|(&n, s)| f64::from(n) * value(s)).sum();
        sum / f64::from(self.count())
    }

    /// The first side's strength above the second's; none before there are two pairs.
    pub(crate) fn elo(&self) -> Option<Elo> {
        if self.count() < 2 {
            return None;
        }
        let (score, deviation) = (self.score(), self.deviation());
        let (low, high) = (elo_of(score - Z_95 * deviation), elo_of(score + Z_95 * deviation));
        Some(Elo { difference: elo_of(score), error: (high - low) / 2.0 })
    }

    /// The likelihood that the first side is the stronger one, from 0 to 1.
    pub(crate) fn superiority(&self) -> Option<f64> {
        if self.count() < 2 {
            return None;
        }
        let (ahead, deviation) = (self.score() - 0.5, self.deviation());
        if ahead == 0.0 {
            // Also where every pair was even, and nothing deviates.
            return Some(0.5);
        }
        Some((1.0 + erf(ahead / (deviation * std::f64::consts::SQRT_2))) / 2.0)
    }
}

/// The difference in Elo at which a side makes this score.
fn elo_of(score: f64) -> f64 {
    // A score beyond the ends has no difference; the ends have an infinite one.
    let score = score.clamp(0.0, 1.0);
    // Adding zero makes the minus zero of an even score a zero.
    -400.0 * (1.0 / score - 1.0).log10() + 0.0
}

/// The error function, by the series whose terms are all positive (DLMF 7.6.2).
fn erf(x: f64) -> f64 {
    if x.abs() > 6.0 {
        // Nearer to one than the next number.
        return x.signum();
    }
    let (mut term, mut sum, mut n) = (x, x, 0.0);
    while term.abs() > f64::EPSILON * sum.abs() {
        n += 1.0;
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn near(found: f64, wanted: f64, by: f64) {
        assert!((found - wanted).abs() <= by, "{found} instead of {wanted}");
    }

    /// By Python's `math.erf`.
    #[test]
    fn the_error_function_has_known_values() {
        for (x, wanted) in [
            (0.0, 0.0),
            (0.1, 0.112_462_916_018_284_89),
            (0.5, 0.520_499_877_813_046_5),
            (1.0, 0.842_700_792_949_714_9),
            (2.0, 0.995_322_265_018_952_7),
            (3.5, 0.999_999_256_901_627_7),
            (7.0, 1.0),
        ] {
            near(erf(x), wanted, 1e-14);
            near(erf(-x), -wanted, 1e-14);
        }
    }

    /// By Python, from the formulas above.
    #[test]
    fn matches_have_known_values() {
        for (counts, difference, error, superiority) in [
            ([34, 54, 63, 64, 75], 55.57978042044588, 27.65342950639345, 0.9999703930084313),
            ([100, 250, 700, 280, 120], 8.388005517168807, 8.813721280913695, 0.9690087344811007),
            ([3, 10, 20, 9, 2], -11.848986642720307, 48.569238077775125, 0.31502758883766147),
        ] {
            let pairs = Pairs(counts);
            let elo = pairs.elo().expect("pairs");
            near(elo.difference, difference, 1e-9);
            near(elo.error, error, 1e-9);
            near(pairs.superiority().expect("pairs"), superiority, 1e-12);
        }
    }

    #[test]
    fn extremes_are_told_as_what_they_are() {
        assert_eq!(Pairs::default().elo(), None);
        assert_eq!(Pairs([0, 1, 0, 0, 0]).superiority(), None);
        let even = Pairs([0, 0, 40, 0, 0]);
        assert_eq!(even.elo(), Some(Elo { difference: 0.0, error: 0.0 }));
        assert_eq!(even.superiority(), Some(0.5));
        let all = Pairs([0, 0, 0, 0, 40]);
        assert_eq!(all.elo().map(|elo| elo.difference), Some(f64::INFINITY));
        assert_eq!(all.superiority(), Some(1.0));
        let none = Pairs([40, 0, 0, 0, 0]);
        assert_eq!(none.elo().map(|elo| elo.difference), Some(f64::NEG_INFINITY));
        assert_eq!(none.superiority(), Some(0.0));
    }

    fn pairs() -> impl Strategy<Value = Pairs> {
        proptest::array::uniform5(0u32..2000).prop_map(Pairs).prop_filter(
            "two pairs that are not all won by one side",
            |pairs| {
                let [lost, .., won] = pairs.0;
                pairs.count() >= 2 && lost < pairs.count() && won < pairs.count()
            },
        )
    }

    proptest! {
        #[test]
        fn swapping_the_sides_negates(pairs in pairs()) {
            let mut counts = pairs.0;
            counts.reverse();
            let (one, other) = (pairs.elo().expect("pairs"), Pairs(counts).elo().expect("pairs"));
            near(one.difference, -other.difference, 1e-7);
            if one.error.is_finite() {
                near(one.error, other.error, 1e-6 * one.error.max(1.0));
            }
            let sum = pairs.superiority().expect("pairs") + Pairs(counts).superiority().expect("pairs");
            near(sum, 1.0, 1e-9);
        }

        #[test]
        fn more_of_the_same_narrows_the_error_bar_and_moves_nothing(pairs in pairs()) {
            let more = Pairs(pairs.0.map(|count| 4 * count));
            let (few, many) = (pairs.elo().expect("pairs"), more.elo().expect("pairs"));
            near(few.difference, many.difference, 1e-7);
            prop_assert!(many.error <= few.error);
            near(more.deviation() * 2.0, pairs.deviation(), 1e-12);
        }

        #[test]
        fn another_half_point_is_never_worse(pairs in pairs(), from in 0usize..4) {
            let mut better = pairs;
            prop_assume!(better.0[from] > 0);
            better.0[from] -= 1;
            better.0[from + 1] += 1;
            let difference = |pairs: Pairs| pairs.elo().expect("pairs").difference;
            prop_assert!(difference(better) > difference(pairs));
        }
    }

    /// The error bar is what it is said to be: the deviation of matches that are drawn again from
    /// the counts, not that of the formula.
    #[test]
    fn the_deviation_is_that_of_matches_drawn_again() {
        use rand::{RngExt as _, SeedableRng as _};
        const MATCHES: u32 = 2000;
        let mut chance = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        for counts in [[10, 40, 90, 45, 15], [1, 0, 3, 0, 60], [20, 0, 0, 0, 20]] {
            let pairs = Pairs(counts);
            let drawn: Vec<f64> = (0..MATCHES)
                .map(|_| {
                    let mut again = Pairs::default();
                    for _ in 0..pairs.count() {
                        let mut at = chance.random_range(0..pairs.count());
                        let mut half_points = 0;
                        while at >= counts[half_points] {
                            at -= counts[half_points];
                            half_points += 1;
                        }
                        again.add(half_points);
                    }
                    again.score()
                })
                .collect();
            let mean = drawn.iter().sum::<f64>() / f64::from(MATCHES);
            let variance =
                drawn.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / f64::from(MATCHES);
            near(variance.sqrt(), pairs.deviation(), 0.1 * pairs.deviation());
        }
    }
}
