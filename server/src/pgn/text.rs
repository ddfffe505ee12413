//! Text that a PGN reader cannot misread: wrapped lines, free text without marks of the format.

use crate::model::is_control;

/// PGN's export format: lines shorter than 80 characters.
const WIDTH: usize = 79;

/// Movetext in the making.
#[derive(Debug, Default)]
pub(super) struct Wrapped {
    out: String,
    column: usize,
}

impl Wrapped {
    /// Adds a token that is never broken.
    pub(super) fn push(&mut self, token: &str) {
        let width = token.chars().count();
        if self.column == 0 {
        } else if self.column + 1 + width <= WIDTH {
            self.out.push(' ');
            self.column += 1;
        } else {
            self.out.push('\n');
            self.column = 0;
        }
        self.out.push_str(token);
        self.column += width;
    }

    /// Adds a comment, which may be broken between its words.
    pub(super) fn comment(&mut self, text: &str) {
        let mut words = text.split(' ').peekable();
        let mut open = "{";
        while let Some(word) = words.next() {
            let close = if words.peek().is_some() { "" } else { "}" };
            self.push(&format!("{open}{word}{close}"));
            open = "";
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }
}

/// Free text for a comment: one line, at most `most` characters, none that opens or closes anything or makes a line something else
/// (`%` in the first column does).
pub(super) fn plain(text: &str, most: usize) -> String {
    let mut out = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == most {
            out.push('…');
            break;
        }
        out.push(match c {
            '{' | '[' => '(',
            '}' | ']' => ')',
            '%' => '\u{2030}',
            ';' => ',',
            c if is_control(c) => ' ',
            c => c,
        });
    }
    // A word longer than a line of PGN may be is broken.
    let mut words = Vec::new();
    for word in out.split_whitespace() {
        let letters: Vec<char> = word.chars().collect();
        words.extend(letters.chunks(WIDTH - 2).map(String::from_iter));
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_short_and_comments_stay_closed(texts in proptest::collection::vec(any::<String>(), 0..20)) {
            let mut out = Wrapped::default();
            for text in &texts {
                out.push("12.");
                out.comment(&plain(text, 200));
            }
            let out = out.finish();
            let depth = out.chars().try_fold(0_u32, |depth, c| match c {
                '{' if depth == 0 => Some(1),
                '}' if depth == 1 => Some(0),
                '{' | '}' | '[' | ']' | '%' | ';' => None,
                _ => Some(depth),
            });
            prop_assert_eq!(depth, Some(0));
            for line in out.lines() {
                prop_assert!(line.chars().count() <= WIDTH, "{line}");
            }
        }
    }
}
