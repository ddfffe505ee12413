//! A few named lines to begin a book with.

use crate::model::OpeningLine;

/// Main lines that every player knows; the names and moves are those of lichess-org/chess-openings.
const LINES: [(&str, &str); 14] = [
    ("Ruy Lopez", "e2e4 e7e5 g1f3 b8c6 f1b5"),
    ("Italian Game", "e2e4 e7e5 g1f3 b8c6 f1c4"),
    ("Scotch Game", "e2e4 e7e5 g1f3 b8c6 d2d4"),
    ("Vienna Game", "e2e4 e7e5 b1c3 f8c5"),
    ("Petrov's Defense", "e2e4 e7e5 g1f3 g8f6"),
    ("Sicilian Defense", "e2e4 c7c5 g1f3 d7d6 d2d4"),
    ("French Defense", "e2e4 e7e6 d2d4 d7d5"),
    ("Caro-Kann Defense", "e2e4 c7c6 d2d4 d7d5"),
    ("Queen's Gambit Declined", "d2d4 d7d5 c2c4 e7e6"),
    ("Slav Defense", "d2d4 d7d5 c2c4 c7c6"),
    ("Queen's Gambit Accepted", "d2d4 d7d5 c2c4 d5c4"),
    ("King's Indian Defense", "d2d4 g8f6 c2c4 g7g6 b1c3"),
    ("Nimzo-Indian Defense", "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4"),
    ("Réti Opening", "g1f3 d7d5 c2c4"),
];

/// Fourteen named lines, from the Ruy Lopez to the Réti.
#[must_use]
pub fn named_lines() -> Vec<OpeningLine> {
    LINES.iter().map(|(name, moves)| OpeningLine::of_moves(Some(name), moves)).collect()
}
