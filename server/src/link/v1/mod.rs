//! The dialect of the boards before Rookery: text without checksums, without a word for a position, and without a word for a new game.
//! What cannot be asked is found out from what a board shows: its rows, the moves it tells, and what it refuses.

mod client;
mod evidence;
mod host;
mod session;
mod words;

pub(super) use client::{place, think};
pub(super) use host::{Errand, Host};
pub use session::Session;
pub use words::{Failure, Goal, Played, SessionEvent};
