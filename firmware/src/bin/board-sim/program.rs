//! The board's own program, from its start to the reset that ends it.

use std::time::Duration;

use rand::RngExt;
use rookery_board::v1::{V1Board, V1Step};
use rookery_board::{Board, Book, Config, NoDisplay, Step};
use rookery_engine::ChessEngine;
use rookery_protocol::{BootId, RebootTarget, ResetCause};

use crate::args::{Args, Dialect};
use crate::book::Carried;
use crate::lines::Lines;
use crate::platform::SimPlatform;
use crate::sim::{Begin, Ended};
use crate::wire::Wire;

/// How long the board sleeps at most; whatever comes wakes it.
const NAP: Duration = Duration::from_secs(1);

/// The parts that outlive a reset, and everything that the program is told about itself.
#[derive(Debug)]
pub(crate) struct Program<E, B> {
    /// Gone only while the program runs.
    parts: Option<(E, B)>,
    platform: SimPlatform,
}

/// How this start is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    /// The version of the image.
    pub(crate) version: &'a str,
    pub(crate) cause: ResetCause,
    /// Whether it says its banner: not when it has run for a while already.
    pub(crate) announced: bool,
}

impl<E: ChessEngine, B: Book> Program<E, B> {
    pub(crate) fn new(engine: E, book: B, platform: SimPlatform) -> Self {
        Self { parts: Some((engine, book)), platform }
    }

    /// Runs it, with the flash as it is.
    pub(crate) fn run(
        &mut self,
        args: &Args,
        flash: &[u8],
        start: Start<'_>,
        wire: &Wire,
        chance: &mut impl RngExt,
    ) -> Ended {
        let (mut engine, book) = self.parts.take().expect("put back at the end of every run");
        let book = Carried::new(flash, book);
        self.platform.reset();
        engine.set_params(args.params());
        match args.dialect {
            Dialect::V2 => {
                let config = Config {
                    kind: &args.kind,
                    firmware: start.version,
                    core_hz: 0,
                    boot: BootId(chance.random()),
                    cause: start.cause,
                    has_loader: true,
                    vitals: None,
                };
                let board = Board::new(engine, book, NoDisplay, config);
                self.run_v2(board, start.announced, wire)
            }
            Dialect::V1 => {
                let board = V1Board::new(engine, book, args.level);
                self.run_v1(board, start.announced, wire)
            }
        }
    }

    fn run_v2(
        &mut self,
        mut board: Board<'_, E, Carried<B>, NoDisplay>,
        announced: bool,
        mut wire: &Wire,
    ) -> Ended {
        if announced {
            board.start(&mut wire);
        }
        let ended = loop {
            match board.step(&mut wire, &mut self.platform) {
                Step::Idle(wait) => {
                    let wait = wait.map(|ms| Duration::from_millis(ms.into()));
                    wire.wait_for_host(wait.unwrap_or(NAP).min(NAP));
                }
                Step::Reboot(target) => {
                    let begin = match target {
                        RebootTarget::App => Begin::Reset,
                        RebootTarget::Loader => Begin::Loader,
                    };
                    break Ended { begin, cause: ResetCause::Software };
                }
                Step::Abandoned => break self.abandoned(wire),
            }
            if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
                break Ended { begin: Begin::Reset, cause };
            }
        };
        let (engine, book, _) = board.into_parts();
        self.parts = Some((engine, book.given));
        ended
    }

    fn run_v1(
        &mut self,
        mut board: V1Board<E, Carried<B>>,
        announced: bool,
        mut wire: &Wire,
    ) -> Ended {
        if announced {
            board.start(&mut wire);
        }
        let ended = loop {
            match board.step(&mut wire, &mut self.platform) {
                V1Step::Idle => wire.wait_for_host(NAP),
                V1Step::Abandoned => break self.abandoned(wire),
            }
            if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
                break Ended { begin: Begin::Reset, cause };
            }
        };
        let (engine, book) = board.into_parts();
        self.parts = Some((engine, book.given));
        ended
    }

    /// A think has ended without a result: somebody has pressed the button, or a fault has.
    fn abandoned(&mut self, wire: &Wire) -> Ended {
        let pressed = wire.lines(Lines::take_reset);
        Ended { begin: Begin::Reset, cause: pressed.unwrap_or_else(|| self.platform.cause()) }
    }
}
