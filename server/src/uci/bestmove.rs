//! What an engine's move means in a position. The only part of `uci` that knows chess, and it asks shakmaty.

use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square, uci::UciMove,
};

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interpreted {
    /// The move.
    pub mv: Move,
    /// What was odd about its notation.
    pub warning: Option<String>,
}

/// A text that is no legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("illegal move '{raw}': {reason}")]
pub struct BadMove {
    /// The text as it came.
    pub raw: String,
    /// Why it is none.
    pub reason: String,
}

/// Reads the word after `bestmove` (empty where there is none).
///
/// UCI notation is read as it is. An uppercase promotion (`f2f1Q`), castling as the king taking its rook in standard chess (`e1h1`)
/// and castling words (`O-O`, `0-0-0`) are understood with a warning. Nothing else is guessed at.
///
/// # Errors
/// [`BadMove`] for everything that is not a legal move of `position`.
pub fn interpret(raw: &str, position: &Chess) -> Result<Interpreted, BadMove> {
    let bad = |reason: &str| BadMove { raw: raw.to_owned(), reason: reason.to_owned() };
    let warn =
        |mv, what: &str| Interpreted { mv, warning: Some(format!("move '{raw}' is {what}")) };
    match raw {
        "" => return Err(bad("there is no move at all")),
        "(none)" | "none" | "NULL" => return Err(bad("the engine says that it has no move")),
        "0000" => return Err(bad("the null move is not one of chess")),
        _ => {}
    }
    if let Some(side) = castling_word(raw) {
        let mv = castle(side, position).ok_or_else(|| bad("castling is not possible"))?;
        return Ok(warn(mv, "not UCI notation: understood as castling"));
    }
    if let Some(lower) = uppercase_promotion(raw) {
        let mv = legal(&lower, position).map_err(|reason| bad(&reason))?;
        return Ok(warn(mv, "written with an uppercase promotion"));
    }
    let mv = legal(raw, position).map_err(|reason| bad(&reason))?;
    if let Move::Castle { rook, .. } = mv
        && position.castles().mode() == CastlingMode::Standard
        && raw.get(2..4) == Some(rook.to_string().as_str())
    {
        return Ok(warn(mv, "castling written as the king taking its rook"));
    }
    Ok(Interpreted { mv, warning: None })
}

