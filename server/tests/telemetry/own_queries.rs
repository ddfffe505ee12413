//! Queries in one's own words: they answer, they change nothing, and they end.

use super::*;
use rookery_server::store::{SqlError, SqlLimits};
use std::time::{Duration, Instant};

fn limits() -> SqlLimits {
    SqlLimits { rows: 100, ..SqlLimits::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn they_answer_with_names_and_kinds() {
    let dir = tempfile::tempdir().unwrap();
    let store = history(&dir.path().join("a.db")).await;
    let table = store
        .query(
            "SELECT 1 AS n, 2.5 AS x, 'a' AS t, NULL AS u, x'0aff' AS b, 3 AS n -- done\n;",
            limits(),
        )
        .await
        .unwrap();
    assert_eq!(table.columns, ["n", "x", "t", "u", "b", "n_2"]);
    let text = |t: &str| Value::Text(t.into());
    let row =
        [Value::Int(1), Value::Real(2.5), text("a"), Value::Null, text("0AFF"), Value::Int(3)];
    assert_eq!(table.rows, [row]);
    let none = store
        .query("SELECT game, ply FROM telemetry_plies WHERE run = 99", limits())
        .await
        .unwrap();
    assert_eq!((none.columns.len(), none.rows.len(), none.truncated), (2, 0, false));
    let many = store.query("SELECT * FROM telemetry_plies", limits()).await.unwrap();
    assert_eq!((many.rows.len(), many.truncated), (100, true));
    let plan = store.query("EXPLAIN QUERY PLAN SELECT 1", limits()).await.unwrap();
    assert_eq!(plan.columns.last().map(String::as_str), Some("detail"));
    // Also while the server writes.
    let game = store.create_game(&new_game(run_id(1), 7)).await.unwrap();
    let count = format!("SELECT count(*) FROM games WHERE id = {game}");
    assert_eq!(store.query(&count, limits()).await.unwrap().rows, [[Value::Int(1)]]);
}

#[tokio::test(flavor = "multi_thread")]
async fn they_change_nothing_and_say_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = history(&path).await;
    let count = "SELECT (SELECT count(*) FROM plies) + (SELECT count(*) FROM games)";
    let before = store.query(count, limits()).await.unwrap();
    for (text, words) in [
        ("DELETE FROM plies", "begins with SELECT"),
        ("select 1; delete from plies", "several statements"),
        ("with a as (select 1) delete from plies", "readonly"),
        ("with a as (select 1) insert into store values (2, 'x', 1)", "readonly"),
        ("explain delete from plies; delete from plies", "several statements"),
        ("PRAGMA writable_schema = 1", "begins with SELECT"),
        ("ATTACH '/etc/passwd' AS x", "begins with SELECT"),
        ("VACUUM INTO '/tmp/x'", "begins with SELECT"),
        ("", "no query"),
        ("select x from nowhere", "no such table: nowhere"),
        ("select 'open", "has no end"),
        ("select load_extension('x')", "not authorized"),
        ("select * from plies where", "incomplete input"),
    ] {
        let error = store.query(text, limits()).await.unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    assert_eq!(store.query(count, limits()).await.unwrap(), before);
    assert!(matches!(
        store.query("with a as (select 1) delete from plies", limits()).await,
        Err(SqlError::Refused(_))
    ));
}

/// Counts for ever.
const ENDLESS: &str =
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n";

#[tokio::test(flavor = "multi_thread")]
async fn they_end_when_their_time_is_over_or_nobody_waits() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.db");
    let store = history(&path).await;
    let short = SqlLimits { time: Duration::from_millis(100), ..limits() };
    let error = store.query(ENDLESS, short).await.unwrap_err();
    assert!(matches!(error, SqlError::TooLong(_)), "{error}");
    assert!(error.to_string().contains("after 0.1 seconds"), "{error}");
    let endless_rows =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n";
    assert_eq!(store.query(endless_rows, limits()).await.unwrap().rows.len(), 100);
    let much = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT hex(zeroblob(1000)) FROM n";
    // One value alone, of whatever kind.
    let wide = SqlLimits { bytes: 1 << 20, ..limits() };
    for one in [
        "SELECT zeroblob(600000)",
        "SELECT hex(zeroblob(600000))",
        "SELECT 1, 'a', zeroblob(100), replace(hex(zeroblob(600000)), '00', 'ä')",
    ] {
        let answer = store.query(one, wide).await;
        assert!(matches!(answer, Err(SqlError::TooMuch(_))), "{one}: {answer:?}");
    }
    assert!(store.query("SELECT zeroblob(500000)", wide).await.is_ok());
    let narrow = SqlLimits { bytes: 10_000, ..limits() };
    assert!(matches!(store.query(much, narrow).await, Err(SqlError::TooMuch(10_000))));
    // A caller that goes away: the database can be closed and taken by another at once, long before the query's time.
    let long = SqlLimits { time: Duration::from_secs(3600), ..limits() };
    let asking = tokio::spawn({
        let store = store.clone();
        async move { store.query(ENDLESS, long).await }
    });
    tokio::task::yield_now().await;
    asking.abort();
    let _ = asking.await;
    let begun = Instant::now();
    store.close().await.unwrap();
    drop(store);
    sqlite3(&path, "PRAGMA wal_checkpoint(TRUNCATE); BEGIN EXCLUSIVE; COMMIT;");
    assert!(begun.elapsed() < Duration::from_secs(600));
}
