//! The rules of movement: every pseudo-legal move, and which of them are legal. Independent of the
//! search, which only plays what passes here.

use core::ops::ControlFlow;

use crate::board::{Step, steps_of, unmoved};
use crate::game::{Game, corner_of};
use crate::moves::{Move, MoveList};
use crate::piece::{BISHOP, EMPTY, KIND, KING, MOVED, Role, WALL, is_pawn_kind};
use crate::square::{NOWHERE, OFF_BOARD, inner, outer};

/// What a pawn may become, the likeliest first.
const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

impl Game {
    /// Whether the position has this move.
    pub fn is_legal(&self, mv: Move) -> bool {
        if mv.from > 63 || mv.to > 63 {
            return false;
        }
        let (from, to) = (inner(mv.from), inner(mv.to));
        let mover = self.board.at(from);
        if mover & self.side.bit() == 0 {
            return false;
        }
        let promotes = is_pawn_kind(mover & KIND) && to >> 4 == self.side.other().home_row();
        let promotion_fits = match mv.promotion {
            Some(role) => promotes && PROMOTIONS.contains(&role),
            None => !promotes,
        };
        promotion_fits
            && self
                .any_step_of(from, &mut |step| {
                    if step == to { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .is_break()
            && self.leaves_king_safe(from, to)
    }

    /// Every move the position has.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        let _ = self.each_legal_step(&mut |from, to| {
            self.each_promotion(from, to, &mut |mv| list.push(mv));
            ControlFlow::Continue(())
        });
        list
    }

    /// How many moves the position has.
    pub fn count_legal_moves(&self) -> u32 {
        let mut count = 0;
        let _ = self.each_legal_step(&mut |from, to| {
            self.each_promotion(from, to, &mut |_| count += 1);
            ControlFlow::Continue(())
        });
        count
    }

    /// Whether the position has a move at all.
    pub fn has_legal_move(&self) -> bool {
        self.any_legal_move().is_some()
    }

