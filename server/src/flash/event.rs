//! What a flash says of itself while it goes on. No bar and no clock: whoever watches makes of it what it needs.

use crate::model::FlashPhase;

/// Something happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlashEvent {
    /// A phase began; so many bytes are to be done in it, none where that is not known.
    Phase {
        /// Which.
        phase: FlashPhase,
        /// Bytes, or pages where the phase erases.
        total: u32,
    },
    /// So much of the phase is done.
    Progress {
        /// Bytes, or pages where the phase erases.
        done: u32,
    },
    /// A person has to do something, or should know something.
    Say(String),
    /// Something went wrong on the link and was tried again.
    Retry(String),
}
