//! The corpora of the fuzz targets, through the functions that the targets call.

#[path = "../../fuzz/src/books.rs"]
#[allow(unreachable_pub)]
mod books;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = format!("{}/../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder of inputs") {
        let path = entry.expect("an entry").path();
        eprintln!("{}", path.display());
        check(&std::fs::read(&path).expect("an input"));
        count += 1;
    }
    assert!(count >= 5, "{folder} has only {count} inputs");
}

#[test]
fn polyglot() {
    replay("book_polyglot", books::polyglot);
}

#[test]
fn compact() {
    replay("book_compact", books::compact);
}
