//! PGN: the main line of each game, from its `FEN` tag where it has one.

use super::{LineError, fen_of, open, position, shorten};
use crate::model::{OpeningLine, read_text};
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position, uci::UciMove};
use std::{io, ops::ControlFlow};

/// The lines, or the first game that is wrong with the line in which it begins.
type Lines = Result<Vec<OpeningLine>, (usize, LineError)>;

/// Beginnings of games, which can go on from there.
pub(super) fn openings(bytes: &[u8], max_plies: Option<usize>) -> Lines {
    parse(bytes, Line { most: max_plies.unwrap_or(usize::MAX), goes_on: true })
}

/// Whole games.
pub(super) fn games(bytes: &[u8]) -> Lines {
    parse(bytes, Line { most: usize::MAX, goes_on: false })
}

fn parse(bytes: &[u8], mut visitor: Line) -> Lines {
    let mut lines = Vec::new();
    for (line, game) in texts(bytes) {
        let mut reader = Reader::new(io::Cursor::new(game));
        loop {
            match reader.read_game(&mut visitor) {
                Ok(None) => break,
                Ok(Some(Ok(opening))) => lines.extend(opening),
                Ok(Some(Err(why))) => return Err((line, why)),
                Err(error) => {
                    let why = error.to_string();
                    return Err((line, LineError::Pgn { why }));
                }
            }
        }
    }
    Ok(lines)
}

/// The reader does not tell where it is, so the text is cut where a game's tags begin: a line with `[` after movetext and outside of a
/// comment.
fn texts(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    let mut games = Vec::new();
    let (mut start, mut start_line, mut offset) = (0, 1, 0);
    let (mut moves, mut comment, mut empty) = (false, false, true);
    for (n, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        let text = line.trim_ascii();
        if !comment && text.starts_with(b"[") {
            if moves || empty {
                if !empty {
                    games.push((start_line, &bytes[start..offset]));
                }
                (start, start_line, moves) = (offset, n + 1, false);
            }
            empty = false;
        } else if !text.is_empty() && (comment || !text.starts_with(b"%")) {
            if empty {
                (start, start_line, empty) = (offset, n + 1, false);
            }
            moves = true;
            for byte in text {
                match byte {
                    b'{' => comment = true,
                    b'}' => comment = false,
                    b';' if !comment => break,
                    _ => {}
                }
            }
        }
        offset += line.len();
    }
    if !empty {
        games.push((start_line, &bytes[start..]));
    }
    games
}

struct Line {
    /// Plies that are taken.
    most: usize,
    /// The game must not be over behind them.
    goes_on: bool,
}

#[derive(Default)]
struct Tags {
    fen: Option<String>,
    event: Option<String>,
    eco: Option<String>,
    opening: Option<String>,
    variation: Option<String>,
}

struct Moves {
    name: Option<String>,
    fen: Option<String>,
    moves: Vec<String>,
    now: Chess,
    /// A game has begun: tags or moves, and not only a stray result.
    real: bool,
    /// Its result has come.
    over: bool,
}

impl Visitor for Line {
    type Tags = Tags;
    type Movetext = Moves;
    type Output = Result<Option<OpeningLine>, LineError>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let slot = match name {
            b"FEN" => &mut tags.fen,
            b"Event" => &mut tags.event,
            b"ECO" => &mut tags.eco,
            b"Opening" => &mut tags.opening,
            b"Variation" => &mut tags.variation,
            _ => return ControlFlow::Continue(()),
        };
        let text = read_text(&value.decode()).trim().to_owned();
        *slot = (!text.is_empty() && text != "?").then_some(text);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Moves> {
        let real = tags.fen.is_some();
        let (fen, now) = match tags.fen.as_deref().map(position) {
            None => (None, Chess::default()),
            Some(Ok((fen, now))) => (Some(fen), now),
            Some(Err(why)) => return ControlFlow::Break(Err(why)),
        };
        ControlFlow::Continue(Moves {
            name: name(tags.opening, tags.variation, tags.eco, tags.event),
            fen,
            moves: Vec::new(),
            now,
            real,
            over: false,
        })
    }

    fn san(&mut self, line: &mut Moves, san: SanPlus) -> ControlFlow<Self::Output> {
        line.real = true;
        // The reader tells games apart by empty lines alone: two without one would be read as one opening.
        if line.over {
            let why =
                "moves follow a result; an empty line must stand between two games".to_owned();
            return ControlFlow::Break(Err(LineError::Pgn { why }));
        }
        // The rest of the game is read on, for the reader's sake, and not looked at: it may end in mate or in nonsense.
        if line.moves.len() >= self.most {
            return ControlFlow::Continue(());
        }
        let Ok(m) = san.san.to_move(&line.now) else {
            return ControlFlow::Break(Err(LineError::Move {
                number: line.moves.len() + 1,
                text: shorten(&san.to_string()),
                fen: fen_of(&line.now),
            }));
        };
        line.moves.push(UciMove::from_standard(m).to_string());
        line.now.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, line: &mut Moves, _: Outcome) -> ControlFlow<Self::Output> {
        line.over = true;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, line: Moves) -> Self::Output {
        if !line.real {
            return Ok(None);
        }
        if self.goes_on {
            open(&line.now)?;
        }
        Ok(Some(OpeningLine { name: line.name, fen: line.fen, moves: line.moves }))
    }
}

/// `Opening: Variation`, else the ECO code, else the event.
fn name(
    opening: Option<String>,
    variation: Option<String>,
    eco: Option<String>,
    event: Option<String>,
) -> Option<String> {
    match (opening, variation) {
        (Some(opening), Some(variation)) => Some(format!("{opening}: {variation}")),
        (Some(opening), None) => Some(opening),
        (None, _) => eco.or(event),
    }
}
