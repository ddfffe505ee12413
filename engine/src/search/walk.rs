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
    /// The next step is the next one of this ray.
    pub(super) on_ray: bool,
}

impl Walk {
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
            on_ray: false,
        }
    }

    /// Go to the next pseudo-legal step, and tell what it captures. `look` sees every step on the
    /// board, also those that something is in the way of.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        ground: Ground<'_>,
        tour: &mut Tour<'_>,
        look: &mut impl FnMut(u8),
    ) -> Option<u8> {
        loop {
            if self.on_ray {
                self.to = self.to.wrapping_add(step_at(self.vector));
                self.on_ray = false;
            } else {
                self.vector += 1;
                let mut step = step_at(self.vector);
                if step == 0 {
                    let next = tour.next()?;
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
            if self.to & OFF_BOARD == 0 {
                look(self.to);
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
            return Some(target);
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

    /// Find out whether the ray goes on behind the step that was just made, and captured `target`.
    #[inline]
    pub(super) fn settle(&mut self, board: &Board, target: u8) {
        let kind = self.mover & KIND;
        if target != EMPTY {
            return;
        }
        if kind >= BISHOP {
            self.on_ray = true;
            return;
        }
        let step = step_at(self.vector);
        if !unmoved(self.mover) || self.square.wrapping_add(step) != self.to {
            return;
        }
        if is_pawn_kind(kind) {
            self.rook_to = self.to;
            self.on_ray = true;
        } else if kind == KING && self.vector < first_step(KING) + 2 {
            let corner =
                if step == 1 { self.square.wrapping_add(3) } else { self.square.wrapping_sub(4) }
                    & 0x77;
            let own_rook = ROOK | self.mover & !KIND;
            if board.at(corner) == own_rook && board.at(corner ^ 1) | board.at(corner ^ 2) == EMPTY
            {
                self.corner = corner;
                self.rook_to = self.to;
                self.on_ray = true;
            }
        }
    }
}
