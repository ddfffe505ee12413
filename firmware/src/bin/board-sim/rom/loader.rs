//! The loader in ROM: bytes from the host go in, answers come out, and the memory changes.
//!
//! What AN3155 leaves open is done like this:
//! - Before 0x7F anything else is ignored. (A chip measures the first byte that comes; a wrong one
//!   can leave it at a wrong rate until the next reset.)
//! - After it, 0x7F is a byte like any other: the first of a command. Its NACK comes with the byte
//!   after it, whose complement it is not.
//! - There is no time-out: half a command waits for its rest until the next reset.
//! - What the flash refuses, because a half-word is not erased or a page is protected, is
//!   acknowledged like success; only reading back shows it.
//! - A block that is not made of words, or goes beyond the end of the memory, and a page that the
//!   chip does not have are refused before anything is done.

use super::memory::{Memory, Place, Written};
use super::options;
use super::{Interrupted, Mishap, Store, World, flash};

pub(crate) const SYNC: u8 = 0x7F;
pub(crate) const ACK: u8 = 0x79;
pub(crate) const NACK: u8 = 0x1F;

/// The version of the loader, 2.2.
const VERSION: u8 = 0x22;
/// Low-density F10xxx.
const PRODUCT: u16 = 0x412;
/// In place of a count of pages: all of them.
const ALL_PAGES: u8 = 0xFF;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Command {
    Get = 0x00,
    GetVersion = 0x01,
    GetId = 0x02,
    Read = 0x11,
    Go = 0x21,
    Write = 0x31,
    Erase = 0x43,
    WriteProtect = 0x63,
    WriteUnprotect = 0x73,
    ReadoutProtect = 0x82,
    ReadoutUnprotect = 0x92,
}

impl Command {
    /// As GET lists them.
    const ALL: [Self; 11] = [
        Self::Get,
        Self::GetVersion,
        Self::GetId,
        Self::Read,
        Self::Go,
        Self::Write,
        Self::Erase,
        Self::WriteProtect,
        Self::WriteUnprotect,
        Self::ReadoutProtect,
        Self::ReadoutUnprotect,
    ];

    fn of(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&command| command as u8 == code)
    }

    /// Whether read-out protection leaves it alone.
    const fn works_locked(self) -> bool {
        matches!(self, Self::Get | Self::GetVersion | Self::GetId | Self::ReadoutUnprotect)
    }
}

/// What the host owes for a command that was acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    /// Four bytes and their checksum.
    Address(Command),
    /// Number of bytes to read less one, and its complement.
    Count(u32),
    /// Number of bytes less one, the bytes, the checksum of all.
    Block(u32),
    /// Number of pages less one, the pages, the checksum; or 0xFF 0x00.
    Pages,
    /// Number of groups less one, the groups, the checksum.
    Groups,
}

impl Field {
    fn is_complete(self, bytes: &[u8]) -> bool {
        let wanted = match (self, bytes.first()) {
            (Self::Address(_), _) => 5,
            (Self::Count(_), _) | (Self::Pages, Some(&ALL_PAGES)) => 2,
            (Self::Block(_) | Self::Pages | Self::Groups, Some(&count)) => usize::from(count) + 3,
            (_, None) => return false,
        };
        bytes.len() >= wanted
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No 0x7F has come yet.
    Unsynced,
    /// A command can come.
    Ready,
    /// Its complement has to follow.
    Complement(u8),
    /// More has to follow.
    Expects(Field),
}

/// What is to happen after a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// The next byte.
    Listen,
    /// The loader resets the chip.
    Reset,
    /// The loader jumps into the program whose vector table is there.
    Go(u32),
    /// The chip was reset from outside, or has lost its power.
    Interrupted,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Loader {
    state: State,
    /// What has come of the field.
    field: Vec<u8>,
}

impl Loader {
    /// The loader after a reset.
    pub(crate) fn new() -> Self {
        Self { state: State::Unsynced, field: Vec::new() }
    }

    /// Takes a byte from the host.
    pub(crate) fn push<S: Store>(
        &mut self,
        byte: u8,
        memory: &mut Memory<S>,
        world: &mut impl World,
    ) -> Next {
        match self.state {
            State::Unsynced if byte == SYNC => {
                self.state = State::Ready;
                world.say(&[ACK]);
                Next::Listen
            }
            State::Unsynced => Next::Listen,
            State::Ready => {
                self.state = State::Complement(byte);
                Next::Listen
            }
            State::Complement(code) => {
                self.state = State::Ready;
                let command = Command::of(code).filter(|_| byte == !code);
                self.begin(command, memory, world).unwrap_or(Next::Interrupted)
            }
            State::Expects(field) => {
                self.field.push(byte);
                if !field.is_complete(&self.field) {
                    return Next::Listen;
                }
                self.state = State::Ready;
                let bytes = std::mem::take(&mut self.field);
                self.execute(field, &bytes, memory, world).unwrap_or(Next::Interrupted)
            }
        }
    }

