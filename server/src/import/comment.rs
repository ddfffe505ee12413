//! What a comment says of the move before it.
//!
//! | written by | comment |
//! |---|---|
//! | the old Python client | `{ d=5 uz=45012 oc=-34}`, `{book, d=0 uz=1 oc=0}`; `oc=99` without `book,` where the link lost the marker |
//! | cutechess | `{+0.35/12 1.2s}`, `{book}`, `{-M4/9 0.05s, White mates}` |
//! | fastchess | the same, with `tl=9.9s`, `latency=0.001s`, `n=12345`, `sd=18`, `nps=…`, `line="info …"` after commas |
//! | Lichess, python-chess | `{ [%eval 0.31,12] [%clk 0:04:59.5] [%emt 0:00:01] }`, the score from White's side |

use crate::model::Score;

/// The board's own words, as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLine {
    /// `d=`
    pub depth: u32,
    /// `uz=`: nodes.
    pub nodes: u64,
    /// `oc=`: the score in the engine's own units.
    pub raw: i32,
}

impl BoardLine {
    /// A move of the board's book: it prints no depth and one node, whether or not its marker came through.
    #[must_use]
    pub fn is_book(self) -> bool {
        self.depth == 0 && self.nodes <= 1
    }
}

/// Everything measured that a comment has, and the words that are left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The board's line.
    pub board: Option<BoardLine>,
    /// `book` stands there.
    pub book: bool,
    /// The score from the mover's side.
    pub score: Option<Score>,
    /// The score from White's side.
    pub white_score: Option<Score>,
    /// The depth.
    pub depth: Option<u32>,
    /// The nodes.
    pub nodes: Option<u64>,
    /// The time of the think in microseconds.
    pub time_us: Option<u64>,
    /// What stands on the mover's clock, milliseconds.
    pub clock_ms: Option<u64>,
    /// What is none of these: `White mates`.
    pub words: Vec<String>,
}

