//! The rules against an independent implementation: every legal move, every FEN and every end of
//! random games.

#![allow(clippy::unwrap_used)]

mod support;

use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use rookery_engine::{Game, Status};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{
    CastlingMode, Chess, EnPassantMode, KnownOutcome, Outcome, Position, PositionErrorKinds,
};
use std::collections::HashMap;
use support::{fen, random_move};

fn sorted(moves: impl Iterator<Item = String>) -> Vec<String> {
    let mut moves: Vec<String> = moves.collect();
    moves.sort();
    moves
}

fn their_fen(theirs: &Chess) -> String {
    Fen::from_position(theirs, EnPassantMode::Always).to_string()
}

fn expected_end(theirs: &Chess) -> Option<Status> {
    if theirs.is_checkmate() {
        Some(Status::Checkmate)
    } else if theirs.is_stalemate() {
        Some(Status::Stalemate)
    } else if theirs.is_insufficient_material() {
        Some(Status::InsufficientMaterial)
    } else {
        None
    }
}

/// What the published tables count of the last ply.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kinds {
    nodes: u64,
    captures: u64,
    en_passant: u64,
    castles: u64,
    promotions: u64,
    checks: u64,
    mates: u64,
}

fn count_kinds(game: &Game, depth: u32, kinds: &mut Kinds) {
    for &mv in &game.legal_moves() {
        let mut next = game.clone();
        next.play(mv).unwrap();
        if depth > 1 {
            count_kinds(&next, depth - 1, kinds);
            continue;
        }
        let mover = game.piece_at(mv.from).unwrap().1;
        let takes = game.piece_at(mv.to).is_some();
        let pawn_takes_aside = mover == rookery_engine::Role::Pawn && mv.from % 8 != mv.to % 8;
        kinds.nodes += 1;
        kinds.captures += u64::from(takes || pawn_takes_aside);
        kinds.en_passant += u64::from(!takes && pawn_takes_aside);
        kinds.castles +=
            u64::from(mover == rookery_engine::Role::King && mv.from.abs_diff(mv.to) == 2);
        kinds.promotions += u64::from(mv.promotion.is_some());
        kinds.checks += u64::from(next.in_check());
        kinds.mates += u64::from(next.status() == Status::Checkmate);
    }
}

#[test]
fn kinds_of_moves_are_counted_as_published() {
    let kiwipete =
        Game::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
            .unwrap();
    let mut kinds = Kinds::default();
    count_kinds(&kiwipete, 3, &mut kinds);
    let published = Kinds {
        nodes: 97_862,
        captures: 17_102,
        en_passant: 45,
        castles: 3162,
        promotions: 0,
        checks: 993,
        mates: 1,
    };
    assert_eq!(kinds, published);

    let endgame = Game::from_fen("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1").unwrap();
    let mut kinds = Kinds::default();
    count_kinds(&endgame, 4, &mut kinds);
    let published = Kinds {
        nodes: 43_238,
        captures: 3348,
        en_passant: 123,
        castles: 0,
        promotions: 0,
        checks: 1680,
        mates: 17,
    };
    assert_eq!(kinds, published);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_games_agree(seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut ours = Game::new();
        let mut theirs = Chess::new();
        let mut stood: HashMap<String, u32> = HashMap::new();
        for _ in 0..400 {
            let our_fen = fen(&ours);
            prop_assert_eq!(&our_fen, &their_fen(&theirs));
            prop_assert_eq!(fen(&Game::from_fen(&our_fen).unwrap()), our_fen.as_str());
            let legal = sorted(ours.legal_moves().iter().map(|mv| mv.to_string()));
            let their_legal = theirs.legal_moves();
            prop_assert_eq!(&legal, &sorted(their_legal.iter().map(|mv| mv.to_uci(CastlingMode::Standard).to_string())), "{}", our_fen);
            prop_assert_eq!(ours.count_legal_moves() as usize, legal.len());
            prop_assert_eq!(ours.in_check(), theirs.is_check());

            // A position is the same only if the same captures en passant are there.
            let identity = Fen::from_position(&theirs, EnPassantMode::Legal).to_string();
            let identity = identity.rsplitn(3, ' ').last().unwrap().to_owned();
            let times = stood.entry(identity).or_default();
            *times += 1;
            // Beyond a hundred reversible moves, repetitions are no longer counted exactly.
            if ours.halfmove_clock() < 100 {
                prop_assert_eq!(ours.occurrences(), *times, "{}", our_fen);
            }

            let status = ours.status();
            let expected = match expected_end(&theirs) {
                Some(end) => end,
                None if *times >= 3 && ours.halfmove_clock() < 100 => Status::Repetition,
                None if ours.halfmove_clock() >= 100 => {
                    prop_assert!(matches!(status, Status::FiftyMoves | Status::Repetition));
                    break;
                }
                None => Status::Ongoing,
            };
            prop_assert_eq!(status, expected, "{}", our_fen);
            prop_assert_eq!(matches!(theirs.outcome(), Outcome::Known(KnownOutcome::Decisive { .. })), status == Status::Checkmate);

            let Some(mv) = random_move(&ours, &mut rng) else { break };
            let uci: UciMove = mv.to_string().parse().unwrap();
            theirs = theirs.clone().play(uci.to_move(&theirs).unwrap()).unwrap();
            ours.play(mv).unwrap();
        }
    }

    #[test]
    fn no_other_move_is_legal(seed: u64, plies in 0..120usize) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut game = Game::new();
        for _ in 0..plies {
            let Some(mv) = random_move(&game, &mut rng) else { break };
            game.play(mv).unwrap();
        }
        let legal = game.legal_moves();
        let roles = [None, Some('q'), Some('r'), Some('b'), Some('n'), Some('k'), Some('p')];
        for from in 0..=65 {
            for to in 0..=65 {
                for role in roles {
                    let promotion = role.map(|letter| rookery_engine::Role::from_letter(letter as u8).unwrap());
                    let mv = rookery_engine::Move { from, to, promotion };
                    prop_assert_eq!(game.is_legal(mv), legal.contains(&mv), "{} in {:?}", mv, game);
                }
            }
        }
    }
}

/// Positions set up by chance are accepted and refused alike, as far as both judge them.
#[test]
fn set_up_positions_agree() {
    for text in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "8/P7/8/8/8/8/7k/K7 w - - 99 80",
    ] {
        let theirs: Chess =
            text.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let ours = Game::from_fen(text).unwrap();
        assert_eq!(fen(&ours), text);
        assert_eq!(their_fen(&theirs), text);
        assert_eq!(ours.count_legal_moves() as usize, theirs.legal_moves().len());
    }
    for text in [
        "8/8/8/8/8/8/8/K7 w - - 0 1",
        "k1K5/8/8/8/8/8/8/R7 b - - 0 1 x",
        "kK6/8/8/8/8/8/8/8 w - - 0 1",
    ] {
        let kinds = text
            .parse::<Fen>()
            .ok()
            .and_then(|fen| fen.into_position::<Chess>(CastlingMode::Standard).err());
        assert!(kinds.is_none_or(|error| error.kinds() != PositionErrorKinds::empty()));
        assert!(Game::from_fen(text).is_err(), "{text}");
    }
}
