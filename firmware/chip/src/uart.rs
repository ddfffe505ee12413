//! The serial port: 115,200 baud, eight data bits and even parity, by interrupt.
//!
//! A byte that came with an error is handed on like any other, because the line it is in has a
//! checksum; a sender without parity is then understood all the same.

use core::sync::atomic::{AtomicU16, Ordering};

use cortex_m::peripheral::NVIC;
use rookery_board::Port;

use crate::interrupts::Serial;
use crate::regs::{GPIOA_BSRR, GPIOA_CRH, USART1_BRR, USART1_CR1, USART1_DR, USART1_SR};
use crate::ring::Ring;

/// The rate of the wire.
pub const BAUD: u32 = 115_200;

const PE: u32 = 1;
const FE: u32 = 1 << 1;
const NE: u32 = 1 << 2;
const ORE: u32 = 1 << 3;
const RXNE: u32 = 1 << 5;
const TC: u32 = 1 << 6;
const TXE: u32 = 1 << 7;

/// Receiver, transmitter, interrupt for a byte, even parity, nine bits with it, port.
const RUNNING: u32 = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 10 | 1 << 12 | 1 << 13;
/// And an interrupt when there is room for a byte to send.
const TXEIE: u32 = 1 << 7;

/// What comes while the engine does not look: 22 ms of it.
static RECEIVED: Ring<256> = Ring::new();
/// What waits to be sent.
static TO_SEND: Ring<512> = Ring::new();

/// What went wrong on the wire, by kind: a byte came before the last one was taken, had the wrong
/// parity, had no stop bit or noise in it, or was lost because the program had not looked for too
/// long. Written by the interrupt alone.
static ERRORS: [AtomicU16; 4] = [const { AtomicU16::new(0) }; 4];

/// How many bytes were damaged or lost.
pub fn errors() -> u32 {
    let each = ERRORS.iter();
    each.map(|count| u32::from(count.load(Ordering::Relaxed))).sum()
}

fn count(error: usize) {
    if let Some(counter) = ERRORS.get(error) {
        let value = counter.load(Ordering::Relaxed);
        counter.store(value.saturating_add(1), Ordering::Relaxed);
    }
}

/// The port. Its clock is that of the core.
#[derive(Debug)]
pub struct Uart(());

impl Uart {
    /// Sets it up. There is one.
    #[must_use]
    pub fn start(core_hz: u32) -> Self {
        // PA10 is an input with pull-up, so that a wire that is not there is quiet.
        GPIOA_BSRR.set(1 << 10);
        GPIOA_CRH.change(0xff0, 0x8b0);
        USART1_BRR.set((core_hz + BAUD / 2) / BAUD);
        USART1_CR1.set(RUNNING);
        #[allow(unsafe_code)]
        // SAFETY: no critical section relies on this interrupt being masked.
        unsafe {
            NVIC::unmask(Serial);
        }
        Self(())
    }

    /// Whether something has come.
    #[must_use]
    pub fn has_input(&self) -> bool {
        !RECEIVED.is_empty()
    }

    /// Whether everything was sent, to the last stop bit.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        TO_SEND.is_empty() && USART1_SR.has(TC)
    }
}

impl Port for Uart {
    fn read(&mut self) -> Option<u8> {
        RECEIVED.pop()
    }

    fn room(&self) -> usize {
        TO_SEND.room()
    }

    fn write(&mut self, line: &[u8]) {
        if TO_SEND.room() < line.len() {
            return;
        }
        for &byte in line {
            TO_SEND.push(byte);
        }
        USART1_CR1.set(RUNNING | TXEIE);
        // The chip needs no more; QEMU's port does not ask for bytes by itself.
        NVIC::pend(Serial);
    }
}

/// A byte has come, or one can go.
pub(crate) extern "C" fn interrupt() {
    let status = USART1_SR.get();
    if status & (RXNE | ORE | NE | FE | PE) != 0 {
        // Always read: it is what clears the errors.
        let byte = USART1_DR.get() as u8;
        for (error, flags) in [ORE, PE, FE | NE].into_iter().enumerate() {
            if status & flags != 0 {
                count(error);
            }
        }
        if status & RXNE != 0 && !RECEIVED.push(byte) {
            count(3);
        }
    }
    while USART1_SR.has(TXE) {
        match TO_SEND.pop() {
            Some(byte) => USART1_DR.set(byte.into()),
            None => {
                USART1_CR1.set(RUNNING);
                break;
            }
        }
    }
}
