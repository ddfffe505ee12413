//! A game of a file as the store keeps games: its moves checked, its comments read, its players told apart.

use super::{
    comment::Measured,
    end,
    lexer::{RawGame, RawMove, shorten},
    run::ImportOptions,
};
use crate::{
    game::{StartError, parse_position},
    model::{GameResult, Mover, NewGame, PlyRecord, RunId, Score, Termination, is_control},
    store::ImportedGame,
    telemetry::When,
};
use sha2::{Digest, Sha256};
use shakmaty::{
    Chess, Color, EnPassantMode, Position,
    fen::Fen,
    san::{San, SanPlus},
    uci::UciMove,
};
use std::fmt::Write as _;

/// What is wrong with a game.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It cannot be read.
    #[error("{0}")]
    Text(String),
    /// Its rules are others.
    #[error("the variant '{0}' is not known here; only standard chess is")]
    Variant(String),
    /// Its start is none.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A word that is no move.
    #[error("move {number} '{text}' is no move in SAN")]
    Notation {
        /// The ply.
        number: usize,
        /// The word.
        text: String,
    },
    /// A move that the position does not have.
    #[error("move {number} '{text}' is not possible in {fen}")]
    Illegal {
        /// The ply.
        number: usize,
        /// The move.
        text: String,
        /// The position.
        fen: String,
    },
    /// The player under test did not play it.
    #[error("'{first}' (--first) is neither White, '{white}', nor Black, '{black}'")]
    Stranger {
        /// Who was named.
        first: String,
        /// White.
        white: String,
        /// Black.
        black: String,
    },
    /// Nothing to keep.
    #[error("it has no moves")]
    Empty,
}

/// A game that was read, before it belongs to a run.
#[derive(Clone, Debug)]
pub struct Reading {
    white: String,
    black: String,
    start: Chess,
    plies: Vec<PlyRecord>,
    measured: Vec<Measured>,
    result: GameResult,
    termination: Termination,
    detail: Option<String>,
    opening: Option<String>,
    started_at: Option<i64>,
    ended_at: Option<i64>,
    limits: [Option<u32>; 2],
    tags: Vec<(String, String)>,
    /// The value of our own tag `GameId`.
    pub(super) own_id: Option<String>,
    digest: String,
}

impl Reading {
    /// Reads a game, or says what is wrong and in which line. `units` of a board's score make a pawn.
    pub fn read(raw: &RawGame, units: i32) -> Result<Reading, (usize, Fault)> {
        if let Some((line, why)) = &raw.broken {
            return Err((*line, Fault::Text(why.clone())));
        }
        let at_start = |fault: Fault| (raw.line, fault);
        if let Some(variant) = raw.tag("Variant")
            && !matches!(
                &*variant.to_lowercase(),
                "standard" | "chess" | "normal" | "from position"
            )
        {
            return Err(at_start(Fault::Variant(shorten(variant))));
        }
        let start = match raw.tag("FEN") {
            Some(fen) => parse_position(fen).map_err(|e| at_start(e.into()))?,
            None => Chess::default(),
        };
        if raw.moves.is_empty() {
            return Err(at_start(Fault::Empty));
        }
        let result = raw.result.as_deref().or_else(|| raw.tag("Result"));
        let result = result.and_then(GameResult::from_pgn).unwrap_or(GameResult::Unfinished);
        let measured: Vec<Measured> = raw.moves.iter().map(measure).collect();
        let words = measured.last().map(|m| m.words.clone()).unwrap_or_default();
        let increments = time_controls(raw);
        let (plies, last, cut) = plies(raw, &start, &measured, units, increments)?;
        let termination = if cut.is_some() {
            Termination::IllegalMove
        } else {
            end::reason(raw, &last, result, &words)
        };
        let said = (!words.is_empty()).then(|| words.join(", "));
        let own = |text: &String| termination.describe(result) != *text;
        let mut reading = Reading {
            white: player(raw, "White"),
            black: player(raw, "Black"),
            start,
            plies,
            measured,
            result,
            termination,
            detail: cut.or(said.filter(own)),
            opening: opening(raw),
            started_at: time_of(raw, "UTCDate", "UTCTime")
                .or_else(|| stamp(raw.tag("GameStartTime")))
                .or_else(|| time_of(raw, "Date", "Time")),
            ended_at: stamp(raw.tag("GameEndTime")),
            limits: ["WhiteLimit", "BlackLimit"]
                .map(|tag| raw.tag(tag)?.strip_prefix("level=")?.parse().ok()),
            tags: raw.tags.clone(),
            own_id: raw.tag("GameId").filter(|id| id.starts_with("rookery-")).map(str::to_owned),
            digest: String::new(),
        };
        reading.digest = reading.digest_of(raw);
        Ok(reading)
    }

