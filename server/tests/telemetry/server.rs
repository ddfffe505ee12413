//! The same over HTTP.

use super::http_support::{Server, knights};
use serde_json::{Value as Json, json};

async fn played() -> (Server, i64) {
    let server = Server::start().await;
    let run = server.create(&knights(3, "")).await;
    server.until_run(run, "finished").await;
    (server, run)
}

#[tokio::test(flavor = "multi_thread")]
async fn views_are_answered_as_columns_lines_and_csv() {
    let (server, run) = played().await;
    let plies =
        server.json(&format!("/api/v1/telemetry/plies?run={run}&mover=first&plies=1-4")).await;
    assert_eq!((&plies["rows"], &plies["truncated"]), (&json!(6), &json!(false)));
    assert_eq!(plies["data"]["mover"], json!(vec!["first"; 6]));
    let summary =
        server.json("/api/v1/telemetry/summary?group=mover,game&percentiles=true&limit=2").await;
    assert_eq!((&summary["rows"], &summary["truncated"]), (&json!(2), &json!(true)));
    assert!(summary["data"]["time_p99_ms"][0].as_f64().unwrap() >= 0.0);
    for view in ["games", "iterations", "link", "journal"] {
        let table = server.json(&format!("/api/v1/telemetry/{view}")).await;
        assert_eq!(
            table["columns"].as_array().unwrap().len(),
            table["data"].as_object().unwrap().len()
        );
    }
    let csv = server.get("/api/v1/telemetry/games?format=csv&limit=1").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8; header=present"));
    assert_eq!(csv.header("x-truncated"), Some("true"));
    assert!(csv.header("content-disposition").unwrap().contains("rookery-games.csv"));
    assert!(csv.body.starts_with("run,game,number,"), "{}", csv.body);
    let lines = server.get("/api/v1/telemetry/journal?format=ndjson").await;
    assert_eq!(lines.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(lines.body.lines().filter(|line| line.starts_with('{')).count(), 3);
    let compare = server.json("/api/v1/telemetry/compare?a=game=1&b=game=3&moves=2").await;
    assert_eq!(compare["data"]["same"], json!([1, 1, 1, 1]));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn own_queries_are_read_only_and_what_is_wrong_is_said() {
    let (server, _) = played().await;
    let sql = async |text: &str, more: Json| {
        let mut body = json!({"sql": text});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        server.ask("POST", "/api/v1/telemetry/sql", &body.to_string()).await
    };
    let table = sql("SELECT count(*) AS games FROM telemetry_games", json!({})).await.json();
    assert_eq!(table["data"]["games"], json!([3]));
    let cut = sql("SELECT 1 UNION ALL SELECT 2", json!({"limit": 1})).await.json();
    assert_eq!(cut["truncated"], true);
    let csv = sql("SELECT 'a,b' AS x", json!({"format": "csv"})).await;
    assert!(csv.body.contains("x\n\"a,b\"\n"), "{}", csv.body);
    for (text, words) in [
        ("DELETE FROM games", "begins with SELECT"),
        ("SELECT 1; DELETE FROM games", "several statements"),
        ("WITH a AS (SELECT 1) DELETE FROM games", "readonly"),
        ("SELECT absent", "no such column"),
    ] {
        let said = sql(text, json!({})).await.is_error(400, "bad_request");
        assert!(said.contains(words), "{text}: {said}");
    }
    let said = sql("SELECT 1", json!({"limit": 0})).await.is_error(400, "bad_request");
    assert!(said.contains("from 1 to 100000"), "{said}");
    for (target, status, words) in [
        (
            "/api/v1/telemetry/nothing",
            404,
            "summary, plies, games, iterations, link, journal, compare, sql",
        ),
        ("/api/v1/telemetry/games?phase=endgame", 400, "cannot be filtered by 'phase'"),
        ("/api/v1/telemetry/summary?group=wing", 400, "there are: run"),
        ("/api/v1/telemetry/plies?plies=9-3", 400, "no range"),
        ("/api/v1/telemetry/plies?run=x", 400, "'x'"),
        ("/api/v1/telemetry/plies?limit=100001", 400, "from 1 to 100000"),
        ("/api/v1/telemetry/plies?since=now", 400, "2026-10-19"),
        ("/api/v1/telemetry/plies?nodes=1", 400, "nodes"),
        ("/api/v1/telemetry/compare?a=run=1", 400, "b"),
        ("/api/v1/telemetry/compare?a=1&b=run=1", 400, "board=2 or firmware=1.1"),
        ("/api/v1/telemetry/compare?a=run=9&b=run=1", 404, "run 9"),
    ] {
        let reply = server.get(target).await;
        assert_eq!(reply.status, status, "{target}: {reply:?}");
        let said = reply.json()["message"].as_str().unwrap().to_owned();
        assert!(said.contains(words), "{target}: {said}");
    }
    server.get("/api/v1/telemetry/sql").await.is_error(405, "method_not_allowed");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_have_cursors_and_filters() {
    let (server, run) = played().await;
    let settings = super::http_support::settings();
    for _ in 0..4 {
        server.app.store.create_run(&settings).await.unwrap();
    }
    let (mut target, mut seen) = ("/api/v1/runs?limit=2".to_owned(), Vec::new());
    loop {
        let reply = server.get(&target).await;
        assert_eq!(reply.status, 200, "{reply:?}");
        let ids = reply
            .json()
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run["id"].as_i64().unwrap())
            .collect::<Vec<_>>();
        seen.extend(ids);
        let Some(link) = reply.header("link") else { break };
        assert!(link.ends_with("; rel=\"next\""), "{link}");
        target = link[1..link.find('>').unwrap()].to_owned();
    }
    assert_eq!(seen, [5, 4, 3, 2, run]);
    assert_eq!(server.get("/api/v1/runs").await.header("link"), None);
    server.get("/api/v1/runs?limit=501").await.is_error(400, "bad_request");
    let count = async |query: &str| {
        let page = server.json(&format!("/api/v1/games?{query}")).await;
        page["games"].as_array().unwrap().len()
    };
    assert_eq!(count("termination=threefold_repetition").await, 3);
    assert_eq!(count("termination=checkmate").await, 0);
    assert_eq!(count("result=1/2-1/2&text=two&min_plies=8&max_plies=8").await, 3);
    assert_eq!(count("min_plies=9").await, 0);
    assert_eq!(count("since=2100-01-01").await, 0);
    assert_eq!(count("until=2100-01-01T00:00:00Z&opening=x").await, 0);
    server.get("/api/v1/games?result=2-0").await.is_error(400, "bad_request");
    server.stop().await;
}
