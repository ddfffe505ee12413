//! The chip's memory as the loader sees it: which addresses there are, and what can be done there.

use super::flash::{self, Flash, Status};
use super::options::{self, Options};
use super::{Interrupted, Store, World};

/// Where the SRAM begins.
pub(crate) const SRAM_START: u32 = 0x2000_0000;
/// Its size.
pub(crate) const SRAM_SIZE: usize = 10 * 1024;
/// The first bytes of the SRAM are the loader's own: a host can neither read nor write them
/// (AN2606).
const LOADERS_OWN: usize = 512;

/// The loader itself.
const SYSTEM_START: u32 = 0x1FFF_F000;
const SYSTEM_SIZE: usize = 2 * 1024;
/// In it: how many KB of flash there are, and the chip's unique number.
const FLASH_SIZE_AT: usize = 0x7E0;
const UNIQUE_AT: usize = 0x7E8;

/// Where the option bytes begin.
pub(crate) const OPTIONS_START: u32 = 0x1FFF_F800;

/// What an address belongs to, and how far behind its start it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Flash(usize),
    Sram(usize),
    System(usize),
    Options(usize),
}

impl Place {
    /// `None` where there is nothing that the loader would touch.
    pub(crate) fn of(address: u32) -> Option<Self> {
        let within = |start: u32, size: usize| {
            let offset = usize::try_from(address.checked_sub(start)?).ok()?;
            (offset < size).then_some(offset)
        };
        if let Some(offset) = within(flash::START, flash::SIZE) {
            return Some(Self::Flash(offset));
        }
        if let Some(offset) = within(SRAM_START, SRAM_SIZE) {
            return (offset >= LOADERS_OWN).then_some(Self::Sram(offset));
        }
        if let Some(offset) = within(SYSTEM_START, SYSTEM_SIZE) {
            return Some(Self::System(offset));
        }
        within(OPTIONS_START, options::LENGTH).map(Self::Options)
    }

    /// Whether the loader can write there: words, and all option bytes at once.
    pub(crate) fn is_writable(self) -> bool {
        match self {
            Self::Flash(offset) | Self::Sram(offset) => offset.is_multiple_of(4),
            Self::Options(offset) => offset == 0,
            Self::System(_) => false,
        }
    }
}

/// How a write has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// The loader says ACK, also when the flash has refused: it does not ask.
    Accepted,
    /// The same for the option bytes: a reset follows.
    Options,
    /// It would go beyond the end of the memory, or could not be kept.
    Refused,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Memory<S> {
    flash: Flash<S>,
    loaded: Options,
    sram: Vec<u8>,
    system: Vec<u8>,
}

impl<S: Store> Memory<S> {
    /// A chip whose power has just come; `unique` tells it from others.
    pub(crate) fn new(flash: Flash<S>, unique: u64) -> Self {
        let loaded = Options::load(flash.options());
        Self { flash, loaded, sram: vec![0; SRAM_SIZE], system: system(unique) }
    }

    /// A reset: the option bytes count as they are now.
    pub(crate) fn reset(&mut self) {
        self.loaded = Options::load(self.flash.options());
    }

    /// The power was gone: the SRAM has lost what it held.
    pub(crate) fn forget_sram(&mut self) {
        self.sram.fill(0);
    }

    /// Whether read-out protection is on.
    pub(crate) fn is_locked(&self) -> bool {
        self.loaded.is_locked()
    }

    /// The flash, for whoever runs what is in it.
    pub(crate) fn flash(&self) -> &[u8] {
        self.flash.bytes()
    }

    /// Bytes that lie together; `None` when they do not.
    pub(crate) fn read(&self, address: u32, length: usize) -> Option<&[u8]> {
        let (bytes, offset) = match Place::of(address)? {
            Place::Flash(offset) => (self.flash.bytes(), offset),
            Place::Sram(offset) => (&*self.sram, offset),
            Place::System(offset) => (&*self.system, offset),
            Place::Options(offset) => (self.flash.options(), offset),
        };
        bytes.get(offset..offset.checked_add(length)?)
    }

    /// Writes as the loader does: flash by half-words, whose failures it does not look at.
    pub(crate) fn write(
        &mut self,
        address: u32,
        data: &[u8],
        world: &mut impl World,
    ) -> Result<Written, Interrupted> {
        if self.read(address, data.len()).is_none() {
            return Ok(Written::Refused);
        }
        match Place::of(address) {
            Some(Place::Flash(start)) => {
                for (index, half) in data.chunks_exact(2).enumerate() {
                    let half = [half[0], half[1]];
                    let offset = start + 2 * index;
                    if self.flash.program(offset, half, self.loaded, world)? == Status::Failed {
                        return Ok(Written::Refused);
                    }
                }
                Ok(Written::Accepted)
            }
            Some(Place::Sram(start)) => {
                self.sram[start..start + data.len()].copy_from_slice(data);
                Ok(Written::Accepted)
            }
            Some(Place::Options(_)) => {
                // The flash makes the complements.
                let values: Vec<u8> = data.iter().copied().step_by(2).collect();
                let status = self.flash.write_options(&values, world)?;
                Ok(if status == Status::Done { Written::Options } else { Written::Refused })
            }
            Some(Place::System(_)) | None => Ok(Written::Refused),
        }
    }

    /// Erases a page. `false` when that could not be kept; a protected page is silently left.
    pub(crate) fn erase_page(
        &mut self,
        page: usize,
        world: &mut impl World,
    ) -> Result<bool, Interrupted> {
        Ok(self.flash.erase_page(page, self.loaded, world)? != Status::Failed)
    }

    /// Whether any page is protected: then the flash does not erase all of them together.
    pub(crate) fn has_protected_page(&self) -> bool {
        (0..flash::PAGES).any(|page| self.loaded.is_protected(page))
    }

    /// Changes option bytes, which count from the next reset.
    pub(crate) fn change_options(
        &mut self,
        change: impl FnOnce(&mut [u8; options::VALUES]),
        world: &mut impl World,
    ) -> Result<bool, Interrupted> {
        let mut values = [0xFF; options::VALUES];
        for (value, pair) in values.iter_mut().zip(self.flash.options().chunks_exact(2)) {
            *value = pair[0];
        }
        change(&mut values);
        Ok(self.flash.write_options(&values, world)? == Status::Done)
    }

    /// Ends the read-out protection, at the price of everything in flash and SRAM. The flash is
    /// erased before the protection is off, whatever comes between.
    pub(crate) fn unlock(&mut self, world: &mut impl World) -> Result<bool, Interrupted> {
        let nothing_protected = Options::load(&options::bytes_of(options::FACTORY));
        for page in 0..flash::PAGES {
            if self.flash.erase_page(page, nothing_protected, world)? == Status::Failed {
                return Ok(false);
            }
        }
        self.forget_sram();
        self.change_options(|values| values[options::RDP] = options::READABLE, world)
    }
}

/// Not ST's code: as much of it as a host has reason to look at, and something to fill the rest.
fn system(unique: u64) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..SYSTEM_SIZE).map(|at| (at * 7 + at / 256) as u8).collect();
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &(SRAM_START + LOADERS_OWN as u32).to_le_bytes());
    put(4, &(SYSTEM_START + 0x101).to_le_bytes());
    put(FLASH_SIZE_AT, &((flash::SIZE / 1024) as u16).to_le_bytes());
    put(UNIQUE_AT, &unique.to_le_bytes());
    put(UNIQUE_AT + 8, b"SIM\0");
    bytes
}
