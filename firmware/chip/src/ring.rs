//! Bytes on their way between an interrupt and the program.

use core::sync::atomic::{AtomicU8, AtomicU16, Ordering};

/// A queue of up to `N` bytes, a power of two, with one writer and one reader.
#[derive(Debug)]
pub struct Ring<const N: usize> {
    bytes: [AtomicU8; N],
    /// How many were put in, modulo 2^16.
    written: AtomicU16,
    /// How many were taken out.
    read: AtomicU16,
}

impl<const N: usize> Ring<N> {
    /// An empty one.
    #[must_use]
    pub const fn new() -> Self {
        const { assert!(N.is_power_of_two() && N <= 1 << 15) };
        Self {
            bytes: [const { AtomicU8::new(0) }; N],
            written: AtomicU16::new(0),
            read: AtomicU16::new(0),
        }
    }

    /// How many bytes wait.
    pub fn len(&self) -> usize {
        let written = self.written.load(Ordering::Acquire);
        usize::from(written.wrapping_sub(self.read.load(Ordering::Acquire)))
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many more fit.
    pub fn room(&self) -> usize {
        N - self.len()
    }

    /// Puts a byte in, unless it is full. To be called by the writer alone.
    pub fn push(&self, byte: u8) -> bool {
        if self.room() == 0 {
            return false;
        }
        let at = self.written.load(Ordering::Relaxed);
        self.bytes[usize::from(at) % N].store(byte, Ordering::Relaxed);
        self.written.store(at.wrapping_add(1), Ordering::Release);
        true
    }

    /// Takes a byte out. To be called by the reader alone.
    pub fn pop(&self) -> Option<u8> {
        if self.is_empty() {
            return None;
        }
        let at = self.read.load(Ordering::Relaxed);
        let byte = self.bytes[usize::from(at) % N].load(Ordering::Relaxed);
        self.read.store(at.wrapping_add(1), Ordering::Release);
        Some(byte)
    }
}

impl<const N: usize> Default for Ring<N> {
    fn default() -> Self {
        Self::new()
    }
}
