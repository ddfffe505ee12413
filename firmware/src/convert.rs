//! Between the engine's words and the wire's.

use core::fmt;

use rookery_engine::{Game, Move, Role};
use rookery_protocol::{FenHasher, MoveText, PositionHash};

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
    let mut hashing = Hashing(FenHasher::new());
    // It never fails: a FEN is ASCII.
    let _ = game.write_fen(&mut hashing);
    hashing.0.finish()
}

/// Takes a text without keeping it.
struct Hashing(FenHasher);

impl fmt::Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.0.add(byte));
        Ok(())
    }

    fn write_char(&mut self, letter: char) -> fmt::Result {
        self.0.add(u8::try_from(letter).map_err(|_| fmt::Error)?);
        Ok(())
    }
}

/// A count of the engine's as the wire has it.
pub(crate) fn count(value: i32) -> u32 {
    value.try_into().unwrap_or(0)
}

/// A depth of the engine's as the wire has it.
pub(crate) fn depth(value: i8) -> u8 {
    value.try_into().unwrap_or(0)
}
