//! The link's task and its client against a board behind a real TCP port.

mod link_support;

use link_support::*;
use rookery_protocol::{Command, MoveSource, Tag};
use rookery_server::{
    api::LinkState,
    link::{BoardClient, BoardError, BoardMove, LinkHandle, ThinkLimits, session::Payload},
    model::LinkEventKind::*,
};
use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};
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
    assert_eq!(moved.best.hash, placement(1, plies + 1).hashes[plies + 1]);
}

#[tokio::test]
async fn a_game_is_played_move_by_move() {
    let (board, mut linked) = started().await;
    let identity = linked.now().identity;
    assert_eq!(identity["eng"], "toy_engine");
    assert_eq!(identity.len(), 6, "more than one page: {identity:?}");
    let cancel = CancellationToken::new();
    for ply in 0..10 {
        let mut depths = Vec::new();
        let observe = |i: rookery_protocol::Iteration| depths.push(i.depth);
        // Each move is the board's; the next position is one or two moves on.
        let plies = ply * 3;
        let moved = linked.client.think(&placement(1, plies), limits(20), &cancel, observe).await;
        assert_moved(&moved, plies);
        assert_eq!(depths, [1, 2, 3, 4, 5]);
        assert_eq!(moved.unwrap().best.source, MoveSource::Search);
    }
    assert_eq!(linked.count(PositionPushed), 1, "after that, moves are enough");
    assert_eq!(linked.count(PositionDiffers), 0);
    // Another game is never built upon it, nor is a position that was taken back.
    linked.client.place(&placement(2, 29), PATIENT, &cancel).await.unwrap();
    linked.client.place(&placement(2, 7), PATIENT, &cancel).await.unwrap();
    assert_eq!(linked.count(PositionPushed), 3);
    assert_eq!(board.look(|b| b.hash()), placement(2, 7).hashes[7]);
    linked.cancel.cancel();
    timeout(PATIENT, linked.task).await.unwrap().unwrap();
}

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
    assert!((patience..patience * 2).contains(&begun.elapsed()), "{:?}", begun.elapsed());
    // 0.25, 0.5, 1 s between the tries.
    assert!(linked.count(ConnectFailed) <= 4, "{}", linked.count(ConnectFailed));
    assert!(linked.polls.load(Ordering::SeqCst) < 60);
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
    let before = linked.polls.load(Ordering::SeqCst);
    // Not a wait for something: the time in which nothing may happen, but a ping.
    sleep(Duration::from_millis(2500)).await;
    let polls = linked.polls.load(Ordering::SeqCst) - before;
    assert!((1..12).contains(&polls), "{polls} turns");
    assert_eq!(linked.now().state, LinkState::Ready);
}

#[tokio::test]
async fn a_connection_that_breaks_in_a_think_costs_nothing_but_time() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 3, limits(1500));
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
    let begun = Instant::now();
    linked.until("not ready", |s| s.state != LinkState::Ready).await;
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
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
        assert!((patience..patience * 2).contains(&elapsed), "{elapsed:?}");
    }
}

#[tokio::test]
async fn a_board_that_is_reset_in_a_think_gets_its_position_again_and_the_same_ply_goes_on() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 20, limits(700));
    for boot in [2, 3] {
        board.until("thinking", move |b| b.is_thinking() && b.boot().0 == boot - 1).await;
        board.act(Do::Reset(boot));
    }
    let (mut client, moved) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 20);
    assert_eq!((linked.count(Rebooted), linked.count(PositionPushed)), (2, 3));
    assert_eq!(linked.now().boot.unwrap().0, 3);
    // And goes on from there without another push.
    let cancel = CancellationToken::new();
    let moved = client.think(&placement(1, 22), limits(5), &cancel, |_| {}).await;
    assert_moved(&moved, 22);
    assert_eq!(linked.count(PositionPushed), 3);
}

#[tokio::test]
async fn two_resets_in_a_row_are_one_more_try() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 2, limits(400));
    board.until("thinking", Board::is_thinking).await;
    board.act(Do::Reset(2));
    board.act(Do::Reset(3));
    let (_, moved) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_moved(&moved, 2);
    assert_eq!(linked.now().boot.unwrap().0, 3);
    assert_eq!(board.look(|b| b.made.len()), 1);
}

