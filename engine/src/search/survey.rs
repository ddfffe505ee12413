//! The first pass of a node: the most valuable victim of the least valuable man.
//!
//! Nothing is made on the board. A move is worth what it captures less the kind of its man; the
//! best is the first one to be tried in the passes that follow, if it is worth more than the
//! evaluation. On the way it shows which men can capture, and whether one can capture the king.

use super::walk::Walk;
use super::{Frame, INFINITY, Search};
use crate::board::{Tour, steps_of};
use crate::cell::ORDINARY;
use crate::piece::{BISHOP, BLACK_PAWN, EMPTY, KIND, KING, WALL, gain_of};
use crate::square::OFF_BOARD;

/// A quiet move is worth less than nothing by its man's kind: this much at best.
const BEST_QUIET: i16 = -1;

impl Search<'_> {
    pub(super) fn survey(&mut self, frame: &mut Frame) {
        frame.start = frame.from;
        frame.surveyed = true;
        frame.careful = false;
        frame.value = frame.eval;
        if self.castled_over(frame.passed) {
            self.survey_every_step(frame);
            return;
        }
        let found_king = self.survey_captures(frame);
        if frame.to == 0 && frame.eval < BEST_QUIET {
            // No capture came first, and the side is so far behind that a quiet move is the best.
            if found_king {
                self.survey_every_step(frame);
            } else {
                self.survey_quiet(frame);
            }
        }
        if found_king {
            frame.value = INFINITY as i16;
        }
    }

    /// The best capture, and the men that can capture. Ends with `true` at a capture of the king.
    #[inline(never)]
    fn survey_captures(&self, frame: &mut Frame) -> bool {
        let squares = &self.game.board.squares;
        let men = &self.game.board.men[self.own_index()];
        let enemy = self.own_side().other().bit();
        let tour = Tour::new(men, frame.start);
        frame.capturers = [0; 2];
        for square in tour {
            let man = Man { square, kind: squares[usize::from(square)] & KIND };
            let steps = steps_of(man.kind);
            if let &[_, right, left] = steps {
                if frame.passed & OFF_BOARD == 0 {
                    if frame.meet_in_passing(squares, man, enemy) {
                        return true;
                    }
                    continue;
                }
                if frame.leap(squares, man, enemy, right) || frame.leap(squares, man, enemy, left) {
                    return true;
                }
                continue;
            }
            // In pairs, which saves half of the loops' own work.
            let pairs = steps.as_chunks::<2>().0;
            if man.kind >= BISHOP {
                for &[one, other] in pairs {
                    if frame.slide(squares, man, enemy, one)
                        || frame.slide(squares, man, enemy, other)
                    {
                        return true;
                    }
                }
            } else {
                for &[one, other] in pairs {
                    if frame.leap(squares, man, enemy, one)
                        || frame.leap(squares, man, enemy, other)
                    {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The best quiet move where there is no capture: nearly always the first pawn's that can step.
    fn survey_quiet(&mut self, frame: &mut Frame) {
        let board = &self.game.board;
        let side = self.own_side();
        let men = &board.men[side.index()];
        let pawn_kind = crate::piece::Role::Pawn.kind(side);
        if frame.eval < -i16::from(pawn_kind) {
            for square in Tour::new(men, frame.start) {
                let ahead = square.wrapping_add(side.forward());
                if board.at(square) & KIND == pawn_kind && board.at(ahead) == EMPTY {
                    frame.value = -i16::from(pawn_kind);
                    frame.from = square;
                    frame.to = ahead | ORDINARY;
                    return;
                }
            }
        }
        self.survey_every_step(frame);
    }

    /// The whole first pass, step by step, as the original makes it: where quiet moves or a
    /// castling king's path count.
    #[inline(never)]
    fn survey_every_step(&mut self, frame: &mut Frame) {
        frame.value = frame.eval;
        frame.to = 0;
        frame.capturers = [0; 2];
        frame.careful = true;
        let _ = self.scan_all(frame);
        frame.careful = false;
    }
}

/// The man whose steps are looked at.
#[derive(Clone, Copy)]
struct Man {
    square: u8,
    kind: u8,
}

impl Frame {
    /// A man can capture. `true`: the king, and nothing else counts any more.
    #[inline(never)]
    fn meet(&mut self, man: Man, target: u8, to: u8) -> bool {
        if target & KIND == KING {
            return true;
        }
        // Two rows of the board to a half word.
        let bit = 1 << (man.square & 23) << (man.square >> 2 & 8);
        self.capturers[usize::from(man.square >> 6 & 1)] |= bit;
        self.consider(man, target, to | ORDINARY);
        false
    }

    /// What a man can capture with one step. `true` as with [`Frame::meet`].
    #[inline(always)]
    fn leap(&mut self, squares: &[u8; 256], man: Man, enemy: u8, step: u8) -> bool {
        let to = man.square.wrapping_add(step);
        let target = squares[usize::from(to)];
        target & WALL == enemy && self.meet(man, target, to)
    }

    /// What a man can capture along a ray. `true` as with [`Frame::meet`].
    #[inline(always)]
    fn slide(&mut self, squares: &[u8; 256], man: Man, enemy: u8, step: u8) -> bool {
        let mut to = man.square;
        let target = loop {
            to = to.wrapping_add(step);
            let target = squares[usize::from(to)];
            if target != EMPTY {
                break target;
            }
        };
        target & WALL == enemy && self.meet(man, target, to)
    }

    /// What a pawn can capture where a square has just been passed over.
    #[inline(never)]
    fn meet_in_passing(&mut self, squares: &[u8; 256], man: Man, enemy: u8) -> bool {
        for &step in steps_of(man.kind).iter().skip(1) {
            let to = man.square.wrapping_add(step);
            let mut target = squares[usize::from(to)];
            if to == self.passed && target == EMPTY {
                let beside = squares[usize::from(to ^ 0x10)];
                // The first game begins with a8 passed over, and nobody to capture.
                if beside & KIND <= BLACK_PAWN {
                    target = beside;
                }
            }
            if target & WALL == enemy && self.meet(man, target, to) {
                return true;
            }
        }
        false
    }

    /// The best of a first pass.
    #[inline]
    fn consider(&mut self, man: Man, target: u8, to: u8) {
        let worth = gain_of(target) - i32::from(man.kind);
        if worth > i32::from(self.value) {
            self.value = worth as i16;
            self.from = man.square;
            self.to = to;
        }
    }

    /// The move at hand in a first pass that is made step by step.
    #[inline(never)]
    pub(super) fn survey_step(&mut self, target: u8) {
        let Walk { square, mover, to, rook_to, .. } = self.walk;
        let man = Man { square, kind: mover & KIND };
        if target == EMPTY {
            self.consider(man, target, to | rook_to & ORDINARY);
        } else {
            self.meet(man, target, to);
        }
    }
}
