//! A database and the server that has it give the same answers: `rookery games`, `pgn` and `telemetry`, byte for byte.

use super::{
    command::corpus,
    run_support::{Daemon, Done, Place, utf8},
};
use rookery_server::{model::IterationRecord, store::Store};
use std::process::Stdio;

/// A server over a database, and somebody else.
struct Desk {
    daemon: Daemon,
    // Dropped after the daemon.
    served: Place,
    here: Place,
}

impl Desk {
    fn new(served: Place, more: &[&str]) -> Desk {
        let db = served.db();
        let daemon = served.serve(&[&["--db", utf8(&db)], more].concat());
        Desk { daemon, served, here: Place::new() }
    }

    /// What a real demo left: games with both players' thinks and with faults of the link, and games from files.
    fn with_history() -> Desk {
        let place = Place::new();
        let db = place.db();
        let games =
            ["demo", "--exit", "--games", "3", "--level", "300", "--engine-limit", "nodes=300"];
        let how = ["--faults", "light", "--listen", "127.0.0.1:0", "--db", utf8(&db)];
        place.rookery([&games[..], &how].concat()).ok();
        let files = ["journal.pgn", "lichess.pgn", "latin1.pgn", "cutechess.pgn"].map(corpus);
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        let imported = ["import", "--db", utf8(&db), "--run", "Old, \"games\" & more"];
        place
            .rookery([&imported[..], &["--level", "60000", "--firmware", "5.3 ä"], &files].concat())
            .ok();
        Desk::new(place, &[])
    }

    fn url(&self) -> String {
        format!("http://{}", self.daemon.address)
    }

    fn of_server(&self, args: &[&str]) -> Done {
        self.here.rookery([args, &["--server", &self.url()]].concat())
    }

    fn of_database(&self, args: &[&str]) -> Done {
        self.here.rookery([args, &["--db", utf8(&self.served.db())]].concat())
    }

    /// The same from both, and something.
    #[track_caller]
    fn same(&self, args: &[&str]) -> String {
        let (local, remote) = (self.of_database(args).ok(), self.of_server(args).ok());
        assert_eq!(local.stdout, remote.stdout, "{args:?}");
        assert_eq!(local.stderr, remote.stderr, "{args:?}");
        local.stdout
    }

    #[track_caller]
    fn fails(&self, args: &[&str], status: i32, words: &[&str]) {
        fails(&self.of_server(args), status, words);
    }
}

#[track_caller]
fn fails(done: &Done, status: i32, words: &[&str]) {
    assert_eq!(done.status.code(), Some(status), "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "{word:?} is not in: {}", done.stderr);
    }
}

#[test]
fn a_server_gives_the_text_that_its_database_gives() {
    let desk = Desk::with_history();
    for view in ["summary", "plies", "games", "iterations", "link", "journal"] {
        for format in ["table", "csv", "json", "ndjson"] {
            let text = desk.same(&["telemetry", view, "--format", format]);
            assert!(!text.is_empty(), "{view} {format}");
        }
    }
    let filters = "\
        summary --group run,mover,phase --percentiles
        summary --group firmware,depth --percentiles --format csv
        summary --group move --mover first --run 1 --format ndjson
        summary --group material --side black --limit 3 --offset 2 --format json
        summary --run 9 --format json
        summary --game 1,2 --format csv
        plies --run 1 --mover first,second --plies 6-14 --format csv
        plies --plies -4 --limit 7
        plies --phase endgame,book --format ndjson
        plies --board 1 --since 2026-01-01 --until 2100-01-01T00:00:00+02:00 --format csv
        plies --until 1 --format csv
        plies --until 1 --format ndjson
        plies --until 1
        plies --limit 0 --format csv
        plies --limit 5 --offset 1000000 --format json
        games --run 2
        games --run 1,2 --limit 2 --offset 1 --format ndjson
        iterations --game 2 --plies 10- --limit 40 --format csv
        iterations --side white --limit 10
        link --group board,firmware
        link --group game --run 1 --format json
        journal --limit 2
        compare --a run=2 --b run=2
        compare --a game=1 --b game=1 --moves 3 --format csv
        compare --a run=2 --b run=2 --moves 1 --format ndjson
        compare --a run=2 --b run=2 --moves 500 --format json";
    for line in filters.lines() {
        let args: Vec<&str> = ["telemetry"].into_iter().chain(line.split_whitespace()).collect();
        desk.same(&args);
    }
    let of_version = ["telemetry", "journal", "--firmware", "5.3 ä", "--format", "csv"];
    assert!(desk.same(&of_version).lines().count() > 2);
    let version = "firmware=5.3 ä";
    desk.same(&["telemetry", "compare", "--a", version, "--b", version, "--format", "csv"]);

    let odd = "SELECT 1 AS a, 2.0 AS a, -0.1 AS \"b,\"\"c\"\"\", 9e999 AS inf, -9e999 AS \"-inf\", 1e-300 / 3 AS small, \
               x'00ff' AS blob, 'x' || char(10) || '\"ä\"' AS text, NULL AS none, 9223372036854775807 AS big";
    let queries = [
        odd,
        "SELECT 1 AS a, 'b' AS b WHERE 0",
        "SELECT * FROM telemetry_plies ORDER BY game DESC, ply",
        "SELECT nodes * 1.0 / 7, nodes / 0.3 FROM telemetry_plies",
        "VALUES (1), (2.5), ('three')",
    ];
    for query in queries {
        for more in
            ["", "--format csv", "--format json", "--format ndjson", "--limit 0", "--limit 1"]
        {
            let more: Vec<&str> = more.split_whitespace().collect();
            desk.same(&[&["telemetry", "sql", query], &*more].concat());
        }
    }
    let csv = desk.same(&["telemetry", "sql", odd, "--format", "csv"]);
    assert!(csv.contains(",inf,-inf,") && csv.contains("a,a_2,"), "{csv}");
}