    /// The player whose moves carry a board's own words, if one's do.
    #[must_use]
    pub fn board(&self) -> Option<&str> {
        let white = self.start.turn() == Color::White;
        let n = self.measured.iter().position(|m| m.board.is_some())?;
        Some(if (n % 2 == 0) == white { &self.white } else { &self.black })
    }

    /// The players, White first.
    #[must_use]
    pub fn players(&self) -> [&str; 2] {
        [&self.white, &self.black]
    }

    /// What the game is known again by.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The game in a run. The first player is White where neither is the one named. `now` stands for a time that the file does not
    /// have.
    #[must_use]
    pub fn into_game(
        mut self,
        run: RunId,
        first: &str,
        options: &ImportOptions,
        now: i64,
    ) -> ImportedGame {
        let first_color = Color::from_white(self.black != first || self.white == first);
        let mut turn = self.start.turn();
        let started_at = self.started_at.unwrap_or(now);
        let mut at = started_at;
        // Programs write 'book' behind the moves of an opening that they gave; a board says it of its own book.
        let mut opening = true;
        for (ply, measured) in self.plies.iter_mut().zip(&self.measured) {
            opening &= measured.book && measured.board.is_none();
            ply.mover = match (opening, turn == first_color) {
                (true, _) => Mover::Opening,
                (false, true) => Mover::First,
                (false, false) => Mover::Second,
            };
            ply.book &= !opening;
            at = at.saturating_add_unsigned(ply.host_us.unwrap_or(0) / 1000);
            ply.at = at;
            turn = !turn;
        }
        let level = self.limits[usize::from(first_color == Color::Black)];
        ImportedGame {
            game: NewGame {
                run_id: run,
                number: 0,
                board_id: None,
                white: self.white,
                black: self.black,
                first_color,
                start_fen: Fen::from_position(&self.start, EnPassantMode::Always).to_string(),
                opening: self.opening,
                started_at,
            },
            firmware: options.firmware.clone(),
            level: options.level.or(level),
            digest: self.digest,
            tags: self.tags,
            plies: self.plies,
            iterations: Vec::new(),
            result: self.result,
            termination: self.termination,
            detail: self.detail,
            ended_at: self.ended_at.unwrap_or(at).max(started_at),
        }
    }

