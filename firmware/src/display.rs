//! What a board shows to the people around it.

use rookery_engine::Game;

/// A picture of the game. By default nothing is shown.
pub trait Display {
    /// The position has changed.
    fn position(&mut self, game: &Game) {
        let _ = game;
    }

    /// A think begins.
    fn thinking(&mut self) {}

    /// The think has finished an iteration.
    fn iteration(&mut self) {}

    /// The think has ended; a picture of the position follows.
    fn idle(&mut self) {}
}

/// A board without one.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoDisplay;

impl Display for NoDisplay {}
