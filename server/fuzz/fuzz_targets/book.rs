#![no_main]
//! Any file as a book, any text as lines: refused with a reason, or read, and written so that it is read as the same.

use rookery_server::book::{Book, Form, encode, parse_named, parse_root};
use shakmaty::Chess;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for name in ["a", "a.bin", "a.rkb", "a.json", "a.pgn"] {
        let Ok(book) = Book::parse(Path::new(name), data.to_vec()) else { continue };
        let contents = book.contents(&[Chess::default()]);
        let json = encode(&contents, Form::Json).expect("JSON takes anything");
        let again = Book::parse(Path::new("a.json"), json).expect("its own JSON");
        assert_eq!(again.contents(&[]).move_count(), contents.move_count());
    }
    let text = String::from_utf8_lossy(data);
    let _ = (parse_root(&text), parse_named(&text));
});
