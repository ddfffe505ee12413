//! Files with openings.

use rookery_server::{
    model::OpeningLine,
    openings::{OpeningError, OpeningOptions, parse, replay},
};
use shakmaty::{EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};
use std::path::Path;

/// Any file: refused in a line that there is, or every line of it can be played, and is read again from a PGN and an EPD file of its
/// own. The beginning of a line is what is read where only so many plies are wanted.
pub fn file(data: &[u8]) {
    for name in ["a.pgn", "a.epd", "a"] {
        let read = |max_plies| {
            parse(Path::new(name), data, OpeningOptions { max_plies, ..OpeningOptions::default() })
        };
        let lines = match read(None) {
            Ok(lines) => lines,
            Err(OpeningError::Line { line, why, .. }) => {
                let there = data.iter().filter(|byte| **byte == b'\n').count() + 1;
                assert!((1..=there).contains(&line) && !why.to_string().is_empty());
                continue;
            }
            Err(error) => {
                assert!(error.to_string().len() < 1000);
                continue;
            }
        };
        assert!(!lines.is_empty());
        for line in &lines {
            written(line);
        }
        // The start of a game may be no opening by itself, but every line must be as many as before where it is read.
        if let Ok(short) = read(Some(3)) {
            assert_eq!(short.len(), lines.len());
            for (short, long) in short.iter().zip(&lines) {
                assert!(long.moves.starts_with(&short.moves) && short.moves.len() <= 3);
                assert_eq!((&short.fen, &short.name), (&long.fen, &long.name));
            }
        }
    }
}

fn written(line: &OpeningLine) {
    let (mut position, end) = replay(line).expect("a line that was accepted");
    let mut pgn = line.fen.as_ref().map_or(String::new(), |fen| format!("[FEN \"{fen}\"]\n"));
    pgn.push_str("[Event \"?\"]\n\n");
    for text in &line.moves {
        let uci: UciMove = text.parse().expect("UCI notation");
        let mv = uci.to_move(&position).expect("legal");
        pgn.push_str(&format!("{} ", SanPlus::from_move_and_play_unchecked(&mut position, mv)));
    }
    pgn.push_str("*\n\n");
    assert_eq!(position, end);
    let again = parse(Path::new("a.pgn"), pgn.as_bytes(), OpeningOptions::default());
    let again = again.unwrap_or_else(|error| panic!("{error}: {pgn}"));
    assert_eq!(again.len(), 1, "{pgn}");
    assert_eq!((&again[0].fen, &again[0].moves), (&line.fen, &line.moves), "{pgn}");
    let epd = Fen::from_position(&end, EnPassantMode::Always).to_string();
    let again = parse(Path::new("a.epd"), epd.as_bytes(), OpeningOptions::default());
    assert_eq!(again.expect("a FEN")[0].fen.as_ref(), Some(&epd));
}
