//! Opening books for chess boards.
//!
//! Two forms of the same thing, positions and the moves to play in them:
//!
//! - [`polyglot`]: the `.bin` files that most chess programs read. Sixteen bytes for a move, several
//!   weighted moves for a position, 64-bit keys.
//! - [`compact`]: what a microcontroller carries in flash. Four bytes for a position with its one
//!   move, and a small directory; keyed by the [`PositionHash`](rookery_protocol::PositionHash)
//!   that board and host have anyway.
//!
//! Knows positions only as far as their keys need ([`Placement`]), and no rules: whether a move is
//! legal is for the player to say, and has to be said before it is played. Reading a compact book
//! needs neither memory nor an allocator; the feature `alloc` brings whole `.bin` books and the
//! builder.
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod compact;
mod fen;
mod moves;
pub mod polyglot;

pub use fen::{FenError, Placement};
pub use moves::{BookMove, MoveError, Promotion};
