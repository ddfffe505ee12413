//! micro-Max 4.8's search, by H.G. Muller, walked node for node, in a shape of its own.
//!
//! A node deepens by passes over the board until it is deep enough. There is no recursion: the
//! nodes that wait for an answer lie in an array of [`Frame`]s, and the loop in [`Search::run`]
//! goes down and up in it. That array is all the memory the tree needs.
//!
//! What is left out of the original's work cannot change the tree:
//! - the men are found through a set of bits in the order of the board, not by looking at 64
//!   squares;
//! - the first pass looks only for captures, as long as no quiet move could be its best
//!   ([`survey`]);
//! - the second pass looks only at the men that the first found capturing, and not even at those
//!   when the evaluation reaches beta;
//! - a move is not made on the board before its own value says that the reply will be searched;
//! - once the first pass has seen that no king can be captured, no later pass looks for that.

mod frame;
mod moving;
mod root;
mod scan;
mod survey;
mod walk;

pub(crate) use frame::{Frame, PLIES};
pub(crate) use root::{RootTask, Verdict};

use crate::cell::{Cell, DECIDED, Finding};
use crate::engine::{Control, Progress};
use crate::game::Game;
use crate::params::Params;
use crate::piece::{Side, WALL};
use crate::square::NOWHERE;
use frame::{Question, Waiting};

/// The value of a captured king, and the widest bound.
pub(crate) const INFINITY: i32 = 8000;
/// A value beyond this is a mate, which no deeper search changes.
const DECIDED_VALUE: i32 = INFINITY - 136;
/// Above this much captured material kings come out, and checks are no longer extended.
const ENDGAME: i32 = 29;
/// Above this much the null move is not trusted.
const LATE_ENDGAME: i32 = 35;
/// Where the counter of passes begins, and what is taken off in telling.
const COUNTER_START: i32 = 121;
const COUNTER_TOLD: i32 = 128;
/// Passes between two polls of the observer: a chip takes some 20 ms for them, in which 230 bytes
/// can come.
const POLL_INTERVAL: i32 = 500;

/// What the loop does next.
enum Flow {
    /// Ask `Search::question` one node further down.
    Descend,
    /// The node has its answer.
    Answer(i32),
    /// The move asked for stands at the root, made and found good.
    Reached,
    /// The observer ended the search.
    Stopped,
}

/// A search at work.
pub(crate) struct Search<'a> {
    game: &'a mut Game,
    cells: &'a mut [Cell],
    params: &'a Params,
    observer: &'a mut dyn FnMut(Progress<'_>) -> Control,
    /// The bit of the side whose node it is; above the root, of the side that has just moved.
    own: u8,
    question: Question,
    ply: usize,
    counter: i32,
    next_poll: i32,
    root: root::Root,
}

impl<'a> Search<'a> {
    /// Go down from the root until it has its answer. The board is afterwards as before.
    fn run(&mut self, frames: &mut [Frame; PLIES]) -> Flow {
        self.ply = 0;
        let mut flow = self.enter(&mut frames[0]);
        loop {
            match flow {
                Flow::Descend => {
                    self.ply += 1;
                    // Nobody descends from the last frame.
                    let Some(frame) = frames.get_mut(self.ply) else {
                        return Flow::Stopped;
                    };
                    flow = self.enter(frame);
                }
                Flow::Answer(_) if self.ply == 0 => return flow,
                Flow::Answer(value) => {
                    self.ply -= 1;
                    let Some(frame) = frames.get_mut(self.ply) else {
                        return Flow::Stopped;
                    };
                    flow = self.resume(frame, value);
                }
                Flow::Reached | Flow::Stopped => {
                    self.unwind(frames);
                    return flow;
                }
            }
        }
    }

    /// Take back what has been made on the board.
    fn unwind(&mut self, frames: &mut [Frame; PLIES]) {
        loop {
            let frame = &mut frames[self.ply];
            if frame.waiting == Waiting::ForReply {
                self.take_back(frame);
            }
            if self.ply == 0 {
                return;
            }
            self.ply -= 1;
            self.own ^= WALL;
        }
    }

