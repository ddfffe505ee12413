//! The engine at the board: always legal, always the same, and it ends when told to.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rookery_engine::{
    Cell, ChessEngine, Control, Game, Limits, MicroMax, Move, Params, Progress, Role, Status,
    Thought,
};
use support::{enter, fen, micro_max, random_move};

fn think(engine: &mut MicroMax<'_>) -> Thought {
    engine.think(Limits::NONE, &mut |_| Control::Continue)
}

fn budget(node_budget: u32) -> Params {
    Params { node_budget, ..Params::CLASSIC }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, failure_persistence: None, ..ProptestConfig::default() })]

    /// With so few cells nearly every one is another position's.
    #[test]
    fn every_move_is_legal_and_there_is_one(seed: u64, cells in prop::sample::select(vec![1usize, 8, 64, 256]), nodes in 100..1500u32) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut table = vec![Cell::EMPTY; cells];
        let mut engine = micro_max(&mut table, budget(nodes));
        for _ in 0..120 {
            if engine.game().status() != Status::Ongoing {
                break;
            }
            let Some(mv) = random_move(engine.game(), &mut rng) else { break };
            engine.play(mv).unwrap();
            let mut expected = engine.game().clone();
            let thought = think(&mut engine);
            let Some(mv) = thought.best else {
                prop_assert!(expected.legal_moves().is_empty());
                break;
            };
            prop_assert!(expected.play(mv).is_ok(), "{} in {:?}", mv, expected);
            prop_assert_eq!(fen(engine.game()), fen(&expected));
        }
    }

    /// The search leaves nothing behind on the board, wherever it is stopped.
    #[test]
    fn a_stopped_search_plays_a_legal_move_at_once(seed: u64, plies in 0..80usize, polls in 0..20u32) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut table = vec![Cell::EMPTY; 512];
        let mut engine = micro_max(&mut table, budget(1_000_000_000));
        for _ in 0..plies {
            let Some(mv) = random_move(engine.game(), &mut rng) else { break };
            engine.play(mv).unwrap();
        }
        let mut expected = engine.game().clone();
        let (mut polled, mut late) = (0, 0);
        let thought = engine.think(Limits::NONE, &mut |progress| {
            if matches!(progress, Progress::Poll(_)) {
                polled += 1;
            }
            if polled > polls {
                late += 1;
                Control::Stop
            } else {
                Control::Continue
            }
        });
        let Some(mv) = thought.best else { return Ok(()) };
        // After the answer to stop nothing more is reported; a search may also end by itself, in a
        // mate.
        prop_assert!(late <= 1);
        prop_assert_eq!(thought.stopped, late == 1);
        prop_assert!(expected.play(mv).is_ok());
        prop_assert_eq!(fen(engine.game()), fen(&expected));
        prop_assert_eq!(engine.game().legal_moves().to_vec(), expected.legal_moves().to_vec());
    }

    /// A position read from a FEN is searched like any other.
    #[test]
    fn games_from_a_fen_go_on(seed: u64, plies in 0..150usize) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        for _ in 0..plies {
            let Some(mv) = random_move(&game, &mut rng) else { break };
            game.play(mv).unwrap();
        }
        let mut table = vec![Cell::EMPTY; 256];
        let mut engine = micro_max(&mut table, budget(2000));
        let text = fen(&game);
        engine.set_position(&text).unwrap();
        prop_assert_eq!(fen(engine.game()), text);
        let thought = think(&mut engine);
        prop_assert_eq!(thought.best.is_none(), game.legal_moves().is_empty());
        prop_assert!(thought.best.is_none_or(|mv| game.is_legal(mv)));
    }
}

