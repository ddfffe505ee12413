//! Counts the instructions of a search, on QEMU with `-icount shift=0`: there an instruction takes
//! a nanosecond of the machine's time, and the timer counts at 24 MHz.
#![no_std]
#![no_main]

use core::fmt::{self, Write};
use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::{Peripherals, SYST, syst::SystClkSource};
use rookery_board::Port;
use rookery_chip::uart::Uart;
use rookery_engine::{Cell, ChessEngine, Control, Frames, Limits, MicroMax, Params};

const CELLS: usize = 256;
/// A profile logs every instruction, so it is made with a smaller one.
const BUDGET: u32 = match option_env!("BENCH_BUDGET") {
    Some(digits) => match u32::from_str_radix(digits, 10) {
        Ok(budget) => budget,
        Err(_) => panic!("BENCH_BUDGET is no number"),
    },
    None => 20_000,
};
const RELOAD: u32 = 0xff_ffff;
/// The counter of passes, as the original counts them, begins here.
const UNCOUNTED: i32 = 7;

/// The four positions of the original's figures.
const GAMES: [&str; 4] = [
    "h2h4 g7g5 h4g5",
    "h2h4 g7g5 h4g5 c7c5 e2e3 d7d5 f1b5 b8c6 d2d4 f7f6 d1h5 e8d7 d4c5 a7a6 b5d3 d8a5 b1c3 a5c5 \
     g5g6 h7h6",
    "g1f3 b8c6 f3h4 e7e6 h4f3 d7d6 d2d3 g8f6 c2c4 f8e7 b1c3 e8g8 c1f4 c8d7 h2h4 h7h5 e2e4 c6a5 \
     e4e5 f6g4 f1e2 a5c6 e5d6 e7d6 f4d6",
    "c2c4 c7c6 d2d4 g8h6 g2g3 a7a5 h2h4 h6g8 b1c3 d7d6 f1g2 g8f6 c3e4 c8g4 d1b3 a8a7 c1f4 g4f5 \
     b3d3 e7e6 e1c1 b8d7 g2f3 h7h5 g1h3 f6e4 f3e4 f5e4 d3e4 f8e7 e4f3 d7f6 f4g5 f6g4 g5e7 d8e7 \
     h3f4 g4f6 a2a4 e6e5 d4e5 e7e5 f3e3 e5e3 f2e3 f6e4 d1g1 f7f5 g1g2 b7b6 g2g1 h8h6 f4d3 e4c5",
];

struct Out(Uart);

impl Write for Out {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        while self.0.room() < text.len() {}
        self.0.write(text.as_bytes());
        Ok(())
    }
}

/// Ticks since the start of the timer, as long as it is asked more often than every 0.7 s.
struct Ticks {
    last: u32,
    sum: u64,
}

impl Ticks {
    fn now(&mut self) -> u64 {
        let now = SYST::get_current();
        self.sum += u64::from(self.last.wrapping_sub(now) & RELOAD);
        self.last = now;
        self.sum
    }
}

fn instructions(ticks: u64) -> u64 {
    ticks * 1000 / 24
}

#[cortex_m_rt::entry]
fn main() -> ! {
    static mut TABLE: [Cell; CELLS] = [Cell::EMPTY; CELLS];
    static mut FRAMES: Frames = Frames::EMPTY;
    static DONE: AtomicU32 = AtomicU32::new(0);

    let mut out = Out(Uart::start(24_000_000));
    if let Some(mut core) = Peripherals::take() {
        core.SYST.set_clock_source(SystClkSource::Core);
        core.SYST.set_reload(RELOAD);
        core.SYST.clear_current();
        core.SYST.enable_counter();
    }
    let mut ticks = Ticks { last: SYST::get_current(), sum: 0 };
    if let Ok(mut engine) = MicroMax::within(TABLE, FRAMES) {
        engine.set_params(Params { node_budget: BUDGET, ..Params::CLASSIC });
        for game in GAMES {
            engine.reset();
            for mv in game.split_ascii_whitespace() {
                let entered = mv.parse().map(|mv| engine.play(mv));
                if !matches!(entered, Ok(Ok(()))) {
                    let _ = writeln!(out, "illegal: {mv}");
                }
                ticks.now();
            }
            let begun = ticks.now();
            let mut polled = begun;
            let mut longest = 0;
            let thought = engine.think(Limits::NONE, &mut |_| {
                let now = ticks.now();
                longest = longest.max(now - polled);
                polled = now;
                Control::Continue
            });
            let taken = instructions(ticks.now() - begun);
            let nodes = thought.total + UNCOUNTED;
            let _ = write!(out, "insn/node {} nodes {}", taken / nodes as u64, thought.total);
            if let Some(best) = thought.best {
                let _ = write!(out, " move {best}");
            }
            let _ = writeln!(
                out,
                " d {} uz {} oc {} longest-silence {}",
                thought.depth,
                thought.nodes,
                thought.score,
                instructions(longest)
            );
        }
    }
    let _ = writeln!(
        out,
        "stack {} of {}",
        rookery_chip::stack::size() - rookery_chip::stack::untouched(),
        rookery_chip::stack::size()
    );
    DONE.store(1, Ordering::Relaxed);
    loop {
        cortex_m::asm::wfi();
    }
}
