//! A pass over the board: every move of every man, from the man of the best move so far around the
//! board to it again.

use super::frame::Waiting;
use super::survey::gain_of;
use super::walk::{Ground, Walk};
use super::{ENDGAME, Flow, Frame, INFINITY, PLIES, Search};
use crate::board::{Men, Tour, step_at};
use crate::cell::ORDINARY;
use crate::game::{QUEENING, advance_bonus};
use crate::piece::{BISHOP, EMPTY, KIND, KING, MOVED, is_pawn_kind};
use crate::square::{CENTRE, NOWHERE};

const LOW_ROWS: u32 = 0x00ff_00ff;

impl Search<'_> {
    /// Begin the moves of a pass. `None`: it is over.
    pub(super) fn begin_scan(&mut self, frame: &mut Frame) -> Option<Flow> {
        frame.start = frame.from;
        let calm = !frame.careful;
        if calm && frame.surveyed && frame.value >= frame.beta {
            return None;
        }
        if frame.to & ORDINARY != 0 {
            return self.try_hint(frame);
        }
        if calm && frame.value >= frame.beta {
            return None;
        }
        let men = self.walkers(frame);
        let mut tour = Tour::new(&men, frame.start);
        let walk = Walk::before(&self.game.board, tour.next()?);
        self.scan(frame, tour, walk)
    }

    /// The best move of the pass before comes first: whatever man comes first and can jump there
    /// tries it.
    fn try_hint(&mut self, frame: &mut Frame) -> Option<Flow> {
        let to = frame.to & !ORDINARY;
        let men = self.game.board.men[usize::from(self.own >> 4)];
        let ground = Ground { board: &self.game.board, own: self.own, passed: frame.passed };
        if frame.careful && self.castled_over(frame.passed) && near(to, frame.passed) {
            frame.value = INFINITY as i16;
        }
        let (walk, target) = Walk::first_jump(ground, Tour::new(&men, frame.start), to)?;
        if target & KIND == KING {
            frame.value = INFINITY as i16;
        }
        if frame.value >= frame.beta {
            return None;
        }
        if !(target == EMPTY && frame.depth == 2)
            && let Some(flow) = self.try_move(frame, &walk, target, true)
        {
            return Some(flow);
        }
        self.scan_behind(frame, Walk::before(&self.game.board, walk.square))
    }

    /// Go on behind the move at hand, which has been taken back.
    pub(super) fn continue_scan(&mut self, frame: &mut Frame) -> Option<Flow> {
        let mut walk = Walk::before(&self.game.board, frame.square);
        if frame.hinted {
            frame.hinted = false;
        } else {
            walk.vector = frame.vector;
            walk.to = frame.step_to;
            walk.rook_to = frame.rook_to;
            walk.corner = frame.corner;
            walk.settle(&self.game.board, frame.target);
        }
        self.scan_behind(frame, walk)
    }

    /// Go on with a man's steps, and with the men behind it.
    fn scan_behind(&mut self, frame: &mut Frame, walk: Walk) -> Option<Flow> {
        let men = self.walkers(frame);
        let tour = Tour::behind(&men, frame.start, walk.square);
        self.scan(frame, tour, walk)
    }

    /// The men whose moves count in this pass: where the first pass was made here and this is the
    /// second, only those that can capture.
    #[inline]
    fn walkers(&self, frame: &Frame) -> Men {
        if frame.depth == 2 && frame.surveyed {
            let [upper, lower] = frame.capturers;
            Men([upper & LOW_ROWS, upper >> 8 & LOW_ROWS, lower & LOW_ROWS, lower >> 8 & LOW_ROWS])
        } else {
            self.game.board.men[usize::from(self.own >> 4)]
        }
    }

    fn scan(&mut self, frame: &mut Frame, tour: Tour<'_>, walk: Walk) -> Option<Flow> {
        if frame.careful {
            self.scan_steps::<true>(frame, tour, walk)
        } else {
            self.scan_steps::<false>(frame, tour, walk)
        }
    }

    /// Try move after move, until the reply to one has to be searched or there are no more.
    fn scan_steps<const CAREFUL: bool>(
        &mut self,
        frame: &mut Frame,
        mut tour: Tour<'_>,
        mut walk: Walk,
    ) -> Option<Flow> {
        let castled_over = CAREFUL && self.castled_over(frame.passed);
        let only_captures = frame.depth == 2;
        loop {
            let ground = Ground { board: &self.game.board, own: self.own, passed: frame.passed };
            let mut over_attacked = false;
            let target = walk.next(ground, &mut tour, &mut |to| {
                if CAREFUL {
                    over_attacked |= castled_over && near(to, frame.passed);
                }
            });
            if CAREFUL {
                if over_attacked || target.is_some_and(|target| target & KIND == KING) {
                    frame.value = INFINITY as i16;
                }
                if frame.value >= frame.beta {
                    return None;
                }
            }
            let target = target?;
            if !(only_captures && target == EMPTY)
                && let Some(flow) = self.try_move(frame, &walk, target, false)
            {
                return Some(flow);
            }
            walk.settle(&self.game.board, target);
        }
    }

    /// Value a move; either make it and ask for the reply, or be done with it.
    #[inline]
    fn try_move(
        &mut self,
        frame: &mut Frame,
        walk: &Walk,
        target: u8,
        hinted: bool,
    ) -> Option<Flow> {
        if self.ply == 0 && self.root.legal_only && !self.is_legal_here(walk) {
            return None;
        }
        let (value, bonus) = self.move_value(frame, walk, target);
        let kind = walk.mover & KIND;
        let depth = frame.depth;
        let quiet = depth > 5 && !is_pawn_kind(kind) && target == EMPTY && !hinted;
        let mut reply = depth - 1 - u8::from(quiet);
        if frame.null_is_infinite && depth > 2 && self.game.captured <= ENDGAME {
            reply = depth;
        }
        let floor = i32::from(frame.value.max(frame.alpha));
        let is_asked = self.ply == 0 && self.root.asks_for(walk.square, walk.to);
        let search = (reply > 2 || value > floor) && self.ply + 1 < PLIES;
        if !search {
            if is_asked && value != -INFINITY {
                frame.rook_to = walk.rook_to;
                return Some(Flow::Reached);
            }
            if value > i32::from(frame.value) {
                frame.value = value as i16;
                frame.from = walk.square;
                frame.to = walk.to | walk.rook_to & ORDINARY;
            }
            return None;
        }
        frame.waiting = Waiting::ForReply;
        frame.hinted = hinted;
        frame.move_value = value as i16;
        frame.reply = reply;
        frame.mover = walk.mover;
        frame.target = target;
        frame.square = walk.square;
        frame.vector = walk.vector;
        frame.step_to = walk.to;
        frame.rook_to = walk.rook_to;
        frame.corner = walk.corner;
        self.make(frame, bonus);
        Some(self.ask_reply(frame))
    }

    /// A better value becomes the best move.
    #[inline]
    pub(super) fn finish_move(&mut self, frame: &mut Frame, value: i32) {
        if value > i32::from(frame.value) {
            frame.value = value as i16;
            frame.from = frame.square;
            frame.to = frame.step_to | frame.rook_to & ORDINARY;
        }
    }

    /// What a move is worth by itself, from the mover's side; and the bonus that goes on a pawn's
    /// byte.
    #[inline]
    fn move_value(&self, frame: &Frame, walk: &Walk, target: u8) -> (i32, u8) {
        let kind = walk.mover & KIND;
        let mut value = i32::from(frame.eval) + i32::from(gain_of(target));
        let mut bonus = 0;
        if kind <= BISHOP {
            let (from, to) = (usize::from(walk.square), usize::from(walk.to));
            value += i32::from(CENTRE[from]) - i32::from(CENTRE[to]);
        }
        if is_pawn_kind(kind) {
            let (structure, added) = self.pawn_move_value(walk);
            value += structure;
            bonus = added as u8;
            value += added;
        } else if kind == KING {
            if walk.corner != NOWHERE {
                let short = walk.corner & 7 == 7;
                value += i32::from(if short {
                    self.params.castling_short
                } else {
                    self.params.castling_long
                });
            }
            if self.game.captured <= ENDGAME {
                value -= 20;
            }
        }
        (value, bonus)
    }

    /// What a pawn's move does to its neighbours and its king, and what it adds to the pawn.
    #[inline]
    fn pawn_move_value(&self, walk: &Walk) -> (i32, i32) {
        let board = &self.game.board;
        let (from, to, pawn) = (walk.square, walk.to, walk.mover);
        // A jump may land two files away, where it is its own neighbour.
        let is_alone = |beside: u8| {
            if beside == to { pawn & MOVED == 0 } else { board.at(beside) != pawn }
        };
        let leaves_king = board.at(from ^ 0x10) == self.own | MOVED | KING;
        let holes = i32::from(is_alone(from.wrapping_sub(2)))
            + i32::from(is_alone(from.wrapping_add(2)))
            - 1
            + i32::from(leaves_king);
        let structure = (self.game.captured >> 2) - i32::from(self.params.pawn_coefficient) * holes;
        let promotes = to.wrapping_add(step_at(walk.vector)).wrapping_add(1) & 0x80 != 0;
        let added = if promotes {
            QUEENING - i32::from(pawn & KIND)
        } else {
            i32::from(advance_bonus(pawn, to))
        };
        (structure, added)
    }
}

/// Whether a step arrives on the square passed over by a castling king, or beside it.
#[inline]
pub(super) fn near(to: u8, passed: u8) -> bool {
    to.abs_diff(passed) < 2
}
