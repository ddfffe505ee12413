//! A player as the referee sees it: somebody who is asked for a move.

use super::{BoardPlayer, Clock, EnginePlayer, Sheet};
use crate::{
    game::Game,
    model::{IterationRecord, Mover, RunSettings, Score, Termination},
};
use shakmaty::{Color, Move};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What a player is asked.
pub struct Turn<'a> {
    /// The game.
    pub game: &'a Game,
    /// Its moves in the players' notations.
    pub sheet: &'a Sheet,
    /// Whose move it is.
    pub color: Color,
    /// Which of the two players that is.
    pub mover: Mover,
    /// The run's settings.
    pub settings: &'a RunSettings,
    /// First and second player's clocks.
    pub clocks: &'a [Option<Clock>; 2],
    /// Cancelled when the think is to be given up.
    pub cancel: &'a CancellationToken,
}

impl Turn<'_> {
    /// The ply that is thought about.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.game.played().len() as u32 + 1
    }
}

/// A legal move and what is known of it.
#[derive(Clone, Debug)]
pub struct Thought {
    /// The move.
    pub mv: Move,
    /// Measured by the host.
    pub elapsed: Duration,
    /// Reported by the mover.
    pub reported_ms: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Depth.
    pub depth: Option<u32>,
    /// Score in the mover's units.
    pub score_raw: Option<i32>,
    /// Score.
    pub score: Option<Score>,
    /// From the book.
    pub book: bool,
    /// Lines sent again.
    pub retransmissions: u32,
    /// Expected line.
    pub pv: Option<String>,
}

/// Why a player loses.
#[derive(Clone, Debug)]
pub struct Forfeit {
    /// The reason.
    pub termination: Termination,
    /// In words: the illegal move's text, the exit code.
    pub detail: String,
    /// The raw lines, where there are any.
    pub raw: Vec<String>,
}

/// What is seen of a think before its answer.
#[derive(Clone, Debug)]
pub enum Seen {
    /// A finished iteration.
    Iteration(IterationRecord),
    /// Something was tolerated, or went wrong and was mended.
    Notice {
        /// A short name, as in [`crate::model::Incident`].
        kind: &'static str,
        /// In words.
        text: String,
    },
}

impl Seen {
    pub(super) fn notice(kind: &'static str, text: String) -> Seen {
        Seen::Notice { kind, text }
    }
}

/// A player's answer.
#[derive(Clone, Debug)]
pub enum Decision {
    /// A legal move.
    Move(Box<Thought>),
    /// No legal move: the game is lost.
    Forfeit(Forfeit),
    /// The think was given up.
    Cancelled,
}

/// Somebody who plays.
pub enum Player {
    /// A board.
    Board(BoardPlayer),
    /// A UCI engine.
    Engine(Box<EnginePlayer>),
}

impl Player {
    /// The name in the game's record.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Player::Board(board) => board.name(),
            Player::Engine(engine) => engine.name(),
        }
    }

    /// Asks for a move.
    pub async fn decide(
        &mut self,
        turn: &Turn<'_>,
        observe: &mut (dyn FnMut(Seen) + Send),
    ) -> Decision {
        match self {
            Player::Board(board) => board.decide(turn, observe).await,
            Player::Engine(engine) => engine.decide(turn, observe).await,
        }
    }

    /// The referee has played this player's move.
    pub async fn played(&mut self, sheet: &Sheet) {
        if let Player::Board(board) = self {
            board.compare(sheet).await;
        }
    }

    /// The referee does not believe that this player knows the position.
    pub async fn distrust(&mut self, why: &str) {
        if let Player::Board(board) = self {
            board.distrust(why).await;
        }
    }
}
