//! A pass over the board: every move of every man, from the man of the best move so far around the
//! board to it again.

use super::frame::Waiting;
use super::walk::{Ground, Meeting, Walk, near};
use super::{ENDGAME, Flow, Frame, INFINITY, PLIES, Search};
use crate::board::{Men, Tour, step_at};
use crate::cell::ORDINARY;
use crate::game::{QUEENING, advance_bonus};
use crate::piece::{BISHOP, EMPTY, KIND, KING, MOVED, WALL, gain_of, is_pawn_kind};
use crate::square::{NOWHERE, centre};

const LOW_ROWS: u32 = 0x00ff_00ff;
/// In the place of what a step captures, where none has been made yet.
const NO_STEP: u8 = WALL;

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
        self.scan_all(frame)
    }

    /// Every move of a pass, from the man on the square where it starts.
    pub(super) fn scan_all(&mut self, frame: &mut Frame) -> Option<Flow> {
        let men = self.walkers(frame);
        let mut tour = Tour::new(&men, frame.start);
        frame.walk = Walk::before(&self.game.board, tour.next()?);
        self.scan(frame, tour, NO_STEP)
    }

    /// The best move of the pass before comes first: whatever man comes first and can jump there
    /// tries it.
    fn try_hint(&mut self, frame: &mut Frame) -> Option<Flow> {
        let to = frame.to & !ORDINARY;
        let men = &self.game.board.men[self.own_index()];
        let ground = self.ground(frame);
        if ground.castled_over != NOWHERE && near(to, frame.passed) {
            frame.value = INFINITY as i16;
        }
        let (walk, target) = Walk::first_jump(ground, Tour::new(men, frame.start), to)?;
        if target & KIND == KING {
            frame.value = INFINITY as i16;
        }
        if frame.value >= frame.beta {
            return None;
        }
        frame.walk = walk;
        if !(target == EMPTY && frame.depth == 2)
            && let Some(flow) = self.try_move(frame, target, true)
        {
            return Some(flow);
        }
        self.scan_again(frame)
    }

    /// Go on behind the move at hand, which has been taken back.
    pub(super) fn continue_scan(&mut self, frame: &mut Frame) -> Option<Flow> {
        if frame.hinted { self.scan_again(frame) } else { self.scan_behind(frame, frame.target) }
    }

    /// Go on from the first step of the man at hand.
    fn scan_again(&mut self, frame: &mut Frame) -> Option<Flow> {
        frame.hinted = false;
        frame.walk = Walk::before(&self.game.board, frame.walk.square);
        self.scan_behind(frame, NO_STEP)
    }

    /// Go on with a man's steps, and with the men behind it.
    fn scan_behind(&mut self, frame: &mut Frame, target: u8) -> Option<Flow> {
        let men = self.walkers(frame);
        let tour = Tour::behind(&men, frame.start, frame.walk.square);
        self.scan(frame, tour, target)
    }

    #[inline]
    fn ground(&self, frame: &Frame) -> Ground<'_> {
        let castled_over = frame.careful && self.castled_over(frame.passed);
        Ground {
            board: &self.game.board,
            own: self.own,
            passed: frame.passed,
            castled_over: if castled_over { frame.passed } else { NOWHERE },
        }
    }

    /// The men whose moves count in this pass: where the first pass was made here and this is the
    /// second, only those that can capture.
    #[inline]
    fn walkers(&self, frame: &Frame) -> Men {
        if frame.depth == 2 && frame.surveyed {
            let [upper, lower] = frame.capturers;
            Men([upper & LOW_ROWS, upper >> 8 & LOW_ROWS, lower & LOW_ROWS, lower >> 8 & LOW_ROWS])
        } else {
            self.game.board.men[self.own_index()]
        }
    }

    /// Try move after move behind the step at hand, which captured `target`, until the reply to one
    /// has to be searched or there are no more.
    #[inline(never)]
    fn scan(&mut self, frame: &mut Frame, mut tour: Tour<'_>, mut target: u8) -> Option<Flow> {
        loop {
            let ground = self.ground(frame);
            match frame.walk.next(ground, &mut tour, target) {
                Meeting::End => return None,
                Meeting::CastledOver => {
                    frame.value = INFINITY as i16;
                    return None;
                }
                Meeting::Target(next) => target = next,
            }
            if frame.careful && is_cut_off(frame, target) {
                return None;
            }
            match frame.depth {
                1 => frame.survey_step(target),
                2 if target == EMPTY => {}
                _ => {
                    if let Some(flow) = self.try_move(frame, target, false) {
                        return Some(flow);
                    }
                }
            }
        }
    }

    /// Value a move; either make it and ask for the reply, or be done with it.
    fn try_move(&mut self, frame: &mut Frame, target: u8, hinted: bool) -> Option<Flow> {
        let (from, to) = (frame.walk.square, frame.walk.to);
        if self.ply == 0 && self.root.legal_only && !self.is_legal_between(from, to) {
            return None;
        }
        let (value, bonus) = self.move_value(frame, target);
        let kind = frame.walk.mover & KIND;
        let depth = frame.depth;
        let quiet = depth > 5 && !is_pawn_kind(kind) && target == EMPTY && !hinted;
        let mut reply = depth - 1 - u8::from(quiet);
        if frame.null_is_infinite && depth > 2 && self.game.captured <= ENDGAME {
            reply = depth;
        }
        let floor = i32::from(frame.value.max(frame.alpha));
        let search = (reply > 2 || value > floor) && self.ply + 1 < PLIES;
        if !search {
            if self.ply == 0 && self.root.is_asked(frame) && value != -INFINITY {
                return Some(Flow::Reached);
            }
            self.finish_move(frame, value);
            return None;
        }
        frame.waiting = Waiting::ForReply;
        frame.hinted = hinted;
        frame.move_value = value as i16;
        frame.reply = reply;
        frame.target = target;
        self.make(frame, bonus);
        Some(self.ask_reply(frame))
    }

    /// A better value becomes the best move.
    #[inline]
    pub(super) fn finish_move(&mut self, frame: &mut Frame, value: i32) {
        if value > i32::from(frame.value) {
            frame.value = value as i16;
            frame.from = frame.walk.square;
            frame.to = frame.walk.to | frame.walk.rook_to & ORDINARY;
        }
    }

    /// What a move is worth by itself, from the mover's side; and the bonus that goes on a pawn's
    /// byte.
    #[inline]
    fn move_value(&self, frame: &Frame, target: u8) -> (i32, u8) {
        let walk = &frame.walk;
        let kind = walk.mover & KIND;
        let mut value = i32::from(frame.eval) + gain_of(target);
        let mut bonus = 0;
        if kind <= BISHOP {
            value += centre(walk.square) - centre(walk.to);
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

/// Where a king can be captured, or castled over an attacked square: whether this is the end of the
/// pass.
#[inline(never)]
fn is_cut_off(frame: &mut Frame, target: u8) -> bool {
    if target & KIND == KING {
        frame.value = INFINITY as i16;
        return true;
    }
    frame.depth > 1 && frame.value >= frame.beta
}
