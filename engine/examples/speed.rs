//! Times the engine and the plain search of its tests (`tests/support/plain.rs`) on the same trees, one after the other: `make bench` calls it.
//!
//! A line a position: nodes, then seconds of the engine and of the plain search on the processor, which other programs do not count into.

#![allow(clippy::unwrap_used, dead_code, unreachable_pub)]

#[path = "../tests/support/plain.rs"]
mod plain;

use plain::Plain;
use rookery_engine::{Cell, ChessEngine, Control, Limits, MicroMax, Params};

const CELLS: usize = 512;
const BUDGET: u32 = 200_000;

/// Seconds that this thread has been on a processor (Linux).
fn seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}

fn main() {
    for game in std::env::args().skip(1) {
        let mut cells = [Cell::EMPTY; CELLS];
        let mut engine = MicroMax::new(&mut cells).unwrap();
        engine.set_params(Params { node_budget: BUDGET, ..Params::CLASSIC });
        let mut plain = Plain::new(CELLS, BUDGET as i32);
        for text in game.split_whitespace() {
            engine.play(text.parse().unwrap()).unwrap();
            assert!(plain.enter(text), "{text}");
        }
        let begun = seconds();
        let thought = engine.think(Limits::NONE, &mut |_| Control::Continue);
        let between = seconds();
        let best = plain.think();
        let (engine_took, plain_took) = (between - begun, seconds() - between);
        assert_eq!((thought.best.map(|mv| mv.to_string()), thought.total), (best, plain.total()));
        println!("{} {engine_took} {plain_took}", thought.total);
    }
}
