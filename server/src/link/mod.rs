//! Ways to a board. Bytes come from a [`transport`] and mean what the board's dialect says: [`v2`] or the older [`v1`], each with a session
//! that knows no I/O and no clock. A [`driver`] owns the transport and one dialect; a [`board`] client puts positions and thinks on top.
//! Nothing here knows chess: a position is a text and a hash, or a picture; a move is five letters.

mod auto;
pub mod board;
mod dialect;
pub mod driver;
pub mod hail;
pub mod handle;
pub mod lease;
pub mod meaning;
pub mod picture;
pub mod say;
pub mod tape;
pub mod transport;
pub mod v1;
pub mod v2;

pub use board::{BoardClient, BoardError, BoardMove, Placement, Progress, ThinkLimits};
pub use dialect::Spoken;
pub use driver::spawn;
pub use handle::{LinkHandle, LinkStatus, RequestError, ThinkEvent};
pub use lease::Lease;
pub use meaning::meaning;
pub use picture::{Picture, Pictures, Reply};
pub use say::{Say, SayError, say};
pub use tape::{RawLine, Tape, Way};
pub use transport::{BoardUrl, BoardUrlError, Connector, Dialect, Timing, Ways};