    /// The same for the same game however its text is broken into lines; another where anything is different.
    fn digest_of(&self, raw: &RawGame) -> String {
        let mut hash = Sha256::new();
        for name in
            ["Event", "Site", "Date", "UTCDate", "UTCTime", "Time", "GameStartTime", "Round"]
        {
            hash.update(format!("{name}={}\n", raw.tag(name).unwrap_or_default()));
        }
        hash.update(format!("{}\n{}\n{}\n", self.white, self.black, self.result.as_str()));
        hash.update(Fen::from_position(&self.start, EnPassantMode::Always).to_string());
        for (ply, measured) in self.plies.iter().zip(&self.measured) {
            hash.update(format!("\n{} {measured:?}", ply.uci));
        }
        hash.finalize().iter().fold(String::with_capacity(64), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

fn measure(raw: &RawMove) -> Measured {
    let mut all = Measured::default();
    for comment in &raw.comments {
        all.add(Measured::read(comment));
    }
    all
}

type Plies = (Vec<PlyRecord>, Chess, Option<String>);

/// Plays the moves. An illegal one at the very end of a game that was lost by it is no fault of the file: match programs write it.
fn plies(
    raw: &RawGame,
    start: &Chess,
    measured: &[Measured],
    units: i32,
    increments: [Option<u64>; 2],
) -> Result<Plies, (usize, Fault)> {
    let mut position = start.clone();
    let mut plies: Vec<PlyRecord> = Vec::with_capacity(raw.moves.len());
    let mut clocks: [Option<u64>; 2] = [None; 2];
    for (n, (raw_move, measured)) in raw.moves.iter().zip(measured).enumerate() {
        let number = n + 1;
        let side = position.turn();
        let last = number == raw.moves.len();
        let mv = match legal(&position, &raw_move.san) {
            Ok(mv) => mv,
            Err(_) if last && says_illegal(raw, measured) => {
                return Ok((plies, position, Some(shorten(&raw_move.san))));
            }
            Err(Some(())) => {
                let text = shorten(&raw_move.san);
                return Err((raw_move.line, Fault::Notation { number, text }));
            }
            Err(None) => {
                let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
                let text = shorten(&raw_move.san);
                return Err((raw_move.line, Fault::Illegal { number, text, fen }));
            }
        };
        let uci = UciMove::from_standard(mv).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string();
        // Two readings of a clock say what the move took, where the increment is known.
        let i = usize::from(side == Color::Black);
        let spent = match (clocks[i], measured.clock_ms, increments[i]) {
            (Some(before), Some(after), Some(more)) => {
                (before + more).checked_sub(after).and_then(|ms| ms.checked_mul(1000))
            }
            _ => None,
        };
        clocks[i] = measured.clock_ms.or(clocks[i]);
        let book = measured.book || measured.board.is_some_and(|line| line.is_book());
        let white_score = |score: Score| if side == Color::White { score } else { score.negated() };
        let board = measured.board;
        let score = measured
            .score
            .or(measured.white_score.map(white_score))
            .or(board.map(|line| Score::from_units(line.raw, units)));
        plies.push(PlyRecord {
            ply: u32::try_from(number).unwrap_or(u32::MAX),
            uci,
            san,
            fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
            mover: Mover::First,
            clock_ms: measured.clock_ms,
            nodes: board.map(|line| line.nodes).or(measured.nodes),
            depth: board.map(|line| line.depth).or(measured.depth),
            score_raw: board.map(|line| line.raw),
            score: score.filter(|_| !book),
            host_us: measured.time_us.or(spent),
            board_ms: None,
            book,
            retransmissions: 0,
            pv: None,
            at: 0,
        });
    }
    Ok((plies, position, None))
}

/// A move in SAN, long or short, or in UCI notation, which fastchess can write as well. `Err(Some(()))`: no move at all.
fn legal(position: &Chess, text: &str) -> Result<shakmaty::Move, Option<()>> {
    // "e2-e4", and not castling.
    if let Some((from, to)) = text.split_once('-')
        && from.ends_with(|c: char| ('1'..='8').contains(&c))
    {
        return legal(position, &format!("{from}{to}"));
    }
    let san: Result<SanPlus, _> = text.replace('0', "O").parse().or_else(|_| text.parse());
    let why = match san {
        Ok(SanPlus { san: San::Null, .. }) => return Err(Some(())),
        Ok(plus) => match plus.san.to_move(position) {
            Ok(mv) => return Ok(mv),
            // "g1f3" has the form of a pawn's move in long SAN.
            Err(_) => None,
        },
        Err(_) => Some(()),
    };
    let uci: UciMove = text.parse().map_err(|_| why)?;
    uci.to_move(position).map_err(|_| None)
}

fn says_illegal(raw: &RawGame, measured: &Measured) -> bool {
    let words = measured.words.join(" ").to_lowercase();
    let tag = raw.tag("Termination").unwrap_or_default().to_lowercase();
    words.contains("illegal") || tag.contains("illegal") || tag.contains("rules infraction")
}

fn player(raw: &RawGame, tag: &str) -> String {
    clean(raw.tag(tag).unwrap_or("?"))
}

/// A name of one line.
fn clean(name: &str) -> String {
    name.replace(is_control, " ")
}

fn opening(raw: &RawGame) -> Option<String> {
    let name = raw.tag("Opening").or_else(|| raw.tag("ECO"))?;
    Some(match raw.tag("Variation") {
        Some(variation) => clean(&format!("{name}: {variation}")),
        None => clean(name),
    })
}

/// The increments of White and Black in milliseconds: `300+3`, `60`, and `-` for no clock.
fn time_controls(raw: &RawGame) -> [Option<u64>; 2] {
    ["WhiteTimeControl", "BlackTimeControl"].map(|tag| {
        let control = raw.tag(tag).or_else(|| raw.tag("TimeControl"))?;
        match control.split_once('+') {
            Some((_, increment)) => increment
                .parse::<f64>()
                .ok()
                .filter(|s| (0.0..1e6).contains(s))
                .map(|s| (s * 1000.0).round() as u64),
            // Moves in a time: the clock jumps where a new period begins.
            None if control.contains('/') => None,
            None => control.parse::<f64>().ok().map(|_| 0),
        }
    })
}

/// `2026.10.19` and `14:30:00`
fn time_of(raw: &RawGame, date: &str, time: &str) -> Option<i64> {
    let date = raw.tag(date)?.replace('.', "-");
    match raw.tag(time) {
        Some(time) => stamp(Some(&format!("{date}T{time}"))).or_else(|| stamp(Some(&date))),
        None => stamp(Some(&date)),
    }
}

/// A time in ISO 8601 as match programs write it: a zone such as `+0200` stands behind a space; without one, or with a name, UTC.
fn stamp(text: Option<&str>) -> Option<i64> {
    let mut words = text?.split_whitespace();
    let (time, zone) = (words.next()?, words.next());
    let offset = zone.filter(|zone| {
        zone.len() == 5
            && zone.starts_with(['+', '-'])
            && zone[1..].bytes().all(|b| b.is_ascii_digit())
    });
    let with_zone = offset.map(|zone| format!("{time}{}:{}", &zone[..3], &zone[3..]));
    When::of_date(with_zone.as_deref().unwrap_or(time)).ok().map(|when| when.0)
}
