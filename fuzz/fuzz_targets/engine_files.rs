#![no_main]

#[path = "../src/engine.rs"]
#[allow(dead_code)]
mod engine;

libfuzzer_sys::fuzz_target!(|data: &[u8]| engine::files(data));
