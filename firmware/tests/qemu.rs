//! The chip's program itself, on an emulated STM32: what it says is what the same engine says here.
//!
//! Where qemu-system-arm is missing, or Rust for the chip, nothing is tested, and a line says so.

mod common;

use std::time::{Duration, Instant};

use common::host::{Host, Rebooted};
use common::machine::{CELLS, Machine};
use rookery_board::hash_of;
use rookery_engine::{Cell, ChessEngine, Control, Limits, MicroMax, Params, Progress};
use rookery_protocol::{Activity, Command, MoveSource, MoveText, RebootTarget, Tag};

/// How much of the stack has to be left after everything that a test has made the board do.
const STACK_LEFT: u32 = 128;

fn think(tag: u8, nodes: u32) -> Command<'static> {
    Command::Think { tag: Tag(tag), nodes }
}

fn value(pairs: &[(String, String)], key: &str) -> String {
    let pair = pairs.iter().find(|(found, _)| found == key);
    pair.unwrap_or_else(|| panic!("no {key} in {pairs:?}")).1.clone()
}

/// A board and an engine that are told the same.
struct Both<'a> {
    host: Host,
    engine: MicroMax<'a>,
    tag: u8,
}

impl Both<'_> {
    fn position(&mut self, fen: &str) {
        self.host.position(fen).expect("a position");
        self.engine.set_position(fen).expect("a position");
    }

    fn play(&mut self, text: &str) {
        let command = Command::Moves {
            before: hash_of(self.engine.game()),
            moves: [text.parse::<MoveText>().expect("a move")].into_iter().collect(),
        };
        self.engine.play(text.parse().expect("a move")).expect("legal");
        let status = self.host.status(&command).expect("a move");
        assert_eq!(status.hash, hash_of(self.engine.game()), "after {text}");
    }

    /// Both think; every iteration, the move and the position behind it have to be the same.
    fn think(&mut self, nodes: u32) -> bool {
        if !self.engine.game().has_legal_move() {
            return false;
        }
        self.tag = self.tag.wrapping_add(1);
        self.host.telemetry.clear();
        self.host.status(&think(self.tag, nodes)).expect("a think is begun");
        let best = self.host.event().expect("a move");

        let limits = Limits { nodes, depth: Params::DEEPEST };
        let mut expected = Vec::new();
        let thought = self.engine.think(limits, &mut |progress| {
            if let Progress::Iteration(it) = progress {
                let mv = it.best.map_or("0000".to_owned(), |mv| mv.to_string());
                let nodes = u32::try_from(it.nodes).unwrap_or(0);
                let depth = u8::try_from(it.depth).unwrap_or(0).min(99);
                expected.push((depth, nodes, it.score, mv));
            }
            Control::Continue
        });
        // The board's telemetry gives way when the port is full, but not on this machine.
        let telemetry = self.host.telemetry.iter();
        let said: Vec<_> =
            telemetry.map(|it| (it.depth, it.nodes, it.score, it.best.to_string())).collect();
        assert_eq!(said, expected);
        assert_eq!(best.best.to_string(), thought.best.expect("a move").to_string());
        assert_eq!((best.tag, best.source), (Tag(self.tag), MoveSource::Search));
        assert_eq!((best.nodes as i32, best.score), (thought.nodes, thought.score));
        assert_eq!(best.hash, hash_of(self.engine.game()));
        true
    }
}

