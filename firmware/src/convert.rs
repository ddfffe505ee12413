//! Between the engine's words and the wire's.

use rookery_engine::{Game, Move, Role};
use rookery_protocol::{MAX_FEN, MoveText, PositionHash};

/// The move that a text names; `None` for the null move.
#[must_use]
pub fn to_move(text: MoveText) -> Option<Move> {
    let (from, to, promotion) = text.squares()?;
    Some(Move { from, to, promotion: promotion.and_then(Role::from_letter) })
}

/// The text of a move.
#[must_use]
pub fn to_text(mv: Move) -> MoveText {
    let promotion = mv.promotion.map(Role::letter);
    MoveText::between(mv.from, mv.to, promotion).unwrap_or(MoveText::NULL)
}

/// The hash of a game's position.
#[must_use]
pub fn hash_of(game: &Game) -> PositionHash {
    let mut fen = heapless::String::<MAX_FEN, u8>::new();
    // The first four fields always fit, and the counters do not count.
    let _ = game.write_fen(&mut fen);
    PositionHash::of_fen(&fen)
}

/// A count of the engine's as the wire has it.
pub(crate) fn count(value: i32) -> u32 {
    value.try_into().unwrap_or(0)
}

/// A depth of the engine's as the wire has it.
pub(crate) fn depth(value: i8) -> u8 {
    value.try_into().unwrap_or(0)
}