#[test]
fn the_same_game_twice_is_the_same() {
    let mut told = Vec::new();
    let mut table = vec![Cell::EMPTY; 512];
    let mut engine = micro_max(&mut table, budget(4000));
    for round in 0..3 {
        match round {
            1 => engine.reset(),
            2 => engine
                .set_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
                .unwrap(),
            _ => {}
        }
        let thoughts: Vec<Thought> = (0..30).map(|_| think(&mut engine)).collect();
        told.push(thoughts);
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(told[0], told[2]);
}

/// Numbers written down once: any machine has to arrive at them.
#[test]
fn a_game_against_itself_is_known() {
    let mut table = vec![Cell::EMPTY; 512];
    let mut engine = micro_max(&mut table, Params { node_budget: 3000, ..Params::JOURNAL });
    let mut told = String::new();
    for _ in 0..12 {
        let thought = think(&mut engine);
        told += &format!(
            "{} {} {} {}\n",
            thought.best.unwrap(),
            thought.depth,
            thought.nodes,
            thought.score
        );
    }
    assert_eq!(told, include_str!("data/self-play.txt"));
}

#[test]
fn limits_and_parameters_both_bound() {
    let mut table = vec![Cell::EMPTY; 512];
    let mut deepest = |limits: Limits, params: Params| {
        let mut engine = micro_max(&mut table, params);
        think_with(&mut engine, limits).depth
    };
    assert_eq!(deepest(Limits { nodes: u32::MAX, depth: 5 }, Params::CLASSIC), 3);
    assert_eq!(deepest(Limits::NONE, Params { depth_ceiling: 4, ..Params::CLASSIC }), 2);
    assert_eq!(deepest(Limits { nodes: 0, depth: 98 }, Params::CLASSIC), 2);
    assert!(deepest(Limits::NONE, budget(20_000)) > 4);
}

fn think_with(engine: &mut MicroMax<'_>, limits: Limits) -> Thought {
    engine.think(limits, &mut |_| Control::Continue)
}

#[test]
fn underpromotion_can_be_entered_and_played_on() {
    let mut table = vec![Cell::EMPTY; 512];
    let mut engine = micro_max(&mut table, budget(3000));
    for role in ["q", "r", "b", "n"] {
        engine.set_position("8/P6k/8/8/8/8/6p1/K6N b - - 0 1").unwrap();
        engine.play(format!("g2h1{role}").parse().unwrap()).unwrap();
        engine
            .play("a1b2".parse().unwrap())
            .or_else(|_| engine.play("a1a2".parse().unwrap()))
            .unwrap();
        assert_eq!(
            engine.game().piece_at(7).unwrap().1,
            Role::from_letter(role.as_bytes()[0]).unwrap()
        );
        assert!(think(&mut engine).best.is_some());
    }
    let without_role: Move = "a7a8".parse().unwrap();
    engine.set_position("8/P6k/8/8/8/8/6p1/K6N w - - 0 1").unwrap();
    assert!(engine.play(without_role).is_err());
}

#[test]
fn it_finds_a_mate_and_then_has_no_move() {
    let mut table = vec![Cell::EMPTY; 512];
    let mut engine = micro_max(&mut table, budget(3000));
    enter(&mut engine, "f2f3 e7e5 g2g4");
    let thought = think(&mut engine);
    assert_eq!(thought.best.unwrap().to_string(), "d8h4");
    assert_eq!(thought.score, 7999);
    assert_eq!(engine.game().status(), Status::Checkmate);
    assert_eq!(think(&mut engine).best, None);
    assert!(engine.play("e1e2".parse().unwrap()).is_err());
}

#[test]
fn the_number_of_cells_is_a_power_of_two() {
    for cells in [0, 3, 500] {
        assert!(MicroMax::new(&mut vec![Cell::EMPTY; cells]).is_err(), "{cells}");
    }
    let mut one = [Cell::EMPTY];
    assert_eq!(MicroMax::new(&mut one).unwrap().cells(), 1);
}

#[test]
fn a_wrong_fen_changes_nothing() {
    let mut table = vec![Cell::EMPTY; 16];
    let mut engine = micro_max(&mut table, budget(500));
    enter(&mut engine, "e2e4");
    let before = fen(engine.game());
    assert!(engine.set_position("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    assert_eq!(fen(engine.game()), before);
}

/// Games in which the original, misled by a cell, plays no move at all or refuses a legal one.
#[test]
fn where_the_original_is_misled_this_engine_plays_on() {
    let mut table = vec![Cell::EMPTY; 64];
    let mut engine = micro_max(&mut table, budget(1000));
    let finds_none = "g1h3 b7b6 f2f4 h7h6 h3g1 a7a6 g2g3 b6b5 f1g2 e7e5 h2h4 g7g5 h1h3 a8a7 g2f1 h6h5 e2e4 f8b4 d1f3 b4a5 f3e2 g8e7 e1f2 g5h4 e2f3 d7d5 f2e3 e8g8 b2b3 a7b7 f1g2 b8c6 c2c3 a5c3 g3g4 b7b8 f3g3 g8g7 g3f2 b8b6 h3h4 g7g8 b1c3 d5d4 e3f3 d8d5 h4h5 c8d7 c3b1 b6b8 f2d4 b8b7 f3e3 f7f5 h5h8 g8f7 d4a4 c6b4 d2d3 d5d3 e3f2 f7e6 g4f5 e6d6 a2a3 d3c3 a3b4 c3b4 g1e2 f8f6 e2g3 d7c8 b1c3 d6d7 f2f3 b4e4 a4e4 e7d5 g3f1 f6f5 a1a6 b7a7 e4b4 f5f7 a6d6 c7d6 c1b2 d5c7 f3g3 a7a8 b4c4 c7a6 c4d5 f7f5 f1e3 a6b4 g3f2 e5e4 h8h6 a8a3 c3a4 d7c7 b2a3 f5e5 f4f5 b4d3 f2e2 b5b4 h6d6 e5e8 d5f7 e8e7 e2d1 d3c1 a3b2 e7d7 a4c5 c1d3 f7g7 c7b8 b2a3 d7g7 d6h6 g7g4 h6b6";
    enter(&mut engine, finds_none);
    assert!(think(&mut engine).best.is_some());

    engine.reset();
    let refuses_g4c8 = "g2g4 h7h6 e2e3 f7f5 f1d3 g7g5 d1e2 d7d6 d3c4 c8d7 b1c3 c7c5 e3e4 f8g7 a2a3 f5g4 e2d1 e7e5 d1g4 d7b5 g4h3 b5d7 h3d7 e8f8 c4a6 d8c8 d7f5 g7f6 f5g4 b8a6 g4c8";
    enter(&mut engine, refuses_g4c8);
    assert_eq!(engine.game().status(), Status::Ongoing);
    assert!(think(&mut engine).best.is_some());
}
