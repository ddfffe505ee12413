//! `rookery serve`: its configuration, its runs from one start to the next, its place among other programs.

mod http_support;
mod run_support;

use http_support::ask;
use run_support::{Daemon, Done, Place, SOON, Sim, engine, until, utf8, wait};
use rustix::process::Signal;
use std::{net::TcpStream, os::unix::net::UnixDatagram, path::Path, time::Duration};

fn config(place: &Place, text: &str) -> String {
    let path = place.path("rookery.toml");
    std::fs::write(&path, text).expect("a file");
    utf8(&path).to_owned()
}

#[track_caller]
fn fails(done: &Done, words: &[&str]) {
    assert_eq!(done.status.code(), Some(1), "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "{word:?} is not in: {}", done.stderr);
    }
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
}

fn serve(place: &Place, config: &str) -> Done {
    place.rookery(["serve", "--config", config, "--listen", "127.0.0.1:0", "--db", "x.db"])
}

#[test]
fn what_is_wrong_in_a_configuration_is_named_before_anything_starts() {
    let place = Place::new();
    fails(&serve(&place, "none.toml"), &["none.toml", "cannot be read"]);
    let engines = "[engines.sf]\npath = 'stockfish'\n[boards.a]\nurl = 'tcp://127.0.0.1:1'\n[boards.b]\nurl = 'tcp://127.0.0.1:2'\n";
    let run = |text: &str| format!("{engines}[[runs]]\nname = 'night'\ngames = 2\n{text}\n");
    for (text, words) in [
        ("listne = '127.0.0.1:1'\n".to_owned(), &["line 1", "`listne`", "`listen`"][..]),
        ("\n\nlisten = 8080\n".into(), &["line 3", "listen"]),
        ("listen = 'localhost:80'".into(), &["line 1", "socket address"]),
        ("db = ".into(), &["line 1"]),
        ("[boards.a]\nurl = 'tcp://h:1'\nbaud = 9600\n".into(), &["line 3", "`baud`", "`url`"]),
        ("[boards.a]\nurl = 'com3'\n".into(), &["board 'a'", "'com3'", "tcp://HOST:PORT"]),
        ("[engines.sf]\npath = 'x'\nlimit = 'nodes'\n".into(), &["line 3", "nodes=N"]),
        (
            "[engines.sf]\npath = 'x'\noptions = { Hash = [1] }\n".into(),
            &["line 3", "a text, a number"],
        ),
        ("[engines.sf]\n".into(), &["line 1", "`path`"]),
        (run("engine = 'sf'\nboards = ['c']"), &["run 'night'", "board 'c'", "a, b"]),
        (run("engine = 'fish'\nboards = ['a']"), &["run 'night'", "engine 'fish'", "sf"]),
        (run("engine = 'sf'\nfirst_engine = 'fish'"), &["run 'night'", "engine 'fish'"]),
        (run("engine = 'sf'"), &["run 'night'", "'boards' or 'first_engine'"]),
        (
            run("engine = 'sf'\nboards = ['a']\nfirst_engine = 'sf'"),
            &["'boards' or 'first_engine'"],
        ),
        (run("engine = 'sf'\nboards = ['a', 'a']"), &["run 'night'", "named twice"]),
        (
            run("engine = 'sf'\nboards = ['a']\nconcurrency = 2"),
            &["run 'night'", "'concurrency' is 2"],
        ),
        (run("engine = 'sf'\nboards = ['a']\nlevel = 0"), &["run 'night'", "'level' is 0"]),
        (
            run("engine = 'sf'\nboards = ['a']\ncolour = 'white'"),
            &["line 12", "`colour`", "`color`"],
        ),
        ("max_connections = 0".to_owned(), &["line 1", "max_connections", "nonzero"]),
        (run("engine = 'sf'\nboards = ['a']\ncolor = 'red'"), &["line 12", "`red`"]),
        (
            run(
                "engine = 'sf'\nboards = ['a']\n[runs.adjudication]\ndraw = { moves = 8, scores = 1 }",
            ),
            &["line 13", "`scores`"],
        ),
        (run("engine = 'sf'\nboards = ['a']\nopenings = 'none.epd'"), &["run 'night'", "none.epd"]),
    ] {
        let path = config(&place, &text);
        fails(&serve(&place, &path), words);
        assert!(!place.path("x.db").exists(), "{text}");
    }
    // A line that holds the token is not printed, however it is misspelt.
    for text in ["tokn = 'hunter2'", "token = 'hunter2", "token = hunter2", "token = ['hunter2']"] {
        let done = serve(&place, &config(&place, text));
        fails(&done, &["line 1"]);
        assert!(!done.stderr.contains("hunter2"), "{}", done.stderr);
    }
}

