//! Names of openings with their codes in the Encyclopaedia of Chess Openings, found by position and so by any order of moves.
//!
//! The data are those of lichess-org/chess-openings, which are in the public domain (CC0 1.0), as the crate `esca` 0.4.0 carries them:
//! five files of a code, a name and a line each. Every line is replayed once, at the first question.

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, Position, fen::Fen, san::SanPlus, zobrist::Zobrist64,
};
use std::{collections::HashMap, sync::OnceLock};

const VOLUMES: [&str; 5] = [
    include_str!("eco/a.tsv"),
    include_str!("eco/b.tsv"),
    include_str!("eco/c.tsv"),
    include_str!("eco/d.tsv"),
    include_str!("eco/e.tsv"),
];

/// No line is longer: a position that comes about later has its name by chance.
pub const LONGEST: u32 = 40;

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eco {
    /// `C60`
    pub code: &'static str,
    /// `Ruy Lopez`
    pub name: &'static str,
}

impl std::fmt::Display for Eco {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code, self.name)
    }
}

/// The opening whose line ends in this position.
#[must_use]
pub fn name(position: &Chess) -> Option<Eco> {
    static NAMES: OnceLock<HashMap<Zobrist64, Eco>> = OnceLock::new();
    NAMES.get_or_init(read).get(&key(position)).copied()
}

/// The opening of a line of positions: the last one that has a name.
#[must_use]
pub fn classify<'a>(line: impl DoubleEndedIterator<Item = &'a Chess>) -> Option<Eco> {
    line.rev().find_map(name)
}

/// The opening whose line ends in the position of a FEN; `None` too where it is no FEN of a game.
#[must_use]
pub fn name_of_fen(fen: &str) -> Option<Eco> {
    let fen: Fen = fen.parse().ok()?;
    name(&fen.into_position(CastlingMode::Standard).ok()?)
}

fn key(position: &Chess) -> Zobrist64 {
    position.zobrist_hash(EnPassantMode::Legal)
}

fn read() -> HashMap<Zobrist64, Eco> {
    rows().map(|(eco, line)| (key(&play(line)), eco)).collect()
}

/// Codes and names with their lines in SAN.
fn rows() -> impl Iterator<Item = (Eco, &'static str)> {
    VOLUMES.iter().flat_map(|volume| volume.lines().skip(1)).map(|row| {
        let mut fields = row.split('\t');
        let mut field = || fields.next().expect("a row has three fields");
        (Eco { code: field(), name: field() }, field())
    })
}

fn play(line: &str) -> Chess {
    let mut position = Chess::default();
    for word in line.split(' ').filter(|word| !word.ends_with('.')) {
        let san: SanPlus = word.parse().expect("the line is SAN");
        let mv = san.san.to_move(&position).expect("the line is legal");
        position.play_unchecked(mv);
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_legal_line_of_its_own() {
        let names = read();
        assert_eq!(names.len(), rows().count());
        assert!(names.len() > 3_500);
        for (eco, _) in rows() {
            let [volume, tens @ ..] = eco.code.as_bytes() else { panic!("{eco}") };
            assert!(matches!(volume, b'A'..=b'E') && tens.iter().all(u8::is_ascii_digit), "{eco}");
            assert!(!eco.name.trim().is_empty());
        }
        let words = |line: &str| line.split(' ').filter(|word| !word.ends_with('.')).count();
        assert!(rows().all(|(_, line)| words(line) <= LONGEST as usize));
    }

    #[test]
    fn an_opening_is_known_by_its_position() {
        let ruy = name(&play("1. e4 e5 2. Nf3 Nc6 3. Bb5")).expect("the Ruy Lopez");
        assert_eq!(ruy.to_string(), "C60 Ruy Lopez");
        assert_eq!(name(&play("1. Nf3 Nc6 2. e4 e5 3. Bb5")), Some(ruy));
        assert_eq!(name(&Chess::default()), None);
        let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        assert_eq!(name_of_fen(fen), Some(ruy));
        assert_eq!(name_of_fen("nonsense"), None);
        let line = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. e4 e5 2. Nf3 Nc6 3. Bb5 Rb8"].map(play);
        assert_eq!(classify(line.iter()), Some(ruy));
    }
}
