//! What goes into a session and what comes out of it.

use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{
    BoardStatus, Command, CommandError, Event, Nak, PayloadBuffer, PayloadError, Telemetry,
};

/// Names a command between its submission and its reply.
pub type CommandId = u64;
/// A command as it stands on the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload(pub(super) String);

impl TryFrom<&Command<'_>> for Payload {
    type Error = CommandError;

    fn try_from(command: &Command<'_>) -> Result<Payload, CommandError> {
        let mut buffer = PayloadBuffer::new();
        command.write(&mut buffer)?;
        // A text of the user's must not be able to break a line.
        if !buffer.as_str().bytes().all(|b| matches!(b, b' '..=b'~') && b != b'*') {
            return Err(CommandError::Arguments(PayloadError::Field("text")));
        }
        Ok(Payload(buffer.as_str().to_owned()))
    }
}

/// What became of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Executed.
    Done(BoardStatus),
    /// Executed: the payload of an identify page.
    Page(String),
    /// Refused by execution.
    Refused(Nak),
    /// The board was reset before it answered, or before the command went out: what it was meant for is gone, executed or not.
    Unknown,
    /// The board answered again and again with something that this protocol does not have.
    Garbled(String),
}

/// What a session has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// Something happened on the link.
    Link(LinkEventKind, String),
    /// The link's state is another.
    State(LinkState),
    /// A session stands; after a new boot id the board knows nothing any more.
    Ready {
        /// The board was reset since the last session (or is met for the first time).
        new_boot: bool,
    },
    /// A command was answered.
    Reply(CommandId, Outcome),
    /// A guaranteed event, once.
    Event(Event),
    /// Telemetry.
    Telemetry(Telemetry),
    /// Nobody answers: close the transport, back off and open it again.
    GiveUp,
}
