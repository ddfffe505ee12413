//! The chip's own program, on an emulated STM32, plays whole games through the real server; afterwards the engine of the host is told what the
//! chip was told, and every think has to be the same, iteration by iteration, on the chip, on the host and in the store.
//!
//! Where qemu-system-arm is missing, or Rust for the chip, nothing is tested, and a line says so.

mod chip_support;
mod run_support;

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

use chip_support::machine::Machine;
use chip_support::replica::{Row, Think, replay, row};
use chip_support::tape::Item;
use chip_support::wire::{Losses, Wire};
use run_support::{Place, until, utf8};

/// The command that plays on a board.
fn run(place: &Place, wire: &Wire, level: &str, games: &str) -> std::process::Child {
    let limit = ["--engine-limit", "nodes=3000", "--engine-option", "Hash=1"];
    let more = ["--level", level, "--games", games];
    place.board_run(&wire.url, &[limit, more].concat()).spawn().expect("rookery starts")
}

/// The games, of which host and chip have had the same idea throughout.
#[track_caller]
fn natural_games(place: &Place, count: usize) {
    place.natural_games(count, &[]);
    let differing = place.count("SELECT count(*) FROM link_events WHERE kind = 'position_differs'");
    assert_eq!(differing, 0, "host and chip differed");
}

/// The board's moves as the store has them, with the iterations that have arrived.
struct Stored {
    what: String,
    best: Row,
    iterations: Vec<Row>,
}

fn fields(line: &str) -> Row {
    let fields: Vec<&str> = line.split('|').collect();
    let number = |at: usize| fields[at].parse::<i64>().expect("a number");
    let small = |at| u8::try_from(number(at)).expect("a depth");
    let nodes = u32::try_from(number(1)).expect("nodes");
    (small(0), nodes, i32::try_from(number(2)).expect("a score"), fields[3].to_owned())
}

fn stored(place: &Place) -> Vec<Stored> {
    let plies = place.sql(
        "SELECT depth, nodes, score_raw, uci, game_id, ply FROM plies WHERE mover = 'first' ORDER BY game_id, ply",
    );
    let iterations = place.sql(
        "SELECT depth, nodes, score_raw, pv, game_id, ply FROM iterations WHERE mover = 'first' ORDER BY game_id, ply, n",
    );
    let key = |line: &str| line.splitn(5, '|').last().expect("five fields").to_owned();
    plies
        .iter()
        .map(|ply| Stored {
            what: format!("game and ply {}", key(ply)),
            best: fields(ply),
            iterations: iterations
                .iter()
                .filter(|it| key(it) == key(ply))
                .map(|it| fields(it))
                .collect(),
        })
        .collect()
}

/// Whether the link had no trouble but these. On a machine that is very busy the server may give up waiting and begin a session anew; what was
/// on its way then is dropped, telemetry with it.
fn quiet(place: &Place, but: &[&str]) -> bool {
    let usual = ["connected", "drained", "synced", "disconnected", "position_pushed"];
    let kinds = place.sql("SELECT DISTINCT kind FROM link_events");
    let trouble: Vec<&String> =
        kinds.iter().filter(|kind| !usual.iter().chain(but).any(|known| known == kind)).collect();
    if !trouble.is_empty() {
        println!("telemetry may be missing: {trouble:?}");
    }
    trouble.is_empty()
}

/// Every move of the store is the one of the think in its place. `all`: so are all iterations; otherwise those that have arrived.
#[track_caller]
fn compare(stored: &[Stored], thinks: &[Think], all: bool) {
    let mut thinks = thinks.iter();
    for ply in stored {
        // Those that a reset has cut off were begun again, and left what had arrived of them.
        let mut said = Vec::new();
        let best = loop {
            let think = thinks.next().unwrap_or_else(|| panic!("no think for {}", ply.what));
            said.extend(think.iterations.iter().map(row));
            if let Some(best) = &think.best {
                break best;
            }
        };
        let best = (best.depth, best.nodes, best.score, best.best.to_string());
        assert_eq!(ply.best, best, "{}: the store (left) and the chip (right)", ply.what);
        if all {
            assert_eq!(ply.iterations, said, "{}: the store (left), the chip (right)", ply.what);
        } else {
            let mut said = said.iter();
            for it in &ply.iterations {
                assert!(
                    said.any(|other| other == it),
                    "{}: the chip has not said {it:?}",
                    ply.what
                );
            }
        }
    }
    assert_eq!(thinks.count(), 0, "thinks whose moves are not in the store");
}

#[test]
fn whole_games_are_those_of_the_hosts_engine() {
    let Some(machine) = Machine::start(true) else { return };
    let (place, wire) = (Place::new(), Wire::start(&machine.place, Losses::NONE));
    place.finish(run(&place, &wire, "2000", "2")).ok();
    natural_games(&place, 2);

    let thinks = replay(&wire.tape().items);
    let stored = stored(&place);
    compare(&stored, &thinks, quiet(&place, &[]));
    assert!(stored.len() > 20, "{} moves", stored.len());
    let iterations: usize = stored.iter().map(|ply| ply.iterations.len()).sum();
    println!("{} moves and {iterations} iterations", stored.len());
    assert!(iterations > 3 * stored.len(), "{iterations} iterations");
}