#[test]
fn a_flag_wins_over_a_variable_and_that_over_the_file() {
    let place = Place::new();
    std::fs::create_dir(place.path("conf")).expect("a folder");
    let file = place.path("conf/rookery.toml");
    std::fs::write(
        &file,
        "listen = '127.0.0.2:0'\ndb = 'file.db'\ntoken = 'file'\nmax_connections = 2\n",
    )
    .expect("a file");
    let file = utf8(&file);
    for (variables, flags, address, db, token, most) in [
        (false, false, "127.0.0.2", "conf/file.db", "file", 2),
        (true, false, "127.0.0.3", "variable.db", "variable", 3),
        (true, true, "127.0.0.4", "flag.db", "flag", 4),
    ] {
        let mut command = place.command(["serve", "--config", file]);
        if flags {
            command.args(["--listen", "127.0.0.4:0", "--db", "flag.db", "--token", "flag"]);
            command.args(["--max-connections", "4"]);
        }
        if variables {
            command.env("ROOKERY_LISTEN", "127.0.0.3:0").env("ROOKERY_DB", "variable.db");
            command.env("ROOKERY_TOKEN", "variable").env("ROOKERY_MAX_CONNECTIONS", "3");
        }
        let daemon = Daemon::of(&place, command);
        assert_eq!(daemon.address.ip().to_string(), address);
        assert!(place.path(db).exists(), "{db}: beside the file that names it");
        let reply = |given: &str| {
            let target = format!("/api/v1/games?token={given}");
            let ask = ask(daemon.address, "GET", &target, &[], "");
            tokio::runtime::Runtime::new().expect("a runtime").block_on(ask)
        };
        assert_eq!((reply(token).status, reply("none").status), (200, 401));
        let connect = |_| TcpStream::connect(daemon.address).expect("a connection");
        // The question before may still have its place, and leave it to this one.
        until("it is full", || {
            let idle: Vec<TcpStream> = (0..most).map(connect).collect();
            let full = reply(token);
            drop(idle);
            if full.status == 200 {
                return false;
            }
            let said = full.is_error(503, "unavailable");
            assert!(said.contains(&format!("all {most} connections")), "{said}");
            true
        });
        daemon.stop(&place).0.ok();
    }
    // The file's place may be a variable too, and the file of the folder is found by the daemon alone.
    let mut command = place.command(["games"]);
    command.env("ROOKERY_CONFIG", file);
    let child = command.spawn().expect("rookery starts");
    place.finish(child).ok();
    std::fs::write(place.path("rookery.toml"), "listen = '127.0.0.5:0'\ndb = 'here.db'\n")
        .expect("a file");
    let daemon = Daemon::of(&place, place.command(["serve"]));
    assert_eq!(daemon.address.ip().to_string(), "127.0.0.5");
    daemon.stop(&place).0.ok();
}

#[test]
fn the_sample_is_a_configuration_with_and_without_what_is_commented_out() {
    let place = Place::new();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../rookery.sample.toml");
    let text = std::fs::read_to_string(sample).expect("the sample");
    let read = |text: &str| {
        let path = place.path("sample.toml");
        std::fs::write(&path, text).expect("a file");
        rookery_server::config::Config::read(&path).unwrap_or_else(|e| panic!("{e}\n{text}"))
    };
    let plain = read(&text);
    assert!(plain.runs.is_empty() && plain.token.is_none());
    // A key in a comment is `# key = value`; everything else there is words.
    let is_key = |line: &str| {
        let name = line.split(" = ").next().unwrap_or_default();
        line.contains(" = ") && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    };
    let uncommented: Vec<&str> = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if is_key(rest) || rest.starts_with('[') => rest,
            _ => line,
        })
        .collect();
    std::fs::write(
        place.path("openings.epd"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n",
    )
    .expect("a file");
    // Polyglot's: 1. e4 in the initial position, its key as published.
    let entry = [0x463b_9618_1691_fc9c_u64.to_be_bytes(), 0x031c_0001_0000_0000_u64.to_be_bytes()];
    std::fs::write(place.path("book.bin"), entry.as_flattened()).expect("a file");
    let whole = read(&uncommented.join("\n"));
    assert!(whole.token.is_some() && whole.log_dir.is_some());
    let engine = &whole.engines["stockfish"];
    assert!(engine.dir.is_some() && !engine.env.is_empty());
    let settings = whole.settings(&whole.runs[0]).expect("settings");
    assert_eq!((settings.games, settings.level, settings.openings.len()), (10, 45_000, 1));
    assert!(settings.adjudication.draw.is_some() && settings.adjudication.max_plies.is_some());
    // Every key that there is: a key of the program that the sample does not name is missing in it.
    for key in [
        "listen",
        "token",
        "db",
        "pgn",
        "log_dir",
        "url",
        "path",
        "args",
        "limit",
        "dir",
        "env",
        "options",
        "name",
        "boards",
        "first_engine",
        "engine",
        "games",
        "level",
        "color",
        "openings",
        "seed",
        "concurrency",
        "claims",
        "on_illegal",
        "think_timeout_s",
        "board_patience_s",
        "draw",
        "resign",
        "max_plies",
    ] {
        let named = text.lines().any(|line| {
            line.trim_start_matches("# ").starts_with(&format!("{key} = "))
                || line.contains(&format!("{key} = "))
        });
        assert!(named, "{key}");
    }
}

