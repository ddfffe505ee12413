//! What the board's program needs of the thing that it runs on.

/// Where bytes come from and go to. Nothing here may wait.
pub trait Port {
    /// The next byte that has come, if one has.
    fn read(&mut self) -> Option<u8>;

    /// How many bytes [`Port::write`] has room for.
    fn room(&self) -> usize;

    /// Sends a line, or drops all of it when there is no room; the protocol makes good for that.
    fn write(&mut self, line: &[u8]);
}

/// Time, and what goes with it.
pub trait Platform {
    /// Milliseconds of a clock that may wrap.
    fn millis(&self) -> u32;

    /// A search is about to begin.
    fn think_begins(&mut self) {}

    /// A search has come this far: the moment to feed a watchdog. Called often.
    fn progress(&mut self, nodes: u32) -> Pace {
        let _ = nodes;
        Pace::Go
    }
}

/// What a search is to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Go on.
    Go,
    /// Listen, and ask again: a simulator that is as slow as a chip.
    Wait,
    /// End without a result: the board is being reset from outside.
    Abandon,
}
