//! What the program of the board needs of an STM32F103C6, and of what is wired to it.
//!
//! The board itself is [`rookery_board::Board`], the same code that `board-sim` runs. Registers are
//! spelled out in [`regs`], the only place that touches them.
#![no_std]

pub mod clock;
mod fault;
pub mod interrupts;
mod memory;
pub mod panel;
pub mod regs;
pub mod reset;
pub mod ring;
pub mod spi;
pub mod stack;
pub mod time;
pub mod uart;
pub mod watchdog;

/// The kind of board.
#[cfg(feature = "stm32f103c6")]
pub const KIND: &str = "stm32f103c6";
/// The kind of board.
#[cfg(not(feature = "stm32f103c6"))]
pub const KIND: &str = "qemu-stm32";

/// How many cells the engine's table has.
#[cfg(feature = "stm32f103c6")]
pub const CELLS: usize = 512;
/// How many cells the engine's table has.
#[cfg(not(feature = "stm32f103c6"))]
pub const CELLS: usize = 256;
