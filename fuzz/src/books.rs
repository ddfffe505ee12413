//! What must hold of the readers of opening books.

use rookery_book::compact::{Compact, REGION_BYTES, build};
use rookery_book::polyglot::{Book, RawMove};
use rookery_book::{BookMove, Placement};
use rookery_protocol::PositionHash;

/// Any file: refused, or read so that what is written is read as the same.
pub fn polyglot(data: &[u8]) {
    let Ok(book) = Book::read(data) else {
        assert!(!data.len().is_multiple_of(16));
        return;
    };
    assert_eq!(book.entries().len() + book.merged(), data.len() / 16);
    let again = Book::read(&book.write()).expect("what was written");
    assert_eq!(again.entries(), book.entries());
    assert_eq!((again.unsorted(), again.merged()), (0, 0));
    let castles = "r3k2r/4P3/8/8/8/8/4p3/R3K2R w KQkq - 0 1";
    let placement = Placement::of_fen(castles).expect("a FEN");
    for entry in book.entries() {
        assert!(book.find(entry.key).contains(entry));
        if let Some(mv) = entry.mv.read(&placement) {
            assert_eq!(RawMove::of(mv, &placement).read(&placement), Some(mv));
            assert_eq!(mv.to_string().parse::<BookMove>(), Ok(mv));
        }
    }
}

/// Any flash region: no book, or one whose entries can be probed. The same bytes as hashes and moves
/// are a book in which every one of them is found.
pub fn compact(data: &[u8]) {
    if let Ok(book) = Compact::open(data) {
        assert!(book.byte_len() <= data.len());
        assert_eq!(book.moves().count(), book.len());
        for chunk in data.chunks(4).take(64) {
            let mut bytes = [0; 4];
            bytes[..chunk.len()].copy_from_slice(chunk);
            let _ = book.probe(PositionHash(u32::from_le_bytes(bytes)));
        }
    }
    let moves: Vec<(PositionHash, BookMove)> = data
        .chunks_exact(6)
        .filter_map(|chunk| {
            let hash = u32::from_le_bytes([chunk[0], chunk[1], chunk[2], chunk[3]]);
            Some((PositionHash(hash), BookMove::new(chunk[4], chunk[5], None)?))
        })
        .collect();
    if let Ok(built) = build(&moves, REGION_BYTES, |_| true) {
        let book = Compact::open(&built.bytes).expect("what was built");
        for (hash, mv) in moves {
            assert_eq!(book.probe(hash), Some(mv));
        }
    }
}