#[test]
fn paths_of_engines_are_relative_to_the_file() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("conf/bin")).expect("a folder");
    let file = place.path("conf/rookery.toml");
    std::fs::write(&file, "[engines.a]\npath = 'bin/a'\ndir = 'bin'\n[engines.b]\npath = 'b'\n[engines.c]\npath = './c'\n[engines.d]\npath = '/d'\n")
        .expect("a file");
    let config = rookery_server::config::Config::read(&file).expect("a configuration");
    let path = |name: &str| config.engines[name].path.clone();
    assert_eq!(path("a"), place.path("conf/bin/a"));
    assert_eq!(config.engines["a"].dir, Some(place.path("conf/bin")));
    assert_eq!(path("b"), Path::new("b"), "looked up in PATH");
    assert!(path("c").is_absolute() && path("c").ends_with("c"), "{:?}", path("c"));
    assert_eq!(path("d"), Path::new("/d"));
}

#[test]
fn a_run_of_the_configuration_survives_a_kill_and_is_never_doubled() {
    let place = Place::new();
    // Slow enough that the kill comes in the middle of a game.
    let sim = Sim::start(&["--seed", "5", "--speed", "3000"]);
    let text = format!(
        "db = 'rookery.db'\npgn = 'rookery.pgn'\n[boards.bench]\nurl = '{}'\n\
         [engines.fish]\npath = 'stockfish'\nlimit = 'nodes=300'\noptions = {{ Hash = 1 }}\n\
         [[runs]]\nname = 'night'\nboards = ['bench']\nengine = 'fish'\ngames = 2\nlevel = 300\n\
         adjudication = {{ max_plies = 40 }}\n",
        sim.url
    );
    let path = config(&place, &text);
    let serve = || place.serve(&["--config", &path]);
    let mut daemon = serve();
    until("some plies", || plies(&place) >= 5);
    daemon.signal(Signal::KILL);
    wait(&mut daemon.child, Duration::from_secs(10)).expect("it is dead");
    let kept = plies(&place);

    let daemon = serve();
    until("the run's end", || place.sql("SELECT state FROM runs") == ["finished"]);
    daemon.stop(&place).0.ok();
    assert!(plies(&place) > kept);
    let games = place.verify();
    assert_eq!(games.len(), 2);
    assert_eq!(place.sql("SELECT count(*) FROM incidents WHERE kind = 'resumed'"), ["1"]);

    // Twice more: it is known. Another number of games is another run.
    for _ in 0..2 {
        serve().stop(&place).0.ok();
    }
    assert_eq!(place.sql("SELECT count(*) FROM runs"), ["1"]);
    config(&place, &text.replace("games = 2", "games = 1"));
    let daemon = serve();
    until("the other run", || {
        place.sql("SELECT count(*) FROM runs WHERE state = 'finished'") == ["2"]
    });
    daemon.stop(&place).0.ok();
    assert_eq!(place.verify().len(), 3);
}

fn plies(place: &Place) -> usize {
    if !place.db().exists() {
        return 0;
    }
    place.sql("SELECT count(*) FROM plies")[0].parse().expect("a number")
}

#[test]
fn a_second_one_on_the_same_database_is_refused_and_readers_are_not() {
    let place = Place::new();
    let db = place.db();
    let db = utf8(&db);
    let daemon = place.serve(&["--db", db]);
    let pid = daemon.child.id().to_string();
    // Its own output goes elsewhere: the daemon's is looked at later.
    let other = Place::new();
    let second = other.rookery(["serve", "--listen", "127.0.0.1:0", "--db", db]);
    fails(&second, &[db, &pid]);
    let run = ["run", "--engine", "x", "--engine2", "x", "--db", db];
    fails(&other.rookery(run), &[db, &pid]);
    // By another name as well.
    let link = other.path("link.db");
    std::os::unix::fs::symlink(db, &link).expect("a link");
    fails(&other.rookery(["serve", "--listen", "127.0.0.1:0", "--db", utf8(&link)]), &[&pid]);
    other.rookery(["games", "--db", db]).ok();
    other.rookery(["pgn", "--db", db]).ok();
    daemon.stop(&place).0.ok();
    place.serve(&["--db", db]).stop(&place).0.ok();
}

