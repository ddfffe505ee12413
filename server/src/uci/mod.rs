//! UCI engines as subprocesses: typed lines, the conversation, the process and its end. Knows no referee, store or page; what a move
//! means in a position is the business of [`interpret`] alone.
//!
//! `line` ← `reader` ← `process` ← `talk` ← `start`, `engine` ← `supervised`

mod bestmove;
mod engine;
mod error;
mod guard;
mod info;
mod line;
mod nursery;
mod option;
mod process;
mod reader;
mod start;
mod stderr;
mod supervised;
mod talk;
mod think;
mod tokens;

pub use bestmove::{BadMove, Interpreted, interpret};
pub use engine::{Engine, EngineOptions, InfoObserver};
pub use error::{Ended, EngineFailure, StartError};
pub use guard::{GUARD_SUBCOMMAND, guard_from_args, guard_main};
pub use info::{Bound, Info};
pub use line::{BestMoveLine, Check, Parsed, UciLine};
pub use option::{OptionKind, OptionLine};
pub use reader::MAX_LINE;
pub use stderr::Tail;
pub use supervised::{EngineEvent, EventObserver, Supervised};
pub use think::{Answer, Go, Think};