#[test]
fn it_thinks_as_the_engine_does_here() {
    let Some(machine) = Machine::start(false) else {
        return;
    };
    let mut cells = [Cell::EMPTY; CELLS];
    let mut both = Both {
        host: Host::connect(&machine.place),
        engine: MicroMax::new(&mut cells).expect("a power of two"),
        tag: 0,
    };
    let pairs = both.host.identify();
    assert_eq!(value(&pairs, "kind"), "qemu-stm32");
    assert_eq!(value(&pairs, "fw"), env!("CARGO_PKG_VERSION"));
    assert_eq!(value(&pairs, "cells"), CELLS.to_string());
    assert_eq!(value(&pairs, "hz"), "24000000");

    both.position("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8");
    for text in ["e1g1", "e8c8", "d3d4"] {
        both.play(text);
    }
    assert!(both.think(20_000));

    // A game against itself.
    both.position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let plies = (0..60).take_while(|_| both.think(1_500)).count();
    assert!(plies > 30, "{plies} plies");

    // Deep: few men, far to see.
    both.position("8/8/8/2k5/8/3KP3/8/8 w - - 0 1");
    assert!(both.think(100_000));
    // Long: every man is attacked by many.
    both.position("r1bq1rk1/ppp2ppp/2np1n2/2b1p1B1/2B1P3/2NP1N2/PPP2PPP/R2QK2R w KQ - 2 8");
    assert!(both.think(40_000));

    let pairs = both.host.identify();
    let left: u32 = value(&pairs, "stack").parse().expect("a number");
    println!("bytes of the stack never used: {left}");
    assert!(left >= STACK_LEFT, "{left} bytes of the stack left");
    assert_eq!(value(&pairs, "errors"), "0");
    assert_eq!((both.host.retries, both.host.bad_lines), (0, 0));
}

#[test]
fn it_answers_while_it_thinks_and_stops_when_told() {
    let Some(machine) = Machine::start(false) else {
        return;
    };
    let mut host = Host::connect(&machine.place);
    host.status(&think(9, 500_000_000)).expect("a think");
    for _ in 0..10 {
        let status = host.status(&Command::Ping).expect("a pong");
        assert_eq!(status.activity, Activity::Thinking);
    }
    assert_eq!(value(&host.identify(), "kind"), "qemu-stm32");
    let status = host.status(&Command::Stop).expect("a stop");
    assert_eq!(status.activity, Activity::Thinking);
    let asked = Instant::now();
    let best = host.event().expect("a move");
    assert_eq!((best.tag, best.source), (Tag(9), MoveSource::Stopped));
    println!("stopped after {:?}", asked.elapsed());
    assert!(asked.elapsed() < Duration::from_secs(20), "it thinks to its end");
}

#[test]
fn it_survives_a_bad_link() {
    let Some(machine) = Machine::start(false) else {
        return;
    };
    let mut host = Host::in_haste(&machine.place);
    let mut hash = host.status(&Command::Ping).expect("a pong").hash;
    for round in 0..30u8 {
        // Half a line, noise, bytes beyond ASCII, more than a line can hold, more than the ring can.
        let noise: Vec<u8> = match round % 5 {
            0 => b"\n>C".to_vec(),
            1 => vec![0xff; 40],
            2 => (0..=255).collect(),
            3 => vec![b'x'; 600],
            _ => b"\n\n>C0101 m*0000\n".to_vec(),
        };
        host.raw(&noise);
        host.status(&think(round, 200)).expect("a think");
        let best = host.event().expect("a move");
        assert_eq!(best.tag, Tag(round));
        assert_ne!(best.hash, hash);
        hash = best.hash;
        if round % 4 == 3 {
            host.hang_up();
        }
    }
    assert_eq!(host.status(&Command::Ping).expect("a pong").hash, hash);
}

#[test]
fn a_host_learns_of_a_reset() {
    let Some(machine) = Machine::start(false) else {
        return;
    };
    let mut host = Host::connect(&machine.place);
    let first = host.boot.expect("a name").0;
    // That of the reset before, where the host was there in time.
    host.banners.clear();
    let reboot = Command::Reboot(RebootTarget::App);
    host.status(&reboot).expect("a reset is acknowledged");
    assert_eq!(host.banner().0, first.wrapping_add(1));
    assert_eq!(host.sync(), Err(Rebooted));
    let loader = host.command(&Command::Reboot(RebootTarget::Loader));
    assert!(format!("{loader:?}").contains("Arg"), "{loader:?}");
}

