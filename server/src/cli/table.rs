//! Tables, in colour where they are looked at.

use super::boards::Place;
use crate::{
    api::{
        BoardView, BookPage, BookSource, BookView, EvaluationView, GameView, LinkState,
        PositionGames, RunView, Side,
    },
    model::{
        EngineSpec, Estimate, FirmwareImage, FlashRecord, GameResult, LinkEventKind, PlayerSpec,
        RunState, Standing, is_control,
    },
    telemetry::{Table as Answer, Value},
};
use comfy_table::{
    Attribute, Cell, CellAlignment, Color, ContentArrangement, Table, presets::UTF8_FULL_CONDENSED,
};
use std::collections::BTreeMap;
use time::format_description::well_known::Rfc3339;

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

/// Runs, one a row.
#[must_use]
pub(super) fn runs(runs: &[RunView]) -> Table {
    let mut table =
        table(&["run", "name", "state", "first", "second", "games", "+", "-", "=", "note"]);
    for run in runs {
        let colour = match run.state {
            RunState::Running => Color::Green,
            RunState::Failed => Color::Red,
            RunState::Pending | RunState::Paused | RunState::Interrupted => Color::Yellow,
            RunState::Finished | RunState::Stopped | RunState::Imported => Color::Reset,
        };
        table.add_row([
            Cell::new(run.id),
            Cell::new(&run.name),
            Cell::new(run.state.as_str()).fg(colour),
            Cell::new(&run.first),
            Cell::new(&run.second),
            Cell::new(of_all(run)),
            Cell::new(run.wins),
            Cell::new(run.losses),
            Cell::new(run.draws),
            Cell::new(note(run).unwrap_or_default()),
        ]);
    }
    table
}

/// What a person should know of a run, its place in the queue included.
#[must_use]
pub(super) fn note(run: &RunView) -> Option<String> {
    let waits = run.queue.as_ref().map(|queue| match queue.place {
        1 => format!("next in the queue: {}", queue.why),
        n => format!("number {n} in the queue: {}", queue.why),
    });
    let notes: Vec<String> = run.alarm.clone().into_iter().chain(waits).collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

/// A run, one fact a row.
#[must_use]
pub(super) fn run(run: &RunView) -> Table {
    let mut table = table(&["run", &run.id.to_string()]);
    let settings = &run.settings;
    let first = match &settings.first {
        PlayerSpec::Boards(boards) => {
            let urls: Vec<&str> = boards.iter().map(|board| &*board.url).collect();
            format!("{}, {} nodes a move", urls.join("\n"), settings.level)
        }
        PlayerSpec::Engine(engine) => engine_facts(engine),
    };
    let openings = match run.openings {
        0 => "the start position".to_owned(),
        n => format!("{n} lines"),
    };
    let facts = [
        ("name", Some(run.name.clone())),
        ("state", Some(run.state.as_str().to_owned())),
        ("games", Some(of_all(run))),
        ("first", Some(format!("{}\n{first}", run.first))),
        ("second", Some(format!("{}\n{}", run.second, engine_facts(&settings.second)))),
        ("openings", Some(openings)),
        ("games at a time", Some(settings.concurrency.to_string())),
        ("created", Some(when(run.created_at))),
        ("over", run.ended_at.map(when)),
        ("note", note(run)),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            table.add_row([Cell::new(name), Cell::new(value)]);
        }
    }
    table
}

/// To the second, UTC.
fn when(at: i64) -> String {
    let at = time::OffsetDateTime::from_unix_timestamp(at.div_euclid(1000)).ok();
    at.and_then(|at| at.format(&Rfc3339).ok()).unwrap_or_default()
}

fn engine_facts(engine: &EngineSpec) -> String {
    let options: Vec<_> =
        engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let facts = [engine.path.display().to_string(), engine.limit.to_string(), options.join(", ")];
    facts.into_iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(", ")
}

fn of_all(run: &RunView) -> String {
    match run.settings.games {
        0 => run.played.to_string(),
        all => format!("{} of {all}", run.played),
    }
}

/// Boards of a server, one a row.
#[must_use]
pub(super) fn served_boards(boards: &[BoardView]) -> Table {
    let mut table = table(&[
        "board",
        "name",
        "URL",
        "link",
        "since",
        "firmware",
        "game",
        "round trip",
        "sent again",
        "CRC errors",
        "note",
    ]);
    for board in boards {
        let colour = if board.link == LinkState::Ready { Color::Green } else { Color::Red };
        let rtt = board.rtt_ms.map_or(String::new(), |ms| format!("{ms:.1} ms"));
        let count = |kind: LinkEventKind| board.counters.get(kind.as_str()).copied().unwrap_or(0);
        table.add_row([
            Cell::new(board.id),
            Cell::new(&board.name),
            Cell::new(&board.url),
            Cell::new(format!("{:?}", board.link).to_lowercase()).fg(colour),
            Cell::new(when(board.since)),
            Cell::new(board.identity.get("fw").map(String::as_str).unwrap_or_default()),
            Cell::new(board.game.map_or(String::new(), |game| game.to_string())),
            Cell::new(rtt),
            Cell::new(count(LinkEventKind::Retransmitted)),
            Cell::new(count(LinkEventKind::BadCrc) + count(LinkEventKind::NakCrc)),
            Cell::new(board.alarm.as_deref().unwrap_or_default()),
        ]);
    }
    table
}

