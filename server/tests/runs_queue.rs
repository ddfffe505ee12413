//! Runs that want the same boards: they wait in an order that is seen, changed and kept, and a run with a free board begins at once.

mod http_support;
mod run_support;

use http_support::Server;
use run_support::Sim;
use serde_json::{Value, json};

/// A run on some boards, without end.
async fn begin(server: &Server, name: &str, boards: &[&Sim], at_a_time: u32) -> i64 {
    begin_of(server, name, boards, at_a_time, 0).await
}

async fn begin_of(server: &Server, name: &str, boards: &[&Sim], at_a_time: u32, games: u32) -> i64 {
    let boards: Vec<Value> = boards.iter().map(|sim| json!({"url": sim.url})).collect();
    let stockfish = if std::path::Path::new("/usr/games/stockfish").exists() {
        "/usr/games/stockfish"
    } else {
        "stockfish"
    };
    let settings = json!({
        "name": name, "first": {"boards": boards}, "games": games, "level": 300, "concurrency": at_a_time,
        "second": {"path": stockfish, "limit": "nodes=50"},
    });
    server.create(&settings).await
}

/// A run as it stands once it is right.
async fn until(server: &Server, run: i64, right: impl Fn(&Value) -> bool) -> Value {
    server.until("the run", &format!("/api/v1/runs/{run}"), right).await
}

fn place(run: &Value) -> Option<i64> {
    run["queue"]["place"].as_i64()
}

async fn say(server: &Server, run: i64, word: &str) -> Value {
    let reply = server.post(&format!("/api/v1/runs/{run}/{word}")).await;
    assert_eq!(reply.status, 200, "{word}: {reply:?}");
    reply.json()
}

#[tokio::test(flavor = "multi_thread")]
async fn runs_wait_in_an_order_that_is_seen_changed_and_kept() {
    let (a, b) = (Sim::start(&["--no-book"]), Sim::start(&["--no-book"]));
    let server = Server::start().await;
    let first = begin(&server, "first", &[&a], 1).await;
    until(&server, first, |run| run["state"] == "running" && run["queue"].is_null()).await;
    let second = begin(&server, "second", &[&a], 1).await;
    let third = begin(&server, "third", &[&a], 1).await;
    let run = until(&server, second, |run| place(run) == Some(1)).await;
    let why = format!("run {first} plays on {}", a.url);
    assert_eq!((&run["state"], &run["queue"]["why"]), (&"pending".into(), &why.into()));
    assert_eq!(run["queue"]["behind"], json!([first]));
    assert!(run["alarm"].is_null(), "to wait is no fault: {run}");
    until(&server, third, |run| place(run) == Some(2)).await;
    // Whoever has a free board waits for nobody, also where the board named first is taken.
    let fourth = begin(&server, "fourth", &[&a, &b], 1).await;
    until(&server, fourth, |run| run["state"] == "running" && run["queue"].is_null()).await;
    until(&server, fourth, |run| run["played"].as_u64() > Some(0)).await;

    assert_eq!(place(&say(&server, third, "next").await), Some(1));
    until(&server, second, |run| place(run) == Some(2)).await;
    for run in [first, fourth] {
        let reply = server.post(&format!("/api/v1/runs/{run}/next")).await;
        let words = reply.is_error(409, "conflict");
        assert!(words.contains("does not wait for a board: it is running"), "{words}");
    }
    // One that waits is taken out of the queue, and had no game.
    let fifth = begin(&server, "fifth", &[&a], 1).await;
    until(&server, fifth, |run| place(run) == Some(3)).await;
    say(&server, fifth, "stop").await;
    let run = until(&server, fifth, |run| run["state"] == "stopped").await;
    assert_eq!((&run["played"], &run["queue"]), (&0.into(), &Value::Null));

    // After a restart who played plays on, and who waited waits in the same order.
    let dir = server.stop().await;
    let server = Server::start_in(dir, "127.0.0.1:0", None).await;
    server.app.runs.resume_all().await.expect("they are resumed");
    until(&server, first, |run| run["state"] == "running" && run["queue"].is_null()).await;
    until(&server, third, |run| run["state"] == "pending" && place(run) == Some(1)).await;
    until(&server, second, |run| run["state"] == "pending" && place(run) == Some(2)).await;
    say(&server, first, "abort").await;
    until(&server, third, |run| run["state"] == "running" && run["queue"].is_null()).await;
    let why = format!("run {third} plays on {}", a.url);
    until(&server, second, |run| place(run) == Some(1) && run["queue"]["why"] == why).await;
    say(&server, third, "abort").await;
    until(&server, second, |run| run["played"].as_u64() > Some(0)).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_paused_while_it_waits_is_passed_over_and_a_second_board_is_waited_for() {
    let (a, b) = (Sim::start(&["--no-book"]), Sim::start(&["--no-book"]));
    let server = Server::start().await;
    let first = begin(&server, "first", &[&a], 1).await;
    let second = begin(&server, "second", &[&a], 1).await;
    let third = begin(&server, "third", &[&a, &b], 2).await;
    // It plays with one board and waits for the other.
    until(&server, third, |run| run["state"] == "running" && place(run) == Some(1)).await;
    say(&server, second, "pause").await;
    let run = until(&server, second, |run| run["state"] == "paused").await;
    assert!(run["queue"]["why"].as_str().expect("words").starts_with("it is paused"), "{run}");
    say(&server, first, "pause").await;
    let paused = format!("run {first} is paused on {}", a.url);
    until(&server, third, |run| run["queue"]["why"] == paused).await;
    say(&server, first, "abort").await;
    until(&server, third, |run| run["queue"].is_null()).await;
    assert_eq!(say(&server, second, "resume").await["state"], "pending");
    say(&server, third, "abort").await;
    until(&server, second, |run| run["state"] == "running" && run["queue"].is_null()).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_ends_with_its_games_whether_or_not_it_waits_for_one_more_board() {
    let (a, b) = (Sim::start(&["--no-book"]), Sim::start(&["--no-book"]));
    let server = Server::start().await;
    let first = begin(&server, "first", &[&a], 1).await;
    until(&server, first, |run| run["state"] == "running").await;
    let second = begin_of(&server, "second", &[&a, &b], 2, 2).await;
    let run = until(&server, second, |run| run["state"] == "finished").await;
    assert_eq!((&run["played"], &run["queue"]), (&2.into(), &Value::Null));
    let standing = &run["standing"];
    assert_eq!(standing["pairs"].as_array().expect("five").len(), 5, "{standing}");
    assert!(standing["score"].is_f64(), "{standing}");
    assert_eq!(server.json(&format!("/api/v1/runs/{first}")).await["state"], "running");
    server.stop().await;
}
