//! What the simulated board is told in words: the corpora of the fuzz targets, and random words.

#[path = "../../fuzz/src/corpus.rs"]
#[allow(unreachable_pub)]
mod corpus;
#[path = "../../fuzz/src/sim.rs"]
#[allow(dead_code, unreachable_pub)]
mod sim;

use corpus::replay;
use proptest::prelude::*;
// The simulator's modules name each other from the root.
use sim::{faults, place, rom};

#[test]
fn the_corpus_of_arguments() {
    replay("sim_arguments", sim::arguments);
}

#[test]
fn the_corpus_of_words() {
    replay("sim_words", sim::words);
}

#[test]
fn the_corpus_of_orders() {
    replay("sim_orders", sim::orders);
}

const RATE: &str = "[01]|0\\.[0-9]{1,17}|-?[0-9]{1,3}|1e-[0-9]{1,3}|inf|nan|-0|";

proptest! {
    #[test]
    fn any_list_of_faults_is_read_or_refused(
        list in prop::collection::vec(
            (prop::sample::select(vec!["none", "light", "all", "lose=", "dup-bytes=", "reboot=", "nack=", "=", "x"]), RATE),
            0..6,
        ),
        text in ".{0,30}",
    ) {
        let list: Vec<String> = list.iter().map(|(name, rate)| match name.ends_with('=') {
            true => format!("{name}{rate}"),
            false => (*name).to_owned(),
        }).collect();
        sim::words(list.join(",").as_bytes());
        sim::words(text.as_bytes());
        sim::arguments(format!("--pty\n--faults\n{}", list.join(",")).as_bytes());
    }

    #[test]
    fn any_place_is_read_or_refused(text in "(\\[?[0-9a-f:.]{0,20}\\]?|localhost|/?[a-z./]{0,9})(:[0-9]{0,6})?") {
        sim::words(text.as_bytes());
    }

    #[test]
    fn any_orders_are_answered(
        lines in prop::collection::vec(
            prop_oneof![
                "(reset|boot0 [0-9]|power-cycle|cut|cut -?[0-9]{1,11}|state)[ \r\t]{0,3}",
                ".{0,30}",
                " {200,300}reset",
            ],
            0..9,
        ),
        cut: u8,
        bytes in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        sim::orders(&[&[cut], lines.join("\n").as_bytes(), &bytes].concat());
    }
}
