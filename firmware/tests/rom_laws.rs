//! The laws of flash and loader under any conversation, and the corpora of their fuzz targets.

#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;
#[path = "../../fuzz/src/rom.rs"]
#[allow(dead_code, unreachable_pub)]
mod rom;

use corpus::replay;
use proptest::prelude::*;

#[test]
fn the_corpus_of_conversations() {
    replay("rom", rom::conversation);
}

#[test]
fn the_corpus_of_images() {
    replay("rom_image", rom::image);
}

/// Turns of a host as the conversation reads them, about a few places, so that they meet.
fn turns() -> impl Strategy<Value = Vec<u8>> {
    let place =
        || (prop_oneof![Just(0u8), Just(4), Just(0x7F)], (0u8..4).prop_map(|word| word * 4));
    let data = prop::collection::vec(any::<u8>(), 8);
    let turn = prop_oneof![
        6 => (place(), data).prop_map(|((high, low), data)| [&[4, high, low, 7], &*data].concat()),
        3 => place().prop_map(|(high, low)| vec![3, high, low, 11]),
        3 => Just(vec![1]),
        2 => prop::collection::vec(0u8..34, 4).prop_map(|pages| [&[5, 3], &*pages].concat()),
        1 => Just(vec![6]),
        1 => (0u8..10).prop_map(|group| vec![7, 0, group]),
        1 => (0u8..3).prop_map(|which| vec![8, which]),
        1 => Just(vec![11]),
        1 => (0u8..9).prop_map(|operations| vec![12, operations]),
        1 => (0u8..3).prop_map(|mishap| vec![13, mishap]),
        1 => prop::collection::vec(any::<u8>(), 3).prop_map(|noise| [&[0, 2], &*noise].concat()),
    ];
    prop::collection::vec(turn, 0..40).prop_map(|turns| turns.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_conversation(data in prop::collection::vec(any::<u8>(), 0..400)) {
        rom::conversation(&data);
    }

    #[test]
    fn a_host_that_knows_its_way(data in turns()) {
        rom::conversation(&data);
    }

    #[test]
    fn any_image(data in prop::collection::vec(prop_oneof![4 => Just(0), 1 => any::<u8>()], 0..300)) {
        rom::image(&data);
    }
}
