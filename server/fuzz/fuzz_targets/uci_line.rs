#![no_main]
//! Any line of an engine: no panic, and what was read once reads the same again as text.

use rookery_server::uci::{UciLine, interpret};
use shakmaty::Chess;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parsed = UciLine::parse(data);
    if let UciLine::BestMove(best) = &parsed.line {
        let _ = interpret(best.mv.as_deref().unwrap_or_default(), &Chess::default());
    }
    let text = String::from_utf8_lossy(data);
    assert_eq!(text.parse(), Ok(parsed.line));
});
