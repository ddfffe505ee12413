//! A fault of the processor.
//!
//! The stack may be what is at fault, and nobody comes back to it: it begins anew, for another fault in
//! here would leave the processor locked up until the watchdog bites.

#![allow(unsafe_code)]

use core::arch::global_asm;

use crate::reset::{self, Reason};

// cortex-m-rt has the name in its vectors.
global_asm!(
    ".syntax unified",
    ".section .text.HardFault,\"ax\",%progbits",
    ".global HardFault",
    ".type HardFault, %function",
    ".thumb_func",
    "HardFault:",
    "    ldr r0, =_stack_start",
    "    mov sp, r0",
    "    b {fault}",
    ".ltorg",
    fault = sym fault,
);

/// The record of resets is all that it touches.
extern "C" fn fault() -> ! {
    reset::reset(Reason::Fault)
}
