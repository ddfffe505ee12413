//! How many instructions the chip's program takes to answer while it thinks, on an emulated STM32 whose time is its instructions.
//!
//! Whenever the debugger lets the machine go on, QEMU's clock may have run ahead by as long as that took: on an idle machine that is little, on a busy one more
//! than what is measured. So this is run by hand, `cargo test -p rookery-board --test promptness -- --ignored`; `make bench-chip` counts the longest silence
//! of the search without a debugger.
//!
//! Where qemu-system-arm is missing, or Rust for the chip, nothing is tested, and a line says so.

mod common;

use common::gdb::{Gdb, Symbols};
use common::probe::{Probe, best_move};
use rookery_protocol::{Ack, BoardMessage, Seq};

/// With `shift=0` an instruction takes a nanosecond of the machine's time; its timer has 24,000 ticks a millisecond.
const ICOUNT: [&str; 2] = ["-icount", "shift=0"];
const TICKS_A_MILLISECOND: u64 = 24_000;
const INSTRUCTIONS_A_MILLISECOND: u64 = 1_000_000;

/// 50 ms of a chip at 72 MHz that needs 1.55 cycles for an instruction, as the original does there.
const LIMIT: u64 = 2_322_000;

/// The interrupts' handlers, by their places in the table of vectors.
const VECTORS: u32 = 0x0800_0000;
const SYSTICK: u32 = 15;
const USART1: u32 = 16 + 37;

/// Registers: the port's status and its flag for a byte that has come; the timer's value; what is pending, and its flag for the timer.
const USART1_SR: u32 = 0x4001_3800;
const RXNE: u32 = 1 << 5;
const SYST_CVR: u32 = 0xe000_e018;
const ICSR: u32 = 0xe000_ed04;
const PENDSTSET: u32 = 1 << 26;

/// Instructions since the reset.
fn now(gdb: &mut Gdb, symbols: &Symbols) -> u64 {
    let millis = u64::from(gdb.word(symbols.find("MILLIS")));
    let left = u64::from(gdb.word(SYST_CVR));
    // The timer may have begun a millisecond that its handler has not counted yet.
    let uncounted = u64::from(gdb.word(ICSR) & PENDSTSET != 0);
    let ticks = (millis + uncounted) * TICKS_A_MILLISECOND + (TICKS_A_MILLISECOND - 1 - left);
    ticks * INSTRUCTIONS_A_MILLISECOND / TICKS_A_MILLISECOND
}

/// Sends a command while the machine stands still, and counts the instructions from its last byte to the beginning of the line that `wanted` knows.
fn instructions<T>(
    chip: &mut Probe,
    payload: &str,
    mut wanted: impl FnMut(Seq, Seq, &BoardMessage<'_>) -> Option<T>,
) -> (u64, T) {
    let mut gdb = chip.debugger();
    let [timer, port] = [SYSTICK, USART1].map(|vector| gdb.word(VECTORS + 4 * vector) & !1);
    let command = chip.command(payload);
    let (mut came, mut at_port) = (None, None);
    let found = loop {
        // The timer sees to it that the machine stops now and then.
        let place = gdb.run_to(&[timer, port]);
        // What has been said was said when the machine was last at its port.
        if let Some(found) = chip.heard(|seq, message| wanted(command, seq, message)) {
            break found;
        }
        if place == port {
            let now = now(&mut gdb, &chip.symbols);
            at_port = Some(now);
            if gdb.word(USART1_SR) & RXNE != 0 {
                came = at_port;
            }
        }
    };
    gdb.leave();
    let (came, said) = (came.expect("the command came"), at_port.expect("and was answered"));
    (said - came, found)
}

fn answered(command: Seq, seq: Seq, message: &BoardMessage<'_>) -> Option<()> {
    match message {
        BoardMessage::Ack(Ack::Status(_) | Ack::Identify(_)) if seq == command => Some(()),
        BoardMessage::Nak(nak) => panic!("{nak:?}"),
        _ => None,
    }
}

#[test]
#[ignore = "QEMU's clock goes on while a busy machine keeps it waiting: to be run on an idle one"]
fn stop_ping_and_identify_are_heard_within_50_ms_of_the_chips_time() {
    let Some(mut chip) = Probe::start(&ICOUNT) else { return };
    let mut longest = [0; 3];
    chip.sync();
    for iterations in [1, 2, 3, 4, 5, 4] {
        chip.think(iterations);
        let (ping, ()) = instructions(&mut chip, ".", answered);
        let (identify, ()) = instructions(&mut chip, "i 0", answered);
        let (stop, event) = instructions(&mut chip, "x", |_, seq, message| best_move(seq, message));
        chip.acknowledge(event);
        for (longest, took) in longest.iter_mut().zip([ping, identify, stop]) {
            *longest = took.max(*longest);
            // An answer that is there before the question shows that the count is wrong.
            assert!((100..LIMIT).contains(&took), "ping {ping}, identify {identify}, stop {stop}");
        }
    }
    println!("at most, in instructions: ping, identify, stop: {longest:?} of {LIMIT}");
}
