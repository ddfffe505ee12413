//! `match`: micro-Max against itself with other parameters.

mod elo;
mod files;
mod game;
pub(crate) mod openings;
mod san;
pub(crate) mod settings;
mod tally;

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

use files::Files;
use game::Tables;
use settings::{Settings, USAGE, describe};
use tally::{Pair, Tally};

pub(crate) fn run(words: &[&str]) -> Result<bool, String> {
    if words.is_empty() || words.iter().any(|word| ["-h", "--help"].contains(word)) {
        print!("{USAGE}");
        return Ok(true);
    }
    let settings = Settings::read(words).map_err(|error| format!("{error}\n\n{USAGE}"))?;
    let openings = openings(&settings)?;
    let mut files = Files::create(&settings)?;
    let tally = play(&settings, &openings, &mut files)?;
    files.finish(&settings, &tally)?;
    report(&settings, &tally);
    Ok(true)
}

/// As many openings as are played.
fn openings(settings: &Settings) -> Result<Vec<String>, String> {
    let path = &settings.openings;
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let mut openings = openings::read(&text).map_err(|error| format!("{path}, {error}"))?;
    if let Some(games) = settings.games {
        if games / 2 > openings.len() {
            return Err(format!(
                "{path} has {} openings, enough for {} games and not for {games}: the same opening again would \
                 be the same game again",
                openings.len(),
                2 * openings.len(),
            ));
        }
        openings.truncate(games / 2);
    }
    if openings.is_empty() {
        return Err(format!("{path} has no openings"));
    }
    Ok(openings)
}

/// Plays every opening twice; pairs are counted in the order of the openings, whoever is ready first.
fn play(settings: &Settings, openings: &[String], files: &mut Files) -> Result<Tally, String> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..settings.workers.min(openings.len()) {
            let sender = sender.clone();
            scope.spawn(|| work(settings, openings, &next, sender));
        }
        drop(sender);
        let (mut tally, mut waiting) = (Tally::default(), BTreeMap::new());
        let mut counted = 0;
        for (number, pair) in receiver {
            waiting.insert(number, pair?);
            while let Some(pair) = waiting.remove(&counted) {
                files.add(counted, &openings[counted], &pair)?;
                tally.add(&openings[counted], &pair);
                counted += 1;
                progress(counted, openings.len(), &tally);
            }
        }
        Ok(tally)
    })
}

/// Plays one opening after the other, until there are none or nobody listens.
fn work(
    settings: &Settings,
    openings: &[String],
    next: &AtomicUsize,
    sender: Sender<(usize, Result<Pair, String>)>,
) {
    let [first, second] = &settings.sides;
    let mut tables = Tables::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let Some(opening) = openings.get(number) else { return };
        let mut game = |white, black| tables.play(opening, white, black, settings.longest);
        let pair =
            game(first, second).and_then(|played| game(second, first).map(|other| [played, other]));
        if sender.send((number, pair)).is_err() {
            return;
        }
    }
}

/// Where the match stands: for a reader at a terminal always, otherwise now and then.
fn progress(pairs: usize, of: usize, tally: &Tally) {
    let line = format!("{}/{} games: {}", 2 * pairs, 2 * of, tally.line());
    let mut out = std::io::stderr().lock();
    // Whoever does not want to read it may close it.
    let _ = if out.is_terminal() {
        write!(out, "\r{line}   {}", if pairs == of { "\n" } else { "" })
    } else if pairs * 10 / of != (pairs - 1) * 10 / of {
        writeln!(out, "{line}")
    } else {
        Ok(())
    };
}

fn report(settings: &Settings, tally: &Tally) {
    let ends: Vec<String> =
        tally.ends.iter().map(|(name, count)| format!("{name} {count}")).collect();
    let [none, half, one, more, two] = tally.pairs.0;
    let text = format!(
        "first   {}\nsecond  {}\ngames   {}, {} of them distinct, from {} openings\n\
         first   {}\npairs   0: {none}, ½: {half}, 1: {one}, 1½: {more}, 2: {two}\n\
         ends    {}\nnodes   {} a move, {} plies a game, {} thinks stopped at a thousand budgets\n",
        describe(&settings.sides[0]),
        describe(&settings.sides[1]),
        tally.games(),
        tally.distinct(),
        tally.pairs.count(),
        tally.line(),
        ends.join(", "),
        tally.nodes_a_move(),
        tally.plies / u64::from(tally.games().max(1)),
        tally.stopped,
    );
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}
