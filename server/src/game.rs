//! One game of chess as a pure state machine: moves go in, plies and the end come out. shakmaty decides what is legal; knows no
//! tokio, SQL or wire.

use crate::model::{Adjudication, Claims, GameResult, OpeningLine, Score, Termination};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, Move, Outcome, Position, PositionError,
    fen::{Fen, ParseFenError},
    san::SanPlus,
    uci::{IllegalUciMoveError, ParseUciMoveError, UciMove},
    zobrist::Zobrist128,
};
use std::collections::HashMap;

/// What ends a game besides the laws of chess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rules {
    /// Whether the referee claims draws.
    pub claims: Claims,
    /// Early ends by score or length.
    pub adjudication: Adjudication,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// The result.
    pub result: GameResult,
    /// The reason.
    pub termination: Termination,
}

/// A ply as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// 1 for the first move after the start position.
    pub ply: u32,
    /// Whose move it was.
    pub side: Color,
    /// UCI notation, castling as the king's two steps.
    pub uci: String,
    /// SAN with check and mate marks.
    pub san: String,
    /// The position after it; the en passant square only where a capture is legal.
    pub fen: String,
}

/// Why a game cannot start like this.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Not a FEN.
    #[error("'{fen}' is not a FEN: {source}")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        source: ParseFenError,
    },
    /// A FEN of no possible position.
    #[error("'{fen}' is no legal position: {reason}")]
    Position {
        /// The text.
        fen: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A move that is none.
    #[error("opening move {index} '{text}' is not in UCI notation: {source}")]
    Notation {
        /// 1 for the first.
        index: usize,
        /// The text.
        text: String,
        /// What is wrong with it.
        source: ParseUciMoveError,
    },
    /// A move that the position does not have.
    #[error("opening move {index} '{text}' is illegal in {fen}")]
    Illegal {
        /// 1 for the first.
        index: usize,
        /// The text.
        text: String,
        /// The position.
        fen: String,
        /// What shakmaty says.
        source: IllegalUciMoveError,
    },
    /// The game would be over before a player has moved: by the laws, by a draw that the referee claims, or at its greatest length.
    #[error(
        "the game is over after {} in '{fen}' ({reason}): take fewer of the opening's moves, or leave it out",
        count(*index)
    )]
    Over {
        /// After how many moves.
        index: usize,
        /// The position.
        fen: String,
        /// What ended it.
        reason: String,
    },
}

