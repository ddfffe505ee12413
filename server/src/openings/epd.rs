//! EPD and FEN: a position a line, counters or not, operations or not.

use super::{LineError, open, position};
use crate::model::{OpeningLine, read_text};

/// The lines, or the first that is wrong.
pub(super) fn parse(bytes: &[u8]) -> Result<Vec<OpeningLine>, (usize, LineError)> {
    let mut lines = Vec::new();
    for (n, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        lines.push(read(line).map_err(|why| (n + 1, why))?);
    }
    Ok(lines)
}

fn read(line: &[u8]) -> Result<OpeningLine, LineError> {
    let text = read_text(line);
    let (mut fen, mut rest) = (String::new(), &*text);
    for _ in 0..4 {
        let (field, after) = word(rest);
        if !fen.is_empty() && !field.is_empty() {
            fen.push(' ');
        }
        fen.push_str(field);
        rest = after;
    }
    // The counters of a FEN: numbers. An EPD's operations begin with a letter.
    let (halfmoves, after) = word(rest);
    let (fullmoves, behind) = word(after);
    if is_number(halfmoves) && is_number(fullmoves) {
        fen.push_str(&format!(" {halfmoves} {fullmoves}"));
        rest = behind;
    }
    let operations = operations(rest);
    // EPD has the counters as operations.
    if fen.split(' ').count() < 6 {
        let number = |code: &str| {
            let (_, value) = operations.iter().find(|(name, _)| name == code)?;
            value.parse::<u32>().ok()
        };
        if let (Some(half), Some(full)) = (number("hmvc"), number("fmvn")) {
            fen.push_str(&format!(" {half} {full}"));
        }
    }
    let (fen, position) = position(&fen)?;
    open(&position)?;
    let name = operations.into_iter().find(|(code, _)| code == "id");
    Ok(OpeningLine {
        name: name.map(|(_, id)| id).filter(|id| !id.is_empty()),
        fen: Some(fen),
        moves: Vec::new(),
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// The first word and what follows it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// `code value; code "text; with everything"; ...`: codes and their values without quotes. What makes no sense is skipped.
fn operations(text: &str) -> Vec<(String, String)> {
    let mut operations = Vec::new();
    let (mut current, mut quoted) = (String::new(), false);
    let mut end = |operation: &mut String| {
        let (code, value) = word(operation);
        if !code.is_empty() {
            let value = value.trim().trim_matches('"').trim().to_owned();
            operations.push((code.to_owned(), value));
        }
        operation.clear();
    };
    for c in text.chars() {
        quoted ^= c == '"';
        if c == ';' && !quoted {
            end(&mut current);
        } else {
            current.push(c);
        }
    }
    end(&mut current);
    operations
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> OpeningLine {
        parse(line.as_bytes()).expect("legal").remove(0)
    }

    #[test]
    fn the_en_passant_right_is_kept_without_counters() {
        let line = "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6";
        let fen = one(line).fen.expect("always");
        assert_eq!(fen, format!("{line} 0 1"));
        // Also where no pawn can use it: it is the file's word.
        let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";
        assert_eq!(one(line).fen.expect("always"), format!("{line} 0 1"));
    }

    #[test]
    fn names_counters_and_other_operations() {
        let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let named = one(&format!("{board} bm e4; id \"A; B\"; c0 \"x\";"));
        assert_eq!(named.name.as_deref(), Some("A; B"));
        assert_eq!(named.fen.as_deref(), Some(&*format!("{board} 0 1")));
        let counted = one(&format!("{board} hmvc 7; fmvn 12; id \"\";"));
        assert_eq!(counted.fen.as_deref(), Some(&*format!("{board} 7 12")));
        assert_eq!(counted.name, None);
        let whole = one(&format!("\r\n# comment\r\n  {board}  3   9 id \"x\"\r\n"));
        assert_eq!(whole.fen.as_deref(), Some(&*format!("{board} 3 9")));
        assert_eq!(whole.name.as_deref(), Some("x"));
    }
}
