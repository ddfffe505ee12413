//! The files of a match. PGN and CSV grow pair by pair, in the order of the openings, so that a match that
//! is broken off leaves what it has played.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;

use rookery_engine::{Game, Side};

use super::settings::{Settings, describe};
use super::tally::{Pair, Tally};

/// A file that is being written.
struct Output {
    path: String,
    file: File,
}

impl Output {
    fn create(path: &str) -> Result<Output, String> {
        let file = File::create(path).map_err(|error| format!("{path}: {error}"))?;
        Ok(Output { path: path.to_owned(), file })
    }

    fn write(&mut self, text: &str) -> Result<(), String> {
        self.file.write_all(text.as_bytes()).map_err(|error| format!("{}: {error}", self.path))
    }
}

/// All that were asked for.
pub(crate) struct Files {
    names: [String; 2],
    pgn: Option<Output>,
    csv: Option<Output>,
    json: Option<Output>,
}

impl Files {
    /// Makes them; what cannot be written is better known before the match than after it.
    pub(crate) fn create(settings: &Settings) -> Result<Files, String> {
        let create = |path: &Option<String>| path.as_deref().map(Output::create).transpose();
        let mut files = Files {
            names: settings.sides.each_ref().map(describe),
            pgn: create(&settings.pgn)?,
            csv: create(&settings.csv)?,
            json: create(&settings.json)?,
        };
        if let Some(csv) = &mut files.csv {
            csv.write("game,pair,first,result,end,plies,nodes,opening\n")?;
        }
        Ok(files)
    }

    /// The games of an opening; `number` counts from 0.
    pub(crate) fn add(&mut self, number: usize, opening: &str, pair: &Pair) -> Result<(), String> {
        for (half, played) in pair.iter().enumerate() {
            let (game, first) = (2 * number + half + 1, ["white", "black"][half]);
            if let Some(csv) = &mut self.csv {
                csv.write(&format!(
                    "{game},{},{first},{},{},{},{},{opening}\n",
                    number + 1,
                    played.result(),
                    played.end.name(),
                    played.moves.len(),
                    played.nodes,
                ))?;
            }
            if let Some(pgn) = &mut self.pgn {
                let (white, black) = (&self.names[half], &self.names[1 - half]);
                pgn.write(&text(game, number + 1, [white, black], opening, played))?;
            }
        }
        Ok(())
    }

    /// The result.
    pub(crate) fn finish(&mut self, settings: &Settings, tally: &Tally) -> Result<(), String> {
        match &mut self.json {
            Some(json) => json.write(&result(&self.names, settings, tally)),
            None => Ok(()),
        }
    }
}

/// A game as PGN.
fn text(
    game: usize,
    round: usize,
    [white, black]: [&String; 2],
    opening: &str,
    played: &super::game::Played,
) -> String {
    let result = played.result();
    let mut text = String::new();
    for (name, value) in [
        ("Event", "rookery-engine match"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", &format!("{round}.{}", 2 - game % 2)),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", opening),
        ("PlyCount", &played.moves.len().to_string()),
        ("Termination", if played.end.name() == "length" { "adjudication" } else { "normal" }),
    ] {
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    let mut position = Game::from_fen(opening).expect("the game began from it");
    let mut words = Vec::new();
    for (ply, &mv) in played.moves.iter().enumerate() {
        let number = position.fullmove_number();
        match position.side_to_move() {
            Side::White => words.push(format!("{number}.")),
            Side::Black if ply == 0 => words.push(format!("{number}...")),
            Side::Black => {}
        }
        words.push(super::san::play(&mut position, mv));
    }
    words.push(format!("{{{}}}", played.end.name()));
    words.push(result.to_owned());
    let mut width = 0;
    for word in words {
        if width + word.len() >= 79 {
            width = 0;
        }
        text.push(if width == 0 { '\n' } else { ' ' });
        text.push_str(&word);
        width += word.len() + 1;
    }
    text.push_str("\n\n");
    text
}

/// The result as JSON; what is infinite or unknown is null.
fn result(names: &[String; 2], settings: &Settings, tally: &Tally) -> String {
    let number = |value: Option<f64>| match value {
        Some(value) if value.is_finite() => value.to_string(),
        _ => "null".to_owned(),
    };
    let elo = tally.pairs.elo();
    let ends: Vec<String> =
        tally.ends.iter().map(|(name, count)| format!("\"{name}\": {count}")).collect();
    let rows = [
        ("first", quoted(&names[0])),
        ("second", quoted(&names[1])),
        ("openings", quoted(&settings.openings)),
        ("games", tally.games().to_string()),
        ("distinct_games", tally.distinct().to_string()),
        ("wins", tally.wins.to_string()),
        ("draws", tally.draws.to_string()),
        ("losses", tally.losses.to_string()),
        // By half points of the first side: 0, 1, 2, 3, 4.
        ("pairs", format!("{:?}", tally.pairs.0)),
        ("score", number(Some(tally.pairs.score()))),
        ("elo", number(elo.map(|elo| elo.difference))),
        ("elo_error_95", number(elo.map(|elo| elo.error))),
        ("los", number(tally.pairs.superiority())),
        ("plies", tally.plies.to_string()),
        ("nodes", tally.nodes.to_string()),
        ("stopped_thinks", tally.stopped.to_string()),
        ("ends", format!("{{{}}}", ends.join(", "))),
    ];
    let rows = rows.map(|(name, value)| format!("  \"{name}\": {value}"));
    format!("{{\n{}\n}}\n", rows.join(",\n"))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