#[tokio::test]
async fn resets_at_any_moment_of_a_placement_lead_to_the_move_all_the_same() {
    // At the n-th thing that the board does in each boot, so that every gap between two lines is met.
    let (board, linked) = started().await;
    let cancel = CancellationToken::new();
    let mut client = BoardClient::new(linked.link.clone());
    for at in 1..=5 {
        let before = board.look(|b| b.log().len());
        let (address, mine) = (board.board.clone(), 100 + at);
        let does = async {
            while address.lock().unwrap().log().len() < before + at as usize {
                sleep(Duration::from_micros(100)).await;
            }
            board.act(Do::Reset(mine));
        };
        // 30 plies: a FEN in two chunks, then moves in four lines or more.
        let target = placement(at.into(), 30);
        let limits = limits(30);
        let think = client.think(&target, limits, &cancel, |_| {});
        let (moved, ()) = timeout(PATIENT, async { tokio::join!(think, does) }).await.unwrap();
        assert_moved(&moved, 30);
    }
}

#[tokio::test]
async fn a_board_that_is_reset_again_and_again_is_given_up() {
    let (board, linked) = started().await;
    let task = thinking(&linked.link, 0, limits(5000));
    for boot in 2..40 {
        if task.is_finished() {
            break;
        }
        let again = |b: &Board| (b.is_thinking() && b.boot().0 == boot - 1) || task.is_finished();
        board.until("thinking", again).await;
        board.act(Do::Reset(boot));
    }
    let (_, lost) = timeout(PATIENT, task).await.unwrap().unwrap();
    assert_eq!(lost, Err(BoardError::Resets(12)));
}

#[tokio::test]
async fn a_board_that_stands_elsewhere_gets_its_position_again() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    linked.client.place(&placement(1, 4), PATIENT, &cancel).await.unwrap();
    // Moves are refused by their hash.
    board.look(Board::displace);
    linked.client.place(&placement(1, 6), PATIENT, &cancel).await.unwrap();
    assert_eq!(board.look(|b| b.hash()), placement(1, 6).hashes[6]);
    assert_eq!((linked.count(PositionPushed), linked.count(PositionDiffers)), (2, 1));
    // A think names no position; its acknowledgement does.
    board.look(Board::displace);
    let moved = linked.client.think(&placement(1, 6), limits(100), &cancel, |_| {}).await;
    assert_moved(&moved, 6);
    assert_eq!((linked.count(PositionPushed), linked.count(PositionDiffers)), (3, 2));
    // The move ended elsewhere, says the one who can tell.
    linked.client.distrust("elsewhere".into()).await;
    linked.client.place(&placement(1, 7), PATIENT, &cancel).await.unwrap();
    assert_eq!((linked.count(PositionPushed), linked.count(PositionDiffers)), (4, 3));
}

#[tokio::test]
async fn a_board_that_thinks_about_something_else_is_stopped_and_given_up() {
    let board = TcpBoard::start(Board::new(1, PACE).straying()).await;
    let mut linked = Linked::to(board.url());
    let cancel = CancellationToken::new();
    let strayed = linked.client.think(&placement(1, 2), short(PATIENT), &cancel, |_| {}).await;
    let Err(BoardError::Position(text)) = &strayed else { panic!("{strayed:?}") };
    assert!(text.contains("it thinks at"), "{text}");
    assert!(!board.look(|b| b.is_thinking()));
}

#[tokio::test]
async fn a_board_that_does_not_stop_is_a_clear_error() {
    let (board, mut linked) = started().await;
    board.look(|b| b.stubborn = true);
    let cancel = CancellationToken::new();
    let think = Command::Think { tag: Tag(9), nodes: 1 };
    linked.link.command(Payload::try_from(&think).unwrap()).await.unwrap();
    let late = linked.client.think(&placement(1, 2), limits(5), &cancel, |_| {}).await;
    assert_eq!(late, Err(BoardError::Overtime(Duration::from_secs(10))));
}

