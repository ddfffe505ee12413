//! What a `position` line says.

use rookery_engine::{Game, Move};

/// A place and the moves from it. They have been checked: the game can be played.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    /// None: the initial one.
    pub(crate) fen: Option<String>,
    pub(crate) moves: Vec<Move>,
}

impl Position {
    /// Reads the words after `position`.
    pub(crate) fn read(line: &str) -> Result<Position, String> {
        let mut words = line.split_whitespace();
        let place: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
        let fen = match place.as_slice() {
            ["startpos"] => None,
            ["fen", fields @ ..] if !fields.is_empty() => Some(fields.join(" ")),
            _ => return Err("position startpos|fen FEN [moves ...]".to_owned()),
        };
        let moves = words
            .map(|text| text.parse().map_err(|error| format!("{text:?}: {error}")))
            .collect::<Result<_, _>>()?;
        let position = Position { fen, moves };
        position.game()?;
        Ok(position)
    }

    /// The game it leads to.
    pub(crate) fn game(&self) -> Result<Game, String> {
        let mut game = match &self.fen {
            Some(fen) => Game::from_fen(fen).map_err(|error| error.to_string())?,
            None => Game::new(),
        };
        for &mv in &self.moves {
            game.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_line_is_checked() {
        assert_eq!(Position::read("startpos moves e2e4 e7e5").unwrap().moves.len(), 2);
        assert_eq!(Position::read("\tstartpos  moves \r").unwrap(), Position::default());
        let castling = "fen 4k3/8/8/8/8/8/8/4K2R  w K - 0 1 moves e1g1";
        assert!(Position::read(castling).unwrap().fen.is_some());
        for line in ["fen 8/8", "startpos moves e2e5", "startpos moves e9e4", "startpos moves é2e4"]
        {
            assert!(Position::read(line).is_err(), "{line}");
        }
    }

    /// A line cut short is no initial position, and words that have grown together are none.
    #[test]
    fn what_is_missing_or_runs_together_is_told() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for line in [
            "",
            "moves e2e4",
            "fen",
            "fen moves e2e4",
            "startposmoves e2e4",
            "startpos e2e4",
            &format!("fen{START}"),
            &format!("fen {START}moves e2e4"),
        ] {
            assert!(Position::read(line).is_err(), "{line}");
        }
    }
}
