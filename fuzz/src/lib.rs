//! What the fuzz targets check. The tests of `protocol/`, `book/` and `firmware/` replay the corpora through the
//! same functions, so that they hold without a fuzzer too.

pub mod board;
pub mod books;
pub mod checks;
pub mod toy;
