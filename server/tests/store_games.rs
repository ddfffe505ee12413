//! The store's nouns, written and read back; what it refuses, and how it says so.
#![allow(missing_docs, clippy::unwrap_used)]

mod store_support;

use rookery_server::api::{GameView, PlyView, RunView, Side};
use rookery_server::model::{
    GameId, GameResult, GameState, Incident, LinkEvent, LinkEventKind, Mover, PlyRecord, RunId,
    RunState, Score, Termination,
};
use rookery_server::store::{LinkScope, Store, StoreError, Tally};
use rookery_server::telemetry::{Filter, GameFilter, Query, View};
use shakmaty::Color;
use std::collections::BTreeMap;
use store_support::*;

/// What a count is kept as that is more.
const MOST: u64 = 9_000_000_000_000;

#[tokio::test]
async fn a_run_a_game_and_its_plies_come_back_as_they_were() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run, game) = with_game(&dir.path().join("a.db")).await;
    let mut expected = Vec::new();
    for n in 1..=5 {
        let mut p = ply(n);
        if n == 2 {
            p = PlyRecord {
                clock_ms: None,
                nodes: Some(u64::MAX),
                depth: None,
                score_raw: None,
                score: Some(Score::Mate(-2)),
                host_us: None,
                board_ms: None,
                book: true,
                pv: None,
                ..p
            };
        }
        store.append_ply(game, &p, &iterations(n, if n == 3 { 0 } else { 4 })).await.unwrap();
        if n == 2 {
            p.nodes = Some(MOST);
        }
        expected.push(p);
    }
    assert_eq!(store.plies(game).await.unwrap(), expected);
    let kept = store.iterations(game).await.unwrap();
    assert_eq!(kept.len(), 16);
    assert_eq!(kept[..4], iterations(1, 4));
    assert!(kept.iter().all(|it| it.ply != 3));

    let record = store.game(game).await.unwrap();
    assert_eq!(
        (record.state, record.plies, record.result),
        (GameState::Playing, 5, GameResult::Unfinished)
    );
    assert_eq!(record.game, new_game(run, 1));
    assert_eq!(store.unfinished_games(run).await.unwrap(), [record]);

    store
        .finish_game(game, GameResult::BlackWins, Termination::IllegalMove, Some("a1a1"))
        .await
        .unwrap();
    let record = store.game(game).await.unwrap();
    assert_eq!(
        (record.state, record.plies, record.termination),
        (GameState::Finished, 5, Some(Termination::IllegalMove))
    );
    assert_eq!(record.detail.as_deref(), Some("a1a1"));
    assert!(store.unfinished_games(run).await.unwrap().is_empty());

    let view = GameView::from(&record);
    assert_eq!(view.reason.as_deref(), Some("White makes an illegal move"));
    assert_eq!(view.plies, 5);
    let view = PlyView::from(&expected[0]);
    assert_eq!((view.side, view.host_ms), (Side::White, Some(6200.123)));
}

/// A game that is cut off between its row and its opening's plies would go on without them.
#[tokio::test]
async fn a_game_begins_with_its_whole_opening_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run, _) = with_game(&dir.path().join("a.db")).await;
    let opening: Vec<PlyRecord> =
        (1..=3).map(|n| PlyRecord { mover: Mover::Opening, ..ply(n) }).collect();
    let game = store.begin_game(&new_game(run, 2), &opening).await.unwrap();
    assert_eq!(store.plies(game).await.unwrap(), opening);
    assert_eq!(store.game(game).await.unwrap().game, new_game(run, 2));
    store.append_ply(game, &ply(4), &[]).await.unwrap();

    let gap = [ply(1), ply(3)];
    store.begin_game(&new_game(run, 3), &gap).await.unwrap_err();
    assert_eq!(store.unfinished_games(run).await.unwrap().len(), 2, "nothing of it is there");
    let taken = store.begin_game(&new_game(run, 2), &opening).await.unwrap_err();
    assert!(matches!(taken, StoreError::GameExists { number: 2, .. }), "{taken}");
    let third = store.begin_game(&new_game(run, 3), &opening).await.unwrap();
    assert_eq!(store.plies(third).await.unwrap().len(), 3);
}

