//! Properties of the line and its decoder.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use rookery_protocol::{
    Command, Decoded, Decoder, Direction, EncodeError, Kind, Line, LineError, MAX_LINE,
    MAX_PAYLOAD, MalformedLine, PayloadBuffer, PositionHash, Seq, Sid, WireBuffer, crc16,
    fen_chunks,
};

fn kinds() -> impl Strategy<Value = (Direction, Kind)> {
    prop::sample::select(vec![
        (Direction::Host, Kind::Command),
        (Direction::Host, Kind::EventAck),
        (Direction::Host, Kind::Sync),
        (Direction::Board, Kind::Ack),
        (Direction::Board, Kind::Nak),
        (Direction::Board, Kind::Event),
        (Direction::Board, Kind::Telemetry),
        (Direction::Board, Kind::Banner),
        (Direction::Board, Kind::Sync),
    ])
}

/// The bytes between the two LFs.
fn text((direction, kind): (Direction, Kind), sid: u8, seq: u8, payload: &str) -> Vec<u8> {
    let line = Line { direction, kind, sid: Sid(sid), seq: Seq(seq), payload };
    let mut wire = WireBuffer::new();
    let bytes = line.encode(&mut wire).expect("can be sent");
    bytes[1..bytes.len() - 1].to_vec()
}

fn any_text() -> impl Strategy<Value = Vec<u8>> {
    (kinds(), any::<u8>(), any::<u8>(), "[ -)+-~]{0,51}")
        .prop_map(|(kind, sid, seq, payload)| text(kind, sid, seq, &payload))
}

