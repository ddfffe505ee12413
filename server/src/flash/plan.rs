//! What has to be done to a page, from what stands there and what is to stand there. Pure.

use super::chip::{BLANK, PAGE, WORD};
use std::ops::Range;

/// How a page can become what it is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is.
    Equal,
    /// By writing alone: what differs is blank.
    Blank,
    /// Only by being erased first.
    Dirty,
}

/// Compares a page (or a part of one, in whole words) with what it is to be. An interrupted flash leaves pages of which a beginning
/// is written; they are gone on with.
#[must_use]
pub fn state(now: &[u8], wanted: &[u8]) -> State {
    let mut state = State::Equal;
    for (now, wanted) in now.chunks(WORD).zip(wanted.chunks(WORD)) {
        if now != wanted {
            if !is_blank(now) {
                return State::Dirty;
            }
            state = State::Blank;
        }
    }
    state
}

/// Whether nothing stands here.
#[must_use]
pub fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == BLANK)
}

/// What to write of a page: runs of whole words that differ, none of them longer than `longest`.
#[must_use]
pub fn runs(now: &[u8], wanted: &[u8], longest: usize) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    let pairs = now.chunks(WORD).zip(wanted.chunks(WORD));
    for (index, _) in pairs.enumerate().filter(|(_, (now, wanted))| now != wanted) {
        let at = index * WORD;
        match runs.last_mut() {
            Some(run) if run.end == at && run.len() < longest => run.end = at + WORD,
            _ => runs.push(at..at + WORD),
        }
    }
    runs
}

/// A page of erased flash.
pub const BLANK_PAGE: [u8; PAGE] = [BLANK; PAGE];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Flash that is only written where it is blank becomes what is wanted.
        #[test]
        fn the_runs_of_a_page_make_it_what_it_is_to_be(
            wanted in proptest::collection::vec(any::<u8>(), PAGE),
            // Words that stand there already, blank ones, and others.
            kinds in proptest::collection::vec(0..20u8, PAGE / WORD),
            longest in (1..=64usize).prop_map(|words| words * WORD),
        ) {
            let mut now = wanted.clone();
            for (word, kind) in now.chunks_mut(WORD).zip(&kinds) {
                match kind {
                    0..=9 => {}
                    10..=18 => word.fill(BLANK),
                    _ => word[0] ^= 1,
                }
            }
            match state(&now, &wanted) {
                State::Equal => prop_assert!(runs(&now, &wanted, longest).is_empty()),
                State::Dirty => prop_assert!(kinds.contains(&19)),
                State::Blank => {
                    for run in runs(&now, &wanted, longest) {
                        prop_assert!(run.len() <= longest && run.start.is_multiple_of(WORD) && run.end.is_multiple_of(WORD));
                        prop_assert!(is_blank(&now[run.clone()]));
                        now[run.clone()].copy_from_slice(&wanted[run]);
                    }
                    prop_assert_eq!(now, wanted);
                }
            }
        }
    }
}
