//! The root: it deepens by the clock, and the move it arrives at is played.

use super::frame::Question;
use super::{COUNTER_START, COUNTER_TOLD, Flow, Frame, INFINITY, PLIES, POLL_INTERVAL, Search};
use crate::cell::{Cell, ORDINARY};
use crate::engine::{Control, Iteration, Progress};
use crate::game::Game;
use crate::params::{Limits, Params};
use crate::square::OFF_BOARD;

/// What a search is for.
#[derive(Clone, Copy)]
pub(crate) enum RootTask {
    /// Find a move.
    Think(Limits),
    /// Come to this move (inner squares), so that the table learns of it.
    Enter(u8, u8),
}

/// What a search came to.
#[derive(Clone, Copy)]
pub(crate) struct Verdict {
    /// The best move, or the one to be entered (inner squares).
    pub(crate) from: u8,
    pub(crate) to: u8,
    /// The search came to the move, and made it with this square passed over.
    pub(crate) passed: Option<u8>,
    pub(crate) last: Option<Iteration>,
    pub(crate) total: i32,
    pub(crate) stopped: bool,
    /// The cell of the position.
    pub(crate) cell: u32,
}

/// What only the root of a search knows.
pub(super) struct Root {
    asked: Option<(u8, u8)>,
    limits: Limits,
    /// The move found was not legal, so the search was begun again with the legal moves alone.
    pub(super) legal_only: bool,
    last: Option<Iteration>,
    pub(super) stop: bool,
}

impl Root {
    #[inline]
    pub(super) fn asks_for(&self, from: u8, to: u8) -> bool {
        self.asked == Some((from, to))
    }

    #[inline]
    pub(super) fn is_asked(&self, frame: &Frame) -> bool {
        self.asks_for(frame.walk.square, frame.walk.to)
    }
}

impl<'a> Search<'a> {
    /// Search the position of a game, which is afterwards as before.
    pub(crate) fn at_root(
        game: &'a mut Game,
        cells: &'a mut [Cell],
        params: &'a Params,
        frames: &mut [Frame; PLIES],
        task: RootTask,
        observer: &'a mut dyn FnMut(Progress<'_>) -> Control,
    ) -> Verdict {
        let (asked, limits) = match task {
            RootTask::Think(limits) => (None, limits),
            RootTask::Enter(from, to) => (Some((from, to)), Limits::NONE),
        };
        let question = Question {
            alpha: -INFINITY,
            beta: INFINITY,
            eval: game.eval.clamp(-i32::from(i16::MAX / 2), i32::from(i16::MAX / 2)),
            passed: game.passed,
            depth: 3,
        };
        let mut search = Search {
            own: game.side.other().bit(),
            game,
            cells,
            params,
            observer,
            question,
            ply: 0,
            counter: COUNTER_START,
            next_poll: COUNTER_START + POLL_INTERVAL,
            root: Root { asked, limits, legal_only: false, last: None, stop: false },
        };
        let flow = search.run(frames);
        let frame = &frames[0];
        let (from, to) = search.root.asked.unwrap_or((frame.from, frame.to & !ORDINARY));
        Verdict {
            from,
            to,
            passed: matches!(flow, Flow::Reached).then_some(frame.walk.rook_to),
            last: search.root.last,
            total: search.counter - COUNTER_TOLD,
            stopped: matches!(flow, Flow::Stopped),
            cell: frame.cell,
        }
    }

    /// Deep enough; but a root that thinks goes on while the limits allow it, and then makes its
    /// move in one more pass at depth 3.
    pub(super) fn root_goes_on(&mut self, frame: &mut Frame) -> bool {
        if self.root.asked.is_some() {
            return false;
        }
        let ceiling = self.root.limits.depth.min(self.params.depth_ceiling);
        let budget = self.root.limits.nodes.min(i32::MAX as u32) as i32;
        if self.counter < budget && frame.depth + 1 < ceiling {
            frame.depth += 1;
            return true;
        }
        let best = (frame.from, frame.to & !ORDINARY);
        if self.is_legal_between(best.0, best.1) || self.root.legal_only {
            self.root.asked = Some(best);
            frame.depth = 3;
        } else {
            self.root.legal_only = true;
            self.counter = COUNTER_START;
            self.next_poll = COUNTER_START + POLL_INTERVAL;
            frame.to = 0;
            frame.depth = 1;
        }
        true
    }

    /// Tell of a pass at the root.
    pub(super) fn record(&mut self, frame: &Frame) {
        // No double or castling step goes to a8, so zero is no move.
        let known = frame.to != 0;
        let iteration = Iteration {
            depth: frame.depth as i8 - 1,
            nodes: self.counter - COUNTER_TOLD,
            score: i32::from(frame.value),
            best: known.then(|| self.game.move_between(frame.from, frame.to & !ORDINARY)),
        };
        self.root.last = Some(iteration);
        if (self.observer)(Progress::Iteration(&iteration)) == Control::Stop {
            self.root.stop = true;
        }
    }

    pub(super) fn is_legal_between(&self, from: u8, to: u8) -> bool {
        (from | to) & OFF_BOARD == 0 && self.game.is_legal(self.game.move_between(from, to))
    }
}
