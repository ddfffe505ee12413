//! The loader in ROM behind the wire: the model of it gets its bytes, its time and its faults.

use std::time::{Duration, Instant};

use rookery_board::Port;
use rookery_protocol::ResetCause;

use crate::faults::mishaps::Mishaps;
use crate::lines::Lines;
use crate::rom::loader::{Loader, Next};
use crate::rom::memory::Memory;
use crate::rom::{Interrupted, Mishap, Store, Work, World};
use crate::sim::{Begin, Ended};
use crate::wire::Wire;

/// How long it sleeps at most; whatever comes wakes it.
const NAP: Duration = Duration::from_secs(1);

/// What the flash takes for its work (data sheet, typical).
const ERASE: Duration = Duration::from_millis(20);
const PROGRAM: Duration = Duration::from_nanos(52_500);

/// What is around the loader.
#[derive(Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) wire: &'a Wire,
    pub(crate) mishaps: &'a mut Mishaps,
    /// Whether the flash takes as long as a chip's.
    pub(crate) real_time: bool,
}

/// Runs it until the chip is reset or jumps.
pub(crate) fn run<S: Store>(
    memory: &mut Memory<S>,
    world: &mut Surroundings<'_>,
    cause: ResetCause,
) -> Ended {
    let wire = world.wire;
    let mut loader = Loader::new();
    loop {
        if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
            break Ended { begin: Begin::Reset, cause };
        }
        let Some(byte) = (&mut &*wire).read() else {
            wire.wait_for_host(NAP);
            continue;
        };
        match loader.push(byte, memory, world) {
            // The reset that has interrupted it is noticed above.
            Next::Listen | Next::Interrupted => {}
            Next::Reset => break Ended { begin: Begin::Reset, cause: ResetCause::Software },
            // No reset: the program finds the cause of the last one.
            Next::Go(address) => break Ended { begin: Begin::Jump(address), cause },
        }
    }
}

impl World for Surroundings<'_> {
    fn say(&mut self, bytes: &[u8]) {
        (&mut &*self.wire).write(bytes);
    }

    fn spend(&mut self, work: Work) -> Result<(), Interrupted> {
        if self.real_time {
            let until = Instant::now()
                + match work {
                    Work::Erase => ERASE,
                    Work::Program => PROGRAM,
                };
            self.wire.wait_until(until);
        }
        if self.wire.lines(Lines::spend) { Ok(()) } else { Err(Interrupted) }
    }

    fn strikes(&mut self, mishap: Mishap) -> bool {
        let strikes = self.mishaps.strikes(mishap);
        if strikes {
            self.wire.record_mishap(mishap);
        }
        strikes
    }
}