impl Measured {
    /// Reads a comment. There is no wrong one: what is not understood is words.
    #[must_use]
    pub fn read(text: &str) -> Measured {
        let mut found = Measured::default();
        let rest = found.take_commands(text);
        for part in parts(&rest) {
            let part = part.trim();
            if !part.is_empty() && !found.take(part) {
                found.words.push(part.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
        found
    }

    /// Adds what another comment behind the same move says.
    pub fn add(&mut self, other: Measured) {
        self.board = self.board.or(other.board);
        self.book |= other.book;
        self.score = self.score.or(other.score);
        self.white_score = self.white_score.or(other.white_score);
        self.depth = self.depth.or(other.depth);
        self.nodes = self.nodes.or(other.nodes);
        self.time_us = self.time_us.or(other.time_us);
        self.clock_ms = self.clock_ms.or(other.clock_ms);
        self.words.extend(other.words);
    }

    /// Takes out `[%name value]`.
    fn take_commands(&mut self, text: &str) -> String {
        let (mut rest, mut left) = (text, String::new());
        while let Some(begin) = rest.find("[%") {
            let Some(length) = rest[begin..].find(']') else { break };
            left.push_str(&rest[..begin]);
            left.push(' ');
            let command = &rest[begin + 2..begin + length];
            rest = &rest[begin + length + 1..];
            let (name, value) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            let value = value.trim();
            match name {
                "eval" => {
                    let (score, depth) = value.split_once(',').unwrap_or((value, ""));
                    self.white_score = self.white_score.or(eval(score.trim()));
                    self.depth = self.depth.or(depth.trim().parse().ok());
                }
                "clk" => self.clock_ms = self.clock_ms.or(clock(value).map(|us| us / 1000)),
                "emt" => self.time_us = self.time_us.or(clock(value)),
                // Arrows, coloured squares and what else programs keep for themselves.
                _ => {}
            }
        }
        left.push_str(rest);
        left
    }

    /// Takes a part between commas; `false` where it is words.
    fn take(&mut self, part: &str) -> bool {
        if part == "book" {
            self.book = true;
            return true;
        }
        if let Some(line) = board_line(part) {
            self.board = self.board.or(Some(line));
            return true;
        }
        if let Some((key, value)) = part.split_once('=')
            && !key.contains(char::is_whitespace)
        {
            match key {
                "n" => self.nodes = self.nodes.or(value.parse().ok()),
                "tl" => self.clock_ms = self.clock_ms.or(seconds(value).map(|us| us / 1000)),
                "sd" | "latency" | "nps" | "hashfull" | "tbhits" | "line" | "pv" => {}
                _ => return false,
            }
            return true;
        }
        self.take_score(part)
    }

    /// `+0.35/12 1.2s`, `+0.35 1.2s`, `1.2s`
    fn take_score(&mut self, part: &str) -> bool {
        let mut tokens: Vec<&str> = part.split_whitespace().collect();
        // cutechess: what was expected instead stands in front.
        if tokens.first().is_some_and(|t| t.starts_with('(') && t.ends_with(')')) {
            tokens.remove(0);
        }
        let time = tokens.last().copied().and_then(seconds);
        let judged = if time.is_some() { &tokens[..tokens.len() - 1] } else { &tokens[..] };
        let (score, depth) = match judged {
            [] => (None, None),
            [one] => {
                let (score, depth) = one.split_once('/').unwrap_or((one, ""));
                let Some(score) = mover_score(score) else { return false };
                if !depth.is_empty() && depth.parse::<u32>().is_err() {
                    return false;
                }
                (Some(score), depth.parse().ok())
            }
            _ => return false,
        };
        if score.is_none() && time.is_none() {
            return false;
        }
        self.score = self.score.or(score);
        self.depth = self.depth.or(depth);
        self.time_us = self.time_us.or(time);
        true
    }
}

/// Parts between commas, those within quotes left alone.
fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut begin, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in text.char_indices() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => {
                parts.push(&text[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    parts
}

/// `d=5 uz=45012 oc=-34`
fn board_line(part: &str) -> Option<BoardLine> {
    let mut fields = part.split_whitespace();
    let mut value = |key: &str| fields.next()?.strip_prefix(key)?.strip_prefix('=');
    let line = BoardLine {
        depth: value("d")?.parse().ok()?,
        nodes: value("uz")?.parse().ok()?,
        raw: value("oc")?.parse().ok()?,
    };
    fields.next().is_none().then_some(line)
}

/// `+0.35`, `-M4`, `0.00`
fn mover_score(text: &str) -> Option<Score> {
    let (minus, bare) = match text.as_bytes().first()? {
        b'+' => (false, &text[1..]),
        b'-' => (true, &text[1..]),
        _ => (false, text),
    };
    let score = match bare.strip_prefix('M') {
        Some(moves) => Score::Mate(digits(moves)?.parse().ok()?),
        None => Score::Cp(centipawns(bare)?),
    };
    Some(if minus { score.negated() } else { score })
}

/// `0.31`, `-1.2`, `#-3`
fn eval(text: &str) -> Option<Score> {
    let (mate, text) = match text.strip_prefix('#') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (minus, bare) = match text.strip_prefix('-') {
        Some(bare) => (true, bare),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let score =
        if mate { Score::Mate(digits(bare)?.parse().ok()?) } else { Score::Cp(centipawns(bare)?) };
    Some(if minus { score.negated() } else { score })
}

fn digits(text: &str) -> Option<&str> {
    (!text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())).then_some(text)
}

/// Pawns with up to two decimals that count, exactly.
fn centipawns(text: &str) -> Option<i32> {
    i32::try_from(fixed(text, 2)?).ok()
}

/// A decimal number times ten to the power of `places`; further decimals are cut off.
fn fixed(text: &str, places: usize) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    if (whole.is_empty() && part.is_empty()) || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { digits(whole)?.parse().ok()? };
    let mut value = whole;
    for n in 0..places {
        let digit = part.as_bytes().get(n).map_or(0, |b| u64::from(b - b'0'));
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(value)
}

/// `1.2s`, `85ms`, as microseconds.
fn seconds(text: &str) -> Option<u64> {
    match text.strip_suffix("ms") {
        Some(ms) => fixed(ms, 3),
        None => fixed(text.strip_suffix('s')?, 6),
    }
}

/// `0:04:59.5`, `4:59`, as microseconds.
fn clock(text: &str) -> Option<u64> {
    let mut value: u64 = 0;
    let mut fields = text.split(':').peekable();
    let mut count = 0;
    while let Some(field) = fields.next() {
        count += 1;
        let part = if fields.peek().is_some() {
            digits(field)?.parse::<u64>().ok()?.checked_mul(1_000_000)?
        } else {
            fixed(field, 6)?
        };
        value = value.checked_mul(60)?.checked_add(part)?;
    }
    (count <= 3).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Measured {
        Measured::read(text)
    }

    #[test]
    fn the_boards_words() {
        let line = |depth, nodes, raw| Some(BoardLine { depth, nodes, raw });
        assert_eq!(read(" d=5 uz=45012 oc=-34").board, line(5, 45_012, -34));
        assert_eq!(read("d=98 uz=365 oc=-7999").board, line(98, 365, -7999));
        let book = read("book, d=0 uz=1 oc=0");
        assert_eq!((book.book, book.board), (true, line(0, 1, 0)));
        let lost = read(" d=0 uz=1 oc=99");
        assert_eq!((lost.book, lost.board), (false, line(0, 1, 99)));
        assert!(lost.board.expect("a line").is_book());
        assert!(!read("d=1 uz=1 oc=0").board.expect("a line").is_book());
        for words in ["d=5 uz=45012", "d=5 uz=45012 oc=", "d=x uz=1 oc=1", "d=5 uz=1 oc=1 more"] {
            assert_eq!(read(words).board, None, "{words}");
            assert_eq!(read(words).words, [words]);
        }
    }

    #[test]
    fn match_programs() {
        let cutechess = read("+0.35/12 1.2s");
        assert_eq!(cutechess.score, Some(Score::Cp(35)));
        assert_eq!((cutechess.depth, cutechess.time_us), (Some(12), Some(1_200_000)));
        let mate = read("-M4/9 0.05s, White mates");
        assert_eq!(
            (mate.score, mate.words),
            (Some(Score::Mate(-4)), vec!["White mates".to_owned()])
        );
        let fast = read(
            "0.00/1 0.003s, tl=9.997s, latency=0.001s, n=12345, sd=18, nps=4115000, line=\"info depth 1, d=5 uz=1 oc=1\"",
        );
        assert_eq!((fast.score, fast.nodes), (Some(Score::Cp(0)), Some(12_345)));
        assert_eq!((fast.clock_ms, fast.time_us), (Some(9_997), Some(3_000)));
        assert_eq!((fast.words.len(), fast.board), (0, None));
        let own = read("-0.34/5 6.200s, n=45012, d=5 uz=45012 oc=-34");
        assert_eq!((own.score, own.board.map(|b| b.raw)), (Some(Score::Cp(-34)), Some(-34)));
        assert!(read("book").book);
        assert_eq!(read("(Nf3) +0.35/12 85ms").time_us, Some(85_000));
        assert_eq!(read("0s").time_us, Some(0));
        for words in ["White mates", "+0.35/x 1s", "+0.35 12 1s", "a=b", "+M", "1.2.3s", "-"] {
            assert_eq!(read(words), Measured { words: vec![words.into()], ..Measured::default() });
        }
    }

    #[test]
    fn lichess() {
        let both = read(" [%eval 0.31,12] [%clk 0:04:59.5] ");
        assert_eq!((both.white_score, both.depth), (Some(Score::Cp(31)), Some(12)));
        assert_eq!((both.clock_ms, both.words.len()), (Some(299_500), 0));
        assert_eq!(read("[%eval #-3]").white_score, Some(Score::Mate(-3)));
        assert_eq!(read("[%eval -1.2]").white_score, Some(Score::Cp(-120)));
        assert_eq!(read("[%emt 0:00:01.25]").time_us, Some(1_250_000));
        let words = read("[%csl Rd4]Inaccuracy. Nf3 was best. [%eval 1.0]");
        assert_eq!(words.words, ["Inaccuracy. Nf3 was best."]);
        assert_eq!(read("[%clk 1:2:3:4] [%eval x] [%clk").words, ["[%clk"]);
    }

    proptest! {
        #[test]
        fn any_comment_is_read(text in r#"([a-z]=|[0-9]{1,20}|[+#M.,/:" sm-]|\[%(eval|clk|emt) |\]|book|uz=|oc=|ä){0,30}"#) {
            let once = read(&text);
            // Words are words, however often they are read.
            for words in &once.words {
                prop_assert!(!words.is_empty());
            }
        }

        #[test]
        fn scores_are_read_as_they_are_written(cp in -100_000..100_000_i32, mate in 1..500_i32, minus: bool) {
            let mate = Score::Mate(if minus { -mate } else { mate });
            for score in [Score::Cp(cp), mate] {
                prop_assert_eq!(mover_score(&score.to_string()), Some(score));
            }
        }
    }
}
