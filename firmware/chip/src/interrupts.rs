//! The table of interrupts: the only one that is used is the serial port's.

use core::fmt::{self, Debug};

/// Place of USART 1 in the table.
const USART1: usize = 37;

/// Nothing behind it is ever asked for, and its place may be anything.
const COUNT: usize = USART1 + 1;

/// An entry of the table.
#[derive(Clone, Copy)]
#[repr(C)]
pub union Entry {
    handler: unsafe extern "C" fn(),
    reserved: usize,
}

impl Debug for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Entry")
    }
}

#[allow(unsafe_code)]
// SAFETY: cortex-m-rt's link script defines this name, as a function that never returns.
unsafe extern "C" {
    fn DefaultHandler();
}

/// The table, behind the processor's own vectors.
#[allow(unsafe_code)]
// SAFETY: link.x of cortex-m-rt puts this section, and this name, right behind the vectors.
#[unsafe(link_section = ".vector_table.interrupts")]
// SAFETY: the name that link.x asks for.
#[unsafe(no_mangle)]
pub static __INTERRUPTS: [Entry; COUNT] = {
    let mut table = [Entry { handler: DefaultHandler }; COUNT];
    table[USART1] = Entry { handler: crate::uart::interrupt };
    table
};

/// The serial port's place, for the interrupt controller.
#[derive(Clone, Copy, Debug)]
pub struct Serial;

#[allow(unsafe_code)]
// SAFETY: the number is the one that the chip gives to USART 1, and it never changes.
unsafe impl cortex_m::interrupt::InterruptNumber for Serial {
    fn number(self) -> u16 {
        USART1 as u16
    }
}
