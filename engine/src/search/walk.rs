//! Walking through the steps of one side's men, in the order of the board.

use crate::board::{Board, Tour, first_step, step_at, unmoved};
use crate::piece::{BISHOP, EMPTY, KIND, KING, ROOK, is_pawn_kind};
use crate::square::{NOWHERE, OFF_BOARD};

/// What a walk goes through.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) board: &'a Board,
    /// The bit of their side.
    pub(super) own: u8,
    /// The square passed over by the move before.
    pub(super) passed: u8,
    /// The same where it was passed over by a castling king.
    pub(super) castled_over: u8,
}

/// Where a walk stands: on one step of one man.
#[derive(Clone, Copy)]
pub(super) struct Walk {
    pub(super) square: u8,
    pub(super) mover: u8,
    pub(super) vector: u8,
    pub(super) to: u8,
    /// The square passed over, and where a castling rook goes.
    pub(super) rook_to: u8,
    /// Where that rook comes from.
    pub(super) corner: u8,
}

/// What a step meets.
pub(super) enum Meeting {
    /// It is pseudo-legal, and this is what it captures.
    Target(u8),
    /// It arrives on the square that a castling king has passed over, or beside it.
    CastledOver,
    /// There are no more steps.
    End,
}

impl Walk {
    /// Nowhere.
    pub(super) const EMPTY: Walk =
        Walk { square: 0, mover: 0, vector: 0, to: 0, rook_to: 0, corner: 0 };

    /// Before the first step of the man on a square.
    #[inline]
    pub(super) fn before(board: &Board, square: u8) -> Walk {
        let mover = board.at(square);
        Walk {
            square,
            mover,
            vector: first_step(mover & KIND) - 1,
            to: square,
            rook_to: NOWHERE,
            corner: NOWHERE,
        }
    }

    /// Go to the next pseudo-legal step behind one that captured `target`.
    #[inline(always)]
    pub(super) fn next(&mut self, ground: Ground<'_>, tour: &mut Tour<'_>, target: u8) -> Meeting {
        let mut on_ray = target == EMPTY && self.goes_on(ground.board);
        loop {
            if on_ray {
                self.to = self.to.wrapping_add(step_at(self.vector));
                on_ray = false;
            } else {
                self.vector += 1;
                let mut step = step_at(self.vector);
                if step == 0 {
                    let Some(next) = tour.next() else { return Meeting::End };
                    self.square = next;
                    self.mover = ground.board.at(next);
                    self.vector = first_step(self.mover & KIND);
                    step = step_at(self.vector);
                }
                self.to = self.square.wrapping_add(step);
                self.rook_to = NOWHERE;
                self.corner = NOWHERE;
            }
            let mut target = ground.board.at(self.to);
            if ground.castled_over != NOWHERE
                && self.to & OFF_BOARD == 0
                && near(self.to, ground.castled_over)
            {
                return Meeting::CastledOver;
            }
            if target & ground.own != 0 {
                continue;
            }
            if is_pawn_kind(self.mover & KIND) {
                if self.to == ground.passed {
                    target = ground.board.at(self.to ^ 0x10);
                }
                let straight = self.to.wrapping_sub(self.square) & 7 == 0;
                if straight != (target == EMPTY) || target & ground.own != 0 {
                    continue;
                }
            }
            return Meeting::Target(target);
        }
    }

    /// The first man of a tour that may jump straight to a square, as the best move of the pass
    /// before is tried; and what it captures there.
    pub(super) fn first_jump(ground: Ground<'_>, tour: Tour<'_>, to: u8) -> Option<(Walk, u8)> {
        for square in tour {
            let mut walk = Walk::before(ground.board, square);
            let is_pawn = is_pawn_kind(walk.mover & KIND);
            let victim = if is_pawn && to == ground.passed { to ^ 0x10 } else { to };
            let target = ground.board.at(victim);
            let straight = to.wrapping_sub(square) & 7 == 0;
            if target & ground.own == 0 && !(is_pawn && straight != (target == EMPTY)) {
                walk.vector += 1;
                walk.to = to;
                return Some((walk, target));
            }
        }
        None
    }

    /// Whether the ray goes on behind the step that was just made, to an empty square: of a slider,
    /// and of a pawn or king whose step is the first half of a double or castling step.
    #[inline(always)]
    fn goes_on(&mut self, board: &Board) -> bool {
        self.mover & KIND >= BISHOP || unmoved(self.mover) && self.goes_on_once(board)
    }

    #[inline(never)]
    fn goes_on_once(&mut self, board: &Board) -> bool {
        let kind = self.mover & KIND;
        let step = step_at(self.vector);
        if self.square.wrapping_add(step) != self.to {
            return false;
        }
        if kind == KING && self.vector < first_step(KING) + 2 {
            let corner =
                if step == 1 { self.square.wrapping_add(3) } else { self.square.wrapping_sub(4) }
                    & 0x77;
            let own_rook = ROOK | self.mover & !KIND;
            if board.at(corner) != own_rook || board.at(corner ^ 1) | board.at(corner ^ 2) != EMPTY
            {
                return false;
            }
            self.corner = corner;
        } else if !is_pawn_kind(kind) {
            return false;
        }
        self.rook_to = self.to;
        true
    }
}

/// Whether a step arrives on the square passed over by a castling king, or beside it.
#[inline]
pub(super) fn near(to: u8, passed: u8) -> bool {
    to.abs_diff(passed) < 2
}
