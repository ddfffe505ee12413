//! What an STM32F103C6 has for being flashed: its memory, the loader in ROM (ST's AN3155 and
//! AN2606, the USART loader v2.2 of the F10xxx), and what runs after a reset.
//!
//! Knows bytes, and nothing of threads, files or clocks: what takes time, is said or kept goes
//! through [`World`] and [`Store`]. So the same model is met by a host, by the property tests and
//! by the fuzzer.

pub(crate) mod boot;
pub(crate) mod flash;
pub(crate) mod loader;
pub(crate) mod memory;
pub(crate) mod options;

use std::io;

/// Keeps the flash and the option bytes where they outlive the process.
pub(crate) trait Store {
    /// `bytes` are to be found at `at` from now on. Called with one unit of the flash at a time: a
    /// half-word, or a page or the option bytes erased.
    fn write(&mut self, at: usize, bytes: &[u8]) -> io::Result<()>;
}

/// Keeps nothing.
impl Store for () {
    fn write(&mut self, _: usize, _: &[u8]) -> io::Result<()> {
        Ok(())
    }
}

impl Store for Box<dyn Store> {
    fn write(&mut self, at: usize, bytes: &[u8]) -> io::Result<()> {
        (**self).write(at, bytes)
    }
}

/// An operation of the flash, whole or not at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Work {
    /// 1 KB, or the option bytes, become 0xFF.
    Erase,
    /// Two bytes are programmed.
    Program,
}

/// A reset or the end of the power came before the operation was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interrupted;

/// Something that goes wrong in the loader though the host has done nothing wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mishap {
    /// A command is answered by NACK, and not begun.
    Nack,
    /// An erase ends half-way with NACK.
    AbortErase,
    /// What ends a command that was executed is not said.
    AckLost,
}

impl Mishap {
    pub(crate) const ALL: [Self; 3] = [Self::Nack, Self::AbortErase, Self::AckLost];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Nack => "nack",
            Self::AbortErase => "abort-erase",
            Self::AckLost => "ack-lost",
        }
    }
}

/// What is around the loader.
pub(crate) trait World {
    /// Says bytes to the host, at once.
    fn say(&mut self, bytes: &[u8]);

    /// Lets the time of an operation pass. With an error the operation is not done.
    fn spend(&mut self, work: Work) -> Result<(), Interrupted>;

    /// Whether this goes wrong now.
    fn strikes(&mut self, mishap: Mishap) -> bool;
}
