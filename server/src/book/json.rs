//! A book as JSON: nothing is lost, and a script can change it.

use super::{
    Contents, Weighted,
    contents::{Gather, legal, uci, wire_fen},
};
use crate::openings::{LineError, position};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, san::SanPlus};

const FORMAT: &str = "rookery-book";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: String,
    version: u32,
    /// FENs; empty for the usual start position.
    roots: Vec<String>,
    positions: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Index of the root.
    root: usize,
    /// From the root, in UCI notation.
    line: Vec<String>,
    /// For the reader's comfort; the line is what counts.
    #[serde(default)]
    fen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    opening: Option<String>,
    moves: Vec<Play>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    uci: String,
    #[serde(default)]
    san: String,
    weight: u16,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
}

#[derive(Debug, thiserror::Error)]
pub(super) enum JsonError {
    #[error("{0}")]
    Syntax(#[from] serde_json::Error),
    #[error("it says format '{format}' version {version}; '{FORMAT}' version 1 is known")]
    Format { format: String, version: u32 },
    #[error("root {index}: {source}")]
    Root { index: usize, source: LineError },
    #[error("position {index} names root {root}, which there is not")]
    NoRoot { index: usize, root: usize },
    #[error("position {index}: '{text}' is not legal after {played} moves of its line")]
    Move { index: usize, text: String, played: usize },
}

pub(super) fn read(bytes: &[u8]) -> Result<Contents, JsonError> {
    let file: File = serde_json::from_slice(bytes)?;
    if file.format != FORMAT || file.version != 1 {
        return Err(JsonError::Format { format: file.format, version: file.version });
    }
    let roots = file.roots.iter().enumerate().map(|(index, fen)| match fen.as_str() {
        "" => Ok(Chess::default()),
        fen => match position(fen) {
            Ok((_, root)) => Ok(root),
            Err(source) => Err(JsonError::Root { index, source }),
        },
    });
    let roots: Vec<Chess> = roots.collect::<Result<_, _>>()?;
    let mut gather = Gather::new(roots.clone());
    for (index, entry) in file.positions.iter().enumerate() {
        let root = entry.root;
        let mut position = roots.get(root).ok_or(JsonError::NoRoot { index, root })?.clone();
        let mut line = Vec::new();
        let find = |position: &Chess, text: &String, played| {
            legal(position, text).ok_or(JsonError::Move { index, text: text.clone(), played })
        };
        for text in &entry.line {
            let mv = find(&position, text, line.len())?;
            position.play_unchecked(mv);
            line.push(mv);
        }
        for play in &entry.moves {
            let mv = find(&position, &play.uci, line.len())?;
            gather.add(&position, root, &line, Weighted { mv, weight: play.weight, cp: play.cp });
        }
    }
    Ok(gather.finish())
}

pub(super) fn write(contents: &Contents) -> String {
    let root = |root: &Chess| match root == &Chess::default() {
        true => String::new(),
        false => wire_fen(root),
    };
    let file = File {
        format: FORMAT.to_owned(),
        version: 1,
        roots: contents.roots.iter().map(root).collect(),
        positions: contents
            .positions
            .iter()
            .map(|known| Entry {
                root: known.root,
                line: known.line.iter().map(|mv| uci(*mv)).collect(),
                fen: wire_fen(&known.position),
                opening: contents.eco(known).map(|eco| eco.to_string()),
                moves: known.moves.iter().map(|m| play(&known.position, m)).collect(),
            })
            .collect(),
    };
    let mut text = serde_json::to_string_pretty(&file).expect("a book can be written as JSON");
    text.push('\n');
    text
}

fn play(position: &Chess, m: &Weighted) -> Play {
    let san = SanPlus::from_move(position.clone(), m.mv).to_string();
    Play { uci: uci(m.mv), san, weight: m.weight, cp: m.cp }
}
