//! Limits, URLs, sequences of lines, FENs, settings and a server's tables from anywhere: read or refused, and what was read is written so that it is read again. The fuzz target
//! `words` checks the same.

use proptest::prelude::*;
use rookery_server::{
    flash::LineSequence,
    game::parse_position,
    link::BoardUrl,
    model::{Limit, RunSettings},
    telemetry::{Format, Table},
};
use std::{fs, path::Path};

fn check(text: &str) {
    if let Ok(limit) = text.parse::<Limit>() {
        assert_eq!(limit.to_string().parse(), Ok(limit));
    }
    if let Ok(url) = text.parse::<BoardUrl>() {
        assert_eq!(url.to_string().parse(), Ok(url));
    }
    if let Ok(lines) = text.parse::<LineSequence>() {
        assert_eq!(lines.to_string().parse(), Ok(lines));
    }
    let _ = parse_position(text);
    if let Ok(settings) = serde_json::from_str::<RunSettings>(text) {
        let again = serde_json::to_string(&settings).expect("JSON");
        assert_eq!(serde_json::from_str::<RunSettings>(&again).expect("its own JSON"), settings);
    }
    if let Ok(table) = serde_json::from_str::<Table>(text) {
        let mut again = Vec::new();
        Format::Json.write(&table, &mut again).expect("memory");
        assert_eq!(serde_json::from_slice::<Table>(&again).expect("its own JSON"), table);
    }
}

#[test]
fn the_corpus_and_all_its_cuts_are_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/words");
    let mut files = 0;
    for entry in fs::read_dir(corpus).expect("a folder") {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            check(&text[..end]);
        }
        files += 1;
    }
    assert!(files >= 5, "{files} files");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,80}") {
        check(&text);
    }

    #[test]
    fn any_position_field_is_read_or_refused(text in "[1-8pnbrqkPNBRQK/]{0,40} [wb] [KQkq-]{1,4} ([a-h][36]|-) [0-9]{1,3} [0-9]{1,4}") {
        check(&text);
    }
}
