//! Opening books: read, asked, walked, made and checked. The formats are those of the crate `rookery-book`, and JSON and PGN beside them;
//! shakmaty says what is legal.
//!
//! - [`Book`]: a file, opened. [`Book::moves`] and [`Book::pick`] ask it for a position, [`Book::contents`] walks it.
//! - [`Contents`]: positions with their moves, as a walk finds them and every maker of books makes them; [`encode`] writes them.
//! - [`build()`]: a book by a UCI engine. [`import()`]: a book from games or named lines.
//! - [`check()`]: what is wrong with a book. [`diagnose()`]: by which mistake a foreign one was made. [`Stats`]: what is in it.

mod analyst;
mod around;
mod build;
mod cache;
mod check;
mod choose;
mod compact;
mod contents;
mod diagnose;
mod explore;
mod file;
mod import;
mod json;
mod lines;
mod named;
mod openings;
mod pgn;
mod stats;
mod walk;

pub use crate::model::{BookForm as Form, OpeningOrder};
pub use analyst::{AnalysisError, Analyst, AnalystOptions, Line};
pub use build::{BuildError, BuildOptions, Mode, Progress, Sides, Watch, build, default_roots};
pub use cache::CacheError;
pub use check::{Blunder, CheckReport, Finding, blunders, check};
pub use choose::Chooser;
pub use compact::{CompactError, CompactReport, compact};
pub use contents::{
    Contents, Known, Root, Weighted, key, legal as legal_move, uci, wire_fen, wire_hash,
};
pub use diagnose::{Diagnosis, diagnose};
pub use explore::{BookMove, explore};
pub use file::{Book, BookError, encode};
pub use import::{ImportError, ImportOptions, Imported, import};
pub use lines::{LineTextError, Played, parse_named, parse_root, play};
pub use named::named_lines;
pub use openings::{BookOpenings, book_openings, read_openings};
pub use stats::Stats;
