//! The session against the protocol's own device side, over a channel that does every harm, in virtual time: whatever happens, the
//! invariants of the protocol's section 9 hold. A failure names its seed; `LINK_LIVES` asks for more of them.

mod link_support;

use link_support::*;
use rand::RngExt;
use rookery_protocol::{Command, ParamKey, Tag};
use rookery_server::{
    api::LinkState,
    link::{Timing, v2::session::Outcome},
    model::LinkEventKind::{self, *},
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::Duration,
};

/// What all lives together have come to.
#[derive(Debug, Default)]
struct Tally {
    events: u64,
    /// The longest from a clean channel to a session.
    session: Duration,
    /// The longest from a clean channel to the last answer.
    answers: Duration,
    give_ups: u64,
    counts: BTreeMap<&'static str, u64>,
}

/// Harm, then peace, several times over. What the world checks in peace is the test.
fn life(seed: u64, doubling: bool, tally: &mut Tally) {
    let timing = if seed.is_multiple_of(2) { Timing::WIFI } else { Timing::WIRE };
    let latency = [1, 5, 40][(seed % 3) as usize];
    let mut world = World::new(seed, timing, Duration::from_millis(latency));
    world.doubling = doubling;
    world.run_millis(700);
    for _ in 0..6 {
        let mut faults = Faults::all([0.0, 0.003, 0.02, 0.1, 0.3][world.rng.random_range(0..5)]);
        if !doubling {
            (faults.duplicate, faults.swap, faults.echo) = (0.0, 0.0, 0.0);
        }
        world.faults = faults;
        let hazards = world.rng.random_range(0.0..0.2);
        for _ in 0..world.rng.random_range(10..80) {
            if world.pending.len() < 4 && world.rng.random_bool(0.7) {
                world.submit_any();
            }
            let pause = world.rng.random_range(0..400);
            world.run_millis(pause);
            if world.rng.random_bool(hazards) {
                hazard(&mut world);
            }
        }
        let (session, answers) = world.settle();
        tally.session = tally.session.max(session);
        tally.answers = tally.answers.max(answers);
    }
    tally.events += world.events;
    tally.give_ups += world.give_ups;
    for (kind, count) in world.counts {
        *tally.counts.entry(kind.as_str()).or_insert(0) += count;
    }
}

/// Something happens to one of the three: connection, board, server.
fn hazard(world: &mut World) {
    let stale = world.rng.random_bool(0.5);
    let again = Duration::from_millis(world.rng.random_range(0..3000));
    match world.rng.random_range(0..7) {
        0 => world.disconnect(stale, again),
        1 => world.reset(),
        2 => {
            world.reset();
            let pause = world.rng.random_range(0..100);
            world.run_millis(pause);
            world.reset();
        }
        3 => {
            // A command is half under way.
            world.submit_any();
            world.reset();
        }
        4 => {
            world.submit(&Command::Think { tag: Tag(0), nodes: 0 }, Key::Quiet);
            let pause = world.rng.random_range(0..50);
            world.run_millis(pause);
            world.disconnect(stale, again);
        }
        5 => {
            world.disconnect(stale, again);
            world.reset();
        }
        _ => world.restart_host(),
    }
}

fn lives(seeds: std::ops::Range<u64>, doubling: bool) {
    let mut tally = Tally::default();
    for seed in seeds {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| life(seed, doubling, &mut tally))) {
            eprintln!("the seed was {seed}");
            resume_unwind(panic);
        }
    }
    println!("{tally:?}");
    assert!(tally.session <= Duration::from_secs(5));
    // Nearly every kind of event must have been met, or the harm is none. These are of the transport and of the session's user.
    let others = [ConnectFailed, MoveLost, PositionDiffers, PositionPushed];
    for kind in LinkEventKind::ALL.into_iter().filter(|kind| !others.contains(kind)) {
        let met = tally.counts.contains_key(kind.as_str());
        assert!(met || !doubling, "{} never came", kind.as_str());
    }
}

