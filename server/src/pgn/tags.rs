//! The tags: the seven that every game has, in their order, then what else is known.

use super::PgnGame;
use crate::{
    model::{EngineSpec, Limit, PlayerSpec, RunSettings, is_control, utc},
    store::view::run_name,
};
use shakmaty::Color;
use std::collections::HashSet;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// So that a line stays below the 255 characters of PGN, escapes included.
const LONGEST: usize = 110;

pub(super) fn write(pgn: &PgnGame<'_>) -> String {
    let (run, record) = (pgn.run, pgn.game);
    if !record.tags.is_empty() {
        return as_they_were(pgn);
    }
    let game = &record.game;
    let mut out = String::new();
    let mut tag = |name: &str, value: &str| line(&mut out, name, value);
    let (date, time) = utc(game.started_at);
    tag("Event", &run_name(run));
    // The place is not known, and a host's name is nobody's business.
    tag("Site", "?");
    tag("Date", &date);
    tag("Round", &game.number.to_string());
    tag("White", &game.white);
    tag("Black", &game.black);
    tag("Result", record.result.as_str());
    tag("GameId", &pgn.key());
    if game.start_fen != START {
        tag("SetUp", "1");
        tag("FEN", &game.start_fen);
    }
    let (code, name) = record.eco.as_deref().and_then(|eco| eco.split_once(' ')).unzip();
    if let Some(code) = code {
        tag("ECO", code);
    }
    if let Some(opening) = game.opening.as_deref().or(name) {
        tag("Opening", opening);
    }
    tag("UTCDate", &date);
    tag("UTCTime", &time);
    let why = record.termination.map_or("unterminated", |t| t.pgn());
    tag("Termination", why);
    tag("PlyCount", &pgn.plies.len().to_string());
    for (name, value) in time_controls(&run.settings, game.first_color) {
        tag(&name, &value);
    }
    for (color, side) in [(Color::White, "White"), (Color::Black, "Black")] {
        tag(&format!("{side}Type"), "program");
        let player = player(&run.settings, color == game.first_color);
        tag(&format!("{side}Limit"), &budget(pgn, player));
        if let Some(engine) = player {
            let options: Vec<String> =
                engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
            if !options.is_empty() {
                tag(&format!("{side}Options"), &options.join(", "));
            }
        }
    }
    out
}

/// The tags of an imported game: those of its file, in their order behind the seven. Where it has others for what we know (our
/// number, the position, what the moves are), ours stand.
fn as_they_were(pgn: &PgnGame<'_>) -> String {
    let record = pgn.game;
    let mut out = String::new();
    let theirs = |name: &str| record.tags.iter().find(|(tag, _)| tag == name).map(|(_, v)| &**v);
    for (name, unknown) in SEVEN {
        let value = match name {
            "Result" => record.result.as_str(),
            _ => theirs(name).unwrap_or(unknown),
        };
        line(&mut out, name, value);
    }
    line(&mut out, "GameId", &pgn.key());
    if record.game.start_fen != START {
        line(&mut out, "SetUp", "1");
        line(&mut out, "FEN", &record.game.start_fen);
    }
    let ours = ["GameId", "SetUp", "FEN"];
    let mut written: HashSet<&str> = SEVEN.map(|(name, _)| name).into_iter().chain(ours).collect();
    let count = ("PlyCount".to_owned(), pgn.plies.len().to_string());
    for (name, value) in record.tags.iter().chain([&count]) {
        if written.insert(name) && is_name(name) {
            line(&mut out, name, if *name == count.0 { &count.1 } else { value });
        }
    }
    out
}

/// The tags that every game has, and what stands there where nothing is known.
const SEVEN: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

fn is_name(name: &str) -> bool {
    name.len() < 100 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn line(out: &mut String, name: &str, value: &str) {
    out.push_str(&format!("[{name} \"{}\"]\n", escape(value)));
}

/// A tag's value: quotes and backslashes escaped, control characters replaced, not too long, never empty (`?` is PGN's "unknown").
fn escape(value: &str) -> String {
    let mut out = String::new();
    for (n, c) in value.trim().chars().enumerate() {
        if n == LONGEST {
            out.push('…');
            break;
        }
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if is_control(c) => out.push(' '),
            c => out.push(c),
        }
    }
    if out.trim().is_empty() {
        out = "?".to_owned();
    }
    out
}

/// The engine that plays for the first or the second player; `None`: a board.
fn player(settings: &RunSettings, first: bool) -> Option<&EngineSpec> {
    match (&settings.first, first) {
        (_, false) => Some(&settings.second),
        (PlayerSpec::Engine(engine), true) => Some(engine),
        (PlayerSpec::Boards(_), true) => None,
    }
}

/// What one of its moves may cost, in this project's own words: PGN has none for nodes.
fn budget(pgn: &PgnGame<'_>, engine: Option<&EngineSpec>) -> String {
    match engine {
        Some(engine) => engine.limit.to_string(),
        None if pgn.own_level => "level=board".to_owned(),
        None => format!("level={}", pgn.run.settings.level),
    }
}

/// `TimeControl` where both have the same: `60+0.6`, `-` for none. Where they differ, `?`, and one for each side as cutechess does.
fn time_controls(settings: &RunSettings, first_color: Color) -> Vec<(String, String)> {
    let of = |color: Color| match player(settings, color == first_color).map(|e| e.limit) {
        Some(Limit::Clock { base_ms, increment_ms }) => match increment_ms {
            0 => seconds(base_ms),
            _ => format!("{}+{}", seconds(base_ms), seconds(increment_ms)),
        },
        _ => "-".to_owned(),
    };
    let (white, black) = (of(Color::White), of(Color::Black));
    if white == black {
        return vec![("TimeControl".to_owned(), white)];
    }
    vec![
        ("TimeControl".to_owned(), "?".to_owned()),
        ("WhiteTimeControl".to_owned(), white),
        ("BlackTimeControl".to_owned(), black),
    ]
}

fn seconds(ms: u64) -> String {
    (ms as f64 / 1000.0).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_escaped() {
        assert_eq!(escape(r#"The "Rook" \"#), r#"The \"Rook\" \\"#);
        assert_eq!(escape("a\nb\u{0}c\u{202e}d"), "a b c d");
        assert_eq!(escape(" \u{0}"), "?");
        assert_eq!(escape("Žluťoučký 馬"), "Žluťoučký 馬");
        assert!(escape(&"\"".repeat(5000)).len() < 230);
    }
}
