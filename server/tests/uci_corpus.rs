//! Every file that a fuzzer found worth keeping is read: whole, by lines, and as a move.

use rookery_server::uci::{UciLine, interpret};
use shakmaty::Chess;
use std::{fs, path::Path};

#[test]
fn the_corpus_of_lines_is_read_without_a_panic() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/uci_line");
    let mut files = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let lines = bytes.split(|b| *b == b'\n');
        for line in lines.chain([&bytes[..]]) {
            let parsed = UciLine::parse(line);
            if let UciLine::BestMove(best) = &parsed.line {
                let text = best.mv.as_deref().unwrap_or_default();
                let _ = interpret(text, &Chess::default());
            }
            // What was read once reads the same again as text.
            let text = String::from_utf8_lossy(line);
            assert_eq!(text.parse(), Ok(parsed.line), "{text:?}");
        }
        files += 1;
    }
    assert!(files >= 12, "{files} files");
}
