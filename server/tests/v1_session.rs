//! The session of the old dialect against such a board, over a line that does every harm, in virtual time: whatever happens, the moves
//! of a game are the same on both sides, or the board is led back to them. A failure names its seed; `LINK_LIVES` asks for more of them.

mod link_support;
mod v1_support;

use link_support::Faults;
use rand::RngExt;
use rookery_server::{
    link::{
        Placement, Timing,
        transport::Reset,
        v1::{Failure, Goal, SessionEvent},
    },
    model::LinkEventKind::{self, *},
};
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::Arc,
    time::Duration,
};
use v1_support::World;

const CONNECT: Option<Reset> = Some(Reset::Connect);

/// What all lives together have come to.
#[derive(Debug, Default)]
struct Tally {
    events: u64,
    plies: u32,
    games: u32,
    thinks: u32,
    boots: u32,
    by_hand: u32,
    failures: usize,
    counts: BTreeMap<&'static str, u64>,
}

impl Tally {
    fn add(&mut self, world: &World) {
        self.events += world.events;
        self.plies += world.plies;
        self.games += world.games;
        self.thinks += world.board.thinks;
        self.boots += world.board.boots;
        self.by_hand += world.by_hand;
        self.failures += world.failures.len();
        for (kind, count) in &world.counts {
            *self.counts.entry(kind.as_str()).or_insert(0) += count;
        }
    }
}

fn timing(seed: u64) -> Timing {
    if seed.is_multiple_of(2) { Timing::WIFI } else { Timing::WIRE }
}

/// Losses and delays alone.
fn losses(rate: f64) -> Faults {
    Faults { loss: rate / 20.0, run: rate, merge: rate, stall: rate / 2.0, ..Faults::NONE }
}

/// Everything that can happen to a stream of bytes: nothing in it overtakes anything.
fn all(rate: f64) -> Faults {
    Faults { swap: 0.0, ..Faults::all(rate) }
}

/// Harm, then peace, several times over.
fn life(seed: u64, reset: Option<Reset>, harm: fn(f64) -> Faults, only_losses: bool) -> World {
    let mut world = World::new(seed, timing(seed), reset);
    world.only_losses = only_losses;
    world.play(Duration::from_secs(20), 3);
    for _ in 0..3 {
        let rates = [0.003, 0.02, 0.06, 0.2];
        world.faults = harm(rates[world.rng.random_range(0..rates.len())]);
        for _ in 0..world.rng.random_range(1..8) {
            let (seconds, plies) = (world.rng.random_range(1..40), world.rng.random_range(1..8));
            world.play(Duration::from_secs(seconds), plies);
            let stale = !only_losses && world.rng.random_bool(0.5);
            let again = Duration::from_millis(world.rng.random_range(0..4000));
            match world.rng.random_range(0..8) {
                0 => world.disconnect(stale, again),
                1 if !only_losses => world.press_reset(),
                2 if !only_losses => {
                    // Twice in a row, the second while the first is not yet noticed.
                    world.press_reset();
                    let pause = world.rng.random_range(0..300);
                    world.play(Duration::from_millis(pause), 1);
                    world.press_reset();
                }
                3 if !only_losses => {
                    world.disconnect(stale, again);
                    world.press_reset();
                }
                4 => world.new_game(),
                _ => {}
            }
        }
        world.settle();
    }
    world
}

fn lives(
    first: u64,
    share: u64,
    reset: Option<Reset>,
    harm: fn(f64) -> Faults,
    only_losses: bool,
) -> Tally {
    let wanted = std::env::var("LINK_LIVES").ok().and_then(|n| n.parse().ok()).unwrap_or(4000);
    let mut tally = Tally::default();
    for seed in first..first + wanted / share {
        match catch_unwind(AssertUnwindSafe(|| life(seed, reset, harm, only_losses))) {
            Ok(world) => tally.add(&world),
            Err(panic) => {
                eprintln!("the seed was {seed}");
                resume_unwind(panic);
            }
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn where_the_line_only_loses_no_move_is_made_twice_and_none_is_another() {
    let tally = lives(0, 20, CONNECT, losses, true);
    for kind in [Timeout, Retransmitted, Drained, PositionDiffers, Malformed] {
        assert!(tally.counts.contains_key(kind.as_str()), "{} never came", kind.as_str());
    }
}

#[test]
fn whatever_the_line_does_a_move_is_the_boards_own_in_the_games_position() {
    lives(1_000_000, 20, CONNECT, all, false);
}

#[test]
fn a_board_that_only_a_person_can_reset_gets_there_as_well() {
    let tally = lives(2_000_000, 40, None, all, false);
    assert!(tally.by_hand > 0);
}

#[test]
fn a_clean_line_needs_no_repair() {
    for reset in [CONNECT, None] {
        let mut world = World::new(5, Timing::WIRE, reset);
        world.only_losses = reset.is_some();
        world.play(Duration::from_secs(4000), 200);
        assert_eq!(world.plies, 200, "{:?}", world.counts);
        let unwanted: [LinkEventKind; 6] =
            [Timeout, Retransmitted, PositionDiffers, SyncFailed, PingMissed, Malformed];
        for kind in unwanted {
            assert_eq!(world.count(kind), 0, "{kind:?} in {:?}", world.counts);
        }
        assert!(world.books > 10, "{}", world.books);
        assert_eq!(world.board.thinks, 200);
        match reset {
            // Once for each game, and for the first connection.
            Some(_) => assert!(world.board.boots <= world.games + 1),
            None => assert!(world.by_hand < world.games),
        }
    }
}

#[test]
fn a_promotion_without_words_is_refused_by_name() {
    let mut world = World::new(1, Timing::WIRE, CONNECT);
    world.play(Duration::from_secs(60), 1);
    assert_eq!(world.plies, 1);
    let mv = "b7a8n".parse().unwrap();
    let placement = Arc::new(Placement { moves: vec![mv], ..Placement::default() });
    world.session.set_goal(Goal { placement, think: true }, world.now);
    let events: Vec<_> = std::iter::from_fn(|| world.session.poll_event()).collect();
    assert!(events.contains(&SessionEvent::Failed(Failure::Unsayable(mv))), "{events:?}");
    assert!(world.session.poll_transmit().is_none(), "nothing is sent");
}
