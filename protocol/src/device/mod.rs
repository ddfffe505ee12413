//! The board's side of the conversation, the same for every kind of board.
//!
//! [`Device`] is what a board can do; [`Endpoint`] is what it has to remember of the conversation;
//! [`handle`] takes one outcome of the decoder and leads to at most one call of the device that
//! changes something, and to the bytes of the answer. Time comes in as milliseconds of any clock
//! that may wrap; nothing here waits.

mod chunks;
mod endpoint;
mod events;

pub use endpoint::{Counters, Endpoint, PARTIAL_TIMEOUT, handle};
pub use events::QueueFull;

use crate::board::Activity;
use crate::host::{ParamKey, RebootTarget};
use crate::id::{PositionHash, Tag};
use crate::identify::PageWriter;
use crate::move_text::MoveText;

/// What a board can do.
///
/// A method is only called when its command is to be executed: never twice for one command, and
/// while [`Device::activity`] says that the board thinks only [`Device::stop`],
/// [`Device::reboot`] and those that change nothing.
pub trait Device {
    /// The position of the game; while it thinks, the one that it thinks about.
    fn position_hash(&self) -> PositionHash;

    /// Whether it thinks.
    fn activity(&self) -> Activity;

    /// Lists what it is, always the same pairs in the same order.
    fn identify(&self, pages: &mut PageWriter<'_>);

    /// Takes up a position and forgets all that a search has left.
    ///
    /// # Errors
    /// When this is no position; the old one then stays.
    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition>;

    /// Plays all of these moves, or none.
    ///
    /// # Errors
    /// The first one that is not legal.
    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove>;

    /// Begins to think. The board is then [`Activity::Thinking`] until it has made its event.
    ///
    /// # Errors
    /// Why there is nothing to think about.
    fn think(&mut self, tag: Tag, nodes: u32) -> Result<(), ThinkRefused>;

    /// Ends the think soon; nothing when it does not think.
    fn stop(&mut self);

    /// Sets a parameter of the engine.
    ///
    /// # Errors
    /// When the value is not one that this parameter can have.
    fn set_param(&mut self, key: ParamKey, value: i32) -> Result<(), BadValue>;

    /// Resets once the answer is on its way.
    ///
    /// # Errors
    /// When this board has no such target.
    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget>;
}

/// The text is not a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadPosition;

/// The index of a move that is not legal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IllegalMove(pub u8);

/// A value that the parameter cannot have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadValue;

/// The board cannot start this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoSuchTarget;

/// Why a think was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThinkRefused {
    /// The game is over.
    Over,
    /// The budget is not one that it can work with.
    Budget,
}