/// Engines have been seen to say 18446744073709551615 nodes, and files of others say what they like.
#[tokio::test]
async fn a_count_beyond_all_measure_costs_no_ply_and_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run, game) = with_game(&dir.path().join("a.db")).await;
    for n in 1..=40 {
        let mut p = ply(n);
        p.nodes = Some(u64::MAX - u64::from(n));
        p.host_us = Some([1_500_007, u64::MAX, 1][n as usize % 3]);
        (p.board_ms, p.clock_ms, p.depth) = (Some(u64::MAX), Some(u64::MAX), Some(u32::MAX));
        p.score = Some(Score::Cp([i32::MIN, i32::MAX][n as usize % 2]));
        let mut thoughts = iterations(n, 2);
        (thoughts[0].nodes, thoughts[1].ms) = (u64::MAX, Some(u64::MAX));
        store.append_ply(game, &p, &thoughts).await.unwrap();
    }
    let plies = store.plies(game).await.unwrap();
    assert!(plies.iter().all(|p| p.nodes == Some(MOST) && p.clock_ms == Some(MOST)));
    for view in View::ALL {
        for filter in [Filter::of_run(run), Filter { ply_from: Some(1), ..Filter::of_run(run) }] {
            let mut query = Query { filter, ..Query::new(*view) };
            query.percentiles = *view == View::Summary;
            if query.check().is_ok() {
                store.telemetry(&query).await.unwrap_or_else(|e| panic!("{view}: {e}"));
            }
        }
    }
}

#[tokio::test]
async fn plies_have_no_gap_no_double_and_end_with_the_game() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    let refused = store.append_ply(game, &ply(2), &[]).await.unwrap_err();
    assert!(matches!(refused, StoreError::OutOfOrder { ply: 2, last: 0, .. }));
    store.append_ply(game, &ply(1), &iterations(1, 3)).await.unwrap();
    let refused = store.append_ply(game, &ply(1), &iterations(1, 5)).await.unwrap_err();
    assert!(matches!(refused, StoreError::OutOfOrder { ply: 1, last: 1, .. }));
    assert_eq!(
        refused.to_string(),
        "ply 1 of game 1 does not follow ply 1, the last that is stored"
    );
    assert_eq!(
        store.iterations(game).await.unwrap().len(),
        3,
        "a refused ply leaves nothing behind"
    );
    let refused = store.append_ply(GameId(77), &ply(1), &[]).await;
    assert!(matches!(refused, Err(StoreError::NotFound { what: "game", .. })));

    store.finish_game(game, GameResult::Draw, Termination::Stalemate, None).await.unwrap();
    for _ in 0..2 {
        let again =
            store.finish_game(game, GameResult::WhiteWins, Termination::Checkmate, None).await;
        assert!(matches!(again, Err(StoreError::GameOver { .. })));
    }
    let late = store.append_ply(game, &ply(2), &iterations(2, 2)).await;
    assert!(matches!(late, Err(StoreError::GameOver { .. })));
    assert_eq!(store.game(game).await.unwrap().result, GameResult::Draw);
    // The writer is in order after every refusal.
    store.create_run(&settings()).await.unwrap();
}

#[tokio::test]
async fn the_tally_is_the_first_players_and_counts_games_that_are_over() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let run = store.create_run(&settings()).await.unwrap();
    let ends = [
        (Color::White, GameResult::WhiteWins),
        (Color::Black, GameResult::WhiteWins),
        (Color::Black, GameResult::BlackWins),
        (Color::White, GameResult::BlackWins),
        (Color::Black, GameResult::BlackWins),
        (Color::White, GameResult::Draw),
        (Color::White, GameResult::Unfinished),
    ];
    for (number, (color, result)) in (1..).zip(ends) {
        let mut new = new_game(run, number);
        new.first_color = color;
        let game = store.create_game(&new).await.unwrap();
        let why = Termination::Aborted;
        store.finish_game(game, result, why, None).await.unwrap();
    }
    store.create_game(&new_game(run, 8)).await.unwrap();
    let tally = store.tally(run).await.unwrap();
    assert_eq!(tally, Tally { played: 7, wins: 3, losses: 2, draws: 1, pairs: [0, 0, 2, 1, 0] });
    let view = RunView::from_record(&store.run(run).await.unwrap(), tally);
    assert_eq!((&*view.first, &*view.second), ("Board A", "Stockfish"));
    assert_eq!(store.tally(RunId(9)).await.unwrap(), Tally::default());
}

