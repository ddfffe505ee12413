//! Whatever is read: nothing panics, errors point into the text, and what was written is read
//! again.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rookery_engine::{FenError, Game, Move, MoveError, Role, Side};
use support::{fen, random_move};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in ".{0,90}") {
        let _ = Game::from_fen(&text);
        let _ = text.parse::<Move>();
    }

    #[test]
    fn nearly_a_fen_is_read_without_panic(text in "[rnbqkpRNBQKP1-8/]{10,72} [wbx] [KQkq-]{1,5} ([a-h][1-8]|-) [0-9]{0,6} [0-9]{0,6}") {
        if let Ok(game) = Game::from_fen(&text) {
            let written = fen(&game);
            prop_assert_eq!(fen(&Game::from_fen(&written).unwrap()), written);
            let _ = game.status();
            let _ = game.perft(2);
        }
    }

    #[test]
    fn a_changed_fen_is_read_without_panic(seed: u64, plies in 0..80usize, at in 0..90usize, byte in 0x20..0x7fu8) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        for _ in 0..plies {
            let Some(mv) = random_move(&game, &mut rng) else { break };
            game.play(mv).unwrap();
        }
        let mut text = fen(&game).into_bytes();
        let at = at % text.len();
        text[at] = byte;
        let text = String::from_utf8(text).unwrap();
        if let Ok(game) = Game::from_fen(&text) {
            prop_assert_eq!(fen(&Game::from_fen(&fen(&game)).unwrap()), fen(&game));
            let _ = game.status();
        }
    }

    #[test]
    fn a_move_is_read_as_it_was_written(from in 0..64u8, to in 0..64u8, role in prop::sample::select(vec![None, Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)])) {
        let mv = Move { from, to, promotion: role };
        prop_assert_eq!(mv.to_string().parse::<Move>(), Ok(mv));
    }
}

#[test]
fn what_is_wrong_with_a_move_is_told() {
    assert_eq!("e2e4".parse(), Ok(Move { from: 12, to: 28, promotion: None }));
    assert_eq!("a7b8n".parse(), Ok(Move { from: 48, to: 57, promotion: Some(Role::Knight) }));
    for (text, error) in [
        ("", MoveError::Length(0)),
        ("e2e4qq", MoveError::Length(6)),
        ("i2e4", MoveError::Square(0)),
        ("e2e9", MoveError::Square(3)),
        ("e7e8k", MoveError::Promotion),
        ("e7e8Q", MoveError::Promotion),
    ] {
        assert_eq!(text.parse::<Move>(), Err(error), "{text}");
    }
    assert_eq!(MoveError::Square(2).to_string(), "character 3 of the move names no square");
}

#[test]
fn what_is_wrong_with_a_fen_is_told_and_where() {
    for (text, error) in [
        ("", FenError::MissingField(1)),
        ("8/8/8/8/8/8/8/K6k", FenError::MissingField(2)),
        ("K6k/8/8/8/8/8/8/8 w -", FenError::MissingField(4)),
        ("rnbqkbnr/ppxppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::Placement(11)),
        ("rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::RankLength(16)),
        ("rnbqkbnr/pppppppp1/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::RankLength(17)),
        ("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", FenError::RankCount(41)),
        ("k7/8/8/8/8/8/8/8/K7 w - - 0 1", FenError::RankCount(16)),
        ("k6P/8/8/8/8/8/8/K7 w - - 0 1", FenError::PawnRank(2)),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", FenError::Kings(Side::Black)),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", FenError::Kings(Side::Black)),
        ("k7/8/8/PPPPPPPP/P7/8/8/K7 w - - 0 1", FenError::TooManyMen(Side::White)),
        ("k7/8/8/QQQQQQQQ/QQ6/8/8/K7 b - - 0 1", FenError::TooManyMen(Side::White)),
        ("k7/8/8/8/8/8/8/K7 W - - 0 1", FenError::SideToMove(18)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQxq - 0 1", FenError::Castling(28)),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1", FenError::Castling(27)),
        ("4k3/8/8/8/8/8/8/R3K3 w K - 0 1", FenError::Castling(23)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q e3 0 1", FenError::EnPassant(25)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q e99 0 1", FenError::EnPassant(25)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - x 1", FenError::HalfmoveClock(27)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 -1", FenError::FullmoveNumber(29)),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1 0", FenError::TrailingText(31)),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 1", FenError::KingCapture),
    ] {
        assert_eq!(Game::from_fen(text).map(|game| fen(&game)), Err(error), "{text}");
    }
    assert_eq!(
        FenError::Placement(11).to_string(),
        "neither a man nor a number of empty squares (character 12)"
    );
}

#[test]
fn a_fen_is_the_game_it_tells_of() {
    assert_eq!(fen(&Game::new()), START);
    let mut game = Game::new();
    for (text, told) in [
        ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
        ("g8f6", "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2"),
        ("e1e2", "rnbqkb1r/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR b kq - 2 2"),
        ("h8g8", "rnbqkbr1/pppppppp/5n2/8/4P3/8/PPPPKPPP/RNBQ1BNR w q - 3 3"),
    ] {
        game.play(text.parse().unwrap()).unwrap();
        assert_eq!(fen(&game), told);
    }
    // The counters may be left out.
    assert_eq!(
        fen(&Game::from_fen("4k3/8/8/8/8/8/8/4K2R w K -").unwrap()),
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    );
}
