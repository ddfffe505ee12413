//! The chip behind the wire, from reset to reset: BOOT0 and the flash decide what runs.

use std::convert::Infallible;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rookery_board::Book;
use rookery_engine::ChessEngine;
use rookery_protocol::ResetCause;

use crate::args::{Args, OWN_BOARD};
use crate::bootloader::{self, Surroundings};
use crate::faults::mishaps::Mishaps;
use crate::lines::{Doing, Lines};
use crate::platform::SimPlatform;
use crate::program::{Program, Start};
use crate::qemu;
use crate::rom::Store;
use crate::rom::boot::{self, Image};
use crate::rom::memory::{Memory, Place};
use crate::wire::Wire;

/// How long the chip sleeps at most; whatever comes wakes it.
const NAP: Duration = Duration::from_secs(1);

/// As much of the SRAM is looked at for code that resets the chip.
const CODE: usize = 32;

/// How the chip goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begin {
    /// Where BOOT0 points.
    Reset,
    /// A reset, after which the board's program jumps into the loader.
    Loader,
    /// Without a reset, into the program whose vector table is there.
    Jump(u32),
}

/// How something that ran has ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) begin: Begin,
    /// Why there was a reset, or the last one.
    pub(crate) cause: ResetCause,
}

/// What is to run.
enum Run {
    Loader,
    Program(Image),
    Qemu(Image),
    /// Code that does nothing but reset the chip.
    Reset,
    Nothing(String),
}

impl Run {
    fn doing(&self) -> Doing {
        match self {
            Self::Loader => Doing::Loader,
            Self::Program(image) | Self::Qemu(image) => Doing::Program(image.version.clone()),
            Self::Reset => Doing::Starting,
            Self::Nothing(_) => Doing::Nothing,
        }
    }
}

/// Runs the chip for ever. `announce` is called when it is up.
///
/// Whoever connects then finds a board that has run for a while: its first banner was said to
/// nobody.
pub(crate) fn run<S: Store, E: ChessEngine, B: Book>(
    args: &Args,
    seed: u64,
    wire: &Arc<Wire>,
    mut memory: Memory<S>,
    (engine, book): (E, B),
    announce: impl FnOnce() -> Result<(), String>,
) -> Result<Infallible, String> {
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut mishaps = Mishaps::new(args.loader_faults, seed);
    let platform = SimPlatform::new(args, seed, Arc::clone(wire));
    let mut program = Program::new(engine, book, platform);
    let mut ended = Ended { begin: Begin::Reset, cause: ResetCause::PowerOn };
    let mut announce = Some(announce);
    loop {
        let first = announce.is_some();
        if !first {
            wire.lines(|lines| lines.does(Doing::Starting));
            thread::sleep(args.boot_delay);
            wire.forget_input();
        }
        // A reset during the reset, or the end of the power.
        if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
            ended = Ended { begin: Begin::Reset, cause };
        }
        if !wire.lines(|lines| lines.has_power()) {
            ended = wait_for_reset(wire);
            continue;
        }
        if !matches!(ended.begin, Begin::Jump(_)) {
            memory.reset();
            if ended.cause == ResetCause::PowerOn {
                memory.forget_sram();
            }
        }
        let run = what_runs(args, &memory, wire, ended.begin);
        wire.set_binary(matches!(run, Run::Loader));
        wire.lines(|lines| lines.does(run.doing()));
        if let Some(announce) = announce.take() {
            if let (Run::Loader, Err(dead)) = (&run, boot::image(memory.flash(), 0)) {
                eprintln!("board-sim: the loader waits for an image: {dead}");
            }
            announce()?;
        }
        let cause = ended.cause;
        ended = match run {
            Run::Loader => {
                let mut world =
                    Surroundings { wire, mishaps: &mut mishaps, real_time: args.flash_time };
                bootloader::run(&mut memory, &mut world, cause)
            }
            Run::Program(image) => {
                let start = Start { version: &image.version, cause, announced: !first };
                program.run(args, memory.flash(), start, wire, &mut chance)
            }
            Run::Qemu(_) => match qemu::run(memory.flash(), wire) {
                Ok(cause) => Ended { begin: Begin::Reset, cause },
                Err(error) => nothing_runs(&error.to_string(), wire),
            },
            Run::Reset => Ended { begin: Begin::Reset, cause: ResetCause::Software },
            Run::Nothing(why) => nothing_runs(&why, wire),
        };
    }
}

fn what_runs<S: Store>(args: &Args, memory: &Memory<S>, wire: &Wire, begin: Begin) -> Run {
    let offset = match begin {
        Begin::Loader => return Run::Loader,
        Begin::Reset if wire.lines(|lines| lines.boot0()) => return Run::Loader,
        Begin::Reset => 0,
        Begin::Jump(address) => match Place::of(address) {
            Some(Place::Flash(offset)) => offset,
            _ => return sram(memory, address),
        },
    };
    match boot::image(memory.flash(), offset) {
        Ok(image) if args.qemu && image.board != OWN_BOARD => emulated(image, offset),
        Ok(image) => Run::Program(image),
        Err(dead) => Run::Nothing(dead.to_string()),
    }
}

/// The image in an emulated chip, if there is one for it.
fn emulated(image: Image, offset: usize) -> Run {
    let Image { board, version } = &image;
    if !board.starts_with(qemu::BOARD) {
        return Run::Nothing(format!(
            "the image is {board} {version}, and QEMU's board has 8 KB of RAM instead of a chip's 10 KB; build one for it by `tools/firmware qemu`"
        ));
    }
    if offset != 0 {
        return Run::Nothing("QEMU runs only what is at the beginning of the flash".to_owned());
    }
    Run::Qemu(image)
}

/// Code in the SRAM: the model knows only what resets the chip.
fn sram<S: Store>(memory: &Memory<S>, address: u32) -> Run {
    let word = |address: u32| {
        let bytes = memory.read(address, 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let code =
        address.checked_add(4).and_then(word).and_then(|start| memory.read(start & !1, CODE));
    match code {
        Some(code) if boot::is_reset_code(code) => Run::Reset,
        _ => Run::Nothing(format!("there is no program that is known at {address:#010x}")),
    }
}

fn nothing_runs(why: &str, wire: &Wire) -> Ended {
    eprintln!("board-sim: nothing runs until a reset: {why}");
    wire.lines(|lines| lines.does(Doing::Nothing));
    wait_for_reset(wire)
}

/// As a chip does that has crashed, or has no power.
fn wait_for_reset(wire: &Wire) -> Ended {
    loop {
        if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
            return Ended { begin: Begin::Reset, cause };
        }
        wire.wait_for_reset(NAP);
    }
}
