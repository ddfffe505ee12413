//! Whatever goes wrong inside the chip's program ends in a reset that says what it was: on an emulated STM32, through the emulator's
//! debugger.
//!
//! Where qemu-system-arm is missing, or Rust for the chip, nothing is tested, and a line says so.

mod common;

use common::gdb::{Gdb, PC, SP, Symbols};
use common::probe::Probe;

/// Hurts a chip while it thinks. It has to be reset, to say why, and to think again afterwards.
#[track_caller]
fn survives(chip: &mut Probe, cause: &str, what: &str, hurt: impl FnOnce(&mut Gdb, &Symbols)) {
    chip.sync();
    chip.think(1);
    let mut gdb = chip.debugger();
    hurt(&mut gdb, &chip.symbols);
    gdb.leave();
    let (boot, said) = chip.banner();
    assert_eq!((boot, said.as_str()), (chip.boot.wrapping_add(1), cause), "{what}");
    chip.boot = boot;
}

#[test]
fn a_reset_that_a_host_wants_is_told() {
    let Some(mut chip) = Probe::start(&[]) else { return };
    // Idle, and in the middle of a think.
    for thinks in [false, true] {
        chip.sync();
        if thinks {
            chip.think(2);
        }
        chip.command("r app");
        let (boot, cause) = chip.banner();
        assert_eq!((boot, cause.as_str()), (chip.boot.wrapping_add(1), "soft"));
        chip.boot = boot;
    }
}

#[test]
fn a_fault_of_the_processor_is_told() {
    let Some(mut chip) = Probe::start(&[]) else { return };
    survives(&mut chip, "fault", "an address where nothing is", |gdb, _| gdb.set(PC, 0x3000_0000));
    survives(&mut chip, "fault", "an undefined instruction", |gdb, symbols| {
        // At the stack's far end, where it does not come to.
        let place = symbols.find("_stack_end");
        gdb.write(place, &[0xde00, 0xde00]);
        gdb.set(PC, place);
    });
    survives(&mut chip, "fault", "data from nowhere", |gdb, symbols| {
        // ldr r0, [sp]
        let place = symbols.find("_stack_end");
        gdb.write(place, &[0x9800, 0xbe00]);
        gdb.set(SP, 0x6000_0000);
        gdb.set(PC, place);
    });
    chip.sync();
    chip.think(3);
}

#[test]
fn a_panic_is_told() {
    let Some(mut chip) = Probe::start(&[]) else { return };
    survives(&mut chip, "panic", "an index out of bounds", |gdb, symbols| {
        gdb.set(PC, symbols.find("panic_bounds_check"));
    });
    // The program finds the chip's parts taken already.
    survives(&mut chip, "panic", "main, a second time", |gdb, symbols| {
        gdb.set(PC, symbols.find("main"));
    });
    chip.sync();
    chip.think(3);
}

#[test]
fn an_exhausted_stack_is_a_fault() {
    let Some(mut chip) = Probe::start(&[]) else { return };
    for left in [64, 8, 0] {
        survives(&mut chip, "fault", "no stack", |gdb, symbols| {
            gdb.set(SP, symbols.find("_stack_end") + left);
        });
    }
    chip.sync();
    chip.think(3);
}
