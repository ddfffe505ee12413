//! How patient to be: with the line's speed, and with what lies between.

use std::time::Duration;

/// How patient to be on a transport (protocol, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Wait for the first answer.
    pub first_timeout: Duration,
    /// Never wait less than this.
    pub min_timeout: Duration,
    /// Silence that ends a drain.
    pub quiet: Duration,
}

impl Timing {
    /// TCP through a bridge on Wi-Fi, at 115200 baud behind it.
    pub const WIFI: Timing = Timing {
        first_timeout: Duration::from_millis(400),
        min_timeout: Duration::from_millis(200),
        quiet: Duration::from_millis(300),
    };
    /// A serial line at 115200 baud, or TCP that does not leave the machine.
    pub const WIRE: Timing = Timing {
        first_timeout: Duration::from_millis(60),
        min_timeout: Duration::from_millis(25),
        quiet: Duration::from_millis(25),
    };

    /// The first time-outs at 9600 baud.
    const SLOW_WIFI: Duration = Duration::from_millis(700);
    const SLOW_WIRE: Duration = Duration::from_millis(400);

    /// The same way with a line of this speed at its end. The time-out grows as the time of a bit does; a line that is faster than 115200
    /// baud wins nothing, as the board's own time is in it as well.
    pub(super) fn at(self, baud: u32) -> Timing {
        let slow = if self == Timing::WIRE { Timing::SLOW_WIRE } else { Timing::SLOW_WIFI };
        let bit = |baud: f64| 1.0 / baud;
        let share = (bit(f64::from(baud)) - bit(115_200.0)) / (bit(9600.0) - bit(115_200.0));
        let more = (slow - self.first_timeout).mul_f64(share.max(0.0));
        // Forty characters of eleven bits: a pause within a line is no silence.
        let quiet = Duration::from_secs_f64(40.0 * 11.0 / f64::from(baud));
        Timing {
            first_timeout: self.first_timeout + more,
            min_timeout: self.min_timeout,
            quiet: self.quiet.max(quiet),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_what_the_protocol_says_and_grows_with_the_time_of_a_bit() {
        assert_eq!(Timing::WIRE.at(115_200), Timing::WIRE);
        assert_eq!(Timing::WIFI.at(115_200), Timing::WIFI);
        assert_eq!(Timing::WIRE.at(1_000_000), Timing::WIRE);
        let ms = |timing: Timing| timing.first_timeout.as_secs_f64() * 1000.0;
        assert!((ms(Timing::WIRE.at(9600)) - 400.0).abs() < 1.0);
        assert!((ms(Timing::WIFI.at(9600)) - 700.0).abs() < 1.0);
        assert!((400.0..2000.0).contains(&ms(Timing::WIRE.at(4800))));
        assert!(Timing::WIRE.at(300).quiet > Duration::from_secs(1));
    }
}
