//! A session of the old dialect, such a board, and a line between them that loses what it likes, in virtual time.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "each test file uses its part")]
#![allow(clippy::unwrap_used, reason = "only tests come here")]

mod board;
mod world;

pub use board::{Made, OldBoard};
pub use world::World;
