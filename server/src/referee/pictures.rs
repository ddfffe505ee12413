//! Positions as a board of version 1 prints them, for a link that has nothing else to check such a board by.

use crate::{
    game::Game,
    link::{Picture, Pictures, Reply},
};
use rookery_protocol::v1::{Row, Symbol};
use shakmaty::{Board, File, Position, Rank, Square, uci::UciMove};

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
}
