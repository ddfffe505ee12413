//! Lines as people type them: a FEN, or moves in UCI or SAN, with a name before them where there is one.

use super::contents::{uci, wire_fen};
use crate::{
    game::parse_position,
    model::OpeningLine,
    openings::{LineError, replay},
};
use shakmaty::{Chess, Move, Position, san::SanPlus, uci::UciMove};

/// Why a text is no line.
#[derive(Debug, thiserror::Error)]
pub enum LineTextError {
    /// A FEN that is none.
    #[error(transparent)]
    Fen(#[from] crate::game::StartError),
    /// A move.
    #[error("'{word}' is not a legal move (UCI or SAN) in '{fen}'")]
    Move {
        /// What stands there.
        word: String,
        /// The position.
        fen: String,
    },
    /// No move at all.
    #[error("no moves stand there")]
    Empty,
    /// The game is over at its end.
    #[error(transparent)]
    Line(#[from] LineError),
    /// One of several lines.
    #[error("line {number}: {source}")]
    At {
        /// 1 for the first.
        number: usize,
        /// What is wrong.
        source: Box<LineTextError>,
    },
}

/// Reads a root: a FEN, or moves from the usual start position, separated by spaces or commas. An empty text is that position.
///
/// # Errors
/// [`LineTextError`]
pub fn parse_root(text: &str) -> Result<OpeningLine, LineTextError> {
    let line = if text.contains('/') {
        let fen = wire_fen(&parse_position(text)?);
        OpeningLine { name: None, fen: Some(fen), moves: Vec::new() }
    } else {
        let words = text.split([' ', ',']).filter(|word| !word.is_empty());
        OpeningLine { name: None, fen: None, moves: texts(words)? }
    };
    replay(&line)?;
    Ok(line)
}

/// A line as it was played: positions from its start to its end, and the moves between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// One more than there are moves.
    pub positions: Vec<Chess>,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Plays moves (UCI or SAN, separated by spaces or commas) from a position; no FEN is the usual start position. The game may be over at
/// their end.
///
/// # Errors
/// [`LineTextError`]
pub fn play(fen: Option<&str>, text: &str) -> Result<Played, LineTextError> {
    let start = fen.map_or_else(|| Ok(Chess::default()), parse_position)?;
    moves(start, text.split([' ', ',']).filter(|word| !word.is_empty()))
}

/// Reads named lines, one in a row: a name, then moves. Empty rows and those that begin with `#` are skipped.
///
/// # Errors
/// [`LineTextError::At`] with the row's number.
pub fn parse_named(text: &str) -> Result<Vec<OpeningLine>, LineTextError> {
    let mut lines = Vec::new();
    for (n, row) in text.lines().enumerate() {
        let row = row.trim();
        if row.is_empty() || row.starts_with('#') {
            continue;
        }
        let line = named(row);
        lines.push(line.map_err(|e| LineTextError::At { number: n + 1, source: Box::new(e) })?);
    }
    Ok(lines)
}

fn named(row: &str) -> Result<OpeningLine, LineTextError> {
    let words: Vec<&str> = row.split_whitespace().collect();
    // A name may end in what looks like a move of later on; the line begins with the first legal move that starts a legal row.
    let start = Chess::default();
    let begin = (0..words.len())
        .find(|&n| is_number(words[n]) || read(&start, words[n]).is_some())
        .ok_or(LineTextError::Empty)?;
    let line = OpeningLine {
        name: (begin > 0).then(|| words[..begin].join(" ")),
        fen: None,
        moves: texts(words[begin..].iter().copied())?,
    };
    // Numbers alone.
    if line.moves.is_empty() {
        return Err(LineTextError::Empty);
    }
    replay(&line)?;
    Ok(line)
}

fn moves<'a>(start: Chess, words: impl Iterator<Item = &'a str>) -> Result<Played, LineTextError> {
    let mut played = Played { positions: vec![start.clone()], moves: Vec::new() };
    let mut position = start;
    for word in words.filter(|word| !is_number(word)) {
        let mv = read(&position, word).ok_or_else(|| LineTextError::Move {
            word: word.chars().take(40).collect(),
            fen: wire_fen(&position),
        })?;
        position.play_unchecked(mv);
        played.positions.push(position.clone());
        played.moves.push(mv);
    }
    Ok(played)
}

fn texts<'a>(words: impl Iterator<Item = &'a str>) -> Result<Vec<String>, LineTextError> {
    Ok(moves(Chess::default(), words)?.moves.into_iter().map(uci).collect())
}

/// `1.`, `1...`
fn is_number(word: &str) -> bool {
    word.ends_with('.') && word.trim_end_matches('.').bytes().all(|b| b.is_ascii_digit())
}

fn read(position: &Chess, word: &str) -> Option<Move> {
    let by_uci = word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
    by_uci.or_else(|| word.parse::<SanPlus>().ok()?.san.to_move(position).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_moves_or_a_fen() {
        let moves = |text| parse_root(text).expect(text).moves;
        assert_eq!(moves("e2e4 e7e5"), ["e2e4", "e7e5"]);
        assert_eq!(moves("1. e4 e5 2. Nf3"), ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(moves("e2e4,c7c5"), ["e2e4", "c7c5"]);
        assert!(moves("").is_empty());
        let fen = parse_root("4k3/8/8/8/8/8/4P3/4K3 w - -").expect("a FEN").fen;
        assert_eq!(fen.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
        for (bad, words) in [
            ("e2e5", "'e2e5' is not a legal move"),
            ("8/8/8 w - -", "is not a FEN"),
            ("e4 x", "'x'"),
        ] {
            let error = parse_root(bad).expect_err(bad).to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn named_lines_have_their_names() {
        let text = "# lines\n\nQueen's Gambit Declined   d2d4 d7d5 c2c4 e7e6\n1. Nf3 d5 2. c4\n";
        let lines = parse_named(text).expect("lines");
        assert_eq!(lines[0].name.as_deref(), Some("Queen's Gambit Declined"));
        assert_eq!(lines[0].moves, ["d2d4", "d7d5", "c2c4", "e7e6"]);
        assert_eq!((lines[1].name.as_deref(), lines[1].moves.len()), (None, 3));
        let error = parse_named("\nX e2e4 e2e4\n").expect_err("illegal").to_string();
        assert!(error.starts_with("line 2: 'e2e4' is not a legal move"), "{error}");
        assert!(parse_named("Ruy Lopez\n").is_err() && parse_named("Ruy Lopez 1.\n").is_err());
    }
}
