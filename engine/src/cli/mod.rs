//! The commands. Each says whether all was well, or why it could not run.

pub(crate) mod clock;
pub(crate) mod contest;
pub(crate) mod options;
pub(crate) mod perft;
pub(crate) mod position;
pub(crate) mod rows;
pub(crate) mod uci;
