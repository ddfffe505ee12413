//! What can be said to the program, and what it answers to what cannot be said.

mod run_support;

use clap::CommandFactory as _;
use run_support::{Done, Place, Sim, engine, utf8};
use std::{
    io::{BufRead as _, BufReader},
    net::TcpListener,
    process::Stdio,
};

impl Done {
    #[track_caller]
    fn fails(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status.code(), Some(status), "{}{}", self.stdout, self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word:?} is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

/// A database with three games.
fn played() -> Place {
    let place = Place::new();
    let knights = engine("knights.sh");
    place.engine_run(&knights, &knights, &["--games", "3", "--name", "Knights"]).ok();
    place
}

#[track_caller]
fn has_words(command: &str, help: &str, argument: &clap::Arg) {
    let name = match argument.get_long() {
        Some(long) => format!("--{long}"),
        None => argument.get_id().to_string().to_uppercase(),
    };
    assert!(help.contains(&name), "{command}: {name} is missing");
    assert!(argument.get_help().is_some(), "{command}: {name} has no words");
}

#[test]
fn every_help_has_examples_and_every_option() {
    let place = Place::new();
    let top = place.rookery(["--help"]).ok();
    insta::assert_snapshot!(top.stdout);
    let root = rookery_server::cli::Cli::command();
    let mut count = 0;
    for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        let help = place.rookery([name, "--help"]).ok().stdout;
        assert!(help.contains("Examples:"), "{name}: {help}");
        let examples = help.split("Examples:").nth(1).unwrap_or_default();
        assert!(examples.contains(&format!("rookery {name}")), "{name}: {help}");
        for argument in command.get_arguments().chain(root.get_arguments()) {
            has_words(name, &help, argument);
        }
        // What a command can be asked for has options of its own.
        for part in command.get_subcommands() {
            let (what, part_name) = (format!("{name} {}", part.get_name()), part.get_name());
            let help = place.rookery([name, part_name, "--help"]).ok().stdout;
            for argument in part.get_arguments() {
                has_words(&what, &help, argument);
            }
        }
        assert!(!help.contains("guard"), "{name}: {help}");
        // An example that is wrapped can be neither read nor copied.
        let lines = examples.lines().filter(|line| !line.trim().is_empty());
        let whole = |line: &str| line.starts_with("  ") || line.ends_with('.');
        assert!(lines.clone().all(whole), "{name}: {help}");
        // The short form as well.
        assert!(place.rookery([name, "-h"]).ok().stdout.contains("Usage:"), "{name}");
        count += 1;
    }
    assert_eq!(count, 16);
    let version = place.rookery(["--version"]).ok().stdout;
    assert_eq!(version.trim(), format!("rookery {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn wrong_usage_is_status_2_and_says_what_is_possible() {
    let place = Place::new();
    let run = |more: &[&'static str]| [&["run", "--db", "x.db"][..], more].concat();
    let board = ["--board", "tcp://127.0.0.1:1", "--engine", "stockfish"];
    let with = |more: &[&'static str]| run(&[&board[..], more].concat());
    let cases: Vec<(Vec<&str>, &[&str])> = vec![
        (vec![], &["Usage:", "demo"]),
        (vec!["rnu"], &["unrecognized subcommand 'rnu'", "Usage:"]),
        (vec!["game"], &["'game'", "'games'"]),
        (vec!["run"], &["--board <URL>", "--engine <PATH>"]),
        (with(&["--gmaes", "3"]), &["'--gmaes'", "'--games'"]),
        (run(&["--board", "com3", "--engine", "x"]), &["'com3'", "tcp://HOST:PORT"]),
        (run(&["--board", "tcp://a", "--engine", "x"]), &["'tcp://a'", "no port"]),
        (run(&["--board", "tcp://a:0", "--engine", "x"]), &["1 to 65535"]),
        (with(&["--engine2", "stockfish"]), &["cannot be used with"]),
        (with(&["--engine2-limit", "nodes=1"]), &["--engine2"]),
        (with(&["--engine-limit", "5000"]), &["'5000' is not a limit", "nodes=N"]),
        (with(&["--engine-limit", "nodes=0"]), &["more than zero"]),
        (with(&["--engine-option", "Hash"]), &["NAME=VALUE"]),
        (with(&["--games", "1000001"]), &["1000001 is not in"]),
        (with(&["--games", "-1"]), &["-1"]),
        (with(&["--level", "0"]), &["--level"]),
        (with(&["--color", "green"]), &["white, black, alternate"]),
        (with(&["--draw", "moves=3"]), &["movenumber, movecount, score"]),
        (with(&["--resign", "movecount=0,score=1"]), &["at least 1"]),
        (with(&["--concurrency", "2"]), &["'concurrency' is 2", "1 boards"]),
        (with(&["--board", "tcp://127.0.0.1:1/"]), &["named twice"]),
        (with(&["--think-timeout", "0"]), &["'think_timeout_s' is 0"]),
        (with(&["--name", ""]), &["'name'"]),
        (with(&["--opening-plies", "4"]), &["--openings <FILE>"]),
        (with(&["--listen", "localhost"]), &["'localhost'"]),
        (with(&["--log", "=="]), &["'==' is not a log filter"]),
        (vec!["demo", "--games", "1000001"], &["1000001 is not in"]),
        (vec!["games"], &["no database is named", "--db"]),
        (vec!["pgn"], &["no database is named", "--db"]),
        (vec!["games", "--db", "x", "--format", "xml"], &["table, json, csv"]),
        (vec!["pgn", "--db", "x", "--game", "1", "--run", "1"], &["cannot be used with"]),
        (vec!["pgn", "--db", "x", "--result", "won"], &["'won'", "1-0, 0-1"]),
        (vec!["games", "--db", "x", "--termination", "boredom"], &["'boredom'", "checkmate"]),
        (vec!["pgn", "--db", "x", "--style", "latex"], &["engine, lichess, board"]),
        (["run", board[0], board[1], board[2], board[3]].to_vec(), &["no database is named"]),
    ];
    for (args, words) in cases {
        let done = place.rookery(&args);
        done.fails(2, words);
    }
    assert!(!place.path("x.db").exists(), "nothing was begun");
}

#[test]
fn a_variable_that_is_not_known_is_named_and_an_empty_one_is_none() {
    let place = Place::new();
    let run = |name: &str, value: &str, args: &[&str]| {
        let child = place.command(args).env(name, value).spawn().expect("rookery starts");
        place.finish(child)
    };
    run("ROOKERY_DBB", "x", &["games"]).fails(2, &["ROOKERY_DBB", "ROOKERY_DB,"]);
    run("ROOKERY_", "", &["games"]).fails(2, &["ROOKERY_ "]);
    run("ROOKERY_DB", "", &["games"]).fails(2, &["--db"]);
    run("ROOKERY_LISTEN", "here", &["serve"]).fails(2, &["'here'", "--listen"]);
    for wrong in ["0", "-1", "many", "99999999999"] {
        let done = run("ROOKERY_MAX_CONNECTIONS", wrong, &["serve"]);
        done.fails(2, &[&format!("'{wrong}'"), "--max-connections"]);
    }
    run("ROOKERY_DB", "there.db", &["games"]).fails(1, &["no database 'there.db'"]);
    // Not opened to everybody by a variable that is set to nothing.
    for token in ["", "  "] {
        run("ROOKERY_TOKEN", token, &["serve", "--listen", "0.0.0.0:0", "--db", "x.db"]).fails(
            1,
            &["0.0.0.0:0 can be reached from other machines", "--token", "ROOKERY_TOKEN"],
        );
    }
    assert!(!place.path("x.db").exists());
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:0"] {
        let done = place.rookery(["serve", "--listen", address, "--db", "x.db"]);
        done.fails(1, &[address, "--token"]);
    }
}

#[test]
fn games_and_pgn_give_what_was_played() {
    let place = played();
    let db = place.db();
    let db = utf8(&db);
    let games = |more: &[&str]| place.rookery([&["games", "--db", db], more].concat());
    let table = games(&[]).ok().stdout;
    assert!(table.contains("Draw by 3-fold repetition") && table.contains("knights.sh"), "{table}");
    assert!(!table.contains('\u{1b}'), "no colours where nobody looks");
    assert_eq!(games(&["--limit", "1"]).ok().stdout.matches("1/2-1/2").count(), 1);

    let json: serde_json::Value =
        serde_json::from_str(&games(&["--format", "json"]).ok().stdout).expect("JSON");
    let numbers: Vec<_> = json.as_array().expect("a list").iter().map(|g| &g["number"]).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let csv = games(&["--format", "csv"]).ok().stdout;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(rows.headers().expect("headers").len(), 16);
    let rows: Vec<_> = rows.records().map(|row| row.expect("a row")).collect();
    assert_eq!(rows.len(), 3);
    assert_eq!((&rows[0][6], &rows[0][7], &rows[0][10]), ("1/2-1/2", "threefold_repetition", "8"));
    games(&["--run", "7"]).fails(1, &["there is no run 7"]);

    let pgn = |more: &[&str]| place.rookery([&["pgn", "--db", db], more].concat());
    let all = pgn(&[]).ok().stdout;
    assert_eq!(all.matches("[Event \"Knights\"]").count(), 3);
    assert_eq!(pgn(&["--run", "1"]).ok().stdout, all);
    for (fits, count) in [
        (
            vec![
                "--result",
                "1/2-1/2",
                "--termination",
                "threefold_repetition",
                "--opponent",
                "knights",
            ],
            3,
        ),
        (
            vec![
                "--min-plies",
                "8",
                "--max-plies",
                "8",
                "--since",
                "2026-01-01",
                "--text",
                "KNIGHTS",
            ],
            3,
        ),
        (vec!["--result", "1-0"], 0),
        (vec!["--until", "2026-01-01"], 0),
        (vec!["--opening", "sicilian"], 0),
        (vec!["--state", "playing"], 0),
    ] {
        assert_eq!(pgn(&fits).ok().stdout.matches("[Event ").count(), count, "{fits:?}");
        let listed = games(&[&fits[..], &["--format", "csv"]].concat()).ok().stdout;
        assert_eq!(listed.lines().count(), count + 1, "{fits:?}");
    }
    games(&["--board", "7"]).fails(1, &["there is no board 7"]);
    let one = pgn(&["--game", "2"]).ok().stdout;
    assert!(all.contains(&one) && one.contains("[Round \"2\"]"), "{one}");
    let dash = pgn(&["--game", "2", "-o", "-"]).ok();
    assert_eq!((dash.stdout, place.path("-").exists()), (one.clone(), false));
    assert!(pgn(&["--game", "2", "--style", "lichess"]).ok().stdout.contains("[%eval"));
    let done = pgn(&["-o", "out.pgn"]).ok();
    assert_eq!((place.text("out.pgn"), &*done.stdout), (all, ""));
    assert!(done.stderr.contains("3 games written to out.pgn"), "{}", done.stderr);
    pgn(&["--game", "9"]).fails(1, &["there is no game 9"]);
    pgn(&["--run", "9"]).fails(1, &["there is no run 9"]);
    pgn(&["-o", "nowhere/out.pgn"]).fails(1, &["nowhere/out.pgn"]);
    pgn(&["-o", "/proc/out.pgn"]).fails(1, &["/proc/out.pgn"]);
    pgn(&["-o", "/dev/full"]).fails(1, &["/dev/full"]);
}

#[test]
fn a_database_that_cannot_be_used_is_named() {
    let place = Place::new();
    std::fs::write(
        place.path("text.db"),
        "not a database, but long enough to look like one\n".repeat(40),
    )
    .expect("a file");
    std::fs::create_dir(place.path("folder")).expect("a folder");
    let open = |db: &str, words: &[&str]| {
        place.rookery(["serve", "--listen", "127.0.0.1:0", "--db", db]).fails(1, words);
        place.rookery(["run", "--engine", "x", "--engine2", "x", "--db", db]).fails(1, words);
    };
    open("nowhere/games.db", &["nowhere"]);
    // No folder for anybody's files, not even for the superuser's.
    open("/proc/games.db", &["/proc/games.db"]);
    open("text.db", &["text.db", "not an SQLite database"]);
    open("folder", &["folder"]);
    for command in ["games", "pgn"] {
        place.rookery([command, "--db", "none.db"]).fails(1, &["there is no database 'none.db'"]);
        place.rookery([command, "--db", "text.db"]).fails(1, &["text.db"]);
        place.rookery([command, "--db", "folder"]).fails(1, &["folder"]);
    }
    let log = ["serve", "--listen", "127.0.0.1:0", "--db", "x.db", "--log-dir"];
    place.rookery(log.iter().chain(&["/proc"])).fails(1, &["/proc", "log"]);
    place.rookery(log.iter().chain(&["text.db"])).fails(1, &["text.db", "log"]);
    let pgn = ["serve", "--listen", "127.0.0.1:0", "--db", "x.db", "--pgn", "/proc/x.pgn"];
    place.rookery(pgn).fails(1, &["/proc/x.pgn"]);
}

#[test]
fn an_address_in_use_is_named() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("its address").to_string();
    let done = place.rookery(["serve", "--listen", &address, "--db", "x.db"]);
    done.fails(1, &[&format!("cannot listen on {address}"), "in use"]);
    let done = place.rookery(["demo", "--listen", &address, "--exit"]);
    done.fails(1, &["in use", "--listen 127.0.0.1:0"]);
    place
        .rookery(["serve", "--listen", "192.0.2.1:1", "--token", "x", "--db", "x.db"])
        .fails(1, &["192.0.2.1:1"]);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let place = played();
    let db = place.db();
    let db = utf8(&db);
    let commands: [&[&str]; 6] = [
        &["pgn", "--db", db],
        &["games", "--db", db],
        &["games", "--db", db, "--format", "json"],
        &["games", "--db", db, "--format", "csv"],
        &["pgn", "--db", db, "--game", "1"],
        &["run", "--help"],
    ];
    for args in commands {
        let mut child = place.command(args).stdout(Stdio::piped()).spawn().expect("rookery starts");
        drop(child.stdout.take());
        let done = place.finish(child);
        assert_eq!((done.status.code(), &*done.stderr), (Some(0), ""), "{args:?}");
    }
    // One line is read, as by `head -1`.
    let mut child = place.command(commands[0]).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line, "[Event \"Knights\"]\n");
    place.finish(child).ok();
    // A full disk is one.
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let child = place.command(commands[0]).stdout(full).spawn().expect("it starts");
    place.finish(child).fails(1, &["No space left"]);
}

#[test]
fn a_run_goes_on_when_nobody_reads_any_more() {
    let place = Place::new();
    let (db, knights) = (place.db(), engine("knights.sh"));
    for (n, more) in [&[][..], &["--json"], &["--log", "debug"]].iter().enumerate() {
        let games = (n + 3).to_string();
        let args = [
            "run",
            "--engine",
            &knights,
            "--engine2",
            &knights,
            "--games",
            &games,
            "--db",
            utf8(&db),
        ];
        let mut child = place
            .command(args.iter().chain(*more))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rookery starts");
        drop((child.stdout.take(), child.stderr.take()));
        let done = place.finish(child);
        assert_eq!(done.status.code(), Some(0), "{more:?}");
        let over = place.sql("SELECT count(*) FROM games WHERE state = 'finished' GROUP BY run_id");
        assert_eq!(over.last(), Some(&games), "{more:?}");
    }
}

#[test]
fn what_the_simulator_does_not_know_is_said() {
    let place = Place::new();
    let done = place.rookery(["demo", "--faults", "gremlins", "--exit", "--listen", "127.0.0.1:0"]);
    done.fails(1, &["gremlins"]);
    let done = place.rookery(["demo", "--board-sim", "nowhere/sim", "--exit"]);
    done.fails(1, &["nowhere/sim"]);
    let done =
        place.rookery(["demo", "--engine", "no-such-engine", "--exit", "--listen", "127.0.0.1:0"]);
    done.fails(1, &["no-such-engine"]);
}

#[test]
fn a_run_of_the_command_line_gives_json_that_others_read() {
    let place = Place::new();
    let sim = Sim::start(&["--seed", "7"]);
    let db = place.db();
    let args = [
        "run",
        "--board",
        &sim.url,
        "--engine",
        "stockfish",
        "--engine-limit",
        "nodes=200",
        "--level",
        "200",
        "--games",
        "2",
        "--max-plies",
        "20",
        "--db",
        utf8(&db),
        "--json",
    ];
    let done = place.rookery(args).ok();
    let rows: Vec<serde_json::Value> =
        done.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(rows.len(), 3, "{}", done.stdout);
    assert_eq!((&rows[0]["number"], &rows[1]["number"]), (&1.into(), &2.into()));
    assert_eq!((&rows[2]["state"], &rows[2]["played"]), (&"finished".into(), &2.into()));
    place.verify();
}
