//! The hub of viewers: numbers without gaps, ways back, and a state that is the same whichever way a viewer came to it.

mod http_support;

use proptest::prelude::*;
use rookery_server::{
    api::{
        BoardView, Change, FlashView, GameView, LinkState, LiveGame, PlyView, RunView,
        ServerMessage, Side, Snapshot, ThinkingView,
    },
    live::Live,
    model::{
        BoardId, FlashEntry, FlashPhase, FlashRecord, FlashResult, GameId, GameResult, GameState,
        LinkEventKind, Mover, RunId, RunState, Termination,
    },
};
use std::thread;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// The hub's own bounds.
const HISTORY: u64 = 4096;
const RECENT: usize = 50;

fn link(detail: &str) -> Change {
    Change::Link {
        at: 0,
        board: BoardId(1),
        game: None,
        event: LinkEventKind::BadCrc,
        detail: detail.to_owned(),
    }
}

fn board(id: i64, alarm: Option<String>) -> BoardView {
    BoardView {
        id: BoardId(id),
        name: format!("board {id}"),
        url: format!("tcp://host:{id}"),
        link: LinkState::Ready,
        since: 1,
        identity: [("kind".to_owned(), "sim".to_owned())].into(),
        boot: None,
        rtt_ms: Some(0.5),
        counters: [("bad_crc".to_owned(), 2)].into(),
        game: None,
        alarm,
    }
}

fn run(id: i64, state: RunState, played: u32) -> RunView {
    RunView {
        id: RunId(id),
        name: format!("run {id}"),
        state,
        first: "One".into(),
        second: "Two".into(),
        settings: http_support::settings(),
        openings: 0,
        played,
        wins: 0,
        losses: 0,
        draws: played,
        created_at: 1,
        ended_at: state.is_over().then_some(2),
        alarm: None,
        queue: None,
        standing: Default::default(),
    }
}

fn game(id: i64, over: bool) -> GameView {
    let end = over.then_some(Termination::Aborted);
    GameView {
        id: GameId(id),
        run: RunId(1),
        number: id as u32,
        board: Some(BoardId(1)),
        white: "One".into(),
        black: "Two".into(),
        first_color: Side::White,
        start_fen: "8/8/8/8/8/8/8/8 w - - 0 1".into(),
        opening: None,
        eco: None,
        state: if over { GameState::Finished } else { GameState::Playing },
        result: GameResult::Unfinished,
        termination: end,
        reason: end.map(|t| t.describe(GameResult::Unfinished)),
        detail: None,
        plies: 0,
        started_at: 1,
        ended_at: over.then_some(2),
    }
}

fn live_game(id: i64, plies: u32) -> LiveGame {
    LiveGame {
        game: GameView { plies, ..game(id, false) },
        plies: (1..=plies).map(ply).collect(),
        white_thinking: None,
        black_thinking: None,
        thinking_since: Some(3),
    }
}

fn ply(number: u32) -> PlyView {
    PlyView {
        ply: number,
        side: if number % 2 == 1 { Side::White } else { Side::Black },
        mover: Mover::First,
        uci: "g1f3".into(),
        san: "Nf3".into(),
        fen: "8/8/8/8/8/8/8/8 b - - 0 1".into(),
        clock_ms: None,
        nodes: Some(u64::from(number)),
        depth: Some(1),
        score: None,
        score_raw: None,
        host_ms: Some(1.25),
        board_ms: None,
        book: false,
        retransmissions: 0,
        pv: None,
        opening: None,
        at: 4,
    }
}

fn thinking(id: i64, side: Side, depth: u32) -> ThinkingView {
    ThinkingView {
        game: GameId(id),
        ply: 1,
        side,
        depth,
        nodes: 9,
        score: None,
        score_raw: -3,
        ms: None,
        pv: vec!["Nf3".into()],
    }
}

fn message(json: &[u8]) -> ServerMessage {
    serde_json::from_slice(json).expect("a message")
}

fn seq(json: &[u8]) -> u64 {
    match message(json) {
        ServerMessage::Delta { seq, .. } | ServerMessage::Resumed { seq, .. } => seq,
        ServerMessage::Snapshot(snapshot) => snapshot.seq,
    }
}

fn is_snapshot(live: &Live, since: Option<(&str, u64)>) -> bool {
    let first = live.subscribe(since).first;
    first.len() == 1 && matches!(message(&first[0]), ServerMessage::Snapshot(_))
}

#[tokio::test]
async fn many_publishers_make_one_row_of_numbers() {
    let live = Live::new();
    let mut deltas = live.subscribe(None).deltas;
    let (publishers, each) = (8, 100);
    thread::scope(|scope| {
        for publisher in 0..publishers {
            let live = &live;
            scope.spawn(move || (0..each).for_each(|_| live.publish(link(&publisher.to_string()))));
        }
    });
    for wanted in 1..=publishers * each {
        let delta = deltas.try_recv().expect("a delta");
        assert_eq!((delta.seq, seq(&delta.json)), (wanted, wanted));
    }
    assert_eq!(deltas.try_recv().unwrap_err(), TryRecvError::Empty);
}