#[tokio::test]
async fn a_refused_move_is_a_clear_error() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    board.look(|b| b.refuse("e2e4".parse().unwrap()));
    let refused = linked.client.place(&placement(1, 3), PATIENT, &cancel).await;
    let Err(BoardError::Position(text)) = &refused else { panic!("{refused:?}") };
    assert!(text.contains("'move' to move 0"), "{text}");
    // So is a position that it does not take, and one that no line carries.
    let mut bad = placement(1, 0);
    bad.start_fen = "x/8".into();
    let refused = linked.client.place(&bad, PATIENT, &cancel).await;
    let Err(BoardError::Position(text)) = &refused else { panic!("{refused:?}") };
    assert!(text.contains("'fen'"), "{text}");
    for text in ["8/8 * w", "8/8\n>C", &"8".repeat(500)] {
        bad.start_fen = text.to_owned();
        let refused = linked.client.place(&bad, PATIENT, &cancel).await;
        assert!(matches!(refused, Err(BoardError::Wire(_))), "{refused:?}");
    }
    // No legal move.
    let over = linked.client.think(&placement(1, 0), limits(0), &cancel, |_| {}).await;
    let Err(BoardError::Position(text)) = &over else { panic!("{over:?}") };
    assert!(text.contains("over"), "{text}");
    linked.client.think(&placement(1, 0), limits(5), &cancel, |_| {}).await.unwrap();
}

#[tokio::test]
async fn a_board_that_thinks_for_somebody_else_is_stopped() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    for _ in 0..3 {
        let think = Command::Think { tag: Tag(9), nodes: 60_000 };
        linked.link.command(Payload::try_from(&think).unwrap()).await.unwrap();
        board.until("thinking", Board::is_thinking).await;
        let moved = linked.client.think(&placement(1, 2), limits(10), &cancel, |_| {}).await;
        assert_moved(&moved, 2);
    }
    // Its move was nobody's.
    assert_eq!(linked.count(StaleReply), 3);
}

#[tokio::test]
async fn a_think_that_takes_too_long_is_stopped() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    let time = Duration::from_millis(300);
    let limits = ThinkLimits { nodes: 60_000, time, patience: PATIENT };
    let late = linked.client.think(&placement(1, 2), limits, &cancel, |_| {}).await;
    assert_eq!(late, Err(BoardError::Overtime(time)));
    assert!(!board.look(|b| b.is_thinking()));
    let moved = linked.client.think(&placement(1, 2), self::limits(5), &cancel, |_| {}).await;
    assert_moved(&moved, 2);
}

#[tokio::test]
async fn a_think_that_is_cancelled_is_stopped() {
    let (board, linked) = started().await;
    let cancel = CancellationToken::new();
    let mut client = BoardClient::new(linked.link.clone());
    let think = async {
        let target = placement(1, 2);
        let moved = client.think(&target, short(PATIENT), &cancel, |_| {}).await;
        (moved, Instant::now())
    };
    let then = async {
        board.until("thinking", Board::is_thinking).await;
        cancel.cancel();
        Instant::now()
    };
    let ((moved, ended), cancelled) = tokio::join!(think, then);
    assert_eq!(moved, Err(BoardError::Cancelled));
    assert!(ended - cancelled < Duration::from_secs(1));
    board.until("stopped", |b| !b.is_thinking()).await;
    let again = client.think(&placement(1, 2), limits(5), &CancellationToken::new(), |_| {}).await;
    assert_moved(&again, 2);
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
    let patience = Duration::from_millis(1500);
    let begun = Instant::now();
    let dead = linked.client.think(&placement(1, 2), short(patience), &cancel, |_| {}).await;
    assert!(matches!(dead, Err(BoardError::Dead { .. })), "{dead:?}");
    assert!(begun.elapsed() < patience * 4, "{:?}", begun.elapsed());
    assert!(linked.count(NakCrc) > 2);
    // No storm: one refusal in 200 ms, one line for each.
    let resent = linked.count(Retransmitted);
    assert!(resent < 80, "{resent} in 3 s");
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
    let lines = linked.link.recent_lines();
    assert!(lines.len() <= 64);
    assert!(lines.iter().all(|line| line.len() < 1500), "cut");
    assert!(lines.iter().any(|line| line.ends_with("< the last line")), "{lines:?}");
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
            let begun = Instant::now();
            timeout(PATIENT, task).await.expect("it ends").unwrap();
            assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        }
    }
}
