//! One game between two engines that each have a table of their own, as two boards have.

use rookery_engine::{
    Cell, ChessEngine, Control, Game, Limits, MicroMax, Move, Params, Progress, Side, Status,
};

/// How many budgets a think may take. An iteration that is running is finished, and in a rare position
/// one has no end within billions of nodes: such a think is stopped, and its best move so far is played.
const BUDGETS: i32 = 1000;

/// What makes one side of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Player {
    pub(crate) params: Params,
    pub(crate) cells: usize,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// By the rules.
    Rules(Status),
    /// It was long enough, and is called a draw.
    Length,
}

impl End {
    /// In a word, for tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            End::Rules(Status::Checkmate) => "checkmate",
            End::Rules(Status::Stalemate) => "stalemate",
            End::Rules(Status::Repetition) => "threefold_repetition",
            End::Rules(Status::FiftyMoves) => "fifty_moves",
            End::Rules(Status::InsufficientMaterial) => "insufficient_material",
            End::Rules(Status::Ongoing) => "unfinished",
            End::Length => "length",
        }
    }
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Played {
    pub(crate) moves: Vec<Move>,
    pub(crate) end: End,
    /// Who has won, if anybody has.
    pub(crate) winner: Option<Side>,
    /// Counted by both engines in the searches for their moves.
    pub(crate) nodes: u64,
    /// Thinks that had to be stopped.
    pub(crate) stopped: u32,
}

impl Played {
    /// What it brought a side: 0, 1 or 2 half points.
    pub(crate) fn half_points(&self, side: Side) -> usize {
        match self.winner {
            None => 1,
            Some(winner) => 2 * usize::from(winner == side),
        }
    }

    /// As PGN has it.
    pub(crate) fn result(&self) -> &'static str {
        match self.winner {
            None => "1/2-1/2",
            Some(Side::White) => "1-0",
            Some(Side::Black) => "0-1",
        }
    }
}

/// Room for the engines of a game, to be used for one game after the other.
pub(crate) struct Tables([Vec<Cell>; 2]);

impl Tables {
    pub(crate) fn new() -> Tables {
        Tables([Vec::new(), Vec::new()])
    }

    /// Plays a game from a position. Nothing of an earlier game is left in the tables.
    pub(crate) fn play(
        &mut self,
        fen: &str,
        white: &Player,
        black: &Player,
        longest: usize,
    ) -> Result<Played, String> {
        let [mine, theirs] = &mut self.0;
        let mut engines = [engine(mine, white, fen)?, engine(theirs, black, fen)?];
        let game = Game::from_fen(fen).map_err(|error| format!("{fen:?}: {error}"))?;
        let mut played =
            Played { moves: Vec::new(), end: End::Length, winner: None, nodes: 0, stopped: 0 };
        let mut mover = usize::from(game.side_to_move() == Side::Black);
        loop {
            let status = engines[mover].game().status();
            if status != Status::Ongoing {
                played.end = End::Rules(status);
                if status == Status::Checkmate {
                    played.winner = Some(if mover == 0 { Side::Black } else { Side::White });
                }
                return Ok(played);
            }
            if played.moves.len() >= longest {
                return Ok(played);
            }
            let budget = [white, black][mover].params.node_budget;
            let most = i32::try_from(budget).unwrap_or(i32::MAX).saturating_mul(BUDGETS);
            let thought = engines[mover].think(Limits::NONE, &mut |progress| match progress {
                Progress::Poll(nodes) if nodes >= most => Control::Stop,
                _ => Control::Continue,
            });
            played.stopped += u32::from(thought.stopped);
            let best = thought.best.expect("a game that goes on has a move");
            played.nodes += thought.total.max(0) as u64;
            played.moves.push(best);
            mover = 1 - mover;
            engines[mover].play(best).expect("the other engine has the same position");
        }
    }
}

fn engine<'t>(
    table: &'t mut Vec<Cell>,
    player: &Player,
    fen: &str,
) -> Result<MicroMax<'t>, String> {
    table.resize(player.cells, Cell::EMPTY);
    let mut engine = MicroMax::new(table).map_err(|error| error.to_string())?;
    engine.set_params(player.params);
    engine.set_position(fen).map_err(|error| format!("{fen:?}: {error}"))?;
    Ok(engine)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAYER: Player =
        Player { params: Params { node_budget: 300, ..Params::CLASSIC }, cells: 64 };

    fn play(fen: &str, longest: usize) -> Played {
        Tables::new().play(fen, &PLAYER, &PLAYER, longest).unwrap()
    }

    #[test]
    fn every_end_has_its_winner_and_its_name() {
        for (fen, name, result, plies) in [
            ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "checkmate", "1-0", 1),
            ("r3k3/8/8/8/8/8/5PPP/6K1 b q - 0 1", "checkmate", "0-1", 1),
            ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", "stalemate", "1/2-1/2", 0),
            ("8/8/4k3/8/8/3BK3/8/8 w - - 0 1", "insufficient_material", "1/2-1/2", 0),
            ("8/8/4k3/8/8/3QK3/8/8 w - - 100 80", "fifty_moves", "1/2-1/2", 0),
        ] {
            let played = play(fen, 400);
            let found = (played.end.name(), played.result(), played.moves.len());
            assert_eq!(found, (name, result, plies), "{fen}");
        }
        let cut = play("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6);
        assert_eq!(
            (cut.end.name(), cut.half_points(Side::White), cut.moves.len()),
            ("length", 1, 6)
        );
    }

    #[test]
    fn a_game_depends_on_nothing_before_it() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let other = Player { cells: 256, ..PLAYER };
        let mut tables = Tables::new();
        tables.play(fen, &other, &PLAYER, 60).unwrap();
        assert_eq!(tables.play(fen, &PLAYER, &PLAYER, 60).unwrap(), play(fen, 60));
    }
}
