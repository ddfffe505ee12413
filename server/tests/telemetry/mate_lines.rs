//! Mate lines and the depths that count: one rule, for roll-ups, plies and views, and for games from before it.

use super::*;
use sqlx::{ConnectOptions as _, Connection as _, migrate::Migrator, sqlite::SqliteConnectOptions};

static MIGRATOR: Migrator = sqlx::migrate!("../migrations");

/// What a board of each kind, and an engine, says at the end of a think; what statistics make of it.
const THINKS: [(Option<u32>, Option<Score>, Option<u32>); 10] = [
    (Some(5), Some(Score::Cp(-34)), Some(5)),
    (Some(7), Some(Score::Cp(0)), Some(7)),
    (Some(4), None, Some(4)),
    // micro-Max 4.8 mates and is mated, 4.5 is mated, Stockfish has seen a mate at a common depth or at its last.
    (Some(97), Some(Score::Mate(2)), None),
    (Some(97), Some(Score::Mate(-1)), None),
    (Some(98), Some(Score::Mate(-2)), None),
    (Some(18), Some(Score::Mate(9)), None),
    (Some(245), Some(Score::Mate(1)), None),
    // The only move repeats: searched to the end, and no mate.
    (Some(96), Some(Score::Cp(-1)), None),
    (Some(97), Some(Score::Cp(0)), None),
];

#[tokio::test]
async fn a_mate_line_is_known_by_its_score_and_the_rest_has_depths() {
    let dir = tempfile::tempdir().unwrap();
    let (store, _, game) = with_game(&dir.path().join("a.db")).await;
    for (n, (depth, score, _)) in (1..).zip(THINKS) {
        let mut p = ply(n);
        (p.mover, p.depth, p.score) = (Mover::First, depth, score);
        store.append_ply(game, &p, &[]).await.unwrap();
    }
    // Nobody thought.
    for (n, mover, book) in [(11, Mover::Opening, false), (12, Mover::First, true)] {
        let mut p = ply(n);
        (p.mover, p.book, p.score) = (mover, book, Some(Score::Mate(1)));
        store.append_ply(game, &p, &[]).await.unwrap();
    }
    let mut of_plies = asked(View::Summary);
    of_plies.filter.ply_from = Some(1);
    for query in [asked(View::Summary), of_plies, asked(View::Journal)] {
        let table = store.telemetry(&query).await.unwrap();
        let at = |column| int(&table, 0, column);
        assert_eq!((at("thinks"), at("mate_lines"), at("depth_max")), (10, 5, 7));
        assert!((real(&table, 0, "depth_mean") - 5.33).abs() < 1e-9);
        if query.view == View::Summary {
            assert_eq!(at("depths"), 3);
        } else {
            assert_eq!(at("depth_min"), 4);
        }
    }
    let games = store.telemetry(&asked(View::Games)).await.unwrap();
    assert_eq!(int(&games, 0, "first_depth_max"), 7);
    let plies = store.telemetry(&asked(View::Plies)).await.unwrap();
    for (n, (depth, score, counted)) in THINKS.into_iter().enumerate() {
        let mate = matches!(score, Some(Score::Mate(_)));
        assert_eq!(int(&plies, n, "mate_line"), i64::from(mate), "{depth:?} {score:?}");
        let counted = counted.map_or(Value::Null, |d| Value::Int(d.into()));
        assert_eq!(plies.get(n, "counted_depth"), Some(&counted), "{depth:?} {score:?}");
        assert_eq!(plies.get(n, "depth").unwrap().to_text(), depth.unwrap().to_string());
    }
    // The histogram: a row for each depth that was told, with the thinks that count.
    let mut histogram = asked(View::Summary);
    histogram.group = "depth".parse().unwrap();
    histogram.filter.mover = "first".parse().unwrap();
    let table = store.telemetry(&histogram).await.unwrap();
    let bars: Vec<_> = (0..table.rows.len())
        .map(|n| (int(&table, n, "depth"), int(&table, n, "depths")))
        .filter(|(_, thinks)| *thinks > 0)
        .collect();
    assert_eq!(bars, [(4, 1), (5, 1), (7, 1)]);
}

