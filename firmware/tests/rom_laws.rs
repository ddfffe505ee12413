//! The laws of flash and loader under any conversation, and the corpora of their fuzz targets.

#[path = "../../fuzz/src/rom.rs"]
#[allow(dead_code, unreachable_pub)]
mod rom;

use proptest::prelude::*;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = format!("{}/../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder of inputs") {
        let path = entry.expect("an entry").path();
        eprintln!("{}", path.display());
        check(&std::fs::read(&path).expect("an input"));
        count += 1;
    }
    assert!(count >= 5, "{folder} has only {count} inputs");
}

#[test]
fn the_corpus_of_conversations() {
    replay("rom", rom::conversation);
}

#[test]
fn the_corpus_of_images() {
    replay("rom_image", rom::image);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_conversation(data in prop::collection::vec(any::<u8>(), 0..400)) {
        rom::conversation(&data);
    }

    #[test]
    fn any_image(data in prop::collection::vec(prop_oneof![4 => Just(0), 1 => any::<u8>()], 0..300)) {
        rom::image(&data);
    }
}
