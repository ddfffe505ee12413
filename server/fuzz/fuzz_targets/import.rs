#![no_main]
//! Any bytes as a PGN file of another program: its games are read or refused with a line that there is, and no comment makes a panic.

use rookery_server::import::{Measured, Reading, games};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let lines = bytes.iter().filter(|b| **b == b'\n').count() + 1;
    for raw in games(bytes) {
        for comment in raw.moves.iter().flat_map(|played| &played.comments) {
            let measured = Measured::read(comment);
            assert!(measured.words.iter().all(|words| !words.is_empty()));
        }
        if let Err((line, _)) = Reading::read(&raw, 74) {
            assert!((1..=lines).contains(&line));
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = Measured::read(text);
    }
});
