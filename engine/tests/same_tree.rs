//! The fast search against the plain one, on random games with few and many cells: every record of
//! every think, and the state of the game.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rookery_engine::{Cell, ChessEngine, Control, Limits, Params, Progress};
use support::plain::{Plain, Record, uci};
use support::{four_letters, micro_max, random_move};

/// Play a random game in both, thinking at the end; then go on by their own moves.
fn compare(seed: u64, plies: usize, cells: usize, params: Params, thinks: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut table = vec![Cell::EMPTY; cells];
    let mut fast = micro_max(&mut table, params);
    let mut plain = Plain::new(cells, params.node_budget as i32);
    plain.castling = [params.castling_short.into(), params.castling_long.into()];
    plain.pawn = params.pawn_coefficient.into();
    let mut game = Vec::new();
    for _ in 0..plies {
        let Some(mv) = random_move(fast.game(), &mut rng) else {
            return;
        };
        // The original knows only queens.
        let mv = if mv.promotion.is_some() {
            rookery_engine::Move { promotion: Some(rookery_engine::Role::Queen), ..mv }
        } else {
            mv
        };
        game.push(four_letters(mv));
        // Where the original refuses a legal move, it has been misled by a cell; ours plays it all
        // the same.
        if !plain.enter(&four_letters(mv)) {
            return;
        }
        fast.play(mv).unwrap();
    }
    for _ in 0..thinks {
        let mut records = Vec::new();
        let legal = fast.game().legal_moves();
        let before = fast.game().clone();
        let thought = fast.think(Limits::NONE, &mut |progress| {
            if let Progress::Iteration(record) = progress {
                records.push(*record);
            }
            Control::Continue
        });
        let best = plain.think();
        let Some(best) = best else {
            // Mated, or misled.
            return;
        };
        if !legal.iter().any(|&mv| four_letters(mv) == best) {
            println!("{best} is not legal in {before:?}, but the original plays it");
            return;
        }
        let context = format!("{cells} cells, {params:?}, after {}", game.join(" "));
        let plain_records: Vec<(i32, i32, i32)> =
            plain.records.iter().map(|record| (record.depth, record.nodes, record.score)).collect();
        let fast_records: Vec<(i32, i32, i32)> = records
            .iter()
            .map(|record| (record.depth.into(), record.nodes, record.score))
            .collect();
        assert_eq!(fast_records, plain_records, "{context}");
        for (record, Record { from, to, .. }) in records.iter().zip(&plain.records) {
            assert_eq!(
                record.best.map_or("none".to_owned(), four_letters),
                if *to == 0 && record.best.is_none() { "none".to_owned() } else { uci(*from, *to) },
                "{context}"
            );
        }
        assert_eq!(four_letters(thought.best.unwrap()), best, "{context}");
        assert_eq!(
            (thought.total, fast.game().evaluation()),
            (plain.total(), plain.eval),
            "{context}"
        );
        assert!(plain.deepest < 40, "{context}");
        game.push(best);
    }
}

/// Sixty games; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default().cases
    } else {
        60
    };
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_tree_is_the_same(
        seed: u64,
        plies in 0..160usize,
        cells in prop::sample::select(vec![1usize, 2, 16, 64, 256, 512, 1024, 4096, 65536]),
        budget in 200..8000u32,
        short in -20..80i16,
        long in -20..80i16,
        pawn in 0..30i16,
    ) {
        let params = Params {
            node_budget: budget,
            castling_short: short,
            castling_long: long,
            pawn_coefficient: pawn,
            ..Params::CLASSIC
        };
        compare(seed, plies, cells, params, 3);
    }
}
