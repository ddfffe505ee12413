//! The watchdog: a reset when the program has not come round for four seconds.

use crate::regs::{IWDG_KR, IWDG_PR, IWDG_RLR};

/// Starts it; nothing but a reset ends it. Its own clock is somewhere between 30 and 60 kHz.
pub fn start() {
    IWDG_KR.set(0xcccc);
    IWDG_KR.set(0x5555);
    // A 64th of 40 kHz.
    IWDG_PR.set(4);
    IWDG_RLR.set(2500);
    feed();
}

/// All is well.
#[inline]
pub fn feed() {
    IWDG_KR.set(0xaaaa);
}
