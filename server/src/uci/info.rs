//! What an engine says about a search in an `info` line. Knows the words of UCI, nothing of chess: a line of moves stays text.

use super::tokens::Tokens;
use crate::model::Score;

/// Whether a score is exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bound {
    /// As good as the engine says.
    #[default]
    Exact,
    /// At least this (`lowerbound`).
    Lower,
    /// At most this (`upperbound`).
    Upper,
}

/// An `info` line. Words that are not known, and values that are not numbers, are skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Which of several lines this is; 1 is the best.
    pub multipv: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth in plies.
    pub seldepth: Option<u32>,
    /// From the mover's side.
    pub score: Option<Score>,
    /// Whether `score` is exact.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Milliseconds so far.
    pub time_ms: Option<u64>,
    /// The best line in UCI notation, words separated by one space; empty where none was given.
    pub pv: String,
    /// Free text (`info string …`).
    pub string: Option<String>,
}

impl Info {
    /// Reads what follows the word `info`.
    #[must_use]
    pub fn parse(text: &str) -> Info {
        let mut info = Info::default();
        let mut tokens = Tokens::new(text);
        let mut in_score = false;
        while let Some(word) = tokens.next() {
            match word {
                "depth" => number(&mut tokens, &mut info.depth),
                "seldepth" => number(&mut tokens, &mut info.seldepth),
                "multipv" => number(&mut tokens, &mut info.multipv),
                "nodes" => number(&mut tokens, &mut info.nodes),
                "time" => number(&mut tokens, &mut info.time_ms),
                "score" => {
                    in_score = true;
                    info.score = None;
                    info.bound = Bound::Exact;
                }
                "cp" if in_score => score(&mut tokens, &mut info.score, Score::Cp),
                "mate" if in_score => score(&mut tokens, &mut info.score, Score::Mate),
                "lowerbound" if in_score => info.bound = Bound::Lower,
                "upperbound" if in_score => info.bound = Bound::Upper,
                "pv" => {
                    info.pv.clear();
                    while let Some(mv) = tokens.peek().filter(|w| looks_like_move(w)) {
                        tokens.next();
                        if !info.pv.is_empty() {
                            info.pv.push(' ');
                        }
                        info.pv.push_str(mv);
                    }
                }
                "string" => {
                    info.string = Some(tokens.rest().to_owned());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    /// Whether this is the best line: the only one that counts as the engine's opinion.
    #[must_use]
    pub fn is_best_line(&self) -> bool {
        self.multipv.is_none_or(|n| n == 1)
    }
}

/// A value that is not a number stays in place: it may be the next word that is known.
fn number<T: std::str::FromStr>(tokens: &mut Tokens<'_>, field: &mut Option<T>) {
    if let Some(value) = tokens.peek().and_then(|w| w.parse().ok()) {
        tokens.next();
        *field = Some(value);
    }
}

fn score(tokens: &mut Tokens<'_>, field: &mut Option<Score>, of: fn(i32) -> Score) {
    let mut value: Option<i32> = None;
    number(tokens, &mut value);
    if let Some(value) = value {
        *field = Some(of(value));
    }
}

/// Whether a word has the form of a move in UCI notation, the null move and castling words included.
pub(super) fn looks_like_move(word: &str) -> bool {
    match word.as_bytes() {
        [f1, r1, f2, r2, promotion @ ..] => {
            (matches!(f1, b'a'..=b'h')
                && matches!(r1, b'1'..=b'8')
                && matches!(f2, b'a'..=b'h')
                && matches!(r2, b'1'..=b'8')
                && matches!(
                    promotion,
                    [] | [b'n' | b'b' | b'r' | b'q' | b'N' | b'B' | b'R' | b'Q']
                ))
                || matches!(word, "0000" | "O-O-O" | "0-0-0")
        }
        _ => matches!(word, "O-O" | "0-0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_stockfish() {
        let info = Info::parse(
            "depth 9 seldepth 11 multipv 1 score cp 35 nodes 4861 nps 607625 hashfull 2 tbhits 0 time 8 pv e2e4 e7e5 g1f3",
        );
        assert_eq!(
            info,
            Info {
                multipv: Some(1),
                depth: Some(9),
                seldepth: Some(11),
                score: Some(Score::Cp(35)),
                bound: Bound::Exact,
                nodes: Some(4861),
                time_ms: Some(8),
                pv: "e2e4 e7e5 g1f3".into(),
                string: None,
            }
        );
        assert!(info.is_best_line());
    }

    #[test]
    fn unknown_words_are_skipped() {
        let info = Info::parse("depth 12 score cp 0 ebf 1.75 nodes 10");
        assert_eq!((info.depth, info.score, info.nodes), (Some(12), Some(Score::Cp(0)), Some(10)));
        let info = Info::parse("depth 3 score cp 10 wdl 100 800 100 pv e2e4 bmc 1.5 time 7");
        assert_eq!((info.pv.as_str(), info.time_ms), ("e2e4", Some(7)));
    }

    #[test]
    fn values_that_are_no_numbers_are_ignored() {
        let info = Info::parse("depth x score cp 1.5 nodes -3 time score mate 2");
        assert_eq!((info.depth, info.nodes, info.time_ms), (None, None, None));
        assert_eq!(info.score, Some(Score::Mate(2)));
        assert_eq!(Info::parse("score cp 99999999999").score, None);
        assert_eq!(Info::parse("score cp").score, None);
        assert_eq!(Info::parse("score mate none nodes 4").nodes, Some(4));
        assert_eq!(Info::parse("cp 12").score, None);
    }

    #[test]
    fn bounds_in_either_place() {
        for (text, bound) in [
            ("score cp 8 lowerbound depth 4", Bound::Lower),
            ("score upperbound cp 8 depth 4", Bound::Upper),
            ("score cp 8 depth 4", Bound::Exact),
        ] {
            let info = Info::parse(text);
            assert_eq!((info.score, info.bound, info.depth), (Some(Score::Cp(8)), bound, Some(4)));
        }
    }

    #[test]
    fn a_string_is_free_text() {
        let info = Info::parse("string estimated time…: 1.88 score cp 5 bestmove e2e4");
        assert_eq!(info.string.as_deref(), Some("estimated time…: 1.88 score cp 5 bestmove e2e4"));
        assert_eq!(info.score, None);
    }

    #[test]
    fn only_the_first_of_several_lines_is_the_opinion() {
        assert!(!Info::parse("multipv 2 score cp 5").is_best_line());
        assert!(Info::parse("score cp 5").is_best_line());
    }
}
