//! A chip with a wire and a debugger: line by line, without a host's patience or retries.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use rookery_protocol::{
    BoardMessage, Decoded, Decoder, Direction, Event, Kind, Line, Seq, Sid, WireBuffer,
};

use super::gdb::{Gdb, Symbols};
use super::host::connect;
use super::machine::{Machine, free_place, image};

/// The session that is made.
const SID: Sid = Sid(1);

pub struct Probe {
    stream: TcpStream,
    decoder: Decoder,
    /// The number of the last command.
    seq: Seq,
    /// The chip's name for the time since its reset.
    pub boot: u32,
    debugger: String,
    pub symbols: Symbols,
    // Ended last.
    _machine: Machine,
}

impl Probe {
    /// Starts a chip, with more arguments for QEMU.
    pub fn start(more: &[&str]) -> Option<Self> {
        let debugger = free_place();
        let gdb = format!("tcp:{debugger}");
        let all = [&["-monitor", "none", "-gdb", &gdb], more].concat();
        let machine = Machine::with(true, &all)?;
        let symbols = Symbols::of(image()?);
        let stream = connect(&machine.place);
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        stream.set_nodelay(true).expect("a socket");
        let (decoder, seq) = (Decoder::new(), Seq(0));
        let mut probe =
            Self { stream, decoder, seq, boot: 0, debugger, symbols, _machine: machine };
        let (boot, cause) = probe.banner();
        assert_eq!(cause, "por");
        probe.boot = boot;
        Some(probe)
    }

    /// Stops it.
    pub fn debugger(&self) -> Gdb {
        Gdb::connect(&self.debugger)
    }

    fn send(&mut self, kind: Kind, seq: Seq, payload: &str) {
        let line = Line { direction: Direction::Host, kind, sid: SID, seq, payload };
        let mut wire = WireBuffer::new();
        self.stream.write_all(line.encode(&mut wire).expect("can be sent")).expect("sent");
    }

    /// Makes the session after a reset.
    pub fn sync(&mut self) {
        self.seq = Seq(0);
        self.send(Kind::Sync, Seq(0), "5eed0001");
        self.until(|_, message| matches!(message, BoardMessage::Sync(_)).then_some(()));
    }

    /// Sends a command, and gives its number.
    pub fn command(&mut self, payload: &str) -> Seq {
        self.seq = self.seq.next();
        self.send(Kind::Command, self.seq, payload);
        self.seq
    }

    /// Has it think for as long as it likes; it has finished iterations when this returns.
    pub fn think(&mut self, iterations: usize) {
        self.command("t 07 500000000");
        for _ in 0..iterations {
            self.until(|_, message| match message {
                BoardMessage::Telemetry(_) => Some(()),
                BoardMessage::Nak(nak) => panic!("{nak:?}"),
                _ => None,
            });
        }
    }

    /// Tells it that an event has arrived.
    pub fn acknowledge(&mut self, event: Seq) {
        self.send(Kind::EventAck, event, "");
    }

    /// Listens until something is said.
    pub fn until<T>(&mut self, mut wanted: impl FnMut(Seq, &BoardMessage<'_>) -> Option<T>) -> T {
        loop {
            let mut byte = [0];
            self.stream.read_exact(&mut byte).expect("the chip says more");
            if let Some(found) = self.decode(byte[0], &mut wanted) {
                return found;
            }
        }
    }

    /// Looks whether it has been said already.
    pub fn heard<T>(
        &mut self,
        mut wanted: impl FnMut(Seq, &BoardMessage<'_>) -> Option<T>,
    ) -> Option<T> {
        self.stream.set_nonblocking(true).expect("a socket");
        let mut found = None;
        let mut byte = [0];
        while found.is_none() {
            match self.stream.read(&mut byte) {
                Ok(1) => found = self.decode(byte[0], &mut wanted),
                Ok(_) => panic!("the chip has hung up"),
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) => panic!("{error}"),
            }
        }
        self.stream.set_nonblocking(false).expect("a socket");
        found
    }

    fn decode<T>(
        &mut self,
        byte: u8,
        wanted: &mut impl FnMut(Seq, &BoardMessage<'_>) -> Option<T>,
    ) -> Option<T> {
        let Decoded::Line(line) = self.decoder.push(byte) else { return None };
        wanted(line.seq, &BoardMessage::parse(&line).expect("a board says what it may say"))
    }

    /// The next banner: the name for the time since the reset, and the reset's cause.
    pub fn banner(&mut self) -> (u32, String) {
        self.until(|_, message| match message {
            BoardMessage::Banner(banner) => {
                assert_eq!(banner.kind, "qemu-stm32");
                Some((banner.boot.0, banner.cause.to_string()))
            }
            _ => None,
        })
    }
}

/// The number of a move's event.
pub fn best_move(seq: Seq, message: &BoardMessage<'_>) -> Option<Seq> {
    matches!(message, BoardMessage::Event(Event::BestMove(_))).then_some(seq)
}
