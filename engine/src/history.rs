//! The reversible moves played so far, from which repetitions are counted without any hashing.

use crate::board::Board;
use crate::piece::{EMPTY, KIND, WALL};
use crate::square::OFF_BOARD;

/// After this many reversible half moves the fifty-move rule has spoken.
const CAPACITY: usize = 100;

/// The moves since the last one that cannot be taken back: each leads from one empty square to
/// another.
#[derive(Clone)]
pub(crate) struct History {
    moves: [[u8; 2]; CAPACITY],
    len: u8,
    /// The first of these positions allowed a capture en passant: no later one is the same.
    starts_apart: bool,
}

impl History {
    pub(crate) const fn new() -> History {
        History { moves: [[0; 2]; CAPACITY], len: 0, starts_apart: false }
    }

    /// A move was played that no later position can undo.
    pub(crate) fn restart(&mut self) {
        self.len = 0;
        self.starts_apart = false;
    }

    /// The position just reached can be left by a capture en passant.
    pub(crate) fn set_apart(&mut self) {
        self.starts_apart = true;
    }

    pub(crate) fn push(&mut self, from: u8, to: u8) {
        if usize::from(self.len) == CAPACITY {
            self.moves.copy_within(1.., 0);
            self.len -= 1;
            self.starts_apart = false;
        }
        self.moves[usize::from(self.len)] = [from, to];
        self.len += 1;
    }

    /// How often the position on the board has stood there before.
    pub(crate) fn earlier_occurrences(&self, board: &Board) -> u32 {
        let man = |byte: u8| {
            if byte & KIND == EMPTY { EMPTY } else { byte & (WALL | KIND) }
        };
        let packed = |square: u8| usize::from((square & 7) | (square & 0x70) >> 1);
        let mut past = [0; 64];
        for square in (0..128u8).filter(|square| square & OFF_BOARD == 0) {
            past[packed(square)] = man(board.at(square));
        }
        let mut differing = 0i32;
        let mut occurrences = 0;
        let moves = &self.moves[..usize::from(self.len)];
        for (back, &[from, to]) in moves.iter().rev().enumerate() {
            for (square, byte) in [(from, past[packed(to)]), (to, EMPTY)] {
                let now = man(board.at(square));
                differing -= i32::from(past[packed(square)] != now);
                past[packed(square)] = byte;
                differing += i32::from(byte != now);
            }
            let is_first = back + 1 == moves.len();
            if differing == 0 && back % 2 == 1 && !(is_first && self.starts_apart) {
                occurrences += 1;
            }
        }
        occurrences
    }
}
