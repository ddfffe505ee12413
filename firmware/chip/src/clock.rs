//! The clock of the core: 72 MHz from the crystal, or the best that can be had without it.

use crate::regs::{FLASH_ACR, RCC_APB1ENR, RCC_APB2ENR, RCC_CFGR, RCC_CR, Reg};

/// The clock after a reset.
#[cfg(not(feature = "qemu"))]
const RESET_HZ: u32 = 8_000_000;
/// The clock of QEMU's machine, whatever the registers say.
#[cfg(feature = "qemu")]
const RESET_HZ: u32 = 24_000_000;

const HSEON: u32 = 1 << 16;
const HSERDY: u32 = 1 << 17;
/// An interrupt that cannot be masked tells when the crystal stops.
const CSSON: u32 = 1 << 19;
const PLLON: u32 = 1 << 24;
const PLLRDY: u32 = 1 << 25;

/// Crystal, 8 MHz, times nine; the first bus, which may have 36 MHz, at half of it.
const FROM_CRYSTAL: u32 = 0b0111 << 18 | 1 << 16 | 0b100 << 8;
/// Half of the internal 8 MHz, times sixteen.
const FROM_INTERNAL: u32 = 0b1110 << 18 | 0b100 << 8;
const SW_PLL: u32 = 0b10;
const SWS_PLL: u32 = 0b10 << 2;

/// More rounds than a crystal takes to start: some 100 ms.
const PATIENCE: u32 = 100_000;

/// Waits until a bit is set, but not for ever.
fn wait(register: Reg, bit: u32) -> bool {
    (0..PATIENCE).any(|_| register.has(bit))
}

/// Sets the clock and gives it, in Hz, together with the clocks of everything that is used.
pub fn start() -> u32 {
    // Two wait states and the prefetch buffer: what 72 MHz need, and harmless below.
    FLASH_ACR.set(1 << 4 | 2);
    RCC_CR.change(0, HSEON);
    let crystal = wait(RCC_CR, HSERDY);
    let (source, reached) = match crystal {
        true => (FROM_CRYSTAL, 72_000_000),
        false => (FROM_INTERNAL, 64_000_000),
    };
    RCC_CFGR.set(source);
    RCC_CR.change(0, PLLON);
    let mut hz = RESET_HZ;
    if wait(RCC_CR, PLLRDY) {
        RCC_CFGR.set(source | SW_PLL);
        if wait(RCC_CFGR, SWS_PLL) {
            hz = reached;
        } else {
            RCC_CFGR.set(0);
        }
    }
    if crystal && hz == reached {
        RCC_CR.change(0, CSSON);
    }
    // Ports A, B and C, SPI 1, USART 1.
    RCC_APB2ENR.change(0, 1 << 2 | 1 << 3 | 1 << 4 | 1 << 12 | 1 << 14);
    // Backup registers and power control.
    RCC_APB1ENR.change(0, 1 << 27 | 1 << 28);
    hz
}
