//! The simulated chip's flash and the loader in its ROM, under any conversation: the laws of the
//! flash hold, what is kept is what the chip has, and the loader answers after the next reset.

#[path = "../../firmware/src/bin/board-sim/rom/mod.rs"]
pub mod model;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;

use model::flash::{self, Flash, KEPT, PAGE, SIZE};
use model::loader::{ACK, Loader, NACK, Next, SYNC};
use model::memory::Memory;
use model::options::Options;
use model::{Interrupted, Mishap, Store, Work, World, boot};

const UNLOCK: [u8; 2] = [0x92, 0x6D];
const GET: &[u8] =
    &[0x79, 11, 0x22, 0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x43, 0x63, 0x73, 0x82, 0x92, 0x79];

/// What a file would have: every write has to be one that the flash can do.
struct Kept {
    bytes: Vec<u8>,
    /// As the chip has them since its last reset.
    loaded: Options,
    /// Operations that took time and were not followed by a write yet.
    spent: Vec<Work>,
    /// The host takes the read-out protection off, which no other protection can stop.
    unlocking: bool,
}

#[derive(Clone)]
struct Watch(Rc<RefCell<Kept>>);

impl Store for Watch {
    fn write(&mut self, at: usize, bytes: &[u8]) -> io::Result<()> {
        let mut kept = self.0.borrow_mut();
        let erases = bytes.len() > 2;
        let work = if erases { Work::Erase } else { Work::Program };
        assert_eq!(std::mem::take(&mut kept.spent), [work], "an operation takes its time once");
        let old = &kept.bytes[at..at + bytes.len()];
        if at < SIZE {
            assert!(!kept.loaded.is_locked() || kept.unlocking, "the flash is locked");
            assert!(!kept.loaded.is_protected(at / PAGE) || kept.unlocking, "a protected page");
        }
        if erases {
            let whole =
                if at < SIZE { at.is_multiple_of(PAGE) && bytes.len() == PAGE } else { at == SIZE };
            assert!(whole && bytes.iter().all(|&byte| byte == 0xFF), "an erase at {at}");
        } else {
            assert!(at.is_multiple_of(2) && bytes.len() == 2, "a half-word at {at}");
            assert!(old == [0xFF; 2] || bytes == [0; 2], "{old:?} becomes {bytes:?}");
            assert!(at < SIZE || bytes[0] == !bytes[1], "an option byte without its complement");
        }
        kept.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

/// The chip and its surroundings.
pub struct Bench {
    kept: Watch,
    memory: Memory<Watch>,
    loader: Loader,
    /// What the host has heard since it last listened.
    pub heard: Vec<u8>,
    /// How many operations of the flash are left until the power fails.
    pub fuse: Option<u32>,
    /// What goes wrong next, once.
    pub mishap: Option<Mishap>,
    /// The last two bytes that the host has said.
    last: [u8; 2],
}

struct Around<'a> {
    kept: &'a Watch,
    heard: &'a mut Vec<u8>,
    fuse: &'a mut Option<u32>,
    mishap: &'a mut Option<Mishap>,
}

impl World for Around<'_> {
    fn say(&mut self, bytes: &[u8]) {
        self.heard.extend(bytes);
    }

    fn spend(&mut self, work: Work) -> Result<(), Interrupted> {
        if let Some(left) = self.fuse {
            *left = left.checked_sub(1).ok_or(Interrupted)?;
        }
        self.kept.0.borrow_mut().spent.push(work);
        Ok(())
    }

    fn strikes(&mut self, mishap: Mishap) -> bool {
        self.mishap.take_if(|next| *next == mishap).is_some()
    }
}

impl Default for Bench {
    fn default() -> Self {
        Self::new(flash::blank())
    }
}

impl Bench {
    /// A chip with this in its flash.
    pub fn new(bytes: Vec<u8>) -> Self {
        let loaded = Options::load(&bytes[SIZE..]);
        let kept = Kept { bytes: bytes.clone(), loaded, spent: Vec::new(), unlocking: false };
        let kept = Watch(Rc::new(RefCell::new(kept)));
        let memory = Memory::new(Flash::new(bytes, kept.clone()), 0x1234_5678);
        let (heard, loader) = (Vec::new(), Loader::new());
        Self { kept, memory, loader, heard, fuse: None, mishap: None, last: [0; 2] }
    }

    /// The host says this; what the chip does in the end.
    pub fn say(&mut self, bytes: &[u8]) -> Next {
        for &byte in bytes {
            self.last = [self.last[1], byte];
            self.kept.0.borrow_mut().unlocking = self.last == UNLOCK;
            let mut around = Around {
                kept: &self.kept,
                heard: &mut self.heard,
                fuse: &mut self.fuse,
                mishap: &mut self.mishap,
            };
            let next = self.loader.push(byte, &mut self.memory, &mut around);
            if next != Next::Listen {
                self.reset(next == Next::Interrupted);
                return next;
            }
        }
        Next::Listen
    }

    /// Says it and gives the answer.
    pub fn ask(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.say(bytes);
        std::mem::take(&mut self.heard)
    }

    /// A reset into the loader; after a power failure only what was kept is there.
    pub fn reset(&mut self, power: bool) {
        let bytes = self.bytes();
        assert_eq!(self.memory.flash(), &bytes[..SIZE], "chip and file differ");
        if power {
            self.fuse = None;
            self.memory = Memory::new(Flash::new(bytes.clone(), self.kept.clone()), 0x1234_5678);
        }
        self.memory.reset();
        let mut kept = self.kept.0.borrow_mut();
        kept.loaded = Options::load(&bytes[SIZE..]);
        kept.spent.clear();
        self.loader = Loader::new();
    }

    /// Flash and option bytes as they are kept.
    pub fn bytes(&self) -> Vec<u8> {
        self.kept.0.borrow().bytes.clone()
    }

