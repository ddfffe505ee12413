//! UCI engines as subprocesses: typed lines, the conversation, the process and its end. Knows no referee, store or page; what a move
//! means in a position is the business of [`interpret`] alone.

mod bestmove;
mod info;
mod line;
mod option;
mod tokens;

pub use bestmove::{BadMove, Interpreted, interpret};
pub use info::{Bound, Info};
pub use line::{BestMoveLine, Check, Parsed, UciLine};
pub use option::{OptionKind, OptionLine};
