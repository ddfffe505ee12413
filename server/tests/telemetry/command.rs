//! `rookery telemetry`, `import` and `games` as programs.

use super::run_support::{Place, utf8};
use serde_json::Value as Json;

pub(super) fn corpus(name: &str) -> String {
    format!("{}/tests/corpus/import/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// A database with the games of files.
fn place() -> Place {
    let place = Place::new();
    let db = place.db();
    let done = place
        .rookery([
            "import",
            "--db",
            utf8(&db),
            "--run",
            "Journal",
            "--level",
            "60000",
            "--firmware",
            "5.3",
            &corpus("journal.pgn"),
        ])
        .ok();
    assert_eq!(done.stdout, "2 games imported into run 1, 0 were here already, 0 are wrong\n");
    place
        .rookery([
            "import",
            "--db",
            utf8(&db),
            "--run",
            "Match",
            &corpus("fastchess.pgn"),
            &corpus("lichess.pgn"),
        ])
        .ok();
    place
}

/// A terminal obeys control characters: nobody's file, name or query gets one through.
#[test]
fn what_a_file_says_is_not_obeyed_by_terminals() {
    let place = Place::new();
    let (db, evil) = (place.db(), "\u{1b}[31m\u{7}\u{9b}2J\u{202e}");
    let tags = |name: &str| {
        format!("[Event \"{evil}\"]\n[White \"{name}{evil}\"]\n[Opening \"{evil}\"]\n")
    };
    let games = [
        format!("{}\n1. e4 {{{evil}}} e5 {{ends {evil} so}} *\n", tags("a")),
        format!("[{evil}\n\n1. e4 *\n"),
        format!("{}\n1. e4 x{evil} *\n", tags("b")),
        format!("{}[FEN \"{evil}\"]\n\n1. e4 *\n", tags("c")),
        format!("{}[Variant \"{evil}\"]\n\n1. e4 *\n", tags("d")),
    ];
    std::fs::write(place.path("evil.pgn"), games.join("\n")).unwrap();
    let import = place.rookery(["import", "--db", utf8(&db), "--run", "a", "evil.pgn"]);
    assert!(import.stdout.starts_with("1 games imported into run 1, 0 were here already, 4"));
    let ask = |args: &[&str]| {
        let done = place.rookery([args, &["--db", utf8(&db)]].concat()).ok();
        assert!(done.stdout.lines().count() >= 4, "{}", done.stdout);
        done
    };
    let column = format!("SELECT white, opening, 1 AS \"{evil}\" FROM games");
    let said = [
        import,
        ask(&["games"]),
        ask(&["telemetry", "games"]),
        ask(&["telemetry", "plies"]),
        ask(&["telemetry", "sql", &column]),
        ask(&["pgn"]),
    ];
    for done in said {
        for text in [&done.stdout, &done.stderr] {
            let found = text.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
            assert_eq!(found, None, "{text:?}");
        }
    }
}

#[test]
fn views_come_out_in_every_format() {
    let place = place();
    let db = place.db();
    let ask = |args: &[&str]| {
        let db = ["--db", utf8(&db)];
        let args = ["telemetry"].iter().chain(args).chain(&db).copied();
        place.rookery(args.collect::<Vec<_>>()).ok()
    };
    let table = ask(&["journal", "--run", "1"]).stdout;
    assert!(table.contains("927000") && table.contains("peak_ply"), "{table}");
    let csv =
        ask(&["plies", "--run", "1", "--mover", "first", "--plies", "6-8", "--format", "csv"]);
    let mut lines = csv.stdout.lines();
    assert!(lines.next().unwrap().starts_with("run,game,number,board,firmware,ply,side"));
    assert_eq!(lines.count(), 2 + 1, "{}", csv.stdout);
    let json: Json = serde_json::from_str(
        &ask(&["summary", "--group", "run,mover", "--percentiles", "--format", "json"]).stdout,
    )
    .unwrap();
    assert_eq!(json["columns"][0], "run");
    assert_eq!(json["data"]["nodes_p99"][0], 927_000);
    let lines = ask(&["games", "--format", "ndjson", "--limit", "2"]);
    assert_eq!(lines.stdout.lines().count(), 2);
    assert!(lines.stderr.contains("there is more"), "{}", lines.stderr);
    let first: Json = serde_json::from_str(lines.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["firmware"], "5.3");
    let compare = ask(&["compare", "--a", "game=1", "--b", "game=2", "--format", "csv"]).stdout;
    assert_eq!(compare.matches(",0,1\n").count(), 1, "they part once: {compare}");
    let sql = ask(&["sql", "SELECT count(*) AS n FROM telemetry_plies", "--format", "csv"]).stdout;
    assert_eq!(sql, "n\n36\n");
    assert_eq!(
        ask(&["link", "--format", "csv"]).stdout,
        "run,game,board,kind,fault,events,first_at_ms,last_at_ms\n"
    );
    assert!(ask(&["iterations"]).stdout.contains("think_index"));
}

#[test]
fn what_cannot_be_answered_is_said_in_words() {
    let place = place();
    let db = place.db();
    for (args, status, words) in [
        (&["telemetry", "games", "--phase", "endgame"][..], 2, "cannot be filtered by 'phase'"),
        (&["telemetry", "plies", "--group", "run"], 2, "ask 'summary' for groups"),
        (&["telemetry", "summary", "--group", "wing"], 2, "there are: run, board"),
        (&["telemetry", "plies", "--plies", "9-3"], 2, "no range of plies"),
        (&["telemetry", "plies", "--since", "yesterday"], 2, "2026-10-19"),
        (&["telemetry", "compare", "--a", "1", "--b", "run=2"], 2, "board=2 or firmware=1.1"),
        (&["telemetry", "compare", "--a", "run=9", "--b", "run=2"], 1, "there is no run 9"),
        (&["telemetry", "sql", "DROP TABLE plies"], 1, "begins with SELECT"),
        (&["telemetry", "sql", "SELECT x FROM plies"], 1, "no such column: x"),
        (&["games", "--result", "2-0"], 2, "1/2-1/2"),
        (&["games", "--termination", "boredom"], 2, "checkmate, stalemate"),
    ] {
        let db = ["--db", utf8(&db)];
        let done = place.rookery(args.iter().chain(&db));
        assert_eq!(done.status.code(), Some(status), "{args:?}: {}{}", done.stdout, done.stderr);
        assert!(done.stderr.contains(words), "{args:?}: {}", done.stderr);
    }
    let done = place.rookery([
        "import",
        "--db",
        utf8(&db),
        "--run",
        "x",
        &corpus("broken.pgn"),
        &corpus("journal.pgn"),
    ]);
    assert_eq!(done.status.code(), Some(1));
    assert!(done.stderr.contains("broken.pgn:11: game 2: move 2 'xyz9'"), "{}", done.stderr);
    assert!(
        done.stderr.contains("journal.pgn: game 1 is here already as game 1"),
        "{}",
        done.stderr
    );
    let long = "x".repeat(201);
    for (run, firmware) in [("", "1"), ("a\u{1b}b", "1"), (&*long, "1"), ("x", " ")] {
        let named = ["import", "--run", run, "--firmware", firmware, "--db", utf8(&db)];
        let refused = place.rookery([&named[..], &[&corpus("journal.pgn")]].concat());
        assert_eq!(refused.status.code(), Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains("1 to 200 characters"), "{}", refused.stderr);
    }
    assert!(
        done.stdout.contains("1 games imported into run 3, 2 were here already, 3 are wrong"),
        "{}",
        done.stdout
    );
}

#[test]
fn games_are_found_by_what_they_are() {
    let place = place();
    let db = place.db();
    let found = |args: &[&str]| {
        let args = ["games", "--db", utf8(&db), "--format", "json"]
            .into_iter()
            .chain(args.iter().copied());
        let json: Json =
            serde_json::from_str(&place.rookery(args.collect::<Vec<_>>()).ok().stdout).unwrap();
        json.as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), [1, 2, 3, 4, 5]);
    assert_eq!(found(&["--text", "MICRO-max"]), [1, 2]);
    assert_eq!(found(&["--text", "match"]), [3, 4, 5], "the run's name");
    assert_eq!(found(&["--text", "%"]), [0_i64; 0]);
    assert_eq!(found(&["--opening", "gambit"]), [5]);
    assert_eq!(found(&["--result", "0-1"]), [4, 5]);
    assert_eq!(found(&["--termination", "illegal_move"]), [4]);
    assert_eq!(found(&["--min-plies", "7", "--max-plies", "14"]), [2, 3]);
    assert_eq!(found(&["--since", "2026-05-01", "--until", "2026-10-01"]), [3, 4]);
    assert_eq!(found(&["--run", "1", "--limit", "1"]), [2]);
}
