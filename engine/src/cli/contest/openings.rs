//! The positions that a match starts from: a file of EPD or FEN lines.

use std::collections::HashMap;

use rookery_engine::{Game, Status};

/// Reads a file's text: a position a line; empty lines and those that begin with `#` count for
/// nothing. What a line says behind the fourth field is only read if it is the two counters of a FEN.
///
/// An engine that is asked the same twice plays the same game twice, so no position may come again.
pub(crate) fn read(text: &str) -> Result<Vec<String>, String> {
    let mut openings = Vec::new();
    let mut lines = HashMap::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let fen = position(line).map_err(|error| format!("line {number}: {error}"))?;
        let game = Game::from_fen(&fen).map_err(|error| format!("line {number}: {error}"))?;
        if game.status() != Status::Ongoing {
            return Err(format!("line {number}: the game is over there"));
        }
        if let Some(before) = lines.insert(place(&game), number) {
            return Err(format!(
                "line {number}: the position of line {before} again, which would be the same game again"
            ));
        }
        openings.push(fen);
    }
    Ok(openings)
}

/// What makes a position the same as another, however it was written: its FEN without the counters.
fn place(game: &Game) -> String {
    let mut fen = String::new();
    game.write_fen(&mut fen).expect("a string takes everything");
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// The FEN of a line, with both its counters.
fn position(line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let Some(place) = words.get(..4) else {
        return Err(format!("{} fields; a position has at least 4", words.len()));
    };
    let counter = |at: usize, otherwise: &'static str| match words.get(at) {
        Some(word) if word.bytes().all(|byte| byte.is_ascii_digit()) => *word,
        _ => otherwise,
    };
    Ok(format!("{} {} {}", place.join(" "), counter(4, "0"), counter(5, "1")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn epd_and_fen_are_read() {
        let text =
            format!("# two\n{START} ce 20; id \"start\";\n\n4k3/8/8/8/8/8/4P3/4K3 b - - 7 31\r\n");
        let wanted = [format!("{START} 0 1"), "4k3/8/8/8/8/8/4P3/4K3 b - - 7 31".to_owned()];
        assert_eq!(read(&text).unwrap(), wanted);
    }

    #[test]
    fn a_fault_is_told_with_its_line() {
        for (text, wanted) in [
            (format!("{START}\nnonsense"), "line 2: 1 fields"),
            (format!("{START}\n\n{START} 3 9"), "line 3: the position of line 1 again"),
            (
                format!("{START}\n{}", START.replace("KQkq", "qkQK")),
                "line 2: the position of line 1 again",
            ),
            ("7k/5Q2/8/8/8/8/8/K7 b - -".to_owned(), "line 1: the game is over"),
            ("7k/5Q2/8/8/8/8/8/K7 x - -".to_owned(), "line 1: "),
        ] {
            let error = read(&text).unwrap_err();
            assert!(error.starts_with(wanted), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "([rnbqkpRNBQKP1-8/ wKQkq;#\n-]|\\PC){0,120}") {
            if let Ok(openings) = read(&text) {
                for fen in openings {
                    prop_assert!(Game::from_fen(&fen).is_ok());
                }
            }
        }
    }
}
