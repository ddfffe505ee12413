//! The corpora of the fuzz targets, for the tests that replay them in every run.

/// Checks every input of a target's corpus.
pub fn replay(target: &str, check: fn(&[u8])) {
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
