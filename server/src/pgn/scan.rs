//! Which of our games a PGN file holds, and whether it ends in the middle of one. Reads lines, not moves: a file may be large, and other
//! programs' games need not make sense.

use std::io::{self, BufRead};

/// What a file holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Numbers of our games that are there whole.
    pub games: Vec<i64>,
    /// What follows the last empty line after a game.
    pub tail: Option<Tail>,
}

/// The beginning of a game, or a game of another program that does not end in an empty line.
#[derive(Debug, PartialEq, Eq)]
pub struct Tail {
    /// Where it begins.
    pub start: u64,
    /// The number it bears, if it is ours.
    pub game: Option<i64>,
}

#[derive(Clone, Copy, PartialEq)]
enum At {
    Between,
    Tags,
    AfterTags,
    Moves,
}

/// `prefix` is what the `GameId` of our games begins with.
pub fn scan(mut input: impl BufRead, prefix: &str) -> io::Result<Found> {
    let mut found = Found::default();
    let (mut at, mut start, mut offset) = (At::Between, 0, 0);
    let mut game = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        let text = line.trim_ascii();
        let begins = text.starts_with(b"[Event ") && at != At::Tags;
        at = match (at, text.is_empty()) {
            (At::Between | At::Moves, true) => {
                found.games.extend(game.take());
                At::Between
            }
            (At::Tags | At::AfterTags, true) => At::AfterTags,
            // Somebody's game without moves, or one cut short with another appended to it: not whole.
            (At::AfterTags | At::Moves, false) if begins => {
                (start, game) = (offset, None);
                At::Tags
            }
            (At::Between, false) => {
                (start, game) = (offset, None);
                if text.starts_with(b"[") { At::Tags } else { At::Moves }
            }
            (At::Tags, false) => {
                game = game.or_else(|| number(text, prefix));
                At::Tags
            }
            (At::AfterTags | At::Moves, false) => At::Moves,
        };
        offset += read as u64;
    }
    if at != At::Between {
        found.tail = Some(Tail { start, game });
    }
    Ok(found)
}

/// The number in `[GameId "rookery-STORE-NUMBER"]`.
fn number(line: &[u8], prefix: &str) -> Option<i64> {
    let line = std::str::from_utf8(line).ok()?;
    line.strip_prefix("[GameId \"")?.strip_prefix(prefix)?.strip_suffix("\"]")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "[Event \"a\"]\n[GameId \"rookery-ab-7\"]\n\n1. e4 {x}\n1-0\n\n";

    #[test]
    fn whole_games_of_ours_are_found_and_a_cut_one_is_the_tail() {
        let whole = |n: &[i64]| Found { games: n.to_vec(), tail: None };
        let scan = |text: &str| scan(text.as_bytes(), "rookery-ab-").unwrap();
        assert_eq!(scan(""), whole(&[]));
        assert_eq!(scan(OURS), whole(&[7]));
        assert_eq!(scan(&OURS.replace("-ab-", "-cd-")), whole(&[]));
        let two = format!("\n\n{}{OURS}", OURS.replace("-7", "-8").replace('\n', "\r\n"));
        assert_eq!(scan(&two), whole(&[8, 7]));
        for cut in 1..OURS.len() {
            let found = scan(&format!("{OURS}{}", &OURS[..cut]));
            assert_eq!(found.games, [7]);
            let tail = found.tail.expect("cut");
            assert_eq!(tail.start, OURS.len() as u64);
            assert_eq!(tail.game.is_some(), cut > OURS.find("]\n\n").unwrap());
        }
    }

    #[test]
    fn a_cut_game_with_another_behind_it_does_not_count() {
        let text = format!("{}\n{OURS}", &OURS.replace("-7", "-6")[..45]);
        assert_eq!(scan(text.as_bytes(), "rookery-ab-").unwrap().games, [7]);
    }
}
