//! A book's position as the API shows it.

use crate::{
    api::{
        BookMoveView, BookPage, BookStep, BookView, MoveView, PassedGameView, PlayedMoveView,
        PositionGames,
    },
    book::{Book, Played, explore, uci},
    openings::eco,
    store::{COUNTED_GAMES, OPENING_PLIES},
};
use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

/// What a book has at the end of a line.
pub(super) fn page(view: BookView, book: &Book, line: &Played) -> BookPage {
    let position = line.positions.last().expect("a line has a beginning");
    let moves = explore(book, position).into_iter().map(|m| BookMoveView {
        mv: move_view(position, m.mv),
        weight: m.weight,
        share: m.share,
        cp: m.cp,
        fen: fen(&m.after),
        opening: m.opening.map(|eco| eco.to_string()),
        goes_on: m.goes_on,
    });
    let steps = line
        .moves
        .iter()
        .zip(line.positions.windows(2))
        .map(|(mv, pair)| BookStep { mv: move_view(&pair[0], *mv), fen: fen(&pair[1]) });
    BookPage {
        start: fen(&line.positions[0]),
        line: steps.collect(),
        fen: fen(position),
        check: position.is_check(),
        opening: eco::classify(line.positions.iter()).map(|eco| eco.to_string()),
        moves: moves.collect(),
        legal: position.legal_moves().into_iter().map(|mv| move_view(position, mv)).collect(),
        book: view,
    }
}

pub(super) fn move_view(position: &Chess, mv: Move) -> MoveView {
    let san = SanPlus::from_move_and_play_unchecked(&mut position.clone(), mv);
    MoveView { uci: uci(mv), san: san.to_string() }
}

pub(super) fn games(moves: Vec<PlayedMoveView>, games: Vec<PassedGameView>) -> PositionGames {
    PositionGames { moves, games, within_plies: OPENING_PLIES, counted: COUNTED_GAMES }
}

fn fen(position: &Chess) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}
