//! Tables, in colour where they are looked at.

use super::boards::Place;
use crate::{
    api::{GameView, Side},
    model::{GameResult, LinkEventKind, is_control},
    store::Tally,
    telemetry::{Table as Answer, Value},
};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ContentArrangement, Table, presets::UTF8_FULL_CONDENSED,
};
use std::collections::BTreeMap;

fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(header.iter().map(|h| Cell::new(h).add_attribute(Attribute::Bold)));
    table
}

/// Somebody's words: a terminal would obey the control characters in them.
fn words(text: &str) -> Cell {
    Cell::new(text.replace(is_control, "\u{FFFD}"))
}

/// Games, one a row. Good and bad are the first player's.
#[must_use]
pub(super) fn games(games: &[GameView]) -> Table {
    let mut table =
        table(&["game", "run", "no.", "White", "Black", "result", "reason", "plies", "opening"]);
    for game in games {
        let reason = match (&game.reason, &game.detail) {
            (Some(reason), Some(detail)) => format!("{reason} ({detail})"),
            (Some(reason), None) => reason.clone(),
            (None, _) => "being played".into(),
        };
        let colour = match (game.result, game.first_color) {
            (GameResult::WhiteWins, Side::White) | (GameResult::BlackWins, Side::Black) => {
                Color::Green
            }
            (GameResult::WhiteWins | GameResult::BlackWins, _) => Color::Red,
            (GameResult::Draw, _) => Color::Yellow,
            (GameResult::Unfinished, _) => Color::Reset,
        };
        table.add_row([
            Cell::new(game.id),
            Cell::new(game.run),
            Cell::new(game.number),
            words(&game.white),
            words(&game.black),
            Cell::new(game.result.as_str()).fg(colour),
            words(&reason),
            Cell::new(game.plies),
            words(game.opening.as_deref().or(game.eco.as_deref()).unwrap_or_default()),
        ]);
    }
    table
}

/// Places where a board may be, one a row.
#[must_use]
pub(super) fn boards(places: &[Place]) -> Table {
    let mut table = table(&["board", "dialect", "kind", "firmware", "engine", "boot", "note"]);
    for place in places {
        let names = [Some(place.url.as_str()), place.name.as_deref(), place.device.as_deref()];
        let names: Vec<&str> = names.into_iter().flatten().collect();
        let colour = if place.answers { Color::Green } else { Color::Reset };
        let text = |text: &Option<String>| words(text.as_deref().unwrap_or_default());
        table.add_row([
            Cell::new(names.join("\n")).fg(colour),
            Cell::new(place.dialect.unwrap_or_default()),
            text(&place.kind),
            text(&place.firmware),
            text(&place.engine),
            text(&place.boot),
            text(&place.note),
        ]);
    }
    table
}

/// The score in one line, from the first player's side.
#[must_use]
pub(super) fn score(first: &str, second: &str, tally: &Tally) -> String {
    let Tally { played, wins, losses, draws } = *tally;
    let points = f64::from(wins) + f64::from(draws) / 2.0;
    let scored = wins + losses + draws;
    let percent = if scored == 0 { 0.0 } else { points * 100.0 / f64::from(scored) };
    let open = match played - scored {
        0 => String::new(),
        n => format!(", {n} without a result"),
    };
    format!(
        "{first} against {second}: +{wins} -{losses} ={draws} ({points}/{scored}, {percent:.1} %){open}"
    )
}

/// What happened on the links.
#[must_use]
pub(super) fn link(counts: &BTreeMap<LinkEventKind, u64>) -> Table {
    let mut table = table(&["link event", "count"]);
    for (kind, count) in counts {
        table.add_row([Cell::new(kind.as_str()), Cell::new(count)]);
    }
    table
}

/// An answer of telemetry: numbers to the right.
#[must_use]
pub(super) fn telemetry(answer: &Answer) -> Table {
    let names: Vec<String> =
        answer.columns.iter().map(|name| name.replace(is_control, "\u{FFFD}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut table = table(&names);
    for row in &answer.rows {
        table.add_row(row.iter().map(|value| match value {
            Value::Int(_) => Cell::new(value.to_text()).set_alignment(CellAlignment::Right),
            Value::Real(x) => {
                let text = format!("{x:.3}");
                let text = text.trim_end_matches('0').trim_end_matches('.');
                Cell::new(text).set_alignment(CellAlignment::Right)
            }
            Value::Null | Value::Text(_) => words(&value.to_text()),
        }));
    }
    table
}
