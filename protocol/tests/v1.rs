//! The old dialect, with the losses that the journals tell of.

use proptest::prelude::*;
use rookery_protocol::MoveText;
use rookery_protocol::v1::{
    Console, HostInput, MAX_TEXT, Order, Reader, Row, Said, Side, Symbol, read,
};

fn mv(text: &str) -> MoveText {
    text.parse().expect("a move")
}

fn said(line: &str) -> Vec<Said<'_>> {
    read(line).collect()
}

fn iteration(depth: u8, nodes: u32, score: i32) -> Said<'static> {
    Said::Iteration { depth, nodes, score }
}

#[test]
fn what_the_journals_quote_is_understood() {
    let white = Said::Moved { mv: mv("d2c3"), side: Side::White };
    let black = Said::Moved { mv: mv("c7c5"), side: Side::Black };
    for (line, expected) in [
        ("enter=", vec![Said::Prompt]),
        (
            "enter=d2c3X GO d2c3 OK",
            vec![Said::Prompt, Said::Echo(Order::Play(mv("d2c3"))), Said::Accepted(mv("d2c3"))],
        ),
        ("enter=0X", vec![Said::Prompt, Said::Echo(Order::Think)]),
        ("#", vec![Said::Rejected]),
        ("enter=e1e8X #", vec![Said::Prompt, Said::Echo(Order::Play(mv("e1e8"))), Said::Rejected]),
        ("mov d2c3 w", vec![white]),
        ("mov c7c5 b", vec![black]),
        ("mov d2c3 w mov c7c5 b", vec![white, black]),
        (" d=5 uz=45012 oc=-34", vec![iteration(5, 45_012, -34)]),
        (" d=98 uz=652 oc=-7997", vec![iteration(98, 652, -7997)]),
        ("book, d=0 uz=1 oc=0", vec![Said::BookMarker, iteration(0, 1, 0)]),
        (" d=0 uz=1 oc=99", vec![iteration(0, 1, 99)]),
        ("B", vec![Said::BookMarker]),
        ("D", vec![Said::SearchMarker]),
        ("", vec![]),
        ("   ", vec![]),
    ] {
        assert_eq!(said(line), expected, "{line}");
    }
}

#[test]
fn what_a_loss_leaves_is_noise_and_the_rest_is_understood() {
    let echo = Said::Echo(Order::Play(mv("d2c3")));
    for (line, expected) in [
        ("ed2c3X GO d2c3 OK", vec![Said::Noise("e"), echo, Said::Accepted(mv("d2c3"))]),
        ("enter=d2c3", vec![Said::Prompt, Said::Noise("d2c3")]),
        (".+", vec![Said::Noise(".+")]),
        ("++++.++", vec![Said::Noise("++++.++")]),
        ("GO d2c3 O", vec![Said::Noise("GO d2c3 O")]),
        ("GO d2 OK", vec![Said::Noise("GO d2 OK")]),
        // Without its side a move could be the echo of the host's own.
        ("mov d2c3", vec![Said::Noise("mov d2c3")]),
        ("mov d2c3 ", vec![Said::Noise("mov d2c3")]),
        (
            "mov d2c3 book, d=0 uz=1 oc=0",
            vec![Said::Noise("mov d2c3"), Said::BookMarker, iteration(0, 1, 0)],
        ),
        ("mov c7c5 benter=", vec![Said::Moved { mv: mv("c7c5"), side: Side::Black }, Said::Prompt]),
        (" d=5 uz= oc=-34", vec![Said::Noise("d=5 uz= oc=-34")]),
        (" d=5 oc=-34", vec![Said::Noise("d=5 oc=-34")]),
        (" d=300 uz=1 oc=1", vec![Said::Noise("d=300 uz=1 oc=1")]),
        (" d=3 uz=99999999999 oc=1", vec![Said::Noise("d=3 uz=99999999999 oc=1")]),
        ("boo, d=0 uz=1 oc=0", vec![Said::Noise("boo,"), iteration(0, 1, 0)]),
        ("BD", vec![Said::Noise("BD")]),
        ("xx # yy", vec![Said::Noise("xx"), Said::Rejected, Said::Noise("yy")]),
    ] {
        assert_eq!(said(line), expected, "{line}");
    }
}

#[test]
fn rows_are_read_in_the_letters_of_a_fen() {
    let piece = Symbol::Piece;
    assert_eq!(
        said("rn.+*?QK"),
        [Said::Row(Row([
            piece('r'),
            piece('n'),
            Symbol::Empty,
            piece('p'),
            piece('P'),
            Symbol::Unknown,
            piece('Q'),
            piece('K'),
        ]))]
    );
    for line in ["rnbqkbn", "rnbqkbnrr", "rnbqkbnx", "rnbqkpnr"] {
        assert_eq!(said(line), [Said::Noise(line)]);
    }
}