fn lives_wanted() -> u64 {
    std::env::var("LINK_LIVES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000)
}

#[test]
fn every_harm_at_once_breaks_no_invariant() {
    lives(0..lives_wanted(), true);
}

#[test]
fn harm_without_doubled_lines_executes_nothing_in_two_boots() {
    lives(1_000_000..1_000_000 + lives_wanted(), false);
}

/// One kind of harm alone, for long, and what of it must be seen.
#[track_caller]
fn alone(faults: Faults, seen: &[LinkEventKind]) {
    for timing in [Timing::WIFI, Timing::WIRE] {
        let mut world = World::new(3, timing, Duration::from_millis(2));
        for _ in 0..5 {
            world.faults = faults;
            for _ in 0..100 {
                if world.pending.len() < 4 {
                    world.submit_any();
                }
                world.run_millis(150);
            }
            world.settle();
        }
        for kind in seen {
            assert!(world.count(*kind) > 0, "no {kind:?} in {:?}", world.counts);
        }
        // Nothing else was harmed than the channel.
        assert_eq!(world.count(Rebooted), 0);
        let refused = |outcome: &&Outcome| **outcome == Outcome::Unknown;
        assert_eq!(world.outcomes.values().filter(refused).count(), 0);
    }
}

#[test]
fn a_clean_channel_is_quiet() {
    let mut world = World::new(1, Timing::WIRE, Duration::from_millis(2));
    for _ in 0..300 {
        if world.pending.len() < 4 {
            world.submit_any();
        }
        world.run_millis(100);
    }
    world.run_millis(10_000);
    world.settle();
    let counted: Vec<_> = world.counts.into_iter().collect();
    assert_eq!(counted, [(Connected, 1), (Synced, 1), (Drained, 1)]);
}

#[test]
fn lost_bytes_are_seen() {
    alone(Faults { loss: 0.002, ..Faults::NONE }, &[BadCrc, NakCrc, Retransmitted]);
}

#[test]
fn lost_runs_are_seen() {
    alone(Faults { run: 0.1, ..Faults::NONE }, &[Malformed, NakCrc, Retransmitted, TelemetryGap]);
}

#[test]
fn doubled_lines_are_seen() {
    alone(Faults { duplicate: 0.1, ..Faults::NONE }, &[StaleReply, DuplicateEvent]);
}

#[test]
fn swapped_lines_and_bytes_are_seen() {
    alone(Faults { swap: 0.1, ..Faults::NONE }, &[BadCrc, NakCrc, Timeout]);
}

#[test]
fn merged_lines_are_seen() {
    alone(Faults { merge: 0.1, ..Faults::NONE }, &[Partial, Timeout, Retransmitted]);
}

#[test]
fn split_lines_are_seen() {
    alone(Faults { split: 0.1, ..Faults::NONE }, &[Malformed, Partial, NakCrc]);
}

#[test]
fn flipped_bits_are_seen() {
    alone(Faults { flip: 0.002, ..Faults::NONE }, &[BadCrc, NakCrc, Retransmitted]);
}

#[test]
fn echoes_are_seen() {
    alone(Faults { echo: 0.2, ..Faults::NONE }, &[Echo]);
}

#[test]
fn stalls_are_seen() {
    alone(Faults { stall: 0.05, ..Faults::NONE }, &[Timeout, Retransmitted, Drained]);
}

#[test]
fn noise_is_seen() {
    alone(Faults { noise: 0.1, ..Faults::NONE }, &[Malformed, TooLong]);
}

fn param(value: i32) -> Command<'static> {
    Command::Param { key: ParamKey::Pawn, value }
}

#[test]
fn a_reset_at_any_moment_of_a_command_executes_it_at_most_once() {
    // Every millisecond from its submission to its answer and beyond, once and twice in a row.
    for twice in [false, true] {
        for millis in 0..60 {
            let mut world = World::new(millis, Timing::WIRE, Duration::from_millis(10));
            world.doubling = false;
            world.run_millis(500);
            assert_eq!(world.state, LinkState::Ready);
            let key = |n| Key::Unique(Call::Param(n));
            let ids = [1, 2, 3].map(|n| world.submit(&param(n), key(n)));
            world.run_millis(millis);
            world.reset();
            if twice {
                world.run_millis(millis % 7);
                world.reset();
            }
            world.settle();
            for id in ids {
                let outcome = &world.outcomes[&id];
                assert!(matches!(outcome, Outcome::Done(_) | Outcome::Unknown), "{outcome:?}");
            }
            // What came after the reset was executed by nobody.
            assert!(
                world.board.log().iter().all(|e| e.boot.0 == 0xb007),
                "{:?}",
                world.board.log()
            );
            assert_eq!(world.count(Rebooted), 1);
        }
    }
}

#[test]
fn a_reset_in_the_middle_of_a_think_is_noticed_and_its_move_never_comes() {
    for millis in [0, 5, 50, 500] {
        let mut world = World::new(millis, Timing::WIFI, Duration::from_millis(5));
        world.run_millis(500);
        // A think of 1.2 s.
        let nodes = (1..).find(|n| (1100..1300).contains(&pace(*n))).unwrap();
        world.submit(&Command::Think { tag: Tag(1), nodes }, Key::Unique(Call::Think(nodes)));
        world.run_millis(20 + millis);
        assert!(world.board.is_thinking());
        world.reset();
        world.run_millis(3000);
        assert_eq!((world.count(Rebooted), world.board.made.len()), (1, 0));
        assert_eq!(world.state, LinkState::Ready);
    }
}

#[test]
fn a_reset_without_a_banner_is_noticed_within_five_seconds() {
    for timing in [Timing::WIFI, Timing::WIRE] {
        let mut world = World::new(1, timing, Duration::from_millis(5));
        world.run_millis(1000);
        world.faults = Faults { run: 1.0, ..Faults::NONE };
        world.reset();
        let (session, _) = world.settle();
        assert!(session > Duration::from_secs(1), "the banner was lost: {session:?}");
        assert_eq!(world.count(Rebooted), 1);
    }
}

#[test]
fn a_new_server_goes_on_where_the_board_is() {
    let mut world = World::new(1, Timing::WIRE, Duration::from_millis(2));
    world.run_millis(500);
    for value in 1..300 {
        world.submit(&param(value), Key::Unique(Call::Param(value)));
    }
    world.run_millis(3000);
    for value in 300..310 {
        world.restart_host();
        world.run_millis(500);
        let id = world.submit(&param(value), Key::Unique(Call::Param(value)));
        world.settle();
        assert!(matches!(world.outcomes[&id], Outcome::Done(_)));
    }
    assert_eq!(world.board.log().len(), 309);
    assert_eq!((world.count(Retransmitted), world.count(NakSeq)), (0, 0));
}

#[test]
fn old_lines_that_are_read_again_after_a_reopen_are_nobodys() {
    for seed in 0..40 {
        let mut world = World::new(seed, Timing::WIRE, Duration::from_millis(20));
        world.run_millis(500);
        let id = world.submit(&param(1), Key::Unique(Call::Param(1)));
        // The answer is under way, and so is a move.
        world.submit_any();
        world.run_millis(25 + seed);
        world.disconnect(true, Duration::from_millis(100));
        world.settle();
        assert!(matches!(world.outcomes[&id], Outcome::Done(_)));
    }
}
