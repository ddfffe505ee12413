//! Why a game ended, as far as its file says so.

use super::lexer::RawGame;
use crate::model::{GameResult, Termination};
use shakmaty::{Chess, Position};

/// The reason: the laws of chess first, then what the last comment says, then the tag `Termination`.
pub(super) fn reason(
    game: &RawGame,
    last: &Chess,
    result: GameResult,
    words: &[String],
) -> Termination {
    if last.is_checkmate() && result.winner() == Some(!last.turn()) {
        return Termination::Checkmate;
    }
    let drawn = result == GameResult::Draw;
    if drawn && last.is_stalemate() {
        return Termination::Stalemate;
    }
    if drawn && last.is_insufficient_material() {
        return Termination::InsufficientMaterial;
    }
    let said = words.join(" ").to_lowercase();
    let tag = game.tag("Termination").unwrap_or_default().to_lowercase();
    by_words(&said, drawn).or_else(|| by_words(&tag, drawn)).unwrap_or(Termination::Unstated)
}

/// The words of cutechess, fastchess, Lichess and our own.
fn by_words(text: &str, drawn: bool) -> Option<Termination> {
    let has = |any: &[&str]| any.iter().any(|words| text.contains(words));
    let adjudicated =
        if drawn { Termination::DrawAdjudication } else { Termination::WinAdjudication };
    [
        (has(&["maximum game length"]), Termination::MaxPlies),
        (has(&["adjudication"]), adjudicated),
        (drawn && has(&["3-fold", "threefold"]), Termination::ThreefoldRepetition),
        (drawn && has(&["5-fold", "fivefold"]), Termination::FivefoldRepetition),
        (drawn && has(&["fifty moves", "50 move"]), Termination::FiftyMoves),
        (drawn && has(&["seventy-five"]), Termination::SeventyFiveMoves),
        (has(&["on time", "time forfeit"]), Termination::TimeForfeit),
        (has(&["illegal move", "rules infraction"]), Termination::IllegalMove),
        (has(&["stall"]), Termination::StalledConnection),
        (has(&["disconnect", "abandoned"]), Termination::EngineCrash),
        (has(&["unterminated"]), Termination::Interrupted),
    ]
    .into_iter()
    .find_map(|(fits, termination)| fits.then_some(termination))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_say_of_an_end() {
        for (text, drawn, termination) in [
            ("Draw by 3-fold repetition", true, Some(Termination::ThreefoldRepetition)),
            ("White wins by adjudication", false, Some(Termination::WinAdjudication)),
            ("Draw by adjudication: maximum game length", true, Some(Termination::MaxPlies)),
            ("Black loses on time", false, Some(Termination::TimeForfeit)),
            ("time forfeit", false, Some(Termination::TimeForfeit)),
            ("White makes an illegal move: e2e5", false, Some(Termination::IllegalMove)),
            ("Black disconnects", false, Some(Termination::EngineCrash)),
            ("White resigns.", false, None),
            ("Normal", false, None),
        ] {
            assert_eq!(by_words(&text.to_lowercase(), drawn), termination, "{text}");
        }
        for termination in Termination::ALL {
            for result in [GameResult::WhiteWins, GameResult::Draw] {
                let said = termination.describe(result).to_lowercase();
                let drawn = result == GameResult::Draw;
                // A sentence that this result does not have.
                if said.starts_with("draw") != drawn || said.starts_with(' ') {
                    continue;
                }
                if let Some(read) = by_words(&said, drawn) {
                    assert_eq!(read, termination, "{said}");
                }
            }
        }
    }
}