#[test]
fn lines_are_gathered_whatever_comes() {
    let mut reader = Reader::new();
    let mut lines = Vec::new();
    let mut bytes = b"\r\n\n#\r\n\xff\x80\0mov c7\x07c5 b\n".to_vec();
    bytes.extend([b'a'; MAX_TEXT + 10]);
    bytes.extend(b"\nenter=");
    for byte in bytes {
        if let Some(said) = reader.push(byte) {
            lines.push(said.map(|said| said.to_string()).collect::<Vec<_>>());
        }
    }
    assert_eq!(lines[0], ["#"]);
    assert_eq!(lines[1], ["mov c7c5 b"]);
    assert_eq!(lines[2], ["a".repeat(MAX_TEXT)]);
    assert_eq!(lines[3], ["a".repeat(10)]);
    assert_eq!(lines.len(), 4);
    assert_eq!(reader.text(), "enter=");
    assert_eq!(reader.flush().map(Iterator::count), Some(1));
    assert!(reader.flush().is_none());
}

#[test]
fn a_host_says_moves_without_promotion_and_without_lf() {
    assert_eq!(Order::Play(mv("d2c3")).to_string(), "d2c3X");
    assert_eq!(Order::Play(mv("e7e8q")).to_string(), "e7e8X");
    assert_eq!(Order::Think.to_string(), "0X");
}

#[test]
fn a_board_understands_its_host() {
    let mut console = Console::new();
    let mut heard = Vec::new();
    for &byte in b"d2c3X0X\nzzzX\r\nX 0000X e7e8qX" {
        if let Some(input) = console.push(byte) {
            heard.push(match input {
                HostInput::Order(order) => Ok(order),
                HostInput::Senseless(text) => Err(text.to_owned()),
            });
        }
    }
    assert_eq!(
        heard,
        [
            Ok(Order::Play(mv("d2c3"))),
            Ok(Order::Think),
            Ok(Order::Think),
            Err("zzz".to_owned()),
            Ok(Order::Think),
            Err(String::new()),
            Err(" 0000".to_owned()),
            Err(" e7e8q".to_owned()),
        ]
    );
    // However long the nonsense is.
    for _ in 0..1000 {
        assert_eq!(console.push(b'z'), None);
    }
    assert!(matches!(console.push(b'X'), Some(HostInput::Senseless(_))));
    assert_eq!(console.push(b'0'), None);
    assert_eq!(console.push(b'X'), Some(HostInput::Order(Order::Think)));
}

fn square() -> impl Strategy<Value = String> {
    "[a-h][1-8]"
}

fn move_text() -> impl Strategy<Value = MoveText> {
    (square(), square()).prop_map(|(from, to)| mv(&format!("{from}{to}")))
}

fn anything() -> impl Strategy<Value = Said<'static>> {
    let symbol = prop::sample::select(b".?+nkbrq*NKBRQ".to_vec());
    prop_oneof![
        Just(Said::Prompt),
        Just(Said::Rejected),
        Just(Said::BookMarker),
        Just(Said::SearchMarker),
        Just(Said::Echo(Order::Think)),
        move_text().prop_map(|mv| Said::Echo(Order::Play(mv))),
        move_text().prop_map(Said::Accepted),
        (move_text(), any::<bool>()).prop_map(|(mv, white)| Said::Moved {
            mv,
            side: if white { Side::White } else { Side::Black },
        }),
        (any::<u8>(), any::<u32>(), -8000..8000)
            .prop_map(|(depth, nodes, score)| iteration(depth, nodes, score)),
        prop::collection::vec(symbol, 8).prop_map(|bytes| {
            let text = String::from_utf8(bytes).expect("ASCII");
            match read(&text).next() {
                Some(Said::Row(row)) => Said::Row(row),
                other => panic!("{text}: {other:?}"),
            }
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_said_is_read(all in prop::collection::vec(anything(), 1..6)) {
        let line = all.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(said(&line), all);
    }

    #[test]
    fn a_lost_byte_costs_only_what_it_was_in(all in prop::collection::vec(anything(), 1..6), place in any::<prop::sample::Index>()) {
        // As lines, as a board says them.
        let mut text: String = all.iter().map(|said| format!("{said}\n")).collect();
        let mut lost = place.index(text.len());
        if text.as_bytes()[lost] == b'\n' {
            lost = lost.saturating_sub(1);
        }
        let line = text[..lost].matches('\n').count();
        text.remove(lost);
        let found: Vec<_> = text.split('\n').flat_map(read).collect();
        prop_assert!(found.starts_with(&all[..line]));
        prop_assert!(found.ends_with(&all[line + 1..]));
    }
}
