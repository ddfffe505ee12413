//! Runs of the real program in a folder of their own, and the look at what they leave.

#![allow(dead_code, reason = "each test program uses a part of it")]

use serde_json::Value;
use std::{
    ffi::OsStr,
    fs::File,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Longer than any test takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(240);
/// For an end that is promised within five seconds: two cores that do ten tests at a time may need more, and what hangs never ends.
pub(crate) const SOON: Duration = Duration::from_secs(20);

/// How a game ends where nothing goes wrong.
const NATURAL: [&str; 6] = [
    "checkmate",
    "stalemate",
    "threefold_repetition",
    "fivefold_repetition",
    "fifty_moves",
    "insufficient_material",
];

/// A folder for one test's database, PGN and output.
pub(crate) struct Place {
    dir: TempDir,
}

/// A test that fails leaves no process behind: whatever works in its folder is killed.
impl Drop for Place {
    fn drop(&mut self) {
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let works_here = std::fs::read_link(entry.path().join("cwd"))
                .is_ok_and(|folder| folder.starts_with(self.dir.path()));
            let pid = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if let (true, Some(pid)) = (works_here, pid.and_then(rustix::process::Pid::from_raw)) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}

/// What a program left.
pub(crate) struct Done {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// That it went well, with all that it said if not.
    #[track_caller]
    pub(crate) fn ok(self) -> Done {
        assert!(self.status.success(), "{:?}\n{}\n{}", self.status, self.stdout, self.stderr);
        self
    }
}

impl Place {
    pub(crate) fn new() -> Place {
        Place { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn db(&self) -> PathBuf {
        self.path("rookery.db")
    }

    pub(crate) fn pgn(&self) -> PathBuf {
        self.path("rookery.pgn")
    }

    /// `rookery` with a clean environment, in this place; its output goes to files.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rookery"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env("PATH", path_with_games())
            .stdin(Stdio::null())
            .stdout(File::create(self.path("stdout")).expect("a file"))
            .stderr(File::create(self.path("stderr")).expect("a file"));
        command
    }

    /// Runs `rookery` to its end.
    pub(crate) fn rookery<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Done {
        self.ended(&mut self.command(args))
    }

    /// Runs a command of this place to its end.
    pub(crate) fn ended(&self, command: &mut Command) -> Done {
        self.finish(command.spawn().expect("rookery starts"))
    }

    /// Waits for the end of a program of this place.
    pub(crate) fn finish(&self, mut child: Child) -> Done {
        let status = wait(&mut child, PATIENCE).unwrap_or_else(|| {
            child.kill().expect("it can be killed");
            panic!("rookery did not end\n{}\n{}", self.text("stdout"), self.text("stderr"));
        });
        Done { status, stdout: self.text("stdout"), stderr: self.text("stderr") }
    }

    pub(crate) fn text(&self, name: &str) -> String {
        let bytes = std::fs::read(self.path(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A run of two engines, in a temporary database, with more arguments.
    pub(crate) fn engine_run(&self, first: &str, second: &str, more: &[&str]) -> Done {
        let (db, pgn) = (self.db(), self.pgn());
        let args =
            ["run", "--engine2", first, "--engine", second, "--db", utf8(&db), "--pgn", utf8(&pgn)];
        self.rookery(args.iter().chain(more))
    }

    /// A run of a board against Stockfish, in the place's database and PGN file, with more arguments.
    pub(crate) fn board_run(&self, url: &str, more: &[&str]) -> Command {
        let (db, pgn) = (self.db(), self.pgn());
        let args = ["run", "--board", url, "--engine", "stockfish"];
        let files = ["--db", utf8(&db), "--pgn", utf8(&pgn)];
        self.command(args.iter().chain(&files).chain(more))
    }

    /// The games, verified; each has ended as games of chess do, or in one of the ways that were provoked.
    #[track_caller]
    pub(crate) fn natural_games(&self, count: usize, provoked: &[&str]) -> Vec<Value> {
        let games = self.verify();
        assert_eq!(games.len(), count);
        for game in &games {
            let termination = game["termination"].as_str().expect("a reason");
            let (id, detail) = (&game["id"], &game["detail"]);
            let natural = NATURAL.iter().chain(provoked).any(|n| *n == termination);
            assert!(natural, "game {id}: {termination} {detail}");
        }
        games
    }

    /// Every game of the database, replayed by python-chess and compared with the PGN.
    #[track_caller]
    pub(crate) fn verify(&self) -> Vec<Value> {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/run_support/verify.py");
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let mut command = Command::new(python);
        command.arg(script).arg(self.db());
        if self.pgn().exists() {
            command.arg(self.pgn());
        }
        let out = command.output().expect("python3 with the package chess");
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success(), "{text}\n{}", String::from_utf8_lossy(&out.stderr));
        serde_json::from_str(&text).expect("JSON")
    }

    /// The number that a query gives; 0 while there is no database, or none with its tables.
    pub(crate) fn count(&self, query: &str) -> u64 {
        const READY: &str = "SELECT count(*) FROM sqlite_master WHERE name = 'incidents'";
        let ask = |query| self.sql(query)[0].parse().expect("a number");
        if self.db().exists() && ask(READY) > 0 { ask(query) } else { 0 }
    }

    /// One query, all its rows as text joined by `|`.
    pub(crate) fn sql(&self, query: &str) -> Vec<String> {
        const SCRIPT: &str = "import sqlite3, sys\n\
            db = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True, timeout=60)\n\
            for row in db.execute(sys.argv[2]): print('|'.join(str(v) for v in row))";
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let out = Command::new(python).args(["-c", SCRIPT]).arg(self.db()).arg(query).output();
        let out = out.expect("python3");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).lines().map(str::to_owned).collect()
    }
}

/// One of the broken engines.
pub(crate) fn engine(name: &str) -> String {
    format!("{}/tests/engines/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Writes an engine for this test alone.
pub(crate) fn write_engine(place: &Place, name: &str, body: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = place.path(name);
    let lib = engine("lib.sh");
    std::fs::write(&path, format!("#!/bin/sh\n. {lib}\n{body}\nmain\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    utf8(&path).to_owned()
}

pub(crate) fn utf8(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Debian's folder of games is not in everybody's PATH.
pub(crate) fn path_with_games() -> String {
    format!("{}:/usr/games", std::env::var("PATH").unwrap_or_default())
}

/// Waits for a program's end.
pub(crate) fn wait(child: &mut Child, patience: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + patience;
    loop {
        if let Some(status) = child.try_wait().expect("a child of ours") {
            return Some(status);
        }
        if Instant::now() > until {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until something holds.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A simulated board as a process of its own.
pub(crate) struct Sim {
    child: Child,
    pub(crate) url: String,
}

impl Sim {
    pub(crate) fn start(args: &[&str]) -> Sim {
        let program = Path::new(env!("CARGO_BIN_EXE_rookery")).with_file_name("board-sim");
        assert!(
            program.exists(),
            "{} is missing: cargo build --workspace --bins",
            program.display()
        );
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--exit-with-parent"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("board-sim starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").expect("its address");
        Sim { url: format!("tcp://{address}"), child }
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        if wait(&mut self.child, Duration::from_secs(2)).is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// A daemon of this place, ended with the test.
pub(crate) struct Daemon {
    pub(crate) child: Child,
    /// `HOST:PORT`
    pub(crate) address: std::net::SocketAddr,
}

impl Place {
    /// `rookery serve` with more arguments; it listens when this returns.
    pub(crate) fn serve(&self, more: &[&str]) -> Daemon {
        let args = ["serve", "--listen", "127.0.0.1:0"];
        Daemon::of(self, self.command(args.iter().chain(more)))
    }
}

impl Daemon {
    /// A command of a place that serves.
    pub(crate) fn of(place: &Place, mut command: Command) -> Daemon {
        let mut child = command.spawn().expect("rookery starts");
        let mut address = None;
        until("the daemon's address", || {
            let ended = child.try_wait().expect("a child of ours");
            assert!(ended.is_none(), "{ended:?}\n{}", place.text("stderr"));
            let text = place.text("stdout");
            address = text.strip_prefix("listening on http://").and_then(|a| a.trim().parse().ok());
            address.is_some()
        });
        Daemon { child, address: address.expect("an address") }
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw);
        rustix::process::kill_process(pid.expect("a process"), signal).expect("a signal");
    }

    /// Asks for the end, and gives what it left and how long it took.
    pub(crate) fn stop(mut self, place: &Place) -> (Done, Duration) {
        let begun = Instant::now();
        self.signal(rustix::process::Signal::TERM);
        let status = wait(&mut self.child, PATIENCE).expect("it ends");
        let (stdout, stderr) = (place.text("stdout"), place.text("stderr"));
        (Done { status, stdout, stderr }, begun.elapsed())
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // Where a test has failed before its end.
        if self.child.try_wait().is_ok_and(|ended| ended.is_none()) {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
