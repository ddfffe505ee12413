//! A few well-known lines for the demonstration and for runs without a file.

use crate::model::OpeningLine;

const LINES: [(&str, &str); 16] = [
    ("Ruy Lopez", "e2e4 e7e5 g1f3 b8c6 f1b5"),
    ("Italian Game", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"),
    ("Scotch Game", "e2e4 e7e5 g1f3 b8c6 d2d4 e5d4 f3d4"),
    ("Petrov's Defence", "e2e4 e7e5 g1f3 g8f6"),
    ("Vienna Game", "e2e4 e7e5 b1c3 g8f6"),
    ("Sicilian Defence: Open", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6"),
    ("Sicilian Defence: Alapin", "e2e4 c7c5 c2c3 d7d5"),
    ("French Defence: Advance", "e2e4 e7e6 d2d4 d7d5 e4e5 c7c5"),
    ("Caro-Kann Defence", "e2e4 c7c6 d2d4 d7d5 b1c3 d5e4 c3e4"),
    ("Scandinavian Defence", "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5"),
    ("Queen's Gambit Declined", "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6"),
    ("Queen's Gambit Accepted", "d2d4 d7d5 c2c4 d5c4 g1f3"),
    ("Slav Defence", "d2d4 d7d5 c2c4 c7c6 g1f3 g8f6"),
    ("King's Indian Defence", "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6"),
    ("Nimzo-Indian Defence", "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4"),
    ("English Opening", "c2c4 e7e5 b1c3 g8f6"),
];

/// Sixteen named lines of four to eight plies.
#[must_use]
pub fn builtin() -> Vec<OpeningLine> {
    LINES.iter().map(|(name, moves)| OpeningLine::of_moves(Some(name), moves)).collect()
}
