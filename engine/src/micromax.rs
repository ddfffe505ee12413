//! The engine: micro-Max's search, and a game that it plays.

use crate::cell::Cell;
use crate::engine::{ChessEngine, Control, Progress, Thought};
use crate::fen::FenError;
use crate::game::{Game, IllegalMove};
use crate::moves::Move;
use crate::params::{Limits, Params};
use crate::search::{Frame, PLIES, RootTask, Search};
use crate::square::{NOWHERE, inner};

/// micro-Max 4.8, by H.G. Muller, over a table that is lent to it.
///
/// Four fifths of its size is the room for the nodes of the tree, `F`. Where that has a place of
/// its own, an engine is small enough to be moved about on the stack of a controller.
pub struct MicroMax<'t, F = Frames> {
    game: Game,
    cells: &'t mut [Cell],
    params: Params,
    frames: F,
}

/// Room for the nodes of the tree that wait for an answer.
pub struct Frames([Frame; PLIES]);

impl Frames {
    /// Room for a search.
    pub const EMPTY: Frames = Frames([Frame::EMPTY; PLIES]);
}

impl AsMut<Frames> for Frames {
    fn as_mut(&mut self) -> &mut Frames {
        self
    }
}

/// The number of cells is no power of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellCount(pub usize);

impl core::fmt::Display for CellCount {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "the number of cells is a power of two, not {}", self.0)
    }
}

impl core::error::Error for CellCount {}

impl<'t> MicroMax<'t> {
    /// A new game, with the parameters of [`Params::CLASSIC`]. The cells are emptied; their number
    /// must be a power of two.
    pub fn new(cells: &'t mut [Cell]) -> Result<MicroMax<'t>, CellCount> {
        MicroMax::within(cells, Frames::EMPTY)
    }
}

impl<'t, F: AsMut<Frames>> MicroMax<'t, F> {
    /// The same in a room that is lent to it: `F` is `&mut Frames`.
    pub fn within(cells: &'t mut [Cell], frames: F) -> Result<MicroMax<'t, F>, CellCount> {
        if !cells.len().is_power_of_two() || cells.len() > 1 << 31 {
            return Err(CellCount(cells.len()));
        }
        cells.fill(Cell::EMPTY);
        Ok(MicroMax { game: Game::new(), cells, params: Params::CLASSIC, frames })
    }

    fn search(
        &mut self,
        task: RootTask,
        observer: &mut dyn FnMut(Progress<'_>) -> Control,
    ) -> crate::search::Verdict {
        Search::at_root(
            &mut self.game,
            self.cells,
            &self.params,
            &mut self.frames.as_mut().0,
            task,
            observer,
        )
    }

    /// Play a legal move that a search has been through: the position it leaves is kept as one that
    /// counts as a draw.
    fn conclude(&mut self, mv: Move, cell: u32, passed: Option<u8>) {
        if let Some(cell) = self.cells.get_mut(cell as usize) {
            cell.lock_as_played();
        }
        self.game.apply(mv);
        // A double step that the search came to by way of a cell, as if it were an ordinary move,
        // is one that it does not take en passant.
        if self.game.en_passant != NOWHERE && passed == Some(NOWHERE) {
            self.game.passed = NOWHERE;
        }
    }
}

impl<F: AsMut<Frames>> ChessEngine for MicroMax<'_, F> {
    fn name(&self) -> &'static str {
        "micro-Max 4.8"
    }

    fn pawn_units(&self) -> u16 {
        74
    }

    fn cells(&self) -> u32 {
        self.cells.len() as u32
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn set_params(&mut self, params: Params) {
        self.params = params.bounded();
    }

    fn reset(&mut self) {
        self.cells.fill(Cell::EMPTY);
        self.game = Game::new();
    }

    fn set_position(&mut self, fen: &str) -> Result<(), FenError> {
        self.game.set_fen(fen)?;
        self.cells.fill(Cell::EMPTY);
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.game.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        let task = RootTask::Enter(inner(mv.from), inner(mv.to));
        let verdict = self.search(task, &mut |_| Control::Continue);
        self.conclude(mv, verdict.cell, verdict.passed);
        Ok(())
    }

    fn game(&self) -> &Game {
        &self.game
    }

    fn think(
        &mut self,
        limits: Limits,
        observer: &mut dyn FnMut(Progress<'_>) -> Control,
    ) -> Thought {
        let Some(fallback) = self.game.any_legal_move() else {
            return Thought { best: None, depth: 0, nodes: 0, score: 0, total: 0, stopped: false };
        };
        let limits = Limits {
            nodes: limits.nodes.min(self.params.node_budget),
            depth: limits.depth.min(self.params.depth_ceiling),
        };
        let verdict = self.search(RootTask::Think(limits), observer);
        let found = self.game.move_between(verdict.from, verdict.to);
        let best = if self.game.is_legal(found) { found } else { fallback };
        self.conclude(best, verdict.cell, verdict.passed);
        let (depth, nodes, score) =
            verdict.last.map_or((0, 0, 0), |last| (last.depth, last.nodes, last.score));
        Thought {
            best: Some(best),
            depth,
            nodes,
            score,
            total: verdict.total,
            stopped: verdict.stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::Finding;
    use crate::square::OFF_BOARD;

    /// Make the cell behind a move, legal or not, that of a position which has stood on the board.
    fn pretend_it_stood(engine: &mut MicroMax<'_>, mv: Move) {
        let mut behind = engine.game.clone();
        let spread = u32::from(behind.side.bit()) * u32::from(NOWHERE);
        behind.apply(mv);
        let at = behind.keys.place.wrapping_add(spread) as usize & (engine.cells.len() - 1);
        let finding =
            Finding { value: 0, depth: 29, from: 0, to: 0, above_alpha: true, below_beta: true };
        engine.cells[at] = Cell::new(behind.keys.lock, finding);
        engine.cells[at].lock_as_played();
    }

    /// White is lost, but to let the pinned knight go would be a draw, so the cell says.
    #[test]
    fn an_illegal_move_that_a_cell_recommends_is_not_played() {
        let mut cells = [Cell::EMPTY; 4096];
        let mut engine = MicroMax::new(&mut cells).expect("a power of two");
        engine.set_position("k3r3/8/8/8/8/8/q3N2P/4K3 w - - 0 1").expect("a position");
        let unpinned: Move = "e2c3".parse().expect("a move");
        assert!(!engine.game.is_legal(unpinned));
        pretend_it_stood(&mut engine, unpinned);

        let limits = Limits { nodes: 5000, depth: 98 };
        let task = RootTask::Think(limits);
        let mut recommended = false;
        let verdict = engine.search(task, &mut |progress| {
            if let Progress::Iteration(iteration) = progress {
                recommended |= iteration.best == Some(unpinned);
            }
            Control::Continue
        });
        assert!(recommended, "the cell has misled the first search");
        assert_eq!((verdict.from | verdict.to) & OFF_BOARD, 0);
        assert!(engine.game.is_legal(engine.game.move_between(verdict.from, verdict.to)));
        assert!(verdict.passed.is_some(), "the search came to a legal move");
    }
}
