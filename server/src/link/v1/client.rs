//! Sends a board of this dialect on its errands.

use super::{
    host::{Errand, News},
    words::{Failure, Goal},
};
use crate::link::{
    board::{BoardError, BoardMove, Placement, Progress, ThinkLimits},
    handle::{LinkHandle, Request, RequestError},
};
use rookery_protocol::MoveSource;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::mpsc, time::timeout_at};
use tokio_util::sync::CancellationToken;

/// More news than an errand has.
const NEWS: usize = 1024;
/// Longer than anybody waits.
const FAR: Duration = Duration::from_secs(86_400);

/// Has the board think in a position and play its move.
pub(in crate::link) async fn think(
    link: &LinkHandle,
    placement: &Placement,
    limits: ThinkLimits,
    cancel: &CancellationToken,
    mut observe: impl FnMut(Progress),
) -> Result<BoardMove, BoardError> {
    let before = link.retransmitted();
    let mut news = send(link, placement, true).await?;
    // Moves that have to be entered first are no part of the think.
    let mut deadline = Instant::now() + FAR;
    loop {
        let heard = tokio::select! {
            heard = timeout_at(deadline.into(), news.recv()) => heard,
            dead = link.wait_dead(limits.patience) => return Err(dead),
            () = cancel.cancelled() => return Err(BoardError::Cancelled),
        };
        match heard {
            Ok(Some(News::Begun)) => deadline = Instant::now() + limits.time,
            Ok(Some(News::Progress(progress))) => observe(progress),
            Ok(Some(News::Moved(played))) => {
                let retransmissions = link.retransmitted() - before;
                return Ok(BoardMove {
                    mv: played.mv,
                    source: if played.book { MoveSource::Book } else { MoveSource::Search },
                    depth: played.last.map(|last| last.depth),
                    nodes: played.last.map(|last| last.nodes),
                    score: played.last.map(|last| last.score),
                    millis: None,
                    hash: None,
                    elapsed: played.elapsed,
                    retransmissions: u32::try_from(retransmissions).unwrap_or(u32::MAX),
                });
            }
            Ok(Some(News::Failed(failure))) => return Err(failure.into()),
            Ok(Some(News::Placed) | None) => return Err(RequestError::Closed.into()),
            Err(_) => return Err(BoardError::Overtime(limits.time)),
        }
    }
}

/// Leads the board to a position.
pub(in crate::link) async fn place(
    link: &LinkHandle,
    placement: &Placement,
    patience: Duration,
    cancel: &CancellationToken,
) -> Result<(), BoardError> {
    let mut news = send(link, placement, false).await?;
    loop {
        let heard = tokio::select! {
            heard = news.recv() => heard,
            dead = link.wait_dead(patience) => return Err(dead),
            () = cancel.cancelled() => return Err(BoardError::Cancelled),
        };
        match heard {
            Some(News::Placed) => return Ok(()),
            Some(News::Failed(failure)) => return Err(failure.into()),
            Some(News::Moved(_)) | None => return Err(RequestError::Closed.into()),
            Some(News::Begun | News::Progress(_)) => {}
        }
    }
}

async fn send(
    link: &LinkHandle,
    placement: &Placement,
    think: bool,
) -> Result<mpsc::Receiver<News>, BoardError> {
    let (sink, news) = mpsc::channel(NEWS);
    let goal = Goal { placement: Arc::new(placement.clone()), think };
    link.send(Request::Errand(Errand { goal, sink })).await?;
    Ok(news)
}

impl From<Failure> for BoardError {
    fn from(failure: Failure) -> BoardError {
        match failure {
            Failure::Position(text) => BoardError::Position(text),
            Failure::Unsayable(mv) => BoardError::Unsayable(mv),
        }
    }
}
