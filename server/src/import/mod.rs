//! Games that were played elsewhere: PGN files with measurements in their comments become runs with telemetry, so that they can be
//! compared with what is played here. Reads what the old Python client, cutechess, fastchess, Lichess, python-chess and Rookery write.
//!
//! A game is taken whole or not at all; one that is wrong is named with its file, its number and its line, and the others are taken.

mod comment;
mod end;
mod game;
mod lexer;
mod run;

pub use comment::{BoardLine, Measured};
pub use game::{Fault, Reading};
pub use lexer::{RawGame, RawMove, games};
pub use run::{Duplicate, ImportError, ImportOptions, Report, Wrong, import};
