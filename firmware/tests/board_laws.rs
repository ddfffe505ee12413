//! The board's program under any conversation, and the corpora of its fuzz targets.

#[path = "../../fuzz/src/board.rs"]
#[allow(unreachable_pub)]
mod board;
#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;

use corpus::replay;
use proptest::prelude::*;

#[test]
fn the_corpus_of_conversations() {
    replay("board", board::conversation);
}

#[test]
fn the_corpus_of_conversations_in_version_1() {
    replay("board_v1", board::conversation_v1);
}

#[test]
fn the_corpus_of_positions() {
    replay("fen", board::fen);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_conversation(text in "((%(i [0-9]|p [0-9a-f ]{3} [a-zA-Z0-9/ -]{0,40}|m [0-9a-f]{8}( [a-h][1-8][a-h][1-8]q?){1,3}|t [0-9a-f]{2} [0-9]{1,6}|x|s [a-z-]{1,12} [0-9-]{1,6}|\\.|r [a-z])|!>[CKS][0-9a-f]{4} ?.{0,20}|\\+|\\*|.{0,40})\n){0,20}") {
        board::conversation(text.as_bytes());
    }

    #[test]
    fn any_conversation_in_version_1(text in "([a-h][1-8][a-h][1-8]X|0X|.{0,6}){0,20}") {
        board::conversation_v1(text.as_bytes());
    }
}
