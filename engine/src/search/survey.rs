//! The first pass of a node: the most valuable victim of the least valuable man.
//!
//! Nothing is made on the board. A move is worth what it captures less the kind of its man; the best is the first one to be tried in the passes that
//! follow, if it is worth more than the evaluation. On the way it shows which men can capture, and whether one can capture the king.

use super::scan::near;
use super::walk::{Ground, Walk};
use super::{Frame, INFINITY, Search};
use crate::board::{Men, first_step, step_at};
use crate::cell::ORDINARY;
use crate::piece::{BISHOP, BONUS, EMPTY, KIND, KING, WALL, WORTH, is_pawn_kind};
use crate::square::NOWHERE;

/// A quiet move is worth less than nothing by its man's kind: this much at best.
const BEST_QUIET: i16 = -1;

/// What capturing a man gains.
#[inline]
pub(super) fn gain_of(target: u8) -> i16 {
    GAIN[usize::from(target & KIND)] + i16::from(target & BONUS)
}

static GAIN: [i16; 8] = {
    let mut gain = WORTH;
    let mut kind = 0;
    while kind < 8 {
        gain[kind] *= 37;
        kind += 1;
    }
    gain
};

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
    fn survey_captures(&mut self, frame: &mut Frame) -> bool {
        let enemy = self.own ^ WALL;
        let board = &self.game.board;
        let men = &board.men[usize::from(self.own >> 4)];
        let start = frame.start;
        let mut best = Best {
            value: frame.value,
            from: frame.from,
            to: frame.to,
        };
        let mut capturers = [0u32; 4];
        let mut square = men.at_or_after(start);
        let found_king = loop {
            let kind = board.at(square) & KIND;
            let mut vector = first_step(kind);
            let mut found = EMPTY;
            if is_pawn_kind(kind) {
                for sideways in [vector + 1, vector + 2] {
                    let to = square.wrapping_add(step_at(sideways));
                    let mut target = board.at(to);
                    if target == EMPTY && to == frame.passed {
                        target = board.at(to ^ 0x10);
                    }
                    if target & WALL == enemy {
                        found = target;
                        if target & KIND == KING {
                            break;
                        }
                        best.consider(target, kind, square, to);
                    }
                }
            } else {
                let slides = kind >= BISHOP;
                let mut step = step_at(vector);
                while step != 0 {
                    let mut to = square.wrapping_add(step);
                    let mut target = board.at(to);
                    if slides {
                        while target == EMPTY {
                            to = to.wrapping_add(step);
                            target = board.at(to);
                        }
                    }
                    if target & WALL == enemy {
                        found = target;
                        if target & KIND == KING {
                            break;
                        }
                        best.consider(target, kind, square, to);
                    }
                    vector += 1;
                    step = step_at(vector);
                }
            }
            if found != EMPTY {
                if found & KIND == KING {
                    break true;
                }
                capturers[usize::from(square >> 5 & 3)] |= 1 << (square & 31);
            }
            let next = men.after(square);
            if next.wrapping_sub(start) & 0x7f <= square.wrapping_sub(start) & 0x7f {
                break false;
            }
            square = next;
        };
        (frame.value, frame.from, frame.to) = (best.value, best.from, best.to);
        frame.capturers = [
            capturers[0] | capturers[1] << 8,
            capturers[2] | capturers[3] << 8,
        ];
        found_king
    }

    /// The best quiet move where there is no capture: nearly always the first pawn's that can step.
    fn survey_quiet(&mut self, frame: &mut Frame) {
        let board = &self.game.board;
        let side = self.own_side();
        let men = &board.men[side.index()];
        let pawn_kind = crate::piece::Role::Pawn.kind(side);
        if frame.eval < -i16::from(pawn_kind) {
            let mut square = men.at_or_after(frame.start);
            loop {
                let ahead = square.wrapping_add(side.forward());
                if board.at(square) & KIND == pawn_kind && board.at(ahead) == EMPTY {
                    frame.value = -i16::from(pawn_kind);
                    frame.from = square;
                    frame.to = ahead | ORDINARY;
                    return;
                }
                let next = men.after(square);
                if next.wrapping_sub(frame.start) & 0x7f <= square.wrapping_sub(frame.start) & 0x7f
                {
                    break;
                }
                square = next;
            }
        }
        self.survey_every_step(frame);
    }

    /// The whole first pass, step by step, as the original makes it: where quiet moves or a castling king's path count.
    fn survey_every_step(&mut self, frame: &mut Frame) {
        let board = &self.game.board;
        let men = &board.men[usize::from(self.own >> 4)];
        let ground = Ground {
            board,
            men,
            own: self.own,
            passed: frame.passed,
        };
        let castled_over = self.castled_over(frame.passed);
        let mut walk = Walk::before(board, frame.start, men.at_or_after(frame.start));
        let mut best = Best {
            value: frame.eval,
            from: frame.from,
            to: 0,
        };
        let mut capturers = Men([0; 4]);
        let mut last_capturer = NOWHERE;
        loop {
            let mut over_attacked = false;
            let target = walk.next(ground, &mut |to| {
                over_attacked |= castled_over && near(to, frame.passed)
            });
            if over_attacked || target.is_some_and(|target| target & KIND == KING) {
                best.value = INFINITY as i16;
                break;
            }
            let Some(target) = target else { break };
            let ordinary = walk.rook_to & ORDINARY;
            if best.consider(target, walk.mover & KIND, walk.square, walk.to) && ordinary == 0 {
                best.to &= !ORDINARY;
            }
            if target != EMPTY && last_capturer != walk.square {
                last_capturer = walk.square;
                capturers.flip(walk.square);
            }
            walk.settle(board, target);
        }
        (frame.value, frame.from, frame.to) = (best.value, best.from, best.to);
        let bits = capturers.0;
        frame.capturers = [bits[0] | bits[1] << 8, bits[2] | bits[3] << 8];
    }
}

/// The best move of a first pass.
struct Best {
    value: i16,
    from: u8,
    to: u8,
}

impl Best {
    #[inline]
    fn consider(&mut self, target: u8, kind: u8, from: u8, to: u8) -> bool {
        let worth = gain_of(target) - i16::from(kind);
        let better = worth > self.value;
        if better {
            *self = Best {
                value: worth,
                from,
                to: to | ORDINARY,
            };
        }
        better
    }
}
