//! What others hold of a link: its status, its lines, and a way to send and to listen.

use super::session::{Outcome, Payload};
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{BestMove, BoardStatus, BootId, Iteration, Tag};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
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
}

/// What a handle asks of the link's task.
pub(super) enum Request {
    Command { payload: Payload, reply: oneshot::Sender<Outcome> },
    Watch { tag: Tag, sink: mpsc::Sender<ThinkEvent> },
    Note { kind: LinkEventKind, detail: String },
}

/// A way to talk to a link's task.
#[derive(Clone, Debug)]
pub struct LinkHandle {
    pub(super) requests: mpsc::Sender<Request>,
    pub(super) status: watch::Receiver<LinkStatus>,
    pub(super) lines: Arc<Mutex<VecDeque<String>>>,
}

impl LinkHandle {
    /// Sends a command and waits for its outcome, for as long as that takes: drop the future to stop waiting.
    pub async fn command(&self, payload: Payload) -> Result<Outcome, RequestError> {
        let (reply, answer) = oneshot::channel();
        self.send(Request::Command { payload, reply }).await?;
        answer.await.map_err(|_| RequestError::Closed)
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

    /// The last raw lines, oldest first, with time and direction.
    #[must_use]
    pub fn recent_lines(&self) -> Vec<String> {
        self.lines.lock().map(|lines| lines.iter().cloned().collect()).unwrap_or_default()
    }

    async fn send(&self, request: Request) -> Result<(), RequestError> {
        self.requests.send(request).await.map_err(|_| RequestError::Closed)
    }
}
