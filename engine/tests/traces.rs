//! The original's root records, iteration by iteration.

#![allow(clippy::unwrap_used)]

mod support;

use rookery_engine::{Cell, ChessEngine, Control, Limits, Params, Progress};
use support::{enter, four_letters, micro_max};

#[test]
fn every_iteration_matches() {
    let mut lines = include_str!("data/search-traces.txt").lines().peekable();
    let mut positions = 0;
    while let Some(line) = lines.next() {
        let Some(moves) = line.strip_prefix("position:") else {
            continue;
        };
        positions += 1;
        let setting = lines.next().unwrap();
        let number = |name: &str| -> u32 {
            let word = setting.split_whitespace().find_map(|word| word.strip_prefix(name)).unwrap();
            word.strip_prefix('=').unwrap().parse().unwrap()
        };
        let mut cells = vec![Cell::EMPTY; number("hash_cells") as usize];
        let mut engine =
            micro_max(&mut cells, Params { node_budget: number("budget"), ..Params::CLASSIC });
        enter(&mut engine, moves);

        let mut told = Vec::new();
        let thought = engine.think(Limits::NONE, &mut |progress| {
            if let Progress::Iteration(record) = progress {
                // Where no move is better than the evaluation, the original tells whatever square
                // comes first, and a8.
                let best = record.best.map_or("none".to_owned(), four_letters);
                told.push(format!(
                    "  it d={} uz={} oc={} {best}",
                    record.depth, record.nodes, record.score
                ));
            }
            Control::Continue
        });
        // The record's move was played, and the evaluation handed to the other side.
        told.push(format!(
            "{} d={} uz={} oc={} total={} Q={}",
            four_letters(thought.best.unwrap()),
            thought.depth,
            thought.nodes,
            thought.score,
            thought.total,
            engine.game().evaluation(),
        ));
        let mut wanted: Vec<String> = std::iter::from_fn(|| lines.next_if(|line| !line.is_empty()))
            .map(str::to_owned)
            .collect();
        for (told, wanted) in told.iter().zip(&mut wanted) {
            if told.ends_with("none") && wanted.ends_with("a8") {
                wanted.replace_range(wanted.len() - 4.., "none");
            }
        }
        assert_eq!(told, wanted, "after {moves}");
    }
    assert_eq!(positions, 10);
}