    /// A node begins: its cell may know the answer, or a part of it.
    fn enter(&mut self, frame: &mut Frame) -> Flow {
        let question = self.question;
        let is_root = self.ply == 0;
        let keys = self.game.keys;
        let spread = u32::from(self.own) * u32::from(question.passed);
        let at = keys.place.wrapping_add(spread) as usize & (self.cells.len() - 1);
        self.own ^= WALL;
        let alpha = question.alpha - 1;
        let cell = self.cells.get(at).copied().unwrap_or_default();
        let known = cell.value();
        let usable = cell.fits(keys.lock)
            && !is_root
            && (known <= alpha || cell.above_alpha())
            && (known >= question.beta || cell.below_beta());
        frame.from = cell.from();
        if usable {
            frame.depth = cell.depth();
            if frame.depth >= question.depth && frame.depth >= 2 {
                self.own ^= WALL;
                return Flow::Answer(known + i32::from(known < question.eval));
            }
            frame.to = cell.to();
            frame.value = known as i16;
            frame.surveyed = false;
        } else {
            frame.depth = 0;
            frame.to = 0;
        }
        frame.place = keys.place;
        frame.lock = keys.lock;
        frame.cell = at as u32;
        frame.alpha = alpha as i16;
        frame.beta = question.beta as i16;
        frame.eval = question.eval as i16;
        frame.passed = question.passed;
        frame.wanted = question.depth;
        frame.waiting = Waiting::ForNull;
        if usable {
            frame.careful = self.castled_over(frame.passed) || self.can_capture_king();
        }
        self.deepen(frame)
    }

    /// Make passes until the node is deep enough, or an answer from further down is needed.
    fn deepen(&mut self, frame: &mut Frame) -> Flow {
        loop {
            if self.ply == 0 && self.root.stop {
                return Flow::Stopped;
            }
            if frame.depth >= frame.wanted && frame.depth >= 2 {
                if self.ply > 0 || !self.root_goes_on(frame) {
                    self.own ^= WALL;
                    let value = i32::from(frame.value);
                    return Flow::Answer(value + i32::from(value < i32::from(frame.eval)));
                }
            } else {
                frame.depth += 1;
            }
            if self.counter >= self.next_poll {
                self.next_poll = self.counter + POLL_INTERVAL;
                if (self.observer)(Progress::Poll(self.counter - COUNTER_TOLD)) == Control::Stop {
                    return Flow::Stopped;
                }
            }
            match frame.depth {
                1 => {
                    self.counter += 1;
                    self.survey(frame);
                    let second_is_idle = frame.eval >= frame.beta || frame.capturers == [0; 2];
                    if second_is_idle && i32::from(frame.value) != INFINITY && self.ply > 0 {
                        // What the first pass leaves in the cell is overwritten before anyone
                        // looks.
                        self.counter += 1;
                        frame.depth = 2;
                        frame.value = frame.eval;
                    }
                    frame.null_is_infinite = true;
                }
                2 => {
                    self.counter += 1;
                    frame.null_is_infinite = true;
                    frame.value = frame.eval;
                    let idle =
                        frame.surveyed && (frame.eval >= frame.beta || frame.capturers == [0; 2]);
                    if !idle && let Some(flow) = self.begin_scan(frame) {
                        return flow;
                    }
                }
                _ if self.ply + 1 < PLIES => {
                    frame.waiting = Waiting::ForNull;
                    self.question = Question {
                        alpha: -i32::from(frame.beta),
                        beta: 1 - i32::from(frame.beta),
                        eval: -i32::from(frame.eval),
                        passed: NOWHERE,
                        depth: frame.depth - 3,
                    };
                    return Flow::Descend;
                }
                _ => {
                    self.begin_deep_pass(frame, i32::from(frame.eval));
                    if let Some(flow) = self.begin_scan(frame) {
                        return flow;
                    }
                }
            }
            self.end_pass(frame);
        }
    }

