//! The retransmission time-out: RFC 6298, with the bounds of the protocol's section 8.

use crate::link::transport::Timing;
use std::time::Duration;

/// Never wait longer than this.
const CEILING: Duration = Duration::from_secs(5);
/// Doublings at most. There is one line under way and nobody to make room for: waiting ever longer would only let a link that is well
/// again look dead.
const BACKOFF: u32 = 3;

/// Measured round trip and what follows from it.
#[derive(Clone, Debug)]
pub struct RoundTrip {
    timing: Timing,
    smoothed: Option<Duration>,
    variation: Duration,
    backoff: u32,
}

impl RoundTrip {
    /// Nothing measured yet.
    #[must_use]
    pub(crate) fn new(timing: Timing) -> RoundTrip {
        RoundTrip { timing, smoothed: None, variation: Duration::ZERO, backoff: 0 }
    }

    /// A line that was sent once has been answered after `sample`. (Karn: the answer to a line that was sent twice says nothing.)
    pub(crate) fn measured(&mut self, sample: Duration) {
        self.backoff = 0;
        match self.smoothed {
            None => {
                self.smoothed = Some(sample);
                self.variation = sample / 2;
            }
            Some(smoothed) => {
                self.variation = self.variation * 3 / 4 + smoothed.abs_diff(sample) / 4;
                self.smoothed = Some(smoothed * 7 / 8 + sample / 8);
            }
        }
    }

    /// A line was not answered in time: wait longer for the next.
    pub(crate) fn timed_out(&mut self) {
        self.backoff = (self.backoff + 1).min(BACKOFF);
    }

    /// How long to wait for an answer.
    #[must_use]
    pub(crate) fn timeout(&self) -> Duration {
        (self.base() * 2u32.pow(self.backoff)).min(CEILING)
    }

    /// The same before any time-out.
    #[must_use]
    pub(crate) fn base(&self) -> Duration {
        let base = match self.smoothed {
            None => self.timing.first_timeout,
            Some(smoothed) => (smoothed + self.variation * 4).max(self.timing.min_timeout),
        };
        base.min(CEILING)
    }

    /// The smoothed round trip.
    #[must_use]
    pub(crate) fn smoothed(&self) -> Option<Duration> {
        self.smoothed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_rfc_6298() {
        let mut rtt = RoundTrip::new(Timing::WIFI);
        assert_eq!(rtt.timeout(), Duration::from_millis(400));
        rtt.measured(Duration::from_millis(100));
        assert_eq!(rtt.timeout(), Duration::from_millis(300), "R + 4 * R/2");
        for _ in 0..100 {
            rtt.measured(Duration::from_millis(100));
        }
        assert_eq!(rtt.timeout(), Duration::from_millis(200), "the floor");
        rtt.timed_out();
        rtt.timed_out();
        assert_eq!(rtt.timeout(), Duration::from_millis(800));
        for _ in 0..20 {
            rtt.timed_out();
        }
        assert_eq!(rtt.timeout(), Duration::from_millis(1600), "three doublings");
        assert_eq!(rtt.base(), Duration::from_millis(200));
        rtt.measured(Duration::from_millis(100));
        assert_eq!(rtt.timeout(), Duration::from_millis(200));
        for _ in 0..20 {
            rtt.measured(Duration::from_secs(7));
        }
        assert_eq!(rtt.timeout(), Duration::from_secs(5), "the ceiling");
    }
}
