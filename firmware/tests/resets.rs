//! Whatever goes wrong inside the chip's program ends in a reset that says what it was: on an emulated STM32, through the emulator's
//! debugger.
//!
//! Where qemu-system-arm is missing, or Rust for the chip, nothing is tested, and a line says so.

mod common;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use common::gdb::{Gdb, PC, SP, Symbols};
use common::host::connect;
use common::machine::{Machine, free_place, image};
use rookery_protocol::{
    BoardMessage, Decoded, Decoder, Direction, Kind, Line, Seq, Sid, WireBuffer,
};

/// A chip with a wire and a debugger.
struct Patient {
    // Ended last.
    stream: TcpStream,
    decoder: Decoder,
    /// The chip's name for the time since its reset.
    boot: u32,
    debugger: String,
    symbols: Symbols,
    _machine: Machine,
}

impl Patient {
    fn start() -> Option<Self> {
        let debugger = free_place();
        let gdb = format!("tcp:{debugger}");
        let machine = Machine::with(true, &["-monitor", "none", "-gdb", &gdb])?;
        let symbols = Symbols::of(image()?);
        let stream = connect(&machine.place);
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        let mut patient =
            Self { stream, decoder: Decoder::new(), boot: 0, debugger, symbols, _machine: machine };
        let (boot, cause) = patient.banner();
        assert_eq!(cause, "por");
        patient.boot = boot;
        Some(patient)
    }

    /// Has it think, in a new session.
    fn think(&mut self) {
        let lines = [(Kind::Sync, 0, "5eed0001"), (Kind::Command, 1, "t 07 500000000")];
        for (kind, seq, payload) in lines {
            let line =
                Line { direction: Direction::Host, kind, sid: Sid(1), seq: Seq(seq), payload };
            let mut wire = WireBuffer::new();
            self.stream.write_all(line.encode(&mut wire).expect("can be sent")).expect("sent");
        }
        self.until(|message| match message {
            BoardMessage::Telemetry(_) => Some(()),
            BoardMessage::Nak(nak) => panic!("{nak:?}"),
            _ => None,
        });
    }

    /// Listens until something is said.
    fn until<T>(&mut self, mut wanted: impl FnMut(&BoardMessage<'_>) -> Option<T>) -> T {
        loop {
            let mut byte = [0];
            self.stream.read_exact(&mut byte).expect("the chip says more");
            if let Decoded::Line(line) = self.decoder.push(byte[0])
                && let Ok(message) = BoardMessage::parse(&line)
                && let Some(found) = wanted(&message)
            {
                return found;
            }
        }
    }

    /// The next banner: the name for the time since the reset, and the reset's cause.
    fn banner(&mut self) -> (u32, String) {
        self.until(|message| match message {
            BoardMessage::Banner(banner) => {
                assert_eq!(banner.kind, "qemu-stm32");
                Some((banner.boot.0, banner.cause.to_string()))
            }
            _ => None,
        })
    }

    /// Hurts it while it thinks. It has to be reset, to say why, and to think again afterwards.
    #[track_caller]
    fn survives(&mut self, cause: &str, what: &str, hurt: impl FnOnce(&mut Gdb, &Symbols)) {
        self.think();
        let mut gdb = Gdb::connect(&self.debugger);
        hurt(&mut gdb, &self.symbols);
        gdb.leave();
        let (boot, said) = self.banner();
        assert_eq!((boot, said.as_str()), (self.boot.wrapping_add(1), cause), "{what}");
        self.boot = boot;
    }
}

#[test]
fn a_fault_of_the_processor_is_told() {
    let Some(mut chip) = Patient::start() else { return };
    chip.survives("fault", "an address where nothing is", |gdb, _| gdb.set(PC, 0x3000_0000));
    chip.survives("fault", "an undefined instruction", |gdb, symbols| {
        // At the stack's far end, where it does not come to.
        let place = symbols.find("_stack_end");
        gdb.write(place, &[0xde00, 0xde00]);
        gdb.set(PC, place);
    });
    chip.survives("fault", "data from nowhere", |gdb, symbols| {
        // ldr r0, [sp]
        let place = symbols.find("_stack_end");
        gdb.write(place, &[0x9800, 0xbe00]);
        gdb.set(SP, 0x6000_0000);
        gdb.set(PC, place);
    });
    chip.think();
}

#[test]
fn a_panic_is_told() {
    let Some(mut chip) = Patient::start() else { return };
    chip.survives("panic", "an index out of bounds", |gdb, symbols| {
        gdb.set(PC, symbols.find("panic_bounds_check"));
    });
    // The program finds the chip's parts taken already.
    chip.survives("panic", "main, a second time", |gdb, symbols| {
        gdb.set(PC, symbols.find("main"));
    });
    chip.think();
}

#[test]
fn an_exhausted_stack_is_a_fault() {
    let Some(mut chip) = Patient::start() else { return };
    for left in [64, 8, 0] {
        chip.survives("fault", "no stack", |gdb, symbols| {
            gdb.set(SP, symbols.find("_stack_end") + left);
        });
    }
    chip.think();
}
