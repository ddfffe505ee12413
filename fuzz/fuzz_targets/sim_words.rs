#![no_main]

#[path = "../src/sim.rs"]
#[allow(dead_code)]
mod sim;

use sim::{faults, place, rom};

libfuzzer_sys::fuzz_target!(|data: &[u8]| sim::words(data));
