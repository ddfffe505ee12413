//! `perft` and `divide`.

use rookery_engine::Game;

pub(crate) fn run(depth: &str, fen: &str, divide: bool) -> Result<bool, String> {
    let depth = depth.parse().map_err(|_| format!("{depth:?} is not a depth"))?;
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
