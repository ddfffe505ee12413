//! The program of a chess board, without the chip.
//!
//! [`Board`] joins the wire ([`rookery_protocol::device`]) to an engine
//! ([`rookery_engine::ChessEngine`]), with a [`Book`] before it and a [`Display`] beside it. What
//! it runs on it knows only as a [`Port`] for bytes and a [`Platform`] for time; the chip and the
//! simulated board `board-sim` bring those and run this very code.
//!
//! Nothing here waits, allocates or prints. [`Board::step`] is called in a loop; while the engine
//! thinks, its reports are the moments in which the board listens.
#![no_std]

mod board;
mod book;
mod convert;
mod device;
mod display;
mod identity;
mod link;
mod platform;
pub mod v1;

pub use board::{Board, Step};
pub use book::{Book, BookId, NoBook, of_book};
pub use convert::{hash_of, to_move, to_text};
pub use display::{Display, NoDisplay};
pub use identity::{Config, Vitals};
pub use platform::{Pace, Platform, Port};

/// The version of this program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
