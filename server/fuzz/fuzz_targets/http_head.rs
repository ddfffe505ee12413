#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rookery_server_fuzz::http::headers(data));
