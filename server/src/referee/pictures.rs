//! Positions as a board of version 1 prints them, for a link that has nothing else to check such a board by.

use crate::{
    game::Game,
    link::{Picture, Pictures, Reply},
};
use rookery_protocol::v1::{Row, Symbol};
use shakmaty::{Board, Chess, EnPassantMode, File, Position, Rank, Square, fen::Fen, uci::UciMove};

/// The pictures of a game that began in the initial position: after each of its moves, and after every legal one now.
#[must_use]
pub fn pictures(game: &Game) -> Pictures {
    let after = game.positions().map(|position| picture(position.board())).collect();
    let position = game.position();
    let replies = position.legal_moves().into_iter().map(|mv| {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let text = UciMove::from_standard(mv).to_string();
        Reply { mv: text.parse().expect("a legal move is a move"), after: picture(after.board()) }
    });
    Pictures { after, replies: replies.collect() }
}

fn picture(board: &Board) -> Picture {
    let symbol =
        |square| board.piece_at(square).map_or(Symbol::Empty, |piece| Symbol::Piece(piece.char()));
    let row = |rank: Rank| Row(File::ALL.map(|file| symbol(Square::from_coords(file, rank))));
    let mut rows = Rank::ALL.map(row);
    rows.reverse();
    Picture(rows)
}

/// Why a game cannot be played with a board of version 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OldBoardError {
    /// It begins elsewhere.
    #[error(
        "it begins at {0}; a board of version 1 has no word for a position: use openings that are moves from the initial one"
    )]
    Start(String),
    /// A promotion has no words.
    #[error(
        "its move {index} is {uci}; a board of version 1 has no word for a promotion but to a queen"
    )]
    Promotion {
        /// 1 for the first.
        index: u32,
        /// The move.
        uci: String,
    },
}

/// Whether a board of version 1 can be told a game.
pub fn sayable_to_old_board(game: &Game) -> Result<(), OldBoardError> {
    let initial = Fen::from_position(&Chess::default(), EnPassantMode::Always).to_string();
    if game.start_fen() != initial {
        return Err(OldBoardError::Start(game.start_fen().to_owned()));
    }
    let other = game.played().iter().find(|played| played.uci.ends_with(['n', 'b', 'r']));
    match other {
        Some(played) => {
            Err(OldBoardError::Promotion { index: played.ply, uci: played.uci.clone() })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Rules, model::OpeningLine};

    fn text(picture: &Picture) -> Vec<String> {
        picture.0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_game_is_shown_as_a_board_prints_it() {
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"].map(str::to_owned);
        let line = OpeningLine { name: None, fen: None, moves: moves.to_vec() };
        let game = Game::from_opening(&line, Rules::default()).unwrap();
        let pictures = pictures(&game);
        assert_eq!(pictures.after.len(), 6);
        assert_eq!(
            text(&pictures.after[0]),
            [
                "rnbqkbnr", "++++++++", "........", "........", "....*...", "........", "****.***",
                "RNBQKBNR"
            ]
        );
        let castles = pictures.replies.iter().find(|reply| reply.mv.as_str() == "e1g1").unwrap();
        assert_eq!(text(&castles.after)[7], "RNBQ.RK.");
        assert_eq!(text(&castles.after)[0], "r.bqkb.r");
        assert_eq!(pictures.replies.len(), game.position().legal_moves().len());
    }

    #[test]
    fn what_an_old_board_cannot_be_told_is_named() {
        let game = |fen: Option<&str>, moves: &str| {
            let moves = moves.split_whitespace().map(str::to_owned).collect();
            let line = OpeningLine { name: None, fen: fen.map(str::to_owned), moves };
            Game::from_opening(&line, Rules::default()).unwrap()
        };
        assert_eq!(sayable_to_old_board(&game(None, "e2e4 e7e5")), Ok(()));
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(sayable_to_old_board(&game(Some(initial), "e2e4")), Ok(()));
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let error = sayable_to_old_board(&game(Some(fen), "")).unwrap_err();
        assert!(error.to_string().contains("moves from the initial one"), "{error}");
        let moves = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 d7d6 b7a8";
        assert_eq!(sayable_to_old_board(&game(None, &format!("{moves}q"))), Ok(()));
        let error = sayable_to_old_board(&game(None, &format!("{moves}n"))).unwrap_err();
        assert!(error.to_string().contains("move 9 is b7a8n"), "{error}");
    }
}
