//! What a board needs of an engine, so that the engine can be replaced.

use crate::fen::FenError;
use crate::game::{Game, IllegalMove};
use crate::moves::Move;
use crate::params::{Limits, Params};

/// A finished iteration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration {
    /// `d` in the original's telling: one less than the depth of the iteration.
    pub depth: i8,
    /// `uz`: the passes counted so far, less seven.
    pub nodes: i32,
    /// `oc`: the score for the side to move, a pawn being [`ChessEngine::pawn_units`].
    pub score: i32,
    /// The best move so far.
    pub best: Option<Move>,
}

/// What a search reports while it runs.
#[derive(Clone, Copy, Debug)]
pub enum Progress<'a> {
    /// An iteration has ended.
    Iteration(&'a Iteration),
    /// About five hundred passes have gone by; the number is the count so far.
    Poll(i32),
}

/// The answer to a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// End now, with the best move so far.
    Stop,
}

/// What came of thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The move that was found, and played on the engine's game; none if the position has none.
    pub best: Option<Move>,
    /// As in the last [`Iteration`].
    pub depth: i8,
    /// As in the last [`Iteration`].
    pub nodes: i32,
    /// As in the last [`Iteration`].
    pub score: i32,
    /// All passes counted, those that played the move included.
    pub total: i32,
    /// The observer ended the search.
    pub stopped: bool,
}

/// A chess engine that plays one game at a time.
pub trait ChessEngine {
    /// Its name and version.
    fn name(&self) -> &'static str;

    /// The worth of a pawn in the units of its scores.
    fn pawn_units(&self) -> u16;

    /// How many cells its table has.
    fn cells(&self) -> u32;

    /// The parameters in force.
    fn params(&self) -> &Params;

    /// Set the parameters, as far as they are within bounds.
    fn set_params(&mut self, params: Params);

    /// Forget everything: the initial position, and empty tables.
    fn reset(&mut self);

    /// Begin from a position, with empty tables, so that a game can be repeated exactly. On an
    /// error nothing changes.
    fn set_position(&mut self, fen: &str) -> Result<(), FenError>;

    /// Enter a legal move of either side, through the engine: its tables learn of it.
    fn play(&mut self, mv: Move) -> Result<(), IllegalMove>;

    /// The game as it stands.
    fn game(&self) -> &Game;

    /// Think, and play the move that was found: afterwards [`game`](ChessEngine::game) is the
    /// position behind it.
    ///
    /// The observer is called after every iteration and about every five hundred passes.
    fn think(
        &mut self,
        limits: Limits,
        observer: &mut dyn FnMut(Progress<'_>) -> Control,
    ) -> Thought;
}

/// An engine that lies somewhere else: a board with little memory moves it about no more.
impl<E: ChessEngine + ?Sized> ChessEngine for &mut E {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn pawn_units(&self) -> u16 {
        (**self).pawn_units()
    }

    fn cells(&self) -> u32 {
        (**self).cells()
    }

    fn params(&self) -> &Params {
        (**self).params()
    }

    fn set_params(&mut self, params: Params) {
        (**self).set_params(params);
    }

    fn reset(&mut self) {
        (**self).reset();
    }

    fn set_position(&mut self, fen: &str) -> Result<(), FenError> {
        (**self).set_position(fen)
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        (**self).play(mv)
    }

    fn game(&self) -> &Game {
        (**self).game()
    }

    fn think(
        &mut self,
        limits: Limits,
        observer: &mut dyn FnMut(Progress<'_>) -> Control,
    ) -> Thought {
        (**self).think(limits, observer)
    }
}