#[test]
fn games_and_pgn_of_a_server_are_those_of_its_database() {
    let desk = Desk::with_history();
    let filters: [&[&str]; 14] = [
        &[],
        &["--run", "1"],
        &["--run", "2", "--result", "1/2-1/2"],
        &["--board", "1", "--min-plies", "10"],
        &["--firmware", "5.3 ä"],
        &["--opponent", "STOCK"],
        &["--state", "finished", "--max-plies", "60"],
        &["--state", "playing"],
        &["--termination", "checkmate"],
        &["--opening", "e"],
        &["--opening", ""],
        &["--text", "\"games\" & more"],
        &["--text", "%+ =?#ü"],
        &["--since", "2026-01-01T00:00:00Z", "--until", "2026-11-11"],
    ];
    for filter in filters {
        for format in ["table", "csv", "json"] {
            desk.same(&[&["games", "--format", format], filter].concat());
        }
        desk.same(&[&["pgn"], filter].concat());
    }
    for limit in ["0", "1", "3", "4294967295"] {
        desk.same(&["games", "--limit", limit, "--format", "csv"]);
    }
    for style in ["engine", "lichess", "board"] {
        assert!(desk.same(&["pgn", "--style", style]).matches("[Event ").count() > 5);
        desk.same(&["pgn", "--style", style, "--game", "2"]);
    }
    let file = desk.here.path("games.pgn");
    let whole = desk.same(&["pgn"]);
    let count = whole.lines().filter(|line| line.starts_with("[Event ")).count();
    let written = desk.same(&["pgn", "-o", "games.pgn"]);
    assert_eq!((written.as_str(), std::fs::read_to_string(&file).unwrap()), ("", whole));
    let said = desk.of_server(&["pgn", "-o", "games.pgn"]).ok().stderr;
    assert_eq!(said, format!("{count} games written to games.pgn\n"));

    // What is not there, and what a server does not do.
    std::fs::remove_file(&file).unwrap();
    for (args, status, words) in [
        (&["games", "--run", "99"][..], 1, "the server says: there is no run 99"),
        (&["games", "--board", "99", "--state", "playing"], 1, "there is no board 99"),
        (&["pgn", "--run", "99", "-o", "games.pgn"], 1, "there is no run 99"),
        (&["pgn", "--game", "99", "-o", "games.pgn"], 1, "there is no game 99"),
        (&["pgn", "--game", "1", "--run", "1"], 2, "--run"),
        (&["telemetry", "games", "--phase", "endgame"], 2, "cannot be filtered by 'phase'"),
        (&["telemetry", "compare", "--a", "run=9", "--b", "run=2"], 1, "there is no run 9"),
        (
            &["telemetry", "compare", "--a", "game=1", "--b", "run=2"],
            1,
            "no games that begin alike",
        ),
        (
            &["telemetry", "compare", "--a", "run=1", "--b", "run=1", "--moves", "501"],
            1,
            "from 1 to 500",
        ),
        (
            &["telemetry", "sql", "DROP TABLE plies"],
            1,
            "the server says: a query begins with SELECT",
        ),
        (&["telemetry", "sql", "SELECT x FROM plies"], 1, "no such column: x"),
        (&["telemetry", "sql", "SELECT 1", "--limit", "100001"], 1, "from 1 to 100000"),
        (&["telemetry", "sql", "SELECT 1", "--timeout", "5"], 2, "--timeout is for a database"),
    ] {
        desk.fails(args, status, &[words]);
    }
    assert!(!file.exists());
}

