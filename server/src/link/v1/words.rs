//! What goes into a session and what comes out of it.

use crate::{
    api::LinkState,
    link::board::{Placement, Progress},
    model::LinkEventKind,
};
use rookery_protocol::MoveText;
use std::{sync::Arc, time::Duration};

/// What a board is to do.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Where it is to stand first. The moves begin at the initial position.
    pub placement: Arc<Placement>,
    /// Whether it is then to think and play.
    pub think: bool,
}

/// What a board has played, as far as the line has let it through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub mv: MoveText,
    /// From its book.
    pub book: bool,
    /// The last iteration that was heard.
    pub last: Option<Progress>,
    /// From the order to the end of the answer.
    pub elapsed: Duration,
}

/// Why a goal cannot be reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The board ends up elsewhere again and again.
    Position(String),
    /// A promotion to another piece than a queen.
    Unsayable(MoveText),
}

/// What a session has to say.
#[derive(Clone, Debug, PartialEq)]
pub enum SessionEvent {
    /// Something happened on the link.
    Link(LinkEventKind, String),
    /// The link's state is another.
    State(LinkState),
    /// Somebody has to do something before the board can be used.
    Trouble(String),
    /// The board is to be reset; the session waits for [`super::Session::opened`].
    Reset,
    /// Nobody answers: close the transport, back off and open it again.
    GiveUp,
    /// The board was told to think.
    Begun,
    /// An iteration was finished.
    Progress(Progress),
    /// The goal is reached: the board stands where it should, and was not to think.
    Placed,
    /// The goal is reached: the board has played.
    Moved(Played),
    /// The goal cannot be reached.
    Failed(Failure),
}
