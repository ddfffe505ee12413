//! The program of the board.
#![no_std]
#![no_main]

use core::mem::MaybeUninit;

use cortex_m::asm;
use cortex_m::peripheral::{Peripherals, SYST};
use cortex_m_rt::entry;
use rookery_board::{Board, Config, Pace, Platform, Step, VERSION, Vitals};
use rookery_chip::book::{self, FlashBook};
use rookery_chip::panel::Panel;
use rookery_chip::reset::{self, Boot, Reason};
use rookery_chip::uart::{self, Uart};
use rookery_chip::{CELLS, KIND, clock, stack, time, watchdog};
use rookery_engine::{Cell, Frames, MicroMax};
use rookery_protocol::RebootTarget;

/// The loader in the chip's ROM.
#[cfg(feature = "stm32f103c6")]
const LOADER: *const u32 = 0x1fff_f000 as *const u32;

const PROGRAM: &str = "rookery-firmware ";
const TAG_LENGTH: usize = PROGRAM.len() + KIND.len() + 1 + VERSION.len() + 1;

/// What a program says that it is, for whoever is to write it to a chip: `rookery-firmware KIND
/// VERSION`, and a zero.
#[used]
static TAG: [u8; TAG_LENGTH] = {
    let mut tag = [0; TAG_LENGTH];
    let mut at = 0;
    let words = [PROGRAM, KIND, " ", VERSION];
    let mut word = 0;
    while word < words.len() {
        let bytes = words[word].as_bytes();
        let mut byte = 0;
        while byte < bytes.len() {
            tag[at] = bytes[byte];
            at += 1;
            byte += 1;
        }
        word += 1;
    }
    tag
};

/// How long what was written may take to leave, before a reset.
const FAREWELL_MS: u32 = 200;

struct Chip<'a> {
    panel: &'a Panel,
}

impl Platform for Chip<'_> {
    fn millis(&self) -> u32 {
        time::millis()
    }

    fn progress(&mut self, _: u32) -> Pace {
        watchdog::feed();
        self.panel.tick(time::millis());
        Pace::Go
    }
}

fn vitals() -> Vitals {
    Vitals { stack_left: stack::untouched(), serial_errors: uart::errors() }
}

/// The engine, over a table and a room for its tree that have places of their own.
type Engine = MicroMax<'static, &'static mut Frames>;

/// A board with everything that it has.
type ChipBoard = Board<'static, &'static mut Engine, FlashBook, &'static Panel>;

// The parts are put in their places one by one, each by a function of its own: what lies about on
// the stack meanwhile is gone when the board begins to think.

#[inline(never)]
fn place_engine(
    place: &'static mut MaybeUninit<Engine>,
    table: &'static mut [Cell],
    frames: &'static mut Frames,
) -> &'static mut Engine {
    match MicroMax::within(table, frames) {
        Ok(engine) => place.write(engine),
        Err(_) => reset::reset(Reason::Panic),
    }
}

#[inline(never)]
fn place_board(
    place: &'static mut MaybeUninit<ChipBoard>,
    engine: &'static mut Engine,
    panel: &'static Panel,
    boot: Boot,
    core_hz: u32,
) -> &'static mut ChipBoard {
    let config = Config {
        kind: KIND,
        firmware: VERSION,
        core_hz,
        boot: boot.id,
        cause: boot.cause,
        has_loader: cfg!(feature = "stm32f103c6"),
        vitals: Some(vitals),
    };
    place.write(Board::new(engine, book::open(), panel, config))
}

#[entry]
fn main() -> ! {
    static mut TABLE: [Cell; CELLS] = [Cell::EMPTY; CELLS];
    static mut FRAMES: Frames = Frames::EMPTY;
    static mut PANEL: MaybeUninit<Panel> = MaybeUninit::uninit();
    static mut ENGINE: MaybeUninit<Engine> = MaybeUninit::uninit();
    static mut BOARD: MaybeUninit<ChipBoard> = MaybeUninit::uninit();

    #[cfg(feature = "stm32f103c6")]
    if reset::wants_loader() {
        #[allow(unsafe_code)]
        // SAFETY: the ROM begins with its own stack and start address, and the chip is as after a
        // reset. It does not come back.
        unsafe {
            asm::bootload(LOADER);
        }
    }
    let Some(mut core) = Peripherals::take() else { reset::reset(Reason::Panic) };
    // The crystal takes as long to start as it likes: that is where the chance comes from.
    time::race(&mut core.SYST);
    let core_hz = clock::start();
    let boot = reset::take(SYST::get_current());
    time::start(core.SYST, core_hz);
    watchdog::start();
    let mut port = Uart::start(core_hz);
    let panel = &*PANEL.write(Panel::start());
    let mut platform = Chip { panel };
    let engine = place_engine(ENGINE, TABLE, FRAMES);
    let board = place_board(BOARD, engine, panel, boot, core_hz);
    board.start(&mut port);
    panel.ready();
    loop {
        watchdog::feed();
        match board.step(&mut port, &mut platform) {
            Step::Idle(_) => {
                // The next byte ends the sleep, and so does the next millisecond.
                if !port.has_input() {
                    asm::wfi();
                }
            }
            Step::Reboot(target) => {
                let since = time::millis();
                while !port.is_quiet() && time::millis().wrapping_sub(since) < FAREWELL_MS {}
                reset::reset(match target {
                    RebootTarget::App => Reason::Command,
                    RebootTarget::Loader => Reason::Loader,
                });
            }
            Step::Abandoned => reset::reset(Reason::Panic),
        }
    }
}
