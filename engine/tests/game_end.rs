//! How games end.

#![allow(clippy::unwrap_used)]

use rookery_engine::{Game, Side, Status};

fn status(fen: &str) -> Status {
    Game::from_fen(fen).unwrap().status()
}

fn played(game: &mut Game, moves: &str) -> Status {
    for text in moves.split_whitespace() {
        game.play(text.parse().unwrap()).unwrap();
    }
    game.status()
}

#[test]
fn mate_and_stalemate() {
    assert_eq!(played(&mut Game::new(), "f2f3 e7e5 g2g4 d8h4"), Status::Checkmate);
    assert_eq!(status("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Status::Stalemate);
    assert_eq!(status("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"), Status::Ongoing);
    // Mate on the hundredth half move is a mate; stalemate of bare men a stalemate.
    let mut game = Game::from_fen("7k/8/5KQ1/8/8/8/8/8 w - - 99 90").unwrap();
    assert_eq!(played(&mut game, "g6g7"), Status::Checkmate);
}

#[test]
fn the_third_time_is_a_repetition() {
    let mut game = Game::new();
    assert_eq!(played(&mut game, "g1f3 g8f6 f3g1 f6g8"), Status::Ongoing);
    assert_eq!(game.occurrences(), 2);
    assert_eq!(played(&mut game, "b1c3 b8c6 c3b1"), Status::Ongoing);
    assert_eq!(played(&mut game, "c6b8"), Status::Repetition);
    assert_eq!(game.occurrences(), 3);
}

#[test]
fn twin_men_may_change_places() {
    // The knights end up on each other's squares: it is the same position all the same.
    let mut game = Game::from_fen("4k3/8/8/8/8/8/3N4/1N2K3 w - - 0 1").unwrap();
    played(&mut game, "b1a3 e8e7 d2f1 e7e8 a3b1 e8e7 f1d2 e7e8");
    assert_eq!(game.occurrences(), 2);
    played(&mut game, "b1a3 e8e7 d2b1 e7e8 a3c4 e8e7 c4d2 e7e8");
    assert_eq!(game.occurrences(), 3);
}

#[test]
fn lost_rights_make_another_position() {
    let mut game = Game::from_fen("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1").unwrap();
    played(&mut game, "h1h2 h8h7 h2h1 h7h8");
    assert_eq!(game.occurrences(), 1);
    played(&mut game, "h1h2 h8h7 h2h1 h7h8");
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn a_capture_en_passant_sets_a_position_apart() {
    let there_and_back = "g8f6 g1f3 f6g8 f3g1";
    // Black's pawn could take on e3, but only at once.
    let mut game =
        Game::from_fen("rnbqkbnr/ppp1pppp/8/8/3p4/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3").unwrap();
    played(&mut game, "e2e4");
    played(&mut game, there_and_back);
    assert_eq!(game.occurrences(), 1);
    played(&mut game, there_and_back);
    assert_eq!(game.occurrences(), 2);
    // No pawn can take here: the square passed over makes no difference.
    let mut game = Game::new();
    played(&mut game, "e2e4");
    played(&mut game, there_and_back);
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn fifty_moves() {
    let mut game = Game::from_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 98 70").unwrap();
    assert_eq!(played(&mut game, "a1a2"), Status::Ongoing);
    assert_eq!(played(&mut game, "e8e7"), Status::FiftyMoves);
    assert_eq!(played(&mut game, "a2a3"), Status::FiftyMoves);
}

#[test]
fn insufficient_material() {
    for (fen, ended) in [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", true),
        ("4k3/8/8/8/8/8/8/3bK3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", true),
        ("4kb2/8/8/8/8/8/8/3BK3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", false),
        ("4kn2/8/8/8/8/8/8/3NK3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/2NBK3 w - - 0 1", false),
        ("4k3/7p/8/8/8/8/8/4K3 w - - 0 1", false),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false),
    ] {
        let expected = if ended { Status::InsufficientMaterial } else { Status::Ongoing };
        assert_eq!(status(fen), expected, "{fen}");
    }
}

#[test]
fn the_board_can_be_looked_at() {
    let game = Game::new();
    assert_eq!(game.side_to_move(), Side::White);
    assert_eq!(game.piece_at(4), Some((Side::White, rookery_engine::Role::King)));
    assert_eq!(game.piece_at(59), Some((Side::Black, rookery_engine::Role::Queen)));
    assert_eq!(game.piece_at(30), None);
}
