#![no_main]

libfuzzer_sys::fuzz_target!(|data: &str| rookery_server_fuzz::config::text(data));
