//! Ways to a board. Bytes come from a [`transport`], become lines in a [`session`] that knows no I/O and no clock, driven by an
//! [`actor`] that owns both; a [`board`] client puts positions and thinks on top. Nothing here knows chess: a position is a text and
//! a hash, a move is five letters.

pub mod actor;
pub mod board;
pub mod hail;
pub mod handle;
pub mod lease;
pub mod meaning;
pub mod rtt;
pub mod say;
pub mod session;
pub mod tape;
pub mod transport;

pub use actor::spawn;
pub use board::{BoardClient, BoardError, BoardMove, Placement, ThinkLimits};
pub use handle::{LinkHandle, LinkStatus, RequestError, ThinkEvent};
pub use lease::Lease;
pub use meaning::meaning;
pub use say::{Say, SayError, say};
pub use tape::{RawLine, Tape, Way};
pub use transport::{BoardUrl, BoardUrlError, Connector, Dialect, Timing, Ways};
