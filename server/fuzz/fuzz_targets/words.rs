#![no_main]
//! Any text as a limit, a board's URL, a sequence of lines, a FEN, a run's settings or a server's table: no panic, and what was read is written so that it is read again.

use rookery_server::{
    flash::LineSequence,
    game::parse_position,
    link::BoardUrl,
    model::{Limit, RunSettings},
    telemetry::{Format, Table},
};

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Ok(limit) = text.parse::<Limit>() {
        assert_eq!(limit.to_string().parse(), Ok(limit));
    }
    if let Ok(url) = text.parse::<BoardUrl>() {
        assert_eq!(url.to_string().parse(), Ok(url));
    }
    if let Ok(lines) = text.parse::<LineSequence>() {
        assert_eq!(lines.to_string().parse(), Ok(lines));
    }
    let _ = parse_position(text);
    if let Ok(settings) = serde_json::from_str::<RunSettings>(text) {
        let again = serde_json::to_string(&settings).expect("settings are JSON");
        assert_eq!(serde_json::from_str::<RunSettings>(&again).expect("its own JSON"), settings);
    }
    if let Ok(table) = serde_json::from_str::<Table>(text) {
        let mut again = Vec::new();
        Format::Json.write(&table, &mut again).expect("memory");
        assert_eq!(serde_json::from_slice::<Table>(&again).expect("its own JSON"), table);
    }
});
