//! One cell: a board, what lies between, and a game.

use super::{
    bridge::{Bridge, Side},
    control::Control,
    deeds,
    matrix::{Deed, Dialect, Row, Strike, Transport},
    peers::{Program, Terminal, board_sim, free_port, ser2net, terminal_to},
    recovery::Recoveries,
    run_support::{Place, utf8, wait},
};
use std::{
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command},
    time::Duration,
};

const PLIES: &str = "36";
const PATIENCE: Duration = Duration::from_secs(150);

/// Everything that a game needs.
pub(crate) struct Table {
    pub(crate) place: Place,
    /// The simulated board's own address.
    pub(crate) board: SocketAddr,
    /// The serial port, where there is one.
    pub(crate) port: PathBuf,
    /// What the serial port is plugged into.
    pub(crate) plug: Option<Terminal>,
    bridge: Option<Bridge>,
    url: String,
    v2: bool,
    max_mb: Option<&'static str>,
    _sim: Program,
    _server: Option<Program>,
}

/// Plays the game, and sees that everything holds.
pub(crate) fn play(row: &Row, dialect: Dialect, transport: Transport, seed: u32) {
    let mut table = Table::lay(row, dialect, transport, seed);
    let mut server = table.serve();
    if let Strike::Deed(deed) = row.strike {
        deeds::commit(deed, &mut table, &mut server);
    }
    let status = wait(&mut server, PATIENCE);
    if status.is_none() {
        let _ = server.kill();
        let _ = server.wait();
    }
    let told = || format!("{}\n{}", table.place.text("stdout"), table.place.text("stderr"));
    assert!(status.is_some_and(|status| status.success()), "{status:?}\n{}", told());

    let place = &table.place;
    // Every move was legal, in the store and in the PGN, by another program's rules.
    let games = place.verify();
    assert_eq!(games.len(), 1);
    // Played to its end: its length, or a mate before that.
    let ends =
        ["max_plies", "checkmate", "stalemate", "threefold_repetition", "insufficient_material"];
    let end = games[0]["termination"].as_str().expect("a reason");
    assert!(ends.contains(&end), "{end}: {}\n{}", games[0]["detail"], told());
    let events = place.sql("SELECT DISTINCT kind FROM link_events");
    let seen = row.seen.iter().any(|kind| events.contains(kind));
    assert!(seen, "{} has left no trace: {events:?}", row.fault);
    if table.v2 {
        let differs = place.sql("SELECT detail FROM link_events WHERE kind = 'position_differs'");
        assert!(differs.is_empty(), "host and board differed: {differs:?}");
    }
    let recoveries = Recoveries::of(place);
    println!("{}/{dialect}/{transport}: {recoveries}", row.fault);
    assert!(!recoveries.open, "out of session at the end");
    let within = Duration::from_secs_f64(if table.v2 { row.within } else { 3.0 * row.within });
    assert!(recoveries.typical() <= within, "{} {recoveries}, not within {within:?}", row.fault);
    // The machine itself may stall: that none takes longer is shown in virtual time, by link_session.
    assert!(recoveries.longest() <= 4 * within, "{} {recoveries}", row.fault);
}

impl Table {
    fn lay(row: &Row, dialect: Dialect, transport: Transport, seed: u32) -> Table {
        let place = Place::new();
        let v2 = dialect == Dialect::V2;
        let port = place.path("port");
        let control = place.path("control");
        let seed = seed.to_string();
        let mut args = vec!["--seed", &seed, "--boot-delay", "10", "--control", utf8(&control)];
        // Long enough for a deed to strike a think, and for the game to last.
        args.extend(["--no-book", "--speed", "2500"]);
        if !v2 {
            args.extend(["--dialect", "v1", "--level", "600", "--reset-on-connect"]);
        }
        if let Strike::Line(faults) = &row.strike {
            args.extend(["--faults", faults]);
        }
        let pty = matches!(transport, Transport::Rfc2217);
        args.extend(if pty { ["--pty", utf8(&port)] } else { ["--listen", "127.0.0.1:0"] });
        let (sim, place_of_board) = board_sim(&args).keep();
        let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
        let board = place_of_board.parse().unwrap_or(nowhere);
        let (mut bridge, mut plug, mut server) = (None, None, None);
        let mut url = match transport {
            Transport::Tcp => {
                let between = Bridge::start(board, Side::Listens);
                let url = format!("tcp://{}", between.address);
                bridge = Some(between);
                url
            }
            Transport::TcpListen => {
                let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
                bridge = Some(Bridge::start(board, Side::Dials(address)));
                format!("tcp-listen://{address}")
            }
            Transport::Serial => {
                plug = Some(terminal_to(&port, board, ""));
                format!("serial://{}", port.display())
            }
            Transport::Rfc2217 => {
                let folder = port.parent().expect("a folder");
                let (program, at) = ser2net(folder, "telnet(rfc2217),tcp", utf8(&port));
                server = Some(program);
                format!("rfc2217://127.0.0.1:{at}")
            }
        };
        if !v2 {
            url.push_str("?dialect=v1&reset=connect");
        }
        let max_mb = matches!(row.strike, Strike::Deed(Deed::FullDisk)).then_some("4");
        Table { place, board, port, plug, bridge, url, v2, max_mb, _sim: sim, _server: server }
    }

    /// Starts the run, or goes on with it.
    pub(crate) fn serve(&self) -> Child {
        let (db, pgn) = (self.place.db(), self.place.pgn());
        let mut command: Command = self.place.command(["run", "--board", &self.url]);
        command
            .args([
                "--engine",
                "stockfish",
                "--engine-limit",
                "nodes=50",
                "--engine-option",
                "Hash=1",
            ])
            .args(["--games", "1", "--max-plies", PLIES, "--board-patience", "90", "--log", "warn"])
            .args(["--db", utf8(&db), "--pgn", utf8(&pgn)]);
        if self.v2 {
            command.args(["--level", "600"]);
        }
        if let Some(mb) = self.max_mb {
            command.args(["--db-max-mb", mb]);
        }
        command.spawn().expect("rookery starts")
    }

    pub(crate) fn plies(&self) -> u64 {
        self.place.count("SELECT count(*) FROM plies")
    }

    pub(crate) fn bridge(&self) -> &Bridge {
        self.bridge.as_ref().expect("this deed is for transports with a bridge")
    }

    /// The board's buttons.
    pub(crate) fn control(&self) -> Control {
        Control::connect(&self.place.path("control"))
    }

    /// Leaves no room in the database, as others' files do on a disk.
    pub(crate) fn fill_the_disk(&self) {
        self.write(
            "db.execute('CREATE TABLE IF NOT EXISTS filler (x BLOB)')\n\
             db.execute('INSERT INTO filler VALUES (zeroblob(?))', (4_000_000,))",
        );
    }

    pub(crate) fn make_room(&self) {
        self.write("db.execute('DELETE FROM filler')");
    }

    fn write(&self, script: &str) {
        let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
        let script = format!(
            "import sqlite3, sys\ndb = sqlite3.connect(sys.argv[1], timeout=30)\n{script}\ndb.commit()"
        );
        let out = Command::new(python)
            .args(["-c", &script])
            .arg(self.place.db())
            .output()
            .expect("python3");
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }
}
