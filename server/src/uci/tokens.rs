//! Splitting a line into words while keeping hold of the rest of it, which is free text after some words.

/// Words between ASCII white space.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text }
    }

    /// What follows the last word, without the white space around it.
    pub(super) fn rest(&self) -> &'a str {
        self.rest.trim_matches(|c: char| c.is_ascii_whitespace())
    }

    /// The next word, which stays.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Everything before the next word that `stops`, and the stopping word; without one, everything.
    pub(super) fn until(&mut self, stops: impl Fn(&str) -> bool) -> (&'a str, Option<&'a str>) {
        let all = self.rest();
        self.rest = all;
        loop {
            let before = self.rest.len();
            match self.next() {
                Some(word) if stops(word) => {
                    return (all[..all.len() - before].trim_end(), Some(word));
                }
                Some(_) => {}
                None => return (all, None),
            }
        }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let end = text.find(|c: char| c.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn until_keeps_inner_spaces_and_drops_outer_ones() {
        let mut tokens = Tokens::new("name  Skill  Level  type spin");
        assert_eq!(tokens.next(), Some("name"));
        assert_eq!(tokens.until(|w| w == "type"), ("Skill  Level", Some("type")));
        assert_eq!(tokens.until(|w| w == "var"), ("spin", None));
        assert_eq!(tokens.until(|w| w == "var"), ("", None));
    }

    proptest! {
        #[test]
        fn the_words_are_those_of_the_standard_library(text in ".{0,60}") {
            let ours: Vec<&str> = Tokens::new(&text).collect();
            let theirs: Vec<&str> = text.split_ascii_whitespace().collect();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn until_never_panics(text in ".{0,60}", stop in "[a-z]{1,2}") {
            let mut tokens = Tokens::new(&text);
            let (before, word) = tokens.until(|w| w == stop);
            prop_assert!(text.contains(before));
            prop_assert!(word.is_none_or(|w| w == stop));
        }
    }
}
