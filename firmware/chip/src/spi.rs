//! SPI 1 to the display: PA5 clock, PA7 data, PA4 select. Nothing here waits for ever.

use crate::regs::{GPIOA_BSRR, GPIOA_CRL, SPI1_CR1, SPI1_DR, SPI1_SR};

const TXE: u32 = 1 << 1;
const BSY: u32 = 1 << 7;
const SELECT: u32 = 1 << 4;

/// More rounds than a byte takes.
const PATIENCE: u32 = 1000;

/// The port.
#[derive(Debug)]
pub struct Spi(());

impl Spi {
    /// Sets it up: master, select by software, a sixteenth of the core's clock (4.5 MHz).
    #[must_use]
    pub fn start() -> Self {
        GPIOA_BSRR.set(SELECT);
        GPIOA_CRL.change(0xf0ff_0000, 0xb0b3_0000);
        SPI1_CR1.set(1 << 9 | 1 << 8 | 1 << 6 | 0b011 << 3 | 1 << 2);
        Self(())
    }

    /// Sends two bytes, and a pulse that makes the display take them.
    pub fn send(&self, bytes: [u8; 2]) {
        GPIOA_BSRR.set(SELECT << 16);
        for byte in bytes {
            let _ = (0..PATIENCE).any(|_| SPI1_SR.has(TXE));
            SPI1_DR.set(byte.into());
        }
        let _ = (0..PATIENCE).any(|_| SPI1_SR.has(TXE));
        let _ = (0..PATIENCE).any(|_| !SPI1_SR.has(BSY));
        GPIOA_BSRR.set(SELECT);
    }
}
