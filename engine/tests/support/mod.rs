//! What several tests need.

#![allow(dead_code, unreachable_pub, missing_docs)]

pub mod plain;

use rand::{Rng, RngExt as _};
use rookery_engine::{Cell, ChessEngine, Game, MicroMax, Move, Params, Role};

/// An engine at the initial position.
pub fn micro_max(cells: &mut [Cell], params: Params) -> MicroMax<'_> {
    let mut engine = MicroMax::new(cells).unwrap();
    engine.set_params(params);
    engine
}

/// Enter moves as the original writes them: four letters, a promotion being to a queen.
pub fn enter(engine: &mut MicroMax<'_>, moves: &str) {
    for text in moves.split_whitespace() {
        let mv: Move = text.parse().unwrap();
        let queening = Move { promotion: Some(Role::Queen), ..mv };
        engine.play(mv).or_else(|_| engine.play(queening)).unwrap();
    }
}

/// A move as the original writes it.
pub fn four_letters(mv: Move) -> String {
    let mut text = mv.to_string();
    text.truncate(4);
    text
}

/// The position as text.
pub fn fen(game: &Game) -> String {
    let mut text = String::new();
    game.write_fen(&mut text).unwrap();
    text
}

/// A legal move by chance, if there is any.
pub fn random_move(game: &Game, rng: &mut impl Rng) -> Option<Move> {
    let moves = game.legal_moves();
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}
