//! PGN files of other programs, with measurements in their comments.

use rookery_server::{
    game::parse_position,
    import::{ImportOptions, Measured, RawGame, Reading, games},
    model::RunId,
    store::ImportedGame,
};
use shakmaty::{Chess, EnPassantMode, fen::Fen, san::SanPlus, uci::UciMove};

/// Any bytes: each game is refused in a line that there is, or read whole: every move of it is legal, and so is what is said of it. Its
/// text, written in other lines, is the same game.
pub fn file(bytes: &[u8]) {
    // What is UTF-16 has more line feeds than it shows.
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() + 1;
    for raw in games(bytes) {
        assert!((1..=lines).contains(&raw.line));
        for comment in raw.moves.iter().flat_map(|played| &played.comments) {
            measured(comment);
        }
        match Reading::read(&raw, 74) {
            Ok(reading) => {
                again(&raw, reading.digest());
                legal(reading.into_game(RunId(1), "?", &options(), 0));
            }
            Err((line, fault)) => {
                assert!((1..=lines).contains(&line), "line {line} of {lines}: {fault}");
                assert!(!fault.to_string().is_empty());
            }
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        measured(text);
    }
}

fn options() -> ImportOptions {
    ImportOptions { run: "a".into(), first: None, level: None, firmware: None, units: 74 }
}

fn measured(comment: &str) {
    let measured = Measured::read(comment);
    for words in &measured.words {
        assert!(!words.is_empty() && words.trim() == words);
    }
}

fn legal(game: ImportedGame) {
    let mut position: Chess = parse_position(&game.game.start_fen).expect("a start");
    let mut at = game.game.started_at;
    for (ply, n) in game.plies.iter().zip(1..) {
        assert_eq!(ply.ply, n);
        let uci: UciMove = ply.uci.parse().expect("UCI notation");
        let mv = uci.to_move(&position).expect("a legal move");
        assert_eq!(UciMove::from_standard(mv).to_string(), ply.uci);
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        assert_eq!(san.to_string(), ply.san);
        assert_eq!(Fen::from_position(&position, EnPassantMode::Legal).to_string(), ply.fen);
        assert!(ply.at >= at, "time goes on");
        at = ply.at;
    }
    assert!(game.ended_at >= game.game.started_at);
    assert!(!game.termination.describe(game.result).is_empty());
}

/// The game's text as this writes it.
fn again(raw: &RawGame, digest: &str) {
    let quotes = |text: &str| text.contains(['"', '\\', '\n', '\r']);
    let braces = |text: &String| text.contains(['{', '}', '\n', '\r']);
    let comments = raw.moves.iter().flat_map(|played| &played.comments);
    // What cannot be written the plain way is for others to write.
    if raw.tags.iter().any(|(_, value)| quotes(value)) || comments.chain(&raw.intro).any(braces) {
        return;
    }
    let mut text = String::new();
    for (name, value) in &raw.tags {
        text.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    text.push('\n');
    for comment in &raw.intro {
        text.push_str(&format!("{{{comment}}}\n"));
    }
    for played in &raw.moves {
        // Behind a space: what begins a line with '%' is no move.
        text.push_str(&format!(" {}\n", played.san));
        for comment in &played.comments {
            text.push_str(&format!("{{{comment}}}\n"));
        }
    }
    text.push_str(raw.result.as_deref().unwrap_or_default());
    text.push_str("\n\n");
    let read: Vec<RawGame> = games(text.as_bytes()).collect();
    assert_eq!(read.len(), 1, "{text}");
    match Reading::read(&read[0], 74) {
        Ok(reading) => assert_eq!(reading.digest(), digest, "{text}"),
        Err((line, fault)) => panic!("line {line}: {fault}: {text}"),
    }
}
