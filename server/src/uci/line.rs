//! One line of an engine's output, typed. Knows the words of UCI and how real engines mangle them; knows no process and no chess.

use super::{
    info::{Info, looks_like_move},
    option::OptionLine,
    tokens::Tokens,
};
use std::{borrow::Cow, convert::Infallible, str::FromStr};

/// One line that an engine wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciLine {
    /// `id name …`
    IdName(String),
    /// `id author …`
    IdAuthor(String),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `option name … type …`
    Option(OptionLine),
    /// `info …`
    Info(Info),
    /// `bestmove …`
    BestMove(BestMoveLine),
    /// `copyprotection …`
    CopyProtection(Check),
    /// `registration …`
    Registration(Check),
    /// Anything else, the empty line included.
    Other(String),
}

/// A `bestmove` line. What it says need not be a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMoveLine {
    /// The line as it came, without the white space around it.
    pub raw: String,
    /// The word after `bestmove`.
    pub mv: Option<String>,
    /// The word after `ponder`.
    pub ponder: Option<String>,
}

/// The state of a copy protection or a registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Under way.
    Checking,
    /// Passed.
    Ok,
    /// Not passed: the engine may refuse to play.
    Error,
}

/// A line, and whether it had to be dug out of garbage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// The line.
    pub line: UciLine,
    /// The whole text, where a keyword was found behind something that does not belong to it.
    pub recovered: Option<String>,
}

impl UciLine {
    /// Reads any bytes. NUL and other control characters around the text are dropped, bytes that are not UTF-8 replaced. A
    /// `uciok`, `readyok` or `bestmove MOVE` glued to the end of something else is found again.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Parsed {
        let text = text_of(bytes);
        let plain = |line| Parsed { line, recovered: None };
        let mut tokens = Tokens::new(&text);
        let line = match tokens.next() {
            Some("uciok") => Some(UciLine::UciOk),
            Some("readyok") => Some(UciLine::ReadyOk),
            Some("bestmove") => return plain(UciLine::BestMove(best_move(&text, tokens))),
            Some("info") => {
                if let Some(line) = recover(&text) {
                    return Parsed { line, recovered: Some(text.into_owned()) };
                }
                return plain(UciLine::Info(Info::parse(tokens.rest())));
            }
            Some("id") => match tokens.next() {
                Some("name") => Some(UciLine::IdName(tokens.rest().to_owned())),
                Some("author") => Some(UciLine::IdAuthor(tokens.rest().to_owned())),
                _ => None,
            },
            Some("option") => OptionLine::parse(tokens.rest()).map(UciLine::Option),
            Some("copyprotection") => check(tokens.next()).map(UciLine::CopyProtection),
            Some("registration") => check(tokens.next()).map(UciLine::Registration),
            _ => None,
        };
        match line {
            Some(line) => plain(line),
            None => match recover(&text) {
                Some(line) => Parsed { line, recovered: Some(text.into_owned()) },
                None => plain(UciLine::Other(text.into_owned())),
            },
        }
    }
}

impl FromStr for UciLine {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<UciLine, Infallible> {
        Ok(UciLine::parse(text.as_bytes()).line)
    }
}

/// The text of a line without the control characters and spaces around it.
pub(super) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    let noise = |b: &u8| *b <= b' ' || *b == 0x7f;
    let start = bytes.iter().position(|b| !noise(b)).unwrap_or(bytes.len());
    let end = bytes.iter().rposition(|b| !noise(b)).map_or(start, |i| i + 1);
    String::from_utf8_lossy(&bytes[start..end])
}

fn best_move(raw: &str, mut tokens: Tokens<'_>) -> BestMoveLine {
    let mut mv = tokens.next();
    let mut ponder = None;
    if mv == Some("ponder") {
        (mv, ponder) = (None, tokens.next());
    } else if tokens.next() == Some("ponder") {
        ponder = tokens.next();
    }
    BestMoveLine {
        raw: raw.to_owned(),
        mv: mv.map(str::to_owned),
        ponder: ponder.map(str::to_owned),
    }
}

