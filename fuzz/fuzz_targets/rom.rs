#![no_main]

#[path = "../src/rom.rs"]
#[allow(dead_code)]
mod rom;

libfuzzer_sys::fuzz_target!(|data: &[u8]| rom::conversation(data));
