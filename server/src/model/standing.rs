//! What a score says about two players' strength. Pure.
//!
//! The formulas are those of match tools (cutechess, fastchess), so that figures can be compared. A game gives 0, 1/2 or 1 point; with
//! `s` the mean, `v` the variance and `n` the number of samples, the error of the mean is `e = sqrt(v / n)`. Where each opening is played
//! from both sides, a sample is a pair of games and counts half the pair's points: the opening's own advantage is then no noise (the
//! *pentanomial* model: a pair has one of five scores). Otherwise a sample is a game (*trinomial*).
//!
//! - Elo difference: `-400 log10(1 / s - 1)`, the logistic curve of A. Elo. Its error is half the difference between the values at
//!   `s + 1.96 e` and `s - 1.96 e`: a 95 % interval.
//! - Normalized Elo (M. Van den Bergh): `(s - 1/2) / sigma · 800 / ln 10`, where `sigma` is a game's standard deviation. It says how
//!   soon a difference shows, whatever the share of draws is.
//! - LOS, the likelihood of superiority: the chance that the first player is the stronger one, `Phi((s - 1/2) / e)` with the normal
//!   distribution's `Phi`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The quantile of the normal distribution for 95 %.
const Z95: f64 = 1.959_963_984_540_054;

/// What a run's score says, from its first player's side. Figures that so few games do not bear are not given.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct Standing {
    /// Points of those that could be won, in percent.
    pub score: Option<f64>,
    /// Draws among the games with a result, in percent.
    pub draws: Option<f64>,
    /// The difference in Elo.
    pub elo: Option<Estimate>,
    /// The difference in normalized Elo.
    pub normalized: Option<Estimate>,
    /// The chance that the first player is the stronger one, in percent.
    pub los: Option<f64>,
    /// Pairs of games of one opening from both sides by their points: 0, 1/2, 1, 1 1/2, 2. Nothing where colours do not alternate.
    pub pairs: Option<[u32; 5]>,
}

/// A figure and half its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Half the 95 % interval.
    pub error: f64,
}

impl Standing {
    /// Of so many games won, lost and drawn, and of the pairs among them.
    #[must_use]
    pub fn new(wins: u32, losses: u32, draws: u32, pairs: Option<[u32; 5]>) -> Standing {
        let games = f64::from(wins + losses + draws);
        if games == 0.0 {
            return Standing { pairs, ..Standing::default() };
        }
        let [w, l, d] = [wins, losses, draws].map(f64::from);
        let sample = match pairs.filter(|pairs| pairs.iter().sum::<u32>() > 0) {
            Some(pairs) => Sample::of(&pairs.map(f64::from), 2.0),
            None => Sample::of(&[l, d, w], 1.0),
        };
        Standing {
            score: Some(100.0 * (w + d / 2.0) / games),
            draws: Some(100.0 * d / games),
            elo: sample.and_then(Sample::elo),
            normalized: sample.map(Sample::normalized),
            los: sample.map(Sample::los),
            pairs,
        }
    }
}

/// What was sampled: the mean score, its error, and a game's standard deviation.
#[derive(Clone, Copy)]
struct Sample {
    mean: f64,
    error: f64,
    sigma: f64,
}

impl Sample {
    /// `counts` of scores from none to all in equal steps; each is of so many games. Nothing where all are the same: that says nothing
    /// about how sure it is.
    fn of(counts: &[f64], games: f64) -> Option<Sample> {
        let n: f64 = counts.iter().sum();
        let steps = (counts.len() - 1) as f64;
        let scores = || counts.iter().enumerate().map(|(i, count)| (i as f64 / steps, count));
        let mean = scores().map(|(score, count)| score * count).sum::<f64>() / n;
        let variance =
            scores().map(|(score, count)| count * (score - mean).powi(2)).sum::<f64>() / n;
        let sample =
            Sample { mean, error: (variance / n).sqrt(), sigma: (games * variance).sqrt() };
        (variance > 0.0).then_some(sample)
    }

    fn elo(self) -> Option<Estimate> {
        let elo = |score: f64| -400.0 * (1.0 / score - 1.0).log10();
        let (low, high) = (self.mean - Z95 * self.error, self.mean + Z95 * self.error);
        // An interval without a bound is no figure.
        (low > 0.0 && high < 1.0)
            .then(|| Estimate { value: elo(self.mean), error: (elo(high) - elo(low)) / 2.0 })
    }

    fn normalized(self) -> Estimate {
        let unit = 800.0 / std::f64::consts::LN_10 / self.sigma;
        Estimate { value: (self.mean - 0.5) * unit, error: Z95 * self.error * unit }
    }

    fn los(self) -> f64 {
        let sigmas = (self.mean - 0.5) / self.error;
        50.0 * libm::erfc(-sigmas / std::f64::consts::SQRT_2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.006, "{value} is not {expected}");
    }

    /// The figures were counted by hand from the formulas, to two places.
    #[test]
    fn games_alone_are_counted_as_match_tools_do() {
        let all = Standing::new(60, 20, 20, None);
        near(all.score.unwrap(), 70.0);
        near(all.draws.unwrap(), 20.0);
        // v = 0.6 · 0.09 + 0.2 · 0.04 + 0.2 · 0.49 = 0.16, e = 0.04.
        let elo = all.elo.unwrap();
        near(elo.value, 147.19);
        near(elo.error, 66.01);
        near(all.normalized.unwrap().value, 173.72);
        near(all.los.unwrap(), 100.0);
        let level = Standing::new(10, 10, 5, None);
        near(level.elo.unwrap().value, 0.0);
        near(level.los.unwrap(), 50.0);
        assert_eq!(level.pairs, None);
    }

    #[test]
    fn an_openings_own_advantage_is_no_noise_among_pairs() {
        // White won every game but one that was drawn: as games half of all is chance, as pairs hardly anything is.
        let pairs = Standing::new(10, 9, 1, Some([0, 0, 9, 1, 0]));
        let games = Standing::new(10, 9, 1, None);
        assert!(pairs.elo.unwrap().error < games.elo.unwrap().error / 3.0);
        near(pairs.elo.unwrap().value, games.elo.unwrap().value);
        // s = 0.525, v = 0.1 · 0.225² + 0.9 · 0.025² = 0.005625, e = 0.0237: 1.054 sigma.
        near(pairs.los.unwrap(), 85.41);
        near(pairs.normalized.unwrap().value, 0.025 / 0.011_25_f64.sqrt() * 347.435_6);
    }

    #[test]
    fn too_few_games_give_no_figure() {
        assert_eq!(Standing::new(0, 0, 0, None), Standing::default());
        for (w, l, d) in [(3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 0, 0), (1, 1, 0)] {
            let standing = Standing::new(w, l, d, None);
            assert_eq!(standing.elo, None, "{w} {l} {d}");
            assert!(standing.score.is_some());
        }
        let unpaired = Standing::new(1, 0, 0, Some([0; 5]));
        assert_eq!((unpaired.score, unpaired.los), (Some(100.0), None));
    }
}