#[tokio::test]
async fn an_unfinished_run_is_found_by_equal_settings_only() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    assert_eq!(store.find_unfinished_run(&settings()).await.unwrap(), None);
    let run = store.create_run(&settings()).await.unwrap();
    let other = store.create_run(&settings_named("Board B", "tcp://b:1")).await.unwrap();
    for state in [RunState::Pending, RunState::Running, RunState::Paused] {
        store.set_run_state(run, state, Some("disk full")).await.unwrap();
        let found = store.find_unfinished_run(&settings()).await.unwrap().unwrap();
        assert_eq!((found.id, found.state, found.ended_at), (run, state, None));
        assert_eq!(found.settings, settings());
        assert_eq!(found.error.as_deref(), Some("disk full"));
        assert_eq!(store.unfinished_runs().await.unwrap().len(), 2);
    }
    store.set_run_state(run, RunState::Finished, None).await.unwrap();
    assert_eq!(store.find_unfinished_run(&settings()).await.unwrap(), None);
    assert!(store.run(run).await.unwrap().ended_at.is_some());
    let ids = |runs: Vec<rookery_server::model::RunRecord>| -> Vec<RunId> {
        runs.iter().map(|r| r.id).collect()
    };
    assert_eq!(ids(store.runs(10, None).await.unwrap()), [other, run]);
    assert_eq!(ids(store.runs(10, Some(other)).await.unwrap()), [run]);
    assert_eq!(ids(store.runs(1, None).await.unwrap()), [other]);
    let error = store.set_run_state(RunId(9), RunState::Paused, None).await;
    assert_eq!(error.unwrap_err().to_string(), "there is no run 9");
}

#[tokio::test]
async fn games_are_numbered_once_listed_by_page_and_closed_when_not_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run, first) = with_game(&dir.path().join("a.db")).await;
    let twice = store.create_game(&new_game(run, 1)).await.unwrap_err();
    assert_eq!(twice.to_string(), "run 1 already has a game 1");
    let lost = store.create_game(&new_game(RunId(5), 1)).await.unwrap_err();
    assert_eq!(lost.to_string(), "there is no run 5");
    for number in 2..=5 {
        store.create_game(&new_game(run, number)).await.unwrap();
    }
    store.finish_game(first, GameResult::Draw, Termination::FiftyMoves, None).await.unwrap();
    let page = |filter, before: Option<i64>, limit| {
        let store = store.clone();
        async move {
            let games = store.games(&filter, before.map(GameId), limit).await.unwrap();
            games.iter().map(|g| g.id.0).collect::<Vec<_>>()
        }
    };
    let all = GameFilter::default();
    assert_eq!(page(all.clone(), None, None).await, [5, 4, 3, 2, 1]);
    assert_eq!(page(all.clone(), Some(4), Some(2)).await, [3, 2]);
    assert_eq!(page(GameFilter::of_run(run), Some(4), Some(1)).await, [3]);
    let over = GameFilter { state: Some(GameState::Finished), ..all };
    assert_eq!(page(over, None, None).await, [1]);
    assert_eq!(store.game_numbers(run).await.unwrap().len(), 5);

    let closed = store.close_interrupted(Some(run)).await.unwrap();
    assert_eq!(closed.len(), 4);
    assert!(store.close_interrupted(None).await.unwrap().is_empty());
    let game = store.game(closed[0]).await.unwrap();
    assert_eq!(
        (game.result, game.termination),
        (GameResult::Unfinished, Some(Termination::Interrupted))
    );
    assert_eq!(store.game(first).await.unwrap().termination, Some(Termination::FiftyMoves));
}

