//! One flash: an image onto a board's chip, through the loader in its ROM (ST's AN3155) and over any transport. Knows no store and no
//! page; what happens comes out as [`FlashEvent`]s.
//!
//! [`image`] reads and checks files; [`chip`] says how the flash is cut; `loader` speaks to the ROM over a `port` whose patience follows
//! the link; `program` makes a region what it is to be, in an order that never leaves half an image that starts; [`job`] does it from the
//! board's program to the board's next program.

pub mod chip;
mod entry;
mod error;
mod event;
pub mod image;
pub mod job;
mod loader;
pub mod plan;
mod port;
mod program;
mod sync;

pub use crate::model::FlashMode as Mode;
pub use entry::{Entry, LineSequence, LineSequenceError, Step, Wire};
pub use error::FlashError;
pub use event::FlashEvent;
pub use image::{Image, ImageError, Tag};
pub use job::{Done, FlashOptions, flash, flash_board};
pub use port::Opener;
pub use program::Written;
