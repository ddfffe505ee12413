//! As much of GDB's remote protocol as it takes to reach into the emulated chip.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use object::{Object, ObjectSymbol};

use super::host::connect;

/// The stack pointer's number, and the program counter's.
pub const SP: u8 = 13;
/// See [`SP`].
pub const PC: u8 = 15;

/// QEMU's debugger. The machine stands still from the connection on, and while nobody lets it run.
pub struct Gdb {
    stream: TcpStream,
}

impl Gdb {
    /// Connects to QEMU's `-gdb tcp:PLACE`; the machine stops.
    pub fn connect(place: &str) -> Self {
        let stream = connect(place);
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        let mut gdb = Self { stream };
        // It may tell first, once or twice, why the machine stands still.
        gdb.send("qC");
        while !gdb.receive().starts_with("QC") {}
        // Only for those who have asked which registers there are QEMU sets one.
        gdb.ask("qXfer:features:read:target.xml:0,ffb");
        gdb
    }

    fn send(&mut self, body: &str) {
        let sum = body.bytes().fold(0u8, |sum, byte| sum.wrapping_add(byte));
        write!(self.stream, "${body}#{sum:02x}").expect("the debugger listens");
    }

    fn byte(&mut self) -> u8 {
        let mut byte = [0];
        self.stream.read_exact(&mut byte).expect("the debugger answers");
        byte[0]
    }

    /// The next packet; acknowledgements are skipped, and TCP makes checksums superfluous.
    fn receive(&mut self) -> String {
        while self.byte() != b'$' {}
        let mut body = String::new();
        loop {
            match self.byte() {
                b'#' => break,
                byte => body.push(char::from(byte)),
            }
        }
        let _ = (self.byte(), self.byte());
        self.stream.write_all(b"+").expect("the debugger listens");
        body
    }

    fn ask(&mut self, body: &str) -> String {
        self.send(body);
        self.receive()
    }

    #[track_caller]
    fn done(&mut self, body: &str) {
        assert_eq!(self.ask(body), "OK", "{body}");
    }

    /// Sets a register.
    pub fn set(&mut self, register: u8, value: u32) {
        self.done(&format!("P{register:x}={:08x}", value.swap_bytes()));
    }

    /// Reads a word of the machine's memory, or of its peripherals.
    pub fn word(&mut self, address: u32) -> u32 {
        let text = self.ask(&format!("m{address:x},4"));
        let word = u32::from_str_radix(&text, 16);
        word.unwrap_or_else(|_| panic!("{address:#x}: {text}")).swap_bytes()
    }

    /// Writes half words.
    pub fn write(&mut self, address: u32, code: &[u16]) {
        let bytes: String = code.iter().map(|half| format!("{:04x}", half.swap_bytes())).collect();
        self.done(&format!("M{address:x},{:x}:{bytes}", 2 * code.len()));
    }

    /// Reads a register.
    pub fn get(&mut self, register: u8) -> u32 {
        let text = self.ask(&format!("p{register:x}"));
        let word = u32::from_str_radix(&text, 16);
        word.unwrap_or_else(|_| panic!("register {register}: {text}")).swap_bytes()
    }

    /// Lets it run to the first of these addresses that it comes to, and gives that one.
    pub fn run_to(&mut self, places: &[u32]) -> u32 {
        // From where it stands first: a breakpoint there would hold it.
        self.stopped("s");
        places.iter().for_each(|place| self.done(&format!("Z1,{place:x},2")));
        self.stopped("c");
        places.iter().for_each(|place| self.done(&format!("z1,{place:x},2")));
        let at = self.get(PC);
        assert!(places.contains(&at), "stopped at {at:#x}");
        at
    }

    #[track_caller]
    fn stopped(&mut self, how: &str) {
        let stopped = self.ask(how);
        assert!(stopped.starts_with("T05"), "{how}: {stopped}");
    }

    /// Lets it run for good.
    pub fn leave(mut self) {
        self.done("D");
    }
}

/// The places of a program's functions and variables.
pub struct Symbols(Vec<(String, u32)>);

impl Symbols {
    /// Reads them.
    pub fn of(image: &Path) -> Self {
        let bytes = std::fs::read(image).expect("the chip's program");
        let file = object::File::parse(&*bytes).expect("an ELF file");
        let symbols = file.symbols().map(|symbol| {
            let name = symbol.name().expect("a name").to_owned();
            (name, u32::try_from(symbol.address()).expect("32 bits"))
        });
        Self(symbols.collect())
    }

    /// The only symbol with this name, or with this part of a path in its mangled name. The bit that says
    /// Thumb is left out.
    #[track_caller]
    pub fn find(&self, part: &str) -> u32 {
        let fits = |(name, _): &&(String, u32)| {
            name == part
                || (name.starts_with("_") && name.contains(&format!("{}{part}", part.len())))
        };
        let found: Vec<_> = self.0.iter().filter(fits).collect();
        assert_eq!(found.len(), 1, "{part}: {found:?}");
        found[0].1 & !1
    }
}
