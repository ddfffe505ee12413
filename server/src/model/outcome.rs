//! How a game ended: the result, and the reason in a form that PGN readers and people know.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use std::str::FromStr;
use ts_rs::TS;

/// The four results of PGN.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[ts(export_to = "api.ts")]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `*`
    #[serde(rename = "*")]
    Unfinished,
}

impl GameResult {
    /// Every result.
    pub const ALL: [GameResult; 4] =
        [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unfinished];

    /// The result in which `color` wins.
    #[must_use]
    pub fn win_of(color: Color) -> GameResult {
        color.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// Who won, if anybody did.
    #[must_use]
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::WhiteWins => Some(Color::White),
            GameResult::BlackWins => Some(Color::Black),
            GameResult::Draw | GameResult::Unfinished => None,
        }
    }

    /// As PGN writes it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unfinished => "*",
        }
    }

    /// Reads what [`GameResult::as_str`] writes.
    #[must_use]
    pub fn from_pgn(text: &str) -> Option<GameResult> {
        GameResult::ALL.into_iter().find(|r| r.as_str() == text)
    }
}

/// A word that is none of those there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} '{given}'; there are: {known}")]
pub struct WordError {
    what: &'static str,
    given: String,
    known: String,
}

impl WordError {
    /// What was asked for, and all there is.
    pub(super) fn new(what: &'static str, given: &str, known: &[&str]) -> WordError {
        WordError { what, given: given.to_owned(), known: known.join(", ") }
    }
}

impl FromStr for GameResult {
    type Err = WordError;

    fn from_str(text: &str) -> Result<GameResult, WordError> {
        let wrong = || WordError::new("result", text, &GameResult::ALL.map(GameResult::as_str));
        GameResult::from_pgn(text).ok_or_else(wrong)
    }
}

impl FromStr for Termination {
    type Err = WordError;

    fn from_str(text: &str) -> Result<Termination, WordError> {
        let wrong = || WordError::new("reason", text, &Termination::ALL.map(Termination::as_str));
        Termination::from_name(text).ok_or_else(wrong)
    }
}

/// Why a game ended. Each has its own name in the store, its PGN `Termination` value and its wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, TS)]
#[serde(rename_all = "snake_case")]
#[ts(export_to = "api.ts")]
pub enum Termination {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// The position stood for the third time, claimed by the referee.
    ThreefoldRepetition,
    /// The position stood for the fifth time (article 9.6.1 of FIDE's laws).
    FivefoldRepetition,
    /// Fifty moves of each side without a capture or a pawn move, claimed by the referee.
    FiftyMoves,
    /// Seventy-five such moves (article 9.6.2).
    SeventyFiveMoves,
    /// Neither side can mate.
    InsufficientMaterial,
    /// Both sides' scores stayed near zero long enough.
    DrawAdjudication,
    /// One side's score stayed hopeless long enough.
    WinAdjudication,
    /// The game reached the maximum number of plies: a draw.
    MaxPlies,
    /// A clock ran out, or the time for a move passed.
    TimeForfeit,
    /// A move that the position does not have.
    IllegalMove,
    /// No answer within the watchdog's time, in a mode without a clock.
    StalledConnection,
    /// The engine ended, and did so again after the allowed number of restarts.
    EngineCrash,
    /// The board could not be reached any more.
    DeadBoard,
    /// The opponent's move cannot be told to the board: its dialect has no words for it.
    UnsayableMove,
    /// The server stopped and the game was closed instead of being resumed.
    Interrupted,
    /// A person stopped the game.
    Aborted,
    /// The file that the game was imported from does not say: a resignation, an agreement.
    Unstated,
}

impl Termination {
    /// Every reason, for parsers and tests.
    pub const ALL: [Termination; 19] = [
        Termination::Checkmate,
        Termination::Stalemate,
        Termination::ThreefoldRepetition,
        Termination::FivefoldRepetition,
        Termination::FiftyMoves,
        Termination::SeventyFiveMoves,
        Termination::InsufficientMaterial,
        Termination::DrawAdjudication,
        Termination::WinAdjudication,
        Termination::MaxPlies,
        Termination::TimeForfeit,
        Termination::IllegalMove,
        Termination::StalledConnection,
        Termination::EngineCrash,
        Termination::DeadBoard,
        Termination::UnsayableMove,
        Termination::Interrupted,
        Termination::Aborted,
        Termination::Unstated,
    ];

