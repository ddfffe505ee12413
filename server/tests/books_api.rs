//! Books over the API: kept, walked through, taken as openings, put on boards; an engine's word on a position, and the games that came
//! through it.

mod http_support;

use http_support::{Reply, Server, ask, knights};
use rookery_server::{
    app::AppOptions,
    books::{BooksOptions, JudgeOptions},
    model::Limit,
};
use serde_json::{Value, json};
use sqlx::{Connection as _, Row as _, SqliteConnection};

/// Two roads to one position, and one that leaves them.
const LINES: &str =
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 *\n\n1. Nf3 Nc6 2. e4 e5 3. Bc4 *\n\n1. e4 c5 2. Nf3 *\n";

async fn keep(server: &Server, name: &str, file: &[u8]) -> Reply {
    let kind = [("Content-Type", "application/octet-stream")];
    let file = String::from_utf8_lossy(file);
    ask(server.address, "POST", &format!("/api/v1/books?name={name}"), &kind, &file).await
}

async fn kept(server: &Server) -> String {
    let reply = keep(server, "lines.pgn", LINES.as_bytes()).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    reply.json()["id"].as_str().expect("an id").to_owned()
}

fn texts<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let all = list.as_array().expect("a list").iter();
    all.map(|item| item[field].as_str().unwrap_or("-")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_book_is_walked_from_move_to_move() {
    let server = Server::start().await;
    let id = kept(&server).await;
    assert_eq!(texts(&server.json("/api/v1/books").await, "name"), ["lines.pgn"]);
    let start = server.json(&format!("/api/v1/books/{id}")).await;
    assert_eq!(texts(&start["moves"], "san"), ["e4", "Nf3"]);
    assert_eq!(start["moves"][0]["opening"], "B00 King's Pawn Game");
    assert_eq!(start["legal"].as_array().expect("moves").len(), 20);
    let share: f64 = start["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| m["share"].as_f64().expect("a share"))
        .sum();
    assert!((share - 1.0).abs() < 1e-9, "{start:#}");

    // Either order of moves leads to the same moves, under the name of the way that was gone.
    let one = server.json(&format!("/api/v1/books/{id}?line=e2e4,e7e5,g1f3,b8c6")).await;
    let other = server.json(&format!("/api/v1/books/{id}?line=Nf3,Nc6,e4,e5")).await;
    for field in ["uci", "san", "opening"] {
        assert_eq!(texts(&one["moves"], field), texts(&other["moves"], field));
    }
    assert_eq!(texts(&one["moves"], "uci").len(), 2);
    assert_eq!(texts(&one["line"], "san"), ["e4", "e5", "Nf3", "Nc6"]);
    assert_eq!(one["line"][3]["fen"], one["fen"]);
    let fen = one["fen"].as_str().expect("a FEN").replace(' ', "%20");
    let third = server.json(&format!("/api/v1/books/{id}?fen={fen}")).await;
    assert_eq!((&third["moves"], &third["start"]), (&one["moves"], &one["fen"]));
    let out = server.json(&format!("/api/v1/books/{id}?line=a3")).await;
    assert_eq!(out["moves"], json!([]));

    for (target, status, name, words) in [
        (format!("{id}?line=e2e4,e2e4"), 400, "bad_request", "'e2e4' is not a legal move"),
        (format!("{id}?fen=8/8"), 400, "bad_request", "is not a FEN"),
        ("nobody".to_owned(), 404, "not_found", "there is no book 'nobody'"),
    ] {
        let reply = server.get(&format!("/api/v1/books/{target}")).await;
        let said = reply.is_error(status, name);
        assert!(said.contains(words), "{said}");
    }
    let dir = server.stop().await;
    let again = Server::start_in(dir, "127.0.0.1:0", None).await;
    assert_eq!(again.json(&format!("/api/v1/books/{id}")).await, start);
    again.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_book_is_not_kept() {
    let server = Server::start().await;
    for (name, file, words) in [
        ("a.bin", "fifteen bytes..", "a.bin"),
        ("a.rkb", "RKX", "no compact book"),
        ("a.json", "{}", "no JSON book"),
        ("a.pgn", "1. e5 *", "a.pgn"),
        ("a.pgn", "", "has no move"),
        ("a.txt", LINES, "no name of a book"),
        ("..%2Fa.pgn", LINES, "no name of a book"),
    ] {
        let said = keep(&server, name, file.as_bytes()).await.is_error(400, "bad_request");
        assert!(said.contains(words), "{name}: {said}");
    }
    assert_eq!(server.json("/api/v1/books").await, json!([]));
    assert!(!server.dir.path().join("rookery.db.books").exists(), "something was left behind");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_book_gives_openings_files_and_images_until_it_is_forgotten() {
    let server = Server::start().await;
    let id = kept(&server).await;
    let base = format!("/api/v1/books/{id}");
    let lines = server.json(&format!("{base}/openings?plies=3")).await;
    assert_eq!(lines[0]["moves"].as_array().expect("moves").len(), 3);
    let best = server.json(&format!("{base}/openings?order=best")).await;
    assert_eq!(best.as_array().expect("lines").len(), 1);
    let drawn = server.json(&format!("{base}/openings?order=weighted&lines=7&seed=3")).await;
    assert_eq!(drawn.as_array().expect("lines").len(), 7);
    assert_eq!(server.json(&format!("{base}/openings?order=weighted&lines=7&seed=3")).await, drawn);
    server.get(&format!("{base}/openings?plies=0")).await.is_error(400, "bad_request");

    // In every form, and each form is a book again with the same moves.
    let moves = server.json(&base).await["moves"].clone();
    let json = server.get(&format!("{base}/file?form=json")).await;
    assert!(json.header("content-disposition").expect("a name").contains("\"lines.json\""));
    let copy = keep(&server, "copy.json", json.body.as_bytes()).await;
    assert_eq!(copy.status, 201, "{copy:?}");
    let copy = copy.json()["id"].as_str().expect("an id").to_owned();
    assert_eq!(server.json(&format!("/api/v1/books/{copy}")).await["moves"], moves);
    for form in ["polyglot", "compact", "pgn"] {
        let file = server.get(&format!("{base}/file?form={form}")).await;
        assert_eq!(file.status, 200, "{form}: {file:?}");
        assert!(!file.body.is_empty());
    }

    let image = server.post(&format!("{base}/image")).await;
    assert_eq!((image.status, &image.json()["region"]), (201, &json!("book")), "{image:?}");
    assert_eq!(server.json("/api/v1/firmware").await[0]["sha256"], image.json()["sha256"]);

    // A run that plays from it keeps it; a run that is over does not.
    let listed = server.json("/api/v1/books").await;
    let path = listed.as_array().expect("books").iter().find(|b| b["id"] == id.as_str());
    let mut settings = knights(1, "");
    settings["second"]["book"] = json!({"path": path.expect("the book")["path"], "plies": 2});
    settings["games"] = 0.into();
    let run = server.create(&settings).await;
    let said = server.ask("DELETE", &base, "").await.is_error(409, "conflict");
    assert!(said.contains(&format!("run {run}")), "{said}");
    server.post(&format!("/api/v1/runs/{run}/abort")).await;
    server.until_run(run, "stopped").await;
    assert_eq!(server.ask("DELETE", &base, "").await.status, 204);
    server.get(&base).await.is_error(404, "not_found");
    // The run's settings still name it, and the list says that it is gone.
    let list = server.json("/api/v1/books").await;
    let gone = list.as_array().expect("books").iter().find(|b| b["source"] == "run");
    assert_eq!(gone.expect("the run's book")["size"], Value::Null);
    let id = gone.expect("the run's book")["id"].as_str().expect("an id");
    server.get(&format!("/api/v1/books/{id}")).await.is_error(404, "not_found");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_image_needs_the_flash_token_and_a_book_does_not() {
    let server = Server::start_with("0.0.0.0:0", Some("look")).await;
    let ask = |method: &'static str, target: String, body: &'static str| {
        let headers =
            [("Authorization", "Bearer look"), ("Content-Type", "application/octet-stream")];
        let address = server.address;
        async move { ask(address, method, &target, &headers, body).await }
    };
    let reply = ask("POST", "/api/v1/books?name=lines.pgn".into(), LINES).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    let id = reply.json()["id"].as_str().expect("an id").to_owned();
    ask("POST", format!("/api/v1/books/{id}/image"), "").await.is_error(403, "forbidden");
    assert_eq!(ask("DELETE", format!("/api/v1/books/{id}"), "").await.status, 204);
    keep(&server, "lines.pgn", LINES.as_bytes()).await.is_error(401, "unauthorized");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_judges_a_position_once() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut judge = JudgeOptions::by("stockfish".into());
    judge.engine.limit = Limit::Nodes(2_000);
    let books = BooksOptions { judge: Some(judge), ..BooksOptions::default() };
    let options = AppOptions { books, ..AppOptions::default() };
    let server = Server::start_as(dir, "127.0.0.1:0", options).await;
    let target = "/api/v1/positions/evaluation?line=f3,e5,g4";
    let first = server.json(target).await;
    assert_eq!(first["moves"][0]["san"], "Qh4#");
    assert_eq!(first["moves"][0]["score"], json!({"mate": 1}));
    assert_eq!(first["moves"].as_array().expect("moves").len(), 3);
    assert!(first["engine"].as_str().expect("a name").contains("Stockfish"), "{first}");
    assert_eq!(server.json(target).await, first);
    let over = server.json("/api/v1/positions/evaluation?line=f3,e5,g4,Qh4").await;
    assert_eq!(over["moves"], json!([]));
    let kept = server.dir.path().join("rookery.db.evaluations");
    let dir = server.stop().await;
    let mut file =
        SqliteConnection::connect(&kept.to_string_lossy()).await.expect("the evaluations");
    let rows = sqlx::query("SELECT count(*) FROM evaluations").fetch_one(&mut file).await;
    assert_eq!(rows.expect("a count").get::<i64, _>(0), 1);
    drop(dir);

    let none = Server::start().await;
    let answer = none.json(target).await;
    assert_eq!(answer["engine"], Value::Null);
    assert!(answer["absent"].as_str().expect("words").contains("[explorer]"), "{answer}");
    none.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_not_there_is_an_error_and_no_more() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let judge = Some(JudgeOptions::by("/no/such/engine".into()));
    let books = BooksOptions { judge, ..BooksOptions::default() };
    let options = AppOptions { books, ..AppOptions::default() };
    let server = Server::start_as(dir, "127.0.0.1:0", options).await;
    let said = server.get("/api/v1/positions/evaluation").await.is_error(500, "internal");
    assert!(said.contains("/no/such/engine"), "{said}");
    let id = kept(&server).await;
    server.json(&format!("/api/v1/books/{id}")).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_found_by_position_whatever_the_order_of_their_moves() {
    let server = Server::start().await;
    let engine = json!({"path": "stockfish", "limit": "nodes=50"});
    let mut settings = json!({"first": {"engine": engine}, "second": engine, "games": 3});
    settings["openings"] = json!([
        {"moves": ["e2e4", "e7e5", "g1f3", "b8c6"]},
        {"moves": ["g1f3", "b8c6", "e2e4", "e7e5"]},
        {"moves": ["d2d4"]},
    ]);
    settings["color"] = "white".into();
    settings["adjudication"] = json!({"max_plies": 8});
    let run = server.create(&settings).await;
    server.until_run(run, "finished").await;
    let at = async |line: &str| server.json(&format!("/api/v1/positions/games?line={line}")).await;
    let both = at("Nf3,Nc6,e4,e5").await;
    assert_eq!(both["games"].as_array().expect("games").len(), 2, "{both:#}");
    for game in both["games"].as_array().expect("games") {
        assert_eq!(game["ply"], 4);
        let detail = server.json(&format!("/api/v1/games/{}", game["game"])).await;
        assert_eq!(detail["plies"][4]["san"], game["san"]);
        let fen = detail["plies"][3]["fen"].as_str().expect("a FEN").replace(' ', "%20");
        let again = server.json(&format!("/api/v1/positions/games?fen={fen}")).await;
        assert_eq!(again, both);
    }
    let counted: Vec<u64> = both["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|m| {
            assert_eq!(m["draws"], m["games"], "each game was drawn by its length: {m}");
            m["games"].as_u64().expect("a number")
        })
        .collect();
    assert_eq!(counted.iter().sum::<u64>(), 2);
    assert_eq!(at("").await["games"].as_array().expect("games").len(), 3);
    assert_eq!(texts(&at("").await["moves"], "san"), ["d4", "e4", "Nf3"]);
    assert_eq!(at("h4").await["games"], json!([]));
    server.stop().await;
}

/// Rows that an older program wrote are found like new ones; and the position has no counters, whatever they are.
#[tokio::test]
async fn the_migration_finds_the_positions_of_old_rows() {
    let mut db = SqliteConnection::connect("sqlite::memory:").await.expect("a database");
    let run = async |db: &mut SqliteConnection, sql: &'static str| {
        sqlx::raw_sql(sql).execute(db).await.expect(sql);
    };
    run(&mut db, include_str!("../../migrations/0001_first.sql")).await;
    run(&mut db, include_str!("../../migrations/0002_firmware.sql")).await;
    run(&mut db, include_str!("../../migrations/0010_telemetry.sql")).await;
    run(
        &mut db,
        "INSERT INTO runs (settings, fingerprint, created_at) VALUES ('{}', hex(zeroblob(32)), 0);
         INSERT INTO games (run_id, number, white, black, first_color, start_fen, started_at)
         VALUES (1, 1, 'a', 'b', 'white', '4k3/8/8/8/8/8/4P3/4K3 w - - 10 120', 0);
         INSERT INTO plies (game_id, ply, uci, san, fen, mover, white_material, black_material, at) VALUES
         (1, 1, 'e2e4', 'e4', '4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 120', 'first', 1, 0, 0),
         (1, 2, 'e8e7', 'Ke7', '8/4k3/8/8/4P3/8/8/4K3 w - - 19 1', 'second', 1, 0, 0);",
    )
    .await;
    run(&mut db, include_str!("../../migrations/0020_books.sql")).await;
    let rows = sqlx::query("SELECT position FROM plies ORDER BY ply").fetch_all(&mut db).await;
    let found: Vec<String> = rows.expect("rows").iter().map(|row| row.get(0)).collect();
    assert_eq!(found, ["4k3/8/8/8/4Pp2/8/8/4K3 b - e3", "8/4k3/8/8/4P3/8/8/4K3 w - -"]);
    let plan = sqlx::query(
        "EXPLAIN QUERY PLAN SELECT game_id FROM plies WHERE position = ?1 AND ply <= 60",
    )
    .bind("8/4k3/8/8/4P3/8/8/4K3 w - -")
    .fetch_all(&mut db)
    .await
    .expect("a plan");
    let plan: String = plan.iter().map(|row| row.get::<String, _>(3)).collect();
    assert!(plan.contains("plies_position"), "{plan}");
}
