//! The corpora of the fuzz targets, through the functions that the targets call.

#[path = "../../fuzz/src/books.rs"]
#[allow(unreachable_pub)]
mod books;
#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;

use corpus::replay;

#[test]
fn polyglot() {
    replay("book_polyglot", books::polyglot);
}

#[test]
fn compact() {
    replay("book_compact", books::compact);
}