/// Every version whose roll-ups somebody may have: made of plies by a migration, and kept by the trigger of that time.
#[tokio::test]
async fn games_of_an_older_database_are_counted_by_the_same_rule() {
    let dir = tempfile::tempdir().unwrap();
    let new = dir.path().join("new.db");
    let store = history(&new).await;
    let mut summary = asked(View::Summary);
    summary.group = "game,mover,phase".parse().unwrap();
    summary.percentiles = true;
    let queries = [summary, asked(View::Journal), asked(View::Games), asked(View::Plies)];
    let mut expected = Vec::new();
    for query in &queries {
        expected.push(store.telemetry(query).await.unwrap());
    }
    assert!(expected[0].rows.len() > 30, "{}", expected[0].rows.len());
    store.close().await.unwrap();
    for version in [2, 10, 31] {
        let old = dir.path().join(format!("{version}.db"));
        let mut db = SqliteConnectOptions::new()
            .filename(&old)
            .create_if_missing(true)
            .connect()
            .await
            .unwrap();
        MIGRATOR.run_to(version, &mut db).await.unwrap();
        db.close().await.unwrap();
        copy(&new, &old);
        if version > 2 {
            let by_depth = "SELECT sum(mate_lines) = (SELECT count(*) FROM plies WHERE think AND depth >= 98) FROM rollups";
            assert_eq!(sqlite3(&old, by_depth).trim(), "1", "{version}: the rule of that time");
        }
        let store = Store::open(&old).await.unwrap();
        for (query, expected) in queries.iter().zip(&expected) {
            let found = store.telemetry(query).await.unwrap();
            assert_eq!(&found, expected, "{version} {}", query.view);
        }
        store.close().await.unwrap();
    }
}

/// A board's score tells a mate by a unit a move; until schema 33 it was read as one a ply.
#[tokio::test]
async fn mates_of_older_databases_are_as_far_as_their_scores_say() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let mut db = SqliteConnectOptions::new()
        .filename(&path)
        .create_if_missing(true)
        .connect()
        .await
        .unwrap();
    MIGRATOR.run_to(32, &mut db).await.unwrap();
    db.close().await.unwrap();
    let new = dir.path().join("new.db");
    let (store, _, game) = with_game(&new).await;
    // As it was kept, and as it is: the last two are an engine's, and no mate.
    let scores = [(7999, 1, 1), (7996, 2, 4), (-7997, -2, -3), (-8000, -1, -1), (31_996, 4, 4)];
    for (n, (raw, kept, _)) in (1..).zip(scores) {
        let mut p = ply(n);
        (p.mover, p.score_raw, p.score) = (Mover::First, Some(raw), Some(Score::Mate(kept)));
        let mut found = iterations(n, 2);
        for it in &mut found {
            (it.score_raw, it.score) = (raw, Some(Score::Mate(kept)));
        }
        store.append_ply(game, &p, &found).await.unwrap();
    }
    let mut p = ply(6);
    (p.score_raw, p.score) = (Some(7_900), Some(Score::Cp(7_900)));
    store.append_ply(game, &p, &[]).await.unwrap();
    store.close().await.unwrap();
    copy(&new, &path);
    let store = Store::open(&path).await.unwrap();
    let plies = store.plies(game).await.unwrap();
    for (ply, (raw, _, is)) in plies.iter().zip(scores) {
        assert_eq!(ply.score, Some(Score::Mate(is)), "{raw}");
    }
    assert_eq!(plies[5].score, Some(Score::Cp(7_900)));
    let kept = sqlite3(&path, "SELECT DISTINCT score_raw, score_mate FROM iterations ORDER BY ply");
    let is: String = scores.iter().map(|(raw, _, is)| format!("{raw}|{is}\n")).collect();
    assert_eq!(kept, is);
}

/// Copies what the older of two databases has a place for; its trigger adds up, as it did when the games were played.
fn copy(new: &Path, old: &Path) {
    // The games are over already.
    sqlite3(old, "DROP TRIGGER plies_while_playing");
    for table in ["boards", "runs", "games", "plies", "iterations"] {
        let names = format!(
            "SELECT group_concat(name) FROM pragma_table_xinfo('{table}') WHERE hidden = 0"
        );
        let columns = sqlite3(old, &names);
        let columns = columns.trim();
        let from = new.display();
        let text = format!(
            "ATTACH '{from}' AS new; INSERT INTO {table} ({columns}) SELECT {columns} FROM new.{table} ORDER BY 1, 2;"
        );
        sqlite3(old, &text);
    }
}