/// What is said on the line wins over the surroundings; who says two places is asked which.
#[test]
fn a_flag_wins_over_a_variable() {
    let place = Place::new();
    place.rookery(["import", "--db", utf8(&place.db()), "--run", "a", &corpus("journal.pgn")]).ok();
    let desk = Desk::new(place, &["--token", "secret"]);
    let (url, db) = (desk.url(), desk.served.db());
    let ask = |args: &[&str], variables: &[(&str, &str)]| {
        let mut command = desk.here.command(args);
        command.envs(variables.iter().copied());
        desk.here.finish(command.spawn().expect("rookery starts"))
    };
    let gone = "http://127.0.0.1:1";
    for command in [&["games"][..], &["pgn"], &["telemetry", "journal"]] {
        let with =
            |more: &[&str], variables: &[(&str, &str)]| ask(&[command, more].concat(), variables);
        let right = with(&["--db", utf8(&db)], &[("ROOKERY_SERVER", gone)]).ok().stdout;
        let server = ["--server", &url, "--token", "secret"];
        let remote = [
            with(&server, &[("ROOKERY_DB", "no/such.db")]),
            with(
                &[],
                &[
                    ("ROOKERY_SERVER", &url),
                    ("ROOKERY_TOKEN", "secret"),
                    ("ROOKERY_DB", "no/such.db"),
                ],
            ),
        ];
        for done in remote {
            assert_eq!(done.ok().stdout, right);
        }
        fails(
            &with(&["--db", utf8(&db), "--server", &url], &[]),
            2,
            &["--db and --server are two places"],
        );
        fails(&with(&[], &[]), 2, &["no database is named", "--server"]);
        fails(&with(&["--server", &url], &[]), 1, &["needs its token", "--token"]);
        fails(&with(&["--server", &url, "--token", "x"], &[]), 1, &["has another token"]);
        fails(&with(&["--server", gone], &[]), 1, &[gone, "cannot be asked"]);
        fails(&with(&["--server", "ftp://h"], &[]), 2, &["http://HOST:PORT"]);
        fails(&with(&["--server", &format!("{url}/x")], &[]), 2, &["http://HOST:PORT"]);
    }
}

/// More rows than a page has.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_answer_comes_in_pages() {
    let place = Place::new();
    {
        let store = Store::open(place.db()).await.unwrap();
        let run = store.create_run(&super::settings()).await.unwrap();
        for number in 1..=3 {
            let game = store.create_game(&super::new_game(run, number)).await.unwrap();
            for n in 1..=8 {
                let one = super::iterations(n, 1).remove(0);
                let of = |index| IterationRecord { index, ..one.clone() };
                let iterations: Vec<IterationRecord> = (0..1_700).map(of).collect();
                store.append_ply(game, &super::ply(n), &iterations).await.unwrap();
            }
        }
    }
    let desk = Desk::new(place, &[]);
    let ask = |more: &[&str]| desk.same(&[&["telemetry", "iterations"], more].concat());
    assert_eq!(ask(&["--format", "csv"]).lines().count(), 1 + 3 * 8 * 1_700);
    for format in ["json", "ndjson"] {
        ask(&["--format", format]);
    }
    for limit in ["19999", "20000", "20001", "40000", "40799", "40800", "40801"] {
        ask(&["--limit", limit, "--format", "csv"]);
    }
    assert_eq!(
        ask(&["--offset", "800", "--limit", "40000", "--format", "ndjson"]).lines().count(),
        40_000
    );
    // Who has read enough goes away.
    let mut command = desk.here.command(["telemetry", "iterations", "--format", "csv"]);
    command.args(["--server", &desk.url()]).stdout(Stdio::piped());
    let mut child = command.spawn().expect("rookery starts");
    drop(child.stdout.take());
    assert_eq!(desk.here.finish(child).ok().stderr, "");
}
