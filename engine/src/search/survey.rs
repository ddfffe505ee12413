//! The first pass of a node: the most valuable victim of the least valuable man.
//!
//! Nothing is made on the board. A move is worth what it captures less the kind of its man; the
//! best is the first one to be tried in the passes that follow, if it is worth more than the
//! evaluation. On the way it shows which men can capture, and whether one can capture the king.

use super::scan::near;
use super::walk::{Ground, Walk};
use super::{Frame, INFINITY, Search};
use crate::board::{Men, Tour};
use crate::cell::ORDINARY;
use crate::piece::{
    BISHOP, BLACK_PAWN, BONUS, EMPTY, KIND, KING, KNIGHT, ROOK, WALL, WHITE, WORTH,
};
use crate::square::{NOWHERE, OFF_BOARD};

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
    #[inline(never)]
    fn survey_captures(&self, frame: &mut Frame) -> bool {
        let squares = &self.game.board.squares;
        let men = &self.game.board.men[usize::from(self.own >> 4 & 1)];
        let (own, enemy) = (self.own, self.own ^ WALL);
        let (right, left) = if own == WHITE { (0xf1, 0xef) } else { (0x0f, 0x11) };
        let passed = frame.passed;
        let mut found = Found {
            best: Best { value: frame.value, from: frame.from, to: frame.to },
            capturers: [0; 4],
            kind: EMPTY,
            square: NOWHERE,
            king: false,
        };
        for square in Tour::new(men, frame.start) {
            let kind = squares[usize::from(square)] & KIND;
            found.kind = kind;
            found.square = square;
            let leap = |step: u8, found: &mut Found| {
                let to = square.wrapping_add(step);
                let target = squares[usize::from(to)];
                if target & enemy != 0 && target & own == 0 {
                    found.meet(target, to);
                }
            };
            let slide = |step: u8, found: &mut Found| {
                let mut to = square;
                let target = loop {
                    to = to.wrapping_add(step);
                    let target = squares[usize::from(to)];
                    if target != EMPTY {
                        break target;
                    }
                };
                if target & own == 0 {
                    found.meet(target, to);
                }
            };
            match kind {
                KNIGHT => {
                    leap(0xf2, &mut found);
                    leap(0x0e, &mut found);
                    leap(0xee, &mut found);
                    leap(0x12, &mut found);
                    leap(0xe1, &mut found);
                    leap(0x1f, &mut found);
                    leap(0xdf, &mut found);
                    leap(0x21, &mut found);
                }
                KING => {
                    leap(0xff, &mut found);
                    leap(0x01, &mut found);
                    leap(0xf0, &mut found);
                    leap(0x10, &mut found);
                    leap(0xf1, &mut found);
                    leap(0x0f, &mut found);
                    leap(0xef, &mut found);
                    leap(0x11, &mut found);
                }
                BISHOP.. => {
                    // A queen is a rook and then a bishop.
                    if kind != BISHOP {
                        slide(0xff, &mut found);
                        slide(0x01, &mut found);
                        slide(0xf0, &mut found);
                        slide(0x10, &mut found);
                    }
                    if kind != ROOK {
                        slide(0xf1, &mut found);
                        slide(0x0f, &mut found);
                        slide(0xef, &mut found);
                        slide(0x11, &mut found);
                    }
                }
                _ => {
                    leap(right, &mut found);
                    if passed & OFF_BOARD == 0 {
                        found.meet_passed(squares, [right, left], passed);
                    }
                    leap(left, &mut found);
                }
            }
            if found.king {
                break;
            }
        }
        (frame.value, frame.from, frame.to) = (found.best.value, found.best.from, found.best.to);
        frame.capturers = packed(found.capturers);
        found.king
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
    fn survey_every_step(&mut self, frame: &mut Frame) {
        let board = &self.game.board;
        let men = &board.men[usize::from(self.own >> 4)];
        let ground = Ground { board, own: self.own, passed: frame.passed };
        let castled_over = self.castled_over(frame.passed);
        let mut tour = Tour::new(men, frame.start);
        let Some(first) = tour.next() else { return };
        let mut walk = Walk::before(board, first);
        let mut best = Best { value: frame.eval, from: frame.from, to: 0 };
        let mut capturers = Men([0; 4]);
        let mut last_capturer = NOWHERE;
        loop {
            let mut over_attacked = false;
            let target = walk.next(ground, &mut tour, &mut |to| {
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
        frame.capturers = packed(capturers.0);
    }
}

/// Two rows of the board to a half word.
#[inline]
fn packed(bits: [u32; 4]) -> [u32; 2] {
    [bits[0] | bits[1] << 8, bits[2] | bits[3] << 8]
}

/// What the captures of a side come to.
struct Found {
    best: Best,
    capturers: [u32; 4],
    /// The man at hand.
    kind: u8,
    square: u8,
    /// The king can be captured: nothing counts any more.
    king: bool,
}

impl Found {
    /// A pawn that can capture on the square passed over. Nothing else stands there, so it does not
    /// matter which of its two captures came first.
    #[inline(never)]
    fn meet_passed(&mut self, squares: &[u8; 256], captures: [u8; 2], passed: u8) {
        for step in captures {
            if self.square.wrapping_add(step) == passed && squares[usize::from(passed)] == EMPTY {
                let target = squares[usize::from(passed ^ 0x10)];
                // The first game begins with a8 passed over, and nobody to capture.
                if target & KIND <= BLACK_PAWN && target != EMPTY {
                    self.meet(target, passed);
                }
            }
        }
    }

    #[inline(never)]
    fn meet(&mut self, target: u8, to: u8) {
        self.king |= target & KIND == KING;
        if !self.king {
            self.best.consider(target, self.kind, self.square, to);
            self.capturers[usize::from(self.square >> 5 & 3)] |= 1 << (self.square & 31);
        }
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
            *self = Best { value: worth, from, to: to | ORDINARY };
        }
        better
    }
}
