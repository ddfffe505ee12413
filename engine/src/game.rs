//! A position with what its game has left behind: for the rules, and for the search.

use crate::board::{Board, unmoved};
use crate::history::History;
use crate::keys::Keys;
use crate::moves::Move;
use crate::piece::{
    EMPTY, KIND, KING, MOVED, QUEEN, ROOK, Role, Side, gain_of, is_pawn_kind, role_of,
};
use crate::square::{NOWHERE, inner};

/// A chess game as far as it has come: the position, and the history that the rules and the search
/// need.
///
/// Besides what the rules ask for it carries micro-Max's own state of a game: the two keys, the
/// captured material (R), the evaluation (Q) and the square passed over by the last move (O).
#[derive(Clone)]
pub struct Game {
    pub(crate) board: Board,
    pub(crate) side: Side,
    /// The square a pawn has just passed over with its double step, or NOWHERE. This is what the
    /// rules and the FEN know.
    pub(crate) en_passant: u8,
    /// The square passed over by the last double or castling step, as the search sees it.
    pub(crate) passed: u8,
    pub(crate) keys: Keys,
    /// Non-pawn material captured so far, both sides, in units of 128.
    pub(crate) captured: i32,
    /// The evaluation from the mover's side.
    pub(crate) eval: i32,
    pub(crate) halfmove_clock: u16,
    pub(crate) fullmove_number: u16,
    pub(crate) history: History,
}

/// A move asked for that the position does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove(pub Move);

impl core::fmt::Display for IllegalMove {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(out, "{} is not legal here", self.0)
    }
}

impl core::error::Error for IllegalMove {}

impl Game {
    /// The initial position.
    pub const fn new() -> Game {
        Game {
            board: Board::initial(),
            side: Side::White,
            en_passant: NOWHERE,
            // micro-Max starts its first game from zeroed memory: not "nowhere" but a8, which is
            // harmless, and chooses another cell.
            passed: 0,
            keys: Keys { place: 0, lock: 0 },
            captured: 0,
            eval: 0,
            halfmove_clock: 0,
            fullmove_number: 1,
            history: History::new(),
        }
    }

    /// Whose move it is.
    pub fn side_to_move(&self) -> Side {
        self.side
    }

    /// What stands on a square (a1 is 0, h8 is 63).
    pub fn piece_at(&self, square: u8) -> Option<(Side, Role)> {
        let byte = self.board.at(inner(square));
        let side = if byte & Side::White.bit() != 0 { Side::White } else { Side::Black };
        role_of(byte).map(|role| (side, role))
    }

    /// Half moves since the last capture or pawn move.
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move, which goes up after Black's.
    pub fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// micro-Max's running evaluation (Q) from the mover's side: the gains of both sides, place and
    /// structure aside.
    pub fn evaluation(&self) -> i32 {
        self.eval
    }

    /// Play a move, if it is legal. This is the rules' way; an engine's game goes on by the
    /// engine's own `play`.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.is_legal(mv) {
            return Err(IllegalMove(mv));
        }
        self.apply(mv);
        Ok(())
    }

    /// Play a move that is known to be legal, with all that micro-Max remembers of it.
    pub(crate) fn apply(&mut self, mv: Move) {
        let (from, to) = (inner(mv.from), inner(mv.to));
        let mover = self.board.at(from);
        let kind = mover & KIND;
        let rights = self.board.castling_rights();
        let victim_square =
            if is_pawn_kind(kind) && to == self.en_passant { to ^ 0x10 } else { to };
        let victim = self.board.at(victim_square);
        let mut gain = gain_of(victim);

        let mut after = mover | MOVED;
        if is_pawn_kind(kind) {
            match mv.promotion {
                Some(role) => {
                    after = self.side.bit() | MOVED | role.kind(self.side);
                    gain += promotion_gain(role, kind);
                }
                None => {
                    let bonus = advance_bonus(mover, to);
                    after = after.wrapping_add(bonus);
                    gain += i32::from(bonus);
                }
            }
        }

        self.board.put(victim_square, EMPTY);
        self.board.put(from, EMPTY);
        self.board.put(to, after);
        self.keys.add(to, after);
        self.keys.remove(from, mover);
        self.keys.remove(victim_square, victim);
        self.passed = NOWHERE;
        self.en_passant = NOWHERE;
        let between = ((u16::from(from) + u16::from(to)) / 2) as u8;
        if is_pawn_kind(kind) && from.abs_diff(to) == 32 {
            self.en_passant = between;
            self.passed = between;
        } else if kind == KING && unmoved(mover) && from.abs_diff(to) == 2 {
            let corner = corner_of(from, to);
            self.board.put(corner, EMPTY);
            self.board.put(between, self.side.bit() | ROOK);
            self.keys.castle(corner);
            self.passed = between;
        }

        self.captured += gain >> 7;
        self.eval = -self.eval - gain;
        let irreversible =
            is_pawn_kind(kind) || victim != EMPTY || rights != self.board.castling_rights();
        if is_pawn_kind(kind) || victim != EMPTY {
            self.halfmove_clock = 0;
        } else {
            self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        }
        if self.side == Side::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.side = self.side.other();
        if irreversible {
            self.history.restart();
            self.set_apart_if_en_passant();
        } else {
            self.history.push(from, to);
        }
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl core::fmt::Debug for Game {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        out.write_str("Game(")?;
        self.write_fen(out)?;
        out.write_str(")")
    }
}

/// What arriving on its sixth or seventh rank adds to a pawn that had moved before.
#[inline]
pub(crate) fn advance_bonus(pawn: u8, to: u8) -> u8 {
    2 * (pawn & to.wrapping_add(16) & 32)
}

/// What turning into a man gains: the original's number for a queen, and for another man as much
/// less as it is worth less.
fn promotion_gain(role: Role, pawn_kind: u8) -> i32 {
    let less = gain_of(QUEEN) - gain_of(role.kind(Side::White));
    QUEENING - i32::from(pawn_kind) - less
}

/// What queening adds to a pawn's kind: in its byte, where it makes a queen, and in the evaluation.
pub(crate) const QUEENING: i32 = 647;

/// The corner of the rook that a king castles with.
pub(crate) fn corner_of(king_from: u8, king_to: u8) -> u8 {
    if king_to > king_from { king_from | 7 } else { king_from & 0x70 }
}
