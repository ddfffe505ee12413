//! What the board's program has to do with on a computer: time, pace, and resets in a think.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rookery_board::{Pace, Platform};
use rookery_protocol::ResetCause;

use crate::args::Args;
use crate::faults::Kind;
use crate::faults::lane::Strike;
use crate::wire::Wire;

/// How long the board sleeps while it pretends to be slow.
const SLOW_NAP: Duration = Duration::from_millis(2);

/// Time as the board sees it, the pace of its search, and the finger on its reset button.
#[derive(Debug)]
pub(crate) struct SimPlatform {
    began: Instant,
    think_began: Instant,
    speed: u32,
    reboot_rate: f64,
    chance: ChaCha8Rng,
    /// How many more reports of the search until the reset.
    fuse: Option<u32>,
    wire: Arc<Wire>,
}

impl SimPlatform {
    pub(crate) fn new(args: &Args, seed: u64, wire: Arc<Wire>) -> Self {
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(3);
        Self {
            began: Instant::now(),
            think_began: Instant::now(),
            speed: args.speed,
            reboot_rate: args.faults.of(Kind::Reboot),
            chance,
            fuse: None,
            wire,
        }
    }

    pub(crate) fn reset(&mut self) {
        self.began = Instant::now();
        self.fuse = None;
    }

    /// Why there was a reset that the board has not made itself.
    pub(crate) fn cause(&mut self) -> ResetCause {
        match self.chance.random_range(0..4) {
            0 => ResetCause::PowerOn,
            1 => ResetCause::Pin,
            2 => ResetCause::LowPower,
            _ => ResetCause::Watchdog,
        }
    }
}

impl Platform for SimPlatform {
    fn millis(&self) -> u32 {
        // Wraps, as a chip's does.
        self.began.elapsed().as_millis() as u32
    }

    fn think_begins(&mut self) {
        self.think_began = Instant::now();
        let strikes = self.chance.random_bool(self.reboot_rate);
        let reports = self.chance.random_range(1..=4);
        self.fuse = strikes.then_some(reports);
    }

    fn progress(&mut self, nodes: u32) -> Pace {
        if self.wire.lines(|lines| lines.is_reset()) {
            return Pace::Abandon;
        }
        if self.speed > 0 {
            let due = Duration::from_secs_f64(f64::from(nodes) / f64::from(self.speed));
            if self.think_began.elapsed() < due {
                thread::sleep(SLOW_NAP);
                return Pace::Wait;
            }
        }
        if let Some(reports) = &mut self.fuse {
            *reports -= 1;
            if *reports == 0 {
                self.fuse = None;
                self.wire
                    .record(&Strike { kind: Kind::Reboot, detail: format!("after {nodes} nodes") });
                return Pace::Abandon;
            }
        }
        Pace::Go
    }
}