    /// The name in the store and in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::ThreefoldRepetition => "threefold_repetition",
            Termination::FivefoldRepetition => "fivefold_repetition",
            Termination::FiftyMoves => "fifty_moves",
            Termination::SeventyFiveMoves => "seventy_five_moves",
            Termination::InsufficientMaterial => "insufficient_material",
            Termination::DrawAdjudication => "draw_adjudication",
            Termination::WinAdjudication => "win_adjudication",
            Termination::MaxPlies => "max_plies",
            Termination::TimeForfeit => "time_forfeit",
            Termination::IllegalMove => "illegal_move",
            Termination::StalledConnection => "stalled_connection",
            Termination::EngineCrash => "engine_crash",
            Termination::DeadBoard => "dead_board",
            Termination::UnsayableMove => "unsayable_move",
            Termination::Interrupted => "interrupted",
            Termination::Aborted => "aborted",
            Termination::Unstated => "unstated",
        }
    }

    /// Reads what [`Termination::as_str`] writes.
    #[must_use]
    pub fn from_name(text: &str) -> Option<Termination> {
        Termination::ALL.into_iter().find(|t| t.as_str() == text)
    }

    /// The value of PGN's `Termination` tag: the standard's own words where it has one, `stalled connection` as cutechess and
    /// fastchess write it.
    #[must_use]
    pub fn pgn(self) -> &'static str {
        match self {
            Termination::Checkmate
            | Termination::Stalemate
            | Termination::ThreefoldRepetition
            | Termination::FivefoldRepetition
            | Termination::FiftyMoves
            | Termination::SeventyFiveMoves
            | Termination::InsufficientMaterial
            | Termination::Unstated => "normal",
            Termination::DrawAdjudication
            | Termination::WinAdjudication
            | Termination::MaxPlies => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "rules infraction",
            Termination::StalledConnection => "stalled connection",
            Termination::EngineCrash
            | Termination::DeadBoard
            | Termination::UnsayableMove
            | Termination::Aborted => "abandoned",
            Termination::Interrupted => "unterminated",
        }
    }

    /// One sentence, as it stands at the end of a PGN and on the page.
    #[must_use]
    pub fn describe(self, result: GameResult) -> String {
        let (winner, loser) = match result.winner() {
            Some(Color::White) => ("White", "Black"),
            Some(Color::Black) => ("Black", "White"),
            None => ("", ""),
        };
        match self {
            Termination::Checkmate => format!("{winner} mates"),
            Termination::Stalemate => "Draw by stalemate".into(),
            Termination::ThreefoldRepetition => "Draw by 3-fold repetition".into(),
            Termination::FivefoldRepetition => "Draw by 5-fold repetition".into(),
            Termination::FiftyMoves => "Draw by fifty moves rule".into(),
            Termination::SeventyFiveMoves => "Draw by seventy-five moves rule".into(),
            Termination::InsufficientMaterial => "Draw by insufficient mating material".into(),
            Termination::DrawAdjudication => "Draw by adjudication".into(),
            Termination::WinAdjudication => format!("{winner} wins by adjudication"),
            Termination::MaxPlies => "Draw by adjudication: maximum game length".into(),
            Termination::TimeForfeit => format!("{loser} loses on time"),
            Termination::IllegalMove => format!("{loser} makes an illegal move"),
            Termination::StalledConnection => format!("{loser}'s connection stalls"),
            Termination::EngineCrash => format!("{loser} disconnects"),
            Termination::DeadBoard => format!("{loser}'s board is dead"),
            Termination::UnsayableMove => "The board cannot be told the last move".into(),
            Termination::Interrupted => "The server was stopped".into(),
            Termination::Aborted => "Aborted by the operator".into(),
            Termination::Unstated if result == GameResult::Unfinished => {
                "No result; the file does not say why".into()
            }
            Termination::Unstated if winner.is_empty() => "Drawn; the file does not say how".into(),
            Termination::Unstated => format!("{winner} wins; the file does not say how"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_read_back_and_match_the_json() {
        for t in Termination::ALL {
            assert_eq!(Termination::from_name(t.as_str()), Some(t));
            assert_eq!(serde_json::to_string(&t).unwrap(), format!("\"{}\"", t.as_str()));
        }
        let names: std::collections::HashSet<_> =
            Termination::ALL.iter().map(|t| t.as_str()).collect();
        assert_eq!(names.len(), Termination::ALL.len());
    }
}