fn check(word: Option<&str>) -> Option<Check> {
    match word? {
        "checking" => Some(Check::Checking),
        "ok" => Some(Check::Ok),
        "error" => Some(Check::Error),
        _ => None,
    }
}

/// A keyword behind garbage or behind a line that was cut. Free text (`string`) is left alone, and a `bestmove` counts only with
/// something of a move's form behind it and nothing but its `ponder` after that: talk of moves is no answer.
fn recover(text: &str) -> Option<UciLine> {
    // Cheap, because every line of a search passes here.
    if !text.ends_with("ok") && !text.contains("bestmove") {
        return None;
    }
    let mut tokens = Tokens::new(text);
    let is_info = tokens.peek() == Some("info");
    while let Some(word) = tokens.next() {
        if is_info && word == "string" {
            return None;
        }
        if word.ends_with("bestmove") {
            let line = best_move(text, tokens.clone());
            let after = 1 + 2 * usize::from(line.ponder.is_some());
            let is_move = |w: &String| looks_like_move(w) || w == "(none)";
            if line.mv.as_ref().is_some_and(is_move) && tokens.clone().count() == after {
                return Some(UciLine::BestMove(line));
            }
        }
        if tokens.peek().is_none() {
            if word.ends_with("uciok") {
                return Some(UciLine::UciOk);
            }
            if word.ends_with("readyok") {
                return Some(UciLine::ReadyOk);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Score;
    use proptest::prelude::*;

    fn line(text: &str) -> UciLine {
        let parsed = UciLine::parse(text.as_bytes());
        assert_eq!(parsed.recovered, None, "{text:?}");
        parsed.line
    }

    fn best(mv: Option<&str>, ponder: Option<&str>, raw: &str) -> UciLine {
        UciLine::BestMove(BestMoveLine {
            raw: raw.into(),
            mv: mv.map(Into::into),
            ponder: ponder.map(Into::into),
        })
    }

    #[test]
    fn plain_lines() {
        assert_eq!(line("id name Stockfish 15.1"), UciLine::IdName("Stockfish 15.1".into()));
        assert_eq!(line("id author A, B"), UciLine::IdAuthor("A, B".into()));
        assert_eq!(line("uciok"), UciLine::UciOk);
        assert_eq!(line("readyok"), UciLine::ReadyOk);
        assert_eq!(line("copyprotection error"), UciLine::CopyProtection(Check::Error));
        assert_eq!(line("registration checking"), UciLine::Registration(Check::Checking));
        assert!(matches!(line("option name Hash type spin min 1"), UciLine::Option(_)));
        assert_eq!(line(""), UciLine::Other(String::new()));
        for other in ["id", "option", "hello", "registration"] {
            assert_eq!(line(other), UciLine::Other(other.into()));
        }
    }

    #[test]
    fn bestmove_with_whatever_is_behind_it() {
        assert_eq!(
            line("bestmove e2e4 ponder e7e5"),
            best(Some("e2e4"), Some("e7e5"), "bestmove e2e4 ponder e7e5")
        );
        assert_eq!(line("bestmove"), best(None, None, "bestmove"));
        assert_eq!(line("bestmove ponder e2e4"), best(None, Some("e2e4"), "bestmove ponder e2e4"));
        for odd in ["(none)", "0000", "a1a1", "O-O", "Nf3", "f2f1Q"] {
            let text = format!("bestmove {odd}");
            assert_eq!(line(&text), best(Some(odd), None, &text));
        }
    }

    #[test]
    fn white_space_and_control_characters_around_a_line() {
        assert_eq!(line("bestmove e7e8q\r"), best(Some("e7e8q"), None, "bestmove e7e8q"));
        assert_eq!(line(" bestmove g1f3"), best(Some("g1f3"), None, "bestmove g1f3"));
        assert_eq!(line("\0\0uciok\0"), UciLine::UciOk);
        assert_eq!(line("\treadyok  "), UciLine::ReadyOk);
    }

    #[test]
    fn keywords_behind_garbage_are_found_again() {
        for (text, expected) in [
            (&b"0readyok"[..], UciLine::ReadyOk),
            (b"\xff\xfeuciok", UciLine::UciOk),
            (b"noise uciok", UciLine::UciOk),
            (b"0bestmove g1f3", best(Some("g1f3"), None, "0bestmove g1f3")),
            (
                b"info depth 3 score cp 1bestmove g1f3 ponder g8f6",
                best(
                    Some("g1f3"),
                    Some("g8f6"),
                    "info depth 3 score cp 1bestmove g1f3 ponder g8f6",
                ),
            ),
            (
                b"info depth 3 sco bestmove (none)",
                best(Some("(none)"), None, "info depth 3 sco bestmove (none)"),
            ),
            (b"info depth 3 nodes 4readyok", UciLine::ReadyOk),
        ] {
            let parsed = UciLine::parse(text);
            assert_eq!(parsed.line, expected);
            assert_eq!(parsed.recovered.as_deref(), Some(&*String::from_utf8_lossy(text)));
        }
    }

    #[test]
    fn talk_is_not_an_answer() {
        for talk in [
            "my bestmove is e2e4",
            "a bestmove e2e4 would be fine",
            "the bestmove",
            "uciok? not yet",
        ] {
            assert_eq!(line(talk), UciLine::Other(talk.into()));
        }
        for text in ["info string 0bestmove e2e4", "info depth 2 string I am readyok"] {
            assert!(matches!(line(text), UciLine::Info(_)), "{text}");
        }
    }

    #[test]
    fn free_text_of_info() {
        let UciLine::Info(info) = line("info string estimated time…: 1.88") else {
            panic!("not an info line");
        };
        assert_eq!(info.string.as_deref(), Some("estimated time…: 1.88"));
        let UciLine::Info(info) = line("info depth 4 score cp 12 multipv 1") else {
            panic!("not an info line");
        };
        assert_eq!(info.score, Some(Score::Cp(12)));
    }

    proptest! {
        #[test]
        fn any_bytes_are_some_line(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = UciLine::parse(&bytes);
        }

        #[test]
        fn any_words_of_uci_are_some_line(words in proptest::collection::vec(
            prop::sample::select(vec![
                "info", "string", "score", "cp", "mate", "pv", "bestmove", "ponder", "option", "name", "type", "spin", "combo",
                "var", "min", "max", "id", "uciok", "readyok", "e2e4", "-1", "99999999999999999999", "depth", "lowerbound",
                "multipv", "\0", "…", "(none)", "currmove", "registration",
            ]),
            0..24,
        ), glue in prop::sample::select(vec!["", " ", "  ", "\t"])) {
            let _ = UciLine::parse(words.join(glue).as_bytes());
        }

        #[test]
        fn any_garbage_before_a_keyword_leaves_it_found(
            garbage in proptest::collection::vec(any::<u8>().prop_filter("no space", |b| !b.is_ascii_whitespace()), 0..40),
        ) {
            let with = |tail: &str| UciLine::parse(&[&garbage[..], tail.as_bytes()].concat()).line;
            prop_assert_eq!(with("readyok"), UciLine::ReadyOk);
            prop_assert_eq!(with("uciok"), UciLine::UciOk);
            let is_best = matches!(with("bestmove g1f3"), UciLine::BestMove(b) if b.mv.as_deref() == Some("g1f3"));
            prop_assert!(is_best);
        }

        #[test]
        fn a_search_line_is_read_whole(depth in 0u32.., nodes in 0u64.., cp in any::<i32>(), multipv in 1u32..9) {
            let text = format!("info depth {depth} multipv {multipv} score cp {cp} nodes {nodes} pv e2e4 e7e8q");
            let UciLine::Info(info) = UciLine::parse(text.as_bytes()).line else { panic!("not info") };
            prop_assert_eq!((info.depth, info.nodes, info.score), (Some(depth), Some(nodes), Some(Score::Cp(cp))));
            prop_assert_eq!(info.is_best_line(), multipv == 1);
            prop_assert_eq!(info.pv, "e2e4 e7e8q");
        }
    }
}
