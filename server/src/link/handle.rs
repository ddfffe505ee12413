//! What others hold of a link: its status, its lines, and a way to send and to listen.

use super::{
    dialect::Spoken,
    lease::Lease,
    tape::Tape,
    v1::Errand,
    v2::session::{Outcome, Payload},
};
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{BestMove, BoardStatus, BootId, Iteration, Tag};
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::{mpsc, oneshot, watch};

/// What is known of a board's link now.
#[derive(Clone, Debug)]
pub struct LinkStatus {
    /// The link's state; [`LinkState::Ready`] only once the board has said what it is.
    pub state: LinkState,
    /// Unix milliseconds of the last change of state.
    pub since: i64,
    /// When the board was lost, while it is.
    pub down_since: Option<Instant>,
    /// The dialect that the board speaks, once it is known.
    pub dialect: Option<Spoken>,
    /// The board's boot id.
    pub boot: Option<BootId>,
    /// Its position and activity as of its last word.
    pub board: Option<BoardStatus>,
    /// What it says of itself.
    pub identity: Arc<BTreeMap<String, String>>,
    /// Smoothed round trip.
    pub round_trip: Option<Duration>,
    /// Link events so far.
    pub counters: BTreeMap<LinkEventKind, u64>,
    /// Why the board cannot be used now, in words.
    pub trouble: Option<String>,
}

impl LinkStatus {
    /// How often something happened.
    #[must_use]
    pub fn count(&self, kind: LinkEventKind) -> u64 {
        self.counters.get(&kind).copied().unwrap_or(0)
    }
}

/// What a think sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThinkEvent {
    /// A finished iteration.
    Iteration(Iteration),
    /// The move; the last word.
    Best(BestMove),
    /// The board was reset and knows of no think any more; the last word.
    Lost,
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The link's task has ended.
    #[error("the link to the board was closed")]
    Closed,
    /// The board speaks the dialect of version 1, which has no such command.
    #[error("the board speaks the old dialect (version 1), which has no such command")]
    OldDialect,
}

/// What a handle asks of the link's task.
pub(super) enum Request {
    Command {
        payload: Payload,
        reply: oneshot::Sender<Result<Outcome, RequestError>>,
    },
    Watch {
        tag: Tag,
        sink: mpsc::Sender<ThinkEvent>,
    },
    /// For a board of version 1.
    Errand(Errand),
    Note {
        kind: LinkEventKind,
        detail: String,
    },
    Lease {
        reply: oneshot::Sender<Lease>,
    },
    /// Bytes beside the session.
    Raw {
        bytes: Vec<u8>,
        sent: oneshot::Sender<bool>,
    },
}

/// A way to talk to a link's task.
#[derive(Clone, Debug)]
pub struct LinkHandle {
    pub(super) requests: mpsc::Sender<Request>,
    pub(super) status: watch::Receiver<LinkStatus>,
    pub(super) tape: Tape,
}

impl LinkHandle {
    /// Sends a command and waits for its outcome, for as long as that takes: drop the future to stop waiting.
    pub async fn command(&self, payload: Payload) -> Result<Outcome, RequestError> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Command { payload, reply }).await?;
        answer.await.map_err(|_| RequestError::Closed)?
    }

    /// Asks for the events of a think, before it is started. Its iterations are bounded by the engine's depth ceiling; a board that sends
    /// more loses them, never the move.
    pub async fn watch(&self, tag: Tag) -> Result<mpsc::Receiver<ThinkEvent>, RequestError> {
        let (sink, events) = mpsc::channel(256);
        self.send(Request::Watch { tag, sink }).await?;
        Ok(events)
    }

    /// Counts something that only the user of the link can see.
    pub async fn note(&self, kind: LinkEventKind, detail: String) -> Result<(), RequestError> {
        self.send(Request::Note { kind, detail }).await
    }

    /// What is known of the link now, and a way to wait for changes.
    #[must_use]
    pub fn status(&self) -> watch::Receiver<LinkStatus> {
        self.status.clone()
    }

    /// The raw traffic.
    #[must_use]
    pub fn tape(&self) -> &Tape {
        &self.tape
    }

    /// Takes the link away from its session. It is given as soon as the transport is closed; commands on their way are held, and those
    /// that come meanwhile wait, until the lease is dropped.
    pub async fn lease(&self) -> Result<Lease, RequestError> {
        let (reply, lease) = oneshot::channel();
        self.send(Request::Lease { reply }).await?;
        lease.await.map_err(|_| RequestError::Closed)
    }

    /// Sends bytes beside the session, and a line end. `false` where there is no transport to send them to.
    pub async fn send_raw(&self, bytes: Vec<u8>) -> Result<bool, RequestError> {
        let (sent, answer) = oneshot::channel();
        self.send(Request::Raw { bytes, sent }).await?;
        answer.await.map_err(|_| RequestError::Closed)
    }

    pub(super) async fn send(&self, request: Request) -> Result<(), RequestError> {
        self.requests.send(request).await.map_err(|_| RequestError::Closed)
    }
}