fn count(moves: usize) -> String {
    match moves {
        0 => "no move".to_owned(),
        1 => "1 half-move".to_owned(),
        n => format!("{n} half-moves"),
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    start_fen: String,
    position: Chess,
    played: Vec<Played>,
    seen: HashMap<Zobrist128, u8>,
    rules: Rules,
    quiet_plies: u32,
    hopeless: [u32; 2],
    winning: [u32; 2],
    end: Option<End>,
}

impl Game {
    /// A game from a FEN; the usual start position where there is none.
    pub fn new(fen: Option<&str>, rules: Rules) -> Result<Game, StartError> {
        let position = match fen {
            None => Chess::default(),
            Some(text) => parse_position(text)?,
        };
        let mut game = Game {
            start_fen: fen_always(&position),
            position,
            played: Vec::new(),
            seen: HashMap::new(),
            rules,
            quiet_plies: 0,
            hopeless: [0; 2],
            winning: [0; 2],
            end: None,
        };
        game.count_position();
        game.end = game.end_by_laws();
        Ok(game)
    }

    /// A game from an opening line, its moves checked; it is not over.
    pub fn from_opening(line: &OpeningLine, rules: Rules) -> Result<Game, StartError> {
        let mut game = Game::new(line.fen.as_deref(), rules)?;
        for (i, text) in line.moves.iter().enumerate() {
            game.goes_on()?;
            let index = i + 1;
            let uci: UciMove = text.parse().map_err(|source| StartError::Notation {
                index,
                text: text.clone(),
                source,
            })?;
            let mv = uci.to_move(&game.position).map_err(|source| StartError::Illegal {
                index,
                text: text.clone(),
                fen: game.fen(),
                source,
            })?;
            game.play(mv, None);
        }
        game.goes_on()?;
        Ok(game)
    }

    fn goes_on(&self) -> Result<(), StartError> {
        match self.end {
            None => Ok(()),
            Some(End { result, termination }) => Err(StartError::Over {
                index: self.played.len(),
                fen: self.fen(),
                reason: termination.describe(result),
            }),
        }
    }

    /// Plays a legal move. `score` is what its mover thinks of it, for adjudication.
    ///
    /// # Panics
    /// If the move is not legal here or the game is over: callers have checked.
    pub fn play(&mut self, mv: Move, score: Option<Score>) -> &Played {
        assert!(self.end.is_none(), "a finished game takes no move");
        assert!(self.position.is_legal(mv), "an illegal move got past its check");
        let side = self.position.turn();
        let uci = UciMove::from_standard(mv).to_string();
        let san = SanPlus::from_move_and_play_unchecked(&mut self.position, mv).to_string();
        self.played.push(Played {
            ply: self.played.len() as u32 + 1,
            side,
            uci,
            san,
            fen: fen_legal(&self.position),
        });
        if mv.is_zeroing() {
            self.seen.clear();
        }
        self.count_position();
        self.weigh(side, score);
        self.end = self.end_by_laws().or_else(|| self.end_by_adjudication(side));
        self.played.last().expect("a ply was just pushed")
    }

    /// Ends the game against `loser`, or as a draw where a win is impossible for the other side. Where it is nobody's fault, there is
    /// no result.
    pub fn forfeit(&mut self, loser: Color, termination: Termination) -> End {
        // Article 6.9: no win without material that could ever mate.
        let result = if termination == Termination::UnsayableMove {
            GameResult::Unfinished
        } else if self.position.has_insufficient_material(!loser) {
            GameResult::Draw
        } else {
            GameResult::win_of(!loser)
        };
        *self.end.insert(End { result, termination })
    }

    /// How it ended, once it has.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Whose move it is.
    #[must_use]
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The position now.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position now; the en passant square only where a capture is legal.
    #[must_use]
    pub fn fen(&self) -> String {
        fen_legal(&self.position)
    }

    /// The position now as the boards' wire has it: the en passant square after every double step.
    #[must_use]
    pub fn wire_fen(&self) -> String {
        fen_always(&self.position)
    }

    /// The same after each ply.
    pub fn wire_fens(&self) -> impl Iterator<Item = String> + '_ {
        self.positions().map(|position| fen_always(&position))
    }

    /// The position after each ply.
    pub fn positions(&self) -> impl Iterator<Item = Chess> + '_ {
        let mut position = parse_position(&self.start_fen).expect("the start was read before");
        self.played.iter().map(move |played| {
            let uci: UciMove = played.uci.parse().expect("a played move is a move");
            let mv = uci.to_move(&position).expect("a played move is legal");
            position.play_unchecked(mv);
            position.clone()
        })
    }

    /// The position before the first ply.
    #[must_use]
    pub fn start_fen(&self) -> &str {
        &self.start_fen
    }

    /// The plies.
    #[must_use]
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    fn count_position(&mut self) {
        // A right to capture en passant that a pin forbids makes no other position.
        let key = self.position.zobrist_hash(EnPassantMode::Legal);
        let count = self.seen.entry(key).or_insert(0);
        *count = count.saturating_add(1);
    }

    fn repetitions(&self) -> u8 {
        let key: Zobrist128 = self.position.zobrist_hash(EnPassantMode::Legal);
        self.seen.get(&key).copied().unwrap_or(0)
    }

    fn end_by_laws(&self) -> Option<End> {
        if let Outcome::Known(known) = self.position.outcome() {
            let termination = if self.position.is_checkmate() {
                Termination::Checkmate
            } else if self.position.is_insufficient_material() {
                Termination::InsufficientMaterial
            } else {
                Termination::Stalemate
            };
            let result = known.winner().map_or(GameResult::Draw, GameResult::win_of);
            return Some(End { result, termination });
        }
        let claimed = self.rules.claims == Claims::Automatic;
        let termination = match (self.repetitions(), self.position.halfmoves()) {
            (5.., _) => Termination::FivefoldRepetition,
            (_, 150..) => Termination::SeventyFiveMoves,
            (3.., _) if claimed => Termination::ThreefoldRepetition,
            (_, 100..) if claimed => Termination::FiftyMoves,
            _ => return None,
        };
        Some(End { result: GameResult::Draw, termination })
    }

    /// Keeps the streaks that adjudication looks at. A move without a score (book, opening) breaks them.
    fn weigh(&mut self, side: Color, score: Option<Score>) {
        let cp = score.map(|s| i64::from(s.as_cp()));
        if let Some(rule) = self.rules.adjudication.draw {
            let within = cp.is_some_and(|v| v.abs() <= i64::from(rule.score));
            self.quiet_plies = if within { self.quiet_plies + 1 } else { 0 };
        }
        if let Some(rule) = self.rules.adjudication.resign {
            let bound = i64::from(rule.score);
            let i = side as usize;
            self.hopeless[i] =
                if cp.is_some_and(|v| v <= -bound) { self.hopeless[i] + 1 } else { 0 };
            self.winning[i] = if cp.is_some_and(|v| v >= bound) { self.winning[i] + 1 } else { 0 };
        }
    }

    fn end_by_adjudication(&self, side: Color) -> Option<End> {
        let adjudication = &self.rules.adjudication;
        if let Some(rule) = adjudication.resign {
            let (own, other) = (side as usize, !side as usize);
            for (loser, winner, loser_side) in [(own, other, side), (other, own, !side)] {
                let agreed = !rule.two_sided || self.winning[winner] >= rule.moves;
                if self.hopeless[loser] >= rule.moves && agreed {
                    let result = GameResult::win_of(!loser_side);
                    return Some(End { result, termination: Termination::WinAdjudication });
                }
            }
        }
        let draw = |termination| Some(End { result: GameResult::Draw, termination });
        if let Some(rule) = adjudication.draw {
            let late = self.position.fullmoves().get() >= rule.move_number;
            if late && self.quiet_plies >= rule.moves * 2 {
                return draw(Termination::DrawAdjudication);
            }
        }
        if adjudication.max_plies.is_some_and(|max| self.played.len() as u32 >= max) {
            return draw(Termination::MaxPlies);
        }
        None
    }
}

/// Reads a FEN, or the first four fields of one (EPD), and checks that the position is possible.
pub fn parse_position(text: &str) -> Result<Chess, StartError> {
    let fen: Fen =
        text.parse().map_err(|source| StartError::Fen { fen: text.to_owned(), source })?;
    fen.into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|e: PositionError<Chess>| StartError::Position {
            fen: text.to_owned(),
            reason: e.to_string(),
        })
}

fn fen_legal(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

fn fen_always(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Always).to_string()
}
