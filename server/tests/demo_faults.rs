//! The demo, as anybody would start it: clean, and with every fault of the simulated link switched on at once.

mod run_support;

use run_support::{Place, utf8};
use serde_json::Value;
use std::collections::BTreeMap;

fn demo(place: &Place, seed: u32, more: &[&str]) -> Vec<Value> {
    let (db, pgn, seed) = (place.db(), place.pgn(), seed.to_string());
    let args = [
        "demo",
        "--games",
        "4",
        "--level",
        "3000",
        "--exit",
        "--seed",
        &seed,
        "--listen",
        "127.0.0.1:0",
        "--db",
        utf8(&db),
        "--pgn",
        utf8(&pgn),
    ];
    let done = place.rookery(args.iter().chain(more)).ok();
    assert!(done.stdout.contains("Simulated board against"), "{}", done.stdout);
    place.natural_games(4, &[])
}

/// Link events that a link without faults cannot have.
const HARM: &str = "'bad_crc', 'malformed', 'too_long', 'partial', 'echo', 'nak_crc', 'move_lost', 'rebooted', 'position_differs'";

#[test]
fn four_games_are_legal_from_start_to_end_in_the_database_and_in_the_pgn() {
    let place = Place::new();
    demo(&place, 1, &[]);
    let plies =
        place.sql("SELECT count(*) FROM plies WHERE mover = 'first' AND nodes > 0 AND depth > 0");
    assert!(plies[0].parse::<u32>().unwrap() > 50, "{plies:?}");
    let iterations = place.sql(
        "SELECT count(*) FROM plies p WHERE mover = 'first' AND NOT book AND NOT EXISTS \
         (SELECT 1 FROM iterations i WHERE i.game_id = p.game_id AND i.ply = p.ply)",
    );
    // A loaded machine may be late with an answer, which is asked for again then; what it sends is whole.
    let late = place.count("SELECT count(*) FROM link_events WHERE kind = 'timeout'") > 0;
    assert!(
        late || iterations == ["0"],
        "every think of the board has its iterations: {iterations:?}"
    );
    let harm = place.sql(&format!("SELECT kind, detail FROM link_events WHERE kind IN ({HARM})"));
    assert!(harm.is_empty(), "a clean link: {harm:?}");
}

#[test]
fn a_demo_can_be_repeated_exactly() {
    let moves = |place: &Place| {
        place.sql("SELECT game_id, ply, uci, nodes FROM plies WHERE mover = 'first' ORDER BY 1, 2")
    };
    let (one, two) = (Place::new(), Place::new());
    demo(&one, 7, &[]);
    demo(&two, 7, &[]);
    assert_eq!(moves(&one), moves(&two));
}

fn with_every_fault(seed: u32) {
    let place = Place::new();
    let log = place.path("faults.log");
    demo(&place, seed, &["--faults", "all", "--fault-log", utf8(&log)]);
    let text = place.text("faults.log");
    let last: Value = serde_json::from_str(text.lines().last().expect("totals")).expect("JSON");
    let injected = |kind: &str| last["totals"][kind].as_u64().expect("a count");
    let counts: BTreeMap<String, u64> = place
        .sql("SELECT kind, count(*) FROM link_events GROUP BY kind")
        .iter()
        .filter_map(|row| row.split_once('|'))
        .map(|(kind, n)| (kind.to_owned(), n.parse().expect("a number")))
        .collect();
    let seen =
        |kinds: &[&str]| kinds.iter().map(|k| counts.get(*k).copied().unwrap_or(0)).sum::<u64>();
    let damage = ["bad_crc", "malformed", "too_long", "partial", "nak_crc", "timeout"];
    let rows: [(&str, &[&str]); 15] = [
        ("lose", &damage),
        ("run", &damage),
        ("dup-bytes", &damage),
        ("merge", &damage),
        ("split", &damage),
        ("flip7", &damage),
        ("flip8", &damage),
        ("swap", &damage),
        ("pause", &["partial", "timeout", "retransmitted"]),
        (
            "dup-line",
            &["stale_reply", "duplicate_event", "wrong_session", "telemetry_gap", "nak_seq"],
        ),
        ("echo", &["echo"]),
        ("stall", &["timeout", "drained"]),
        ("silence", &["timeout", "drained"]),
        ("drop", &["disconnected"]),
        ("reboot", &["rebooted"]),
    ];
    let kinds = rows.iter().filter(|(kind, _)| injected(kind) > 0).count();
    assert!(kinds >= 13, "only {kinds} kinds of fault struck: {last}");
    for (kind, events) in rows {
        if injected(kind) > 0 {
            assert!(
                seen(events) > 0,
                "{kind} struck {} times and is nowhere in {counts:?}",
                injected(kind)
            );
        }
    }
    assert!(seen(&["disconnected"]) >= injected("drop"), "{counts:?} {last}");
    assert!(seen(&["rebooted"]) <= injected("reboot"), "{counts:?} {last}");
    assert!(
        seen(&damage) * 2 >= injected("lose") + injected("flip7") + injected("swap"),
        "{counts:?} {last}"
    );
    assert_eq!(seen(&["position_differs"]), 0, "host and board differed: {counts:?}");
}

macro_rules! seeds {
    ($($name:ident: $seed:literal,)*) => {
        mod every_fault_at_once {
            $(#[test] fn $name() { super::with_every_fault($seed) })*
        }
    };
}

seeds! {
    seed_1: 1, seed_2: 2, seed_3: 3, seed_4: 4, seed_5: 5, seed_6: 6, seed_7: 7, seed_8: 8, seed_9: 9, seed_10: 10,
    seed_11: 11, seed_12: 12, seed_13: 13, seed_14: 14, seed_15: 15, seed_16: 16, seed_17: 17, seed_18: 18,
    seed_19: 19, seed_20: 20,
}
