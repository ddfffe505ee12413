//! Lines of engines.

use rookery_server::{
    model::Score,
    uci::{BestMoveLine, Bound, Info, OptionKind, OptionLine, UciLine, interpret},
};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen, uci::UciMove};

/// Positions with every kind of move: castling of both sides, promotions, a capture in passing.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/4P2P/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1",
    "r3k2r/8/8/8/2pP4/8/4p2p/R3K2R b KQkq d3 0 1",
];

/// Any bytes, by lines: what was read is written so that it is read as the same, and what is taken for a move is legal.
pub fn lines(data: &[u8]) {
    for bytes in data.split(|byte| *byte == b'\n') {
        line(bytes);
    }
}

fn line(bytes: &[u8]) {
    let parsed = UciLine::parse(bytes);
    let text = String::from_utf8_lossy(bytes);
    assert_eq!(text.parse().as_ref(), Ok(&parsed.line));
    if let Some(whole) = &parsed.recovered {
        assert_eq!(UciLine::parse(whole.as_bytes()), parsed);
    }
    let written = match &parsed.line {
        UciLine::Info(info) => info_line(info),
        UciLine::BestMove(best) => {
            best_move(best);
            best.raw.clone()
        }
        UciLine::Option(option) => option_line(option),
        UciLine::IdName(name) => format!("id name {name}"),
        UciLine::IdAuthor(author) => format!("id author {author}"),
        UciLine::UciOk => "uciok".into(),
        UciLine::ReadyOk => "readyok".into(),
        UciLine::Other(text) => text.clone(),
        UciLine::CopyProtection(_) | UciLine::Registration(_) => return,
    };
    assert_eq!(written.parse(), Ok(parsed.line), "{written:?}");
}

fn best_move(best: &BestMoveLine) {
    for word in best.mv.iter().chain(&best.ponder) {
        assert!(!word.is_empty() && !word.contains(|c: char| c.is_ascii_whitespace()));
    }
    let raw = best.mv.as_deref().unwrap_or_default();
    for fen in POSITIONS {
        let fen: Fen = fen.parse().expect("a FEN");
        let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
        match interpret(raw, &position) {
            Ok(read) => {
                assert!(position.is_legal(read.mv), "{raw}");
                let uci = UciMove::from_standard(read.mv).to_string();
                let again = interpret(&uci, &position).expect("UCI notation");
                assert_eq!((again.mv, again.warning), (read.mv, None));
            }
            Err(bad) => assert!(bad.raw == raw && !bad.reason.is_empty()),
        }
    }
}

fn info_line(info: &Info) -> String {
    let mut line = String::from("info");
    let mut word = |name: &str, value: Option<u64>| {
        if let Some(value) = value {
            line.push_str(&format!(" {name} {value}"));
        }
    };
    word("depth", info.depth.map(u64::from));
    word("seldepth", info.seldepth.map(u64::from));
    word("multipv", info.multipv.map(u64::from));
    word("nodes", info.nodes);
    word("time", info.time_ms);
    line.push_str(&match info.score {
        Some(Score::Cp(cp)) => format!(" score cp {cp}"),
        Some(Score::Mate(moves)) => format!(" score mate {moves}"),
        None => " score".into(),
    });
    line.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if !info.pv.is_empty() {
        assert_eq!(info.pv.split_ascii_whitespace().collect::<Vec<_>>().join(" "), info.pv);
        line.push_str(&format!(" pv {}", info.pv));
    }
    if let Some(text) = &info.string {
        line.push_str(&format!(" string {text}"));
    }
    line
}

fn option_line(option: &OptionLine) -> String {
    let kind = match &option.kind {
        OptionKind::Check => "check".into(),
        OptionKind::Button => "button".into(),
        OptionKind::String => "string".into(),
        OptionKind::Spin { min, max } => {
            let limit = |name: &str, limit: &Option<i64>| {
                limit.map_or(String::new(), |limit| format!(" {name} {limit}"))
            };
            format!("spin{}{}", limit("min", min), limit("max", max))
        }
        OptionKind::Combo { vars } => {
            vars.iter().fold("combo".to_owned(), |line, var| format!("{line} var {var}"))
        }
    };
    format!("option name {} type {kind}", option.name)
}
