//! What happens to connections and ports, and what is said of it.

use super::*;
use rookery_protocol::{Command, Tag};
use rookery_server::{link::v2::session::Payload, model::LinkEventKind::*};
use std::{sync::atomic::Ordering, time::Instant};
use tokio::time::{sleep, timeout};

#[tokio::test]
async fn a_board_that_appears_later_is_found() {
    let (socket, address) = closed_port();
    let url = format!("tcp://{address}").parse().unwrap();
    let linked = Linked::to(url);
    let status = linked.until("refused", |s| s.count(ConnectFailed) >= 3).await;
    assert!(status.trouble.unwrap().contains("cannot be reached"));
    assert!(status.down_since.is_some());
    let board = TcpBoard::at(Board::new(1, PACE), socket.listen(8).unwrap());
    let status = linked.until("ready", |s| s.state == LinkState::Ready).await;
    assert_eq!((status.trouble, status.down_since), (None, None));
    assert_eq!(status.boot, Some(board.look(|b| b.boot())));
}

#[tokio::test]
async fn nobody_there_is_dead_within_the_patience_and_costs_nothing() {
    let (_socket, address) = closed_port();
    let mut linked = Linked::to(format!("tcp://{address}").parse().unwrap());
    let begun = Instant::now();
    let patience = Duration::from_millis(1500);
    let cancel = CancellationToken::new();
    let dead = linked.client.think(&placement(1, 0), short(patience), &cancel, |_| {}).await;
    let Err(BoardError::Dead { trouble, .. }) = dead else { panic!("{dead:?}") };
    assert!(trouble.contains("cannot be reached"), "{trouble}");
    let elapsed = begun.elapsed();
    assert!((patience..PATIENT / 2).contains(&elapsed), "{elapsed:?}");
    // 0.25, 0.5, 1 s between the tries.
    let tries = linked.count(ConnectFailed);
    assert!(tries <= 3 + elapsed.as_secs(), "{tries} in {elapsed:?}");
    assert!(linked.polls.load(Ordering::SeqCst) < 15 * (3 + elapsed.as_secs()));
}

#[tokio::test]
async fn a_port_that_closes_at_once_is_noticed_and_not_spun_upon() {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    board.act(Do::Refuse);
    let linked = Linked::to(board.url());
    let status = linked.until("closed", |s| s.count(Disconnected) >= 3).await;
    assert!(status.trouble.is_some());
    let accepted = board.accepted.load(Ordering::SeqCst);
    let polls = linked.polls.load(Ordering::SeqCst);
    assert!(accepted <= 5, "{accepted}");
    assert!(polls < 40 * accepted, "{polls} turns for {accepted} connections");
}

#[tokio::test]
async fn a_quiet_board_costs_nothing() {
    let (_board, linked) = started().await;
    let (before, begun) = (linked.polls.load(Ordering::SeqCst), Instant::now());
    // Not a wait for something: the time in which nothing may happen, but a ping.
    sleep(Duration::from_millis(2500)).await;
    let polls = linked.polls.load(Ordering::SeqCst) - before;
    let elapsed = begun.elapsed();
    assert!((1..6 * elapsed.as_secs()).contains(&polls), "{polls} turns in {elapsed:?}");
    linked.until("ready", |s| s.state == LinkState::Ready).await;
}

#[tokio::test]
async fn a_connection_that_breaks_in_a_think_costs_nothing_but_time() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 3, limits(6000));
    for _ in 0..3 {
        board.until("thinking", Board::is_thinking).await;
        let lost = linked.count(Disconnected);
        board.act(Do::Drop);
        linked.until("lost", |s| s.count(Disconnected) > lost).await;
        linked.until("again", |s| s.state == LinkState::Ready).await;
    }
    let (_, moved) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 3);
    let thinks =
        |b: &mut Board| b.log().iter().filter(|e| matches!(e.call, Call::Think(_))).count();
    assert_eq!(board.look(thinks), 1, "one think, whatever happened to the connection");
    assert_eq!((linked.count(PositionPushed), linked.count(Rebooted)), (1, 0));
}

#[tokio::test]
async fn a_move_that_was_found_while_the_connection_was_broken_arrives() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 0, limits(300));
    board.until("thinking", Board::is_thinking).await;
    board.act(Do::Freeze);
    board.until("moved", |b| b.made.len() == 1).await;
    board.act(Do::Drop);
    board.act(Do::Thaw);
    let (_, moved) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 0);
    assert_eq!(linked.count(PositionPushed), 1);
}

#[tokio::test]
async fn a_half_open_connection_is_noticed_and_replaced() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 0, limits(8000));
    board.until("thinking", Board::is_thinking).await;
    board.act(Do::Freeze);
    // Within 5 s, as link_session shows in virtual time.
    linked.until("not ready", |s| s.state != LinkState::Ready).await;
    linked.until("given up", |s| s.count(SyncFailed) > 0 && s.count(Disconnected) > 0).await;
    board.act(Do::Thaw);
    let (_, moved) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 0);
    assert_eq!(linked.count(PositionPushed), 1);
}

