//! Single words and short texts, from command lines, URLs and requests.

use rookery_server::{
    book::wire_fen,
    flash::LineSequence,
    game::parse_position,
    link::{BoardUrl, Say, Way, meaning},
    model::{DrawRule, Limit, PlayerSpec, ResignRule, RunSettings},
    openings::replay,
    runs,
    telemetry::{Format, Subject, Table, When, one_statement},
};
use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist128};

/// Any text as each of them: refused, or read and written so that it is read as the same.
pub fn text(text: &str) {
    if let Ok(limit) = text.parse::<Limit>() {
        assert_eq!(limit.to_string().parse(), Ok(limit));
    }
    if let Ok(rule) = text.parse::<DrawRule>() {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    if let Ok(rule) = text.parse::<ResignRule>() {
        assert_eq!(rule.to_string().parse(), Ok(rule));
    }
    match text.parse::<Say>() {
        Ok(Say::Raw(bytes)) => {
            let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
            assert_eq!(format!("!{escaped}").parse(), Ok(Say::Raw(bytes)));
        }
        Ok(Say::Command(_)) => assert!(!text.starts_with('!')),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(url) = text.parse::<BoardUrl>() {
        let written = url.to_string();
        let again: BoardUrl = written.parse().expect("its own text");
        assert_eq!((again.to_string(), &again), (written, &url));
        assert!(url.timing().first_timeout > std::time::Duration::ZERO);
        assert_eq!((again.reset(), again.dialect()), (url.reset(), url.dialect()));
    }
    if let Ok(lines) = text.parse::<LineSequence>() {
        assert_eq!(lines.to_string().parse(), Ok(lines));
    }
    if let Ok(subject) = text.parse::<Subject>() {
        assert_eq!(subject.to_string().parse(), Ok(subject));
    }
    if let Ok(when) = text.parse::<When>() {
        assert_eq!(when.0.to_string().parse(), Ok(when));
    }
    if let Ok(statement) = one_statement(text) {
        assert!(text.contains(statement));
        assert_eq!(one_statement(statement), Ok(statement));
    }
    for way in [Way::In, Way::Out] {
        assert!(meaning(way, text.as_bytes()).is_none_or(|words| !words.is_empty()));
    }
    if let Ok(position) = parse_position(text) {
        fen(&position);
    }
    if let Ok(table) = serde_json::from_str::<Table>(text) {
        let mut again = Vec::new();
        Format::Json.write(&table, &mut again).expect("memory");
        assert_eq!(serde_json::from_slice::<Table>(&again).expect("its own JSON"), table);
    }
    if let Ok(run) = serde_json::from_str::<RunSettings>(text) {
        settings(run);
    }
}

fn fen(position: &Chess) {
    let written = wire_fen(position);
    let again = parse_position(&written).expect("its own FEN");
    let hash = |position: &Chess| position.zobrist_hash::<Zobrist128>(EnPassantMode::Always);
    assert_eq!((wire_fen(&again), hash(&again)), (written, hash(position)));
    assert_eq!(again.legal_moves(), position.legal_moves());
}

fn settings(mut settings: RunSettings) {
    let json = serde_json::to_string(&settings).expect("settings are JSON");
    assert_eq!(serde_json::from_str::<RunSettings>(&json).expect("its own JSON"), settings);
    // Files of this machine are nobody's business here.
    settings.second.book = None;
    if let PlayerSpec::Engine(engine) = &mut settings.first {
        engine.book = None;
    }
    let known_as = |url: &str| url.parse::<BoardUrl>().map(|url| url.to_string());
    match runs::check(&settings, known_as) {
        Ok(()) => assert!(settings.openings.iter().all(|line| replay(line).is_ok())),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
