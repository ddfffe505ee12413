//! The moves of a game in the two notations that players are told them in.

use crate::{
    game::Game,
    link::{Pictures, Placement},
    model::GameId,
};
use rookery_protocol::{MoveText, PositionHash};

/// A game's moves so far, for an engine and for a board.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// The position before the first ply.
    pub start_fen: String,
    /// UCI moves.
    pub moves: Vec<String>,
    /// The same with the boards' position hashes.
    pub placement: Placement,
}

impl Sheet {
    /// The sheet of a game; `id` names it to the boards.
    #[must_use]
    pub fn new(id: GameId, game: &Game) -> Sheet {
        let mut sheet = Sheet {
            start_fen: game.start_fen().to_owned(),
            moves: Vec::new(),
            placement: Placement {
                game: id.0,
                start_fen: game.start_fen().to_owned(),
                moves: Vec::new(),
                hashes: vec![PositionHash::of_fen(game.start_fen())],
                pictures: Pictures::default(),
            },
        };
        for (played, wire_fen) in game.played().iter().zip(game.wire_fens()) {
            sheet.write(&played.uci, &wire_fen);
        }
        sheet
    }

    /// Adds the game's last ply.
    pub fn push(&mut self, game: &Game) {
        if let Some(played) = game.played().last() {
            self.write(&played.uci, &game.wire_fen());
        }
    }

    fn write(&mut self, uci: &str, wire_fen: &str) {
        self.moves.push(uci.to_owned());
        let text: MoveText = uci.parse().expect("a legal move is a move");
        self.placement.moves.push(text);
        self.placement.hashes.push(PositionHash::of_fen(wire_fen));
    }
}
