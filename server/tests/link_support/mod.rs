//! What the tests of the link share: a board without chess, a channel that does every harm, and a world in virtual time.

#![allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    missing_docs,
    reason = "each test file uses its part"
)]
#![allow(clippy::unwrap_used, reason = "only tests come here")]

mod board;
mod pipe;
mod talk;
mod tcp;
mod world;

pub use board::{Board, Call, Executed, PACE, START, after};
pub use pipe::{Faults, Pipe};
pub use talk::{HASH, Talk, encode};
pub use tcp::{Do, Linked, PATIENT, TcpBoard, closed_port, placement};
pub use world::{Key, World, pace};
