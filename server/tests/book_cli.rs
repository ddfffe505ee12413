//! `rookery book` and runs that play from books, with the real programs.

mod run_support;

use run_support::{Done, Place, Sim, path_with_games, until, utf8};
use serde_json::Value;
use std::path::Path;

const QUICK: [&str; 4] = ["--engine-limit", "nodes=300", "--engine-option", "Hash=16"];

impl Done {
    #[track_caller]
    fn fails(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status.code(), Some(status), "{}{}", self.stdout, self.stderr);
        for word in words {
            let said = self.stderr.contains(word) || self.stdout.contains(word);
            assert!(said, "{word:?} is not in: {}{}", self.stdout, self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
    }
}

fn named(place: &Place, out: &[&str]) {
    let mut args = vec!["book", "import", "--named"];
    args.extend(out.iter().flat_map(|name| ["--out", name]));
    place.rookery(args).ok();
}

#[test]
fn a_book_from_its_making_to_a_board() {
    let place = Place::new();
    let build = ["book", "build", "--side", "black", "--positions", "25", "--plies", "8"];
    let outs = ["--out", "b.json", "--out", "b.bin", "--out", "b.rkb", "--out", "b.pgn"];
    let all: Vec<&str> = build.iter().chain(&outs).chain(&QUICK).copied().collect();
    let done = place.rookery(&all).ok();
    assert!(done.stdout.contains("25 positions, 25 moves"), "{}", done.stdout);
    assert!(done.stderr.contains("positions judged"), "{}", done.stderr);
    assert!(place.path("b.json.cache").exists());
    // Once more: everything is known.
    let first = std::fs::read(place.path("b.json")).expect("a book");
    assert!(place.rookery(&all).ok().stderr.contains("0 positions judged"));
    assert_eq!(std::fs::read(place.path("b.json")).expect("a book"), first);
    let stats = place.rookery(["book", "stats", "b.json", "--json"]).ok().stdout;
    let stats: Value = serde_json::from_str(&stats).expect("JSON");
    assert_eq!((stats["positions"].as_u64(), stats["black"].as_u64()), (Some(25), Some(25)));
    assert_eq!(stats["bytes_compact"], std::fs::read(place.path("b.rkb")).expect("a book").len());
    let shown = place.rookery(["book", "show", "b.rkb", "--from", "e2e4", "--plies", "1"]).ok();
    assert!(shown.stdout.starts_with("1... ") && shown.stdout.contains("[1]"), "{}", shown.stdout);
    for name in ["b.json", "b.bin", "b.rkb"] {
        let checked = place.rookery(["book", "check", name]).ok().stdout;
        assert!(checked.contains("nothing is wrong"), "{name}: {checked}");
        assert!(place.rookery(["book", "stats", name]).ok().stdout.contains("25 positions"));
    }
    place.rookery(["book", "convert", "b.bin", "--out", "again.rkb"]).ok();
    let read = |name: &str| std::fs::read(place.path(name)).expect("a book");
    assert!(read("again.rkb") == read("b.rkb"));
    assert!(
        place.rookery(["book", "check", "b.bin", "--diagnose"]).ok().stdout.contains("Polyglot's")
    );
    // A board that has it says so, and plays from it.
    let sim = Sim::start(&["--book", utf8(&place.path("b.rkb"))]);
    let (db, limit) = (place.db(), ["--engine-limit", "nodes=300"]);
    let run =
        ["run", "--board", &sim.url, "--engine", "stockfish", "--db", utf8(&db), "--level", "300"];
    let run = run.iter().chain(&limit).chain(&[
        "--color",
        "black",
        "--max-plies",
        "12",
        "--openings",
        "b.json",
        "--opening-plies",
        "1",
    ]);
    place.rookery(run).ok();
    let crc = place.sql("SELECT count(*) FROM plies WHERE mover = 'first' AND book = 1");
    assert!(crc[0].parse::<u32>().expect("a number") >= 1, "{crc:?}");
    let second = "SELECT count(*) FROM plies WHERE mover = 'second' AND book = 1";
    assert_eq!(place.sql(second), ["0"]);
}

#[test]
fn an_interrupted_build_goes_on_with_the_same_command() {
    let place = Place::new();
    let args = ["book", "build", "--positions", "40", "--plies", "10", "--out", "b.json"];
    let slow = ["--engine-limit", "nodes=20000", "--engine-option", "Hash=16"];
    let args: Vec<&str> = args.iter().chain(&slow).copied().collect();
    let child = place.command(&args).spawn().expect("rookery starts");
    // A few judgements are in the cache.
    until("a cache", || {
        let file = place.path("b.json.cache-wal");
        std::fs::metadata(file).is_ok_and(|meta| meta.len() > 40_000)
    });
    let pid = rustix::process::Pid::from_raw(i32::try_from(child.id()).expect("a pid"));
    rustix::process::kill_process(pid.expect("a pid"), rustix::process::Signal::INT).expect("sent");
    let done = place.finish(child);
    if done.status.success() {
        // Faster than the interruption: nothing is left to go on with.
        return;
    }
    done.fails(1, &["the same command goes on"]);
    assert!(!place.path("b.json").exists());
    let count = |done: &Done| -> u32 {
        let line = done.stderr.lines().find(|line| line.ends_with("positions judged"));
        line.and_then(|line| line.split(' ').next()?.parse().ok()).expect("a count")
    };
    let rest = count(&place.rookery(&args).ok());
    let whole: Vec<&str> = args.iter().copied().chain(["--no-cache"]).collect();
    let first = std::fs::read(place.path("b.json")).expect("a book");
    let all = count(&place.rookery(whole).ok());
    assert!(rest < all, "{rest} of {all}");
    assert!(std::fs::read(place.path("b.json")).expect("a book") == first);
}

#[test]
fn engines_play_from_books_and_their_plies_say_so() {
    let place = Place::new();
    named(&place, &["n.bin"]);
    let more = ["--games", "4", "--max-plies", "8", "--seed", "5", "--book-plies", "3"];
    let limits = ["--engine-limit", "nodes=100", "--engine2-limit", "nodes=100"];
    let books = ["--engine-book", "n.bin", "--engine2-book", "n.bin"];
    let args: Vec<&str> = more.iter().chain(&limits).chain(&books).copied().collect();
    place.engine_run("stockfish", "stockfish", &args).ok();
    place.verify();
    let plies =
        |place: &Place| place.sql("SELECT game_id, ply, uci, book FROM plies ORDER BY 1, 2");
    let first = plies(&place);
    for ply in &first {
        let fields: Vec<&str> = ply.split('|').collect();
        let number: u32 = fields[1].parse().expect("a number");
        assert_eq!(fields[3] == "1", number <= 3, "{ply}");
    }
    assert!(place.text("rookery.pgn").contains("{book}"), "{}", place.text("rookery.pgn"));
    // The same seed, the same choice; another one, another.
    let lines = |plies: &[String]| -> Vec<String> {
        plies.iter().filter(|p| p.ends_with("|1")).cloned().collect()
    };
    let again = Place::new();
    named(&again, &["n.bin"]);
    again.engine_run("stockfish", "stockfish", &args).ok();
    assert_eq!(lines(&plies(&again)), lines(&first));
    let other = Place::new();
    named(&other, &["n.bin"]);
    let args: Vec<&str> = args.iter().map(|a| if *a == "5" { "77" } else { a }).collect();
    other.engine_run("stockfish", "stockfish", &args).ok();
    assert_ne!(lines(&plies(&other)), lines(&first));
}

/// One position: the book, an engine, and the games of a database.
#[test]
fn a_position_is_explored() {
    let place = Place::new();
    named(&place, &["n.bin"]);
    let more =
        ["--games", "2", "--max-plies", "6", "--openings", "n.bin", "--opening-order", "best"];
    let limits = ["--engine-limit", "nodes=100", "--engine2-limit", "nodes=100"];
    let args: Vec<&str> = more.iter().chain(&limits).copied().collect();
    place.engine_run("stockfish", "stockfish", &args).ok();
    let first = place.sql("SELECT uci FROM plies WHERE ply = 1 AND game_id = 1");
    let db = place.db();
    let line = ["book", "explore", "n.bin", "--line", &first[0], "--db", utf8(&db)];
    let done = place.rookery(line).ok().stdout;
    assert!(done.contains("game 1 after ply 1") && done.contains("game 2 after ply 1"), "{done}");
    assert!(done.contains("2 games: +0 =2 -0"), "{done}");
    let all = [&line[..], &["--engine", "stockfish", "--engine-limit", "nodes=500", "--json"]];
    let seen: Value = serde_json::from_str(&place.rookery(all.concat()).ok().stdout).expect("JSON");
    assert_eq!(seen["engine"].as_array().map(Vec::len), Some(3), "{seen:#}");
    assert_eq!(seen["played"][0]["games"], 2, "{seen:#}");
    assert!(!seen["moves"].as_array().expect("moves").is_empty(), "{seen:#}");
    let wrong = place.rookery(["book", "explore", "n.bin", "--line", "e2e5"]);
    wrong.fails(2, &["'e2e5' is not a legal move"]);
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_done() {
    let place = Place::new();
    named(&place, &["n.bin", "n.rkb", "n.json"]);
    std::fs::write(place.path("cut.bin"), [0; 17]).expect("a file");
    let mut damaged = std::fs::read(place.path("n.rkb")).expect("a book");
    *damaged.last_mut().expect("a byte") ^= 1;
    std::fs::write(place.path("damaged.rkb"), damaged).expect("a file");
    std::fs::write(place.path("bad.json"), "{\"format\": \"x\"").expect("a file");
    std::fs::write(place.path("lines.txt"), "Nonsense e2e4 e2e4\n").expect("a file");
    std::fs::write(place.path("text"), "no database").expect("a file");
    let build = |more: &[&'static str]| [&["book", "build", "--out", "x.bin"][..], more].concat();
    for (args, status, words) in [
        (vec!["book", "check", "missing.bin"], 1, &["missing.bin", "No such file"][..]),
        (vec!["book", "check", "cut.bin"], 1, &["cut.bin", "17 bytes"]),
        (vec!["book", "check", "damaged.rkb"], 1, &["damaged.rkb", "damaged", "checksum"]),
        (vec!["book", "show", "bad.json"], 1, &["bad.json", "JSON"]),
        (vec!["book", "check", "n.rkb", "--diagnose"], 2, &[".bin books"]),
        (vec!["book", "show", "n.bin", "--root", "e2e5"], 2, &["'e2e5'", "not a legal move"]),
        (vec!["book", "convert", "n.bin", "--out", "x.txt"], 2, &["x.txt", ".rkb"]),
        (
            vec!["book", "convert", "n.bin", "--out", "x.rkb", "--bytes", "40"],
            1,
            &["do not fit", "40 bytes"],
        ),
        (vec!["book", "import", "--out", "x.bin"], 2, &["--pgn", "--named"]),
        // Before the engine is looked for: it might have thought for hours.
        (
            build(&["--out", "nowhere/y.bin", "--engine", "none-such"]),
            1,
            &["nowhere/y.bin", "cannot be written", "No such file"],
        ),
        (build(&["--cache", "nowhere/y.cache"]), 1, &["nowhere/y.cache", "--no-cache"]),
        (build(&["--cache", "text"]), 1, &["'text'", "no cache", "--cache"]),
        (
            vec!["book", "import", "--lines", "lines.txt", "--out", "x.bin"],
            1,
            &["lines.txt", "line 1", "'e2e4'"],
        ),
        (
            vec!["book", "import", "--named", "--min-games", "99", "--out", "x.bin"],
            2,
            &["--min-games"],
        ),
        (build(&["--engine-limit", "tc=1+1"]), 2, &["clock", "nodes"]),
        (build(&["--engine", "no-such-engine"]), 1, &["no-such-engine"]),
        (build(&["--cache", "text"]), 1, &["text"]),
        (
            vec![
                "run",
                "--engine2",
                "stockfish",
                "--engine",
                "stockfish",
                "--db",
                "x.db",
                "--engine-book",
                "cut.bin",
            ],
            2,
            &["cut.bin"],
        ),
        (
            vec![
                "run",
                "--engine2",
                "stockfish",
                "--engine",
                "stockfish",
                "--db",
                "x.db",
                "--openings",
                "cut.bin",
            ],
            1,
            &["cut.bin"],
        ),
    ] {
        place.rookery(&args).fails(status, words);
    }
    for name in ["x.bin", "x.rkb", "x.txt", "x.db", "x.bin.part"] {
        assert!(!place.path(name).exists(), "{name}");
    }
}

#[test]
fn a_database_of_somebody_elses_is_no_cache_and_stays_as_it_is() {
    let place = Place::new();
    let path = place.path("theirs.db");
    let sqlite = std::process::Command::new("sqlite3");
    let made = { sqlite }.arg(&path).arg("CREATE TABLE t(a); INSERT INTO t VALUES (1)").status();
    assert!(made.expect("sqlite3 is installed").success());
    let before = std::fs::read(&path).expect("a database");
    place
        .rookery(["book", "build", "--out", "x.bin", "--cache", "theirs.db"])
        .fails(1, &["theirs.db", "not one of evaluations", "--cache"]);
    assert!(std::fs::read(&path).expect("a database") == before);
}

/// What does not fit on a board is there in the other forms.
#[test]
fn one_file_that_cannot_be_written_does_not_cost_the_others() {
    let place = Place::new();
    let files = || 'a'..='h';
    let pairs = || files().flat_map(|a| files().map(move |b| (a, b))).filter(|(a, b)| a != b);
    let game =
        |((a, b), (c, d))| format!("[Event \"?\"]\n\n1. {a}3 {c}6 2. {b}4 {d}5 3. {a}4 *\n\n");
    let games: String = pairs()
        .flat_map(|white| pairs().step_by(3).map(move |black| (white, black)))
        .map(game)
        .collect();
    std::fs::write(place.path("games.pgn"), games).expect("a file");
    let import = ["book", "import", "--pgn", "games.pgn", "--out", "x.rkb", "--out", "x.bin"];
    place.rookery(import).fails(1, &["x.rkb", "do not fit", "x.bin: "]);
    let convert = ["book", "convert", "x.bin", "--out", "y.rkb", "--out", "y.json"];
    place.rookery(convert).fails(1, &["do not fit", "y.json: "]);
    for (name, there) in [("x.rkb", false), ("x.bin", true), ("y.rkb", false), ("y.json", true)] {
        assert_eq!(place.path(name).exists(), there, "{name}");
    }
}

/// A `.bin` does not say which positions it has: a book walked from the wrong root must not become an empty one, least of all itself.
#[test]
fn a_book_is_not_replaced_by_less_of_itself() {
    let place = Place::new();
    std::fs::write(place.path("lines.txt"), "Line  e2e4 e7e5 g1f3 b8c6\n").expect("a file");
    place.rookery(["book", "import", "--lines", "lines.txt", "--out", "b.bin"]).ok();
    let whole = std::fs::read(place.path("b.bin")).expect("a book");
    // One entry more, of a position that nobody reaches.
    let more = [&whole[..], &[0xFF; 8], &[0x03, 0x1C, 0, 1, 0, 0, 0, 0]].concat();
    std::fs::write(place.path("more.bin"), &more).expect("a file");
    let part = ["book", "convert", "more.bin", "--out"];
    for name in ["more.bin", "./more.bin"] {
        place.rookery(part.iter().chain([&name])).fails(1, &["more.bin", "--root"]);
        assert_eq!(std::fs::read(place.path("more.bin")).expect("a book"), more);
    }
    place.rookery(part.iter().chain([&"part.bin"])).ok();
    assert_eq!(std::fs::read(place.path("part.bin")).expect("a book"), whole);
    // A whole book may be sorted in its place; nothing is no book.
    place.rookery(["book", "convert", "b.bin", "--out", "b.bin"]).ok();
    assert_eq!(std::fs::read(place.path("b.bin")).expect("a book"), whole);
    std::fs::write(place.path("far.bin"), &more[more.len() - 16..]).expect("a file");
    place
        .rookery(["book", "convert", "far.bin", "--out", "x.json"])
        .fails(1, &["far.bin", "--root", "nothing was written"]);
    assert!(!place.path("x.json").exists());
    std::fs::write(place.path("empty.bin"), "").expect("a file");
    for (name, words) in [("far.bin", "--root"), ("empty.bin", "empty")] {
        let shown = place.rookery(["book", "show", name]).ok();
        assert!(shown.stderr.contains(words), "{name}: {}", shown.stderr);
        let checked = place.rookery(["book", "check", name]);
        assert!(checked.stdout.contains(words), "{name}: {}", checked.stdout);
    }
}

/// The options of every command of books are in the README.
#[test]
fn the_readme_has_every_option() {
    use clap::CommandFactory as _;
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md");
    let readme = std::fs::read_to_string(readme).expect("the README");
    let chapter = readme.split("\n## Opening books").nth(1).expect("a chapter");
    let chapter = chapter.split("\n## ").next().unwrap_or_default();
    let root = rookery_server::cli::Cli::command();
    let book = root.find_subcommand("book").expect("the command");
    let mut count = 0;
    for command in book.get_subcommands() {
        assert!(
            chapter.contains(&format!("book {}", command.get_name())),
            "{}",
            command.get_name()
        );
        for long in command.get_arguments().filter_map(|argument| argument.get_long()) {
            assert!(chapter.contains(&format!("--{long}")), "{} --{long}", command.get_name());
            count += 1;
        }
        let help = command.clone().render_long_help().to_string();
        assert!(help.contains("Examples:"), "{}", command.get_name());
    }
    assert!(count > 30 && !path_with_games().is_empty());
}