#[test]
fn a_viewer_that_comes_in_between_misses_nothing_and_hears_nothing_twice() {
    let live = Live::new();
    let epoch = live.snapshot().epoch;
    thread::scope(|scope| {
        let publisher = scope.spawn(|| (0..900).for_each(|_| live.publish(link("x"))));
        let mut joined = 0;
        while !publisher.is_finished() || joined == 0 {
            let since = (joined % 2 == 0).then_some((&*epoch, 0));
            let mut place = live.subscribe(since);
            let mut last = seq(&place.first[0]);
            for json in &place.first[1..] {
                last += 1;
                assert_eq!(seq(json), last);
            }
            for _ in 0..5 {
                if let Ok(delta) = place.deltas.try_recv() {
                    last += 1;
                    assert_eq!(delta.seq, last);
                }
            }
            joined += 1;
        }
    });
}

#[test]
fn a_viewer_goes_on_from_its_number_as_long_as_that_is_known() {
    let live = Live::new();
    let epoch = live.snapshot().epoch;
    let from = |seq| Some((&*epoch, seq));
    assert!(!is_snapshot(&live, from(0)), "nothing has happened, and nothing is missing");
    assert!(is_snapshot(&live, from(1)), "a number that was never given");
    assert!(is_snapshot(&live, None));
    (0..10).for_each(|_| live.publish(link("x")));
    for since in 0..=10 {
        let first = live.subscribe(from(since)).first;
        let wanted: Vec<u64> = (since..=10).collect();
        assert_eq!(first.iter().map(|json| seq(json)).collect::<Vec<_>>(), wanted);
        let resumed = ServerMessage::Resumed { epoch: epoch.clone(), seq: since };
        assert_eq!(message(&first[0]), resumed);
    }
    assert!(is_snapshot(&live, from(11)));
    assert!(is_snapshot(&live, from(u64::MAX)));
    assert!(is_snapshot(&live, Some(("other", 5))), "a number of another server");
    assert!(is_snapshot(&live, Some(("", 5))));
    let other = Live::new().snapshot().epoch;
    assert_ne!(other, epoch);
}

#[test]
fn the_history_is_bounded_in_number_and_in_bytes() {
    let live = Live::new();
    let epoch = live.snapshot().epoch;
    (0..HISTORY + 10).for_each(|_| live.publish(link("x")));
    assert!(is_snapshot(&live, Some((&epoch, 9))), "the delta after it is forgotten");
    let kept = live.subscribe(Some((&epoch, 10))).first.len() as u64 - 1;
    assert_eq!(kept, HISTORY);
    // Two megabytes each: only some are kept, whatever their number.
    let long = "x".repeat(2 << 20);
    (0..20).for_each(|_| live.publish(link(&long)));
    let last = live.snapshot().seq;
    assert!(is_snapshot(&live, Some((&epoch, last - 10))));
    let first = live.subscribe(Some((&epoch, last - 4))).first;
    assert_eq!(first.len(), 5);
    // One that alone is too large is sent to whoever watches and not kept.
    let mut place = live.subscribe(None);
    live.publish(link(&"x".repeat(17 << 20)));
    assert_eq!(place.deltas.try_recv().expect("a delta").seq, last + 1);
    assert!(is_snapshot(&live, Some((&epoch, last))));
    assert!(!is_snapshot(&live, Some((&epoch, last + 1))), "who is up to date needs no history");
    live.publish(link("x"));
    assert!(!is_snapshot(&live, Some((&epoch, last + 1))));
}

#[tokio::test]
async fn a_receiver_that_lags_is_told_and_begins_anew() {
    let live = Live::new();
    let mut place = live.subscribe(None);
    (0..2000).for_each(|_| live.publish(link("x")));
    let Err(RecvError::Lagged(missed)) = place.deltas.recv().await else { panic!("not behind") };
    assert!(missed > 0);
    let mut renewed = live.subscribe(None);
    assert_eq!(seq(&renewed.first[0]), 2000);
    live.publish(link("x"));
    assert_eq!(renewed.deltas.recv().await.expect("a delta").seq, 2001);
}

#[test]
fn what_an_earlier_server_left_is_shown() {
    let live = Live::new();
    let runs = (1..=3).rev().map(|id| run(id, RunState::Finished, 2)).collect();
    live.recall(runs, (1..=60).rev().map(|id| game(id, true)).collect());
    let snapshot = live.snapshot();
    assert_eq!(snapshot.seq, 0);
    assert_eq!(snapshot.runs.iter().map(|r| r.id.0).collect::<Vec<_>>(), [3, 2, 1]);
    assert_eq!(snapshot.recent.len(), RECENT);
    assert_eq!(snapshot.recent[0].id, GameId(60), "the newest first");
}

