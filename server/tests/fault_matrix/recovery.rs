//! How long a link was out of session, from what the store has of it.

use crate::run_support::Place;
use std::{fmt, time::Duration};

/// The times from the loss of a session to the next one.
#[derive(Debug, Default)]
pub(crate) struct Recoveries {
    times: Vec<Duration>,
    /// The last loss has no session behind it.
    pub(crate) open: bool,
}

impl Recoveries {
    pub(crate) fn of(place: &Place) -> Recoveries {
        let (mut found, mut lost) = (Recoveries::default(), None);
        for row in place.sql("SELECT kind, at FROM link_events ORDER BY id") {
            let (kind, at) = row.split_once('|').expect("two columns");
            let at: i64 = at.parse().expect("a time");
            match kind {
                "drained" | "disconnected" | "rebooted" => lost = lost.or(Some(at)),
                // A server that was killed has not written down how it lost the link.
                "connected" => lost = lost.or(Some(at)),
                "synced" => {
                    if let Some(since) = lost.take() {
                        found
                            .times
                            .push(Duration::from_millis(u64::try_from(at - since).unwrap_or(0)));
                    }
                }
                _ => {}
            }
        }
        // The end of the run is a loss as well.
        let over = "SELECT count(*) FROM link_events e, games g WHERE e.kind = 'synced' AND g.ended_at IS NULL";
        found.open = lost.is_some() && place.count(over) > 0;
        found.times.sort();
        found
    }

    /// The median, the lower of two.
    pub(crate) fn typical(&self) -> Duration {
        let middle = self.times.len().saturating_sub(1) / 2;
        self.times.get(middle).copied().unwrap_or_default()
    }

    pub(crate) fn longest(&self) -> Duration {
        self.times.last().copied().unwrap_or_default()
    }
}

impl fmt::Display for Recoveries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.times.len() {
            0 => write!(f, "never out of session"),
            count => write!(
                f,
                "{count} times out of session; back within {:.2} s (median), {:.2} s (longest)",
                self.typical().as_secs_f64(),
                self.longest().as_secs_f64()
            ),
        }
    }
}
