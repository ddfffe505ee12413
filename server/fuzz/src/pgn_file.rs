//! The PGN file that grows with every game, as it is found when a server starts.

use rookery_server::pgn::scan::scan;

const PREFIX: &str = "rookery-ab-";
const WHOLE: &[u8] = b"[Event \"a\"]\n[GameId \"rookery-ab-7\"]\n\n1. e4 {x}\n1-0\n\n";

/// Any file: what is before its tail has the same games and ends with a line, and a game that is written there is found behind them.
pub fn file(data: &[u8]) {
    let found = scan(data, PREFIX).expect("a slice is read");
    let end = found.tail.as_ref().map_or(data.len() as u64, |tail| tail.start);
    let before = data.get(..usize::try_from(end).expect("it fits")).expect("within the file");
    assert!(before.is_empty() || before.ends_with(b"\n") || found.tail.is_none());
    assert_eq!(scan(before, PREFIX).expect("a slice is read").games, found.games);
    let mended = [before, if before.ends_with(b"\n") { b"" } else { b"\n" }, WHOLE].concat();
    let more = scan(&mended[..], PREFIX).expect("a slice is read");
    assert_eq!((more.games, more.tail), ([&found.games[..], &[7]].concat(), None));
}
