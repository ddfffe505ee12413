//! The compact form.

use proptest::prelude::*;
use rookery_book::BookMove;
use rookery_book::compact::{BuildError, Compact, CompactError, REGION_BYTES, build};
use rookery_protocol::PositionHash;

fn mv(text: &str) -> BookMove {
    text.parse().expect("a move")
}

fn numbered(count: u32) -> Vec<(PositionHash, BookMove)> {
    let move_of = |n: u32| BookMove::new((n % 64) as u8, (n / 64 % 64) as u8, None);
    (0..count)
        .map(|n| (PositionHash(n.wrapping_mul(0x85eb_ca6b)), move_of(n).expect("squares")))
        .collect()
}

/// Four positions, byte by byte: what a book on a board is read by in years to come.
const GOLDEN: [u8; 32] = [
    b'R', b'K', b'B', 1, 0xdc, 0x39, 0x0a, 0x45, 4, 0, 2, 0, // header
    1, 1, 1, 1, // directory
    0x1c, 0xa3, 0xd2, 0x46, 0xc6, 0x1d, 0x22, 0x87, 0x06, 0xe1, 0xdd, 0x78, 0xdc, 0x12, 0x5a, 0xdb,
];

fn golden_moves() -> [(PositionHash, BookMove); 4] {
    [
        (PositionHash(0x3706_291c), mv("e2e4")),
        (PositionHash(0x0000_0001), mv("e1g1")),
        (PositionHash(0xffff_ffff), mv("h7g8n")),
        (PositionHash(0x1234_5678), mv("d2e1q")),
    ]
}

#[test]
fn golden_bytes() {
    let built = build(&golden_moves(), REGION_BYTES, |_| true).expect("a book");
    let book = Compact::open(&built.bytes).expect("a book");
    for (hash, mv) in golden_moves() {
        assert_eq!(book.probe(hash), Some(mv), "{hash}");
    }
    assert_eq!(built.bytes, GOLDEN, "{:02x?}", built.bytes);
    // In a constant, and with the rest of an erased region behind it.
    const BOOK: Compact<'static> = match Compact::open(&GOLDEN) {
        Ok(book) => book,
        Err(_) => panic!("the golden book is a book"),
    };
    assert_eq!(BOOK.probe(PositionHash(0x3706_291c)), Some(mv("e2e4")));
    assert_eq!(BOOK.probe(PositionHash(0x3706_291d)), None);
    let region = [&GOLDEN[..], &[0xff; 100]].concat();
    assert_eq!(Compact::open(&region).expect("a book").byte_len(), GOLDEN.len());
}

#[test]
fn a_board_has_room_for_a_thousand_positions() {
    let moves = numbered(1_005);
    let built = build(&moves, REGION_BYTES, |_| true).expect("a book");
    assert_eq!((built.bytes.len(), built.key_bits), (REGION_BYTES, 25));
    let book = Compact::open(&built.bytes).expect("a book");
    assert_eq!(book.len(), 1_005);
    for (hash, mv) in moves {
        assert_eq!(book.probe(hash), Some(mv));
    }
    let refused = build(&numbered(1_100), REGION_BYTES, |_| true);
    assert!(
        matches!(refused, Err(BuildError::TooMany { count: 1_100, limit: REGION_BYTES, .. })),
        "{refused:?}"
    );
}

/// What is not wanted decides over the salt first, then over the length of the keys.
#[test]
fn a_book_is_refused_until_it_tells_positions_apart() {
    let moves = numbered(200);
    let first = build(&moves, REGION_BYTES, |_| true).expect("a book");
    let mut asked = 0;
    let third = build(&moves, REGION_BYTES, |_| {
        asked += 1;
        asked == 3
    });
    let third = third.expect("a book");
    assert_eq!((third.tried, third.key_bits), (first.tried + 2, first.key_bits));
    let longer = build(&moves, REGION_BYTES, |book| book.key_bits() > first.key_bits);
    assert_eq!(longer.expect("a book").key_bits, first.key_bits + 1);
    assert_eq!(
        build(&moves, REGION_BYTES, |_| false),
        Err(BuildError::NoSalt { limit: REGION_BYTES })
    );
    let twice = [(PositionHash(1), mv("e2e4")), (PositionHash(1), mv("d2d4"))];
    assert!(matches!(
        build(&twice, REGION_BYTES, |_| true),
        Err(BuildError::SameHash { hash: PositionHash(1), .. })
    ));
}

#[test]
fn what_is_no_book_is_refused_with_a_reason() {
    let with = |index: usize, byte: u8| {
        let mut bytes = GOLDEN;
        bytes[index] = byte;
        Compact::open(&bytes).map(|book| book.len())
    };
    assert_eq!(Compact::open(&[0xff; REGION_BYTES]).err(), Some(CompactError::Magic));
    assert_eq!(Compact::open(&[]).err(), Some(CompactError::Magic));
    assert_eq!(Compact::open(&GOLDEN[..31]).err(), Some(CompactError::Short));
    assert_eq!(Compact::open(&GOLDEN[..13]).err(), Some(CompactError::Short));
    assert_eq!(with(0, b'P'), Err(CompactError::Magic));
    assert_eq!(with(3, 2), Err(CompactError::Version(2)));
    assert_eq!(with(8, 5), Err(CompactError::Short));
    assert_eq!(with(10, 1), Err(CompactError::Directory(1)));
    assert_eq!(with(10, 0xff), Err(CompactError::Directory(15)));
    // Every other byte is covered by the checksum.
    for index in (4..8).chain(11..32) {
        let found = with(index, GOLDEN[index] ^ 0x10);
        assert!(matches!(found, Err(CompactError::Crc { .. })), "{index}: {found:?}");
    }
    assert!(matches!(with(8, 3), Err(CompactError::Crc { .. })));
}

proptest! {
    #[test]
    fn every_move_of_a_book_is_found(
        moves in prop::collection::hash_map(any::<u32>(), (0..64_u8, 0..64_u8), 0..300)
    ) {
        let moves: Vec<_> = moves
            .into_iter()
            .map(|(hash, (from, to))| (PositionHash(hash), BookMove::new(from, to, None).expect("squares")))
            .collect();
        let built = build(&moves, REGION_BYTES, |_| true).expect("a book");
        let book = Compact::open(&built.bytes).expect("a book");
        prop_assert_eq!(book.len(), moves.len());
        for (hash, mv) in moves {
            prop_assert_eq!(book.probe(hash), Some(mv));
        }
    }

    #[test]
    fn any_bytes_are_a_book_or_none(
        header in prop::option::of(Just(GOLDEN[..12].to_vec())),
        rest in prop::collection::vec(any::<u8>(), 0..80),
        hash: u32,
    ) {
        let bytes = [header.unwrap_or_default(), rest].concat();
        if let Ok(book) = Compact::open(&bytes) {
            let _ = book.probe(PositionHash(hash));
        }
    }
}
