//! `perft` and `divide`.

use rookery_engine::Game;

/// Nobody waits for more, and already their number from the initial position does not fit into 64 bits.
const DEEPEST: u32 = 13;

pub(crate) fn run(depth: &str, fen: &str, divide: bool) -> Result<bool, String> {
    let depth =
        depth.parse().ok().filter(|depth| (0..=DEEPEST).contains(depth)).ok_or_else(|| {
            format!("{depth:?} is not a depth: a whole number from 0 to {DEEPEST} is needed")
        })?;
    let game = if fen.is_empty() {
        Game::new()
    } else {
        Game::from_fen(fen).map_err(|error| format!("{fen:?}: {error}"))?
    };
    let total = if divide {
        game.divide(depth, |mv, count| println!("{mv}: {count}"))
    } else {
        game.perft(depth)
    };
    println!("{total}");
    Ok(true)
}
