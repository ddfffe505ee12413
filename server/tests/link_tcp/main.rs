//! The link's task and its client against a board behind a real TCP port.

#[path = "../link_support/mod.rs"]
mod link_support;

mod connection;
mod lease;
mod play;

use link_support::*;
use rookery_server::{
    api::LinkState,
    link::{BoardClient, BoardError, BoardMove, LinkHandle, ThinkLimits},
};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A think of so many milliseconds, with time for all that may happen.
fn limits(millis: u32) -> ThinkLimits {
    ThinkLimits { nodes: millis, time: PATIENT, patience: PATIENT }
}

fn short(patience: Duration) -> ThinkLimits {
    ThinkLimits { nodes: 60_000, time: PATIENT, patience }
}

async fn started() -> (TcpBoard, Linked) {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let linked = Linked::to(board.url());
    linked.until("ready", |s| s.state == LinkState::Ready).await;
    (board, linked)
}

/// A think in a task of its own, so that something can happen meanwhile.
fn thinking(
    link: &LinkHandle,
    plies: usize,
    limits: ThinkLimits,
) -> tokio::task::JoinHandle<(BoardClient, Result<BoardMove, BoardError>)> {
    let mut client = BoardClient::new(link.clone());
    tokio::spawn(async move {
        let cancel = CancellationToken::new();
        let moved = client.think(&placement(1, plies), limits, &cancel, |_| {}).await;
        (client, moved)
    })
}

fn assert_moved(moved: &Result<BoardMove, BoardError>, plies: usize) {
    let moved = moved.as_ref().expect("a move");
    assert_eq!(moved.hash, Some(placement(1, plies + 1).hashes[plies + 1]));
}