/// A book is data: the program that plays from it is the same that finds none.
#[test]
fn it_plays_from_the_book_in_its_flash() {
    let start = rookery_engine::Game::new();
    let move_of = |text: &str| text.parse::<rookery_book::BookMove>().expect("a move");
    let positions = [(hash_of(&start), move_of("c2c4"))];
    let built = rookery_book::compact::build(&positions, 4096, |_| true).expect("a book").bytes;
    let crc = rookery_book::compact::Compact::open(&built).expect("a book").crc();
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut damaged = built.clone();
    *damaged.last_mut().expect("a byte") ^= 1;
    for (bytes, id, source) in [
        (&built, format!("{crc:08x},1"), MoveSource::Book),
        (&damaged, "-".to_owned(), MoveSource::Search),
    ] {
        std::fs::write(file.path(), bytes).expect("a file");
        let loader = format!("loader,file={},addr=0x08006800,force-raw=on", file.path().display());
        let more = ["-monitor", "none", "-device", &loader];
        let Some(qemu) = Machine::with(false, &more) else { return };
        let mut host = Host::connect(&qemu.place);
        assert_eq!(value(&host.identify(), "book"), id);
        host.status(&think(1, 500)).expect("a think");
        let best = host.event().expect("a move");
        assert_eq!(best.source, source);
        if source == MoveSource::Book {
            assert_eq!((best.best.as_str(), best.depth, best.nodes), ("c2c4", 0, 1));
        }
    }
}

/// The first positions of all games, breadth first, with a move for each that looks drawn.
fn openings(count: usize) -> Vec<(rookery_engine::Game, rookery_engine::Move)> {
    let mut found = vec![rookery_engine::Game::new()];
    let mut seen = std::collections::HashSet::from([hash_of(&found[0])]);
    let mut next = 0;
    while found.len() < count {
        for mv in found[next].legal_moves().iter().copied() {
            let mut game = found[next].clone();
            game.play(mv).expect("legal");
            if found.len() < count && seen.insert(hash_of(&game)) {
                found.push(game);
            }
        }
        next += 1;
    }
    let with_move = |(n, game): (usize, rookery_engine::Game)| {
        let moves = game.legal_moves();
        let mv = moves[n * 7 % moves.len()];
        (game, mv)
    };
    found.into_iter().enumerate().map(with_move).collect()
}

/// The largest book that fits, in its own pages behind the program: over a thousand positions, found from the first to the last, followed
/// along lines, and left where it ends.
#[test]
fn it_plays_from_a_book_of_a_thousand_positions_and_leaves_it() {
    const POSITIONS: usize = 1_005;
    let known = openings(POSITIONS);
    let entries: Vec<_> = known
        .iter()
        .map(|(game, mv)| {
            let mv: rookery_book::BookMove = mv.to_string().parse().expect("a move");
            (hash_of(game), mv)
        })
        .collect();
    let built =
        rookery_book::compact::build(&entries, rookery_book::compact::REGION_BYTES, |_| true);
    let built = built.expect("a book").bytes;
    let book = rookery_book::compact::Compact::open(&built).expect("a book");
    assert_eq!((book.len(), built.len()), (POSITIONS, rookery_book::compact::REGION_BYTES));
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), &built).expect("a file");
    let loader = format!("loader,file={},addr=0x08006800,force-raw=on", file.path().display());
    let Some(qemu) = Machine::with(false, &["-monitor", "none", "-device", &loader]) else {
        return;
    };
    let mut host = Host::connect(&qemu.place);
    assert_eq!(value(&host.identify(), "book"), format!("{:08x},{POSITIONS}", book.crc()));

    let (mut tag, mut left) = (0_u8, 0_u8);
    // All that the first move leads to begin lines of several moves; the others are found wherever they stand in the book.
    let some = known.iter().skip(21).step_by(POSITIONS / 40);
    for (game, _) in known.iter().take(21).chain(some).chain(known.last()) {
        let mut game = game.clone();
        // From there on its own: book against book, until a position that the book does not have.
        loop {
            let mut fen = String::new();
            game.write_fen(&mut fen).expect("a String takes everything");
            host.position(&fen).expect("a position");
            tag += 1;
            host.status(&think(tag, 200)).expect("a think");
            let best = host.event().expect("a move");
            let Some(mv) = book.probe(hash_of(&game)) else {
                assert_eq!(best.source, MoveSource::Search, "{fen}");
                left += 1;
                break;
            };
            let said = (best.source, best.best.to_string(), best.depth, best.nodes);
            assert_eq!(said, (MoveSource::Book, mv.to_string(), 0, 1), "{fen}");
            game.play(mv.to_string().parse().expect("a move")).expect("legal");
            assert_eq!(best.hash, hash_of(&game), "after {mv} in {fen}");
        }
    }
    assert!(left > 60 && tag - left > 80, "{tag} moves, {left} out of the book");
    println!("{tag} moves, {left} of them out of the book");
}
