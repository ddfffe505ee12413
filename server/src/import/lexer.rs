//! PGN text as games and moves, each with its line. A library reads PGN faster, but does not say where it is, and passes over what it
//! cannot read; here a game with a hole must not become another game.

use crate::model::{is_control, read_text};
use std::borrow::Cow;

/// A game as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawGame {
    /// The line in which it begins.
    pub line: usize,
    /// Names and values.
    pub tags: Vec<(String, String)>,
    /// Comments before the first move.
    pub intro: Vec<String>,
    /// The main line.
    pub moves: Vec<RawMove>,
    /// The result that ends the movetext.
    pub result: Option<String>,
    /// What cannot be read: the line, and what is wrong.
    pub broken: Option<(usize, String)>,
}

/// A move as the file has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawMove {
    /// The line.
    pub line: usize,
    /// SAN, without `!` and `?`.
    pub san: String,
    /// The comments behind it.
    pub comments: Vec<String>,
}

impl RawGame {
    /// The value of a tag; none where it is `?` or empty.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let (_, value) = self.tags.iter().find(|(tag, _)| tag == name)?;
        let value = value.trim();
        (!value.is_empty() && value != "?").then_some(value)
    }
}

/// The games of a text, one after the other.
pub fn games(bytes: &[u8]) -> impl Iterator<Item = RawGame> + '_ {
    let mut lexer = Lexer { bytes: unmarked(bytes), at: 0, line: 1 };
    std::iter::from_fn(move || lexer.game())
}

/// Without its byte order mark, which is no part of the first tag; UTF-16 has no other sign.
fn unmarked(bytes: &[u8]) -> Cow<'_, [u8]> {
    let wide = |of: fn([u8; 2]) -> u16| {
        let units = bytes[2..].chunks(2).map(|pair| of([pair[0], *pair.get(1).unwrap_or(&0)]));
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect();
        Cow::Owned(text.into_bytes())
    };
    match bytes {
        [0xEF, 0xBB, 0xBF, rest @ ..] => Cow::Borrowed(rest),
        [0xFF, 0xFE, ..] => wide(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => wide(u16::from_be_bytes),
        _ => Cow::Borrowed(bytes),
    }
}

struct Lexer<'a> {
    bytes: Cow<'a, [u8]>,
    at: usize,
    line: usize,
}