/// As the page does it: an independent account of what the changes mean.
fn apply(snapshot: &mut Snapshot, change: Change, at: i64) {
    let find = |live: &mut Vec<LiveGame>, id| live.iter().position(|l| l.game.id == id);
    match change {
        Change::Board { board } => {
            snapshot.boards.retain(|b| b.id != board.id);
            snapshot.boards.push(board);
            snapshot.boards.sort_by_key(|b| b.id);
        }
        Change::Run { run } => {
            snapshot.runs.retain(|r| r.id != run.id);
            snapshot.runs.push(*run);
            snapshot.runs.sort_by_key(|r| std::cmp::Reverse(r.id));
        }
        Change::GameStarted { live } => {
            snapshot.live.retain(|l| l.game.id != live.game.id);
            snapshot.live.push(live);
            snapshot.live.sort_by_key(|l| l.game.id);
        }
        Change::Ply { game, ply } => {
            if let Some(i) = find(&mut snapshot.live, game) {
                let live = &mut snapshot.live[i];
                live.game.plies = ply.ply;
                live.plies.push(ply);
                live.thinking_since = None;
            }
        }
        Change::ThinkStarted { game, .. } => {
            if let Some(i) = find(&mut snapshot.live, game) {
                snapshot.live[i].thinking_since = Some(at);
            }
        }
        Change::Thinking { thinking } => {
            if let Some(i) = find(&mut snapshot.live, thinking.game) {
                let live = &mut snapshot.live[i];
                match thinking.side {
                    Side::White => live.white_thinking = Some(thinking),
                    Side::Black => live.black_thinking = Some(thinking),
                }
            }
        }
        Change::GameEnded { game } => {
            snapshot.live.retain(|l| l.game.id != game.id);
            snapshot.recent.retain(|g| g.id != game.id);
            snapshot.recent.insert(0, game);
        }
        Change::Flash { flash } => {
            snapshot.flashes.retain(|f| f.record.board != flash.record.board);
            snapshot.flashes.push(flash);
            snapshot.flashes.sort_by_key(|f| f.record.board);
        }
        Change::Link { .. } => {}
    }
}

fn flash(board: i64, done: u32) -> FlashView {
    let record = FlashRecord {
        id: 1,
        board: BoardId(board),
        image: "0".repeat(64),
        region: "application".into(),
        version: Some("1.0".into()),
        by: "a test".into(),
        entry: FlashEntry::App,
        result: FlashResult::Running,
        detail: None,
        bytes: done,
        retries: 0,
        started_at: 1,
        ended_at: None,
    };
    FlashView { phase: Some(FlashPhase::Write), done, total: 9, ..FlashView::from(record) }
}

fn any_change() -> impl Strategy<Value = Change> {
    let id = 1_i64..5;
    let side = prop_oneof![Just(Side::White), Just(Side::Black)];
    let state = prop_oneof![
        Just(RunState::Running),
        Just(RunState::Paused),
        Just(RunState::Finished),
        Just(RunState::Failed)
    ];
    prop_oneof![
        (id.clone(), proptest::option::of("[a-z]{1,4}"))
            .prop_map(|(id, alarm)| Change::Board { board: board(id, alarm) }),
        (1_i64..70, state, 0_u32..9)
            .prop_map(|(id, state, played)| Change::Run { run: Box::new(run(id, state, played)) }),
        (id.clone(), 0_u32..3)
            .prop_map(|(id, plies)| Change::GameStarted { live: live_game(id, plies) }),
        (id.clone(), 1_u32..9)
            .prop_map(|(id, number)| Change::Ply { game: GameId(id), ply: ply(number) }),
        (id.clone(), side.clone())
            .prop_map(|(id, side)| Change::ThinkStarted { game: GameId(id), side }),
        (id.clone(), side, 1_u32..9)
            .prop_map(|(id, side, depth)| Change::Thinking { thinking: thinking(id, side, depth) }),
        (id.clone(), 0_u32..9)
            .prop_map(|(board, done)| Change::Flash { flash: flash(board, done) }),
        (1_i64..70).prop_map(|id| Change::GameEnded { game: game(id, true) }),
        "[a-z]{0,9}".prop_map(|detail| link(&detail)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    /// An old snapshot with the deltas after it is the new snapshot, and a delta of JSON says the same as the change itself.
    #[test]
    fn a_snapshot_and_what_follows_is_the_next_snapshot(
        before in proptest::collection::vec(any_change(), 0..60),
        after in proptest::collection::vec(any_change(), 0..200),
    ) {
        let live = Live::new();
        before.into_iter().for_each(|change| live.publish(change));
        let mut place = live.subscribe(None);
        let ServerMessage::Snapshot(mut viewer) = message(&place.first[0]) else {
            panic!("no snapshot");
        };
        after.into_iter().for_each(|change| live.publish(change));
        while let Ok(delta) = place.deltas.try_recv() {
            let ServerMessage::Delta { seq, at, change } = message(&delta.json) else {
                panic!("no delta");
            };
            prop_assert_eq!(&change, &delta.change);
            prop_assert_eq!(seq, viewer.seq + 1);
            viewer.seq = seq;
            apply(&mut viewer, *change, at);
        }
        let mut server = live.snapshot();
        // What a snapshot leaves out, a viewer may go on showing.
        viewer.recent.truncate(RECENT);
        viewer.runs.retain(|run| server.runs.iter().any(|kept| kept.id == run.id));
        (viewer.now, server.now) = (0, 0);
        prop_assert_eq!(*viewer, server);
    }
}
