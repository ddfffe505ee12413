//! A link in other hands.

use super::*;
use rookery_protocol::Command;
use rookery_server::link::v2::session::Payload;
use std::sync::atomic::Ordering;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    time::timeout,
};

#[tokio::test]
async fn whoever_leases_a_link_has_the_board_alone_and_the_session_goes_on_afterwards() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    linked.client.place(&placement(1, 4), PATIENT, &cancel).await.unwrap();
    let mut lease = linked.link.lease().await.unwrap();
    assert_eq!(linked.now().state, LinkState::Leased);
    let accepted = board.accepted.load(Ordering::SeqCst);
    let mut transport = lease.open().await.unwrap();
    // What is said before the board has taken the connection is said to nobody.
    timeout(PATIENT, async {
        while board.accepted.load(Ordering::SeqCst) == accepted {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    assert!(transport.control().is_none(), "TCP is nothing but bytes");
    // A second one waits its turn, a command does as well.
    let second = tokio::spawn({
        let link = linked.link.clone();
        async move { link.lease().await }
    });
    let ping = tokio::spawn({
        let link = linked.link.clone();
        async move { link.command(Payload::try_from(&Command::Ping).unwrap()).await }
    });
    transport.write_all(b"\n>S2a0001 00000001*0000\n").await.unwrap();
    board.act(Do::Say(b"only for the holder\n".to_vec()));
    let mut heard = Vec::new();
    while !heard.ends_with(b"only for the holder\n") {
        let mut buffer = [0; 256];
        let n = timeout(PATIENT, transport.read(&mut buffer)).await.unwrap().unwrap();
        assert!(n > 0);
        heard.extend_from_slice(&buffer[..n]);
    }
    assert_eq!(linked.now().state, LinkState::Leased);
    assert!(!ping.is_finished() && !second.is_finished());
    drop((transport, lease));
    let second = timeout(PATIENT, second).await.unwrap().unwrap().unwrap();
    assert!(!ping.is_finished());
    drop(second);
    timeout(PATIENT, ping).await.unwrap().unwrap().unwrap();
    linked.until("ready", |s| s.state == LinkState::Ready).await;
    // The board was not reset, and still stands where it was led.
    let pushed = linked.count(rookery_server::model::LinkEventKind::PositionPushed);
    let moved = linked.client.think(&placement(1, 4), limits(5), &cancel, |_| {}).await;
    assert_moved(&moved, 4);
    assert_eq!(linked.count(rookery_server::model::LinkEventKind::PositionPushed), pushed);
}

#[tokio::test]
async fn a_board_that_is_not_there_can_be_leased_and_a_server_that_stops_ends_the_wait() {
    let linked = Linked::to("tcp://127.0.0.1:9".parse().unwrap());
    linked.until("refused", |s| s.trouble.is_some()).await;
    let mut lease = timeout(PATIENT, linked.link.lease()).await.unwrap().unwrap();
    assert!(lease.open().await.is_err());
    linked.cancel.cancel();
    timeout(PATIENT, linked.task).await.unwrap().unwrap();
    drop(lease);
    assert!(linked.link.lease().await.is_err());
}
