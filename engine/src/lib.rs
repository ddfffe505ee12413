//! The chess engine of Rookery: micro-Max 4.8, walked node for node, and the rules of chess around
//! it.
//!
//! The search is that of H.G. Muller's micro-Max 4.8, which is in the public domain; the code is
//! this project's own. It needs neither an operating system nor an allocator: the table is lent to
//! it, and everything else is of fixed size.
//!
//! ```
//! use rookery_engine::{Cell, ChessEngine, Control, Limits, MicroMax, Params};
//!
//! let mut cells = [Cell::EMPTY; 256];
//! let mut engine = MicroMax::new(&mut cells).expect("256 is a power of two");
//! engine.set_params(Params { node_budget: 3000, ..Params::JOURNAL });
//! engine.play("e2e4".parse().expect("a move")).expect("a legal one");
//! let thought = engine.think(Limits::NONE, &mut |_| Control::Continue);
//! assert!(thought.best.is_some());
//! ```
#![no_std]

mod board;
mod cell;
mod engine;
mod fen;
mod game;
mod history;
mod key_table;
mod keys;
mod micromax;
mod moves;
mod params;
mod perft;
mod piece;
mod rules;
mod search;
mod square;
mod status;

pub use cell::Cell;
pub use engine::{ChessEngine, Control, Iteration, Progress, Thought};
pub use fen::FenError;
pub use game::{Game, IllegalMove};
pub use key_table::KEY_TABLE;
pub use micromax::{CellCount, Frames, MicroMax};
pub use moves::{Move, MoveError, MoveList};
pub use params::{Limits, Params, Preset};
pub use piece::{Role, Side};
pub use status::Status;
