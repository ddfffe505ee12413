//! Keys, moves and files in Polyglot's format.

use proptest::prelude::*;
use rookery_book::polyglot::{Book, Convention, Entry, RawMove, ReadError, draw, key};
use rookery_book::{BookMove, FenError, Placement};

fn placement(fen: &str) -> Placement {
    Placement::of_fen(fen).expect("a FEN")
}

fn mv(text: &str) -> BookMove {
    text.parse().expect("a move")
}

/// The positions and keys that the format's description gives.
#[test]
fn the_published_keys() {
    for (fen, wanted) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b_9618_1691_fc9c_u64),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c_9b50_fd11_4196),
        ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756_b944_61c5_0fb0),
        ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662f_afb9_65db_29d4),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a4_8b5a_8e47_ff78),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a_607c_a3f2_42c1),
        ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fd_d303_c946_bdd9),
        ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c81_23ea_7b06_7637),
        ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(key(&placement(fen)), wanted, "{fen}");
    }
}

/// A pawn beside the double step counts, be it pinned; a pawn of the wrong colour does not.
#[test]
fn en_passant_counts_when_a_pawn_stands_ready() {
    for (fen, counts) in [
        ("8/8/8/K2pP2r/8/8/8/7k w - d6 0 1", true),
        ("8/8/8/K2pp2r/8/8/8/7k w - d6 0 1", false),
        ("8/8/8/p6P/8/8/8/K6k w - a6 0 1", false),
        ("8/8/8/8/pP6/8/8/K6k b - b3 0 1", true),
        ("8/8/8/8/P6p/8/8/K6k b - a3 0 1", false),
    ] {
        let with = placement(fen);
        let without = Placement { en_passant: None, ..with };
        assert_eq!(key(&with) != key(&without), counts, "{fen}");
    }
}

#[test]
fn the_bits_of_moves() {
    let castles = placement("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let promotes = placement("8/4P3/8/8/8/8/3p4/K6k w - - 0 1");
    for (placement, text, bits) in [
        (&castles, "e1g1", 0o0407),
        (&castles, "e1c1", 0o0400),
        (&castles, "e8g8", 0o7477),
        (&castles, "e8c8", 0o7470),
        (&castles, "a1c1", 0o0002),
        (&promotes, "e7e8q", 0o6474 | 4 << 12),
        (&promotes, "d2d1n", 0o1303 | 1 << 12),
    ] {
        assert_eq!(RawMove::of(mv(text), placement), RawMove(bits), "{text}");
        assert_eq!(RawMove(bits).read(placement), Some(mv(text)), "{text}");
    }
    // What other programs write, and a rook that goes where a king has been.
    assert_eq!(RawMove(0o0406).read(&castles), Some(mv("e1g1")));
    let rook = placement("8/8/8/8/8/8/k7/4R2K w - - 0 1");
    assert_eq!(RawMove(0o0406).read(&rook), Some(mv("e1g1")));
    let captures = placement("8/8/8/8/8/8/k7/4K2r w - - 0 1");
    assert_eq!(RawMove(0o0407).read(&captures), Some(mv("e1h1")));
    // Promotions that no pawn can make.
    assert_eq!(RawMove(0o0001 | 4 << 12).read(&promotes), None);
    assert_eq!(RawMove(0o6474 | 5 << 12).read(&promotes), None);
}

#[test]
fn a_file_is_sorted_and_merged() {
    let entry = |key, mv, weight| Entry { key, mv: RawMove(mv), weight, learn: 7 };
    let book = Book::new(vec![entry(9, 1, 5), entry(3, 2, 1), entry(9, 4, 6), entry(9, 1, 65_533)]);
    assert_eq!((book.unsorted(), book.merged()), (1, 1));
    assert_eq!(book.entries(), [entry(3, 2, 1), entry(9, 1, 65_535), entry(9, 4, 6)]);
    assert_eq!(book.find(9).len(), 2);
    assert!(book.find(4).is_empty());
    let bytes = book.write();
    assert_eq!(bytes[..16], [0, 0, 0, 0, 0, 0, 0, 3, 0, 2, 0, 1, 0, 0, 0, 7]);
    let again = Book::read(&bytes).expect("a book");
    assert_eq!((again.entries(), again.unsorted(), again.merged()), (book.entries(), 0, 0));
    assert_eq!(Book::read(&bytes[..17]), Err(ReadError::Length(17)));
}

#[test]
fn a_draw_follows_the_weights_and_can_be_repeated() {
    let weights = [3_u16, 0, 1];
    let mut counts = [0; 3];
    for seed in 0..4000 {
        let index = draw(weights.into_iter(), 42, seed).expect("a weight above zero");
        assert_eq!(draw(weights.into_iter(), 42, seed), Some(index));
        counts[index] += 1;
    }
    assert_eq!(counts[1], 0);
    assert!((2850..3150).contains(&counts[0]), "{counts:?}");
    assert_eq!(draw([0, 0].into_iter(), 1, 1), None);
    assert_eq!(draw(core::iter::empty(), 1, 1), None);
}

#[test]
fn there_are_as_many_conventions_as_combinations() {
    let all: Vec<Convention> = Convention::all().collect();
    assert_eq!(all.len(), 96);
    assert_eq!(all[0], Convention::POLYGLOT);
    // Black has lost a right, a pawn stands ready beside a double step: everything takes part.
    let position = placement("rnbqkb1r/ppp1p1pp/8/3pPp2/8/5N2/PPPP1PPP/RNBQKB1R w KQq f6 0 3");
    let quiet = placement("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2");
    let mut keys: Vec<_> = all.iter().map(|c| (c.key(&position), c.key(&quiet))).collect();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all.len());
}

#[test]
fn a_wrong_fen_is_refused_with_its_field() {
    for (fen, wanted) in [
        ("", FenError::Placement),
        ("8/8/8/8/8/8/8 w - -", FenError::Placement),
        ("8/8/8/8/8/8/8/8/8 w - -", FenError::Placement),
        ("9/8/8/8/8/8/8/8 w - -", FenError::Placement),
        ("8/8/8/8/8/8/8/7x w - -", FenError::Placement),
        ("8/8/8/8/8/8/8/8 - - -", FenError::Side),
        ("8/8/8/8/8/8/8/8 w", FenError::Castling),
        ("8/8/8/8/8/8/8/8 w KK -", FenError::Castling),
        ("8/8/8/8/8/8/8/8 w - e3", FenError::EnPassant),
        ("8/8/8/8/8/8/8/8 b -", FenError::EnPassant),
    ] {
        assert_eq!(Placement::of_fen(fen), Err(wanted), "{fen}");
    }
}

proptest! {
    #[test]
    fn entries_are_what_they_were(key: u64, mv: u16, weight: u16, learn: u32) {
        let entry = Entry { key, mv: RawMove(mv), weight, learn };
        prop_assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
    }

    #[test]
    fn any_text_is_a_fen_or_none(text in "([rnbqkpRNBQKP1-8/]{0,70}|[wb]|[KQkq-]{1,4}|[a-h][36]| ){0,8}") {
        let _ = Placement::of_fen(&text);
    }

    #[test]
    fn moves_are_what_they_were(text in "[a-i][0-9][a-i][0-9][nbrqk]?") {
        if let Ok(mv) = text.parse::<BookMove>() {
            prop_assert_eq!(mv.to_string(), text);
        }
    }
}