fn with_losses(seed: u64) {
    let Some(machine) = Machine::start(true) else { return };
    let losses = Losses { seed, rates: [1.0 / 250.0, 1.0 / 600.0] };
    let (place, wire) = (Place::new(), Wire::start(&machine.place, losses));
    place.finish(run(&place, &wire, "2000", "1")).ok();
    natural_games(&place, 1);

    let [to_chip, from_chip] = wire.struck();
    println!("lost {to_chip} times on the way to the chip, {from_chip} times on the way back");
    assert!(to_chip > 2 && from_chip > 2, "{to_chip} {from_chip}");
    let damage = place.count(
        "SELECT count(*) FROM link_events WHERE kind IN ('bad_crc', 'malformed', 'too_long', 'partial', 'nak_crc', 'timeout')",
    );
    assert!(damage > 0, "the server has seen nothing of it");
    let thinks = replay(&wire.tape().items);
    let stored = stored(&place);
    compare(&stored, &thinks, false);
    let arrived: usize = stored.iter().map(|ply| ply.iterations.len()).sum();
    assert!(arrived > 2 * stored.len(), "{arrived} iterations of {} moves", stored.len());
}

#[test]
fn lost_bytes_change_nothing_seed_1() {
    with_losses(1);
}

#[test]
fn lost_bytes_change_nothing_seed_2() {
    with_losses(2);
}

/// Somebody at the machine's reset button.
struct Monitor(UnixStream);

impl Monitor {
    fn connect(path: &str) -> Monitor {
        let mut stream = None;
        until("the machine's monitor", || {
            stream = UnixStream::connect(path).ok();
            stream.is_some()
        });
        Monitor(stream.expect("connected"))
    }

    fn reset(&mut self) {
        self.0.write_all(b"system_reset\n").expect("the monitor listens");
    }
}

/// How many thinks a reset has cut off.
fn cut_off(items: &[Item]) -> usize {
    let (mut cut, mut thinking) = (0, false);
    for item in items {
        match item {
            Item::Told(payload) if payload.starts_with('t') => thinking = true,
            Item::Told(_) | Item::Iteration(_) => {}
            Item::Best(_) => thinking = false,
            Item::Reset(_) => cut += usize::from(std::mem::take(&mut thinking)),
        }
    }
    cut
}

#[test]
fn a_reset_in_the_middle_of_a_think_is_one_more_think() {
    let place = Place::new();
    let path = place.path("monitor");
    let monitor = format!("unix:{},server,nowait", utf8(&path));
    let Some(machine) = Machine::with(true, &["-monitor", &monitor]) else { return };
    let wire = Wire::start(&machine.place, Losses::NONE);
    let mut child = run(&place, &wire, "10000", "1");
    let mut monitor = Monitor::connect(utf8(&path));

    // When it has thought a while about its third move, and again in a later one.
    let mut cut = 0;
    for moves in [2, 5, 6, 7, 8] {
        until("a think", || {
            let ended = child.try_wait().expect("a child of ours");
            assert!(ended.is_none(), "{ended:?}\n{}", place.text("stderr"));
            let tape = wire.tape();
            let best = |item: &Item| matches!(item, Item::Best(_));
            let done = tape.items.iter().filter(|item| best(item)).count();
            let since = tape.items.iter().rev().take_while(|item| !best(item));
            done >= moves && since.filter(|item| matches!(item, Item::Iteration(_))).count() >= 3
        });
        let resets = |wire: &Wire| {
            wire.tape().items.iter().filter(|item| matches!(item, Item::Reset(_))).count()
        };
        let before = resets(&wire);
        monitor.reset();
        until("the machine is reset", || resets(&wire) > before);
        cut = cut_off(&wire.tape().items);
        if cut == 2 {
            break;
        }
    }
    assert_eq!(cut, 2, "no reset came in the middle of a think");
    place.finish(child).ok();
    natural_games(&place, 1);

    let rebooted = place.count("SELECT count(*) FROM link_events WHERE kind = 'rebooted'");
    assert!(rebooted >= 2, "{rebooted}");
    let thinks = replay(&wire.tape().items);
    assert_eq!(thinks.iter().filter(|think| think.best.is_none()).count(), 2);
    compare(&stored(&place), &thinks, quiet(&place, &["rebooted"]));

    let mut said = Vec::new();
    monitor.0.set_nonblocking(true).expect("a socket");
    let _ = monitor.0.read_to_end(&mut said);
    assert!(!String::from_utf8_lossy(&said).contains("unknown"), "the monitor: {said:?}");
}
