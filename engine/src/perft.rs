//! Counting the leaves of the tree of legal moves, the usual proof of a move generator.

use crate::game::Game;
use crate::moves::Move;

impl Game {
    /// The number of ways to play `depth` half moves. The last ply is counted, not played.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => u64::from(self.count_legal_moves()),
            _ => self.legal_moves().iter().map(|&mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }

    /// The same, told move by move.
    pub fn divide(&self, depth: u32, mut each: impl FnMut(Move, u64)) -> u64 {
        let mut total = 0;
        if depth == 0 {
            return 1;
        }
        for &mv in &self.legal_moves() {
            let count = self.after(mv).perft(depth - 1);
            each(mv, count);
            total += count;
        }
        total
    }

    fn after(&self, mv: Move) -> Game {
        let mut next = self.clone();
        next.apply(mv);
        next
    }
}