    /// A legal move, if there is any.
    pub(crate) fn any_legal_move(&self) -> Option<Move> {
        let mut found = None;
        for from in self.board.men[self.side.index()].squares() {
            let stopped = self.any_step_of(from, &mut |to| {
                if self.leaves_king_safe(from, to) {
                    found = Some(self.move_between(from, to));
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            });
            if stopped.is_break() {
                break;
            }
        }
        found
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        self.board.attacked(self.board.kings[self.side.index()], self.side.other())
    }

    /// The move from one inner square to another, with the promotion that the search means by it.
    pub(crate) fn move_between(&self, from: u8, to: u8) -> Move {
        let promotes = is_pawn_kind(self.board.at(from) & KIND)
            && self.board.at(from) != EMPTY
            && to >> 4 == self.side.other().home_row();
        Move { from: outer(from), to: outer(to), promotion: promotes.then_some(Role::Queen) }
    }

    /// A position that can be left by a capture en passant does not come back, though its men may.
    pub(crate) fn set_apart_if_en_passant(&mut self) {
        if self.en_passant == NOWHERE {
            return;
        }
        let beside = self.en_passant.wrapping_sub(self.side.forward());
        let pawn = Role::Pawn.kind(self.side) | self.side.bit();
        let captures = |from: u8| {
            self.board.at(from) & (WALL | KIND) == pawn
                && self.leaves_king_safe(from, self.en_passant)
        };
        if captures(beside.wrapping_sub(1)) || captures(beside.wrapping_add(1)) {
            self.history.set_apart();
        }
    }

    fn each_promotion(&self, from: u8, to: u8, visit: &mut impl FnMut(Move)) {
        let mv = self.move_between(from, to);
        match mv.promotion {
            None => visit(mv),
            Some(_) => {
                PROMOTIONS.into_iter().for_each(|role| visit(Move { promotion: Some(role), ..mv }))
            }
        }
    }

    /// Every legal step, as a pair of inner squares: a promotion only once.
    fn each_legal_step(
        &self,
        visit: &mut impl FnMut(u8, u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let king = self.board.kings[self.side.index()];
        let in_check = self.in_check();
        for from in self.board.men[self.side.index()].squares() {
            let free = !in_check && from != king && !in_line(from, king);
            self.steps_of(from, &mut |to| {
                let safe =
                    free && !(to == self.en_passant && is_pawn_kind(self.board.at(from) & KIND));
                if safe || self.leaves_king_safe(from, to) {
                    visit(from, to)
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        ControlFlow::Continue(())
    }

    /// The same as [`Game::steps_of`], once and for all visitors: for where speed does not count, and
    /// a board's flash does.
    #[inline(never)]
    fn any_step_of(
        &self,
        from: u8,
        visit: &mut dyn FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.steps_of(from, &mut |to| visit(to))
    }

    /// Every square a man of the side to move can step to, its own king's safety aside.
    fn steps_of(&self, from: u8, visit: &mut impl FnMut(u8) -> ControlFlow<()>) -> ControlFlow<()> {
        let own = self.side.bit();
        let mover = self.board.at(from);
        let kind = mover & KIND;
        if is_pawn_kind(kind) {
            return self.pawn_steps(from, visit);
        }
        for &step in steps_of(kind) {
            let mut to = from.wrapping_add(step);
            while self.board.at(to) & own == 0 {
                visit(to)?;
                if kind < BISHOP || self.board.at(to) != EMPTY {
                    break;
                }
                to = to.wrapping_add(step);
            }
        }
        if kind == KING { self.castling_steps(from, visit) } else { ControlFlow::Continue(()) }
    }

    fn pawn_steps(
        &self,
        from: u8,
        visit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let forward = self.side.forward();
        let ahead = from.wrapping_add(forward);
        if self.board.at(ahead) == EMPTY {
            visit(ahead)?;
            let second = ahead.wrapping_add(forward);
            if unmoved(self.board.at(from)) && self.board.at(second) == EMPTY {
                visit(second)?;
            }
        }
        for to in [ahead.wrapping_sub(1), ahead.wrapping_add(1)] {
            if to & OFF_BOARD == 0
                && (self.board.at(to) & self.side.other().bit() != 0 || to == self.en_passant)
            {
                visit(to)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn castling_steps(
        &self,
        from: u8,
        visit: &mut impl FnMut(u8) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (corner_file, towards) in [(7, 1u8), (0, 0xff)] {
            if !self.board.may_castle(self.side, corner_file) {
                continue;
            }
            let corner = corner_of(from, from.wrapping_add(towards));
            let mut between = from.wrapping_add(towards);
            while self.board.at(between) == EMPTY {
                between = between.wrapping_add(towards);
            }
            let enemy = self.side.other();
            let passed = from.wrapping_add(towards);
            if between == corner
                && !self.board.attacked(from, enemy)
                && !self.board.attacked(passed, enemy)
            {
                visit(passed.wrapping_add(towards))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Whether the own king is out of danger once this pseudo-legal step has been made.
    #[inline(never)]
    fn leaves_king_safe(&self, from: u8, to: u8) -> bool {
        let mover = self.board.at(from);
        let is_king = mover & KIND == KING;
        let king = if is_king { to } else { self.board.kings[self.side.index()] };
        let taken =
            if is_pawn_kind(mover & KIND) && to == self.en_passant { to ^ 0x10 } else { to };
        let step = Step { from, to, taken, arrives: mover | MOVED };
        !self.board.attacked_behind(step, king, self.side.other())
    }
}

/// Whether two squares share a row, a file or a diagonal.
fn in_line(a: u8, b: u8) -> bool {
    let difference = a.wrapping_sub(b);
    let sum = (a >> 4).wrapping_add(a & 7);
    a >> 4 == b >> 4
        || difference & 7 == 0
        || sum == (b >> 4) + (b & 7)
        || (a >> 4).wrapping_sub(a & 7) == (b >> 4).wrapping_sub(b & 7)
}
