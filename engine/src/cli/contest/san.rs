//! Moves as PGN writes them.

use rookery_engine::{Game, Move, Role};

/// The move of a position in SAN, and the position behind it. The move must be legal.
pub(crate) fn play(game: &mut Game, mv: Move) -> String {
    let mut text = without_sign(game, mv);
    game.play(mv).expect("a legal move");
    if game.in_check() {
        text.push(if game.has_legal_move() { '+' } else { '#' });
    }
    text
}

fn without_sign(game: &Game, mv: Move) -> String {
    let Some((_, role)) = game.piece_at(mv.from) else { return mv.to_string() };
    let (from_file, to_file) = (mv.from & 7, mv.to & 7);
    if role == Role::King && from_file.abs_diff(to_file) == 2 {
        return if to_file > from_file { "O-O" } else { "O-O-O" }.to_owned();
    }
    // A pawn that leaves its file captures, en passant too.
    let captures = game.piece_at(mv.to).is_some() || (role == Role::Pawn && from_file != to_file);
    let mut text = String::new();
    if role == Role::Pawn {
        if captures {
            text.push(file(mv.from));
        }
    } else {
        text.push(letter(role));
        // Others of its kind that can go there, too.
        let moves = game.legal_moves();
        let rivals = || {
            moves.iter().filter(|other| {
                other.to == mv.to
                    && other.from != mv.from
                    && game.piece_at(other.from).is_some_and(|(_, kind)| kind == role)
            })
        };
        if rivals().next().is_some() {
            let on_file = rivals().any(|other| other.from & 7 == from_file);
            let on_rank = rivals().any(|other| other.from >> 3 == mv.from >> 3);
            if !on_file || on_rank {
                text.push(file(mv.from));
            }
            if on_file {
                text.push(rank(mv.from));
            }
        }
    }
    if captures {
        text.push('x');
    }
    text.push(file(mv.to));
    text.push(rank(mv.to));
    if let Some(role) = mv.promotion {
        text.push('=');
        text.push(letter(role));
    }
    text
}

fn file(square: u8) -> char {
    char::from(b'a' + (square & 7))
}

fn rank(square: u8) -> char {
    char::from(b'1' + (square >> 3))
}

fn letter(role: Role) -> char {
    match role {
        Role::Pawn => 'P',
        Role::Knight => 'N',
        Role::Bishop => 'B',
        Role::Rook => 'R',
        Role::Queen => 'Q',
        Role::King => 'K',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::SanPlus, uci::UciMove};

    fn agree(fen: &str, seed: u64) {
        let mut game = Game::from_fen(fen).unwrap();
        let mut other: Chess =
            fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
        let mut chance = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        for _ in 0..80 {
            let moves: Vec<Move> = game.legal_moves().iter().copied().collect();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let theirs = mv.to_string().parse::<UciMove>().unwrap().to_move(&other).unwrap();
                let wanted = SanPlus::from_move(other.clone(), theirs).to_string();
                assert_eq!(play(&mut game.clone(), mv), wanted, "{mv} in {game:?}");
            }
            let mv = moves[chance.random_range(0..moves.len())];
            game.play(mv).unwrap();
            let theirs = mv.to_string().parse::<UciMove>().unwrap().to_move(&other).unwrap();
            other.play_unchecked(theirs);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn it_is_shakmatys(seed: u64) {
            for fen in [
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "8/P3k1P1/1N3N2/8/3r4/1N3N2/2p4p/Q2QK2Q w - - 0 1",
            ] {
                agree(fen, seed);
            }
        }
    }
}