fn castling_word(raw: &str) -> Option<CastlingSide> {
    match raw {
        "O-O" | "0-0" => Some(CastlingSide::KingSide),
        "O-O-O" | "0-0-0" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

fn castle(side: CastlingSide, position: &Chess) -> Option<Move> {
    let mv = Move::Castle {
        king: position.board().king_of(position.turn())?,
        rook: position.castles().rook(position.turn(), side)?,
    };
    position.is_legal(mv).then_some(mv)
}

fn uppercase_promotion(raw: &str) -> Option<String> {
    let promotion = raw.chars().nth(4)?;
    let upper = raw.len() == 5 && matches!(promotion, 'N' | 'B' | 'R' | 'Q');
    upper.then(|| raw.to_ascii_lowercase())
}

/// The move, or why there is none.
fn legal(text: &str, position: &Chess) -> Result<Move, String> {
    let uci: UciMove = text.parse().map_err(|_| "it is not UCI notation".to_owned())?;
    uci.to_move(position).map_err(|_| why_illegal(&uci, position))
}

fn why_illegal(uci: &UciMove, position: &Chess) -> String {
    let UciMove::Normal { from, to, promotion } = *uci else {
        return "it is not a move of standard chess".into();
    };
    let mover = position.turn();
    match position.board().piece_at(from) {
        None => format!("there is no piece on {from}"),
        Some(piece) if piece.color != mover => format!(
            "the piece on {from} is {}'s, and it is {}'s move",
            name(piece.color),
            name(mover)
        ),
        Some(piece) if piece.role == Role::Pawn && promotes(mover, to) && promotion.is_none() => {
            format!("a pawn that reaches {to} must become a piece")
        }
        Some(_) => format!("{} cannot play it here", name(mover)),
    }
}

fn promotes(color: Color, to: Square) -> bool {
    to.rank() == color.fold_wb(Rank::Eighth, Rank::First)
}

fn name(color: Color) -> &'static str {
    color.fold_wb("White", "Black")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::fen::Fen;

    const CASTLING: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    const PROMOTION: &str = "8/P7/8/8/8/4k3/5p2/K7 b - - 0 1";

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .expect("a legal position")
    }

    fn uci(mv: Move) -> String {
        UciMove::from_standard(mv).to_string()
    }

    #[test]
    fn uci_notation_needs_no_warning() {
        for (fen, text) in [
            (CASTLING, "e1g1"),
            (CASTLING, "e1c1"),
            (CASTLING, "a2a4"),
            (PROMOTION, "f2f1q"),
            (PROMOTION, "f2f1n"),
            ("8/8/8/8/3pP3/8/8/K1k5 b - e3 0 1", "d4e3"),
        ] {
            let read = interpret(text, &position(fen)).expect(text);
            assert_eq!((uci(read.mv).as_str(), read.warning), (text, None));
        }
    }

    #[test]
    fn three_odd_notations_are_understood() {
        for (fen, text, meant) in [
            (PROMOTION, "f2f1Q", "f2f1q"),
            (PROMOTION, "f2f1N", "f2f1n"),
            (CASTLING, "e1h1", "e1g1"),
            (CASTLING, "e1a1", "e1c1"),
            (CASTLING, "O-O", "e1g1"),
            (CASTLING, "0-0", "e1g1"),
            (CASTLING, "O-O-O", "e1c1"),
            (CASTLING, "0-0-0", "e1c1"),
        ] {
            let read = interpret(text, &position(fen)).expect(text);
            assert_eq!(uci(read.mv), meant, "{text}");
            let warning = read.warning.expect(text);
            assert!(warning.contains(text), "{warning}");
        }
    }

    #[test]
    fn the_rest_is_illegal_with_its_text_and_a_reason() {
        let white_promotes = "8/P7/8/8/8/4k3/8/K7 w - - 0 1";
        for (fen, text, reason) in [
            (white_promotes, "a7a8", "must become a piece"),
            (CASTLING, "a7a8", "Black's"),
            (CASTLING, "(none)", "no move"),
            (CASTLING, "0000", "null move"),
            (CASTLING, "a1a1", "cannot"),
            (CASTLING, "", "no move at all"),
            (CASTLING, "e2e5", "cannot"),
            (CASTLING, "e4e5", "no piece on e4"),
            (CASTLING, "a2a4q", "cannot"),
            (CASTLING, "Nf3", "not UCI"),
            (CASTLING, "E1G1", "not UCI"),
            (CASTLING, "e2e4 e7e5", "not UCI"),
            (CASTLING, "P@e4", "standard chess"),
            (PROMOTION, "O-O", "not possible"),
            (PROMOTION, "f2f1K", "cannot"),
            ("r3k2r/8/8/8/8/5q2/8/R3K2R w KQkq - 0 1", "e1h1", "cannot"),
            ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "e1h1", "cannot"),
        ] {
            let error = interpret(text, &position(fen)).expect_err(text);
            assert_eq!(error.raw, text);
            assert!(error.to_string().contains(reason), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_legal_move_or_refused(text in prop_oneof![".{0,8}", "[a-h][1-8][a-h][1-8][nbrqkNBRQK]?"], fen in 0..3usize) {
            let position = position([CASTLING, PROMOTION, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"][fen]);
            match interpret(&text, &position) {
                Ok(read) => prop_assert!(position.legal_moves().contains(&read.mv)),
                Err(error) => prop_assert_eq!(error.raw, text),
            }
        }
    }
}
