//! The referee's laws on small positions that broke others.

use rookery_server::{
    game::{Game, Rules},
    model::{
        Adjudication, Claims, DrawRule, GameResult, OpeningLine, ResignRule, Score, Termination,
    },
};
use shakmaty::{Color, Position, uci::UciMove};

fn play(game: &mut Game, moves: &str) {
    for text in moves.split_whitespace() {
        play_scored(game, text, None);
    }
}

fn play_scored(game: &mut Game, text: &str, score: Option<Score>) {
    let uci: UciMove = text.parse().expect(text);
    let mv = uci.to_move(game.position()).expect(text);
    game.play(mv, score);
}

fn from(fen: &str) -> Game {
    Game::new(Some(fen), Rules::default()).expect(fen)
}

fn end(game: &Game) -> Option<(GameResult, Termination)> {
    game.end().map(|e| (e.result, e.termination))
}

#[test]
fn mate_and_stalemate() {
    let mut game = Game::new(None, Rules::default()).unwrap();
    play(&mut game, "f2f3 e7e5 g2g4 d8h4");
    assert_eq!(end(&game), Some((GameResult::BlackWins, Termination::Checkmate)));
    assert_eq!(game.played()[3].san, "Qh4#");

    let mut game = from("7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    play(&mut game, "g6f7");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::Stalemate)));
}

#[test]
fn a_start_that_is_over_is_seen_at_once() {
    assert_eq!(
        end(&from("B7/8/8/3K3B/8/8/7k/5b2 w - - 0 1")),
        Some((GameResult::Draw, Termination::InsufficientMaterial)),
        "bishops of one colour only"
    );
    assert_eq!(
        end(&from("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1")),
        Some((GameResult::Draw, Termination::Stalemate))
    );
    assert_eq!(end(&from("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1")), None);
}

#[test]
fn bishops_of_both_colours_can_still_mate() {
    assert_eq!(end(&from("B7/8/8/3K4/8/8/7k/4b3 w - - 0 1")), None);
}

#[test]
fn an_en_passant_right_that_a_pin_forbids_does_not_hide_the_threefold() {
    let mut game = from("6k1/1p2p1rp/rP1pR3/2pP1pP1/p1P2P1P/R5K1/8/8 b - - 0 1");
    play(&mut game, "h7h5 e6h6 g7h7 h6e6 h7g7 e6h6 g7h7 h6e6");
    assert_eq!(end(&game), None);
    play(&mut game, "h7g7");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::ThreefoldRepetition)));
}

#[test]
fn an_en_passant_right_that_can_be_used_makes_another_position() {
    let mut game = Game::new(None, Rules::default()).unwrap();
    play(&mut game, "e2e4 a7a6 e4e5 d7d5");
    play(&mut game, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(end(&game), None, "the first one had the right to take d6");
    play(&mut game, "g1f3");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::ThreefoldRepetition)));
}

#[test]
fn without_claims_only_the_fifth_and_the_seventy_fifth_end_a_game() {
    let rules = Rules { claims: Claims::Never, ..Rules::default() };
    let mut game = Game::new(None, rules).unwrap();
    for _ in 0..3 {
        play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    }
    assert_eq!(end(&game), None);
    play(&mut game, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::FivefoldRepetition)));

    let fen = "7k/8/8/8/8/8/R7/K7 w - - 149 200";
    let mut game = Game::new(Some(fen), rules).unwrap();
    play(&mut game, "a2b2");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::SeventyFiveMoves)));
}

#[test]
fn fifty_moves_are_claimed_but_a_mate_on_the_hundredth_ply_counts() {
    let mut game = from("7k/8/8/8/8/8/R7/K7 w - - 99 100");
    play(&mut game, "a2b2");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::FiftyMoves)));
    let mut game = from("7k/8/6K1/8/8/8/8/R7 w - - 99 100");
    play(&mut game, "a1a8");
    assert_eq!(end(&game), Some((GameResult::WhiteWins, Termination::Checkmate)));
}

#[test]
fn an_epd_without_counters_keeps_its_en_passant_right() {
    let mut game = from("rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6");
    assert!(game.start_fen().ends_with("w KQkq e6 0 1"), "{}", game.start_fen());
    play(&mut game, "d5e6");
    assert_eq!(game.played()[0].san, "dxe6");
}

#[test]
fn the_wire_has_the_square_after_every_double_step_and_the_records_only_where_it_counts() {
    let mut game = Game::new(None, Rules::default()).unwrap();
    play(&mut game, "e2e4");
    assert!(game.wire_fen().contains(" b KQkq e3 "), "{}", game.wire_fen());
    assert!(game.fen().contains(" b KQkq - "), "{}", game.fen());
}

#[test]
fn a_forfeit_against_a_bare_king_is_a_draw() {
    let mut game = from("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1");
    assert_eq!(game.forfeit(Color::Black, Termination::TimeForfeit).result, GameResult::WhiteWins);
    let mut game = from("7k/8/8/8/8/8/R7/K7 w - - 0 1");
    assert_eq!(game.forfeit(Color::White, Termination::TimeForfeit).result, GameResult::Draw);
}