    fn begin<S: Store>(
        &mut self,
        command: Option<Command>,
        memory: &mut Memory<S>,
        world: &mut impl World,
    ) -> Result<Next, Interrupted> {
        let Some(command) = command else { return Ok(refuse(world)) };
        let locked = memory.is_locked() && !command.works_locked();
        if locked || world.strikes(Mishap::Nack) {
            return Ok(refuse(world));
        }
        world.say(&[ACK]);
        let done = match command {
            Command::Get => {
                let codes = Command::ALL.map(|command| command as u8);
                // The version is counted with them, less one.
                world.say(&[codes.len() as u8, VERSION]);
                world.say(&codes);
                return Ok(finish(Next::Listen, world));
            }
            Command::GetVersion => {
                // Two bytes that once told about the read protection.
                world.say(&[VERSION, 0, 0]);
                return Ok(finish(Next::Listen, world));
            }
            Command::GetId => {
                let [high, low] = PRODUCT.to_be_bytes();
                world.say(&[1, high, low]);
                return Ok(finish(Next::Listen, world));
            }
            Command::Read | Command::Go | Command::Write => {
                return Ok(self.expect(Field::Address(command)));
            }
            Command::Erase => return Ok(self.expect(Field::Pages)),
            Command::WriteProtect => return Ok(self.expect(Field::Groups)),
            Command::WriteUnprotect => {
                memory.change_options(|values| values[options::WRP0..].fill(0xFF), world)?
            }
            Command::ReadoutProtect => {
                memory.change_options(|values| values[options::RDP] = 0x00, world)?
            }
            Command::ReadoutUnprotect => memory.unlock(world)?,
        };
        Ok(if done { finish(Next::Reset, world) } else { refuse(world) })
    }

    fn expect(&mut self, field: Field) -> Next {
        self.field.clear();
        self.state = State::Expects(field);
        Next::Listen
    }

    fn execute<S: Store>(
        &mut self,
        field: Field,
        bytes: &[u8],
        memory: &mut Memory<S>,
        world: &mut impl World,
    ) -> Result<Next, Interrupted> {
        let sound = match field {
            Field::Count(_) => bytes[0] == !bytes[1],
            // The complement of the count, which is what its checksum comes to.
            Field::Pages if bytes[0] == ALL_PAGES => bytes[1] == !ALL_PAGES,
            _ => bytes.iter().fold(0, |sum, byte| sum ^ byte) == 0,
        };
        if !sound {
            return Ok(refuse(world));
        }
        // Between the count and the checksum.
        let inside = || &bytes[1..bytes.len() - 1];
        match field {
            Field::Address(command) => {
                let address = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
                Ok(self.address(command, address, world))
            }
            Field::Count(address) => {
                let Some(data) = memory.read(address, usize::from(bytes[0]) + 1) else {
                    return Ok(refuse(world));
                };
                world.say(&[ACK]);
                world.say(data);
                Ok(Next::Listen)
            }
            Field::Block(address) => {
                if !inside().len().is_multiple_of(4) {
                    return Ok(refuse(world));
                }
                Ok(match memory.write(address, inside(), world)? {
                    Written::Accepted => finish(Next::Listen, world),
                    Written::Options => finish(Next::Reset, world),
                    Written::Refused => refuse(world),
                })
            }
            Field::Pages if bytes[0] == ALL_PAGES => {
                let all: Vec<u8> = (0..flash::PAGES as u8).collect();
                let pages = if memory.has_protected_page() { &[] } else { &*all };
                erase(pages, memory, world)
            }
            Field::Pages => {
                if inside().iter().any(|&page| usize::from(page) >= flash::PAGES) {
                    return Ok(refuse(world));
                }
                erase(inside(), memory, world)
            }
            Field::Groups => {
                let value = options::protecting(inside());
                let done = memory.change_options(|values| values[options::WRP0] = value, world)?;
                Ok(if done { finish(Next::Reset, world) } else { refuse(world) })
            }
        }
    }

    fn address(&mut self, command: Command, address: u32, world: &mut impl World) -> Next {
        let Some(place) = Place::of(address) else { return refuse(world) };
        let next = match command {
            Command::Write if place.is_writable() => Field::Block(address),
            Command::Read => Field::Count(address),
            Command::Go if matches!(place, Place::Flash(_) | Place::Sram(_)) => {
                return finish(Next::Go(address), world);
            }
            _ => return refuse(world),
        };
        world.say(&[ACK]);
        self.expect(next)
    }
}

fn refuse(world: &mut impl World) -> Next {
    world.say(&[NACK]);
    Next::Listen
}

/// The command is executed.
fn finish(next: Next, world: &mut impl World) -> Next {
    if !world.strikes(Mishap::AckLost) {
        world.say(&[ACK]);
    }
    next
}

fn erase<S: Store>(
    pages: &[u8],
    memory: &mut Memory<S>,
    world: &mut impl World,
) -> Result<Next, Interrupted> {
    let aborted = world.strikes(Mishap::AbortErase);
    let end = if aborted { pages.len() / 2 } else { pages.len() };
    for &page in &pages[..end] {
        if !memory.erase_page(usize::from(page), world)? {
            return Ok(refuse(world));
        }
    }
    Ok(if aborted { refuse(world) } else { finish(Next::Listen, world) })
}