impl Lexer<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }

    fn begins_line(&self) -> bool {
        self.at == 0 || self.bytes[self.at - 1] == b'\n'
    }

    /// Up to and without one of these, or the end.
    fn until(&mut self, stop: impl Fn(u8) -> bool) -> String {
        let begin = self.at;
        while self.peek().is_some_and(|byte| !stop(byte)) {
            self.next();
        }
        read_text(&self.bytes[begin..self.at]).into_owned()
    }

    /// Passes over space and escaped lines.
    fn space(&mut self) {
        loop {
            match self.peek() {
                Some(b'%') if self.begins_line() => drop(self.until(|b| b == b'\n')),
                Some(byte) if byte.is_ascii_whitespace() => drop(self.next()),
                _ => return,
            }
        }
    }

    fn game(&mut self) -> Option<RawGame> {
        self.space();
        self.peek()?;
        let mut game = RawGame { line: self.line, ..RawGame::default() };
        if let Err(why) = self.tags(&mut game).and_then(|()| self.moves(&mut game)) {
            game.broken = Some(why);
            self.skip_to_next();
        }
        Some(game)
    }

    /// To where the next game begins, whatever this one was.
    fn skip_to_next(&mut self) {
        while self.peek().is_some() && !self.begins_game() {
            self.next();
        }
    }

    /// Whether a game begins here for certain: with a tag behind an empty line. Nothing reaches beyond it, so that a comment or a
    /// variation without an end costs its own game only.
    fn begins_game(&self) -> bool {
        let is_tag = |line: &[u8]| {
            line.get(1).is_some_and(u8::is_ascii_alphabetic)
                && line.trim_ascii_end().ends_with(b"\"]")
        };
        if self.peek() != Some(b'[') || !self.begins_line() {
            return false;
        }
        let rest = &self.bytes[self.at..];
        let line = rest.split(|b| *b == b'\n').next().unwrap_or_default();
        let before = self.bytes[..self.at].strip_suffix(b"\n").unwrap_or_default();
        let before = before.rsplit(|b| *b == b'\n').next().unwrap_or_default();
        before.trim_ascii().is_empty() && is_tag(line)
    }

    fn tags(&mut self, game: &mut RawGame) -> Result<(), (usize, String)> {
        loop {
            self.space();
            if self.peek() != Some(b'[') {
                return Ok(());
            }
            let line = self.line;
            if let Some((name, value)) = self.tag() {
                game.tags.push((name, value));
                continue;
            }
            // Not as the standard has it, and clear all the same: quotes in a value that nothing stands before.
            let text = self.until(|b| b == b'\n');
            let wrong = || (line, format!("'{}' is no tag", shorten(&text)));
            let inner = text.trim().strip_prefix('[').and_then(|t| t.strip_suffix(']'));
            let (name, value) =
                inner.and_then(|t| t.trim().split_once(char::is_whitespace)).ok_or_else(wrong)?;
            let value = value.trim().strip_prefix('"').and_then(|v| v.strip_suffix('"'));
            let value = value.ok_or_else(wrong)?;
            game.tags.push((name.to_owned(), unescape(value)));
        }
    }

    /// A tag as the standard has it, with others behind it on its line or not; where it is none, nothing is taken.
    fn tag(&mut self) -> Option<(String, String)> {
        let (at, line) = (self.at, self.line);
        let tag = self.well_formed_tag();
        if tag.is_none() {
            (self.at, self.line) = (at, line);
        }
        tag
    }

    fn well_formed_tag(&mut self) -> Option<(String, String)> {
        let blank = |b: u8| !matches!(b, b' ' | b'\t');
        self.next();
        self.until(blank);
        let name = self.until(|b| b.is_ascii_whitespace() || b == b'"' || b == b']');
        self.until(blank);
        (!name.is_empty() && self.next() == Some(b'"')).then_some(())?;
        let begin = self.at;
        loop {
            match self.next()? {
                b'"' => break,
                b'\\' => drop(self.next()?),
                b'\n' => return None,
                _ => {}
            }
        }
        let value = unescape(&read_text(&self.bytes[begin..self.at - 1]));
        self.until(blank);
        (self.next() == Some(b']')).then_some((name, value))
    }

    fn moves(&mut self, game: &mut RawGame) -> Result<(), (usize, String)> {
        loop {
            self.space();
            let (Some(byte), line) = (self.peek(), self.line) else { return Ok(()) };
            match byte {
                // The next game's tags: this one has no result.
                b'[' if self.begins_line() => return Ok(()),
                b'{' | b';' => {
                    let comment = self.comment()?;
                    match game.moves.last_mut() {
                        Some(last) => last.comments.push(comment),
                        None => game.intro.push(comment),
                    }
                }
                b'(' => self.variation()?,
                b'$' => drop(self.until(|b| b.is_ascii_whitespace() || b"{}();".contains(&b))),
                b')' | b'}' | b'[' | b']' => {
                    return Err((line, format!("'{}' has no beginning", char::from(byte))));
                }
                _ => {
                    let word = self.until(|b| b.is_ascii_whitespace() || b"{}();$[]".contains(&b));
                    if matches!(&*word, "1-0" | "0-1" | "1/2-1/2" | "*") {
                        game.result = Some(word);
                        self.trailing(game)?;
                        return Ok(());
                    }
                    let san = san(&word);
                    if !san.is_empty() {
                        let comments = Vec::new();
                        game.moves.push(RawMove { line, san: san.to_owned(), comments });
                    }
                }
            }
        }
    }

    /// A comment on the line of the result still belongs to the game.
    fn trailing(&mut self, game: &mut RawGame) -> Result<(), (usize, String)> {
        while self.peek().is_some_and(|b| b == b' ' || b == b'\t') {
            self.next();
        }
        if matches!(self.peek(), Some(b'{' | b';'))
            && let Some(last) = game.moves.last_mut()
        {
            last.comments.push(self.comment()?);
        }
        Ok(())
    }

    fn comment(&mut self) -> Result<String, (usize, String)> {
        let line = self.line;
        if self.next() == Some(b';') {
            return Ok(self.until(|b| b == b'\n'));
        }
        let begin = self.at;
        while let Some(byte) = self.peek().filter(|_| !self.begins_game()) {
            self.next();
            if byte == b'}' {
                let text = read_text(&self.bytes[begin..self.at - 1]);
                return Ok(text.replace(['\r', '\n'], " "));
            }
        }
        Err((line, "a comment has no end".to_owned()))
    }

    fn variation(&mut self) -> Result<(), (usize, String)> {
        let line = self.line;
        let mut depth = 0_usize;
        loop {
            match self.peek().filter(|_| !self.begins_game()) {
                Some(b'{' | b';') => drop(self.comment()?),
                Some(b'(') => {
                    depth += 1;
                    self.next();
                }
                Some(b')') => {
                    depth -= 1;
                    self.next();
                    if depth == 0 {
                        return Ok(());
                    }
                }
                Some(_) => drop(self.next()),
                None => return Err((line, "a variation has no end".to_owned())),
            }
        }
    }
}