#[test]
fn systemd_is_told_of_the_beginning_and_of_the_end() {
    let place = Place::new();
    let socket_path = place.path("notify");
    let socket = UnixDatagram::bind(&socket_path).expect("a socket");
    socket.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    let heard = || {
        let mut buffer = [0; 256];
        let count = socket.recv(&mut buffer).expect("a message");
        String::from_utf8_lossy(&buffer[..count]).into_owned()
    };
    let db = place.db();
    let mut command = place.command(["serve", "--listen", "127.0.0.1:0", "--db", utf8(&db)]);
    command.env("NOTIFY_SOCKET", &socket_path).env("WATCHDOG_USEC", "400000");
    let daemon = Daemon::of(&place, command);
    assert!(heard().lines().any(|line| line == "READY=1"));
    for _ in 0..2 {
        assert!(heard().lines().any(|line| line == "WATCHDOG=1"));
    }
    let (done, took) = daemon.stop(&place);
    done.ok();
    assert!(took < SOON, "{took:?}");
    loop {
        let text = heard();
        if text.lines().any(|line| line == "STOPPING=1") {
            break;
        }
        assert!(text.contains("WATCHDOG=1"), "{text}");
    }
}

#[test]
fn the_token_stands_in_no_log() {
    const TOKEN: &str = "correct-horse-battery";
    let place = Place::new();
    let db = place.db();
    let mut command = place.command(["serve", "--listen", "127.0.0.1:0", "--db", utf8(&db)]);
    command.args(["--log", "trace", "--log-dir", "log"]).env("ROOKERY_TOKEN", TOKEN);
    let daemon = Daemon::of(&place, command);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let ask = |target: &str, headers: &[(&str, &str)]| {
        runtime.block_on(ask(daemon.address, "GET", target, headers, ""))
    };
    let bearer = format!("Bearer {TOKEN}");
    let wrong = format!("Bearer {TOKEN}x");
    for target in ["/api/v1/games", "/api/v1/nothing", "/api/v1/games/x", "/ws", "/metrics", "/x"] {
        let query = format!("{target}?token={TOKEN}");
        for reply in [
            ask(target, &[("Authorization", &bearer)]),
            ask(target, &[("Authorization", &wrong)]),
            ask(&query, &[]),
            ask(&format!("{query}&token={TOKEN}"), &[]),
            ask(&format!("{query}&run=x&since=x"), &[]),
        ] {
            assert!(!reply.body.contains(TOKEN) && !reply.head.contains(TOKEN), "{reply:?}");
        }
    }
    // Nor in the environment of an engine, which somebody else has written.
    let printing =
        run_support::write_engine(&place, "env.sh", "on_uci() { env >\"$OUT\"; exit 1; }");
    let out = place.path("environment");
    let engine = serde_json::json!({"path": printing, "env": {"OUT": utf8(&out)}});
    let body =
        serde_json::json!({"first": {"engine": engine}, "second": engine, "games": 1}).to_string();
    let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
    let create = http_support::ask(daemon.address, "POST", "/api/v1/runs", &headers, &body);
    assert_eq!(runtime.block_on(create).status, 201);
    until("the engine", || out.exists());
    let (done, _) = daemon.stop(&place);
    let done = done.ok();
    assert!(!place.text("environment").contains(TOKEN));
    assert!(!done.stdout.contains(TOKEN) && !done.stderr.contains(TOKEN));
    let logs: Vec<_> =
        std::fs::read_dir(place.path("log")).expect("the folder").flatten().collect();
    assert_eq!(logs.len(), 1);
    let log = std::fs::read_to_string(logs[0].path()).expect("the log");
    assert!(!log.is_empty() && !log.contains(TOKEN));
}

#[test]
fn no_resume_closes_what_was_left() {
    let place = Place::new();
    let knights = engine("knights.sh");
    let text = format!(
        "db = 'rookery.db'\n[engines.k]\npath = '{knights}'\nenv = {{ PACE = '1' }}\n\
         [[runs]]\nname = 'k'\nfirst_engine = 'k'\nengine = 'k'\ngames = 30\n"
    );
    let path = config(&place, &text);
    let daemon = place.serve(&["--config", &path]);
    until("some plies", || plies(&place) >= 2);
    let (done, took) = daemon.stop(&place);
    done.ok();
    assert!(took < SOON, "{took:?}");
    // On a loaded machine a game may have come to its end before.
    let last = || place.sql("SELECT state, termination FROM games ORDER BY id DESC LIMIT 1");
    assert_eq!(last(), ["playing|None"], "left as it stands");
    let daemon = place.serve(&["--config", &path, "--no-resume"]);
    daemon.stop(&place).0.ok();
    assert_eq!(last(), ["finished|interrupted"]);
    assert_eq!(place.sql("SELECT state FROM runs"), ["stopped"], "and none begun in its place");
}
