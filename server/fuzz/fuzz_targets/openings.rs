#![no_main]
//! Any opening file: refused with a reason, or every line of it can be played.

use rookery_server::openings::{OpeningOptions, parse, replay};
use std::path::Path;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for name in ["a.pgn", "a.epd", "a"] {
        if let Ok(lines) = parse(Path::new(name), data, OpeningOptions::default()) {
            for line in &lines {
                replay(line).expect("a line that was accepted");
            }
        }
    }
});