/// A word without its move number and its judgement: `12...Nf6!?` is `Nf6`. Empty where it is a number alone.
fn san(word: &str) -> &str {
    let bare = word.trim_start_matches(|c: char| c.is_ascii_digit());
    // "0-0" begins with a digit and is no number.
    let word = if bare.is_empty() || bare.starts_with('.') { bare } else { word };
    let word = word.trim_start_matches(['.', '…']);
    let word = word.trim_end_matches(['!', '?', '□']);
    let word = word.strip_suffix("e.p.").unwrap_or(word);
    if ASIDES.contains(&word) { "" } else { word }
}

/// What books print behind a move or a position, and the standard has numbers for.
const ASIDES: [&str; 14] =
    ["=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "∞", "±", "∓", "N", "D"];

fn unescape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or('\\') } else { c });
    }
    out
}

/// As much of a text as a message can hold.
pub(super) fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    let text = text.trim();
    // A message is shown on terminals, which obey control characters.
    let shown = text.chars().map(|c| if is_control(c) { '\u{FFFD}' } else { c });
    let cut = (text.chars().nth(MOST)).map(|_| '…');
    shown.take(MOST).chain(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<RawGame> {
        games(text.as_bytes()).collect()
    }

    #[test]
    fn moves_with_their_lines_and_comments() {
        let text = "[Event \"a \\\"b\\\"\"]\r\n[White \"W\"]\r\n\r\n{hello} 1.e4 {one}{two} e5!? (1... c5 {x)} (2. d4)) 2. Nf3 $1\n% not this\n\
                    2... Nc6 ; to the end\n0-0-0 1-0 {done}\n\n[Event \"b\"]\n\n*\n";
        let all = read(text);
        assert_eq!(all.len(), 2);
        let [first, second] = &all[..] else { unreachable!() };
        assert_eq!(first.tag("Event"), Some("a \"b\""));
        assert_eq!(first.intro, ["hello"]);
        let moves: Vec<(&str, usize)> = first.moves.iter().map(|m| (&*m.san, m.line)).collect();
        assert_eq!(moves, [("e4", 4), ("e5", 4), ("Nf3", 4), ("Nc6", 6), ("0-0-0", 7)]);
        assert_eq!(first.moves[0].comments, ["one", "two"]);
        assert_eq!(first.moves[3].comments, [" to the end"]);
        assert_eq!(first.moves[4].comments, ["done"]);
        assert_eq!((first.result.as_deref(), second.result.as_deref()), (Some("1-0"), Some("*")));
        assert_eq!((second.line, second.moves.len()), (9, 0));
    }

    /// Whatever is wrong with a game, it is one game, and those around it are read.
    #[test]
    fn a_broken_game_costs_no_other() {
        let good = |name: &str| {
            format!("[Event \"{name}\"]\n[White \"W\"]\n\n1. d4 {{a}} d5 (1... e5) *\n")
        };
        for broken in [
            "[Event \"x]\n[White \"W\"]\n[Result \"*\"]\n\n1. e4 e5 *\n",
            "[Event \"x\"]\n[White \"W\"\n[Result \"*\"]\n\n1. e4 e5 *\n",
            "[Event \"x\"]\n[X]\n[Result \"*\"]\n\n1. e4 e5 *\n",
            "[Event \"x\"]\n[White \"W\"]\n[]\n\n1. e4 e5 *\n",
            "[Event \"x\"]\n\n1. e4 {no end e5 *\n",
            "[Event \"x\"]\n\n1. e4 (1. d4 {a} e5 *\n",
            "[Event \"x\"]\n\n1. e4 (1. d4 {no end e5) *\n",
            "[Event \"x\"]\n\n1. e4 } e5 *\n",
            "[Event \"x\"]\n\n1. e4 ) e5 [ *\n",
        ] {
            for end in ["\n", "\r\n"] {
                let text = [&good("a"), "\n", broken, "\n", &good("b"), "\n", &good("c")].concat();
                let all = read(&text.replace('\n', end));
                let whole: Vec<_> = all.iter().map(|g| g.broken.is_none()).collect();
                assert_eq!(whole, [true, false, true, true], "{broken}");
                for (game, name) in [(&all[0], "a"), (&all[2], "b"), (&all[3], "c")] {
                    assert_eq!((game.tag("Event"), game.moves.len()), (Some(name), 2), "{broken}");
                }
            }
        }
    }

    #[test]
    fn tags_in_all_their_forms() {
        let tags = |text: &str| read(text).remove(0).tags;
        let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            tags("[A \"x\"] [B \"y\"][C\"z\"]\n"),
            [of("A", "x"), of("B", "y"), of("C", "z")]
        );
        assert_eq!(tags("[ A  \"x \\\"y\\\" \\\\\" ]\r\n"), [of("A", "x \"y\" \\")]);
        assert_eq!(tags("[A \"The \"Open\"\"]\n"), [of("A", "The \"Open\"")]);
        assert_eq!(tags("[A \"a]b\"]\n"), [of("A", "a]b")]);
        assert_eq!(tags("[A \"\"]\n"), [of("A", "")]);
    }

    #[test]
    fn words_that_are_no_moves() {
        let text = "1. e4 = 1... e5?! +/- 2. Nf3 N 2... d5 ∞ 3. exd5e.p. e.p. 3... 0-0 1/2-1/2";
        let moves: Vec<String> = read(text).remove(0).moves.into_iter().map(|m| m.san).collect();
        assert_eq!(moves, ["e4", "e5", "Nf3", "d5", "exd5", "0-0"]);
    }

    #[test]
    fn every_encoding_that_a_file_may_have() {
        let text = "[White \"René\"]\n\n1. e4 {é} *\n";
        let wide = |of: fn(u16) -> [u8; 2]| -> Vec<u8> {
            ['\u{feff}'].into_iter().chain(text.chars()).map(|c| c as u16).flat_map(of).collect()
        };
        let latin = text.chars().map(|c| c as u8).collect();
        let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
        for bytes in [latin, marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            let game = games(&bytes).next().expect("a game");
            assert_eq!(game.tag("White"), Some("René"));
            assert_eq!(
                (game.moves[0].comments[0].as_str(), game.result.as_deref()),
                ("é", Some("*"))
            );
        }
    }

    #[test]
    fn a_broken_game_does_not_break_the_next() {
        for (broken, line, why) in [
            ("[Event \"a\"]\n\n1. e4 {no end\n1-0\n", 3, "a comment has no end"),
            ("[Event \"a\"]\n\n1. e4 (1. d4\n1-0\n", 3, "a variation has no end"),
            ("[Event \"a\"\n\n1. e4\n", 1, "is no tag"),
            ("[Event \"a\"]\n\n1. e4 ) e5\n", 3, "has no beginning"),
        ] {
            let games = read(broken);
            let (at, said) = games[0].broken.clone().expect("it is broken");
            assert_eq!(at, line, "{broken}");
            assert!(said.contains(why), "{said}");
        }
        let games =
            read("[Event \"a\"]\n\n1. e4 ) e5\n\n[Event \"b\"]\n\n1. d4 *\n[Event \"c\"]\n");
        assert_eq!(games.len(), 3);
        assert_eq!(games[1].tag("Event"), Some("b"));
        assert_eq!(games[1].moves.len(), 1);
    }
}
