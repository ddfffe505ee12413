//! A board as a player: puts it into a position and has it think, through resets, reconnections and lost lines, until there is a
//! move or a clear reason why there is none. How that is done is the dialect's; what a position or a move means is not known here.

use super::{
    dialect::Spoken,
    handle::{LinkHandle, LinkStatus, RequestError},
    picture::Pictures,
    v1, v2,
};
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{CommandError, MoveSource, MoveText, PositionHash};
use std::time::Duration;
use tokio::time::{timeout, timeout_at};
use tokio_util::sync::CancellationToken;

/// A position to be reached: a start, moves, and the hash before and after each of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// Names the game: moves of another one are never built upon.
    pub game: i64,
    /// FEN of the start.
    pub start_fen: String,
    /// Moves from there.
    pub moves: Vec<MoveText>,
    /// One more than moves.
    pub hashes: Vec<PositionHash>,
    /// What a board without hashes is checked by; empty for one that has them.
    pub pictures: Pictures,
}

/// A think's limits.
#[derive(Clone, Copy, Debug)]
pub struct ThinkLimits {
    /// Node budget. A board of version 1 has one of its own.
    pub nodes: u32,
    /// Wall clock for the whole think.
    pub time: Duration,
    /// How long the board may be out of reach.
    pub patience: Duration,
}

/// A finished iteration of a board's think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Its depth.
    pub depth: u8,
    /// Nodes so far.
    pub nodes: u32,
    /// In the engine's units, from the mover's side.
    pub score: i32,
    /// The best move so far, where the board says one.
    pub best: Option<MoveText>,
    /// Since the think began, as the board measured, where it does.
    pub millis: Option<u32>,
}

/// What a board played. What a dialect does not tell, or the line has lost, is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardMove {
    /// The move.
    pub mv: MoveText,
    /// Where it is from.
    pub source: MoveSource,
    /// The deepest finished iteration.
    pub depth: Option<u8>,
    /// Nodes spent.
    pub nodes: Option<u32>,
    /// In the engine's units, from the mover's side.
    pub score: Option<i32>,
    /// As the board measured.
    pub millis: Option<u32>,
    /// The board's position after the move.
    pub hash: Option<PositionHash>,
    /// From the command to the answer; the last attempt's, where the board was reset.
    pub elapsed: Duration,
    /// Lines sent again from the placement to the move.
    pub retransmissions: u32,
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// Out of reach for too long.
    #[error("the board was out of reach for {} s: {trouble}", after.as_secs())]
    Dead {
        /// How long.
        after: Duration,
        /// What the link says.
        trouble: String,
    },
    /// Reset again and again.
    #[error("the board was reset {0} times during one move")]
    Resets(u32),
    /// In reach, but its think does not end.
    #[error("the board thought for {} s and was stopped", .0.as_secs())]
    Overtime(Duration),
    /// It refuses a position or a move, or ends up elsewhere.
    #[error("the board cannot take the position: {0}")]
    Position(String),
    /// A move that the board's dialect has no words for.
    #[error(
        "the board cannot be told the move {0}: its dialect (version 1) has no promotion but to a queen"
    )]
    Unsayable(MoveText),
    /// The server stops, or the run was paused.
    #[error("cancelled")]
    Cancelled,
    /// The link's task has ended.
    #[error(transparent)]
    Link(#[from] RequestError),
    /// A position that does not fit the wire.
    #[error("the position does not fit the protocol: {0}")]
    Wire(#[from] CommandError),
}

/// The one user of a board's link.
#[derive(Debug)]
pub struct BoardClient {
    link: LinkHandle,
    v2: v2::Client,
}

impl BoardClient {
    /// A client that knows nothing of the board's position yet.
    #[must_use]
    pub fn new(link: LinkHandle) -> BoardClient {
        BoardClient { v2: v2::Client::new(link.clone()), link }
    }

    /// The link, for its status and its lines.
    #[must_use]
    pub fn link(&self) -> &LinkHandle {
        &self.link
    }

    /// The dialect that the board speaks, once it is known.
    #[must_use]
    pub fn dialect(&self) -> Option<Spoken> {
        self.link.status().borrow().dialect
    }

    /// Forgets where the board was led, so that the next placement is pushed whole.
    pub async fn distrust(&mut self, why: String) {
        let kind = LinkEventKind::PositionDiffers;
        match self.dialect() {
            Some(Spoken::V1) => {
                let _ = self.link.note(kind, why).await;
            }
            _ => self.v2.distrust(kind, why).await,
        }
    }

    /// Waits until the board is in session.
    pub async fn ready(
        &self,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<LinkStatus, BoardError> {
        self.link.ready(patience, cancel).await
    }

    /// Has the board think in a position and play its move. `observe` sees the iterations as they come.
    pub async fn think(
        &mut self,
        placement: &Placement,
        limits: ThinkLimits,
        cancel: &CancellationToken,
        observe: impl FnMut(Progress),
    ) -> Result<BoardMove, BoardError> {
        match self.ready(limits.patience, cancel).await?.dialect {
            Some(Spoken::V1) => v1::think(&self.link, placement, limits, cancel, observe).await,
            _ => self.v2.think(placement, limits, cancel, observe).await,
        }
    }

    /// Leads the board to a position: by the moves it does not know yet where it stands in the same game, whole otherwise.
    pub async fn place(
        &mut self,
        target: &Placement,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<(), BoardError> {
        match self.ready(patience, cancel).await?.dialect {
            Some(Spoken::V1) => v1::place(&self.link, target, patience, cancel).await,
            _ => self.v2.place(target, patience, cancel).await,
        }
    }
}

/// How a client waits for its link.
impl LinkHandle {
    pub(super) async fn ready(
        &self,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<LinkStatus, BoardError> {
        let mut status = self.status();
        let is_ready = status.wait_for(|s| s.state == LinkState::Ready);
        tokio::select! {
            ready = timeout(patience, is_ready) => match ready {
                Ok(Ok(status)) => Ok(status.clone()),
                Ok(Err(_)) => Err(RequestError::Closed.into()),
                Err(_) => Err(self.dead(patience)),
            },
            () = cancel.cancelled() => Err(BoardError::Cancelled),
        }
    }

    /// Resolves when the board has been out of reach for too long.
    pub(super) async fn wait_dead(&self, patience: Duration) -> BoardError {
        let mut status = self.status();
        loop {
            let down_since = status.borrow_and_update().down_since;
            let changed = match down_since {
                Some(since) => {
                    match timeout_at((since + patience).into(), status.changed()).await {
                        Ok(changed) => changed,
                        Err(_) => return self.dead(patience),
                    }
                }
                None => status.changed().await,
            };
            if changed.is_err() {
                return RequestError::Closed.into();
            }
        }
    }

    pub(super) fn dead(&self, after: Duration) -> BoardError {
        let trouble = self.status().borrow().trouble.clone();
        BoardError::Dead { after, trouble: trouble.unwrap_or_else(|| "no answer".into()) }
    }

    pub(super) fn retransmitted(&self) -> u64 {
        self.status().borrow().count(LinkEventKind::Retransmitted)
    }
}
