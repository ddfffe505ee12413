//! Faults of the link: which there are, how often they strike, and what has struck.
//!
//! Knows bytes, lines and chance, and nothing of sockets or clocks: [`lane::Lane`] turns what one
//! end says into what the other hears, from a seed; [`stream::Stream`] does it where there are no
//! lines, and [`mishaps::Mishaps`] are the loader's own.

pub(crate) mod lane;
mod list;
pub(crate) mod log;
pub(crate) mod mishaps;
pub(crate) mod stream;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Lose,
    Run,
    DupBytes,
    DupLine,
    Merge,
    Split,
    Pause,
    Flip7,
    Flip8,
    Swap,
    Echo,
    Stall,
    Drop,
    Reboot,
    Silence,
}

/// How many kinds there are.
pub(crate) const KINDS: usize = 15;

impl Kind {
    pub(crate) const ALL: [Self; KINDS] = [
        Self::Lose,
        Self::Run,
        Self::DupBytes,
        Self::DupLine,
        Self::Merge,
        Self::Split,
        Self::Pause,
        Self::Flip7,
        Self::Flip8,
        Self::Swap,
        Self::Echo,
        Self::Stall,
        Self::Drop,
        Self::Reboot,
        Self::Silence,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lose => "lose",
            Self::Run => "run",
            Self::DupBytes => "dup-bytes",
            Self::DupLine => "dup-line",
            Self::Merge => "merge",
            Self::Split => "split",
            Self::Pause => "pause",
            Self::Flip7 => "flip7",
            Self::Flip8 => "flip8",
            Self::Swap => "swap",
            Self::Echo => "echo",
            Self::Stall => "stall",
            Self::Drop => "drop",
            Self::Reboot => "reboot",
            Self::Silence => "silence",
        }
    }

    /// A game of 70 plies has some 400 lines and 35 thinks: each kind strikes a few times.
    const fn rate_of_all(self) -> f64 {
        match self {
            Self::Echo => 0.02,
            Self::Drop => 0.006,
            Self::Reboot => 0.1,
            Self::Silence => 0.01,
            _ => 0.008,
        }
    }
}

/// How often each kind strikes: a share of the lines, of the thinks for [`Kind::Reboot`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rates([f64; KINDS]);

impl Rates {
    /// No faults.
    pub(crate) const NONE: Self = Self([0.0; KINDS]);

    /// Every fault, a few times a game.
    pub(crate) fn all() -> Self {
        Self(Kind::ALL.map(Kind::rate_of_all))
    }

    /// Every fault, together about one in a few moves.
    pub(crate) fn light() -> Self {
        Self(Kind::ALL.map(|kind| kind.rate_of_all() / 4.0))
    }

    pub(crate) const fn of(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }

    /// Reads names of profiles and KIND=RATE, joined by commas; what comes later wins.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let profiles = [("none", Self::NONE.0), ("light", Self::light().0), ("all", Self::all().0)];
        list::parse(text, Kind::ALL.map(Kind::name), &profiles).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_numbered_as_listed() {
        for (index, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, index);
        }
    }

    #[test]
    fn later_rates_win() {
        assert_eq!(Rates::parse("none"), Ok(Rates::NONE));
        assert_eq!(Rates::parse("all"), Ok(Rates::all()));
        let rates = Rates::parse("all, drop=0,reboot=1").expect("rates");
        assert_eq!(rates.of(Kind::Drop), 0.0);
        assert_eq!(rates.of(Kind::Reboot), 1.0);
        assert_eq!(rates.of(Kind::Swap), 0.008);
        assert_eq!(Rates::parse("drop=0.5,light"), Ok(Rates::light()));
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (text, part) in [
            ("heavy", "`heavy` is neither"),
            ("wobble=1", "`wobble` is no kind of fault; there are lose, run,"),
            ("lose=2", "`2` is not a rate"),
            ("lose=x", "`x` is not a rate"),
            ("lose=-0.1", "`-0.1` is not a rate"),
            ("lose=nan", "`nan` is not a rate"),
            ("", "`` is neither"),
        ] {
            let error = Rates::parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
