//! Polyglot's format: the `.bin` files that most chess programs read.
//!
//! A file is entries of sixteen bytes, all numbers big-endian, sorted by key:
//!
//! | bytes | |
//! |---|---|
//! | 8 | the position's key, see [`key()`] |
//! | 2 | the move: bits 0-2 the file and 3-5 the rank it goes to, 6-8 and 9-11 those it comes from, 12-14 the promotion (0 none, 1 knight to 4 queen) |
//! | 2 | the weight: how often the move is to be chosen among those of the position; 0 is never |
//! | 4 | for learning; kept, not used |
//!
//! Castling is written as the king taking its own rook (e1h1).

#[cfg(feature = "alloc")]
mod book;
mod entry;
mod key;
mod random64;

#[cfg(feature = "alloc")]
pub use book::{Book, ReadError};
pub use entry::{ENTRY_BYTES, Entry, RawMove, draw};
pub use key::{Convention, EnPassant, Layout, key};
