//! What depth a think tells of when the position, not the budget, ends it. Telemetry depends on it (docs/telemetry.md).

#![allow(clippy::unwrap_used)]

mod support;

use rookery_engine::{Cell, ChessEngine, Control, Limits, Params, Thought};
use support::{enter, micro_max};

/// Cells of a board, of its larger builds, and of a host.
const CELLS: [usize; 3] = [256, 512, 65_536];

fn thinks(position: &str, moves: &str) -> Vec<Thought> {
    let mut thoughts = Vec::new();
    for cells in CELLS {
        for params in [Params::CLASSIC, Params::JOURNAL] {
            let mut table = vec![Cell::EMPTY; cells];
            let mut engine = micro_max(&mut table, Params { node_budget: 60_000, ..params });
            engine.set_position(position).unwrap();
            enter(&mut engine, moves);
            thoughts.push(engine.think(Limits::NONE, &mut |_| Control::Continue));
        }
    }
    thoughts
}

/// Whoever mates: the pass that finds the mate becomes one of depth 98, and told is one less.
#[test]
fn a_forced_mate_is_told_with_depth_97_by_both_sides() {
    for (position, mates) in [
        ("8/7k/R7/1R6/8/8/8/K7 w - - 0 1", true),
        ("k7/8/8/8/1r6/r7/7K/8 b - - 0 1", true),
        ("7k/R7/1R6/8/8/8/8/K7 b - - 0 1", false),
        ("k7/8/8/8/8/1r6/r7/7K w - - 0 1", false),
    ] {
        for thought in thinks(position, "") {
            assert_eq!(thought.depth, 97, "{position} {thought:?}");
            let towards = if mates { thought.score } else { -thought.score };
            assert!((7_990..8_000).contains(&towards), "{position} {thought:?}");
        }
    }
}

/// Perpetual check: the only reply has stood on the board, so an iteration takes a node or two, and the budget is
/// never reached. The score says that it is no mate; the depth does not.
#[test]
fn a_forced_repetition_is_searched_to_the_end_without_a_mate() {
    let twice = "h5e8 g8h7 e8h5 h7g8 h5e8";
    for thought in thinks("6k1/6p1/8/7Q/8/1q6/5PPP/6K1 w - - 0 1", twice) {
        assert_eq!(thought.best.unwrap().to_string(), "g8h7");
        assert_eq!(thought.depth, 96, "{thought:?}");
        assert!(thought.nodes < 500 && thought.score.abs() < 10, "{thought:?}");
    }
}

/// Where nothing is decided, however small the tree, depths are far from these.
#[test]
fn other_positions_do_not_come_near() {
    for position in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1",
        "7k/8/8/8/8/p1p5/P1P5/K7 w - - 0 1",
    ] {
        for thought in thinks(position, "") {
            assert!((3..30).contains(&thought.depth), "{position} {thought:?}");
        }
    }
}
