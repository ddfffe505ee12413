//! A board as a player: positions, thinks, resets, refusals.

use super::*;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rookery_protocol::{Command, MoveSource, Tag};
use rookery_server::{link::v2::session::Payload, model::LinkEventKind::*};
use std::time::Instant;
use tokio::time::{sleep, timeout};

#[tokio::test]
async fn a_game_is_played_move_by_move() {
    let (board, mut linked) = started().await;
    let identity = linked.now().identity;
    assert_eq!(identity["eng"], "toy_engine");
    assert_eq!(identity.len(), 6, "more than one page: {identity:?}");
    let cancel = CancellationToken::new();
    for ply in 0..10 {
        let mut depths = Vec::new();
        let observe = |i: rookery_server::link::Progress| depths.push(i.depth);
        // Each move is the board's; the next position is one or two moves on.
        let (plies, drained) = (ply * 3, linked.count(Drained));
        let moved = linked.client.think(&placement(1, plies), limits(20), &cancel, observe).await;
        assert_moved(&moved, plies);
        // A machine that stalls for seconds may have to drain the line, and telemetry is sent once.
        assert!(depths == [1, 2, 3, 4, 5] || linked.count(Drained) > drained, "{depths:?}");
        assert_eq!(moved.unwrap().source, MoveSource::Search);
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
async fn a_think_that_is_refused_once_is_tried_again() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    board.look(|b| b.tire(2));
    let moved = linked.client.think(&placement(1, 2), limits(5), &cancel, |_| {}).await;
    assert_moved(&moved, 2);
    assert_eq!((linked.count(PositionPushed), linked.count(PositionDiffers)), (3, 2));
}

/// The case: a move that never came cost the game, by time. Somebody else had acknowledged it, or its tag was damaged and the
/// checksum did not show it.
#[tokio::test]
async fn a_think_whose_move_never_comes_is_begun_again() {
    let (board, mut linked) = started().await;
    let cancel = CancellationToken::new();
    board.look(|b| b.untold = 1);
    let moved = linked.client.think(&placement(1, 2), limits(5), &cancel, |_| {}).await;
    assert_moved(&moved, 2);
    assert_eq!((linked.count(MoveLost), linked.count(PositionPushed)), (1, 2));
    assert_eq!((linked.count(Rebooted), linked.count(PositionDiffers)), (0, 0));
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
    // A stop is otherwise waited for, ten seconds.
    assert!(ended - cancelled < Duration::from_secs(8));
    board.until("stopped", |b| !b.is_thinking()).await;
    let again = client.think(&placement(1, 2), limits(5), &CancellationToken::new(), |_| {}).await;
    assert_moved(&again, 2);
}

/// A game of ten thinks over a channel that does every harm, while the board is reset and connections break.
async fn harmed_game(seed: u64) {
    let board = TcpBoard::start(Board::new(1, PACE)).await;
    let mut linked = Linked::to(board.url());
    board.act(Do::Harm(Faults { stall: 0.002, ..Faults::all(0.03) }, seed));
    let cancel = CancellationToken::new();
    let limits = ThinkLimits { nodes: 30, time: PATIENT * 4, patience: PATIENT };
    let game = async {
        for ply in 0..10 {
            let plies = ply * 2;
            let moved = linked.client.think(&placement(1, plies), limits, &cancel, |_| {}).await;
            assert_moved(&moved, plies);
        }
    };
    let harm = async {
        let mut rng = StdRng::seed_from_u64(seed);
        // Not for ever: twelve resets of a think are a dead board.
        for boot in 2..24 {
            sleep(Duration::from_millis(rng.random_range(300..2500))).await;
            board.act(if rng.random_bool(0.5) { Do::Drop } else { Do::Reset(boot) });
        }
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = game => {}
        () = harm => {}
    }
    assert!(linked.count(BadCrc) + linked.count(NakCrc) > 0);
    assert!(linked.count(Retransmitted) > 0);
}

#[tokio::test]
async fn host_and_board_never_differ_whatever_the_channel_does() {
    let games = (0..6).map(harmed_game);
    timeout(PATIENT * 8, futures_util::future::join_all(games)).await.expect("six games");
}
