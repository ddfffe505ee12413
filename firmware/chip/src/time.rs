//! Milliseconds since the reset.

use core::sync::atomic::{AtomicU32, Ordering};

use cortex_m::peripheral::{SYST, syst::SystClkSource};
use cortex_m_rt::exception;

static MILLIS: AtomicU32 = AtomicU32::new(0);

/// Lets the timer run as fast as it can, and tell nobody.
pub fn race(timer: &mut SYST) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(0xff_ffff);
    timer.clear_current();
    timer.enable_counter();
}

/// Starts the clock.
pub fn start(mut timer: SYST, core_hz: u32) {
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(core_hz / 1000 - 1);
    timer.clear_current();
    timer.enable_counter();
    timer.enable_interrupt();
}

/// Milliseconds; they wrap after 49 days.
pub fn millis() -> u32 {
    MILLIS.load(Ordering::Relaxed)
}

#[exception]
fn SysTick() {
    let now = MILLIS.load(Ordering::Relaxed);
    MILLIS.store(now.wrapping_add(1), Ordering::Relaxed);
}