#[test]
fn draws_and_resignations_are_adjudicated_by_streaks() {
    let adjudication = Adjudication {
        draw: Some(DrawRule { move_number: 3, moves: 2, score: 10 }),
        resign: Some(ResignRule { moves: 2, score: 500, two_sided: false }),
        max_plies: None,
    };
    let rules = Rules { adjudication, ..Rules::default() };
    let line = ["g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6"];
    let mut game = Game::new(None, rules).unwrap();
    for text in &line[..3] {
        play_scored(&mut game, text, Some(Score::Cp(5)));
    }
    assert_eq!(end(&game), None, "before move 3 there is no draw");
    play_scored(&mut game, line[3], Some(Score::Cp(-3)));
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::DrawAdjudication)));

    let mut game = Game::new(None, rules).unwrap();
    for (i, text) in line.iter().take(5).enumerate() {
        assert_eq!(end(&game), None);
        // Black loses hope at its first move; its next one, without a score, breaks the streak.
        let score = match i {
            1 => Some(Score::Cp(-900)),
            3 => None,
            _ => Some(Score::Cp(40)),
        };
        play_scored(&mut game, text, score);
    }
    play_scored(&mut game, line[5], Some(Score::Cp(-900)));
    assert_eq!(end(&game), None);
    play_scored(&mut game, "f1e2", Some(Score::Cp(700)));
    play_scored(&mut game, "f8e7", Some(Score::Mate(-9)));
    assert_eq!(end(&game), Some((GameResult::WhiteWins, Termination::WinAdjudication)));
}

#[test]
fn two_sided_resignation_needs_the_winners_word() {
    let resign = Some(ResignRule { moves: 1, score: 500, two_sided: true });
    let rules = Rules {
        adjudication: Adjudication { resign, ..Adjudication::default() },
        ..Rules::default()
    };
    let mut game = Game::new(None, rules).unwrap();
    play_scored(&mut game, "e2e4", Some(Score::Cp(-800)));
    assert_eq!(end(&game), None);
    play_scored(&mut game, "e7e5", Some(Score::Cp(800)));
    assert_eq!(end(&game), Some((GameResult::BlackWins, Termination::WinAdjudication)));
}

#[test]
fn the_longest_game_is_a_draw() {
    let adjudication = Adjudication { max_plies: Some(4), ..Adjudication::default() };
    let mut game = Game::new(None, Rules { adjudication, ..Rules::default() }).unwrap();
    play(&mut game, "e2e4 e7e5 g1f3 b8c6");
    assert_eq!(end(&game), Some((GameResult::Draw, Termination::MaxPlies)));
}

#[test]
fn an_opening_may_not_be_over_at_its_end_nor_before_it() {
    let home = "g1f3 g8f6 f3g1 f6g8";
    let twice = format!("{home} {home}");
    let longest = Rules {
        adjudication: Adjudication { max_plies: Some(4), ..Adjudication::default() },
        ..Rules::default()
    };
    for (fen, moves, rules, words) in [
        (None, "f2f3 e7e5 g2g4 d8h4", Rules::default(), "after 4 half-moves"),
        (None, &*twice, Rules::default(), "3-fold repetition"),
        (None, &format!("{twice} e2e4 e7e5"), Rules::default(), "after 8 half-moves"),
        (None, "e2e4 e7e5 g1f3 b8c6", longest, "maximum game length"),
        (None, "e2e4 e7e5 g1f3 b8c6 f1b5", longest, "after 4 half-moves"),
        (Some("7k/5Q2/5K2/8/8/8/8/8 b - - 0 1"), "", Rules::default(), "after no move"),
        (Some("7k/8/8/8/8/8/R7/K7 w - - 99 60"), "a1b1 h8g8", Rules::default(), "1 half-move "),
    ] {
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let line = OpeningLine { name: None, fen: fen.map(str::to_owned), moves };
        let error = Game::from_opening(&line, rules).expect_err(words).to_string();
        assert!(error.contains(words) && error.contains("take fewer"), "{words}: {error}");
    }
    // Where nobody claims, a repetition may be played through.
    let line = OpeningLine {
        name: None,
        fen: None,
        moves: format!("{twice} e2e4").split(' ').map(str::to_owned).collect(),
    };
    let rules = Rules { claims: Claims::Never, ..Rules::default() };
    assert!(Game::from_opening(&line, rules).is_ok());
}

#[test]
fn bad_starts_say_where_and_what() {
    let error = |fen: &str| Game::new(Some(fen), Rules::default()).unwrap_err().to_string();
    assert!(error("rubbish").contains("'rubbish' is not a FEN"));
    assert!(error("8/8/8/8/8/8/8/8 w - - 0 1").contains("no legal position"));
    let line = OpeningLine { name: None, fen: None, moves: vec!["e2e4".into(), "e2e4".into()] };
    let error = Game::from_opening(&line, Rules::default()).unwrap_err().to_string();
    assert!(error.contains("opening move 2 'e2e4' is illegal"), "{error}");
    let line = OpeningLine { moves: vec!["pawn".into()], ..line };
    let error = Game::from_opening(&line, Rules::default()).unwrap_err().to_string();
    assert!(error.contains("opening move 1 'pawn'"), "{error}");
}

#[test]
fn castling_is_written_as_the_kings_two_steps() {
    let mut game = from("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    play(&mut game, "e1g1 e8c8");
    assert_eq!(game.played()[0].uci, "e1g1");
    assert_eq!(game.played()[1].san, "O-O-O");
    assert!(game.position().castles().is_empty());
}