    /// The value a pass of depth 3 or more starts with, once the null move has its score (from the
    /// mover's side).
    fn begin_deep_pass(&mut self, frame: &mut Frame, null_value: i32) {
        frame.null_is_infinite = null_value == -INFINITY;
        let prune = null_value >= i32::from(frame.beta) && self.game.captured <= LATE_ENDGAME;
        frame.value = if prune { null_value } else { -INFINITY } as i16;
        self.counter += 1;
    }

    /// An answer has come from one node further down.
    fn resume(&mut self, frame: &mut Frame, answer: i32) -> Flow {
        let flow = match frame.waiting {
            Waiting::ForNull => {
                self.begin_deep_pass(frame, -answer);
                self.begin_scan(frame)
            }
            Waiting::ForReply => self.after_reply(frame, -answer),
        };
        match flow {
            Some(flow) => flow,
            None => {
                self.end_pass(frame);
                self.deepen(frame)
            }
        }
    }

    /// The reply to the move at hand has been searched: deeper, or on to the next move.
    fn after_reply(&mut self, frame: &mut Frame, value: i32) -> Option<Flow> {
        frame.reply += 1;
        if value > i32::from(frame.alpha) && frame.reply < frame.depth {
            return Some(self.ask_reply(frame));
        }
        let mut worst = -INFINITY;
        if self.ply == 0 {
            if self.root.is_asked(frame) && value != -INFINITY {
                return Some(Flow::Reached);
            }
            // A legal move is never as bad as losing the king, whatever a cell may say.
            worst += i32::from(self.root.legal_only);
        }
        self.take_back(frame);
        frame.waiting = Waiting::ForNull;
        self.finish_move(frame, value.max(worst));
        if !frame.careful && frame.value >= frame.beta {
            return None;
        }
        self.continue_scan(frame)
    }

    /// Ask for the reply to the move at hand, which stands on the board.
    fn ask_reply(&mut self, frame: &Frame) -> Flow {
        self.question = Question {
            alpha: -i32::from(frame.beta),
            beta: -i32::from(frame.value.max(frame.alpha)),
            eval: -i32::from(frame.move_value),
            passed: frame.walk.rook_to,
            depth: frame.reply,
        };
        Flow::Descend
    }

    /// A pass is over: what it found goes into the cell, whatever was there, unless that has stood
    /// on the board.
    fn end_pass(&mut self, frame: &mut Frame) {
        let mut value = i32::from(frame.value);
        if !(-DECIDED_VALUE..=DECIDED_VALUE).contains(&value) {
            frame.depth = DECIDED;
        }
        if value == -INFINITY && !frame.null_is_infinite {
            value = 0;
            frame.value = 0;
        }
        if let Some(cell) = self.cells.get_mut(frame.cell as usize)
            && !cell.is_locked()
        {
            *cell = Cell::new(
                frame.lock,
                Finding {
                    value,
                    depth: frame.depth,
                    from: frame.from,
                    to: frame.to,
                    above_alpha: value > i32::from(frame.alpha),
                    below_beta: value < i32::from(frame.beta),
                },
            );
        }
        if self.ply == 0 {
            self.record(frame);
        }
    }

    /// Whether the move before was a castling: then a step to or beside the square the king passed
    /// over would have been a capture.
    fn castled_over(&self, passed: u8) -> bool {
        let byte = self.game.board.at(passed & 0x7f);
        passed != NOWHERE && passed.wrapping_sub(NOWHERE) & byte != 0
    }

    /// Whether a man of the side to move attacks the other king.
    fn can_capture_king(&self) -> bool {
        let side = self.own_side();
        self.game.board.attacked(self.game.board.kings[side.other().index()], side)
    }

    fn own_side(&self) -> Side {
        if self.own == Side::White.bit() { Side::White } else { Side::Black }
    }

    /// 0 for White, 1 for Black.
    #[inline]
    fn own_index(&self) -> usize {
        usize::from(self.own >> 4 & 1)
    }
}
