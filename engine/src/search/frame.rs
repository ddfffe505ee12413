//! What a node of the tree has to remember while its replies are searched.

use super::walk::Walk;
use crate::cell::Cell;

/// How many nodes may lie one below the other. Where the tree would grow deeper, a move's own value
/// stands for the search of its reply; with budgets in the tens of thousands no position has been
/// seen to go beyond 30.
pub(crate) const PLIES: usize = 40;

/// What a node is asked.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// The window's lower bound, not yet lowered.
    pub(super) alpha: i32,
    pub(super) beta: i32,
    /// The evaluation from the side of the one to move.
    pub(super) eval: i32,
    /// The square passed over by the move before.
    pub(super) passed: u8,
    pub(super) depth: u8,
}

/// What the node waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    ForNull,
    ForReply,
}

/// One node, packed: there are [`PLIES`] of these in the controller's memory.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    // The position.
    pub(super) place: u32,
    pub(super) lock: u32,
    pub(super) cell: u32,
    /// The men that can capture, two rows of the board to a half word.
    pub(super) capturers: [u32; 2],
    // The question.
    pub(super) alpha: i16,
    pub(super) beta: i16,
    pub(super) eval: i16,
    pub(super) passed: u8,
    pub(super) wanted: u8,
    // The pass.
    pub(super) value: i16,
    pub(super) depth: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) start: u8,
    /// The null move's score was INFINITY: in check, or too shallow to ask.
    pub(super) null_is_infinite: bool,
    /// A king can be captured here, or a king has castled over an attacked square: every step has
    /// to be looked at in turn.
    pub(super) careful: bool,
    /// The first pass was made here, not taken over from the cell.
    pub(super) surveyed: bool,
    pub(super) waiting: Waiting,
    // The move at hand.
    /// It is the best move of the pass before, tried ahead of its turn.
    pub(super) hinted: bool,
    pub(super) reply: u8,
    pub(super) move_value: i16,
    pub(super) walk: Walk,
    pub(super) target: u8,
}

impl Frame {
    /// All zeroes, so that a controller need not keep a copy in its flash. A node fills its frame
    /// before it looks at it.
    pub(crate) const EMPTY: Frame = Frame {
        place: 0,
        lock: 0,
        cell: 0,
        capturers: [0; 2],
        alpha: 0,
        beta: 0,
        eval: 0,
        passed: 0,
        wanted: 0,
        value: 0,
        depth: 0,
        from: 0,
        to: 0,
        start: 0,
        null_is_infinite: false,
        careful: false,
        surveyed: false,
        waiting: Waiting::ForNull,
        hinted: false,
        reply: 0,
        move_value: 0,
        walk: Walk::EMPTY,
        target: 0,
    };
}

const _: () = assert!(core::mem::size_of::<Frame>() <= 52 && core::mem::size_of::<Cell>() == 8);
