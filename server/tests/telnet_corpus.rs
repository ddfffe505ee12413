//! Every stream that is worth keeping, and all its cuts, as a bridge that speaks RFC 2217 may send it. The fuzz target `telnet` checks the
//! same.

use rookery_server::link::transport::{SerialFormat, Telnet};
use std::{fs, path::Path};

fn check(cut: usize, stream: &[u8]) {
    let mut whole = Telnet::new(SerialFormat::BOARD);
    let mut pieces = Telnet::new(SerialFormat::BOARD);
    let (mut one, mut other) = (Vec::new(), Vec::new());
    whole.received(stream, &mut one);
    for piece in stream.chunks(cut.max(1)) {
        pieces.received(piece, &mut other);
    }
    assert_eq!(one, other);
    assert_eq!(whole.settled(), pieces.settled());
    assert_eq!(whole.take_output(), pieces.take_output());
    whole.give_up_waiting();
    whole.write(stream);
    assert!(whole.take_output().len() >= stream.len());
}

#[test]
fn the_corpus_and_all_its_cuts_are_read() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/telnet");
    let mut files = 0;
    for entry in fs::read_dir(corpus).expect("a folder") {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        for end in 1..=bytes.len() {
            check(usize::from(bytes[0]), &bytes[1..end]);
        }
        files += 1;
    }
    assert!(files >= 9, "{files} files");
}
