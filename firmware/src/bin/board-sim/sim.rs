//! The board behind the wire, from reset to reset.

use std::convert::Infallible;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rookery_board::v1::{V1Board, V1Step};
use rookery_board::{Board, Book, Config, NoDisplay, Pace, Platform, Step};
use rookery_engine::ChessEngine;
use rookery_protocol::{BootId, RebootTarget, ResetCause};

use crate::args::{Args, Dialect};
use crate::faults::Kind;
use crate::faults::lane::Strike;
use crate::wire::Wire;

/// How long the board sleeps at most; whatever comes wakes it.
const NAP: Duration = Duration::from_secs(1);

/// How long it sleeps while it pretends to be slow.
const SLOW_NAP: Duration = Duration::from_millis(2);

/// Runs the board for ever. `announce` is called when it is up.
///
/// Whoever connects then finds a board that has run for a while: its first banner was said to
/// nobody.
pub(crate) fn run<E: ChessEngine, B: Book>(
    args: &Args,
    seed: u64,
    wire: &Arc<Wire>,
    mut engine: E,
    mut book: B,
    announce: impl FnOnce() -> Result<(), String>,
) -> Result<Infallible, String> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut platform = SimPlatform::new(args, seed, Arc::clone(wire));
    let mut cause = ResetCause::PowerOn;
    let mut port = &**wire;
    let mut announce = Some(announce);
    loop {
        let announce = announce.take();
        let first = announce.is_some();
        if let Some(announce) = announce {
            announce()?;
        } else {
            thread::sleep(args.boot_delay);
            wire.start_board();
        }
        platform.reset();
        engine.set_params(args.params());
        match args.dialect {
            Dialect::V2 => {
                let config = Config {
                    kind: &args.kind,
                    firmware: env!("CARGO_PKG_VERSION"),
                    core_hz: 0,
                    boot: BootId(chance.random()),
                    cause,
                    has_loader: false,
                    vitals: None,
                };
                let mut board = Board::new(engine, book, NoDisplay, config);
                if !first {
                    board.start(&mut port);
                }
                cause = loop {
                    match board.step(&mut port, &mut platform) {
                        Step::Idle(_) if wire.is_reset_pressed() => break ResetCause::Pin,
                        Step::Idle(wait) => {
                            let wait = wait.map(|ms| Duration::from_millis(ms.into()));
                            wire.wait_for_host(wait.unwrap_or(NAP).min(NAP));
                        }
                        Step::Reboot(RebootTarget::App | RebootTarget::Loader) => {
                            break ResetCause::Software;
                        }
                        Step::Abandoned => break platform.cause(),
                    }
                };
                (engine, book, _) = board.into_parts();
            }
            Dialect::V1 => {
                let mut board = V1Board::new(engine, book, args.level);
                if !first {
                    board.start(&mut port);
                }
                while board.step(&mut port, &mut platform) == V1Step::Idle
                    && !wire.is_reset_pressed()
                {
                    wire.wait_for_host(NAP);
                }
                cause = platform.cause();
                (engine, book) = board.into_parts();
            }
        }
    }
}

/// Time as the board sees it, the pace of its search, and the finger on its reset button.
struct SimPlatform {
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
    fn new(args: &Args, seed: u64, wire: Arc<Wire>) -> Self {
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

    fn reset(&mut self) {
        self.began = Instant::now();
        self.fuse = None;
    }

    /// Why there was a reset that the board has not made itself.
    fn cause(&mut self) -> ResetCause {
        if self.wire.is_reset_pressed() {
            return ResetCause::Pin;
        }
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
        if self.wire.is_reset_pressed() {
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