#[tokio::test]
async fn a_board_that_vanishes_is_dead_within_the_patience() {
    for freeze in [false, true] {
        let (board, linked) = started().await;
        let patience = Duration::from_millis(800);
        let task = thinking(&linked.link, 0, short(patience));
        board.until("thinking", Board::is_thinking).await;
        board.act(if freeze { Do::Freeze } else { Do::Vanish });
        let down = linked.until("down", |s| s.down_since.is_some()).await.down_since.unwrap();
        let (_, dead) = timeout(PATIENT, task).await.unwrap().unwrap();
        let Err(BoardError::Dead { after, .. }) = dead else { panic!("{dead:?}") };
        assert_eq!(after, patience);
        let elapsed = down.elapsed();
        assert!((patience..PATIENT / 2).contains(&elapsed), "{elapsed:?}");
    }
}

#[tokio::test]
async fn a_command_that_nobody_waits_for_any_more_is_not_sent_when_the_board_comes_back() {
    let (board, linked) = started().await;
    board.act(Do::Vanish);
    linked.until("lost", |s| s.state != LinkState::Ready).await;
    let port = board.address;
    let think = Payload::try_from(&Command::Think { tag: Tag(9), nodes: 60_000 }).unwrap();
    assert!(timeout(Duration::from_millis(100), linked.link.command(think)).await.is_err());
    let listener = tokio::net::TcpListener::bind(port).await.unwrap();
    let again = TcpBoard::at(Board::new(1, PACE), listener);
    linked.until("back", |s| s.state == LinkState::Ready).await;
    linked.link.command(Payload::try_from(&Command::Ping).unwrap()).await.unwrap();
    assert!(!again.look(|b| b.is_thinking()));
}

#[tokio::test]
async fn a_line_that_never_gets_through_is_a_dead_board_and_no_wait_for_ever() {
    let (board, mut linked) = started().await;
    board.act(Do::Damage(" e2e4"));
    let cancel = CancellationToken::new();
    let patience = Duration::from_millis(3000);
    let begun = Instant::now();
    let dead = linked.client.think(&placement(1, 2), short(patience), &cancel, |_| {}).await;
    assert!(matches!(dead, Err(BoardError::Dead { .. })), "{dead:?}");
    let elapsed = begun.elapsed();
    assert!(elapsed < PATIENT / 2, "{elapsed:?}");
    assert!(linked.count(NakCrc) > 2);
    // No storm: one refusal in 200 ms, one line for each.
    let resent = linked.count(Retransmitted);
    assert!(resent < 10 + 25 * elapsed.as_secs().max(3), "{resent} in {elapsed:?}");
}

#[tokio::test]
async fn a_chatty_board_plays() {
    let (board, mut linked) = started().await;
    board.act(Do::Chatter(5));
    board.act(Do::Drop);
    linked.until("again", |s| s.count(Synced) == 2 && s.state == LinkState::Ready).await;
    let cancel = CancellationToken::new();
    let moved = linked.client.think(&placement(1, 2), limits(300), &cancel, |_| {}).await;
    assert_moved(&moved, 2);
    assert!(linked.count(Malformed) > 10);
}

#[tokio::test]
async fn noise_fills_no_memory_and_the_last_lines_are_kept() {
    let (board, linked) = started().await;
    for _ in 0..100 {
        board.act(Do::Say(vec![b'x'; 10_000]));
    }
    board.act(Do::Say(b"\nthe last line\n".to_vec()));
    linked.until("noise", |s| s.count(Malformed) > 0).await;
    let lines = linked.link.tape().last(usize::MAX);
    assert!(lines.len() <= 1024);
    assert!(lines.iter().all(|line| line.bytes.len() <= 256), "cut");
    assert!(lines.iter().any(|line| line.bytes == b"the last line"), "{lines:?}");
}

#[tokio::test]
async fn a_board_of_another_protocol_is_refused_with_the_reason_also_after_a_reconnection() {
    let board = TcpBoard::start(Board::new(1, PACE).speaking("3-4")).await;
    let mut linked = Linked::to(board.url());
    for connections in 1..=2 {
        let known = |s: &rookery_server::link::LinkStatus| {
            s.count(Synced) == connections
                && s.trouble.as_deref().is_some_and(|t| t.contains("protocol '3-4'"))
        };
        let status = linked.until("refused", known).await;
        assert_ne!(status.state, LinkState::Ready);
        if connections == 1 {
            board.act(Do::Drop);
        }
    }
    let cancel = CancellationToken::new();
    let patience = Duration::from_millis(300);
    let dead = linked.client.think(&placement(1, 0), short(patience), &cancel, |_| {}).await;
    let Err(BoardError::Dead { trouble, .. }) = dead else { panic!("{dead:?}") };
    assert!(trouble.contains("update one of them"), "{trouble}");
}

#[tokio::test]
async fn a_link_ends_when_it_is_cancelled_or_when_nobody_holds_it() {
    for drop_it in [false, true] {
        for there in [false, true] {
            let board = TcpBoard::start(Board::new(1, PACE)).await;
            let linked = Linked::to(board.url());
            linked.until("ready", |s| s.state == LinkState::Ready).await;
            if !there {
                board.act(Do::Vanish);
                linked.until("lost", |s| s.count(ConnectFailed) > 0).await;
            }
            let Linked { client, link, cancel, task, .. } = linked;
            if drop_it {
                drop((client, link));
            } else {
                cancel.cancel();
            }
            timeout(PATIENT / 2, task).await.expect("it ends").unwrap();
        }
    }
}
