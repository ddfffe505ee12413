//! Questions about what was measured, and their answers as tables: which views there are, what they can be filtered and grouped by, how
//! a table is written. Knows no database: the store answers.
//!
//! Column names, units and definitions are part of the interface; `docs/telemetry.md` describes them.

mod ask;
mod compare;
mod format;
mod games;
mod list;
mod query;
mod read;
mod samples;
mod statement;
mod table;
mod when;

pub use ask::Ask;
pub use compare::{Begun, Compared, Subject, SubjectError, pairs, side_by_side};
pub use format::{Format, write_csv, write_ndjson};
pub use games::GameFilter;
pub use list::{List, ListError};
pub use query::{Filter, Group, Phase, Query, QueryError, Side, View, Who};
pub use samples::{PERCENTILES, Samples};
pub use statement::{StatementError, one_statement};
pub use table::{Table, Value};
pub use when::{When, WhenError};
