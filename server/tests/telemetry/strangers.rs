//! Servers that are not as they should be: older ones, other programs, connections that break off, games that go on between two pages.
//! None of that can be had of a server of this version.

use super::run_support::{Done, Place};
use axum::{
    Router,
    body::Body,
    http::{StatusCode, Uri, header},
    response::{IntoResponse as _, Response},
};
use futures_util::stream;
use serde_json::{Value as Json, json};
use std::{io, net::SocketAddr};

/// A server that answers so.
async fn answering(answer: fn(&str) -> Response) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(async move |uri: Uri| answer(&uri.to_string()));
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

async fn asked(address: SocketAddr, args: &[&str]) -> (Place, Done) {
    let place = Place::new();
    let args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
    let server = ["--server".to_owned(), format!("http://{address}")];
    tokio::task::spawn_blocking(move || {
        let done = place.rookery(args.iter().chain(&server));
        (place, done)
    })
    .await
    .unwrap()
}

#[track_caller]
fn fails(done: &Done, words: &[&str]) {
    assert_eq!(done.status.code(), Some(1), "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "{word:?} is not in: {}", done.stderr);
    }
}

fn json(value: &Json) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], value.to_string()).into_response()
}

/// A table of games with these numbers.
fn games(numbers: impl Iterator<Item = i64>, truncated: bool) -> Response {
    let games: Vec<i64> = numbers.collect();
    let plies = vec![7; games.len()];
    let (rows, data) = (games.len(), json!({"game": games, "plies": plies}));
    json(&json!({"columns": ["game", "plies"], "rows": rows, "truncated": truncated, "data": data}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_moves_into_the_next_page_comes_once() {
    let address = answering(|uri| match uri {
        uri if uri.contains("offset=20000") => games(19_999..=20_002, true),
        uri if uri.contains("offset=20004") => games(20_002..=20_003, false),
        uri if uri.contains("offset") => StatusCode::NOT_FOUND.into_response(),
        _ => games(1..=20_000, true),
    })
    .await;
    let (_, done) = asked(address, &["telemetry", "games", "--format", "csv"]).await;
    let done = done.ok();
    let games = done.stdout.lines().skip(1).map(|line| line.split_once(',').unwrap().0);
    assert!(games.eq((1..=20_003).map(|n| n.to_string())), "{}", done.stdout.len());
    assert_eq!(done.stderr, "");
    // None is missing either where so many are wanted.
    let (_, done) =
        asked(address, &["telemetry", "games", "--format", "csv", "--limit", "20003"]).await;
    assert_eq!(done.ok().stdout.lines().count(), 1 + 20_003);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_server_gives_the_columns_that_it_has() {
    let address = answering(|uri| match uri {
        uri if uri.contains("telemetry/plies") => {
            // Without the column that tells its rows apart.
            let table = json!({"columns": ["san"], "rows": 2, "truncated": false, "data": {"san": ["e4", "e5"]}});
            json(&table)
        }
        uri if uri.contains("telemetry/") => games(1..=2, false),
        // A game without what every game has now.
        _ => json(&json!({"games": [{"id": 1, "run": 1, "number": 1}], "next": null})),
    })
    .await;
    let (_, done) = asked(address, &["telemetry", "journal", "--format", "csv"]).await;
    assert_eq!(done.ok().stdout, "game,plies\n1,7\n2,7\n");
    let (_, done) = asked(address, &["telemetry", "plies", "--format", "csv"]).await;
    assert_eq!(done.ok().stdout, "san\ne4\ne5\n");
    let (_, done) = asked(address, &["games"]).await;
    fails(&done, &["something else", "of this version", "missing field"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_is_not_taken_for_a_server() {
    let page =
        answering(|_| ([(header::CONTENT_TYPE, "text/html")], "<html>").into_response()).await;
    let nothing = answering(|_| (StatusCode::NOT_FOUND, "nothing here").into_response()).await;
    let commands: [&[&str]; 5] = [
        &["games"],
        &["pgn", "-o", "games.pgn"],
        &["telemetry", "plies"],
        &["telemetry", "compare", "--a", "run=1", "--b", "run=2"],
        &["telemetry", "sql", "SELECT 1"],
    ];
    for command in commands {
        let (place, done) = asked(page, command).await;
        fails(
            &done,
            &["answers '/api/v1/", "with something else: is it a rookery of this version?"],
        );
        assert!(!place.path("games.pgn").exists());
        let (_, done) = asked(nothing, command).await;
        fails(&done, &["answers 404 Not Found: is it a rookery?"]);
    }
    let address = answering(|_| {
        let wrong = json!({"columns": ["a"], "rows": 2, "truncated": false, "data": {"a": [1]}});
        json(&wrong)
    })
    .await;
    let (_, done) = asked(address, &["telemetry", "games"]).await;
    fails(&done, &["the column 'a' has 1 values for 2 rows"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn half_an_answer_is_not_taken_for_a_whole_one() {
    let address = answering(|uri| {
        if uri.contains("telemetry") {
            return match uri.contains("offset") {
                true => json(
                    &json!({"columns": ["id"], "rows": 0, "truncated": false, "data": {"id": []}}),
                ),
                false => games(1..=20_000, true),
            };
        }
        // So much that it is under way before the end.
        let games = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(100_000);
        let parts = [Ok(games), Err(io::Error::other("the power is cut"))];
        let kind = [(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")];
        (kind, Body::from_stream(stream::iter(parts))).into_response()
    })
    .await;
    let (place, done) = asked(address, &["pgn", "-o", "games.pgn"]).await;
    fails(&done, &["the answer of http://127.0.0.1", "broke off"]);
    let left: Vec<_> =
        std::fs::read_dir(place.path(".")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "stdout" || name == "stderr"), "{left:?}");
    let (_, done) = asked(address, &["pgn"]).await;
    fails(&done, &["broke off"]);
    let (_, done) = asked(address, &["telemetry", "games", "--format", "ndjson"]).await;
    fails(&done, &["the columns have changed meanwhile"]);
    assert_eq!(done.stdout.lines().count(), 20_000, "what was there is there");
}