#[tokio::test]
async fn finished_games_are_read_once_each_over_many_batches() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path().join("a.db")).await.unwrap();
    let runs = [
        store.create_run(&settings()).await.unwrap(),
        store.create_run(&settings()).await.unwrap(),
    ];
    for number in (1..=70).rev() {
        for run in runs {
            let game = store.create_game(&new_game(run, number)).await.unwrap();
            store.append_ply(game, &ply(1), &[]).await.unwrap();
            if number != 13 {
                let why = Termination::MaxPlies;
                store.finish_game(game, GameResult::Draw, why, None).await.unwrap();
            }
        }
    }
    for (run, expected) in [(Some(runs[1]), 69), (None, 138)] {
        let mut cursor = store.games_with_plies(GameFilter { run, ..GameFilter::default() });
        let mut seen = Vec::new();
        while let Some((game, plies)) = cursor.next().await.unwrap() {
            assert_eq!(plies.len(), 1);
            seen.push((game.game.run_id, game.game.number));
        }
        assert_eq!(seen.len(), expected);
        assert!(seen.is_sorted());
        seen.dedup();
        assert_eq!(seen.len(), expected);
        assert_eq!(store.finished_ids(run).await.unwrap().len(), expected);
    }
}

#[tokio::test]
async fn boards_are_known_by_their_url_and_a_game_keeps_what_the_board_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = Store::open(&path).await.unwrap();
    let board = store.upsert_board("A", "tcp://h:1").await.unwrap();
    let other = store.upsert_board("B", "tcp://h:2").await.unwrap();
    assert_ne!(board, other);
    assert_eq!(store.upsert_board("A2", "tcp://h:1").await.unwrap(), board);
    assert!(store.board_identity(board).await.unwrap().is_empty());
    let identity = |fw: &str| BTreeMap::from([("fw".to_owned(), fw.to_owned())]);
    let run = store.create_run(&settings()).await.unwrap();
    let play = async |number| {
        let mut new = new_game(run, number);
        new.board_id = Some(board);
        store.create_game(&new).await.unwrap()
    };
    // Known before the game, first heard of during it, and flashed after it.
    let first = play(1).await;
    store.set_board_identity(board, &identity("1.0")).await.unwrap();
    store.finish_game(first, GameResult::Draw, Termination::Stalemate, None).await.unwrap();
    let second = play(2).await;
    store.finish_game(second, GameResult::Draw, Termination::Stalemate, None).await.unwrap();
    store.set_board_identity(board, &identity("2.0")).await.unwrap();
    let third = play(3).await;
    assert_eq!(store.board_identity(board).await.unwrap(), identity("2.0"));
    store.close().await.unwrap();
    let firmware = sql(&path, "SELECT id, firmware FROM games ORDER BY id");
    assert_eq!(firmware, format!("{first}|1.0\n{second}|1.0\n{third}|2.0\n"));

    let store = Store::open(&path).await.unwrap();
    let none = store.set_board_identity(rookery_server::model::BoardId(9), &identity("x")).await;
    assert_eq!(none.unwrap_err().to_string(), "there is no board 9");
    let mut new = new_game(run, 4);
    new.board_id = Some(rookery_server::model::BoardId(9));
    let none = store.create_game(&new).await.unwrap_err();
    assert_eq!(none.to_string(), "there is no board 9");
}

#[tokio::test]
async fn link_events_are_counted_by_board_run_and_game() {
    let dir = tempfile::tempdir().unwrap();
    let (store, run, game) = with_game(&dir.path().join("a.db")).await;
    let board = store.upsert_board("A", "tcp://h:1").await.unwrap();
    let event = |kind| LinkEvent { at: WHEN, kind, detail: "raw \u{0}\u{ff} 'line'\"".to_owned() };
    let (crc, again) = (LinkEventKind::BadCrc, LinkEventKind::Retransmitted);
    store
        .add_link_events(board, Some(game), &[event(crc), event(again), event(crc)])
        .await
        .unwrap();
    store.add_link_events(board, None, &[event(again)]).await.unwrap();
    store.add_link_events(board, None, &[]).await.unwrap();
    let in_game = BTreeMap::from([(crc, 2), (again, 1)]);
    let count = |scope| {
        let store = store.clone();
        async move { store.link_event_counts(scope).await.unwrap() }
    };
    assert_eq!(count(LinkScope::Game(game)).await, in_game);
    assert_eq!(count(LinkScope::Run(run)).await, in_game);
    assert_eq!(count(LinkScope::Board(board)).await, BTreeMap::from([(crc, 2), (again, 2)]));
    assert!(count(LinkScope::Game(GameId(9))).await.is_empty());
    let latest = store.link_events(board, 2).await.unwrap();
    assert_eq!(latest[0], (None, event(again)));
    assert_eq!(latest[1], (Some(game), event(crc)));
}

