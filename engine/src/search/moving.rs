//! Making a move on the board and taking it back.

use super::{Frame, Search};
use crate::piece::{EMPTY, KIND, KING, MOVED, ROOK, WALL, is_pawn_kind};
use crate::square::NOWHERE;

/// The square on which a man stands that this step captures.
#[inline]
pub(super) fn victim_square(kind: u8, to: u8, passed: u8) -> u8 {
    if is_pawn_kind(kind) && to == passed { to ^ 0x10 } else { to }
}

impl Search<'_> {
    /// Make the move at hand; `bonus` goes on a pawn's byte.
    #[inline]
    pub(super) fn make(&mut self, frame: &Frame, bonus: u8) {
        let (from, to, target) = (frame.walk.square, frame.walk.to, frame.target);
        let kind = frame.walk.mover & KIND;
        let after = (frame.walk.mover | MOVED).wrapping_add(bonus);
        let own = self.own_index();
        let board = &mut self.game.board;
        if frame.walk.corner != NOWHERE {
            board.squares[usize::from(frame.walk.corner)] = EMPTY;
            board.squares[usize::from(frame.walk.rook_to)] = self.own | ROOK;
            board.men[own].flip(frame.walk.corner);
            board.men[own].flip(frame.walk.rook_to);
            self.game.keys.castle(frame.walk.corner);
        }
        board.squares[usize::from(from)] = EMPTY;
        board.squares[usize::from(to)] = after;
        board.men[own].flip(from);
        board.men[own].flip(to);
        if kind == KING {
            board.kings[own] = to;
        }
        self.game.keys.add(to, after);
        self.game.keys.remove(from, frame.walk.mover);
        if target != EMPTY {
            let victim = victim_square(kind, to, frame.passed);
            if victim != to {
                board.squares[usize::from(victim)] = EMPTY;
            }
            board.men[own ^ 1].flip(victim);
            self.game.keys.remove(victim, target);
        }
    }

    /// Take it back.
    #[inline]
    pub(super) fn take_back(&mut self, frame: &Frame) {
        let (from, to, target) = (frame.walk.square, frame.walk.to, frame.target);
        let kind = frame.walk.mover & KIND;
        let own = self.own_index();
        let board = &mut self.game.board;
        self.game.keys.place = frame.place;
        self.game.keys.lock = frame.lock;
        if frame.walk.corner != NOWHERE {
            board.squares[usize::from(frame.walk.corner)] = self.own | ROOK;
            board.squares[usize::from(frame.walk.rook_to)] = EMPTY;
            board.men[own].flip(frame.walk.corner);
            board.men[own].flip(frame.walk.rook_to);
        }
        board.squares[usize::from(to)] = EMPTY;
        board.squares[usize::from(from)] = frame.walk.mover;
        board.men[own].flip(from);
        board.men[own].flip(to);
        if kind == KING {
            board.kings[own] = from;
        }
        if target != EMPTY {
            let victim = victim_square(kind, to, frame.passed);
            board.squares[usize::from(victim)] = target;
            board.men[own ^ 1].flip(victim);
        }
    }
}

const _: () = assert!(WALL >> 4 == 1);