/// The lines found and the lines that were none.
fn decode(bytes: &[u8]) -> (Vec<Vec<u8>>, usize) {
    let mut decoder = Decoder::new();
    let mut wire = WireBuffer::new();
    let (mut lines, mut bad) = (Vec::new(), 0);
    for &byte in bytes {
        match decoder.push(byte) {
            Decoded::Pending => {}
            Decoded::Line(line) => {
                let bytes = line.encode(&mut wire).expect("can be sent");
                lines.push(bytes[1..bytes.len() - 1].to_vec());
            }
            Decoded::Bad(..) => bad += 1,
        }
    }
    (lines, bad)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn what_is_sent_is_read(text in any_text()) {
        prop_assert!(text.len() < MAX_LINE);
        let mut wire = b"\n".to_vec();
        wire.extend(&text);
        wire.push(b'\n');
        prop_assert_eq!(decode(&wire), (vec![text], 0));
    }

    #[test]
    fn crs_and_blank_lines_change_nothing(texts in prop::collection::vec(any_text(), 1..5)) {
        let mut wire = Vec::new();
        for text in &texts {
            wire.extend(b"\r\n\n\r");
            wire.extend(text);
            wire.extend(b"\r\n");
        }
        prop_assert_eq!(decode(&wire), (texts, 0));
    }

    #[test]
    fn a_swap_of_two_letters_is_found(text in any_text(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let (a, b) = (a.index(text.len()), b.index(text.len()));
        let mut swapped = text.clone();
        swapped.swap(a, b);
        prop_assert_eq!(Line::parse(&swapped).is_ok(), swapped == text);
    }

    #[test]
    fn one_changed_letter_is_found(text in any_text(), place in any::<prop::sample::Index>(), flip in 1u8..) {
        let mut changed = text.clone();
        changed[place.index(text.len())] ^= flip;
        prop_assert!(Line::parse(&changed).is_err());
    }

    #[test]
    fn a_run_of_changed_letters_is_found(text in any_text(), place in any::<prop::sample::Index>(), mask in 1u16..) {
        // A burst of up to 16 bits within the text and its checksum's digits: a CRC finds all of
        // those that leave the digits digits.
        let place = place.index(text.len() - 1);
        let mut changed = text.clone();
        changed[place] ^= (mask >> 8) as u8;
        changed[place + 1] ^= mask as u8;
        prop_assert!(Line::parse(&changed).is_err());
    }

    #[test]
    fn whatever_hangs_on_the_wire_costs_only_itself(noise in prop::collection::vec(any::<u8>(), 0..200), texts in prop::collection::vec(any_text(), 1..4)) {
        let mut wire = noise;
        for text in &texts {
            wire.push(b'\n');
            wire.extend(text);
            wire.push(b'\n');
        }
        let (lines, _) = decode(&wire);
        prop_assert!(lines.ends_with(&texts));
    }

    #[test]
    fn chunks_are_the_whole_text(fen in "[ -)+-~]{0,360}") {
        let mut whole = String::new();
        let chunks = fen_chunks(&fen);
        let count = chunks.len();
        for (place, command) in chunks.enumerate() {
            let mut out = PayloadBuffer::new();
            command.write(&mut out).expect("fits");
            let Ok(Command::Position { index, count: of, text }) = Command::parse(out.as_str()) else {
                panic!("{}", out.as_str());
            };
            prop_assert_eq!((usize::from(index), usize::from(of)), (place, count));
            whole.push_str(text);
        }
        prop_assert_eq!(whole, fen);
    }

    #[test]
    fn a_hash_knows_the_first_four_fields_only(fields in prop::collection::vec("[a-zA-Z0-9/-]{1,20}", 4), rest in "( [0-9]{1,3}){0,2}") {
        let plain = PositionHash::of_fen(&fields.join(" "));
        prop_assert_eq!(plain, PositionHash::of_fen(&format!("{}{rest}", fields.join("  "))));
        let mut other = fields.clone();
        other[3].push('x');
        prop_assert_ne!(plain, PositionHash::of_fen(&other.join(" ")));
    }
}

/// Two lines whose LFs are lost, cut and glued anywhere: hardly ever a line, as the checksum has
/// 16 bits.
#[test]
fn merged_lines_are_found() {
    let texts: Vec<_> = (0..60u8)
        .map(|seq| {
            let nodes = u32::from(seq).wrapping_mul(0x9e37_79b9) >> 16;
            let payload = format!("t {:02x} {nodes}", seq.wrapping_mul(73));
            text((Direction::Host, Kind::Command), 0x2a, seq, &payload)
        })
        .collect();
    let (mut tried, mut passed) = (0u32, 0u32);
    for first in &texts {
        for second in &texts {
            for cut in 1..first.len() {
                let mut merged = first[..cut].to_vec();
                merged.extend(&second[second.len() - (cut % second.len())..]);
                if &merged == first || &merged == second {
                    continue;
                }
                tried += 1;
                passed += u32::from(Line::parse(&merged).is_ok());
            }
        }
    }
    assert!(tried > 60_000, "{tried}");
    assert!(passed * 5_000 < tried, "{passed} of {tried}");
}

#[test]
fn a_partial_line_is_dropped_on_demand() {
    let mut decoder = Decoder::new();
    assert!(!decoder.is_partial() && !decoder.drop_partial());
    for byte in *b"<A01" {
        assert_eq!(decoder.push(byte), Decoded::Pending);
    }
    assert!(decoder.is_partial());
    assert!(decoder.drop_partial());
    assert!(!decoder.is_partial());
    let good = text((Direction::Board, Kind::Ack), 1, 1, "3706291c i");
    let mut found = 0;
    for &byte in good.iter().chain(b"\n") {
        found += u32::from(matches!(decoder.push(byte), Decoded::Line(_)));
    }
    assert_eq!(found, 1);
    // A complete line is not a partial one.
    assert!(!decoder.is_partial() && !decoder.drop_partial());
}

#[test]
fn an_endless_line_ends_with_silence_too() {
    let mut decoder = Decoder::new();
    for _ in 0..1000 {
        assert_eq!(decoder.push(b'x'), Decoded::Pending);
    }
    assert!(decoder.drop_partial());
    assert_eq!(decoder.push(b'\n'), Decoded::Pending);
}

#[test]
fn every_error_says_what_is_wrong() {
    let sealed = |text: &str| {
        let mut line = text.as_bytes().to_vec();
        line.extend(format!("*{:04x}", crc16(text.as_bytes())).bytes());
        Line::parse(&line).map(|_| ())
    };
    use LineError::Malformed;
    for (text, error) in [
        ("?A0101", Malformed(MalformedLine::Direction)),
        ("<C0101", Malformed(MalformedLine::Kind)),
        (">A0101", Malformed(MalformedLine::Kind)),
        ("<a0101", Malformed(MalformedLine::Kind)),
        ("<Ag101", Malformed(MalformedLine::Number)),
        ("<A01A1", Malformed(MalformedLine::Number)),
        ("<A0101x", Malformed(MalformedLine::Payload)),
        ("<A0101 ", Malformed(MalformedLine::Payload)),
        ("<A0101 a*b", Malformed(MalformedLine::Payload)),
        ("<A0101 é", Malformed(MalformedLine::Payload)),
        ("<A010", Malformed(MalformedLine::TooShort)),
    ] {
        assert_eq!(sealed(text), Err(error), "{text}");
        // Repeating such a line does not help, except where it may have been cut.
        assert_eq!(error.is_damage(), text.len() < 6, "{text}");
    }
    for (line, error) in [
        (&b"<A0101 abcdefgh"[..], Malformed(MalformedLine::NoChecksum)),
        (b"<A0101*00000", Malformed(MalformedLine::NoChecksum)),
        (b"<A0101*ABCD", Malformed(MalformedLine::NoChecksum)),
        (b"<A0101*0000", LineError::BadCrc),
        (&[b'x'; 64], LineError::TooLong),
    ] {
        assert_eq!(Line::parse(line), Err(error));
        assert!(error.is_damage());
    }
}

#[test]
fn what_cannot_be_sent_is_refused() {
    let mut wire = WireBuffer::new();
    let line = |kind, payload| Line {
        direction: Direction::Host,
        kind,
        sid: Sid(1),
        seq: Seq(1),
        payload,
    };
    let long = "x".repeat(MAX_PAYLOAD + 1);
    for (line, error) in [
        (line(Kind::Command, long.as_str()), EncodeError::TooLong),
        (line(Kind::Command, "a*b"), EncodeError::Character),
        (line(Kind::Command, "a\nb"), EncodeError::Character),
        (line(Kind::Command, "é"), EncodeError::Character),
        (line(Kind::Ack, "x"), EncodeError::Kind),
    ] {
        assert_eq!(line.encode(&mut wire), Err(error));
    }
    let longest = line(Kind::Command, &long[1..]);
    assert_eq!(longest.encode(&mut wire).map(<[u8]>::len), Ok(MAX_LINE + 1));
}

/// What is behind a lost letter moves up, which is no burst: a CRC of 16 bits finds all of it but one in 65,536. (The same for
/// every run: of so many lines more than two that slip through would be a worse checksum than that.)
#[test]
fn a_lost_letter_is_found() {
    let mut runner = prop::test_runner::TestRunner::deterministic();
    let lines = (any_text(), any::<prop::sample::Index>());
    let mut missed = 0;
    for _ in 0..20_000 {
        let (mut text, place) = lines.new_tree(&mut runner).expect("a line").current();
        text.remove(place.index(text.len()));
        missed += u32::from(Line::parse(&text).is_ok());
    }
    assert!(missed <= 2, "{missed}");
}
