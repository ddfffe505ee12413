//! Two games side by side, move by move: what a change of the engine does from the same position on.

use super::{Table, Value};
use crate::model::{BoardId, GameId, GameRecord, Mover, PlyRecord, RunId};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use shakmaty::Color;
use std::{
    collections::{HashMap, VecDeque},
    fmt,
    str::FromStr,
};

/// What is compared: the games of a run, a board or a firmware version, or one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// `run=1`
    Run(RunId),
    /// `game=17`
    Game(GameId),
    /// `board=2`
    Board(BoardId),
    /// `firmware=1.1`: what boards said of themselves at the time of the game.
    Firmware(String),
}

/// A text that names none of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is nothing that can be compared: write run=1, game=17, board=2 or firmware=1.1")]
pub struct SubjectError(String);

impl FromStr for Subject {
    type Err = SubjectError;

    fn from_str(text: &str) -> Result<Subject, SubjectError> {
        let wrong = || SubjectError(text.to_owned());
        let (kind, name) = text.split_once('=').ok_or_else(wrong)?;
        let name = name.trim();
        let id = || name.parse().map_err(|_| wrong());
        match kind.trim() {
            "run" => Ok(Subject::Run(RunId(id()?))),
            "game" => Ok(Subject::Game(GameId(id()?))),
            "board" => Ok(Subject::Board(BoardId(id()?))),
            "firmware" if !name.is_empty() => Ok(Subject::Firmware(name.to_owned())),
            _ => Err(wrong()),
        }
    }
}

impl Serialize for Subject {
    fn serialize<S: Serializer>(&self, into: S) -> Result<S::Ok, S::Error> {
        into.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Subject {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Subject, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Subject::Run(id) => write!(f, "run={id}"),
            Subject::Game(id) => write!(f, "game={id}"),
            Subject::Board(id) => write!(f, "board={id}"),
            Subject::Firmware(version) => write!(f, "firmware={version}"),
        }
    }
}

/// A game with its plies.
pub type Compared = (GameRecord, Vec<PlyRecord>);

/// A game, and the moves of its opening line.
pub type Begun = (GameRecord, String);

/// Pairs games that begin alike: the same start, the same opening line, the first player on the same side; in their order, each game
/// once, and none with itself unless nothing else was asked for.
#[must_use]
pub fn pairs<'a>(a: &'a [Begun], b: &'a [Begun]) -> Vec<(&'a GameRecord, &'a GameRecord)> {
    let only = a.len() == 1 && b.len() == 1;
    let mut left: HashMap<_, VecDeque<&GameRecord>> = HashMap::new();
    for one in b {
        left.entry(beginning(one)).or_default().push_back(&one.0);
    }
    let pair = |one: &'a Begun| {
        let alike = left.get_mut(&beginning(one))?;
        let at = alike.iter().position(|other| only || other.id != one.0.id)?;
        Some((&one.0, alike.remove(at)?))
    };
    a.iter().filter_map(pair).collect()
}

fn beginning((game, line): &Begun) -> (&str, bool, &str) {
    (&game.game.start_fen, game.game.first_color == Color::White, line)
}

/// Adds a pair to a table: so many full moves from the first that neither took from an opening line or a book, one ply a row. `same` is 1
/// as long as the games are the same; `first_difference` is 1 in the row where they part.
pub fn side_by_side(table: &mut Table, number: usize, a: &Compared, b: &Compared, moves: u32) {
    let same = a.1.iter().zip(&b.1).take_while(|(x, y)| x.uci == y.uci).count();
    let of_book = |p: &PlyRecord| p.book || p.mover == Mover::Opening;
    let given =
        (0..same).rev().find(|n| of_book(&a.1[*n]) || of_book(&b.1[*n])).map_or(0, |n| n + 1);
    let longest = a.1.len().max(b.1.len());
    let end = longest.min(given.saturating_add(moves as usize * 2));
    let (mut move_number, mut white) = first_move(&a.0.game.start_fen);
    for n in 0..end {
        if n >= given {
            let (x, y) = (a.1.get(n), b.1.get(n));
            let mover = x.or(y).map_or("", |p| p.mover.as_str());
            let dots = if white { "." } else { "..." };
            let mut row = vec![
                int(number as u64),
                Value::Int(a.0.id.0),
                Value::Int(b.0.id.0),
                int(n as u64 + 1),
                Value::Text(format!("{move_number}{dots}")),
                Value::Text(mover.to_owned()),
            ];
            row.extend(ply(x));
            row.extend(ply(y));
            row.push(Value::Int(i64::from(n < same)));
            row.push(Value::Int(i64::from(n == same)));
            table.rows.push(row);
        }
        move_number += u32::from(!white);
        white = !white;
    }
}

impl Table {
    /// The table that [`side_by_side`] fills.
    #[must_use]
    pub fn of_comparison() -> Table {
        let each = ["san", "depth", "nodes", "time_ms", "score_cp"];
        let side = |side: &'static str| each.map(|name| format!("{side}_{name}"));
        let key = ["pair", "a_game", "b_game", "ply", "move", "mover"].map(str::to_owned);
        let end = ["same", "first_difference"].map(str::to_owned);
        Table::new(key.into_iter().chain(side("a")).chain(side("b")).chain(end))
    }
}

/// Scores from the mover's side, as everywhere; a mate as 32,000 less its moves.
fn ply(ply: Option<&PlyRecord>) -> [Value; 5] {
    let Some(ply) = ply else { return [const { Value::Null }; 5] };
    [
        Value::Text(ply.san.clone()),
        ply.depth.map(u64::from).into(),
        ply.nodes.into(),
        ply.host_us.map(|us| us as f64 / 1000.0).into(),
        ply.score.map_or(Value::Null, |score| Value::Int(score.as_cp().into())),
    ]
}

fn int(n: u64) -> Value {
    Some(n).into()
}

/// The full move number and whether White moves.
fn first_move(fen: &str) -> (u32, bool) {
    let mut fields = fen.split_ascii_whitespace().skip(1);
    let white = fields.next() != Some("b");
    let number = fields.nth(3).and_then(|n| n.parse().ok()).unwrap_or(1);
    (number, white)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects() {
        for text in ["run=1", "game=17", "board=2", "firmware=1.1-rc=2"] {
            assert_eq!(text.parse::<Subject>().map(|s| s.to_string()), Ok(text.to_owned()));
        }
        for bad in ["", "run", "run=", "run=x", "firmware=", "engine=1", "1"] {
            assert!(bad.parse::<Subject>().is_err(), "{bad}");
        }
    }
}
