//! The corpora of the fuzz targets, through the functions that the targets call.

#[path = "../../fuzz/src/checks.rs"]
#[allow(unreachable_pub)]
mod checks;
#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;
#[path = "../../fuzz/src/toy.rs"]
#[allow(dead_code, unreachable_pub)]
mod toy;

use corpus::replay;

#[test]
fn decoder() {
    replay("decoder", checks::decoder);
}

#[test]
fn messages() {
    replay("messages", checks::messages);
}

#[test]
fn v1() {
    replay("v1", checks::v1);
}

#[test]
fn endpoint() {
    replay("endpoint", checks::endpoint);
}

mod random {
    use super::checks;
    use proptest::prelude::*;

    /// Bytes that look like the wire more often than chance would have it.
    fn wire() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b">C0101 .*".to_vec()),
            Just(b"!>S0100 00000001\n".to_vec()),
            "!>C01[0-9a-f]{2} [a-z.] ?[0-9a-f/ a-h1-8]{0,30}\n".prop_map(String::into_bytes),
            Just(b"~\n+\n".to_vec()),
            "[ -~]{0,70}".prop_map(String::into_bytes),
            "(mov|GO|d=|uz=|enter=|book,| oc=-?|[a-h][1-8][a-h][1-8]X?| [wb]|[.+*rnbqkRNBQK]{8}|\n| ){1,12}"
                .prop_map(String::into_bytes),
            prop::collection::vec(any::<u8>(), 0..20),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn decoder(data in wire()) {
            checks::decoder(&data);
        }

        #[test]
        fn v1(data in wire()) {
            checks::v1(&data);
        }

        #[test]
        fn endpoint(data in wire()) {
            checks::endpoint(&data);
        }

        #[test]
        fn messages(text in "([a-z.] )?([0-9a-f]{1,8}|[a-h][1-8][a-h][1-8][qrbn]?|[-0-9]{1,11}|[a-z/=]{1,6}| ){0,10}") {
            checks::messages(text.as_bytes());
        }
    }
}