    /// Whether read-out protection is in force.
    pub fn is_locked(&self) -> bool {
        self.kept.0.borrow().loaded.is_locked()
    }
}

/// A command and its complement.
pub fn command(code: u8) -> [u8; 2] {
    [code, !code]
}

/// An address with its checksum.
pub fn address(address: u32) -> [u8; 5] {
    let [a, b, c, d] = address.to_be_bytes();
    [a, b, c, d, a ^ b ^ c ^ d]
}

/// A count less one, bytes, and the checksum of all.
pub fn counted(bytes: &[u8]) -> Vec<u8> {
    let mut all = vec![(bytes.len() as u8).wrapping_sub(1)];
    all.extend(bytes);
    all.push(all.iter().fold(0, |sum, byte| sum ^ byte));
    all
}

/// Bytes that decide what a host does.
struct Choices<'a>(&'a [u8]);

impl Choices<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// Mostly somewhere in the flash, sometimes anywhere.
    fn address(&mut self) -> Option<u32> {
        let (high, low) = (self.byte()?, self.byte()?);
        let offset = u32::from(u16::from_be_bytes([high & 0x7F, low]));
        Some(match (high, low % 8) {
            (0xF0.., 0) => 0x1FFF_F800,
            (0xF0.., 1) => 0x2000_0000 + (offset & 0xFFF),
            (0xF0.., 2) => 0x1FFF_F000 + (offset & 0xFFF),
            (0xF0.., _) => offset << 16 | offset,
            _ => 0x0800_0000 + offset,
        })
    }

    fn bytes(&mut self, longest: u8) -> Option<Vec<u8>> {
        let length = usize::from(self.byte()? % longest) + 1;
        Some((0..length).map_while(|_| self.byte()).collect())
    }
}

/// Any conversation of a host with the chip.
pub fn conversation(data: &[u8]) {
    let mut bench = Bench::default();
    let mut choices = Choices(data);
    bench.say(&[SYNC]);
    while turn(&mut bench, &mut choices).is_some() {}
    bench.mishap = None;
    bench.reset(true);
    assert_eq!(bench.bytes().len(), KEPT);
    bench.heard.clear();
    assert_eq!(bench.ask(&[SYNC]), [ACK]);
    assert_eq!(bench.ask(&command(0x00)), GET);
}

/// `None` when nothing is left to decide.
fn turn(bench: &mut Bench, choices: &mut Choices<'_>) -> Option<()> {
    match choices.byte()? % 14 {
        0 => drop(bench.say(&choices.bytes(40)?)),
        1 => drop(bench.say(&[SYNC])),
        2 => drop(bench.say(&command(choices.byte()?))),
        3 => {
            let (at, length) = (choices.address()?, choices.byte()?);
            bench.reset(false);
            let before = bench.bytes();
            let locked = bench.is_locked();
            bench.mishap = None;
            bench.heard.clear();
            let mut heard = bench.ask(&[SYNC]);
            heard.extend(bench.ask(&command(0x11)));
            if locked {
                assert_eq!(heard, [ACK, NACK]);
                return Some(());
            }
            heard.extend(bench.ask(&address(at)));
            heard.extend(bench.ask(&command(length)));
            let offset = at.wrapping_sub(flash::START) as usize;
            let expected = offset
                .checked_add(usize::from(length) + 1)
                .filter(|&end| end <= SIZE)
                .map(|end| &before[offset..end]);
            if let Some(expected) = expected {
                assert_eq!(heard, [&[ACK; 4], expected].concat());
            }
        }
        4 => {
            let at = choices.address()? & !3;
            let mut bytes = choices.bytes(32)?;
            bytes.resize(bytes.len().next_multiple_of(4), 0xFF);
            bench.say(&command(0x31));
            bench.say(&address(at));
            bench.say(&counted(&bytes));
        }
        5 => {
            let pages = choices.bytes(8)?;
            bench.say(&command(0x43));
            bench.say(&counted(&pages));
        }
        6 => {
            bench.say(&command(0x43));
            bench.say(&[0xFF, 0x00]);
        }
        7 => {
            let groups = choices.bytes(4)?;
            bench.say(&command(0x63));
            bench.say(&counted(&groups));
        }
        8 => drop(bench.say(&command([0x73, 0x82, 0x92][usize::from(choices.byte()?) % 3]))),
        9 => {
            bench.say(&command(0x21));
            bench.say(&address(choices.address()?));
        }
        10 => bench.reset(false),
        11 => bench.reset(true),
        12 => bench.fuse = Some(u32::from(choices.byte()?)),
        _ => bench.mishap = Some(Mishap::ALL[usize::from(choices.byte()?) % Mishap::ALL.len()]),
    }
    Some(())
}

/// Any flash: whether it boots is decided without a panic, and what boots can be told in a banner.
pub fn image(data: &[u8]) {
    let (offset, data) = match data {
        [high, low, rest @ ..] => (u16::from_be_bytes([*high, *low]), rest),
        _ => (0, data),
    };
    let mut flash = boot::own_image("fuzz", "1.2.3");
    // Changed here and there: mostly still an image.
    for (index, change) in data.iter().enumerate() {
        match flash.get_mut(index) {
            Some(byte) => *byte ^= change,
            None => flash.push(*change),
        }
    }
    flash.resize(SIZE, 0xFF);
    for offset in [0, usize::from(offset) % SIZE] {
        match boot::image(&flash, offset) {
            Ok(image) => {
                assert!(!image.version.is_empty() && image.version.len() <= 14);
                assert!(!image.board.contains([' ', '*']) && !image.version.contains([' ', '*']));
            }
            Err(dead) => assert!(!dead.to_string().is_empty()),
        }
    }
}
