//! What the fuzz targets check. The tests of `protocol/` replay the corpora through the same
//! functions, so that they hold without a fuzzer too.

pub mod checks;
pub mod toy;