#[tokio::test]
async fn incidents_are_kept_whole() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    let incident = Incident {
        at: WHEN,
        ply: 12,
        mover: Some(Mover::First),
        kind: "illegal_move".to_owned(),
        fen: Some(START.to_owned()),
        detail: "mov e2e5 w\r\n<script>'\"\\".to_owned(),
    };
    let bare = Incident { mover: None, fen: None, ..incident.clone() };
    store.add_incident(game, &incident).await.unwrap();
    store.add_incident(game, &bare).await.unwrap();
    assert_eq!(store.incidents(game).await.unwrap(), [incident, bare]);
}

#[tokio::test]
async fn a_caller_that_gives_up_in_the_middle_leaves_the_writer_usable() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    let mut next = 1;
    for n in 0..200_u32 {
        let (record, thoughts) = (ply(next), iterations(next, 20));
        let append = store.append_ply(game, &record, &thoughts);
        // Polled a few times, then dropped: anywhere between the channel and the commit.
        let _ =
            tokio::time::timeout(std::time::Duration::from_micros(u64::from(n) * 3), append).await;
        next = store.game(game).await.unwrap().plies + 1;
    }
    store.append_ply(game, &ply(next), &[]).await.unwrap_or_else(|e| {
        assert!(matches!(e, StoreError::OutOfOrder { .. }), "{e}");
    });
    let last = store.game(game).await.unwrap().plies;
    for n in 1..=last {
        let of_ply = store.iterations(game).await.unwrap();
        let count = of_ply.iter().filter(|it| it.ply == n).count();
        assert!(count == 20 || (n == last && count == 0), "ply {n}: {count}");
    }
}

fn sql(path: &std::path::Path, query: &str) -> String {
    // The plain command line tool reads it: nothing of ours is needed to ask the database.
    let out = std::process::Command::new("sqlite3")
        .arg(path)
        .arg(query)
        .output()
        .expect("sqlite3 is installed");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

#[tokio::test]
async fn an_opening_is_named_by_its_position_also_in_a_game_from_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = Store::open(&path).await.unwrap();
    let run = store.create_run(&settings()).await.unwrap();
    // A Ruy Lopez by another order of moves, then a position that no line ends in; and a game that was never in the book of names.
    let ruy = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let after = "1rbqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQk - 4 4";
    let bare = "8/8/4k3/8/4P3/4K3/8/8 w - - 0 1";
    for (number, fens) in [(1, [ruy, after]), (2, [bare, bare])] {
        let game = store.create_game(&new_game(run, number)).await.unwrap();
        for (n, fen) in (1..).zip(fens) {
            let ply = PlyRecord { fen: fen.to_owned(), ..ply(n) };
            store.append_ply(game, &ply, &[]).await.unwrap();
        }
        assert_eq!(store.game(game).await.unwrap().eco, None, "it is not over");
        store.finish_game(game, GameResult::Draw, Termination::MaxPlies, None).await.unwrap();
    }
    let named = async |store: &Store| {
        let mut named = Vec::new();
        for (opening, text) in [(Some("ruy lopez"), None), (None, Some("C60")), (Some("zzz"), None)]
        {
            let [opening, text] = [opening, text].map(|t| t.map(str::to_owned));
            let filter = GameFilter { opening, text, ..GameFilter::default() };
            named.push(store.games(&filter, None, None).await.unwrap());
        }
        let names =
            named.iter().map(|games| games.iter().map(|g| g.eco.clone().unwrap()).collect());
        names.collect::<Vec<Vec<String>>>()
    };
    let found = [vec!["C60 Ruy Lopez".to_owned()], vec!["C60 Ruy Lopez".to_owned()], vec![]];
    assert_eq!(named(&store).await, found);
    assert_eq!(store.game(GameId(2)).await.unwrap().eco, None);
    store.close().await.unwrap();

    sqlite3(&path, "UPDATE games SET eco = NULL");
    let store = Store::open(&path).await.unwrap();
    assert_eq!(named(&store).await, found);
    assert_eq!(sqlite3(&path, "SELECT count(*) FROM games WHERE eco IS NULL").trim(), "0");
}