/// Firmware images, one a row.
#[must_use]
pub(super) fn images(images: &[FirmwareImage]) -> Table {
    let mut table = table(&["SHA-256", "region", "board", "version", "bytes", "kept"]);
    for image in images {
        table.add_row([
            Cell::new(image.sha256.get(..16).unwrap_or(&image.sha256)),
            Cell::new(&image.region),
            Cell::new(image.board.as_deref().unwrap_or_default()),
            Cell::new(image.version.as_deref().unwrap_or_default()),
            Cell::new(image.size).set_alignment(CellAlignment::Right),
            Cell::new(when(image.at)),
        ]);
    }
    table
}

/// Books that a server knows, one a row.
#[must_use]
pub(super) fn books(books: &[BookView]) -> Table {
    let mut table = table(&["book", "id", "form", "from", "entries", "bytes", "kept"]);
    for book in books {
        let from = match (book.source, book.run) {
            (BookSource::Configured, _) => "configuration".to_owned(),
            (BookSource::Kept, _) => "kept".to_owned(),
            (BookSource::Run, run) => run.map_or("a run".to_owned(), |run| format!("run {run}")),
        };
        let count = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        table.add_row([
            words(&book.name),
            words(book.id.get(..16).filter(|_| book.id.len() == 64).unwrap_or(&book.id)),
            Cell::new(book.form.map(|form| form.to_string()).unwrap_or_default()),
            Cell::new(from),
            Cell::new(count(book.entries.map(u64::from))).set_alignment(CellAlignment::Right),
            Cell::new(book.size.map_or("gone".to_owned(), |size| size.to_string()))
                .set_alignment(CellAlignment::Right),
            Cell::new(book.at.map(when).unwrap_or_default()),
        ]);
    }
    table
}

/// Moves of a position: what the book, the engine and our games say of each.
#[must_use]
pub(super) fn book_moves(page: &BookPage, judged: &EvaluationView, games: &PositionGames) -> Table {
    let mut table = table(&["move", "weight", "share", "engine", "games", "White", "opening"]);
    let engine = judged.moves.iter().map(|m| &m.mv.san);
    let played = games.moves.iter().filter_map(|m| m.san.as_ref());
    let mut sans: Vec<&String> = page.moves.iter().map(|m| &m.mv.san).collect();
    for san in played.chain(engine) {
        if !sans.contains(&san) {
            sans.push(san);
        }
    }
    for san in sans {
        let book = page.moves.iter().find(|m| m.mv.san == *san);
        let engine = judged.moves.iter().find(|m| m.mv.san == *san);
        let played = games.moves.iter().find(|m| m.san.as_ref() == Some(san));
        let right = |text: Option<String>| {
            Cell::new(text.unwrap_or_default()).set_alignment(CellAlignment::Right)
        };
        table.add_row([
            Cell::new(san),
            right(book.map(|m| m.weight.map_or("back".to_owned(), |weight| weight.to_string()))),
            right(book.and_then(|m| m.share).map(|share| format!("{:.1} %", share * 100.0))),
            right(engine.map(|m| m.score.to_string())),
            right(played.map(|m| m.games.to_string())),
            Cell::new(
                played
                    .map(|m| format!("+{} ={} -{}", m.white, m.draws, m.black))
                    .unwrap_or_default(),
            ),
            Cell::new(book.and_then(|m| m.opening.as_deref()).unwrap_or_default()),
        ]);
    }
    table
}

/// Flashes of a board, one a row.
#[must_use]
pub(super) fn flashes(flashes: &[FlashRecord]) -> Table {
    let mut table =
        table(&["flash", "begun", "image", "version", "by", "result", "bytes", "retries", "note"]);
    for flash in flashes {
        table.add_row([
            Cell::new(flash.id),
            Cell::new(when(flash.started_at)),
            Cell::new(flash.image.get(..16).unwrap_or(&flash.image)),
            Cell::new(flash.version.as_deref().unwrap_or_default()),
            Cell::new(&flash.by),
            Cell::new(format!("{:?}", flash.result).to_lowercase()),
            Cell::new(flash.bytes).set_alignment(CellAlignment::Right),
            Cell::new(flash.retries).set_alignment(CellAlignment::Right),
            Cell::new(flash.detail.as_deref().unwrap_or_default()),
        ]);
    }
    table
}

/// The score, from the first player's side, and what it says about strength where it says something.
#[must_use]
pub(super) fn score(run: &RunView) -> String {
    let RunView { first, second, played, wins, losses, draws, .. } = run;
    let points = f64::from(*wins) + f64::from(*draws) / 2.0;
    let scored = wins + losses + draws;
    let percent = if scored == 0 { 0.0 } else { points * 100.0 / f64::from(scored) };
    let open = match played - scored {
        0 => String::new(),
        n => format!(", {n} without a result"),
    };
    let mut text = format!(
        "{first} against {second}: +{wins} -{losses} ={draws} ({points}/{scored}, {percent:.1} %){open}"
    );
    let Standing { elo, normalized, los, draws, pairs, .. } = &run.standing;
    let estimate = |name: &str, figure: &Option<Estimate>| {
        figure.map(|Estimate { value, error }| format!("{name} {value:+.1} ± {error:.1}"))
    };
    let percent = |name: &str, share: &Option<f64>| share.map(|x| format!("{name} {x:.1} %"));
    let pairs = pairs.filter(|pairs| pairs.iter().any(|n| *n > 0));
    let figures = [
        estimate("Elo", elo),
        estimate("normalized Elo", normalized),
        percent("LOS", los),
        percent("draws", draws),
        pairs.map(|pairs| format!("pairs {pairs:?}")),
    ];
    let figures: Vec<String> = figures.into_iter().flatten().collect();
    if !figures.is_empty() {
        text.push('\n');
        text.push_str(&figures.join(", "));
    }
    text
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
