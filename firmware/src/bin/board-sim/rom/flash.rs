//! The flash: 32 pages of 1 KB, erased to 0xFF a page at a time and programmed by half-words; and
//! the option bytes, which are flash as well.
//!
//! Programming a half-word that is not erased does nothing and sets PGERR; only 0x0000 can be
//! programmed over anything (PM0075). An operation is done or not done, nothing between: a power
//! failure leaves what was done before it.

use super::options::{self, Options};
use super::{Interrupted, Store, Work, World};

/// Where the flash begins.
pub(crate) const START: u32 = 0x0800_0000;
/// Its size.
pub(crate) const SIZE: usize = 32 * 1024;
/// A page's size.
pub(crate) const PAGE: usize = 1024;
/// How many pages there are.
pub(crate) const PAGES: usize = SIZE / PAGE;
/// What is kept: the flash, and the option bytes behind it.
pub(crate) const KEPT: usize = SIZE + options::LENGTH;

/// How an operation has ended, as FLASH_SR tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// It is done.
    Done,
    /// PGERR: there is something already. Nothing has changed.
    NotErased,
    /// WRPRTERR: the page is protected. Nothing has changed.
    Protected,
    /// It could not be kept; no chip has this. Nothing has changed.
    Failed,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Flash<S> {
    bytes: Vec<u8>,
    store: S,
}

/// Flash and option bytes of a chip as it is sold.
pub(crate) fn blank() -> Vec<u8> {
    let mut bytes = vec![0xFF; SIZE];
    bytes.extend(options::bytes_of(options::FACTORY));
    bytes
}

impl<S: Store> Flash<S> {
    /// The flash with what was kept of it: [`KEPT`] bytes; what is missing is erased.
    pub(crate) fn new(mut bytes: Vec<u8>, store: S) -> Self {
        bytes.resize(KEPT, 0xFF);
        Self { bytes, store }
    }

    /// All of the flash.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..SIZE]
    }

    /// The option bytes.
    pub(crate) fn options(&self) -> &[u8] {
        &self.bytes[SIZE..]
    }

    pub(crate) fn erase_page(
        &mut self,
        page: usize,
        loaded: Options,
        world: &mut impl World,
    ) -> Result<Status, Interrupted> {
        if loaded.is_protected(page) {
            return Ok(Status::Protected);
        }
        world.spend(Work::Erase)?;
        Ok(self.put(page * PAGE, &[0xFF; PAGE]))
    }

    /// Programs the half-word at an even offset.
    pub(crate) fn program(
        &mut self,
        offset: usize,
        half: [u8; 2],
        loaded: Options,
        world: &mut impl World,
    ) -> Result<Status, Interrupted> {
        if loaded.is_protected(offset / PAGE) {
            return Ok(Status::Protected);
        }
        let erased = self.bytes[offset..offset + 2] == [0xFF; 2];
        if !erased && half != [0; 2] {
            return Ok(Status::NotErased);
        }
        world.spend(Work::Program)?;
        Ok(self.put(offset, &half))
    }

    /// Erases the option bytes and programs these, the read-out protection first. In between the
    /// chip is one whose read-out protection is on.
    pub(crate) fn write_options(
        &mut self,
        values: &[u8],
        world: &mut impl World,
    ) -> Result<Status, Interrupted> {
        world.spend(Work::Erase)?;
        let mut status = self.put(SIZE, &[0xFF; options::LENGTH]);
        for (index, &value) in values.iter().enumerate().take(options::VALUES) {
            if status != Status::Done {
                break;
            }
            world.spend(Work::Program)?;
            status = self.put(SIZE + 2 * index, &options::with_complement(value));
        }
        Ok(status)
    }

    /// What cannot be kept does not happen: memory and file never differ.
    fn put(&mut self, at: usize, bytes: &[u8]) -> Status {
        if let Err(error) = self.store.write(at, bytes) {
            eprintln!("board-sim: the flash cannot be kept: {error}");
            return Status::Failed;
        }
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        Status::Done
    }
}
