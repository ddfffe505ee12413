//! What the fuzz targets check. The tests of `protocol/` and `book/` replay the corpora through the
//! same functions, so that they hold without a fuzzer too.

pub mod books;
pub mod checks;
pub mod toy;
