//! A ply's measurements in each of the styles.

use super::{PgnStyle, text::Wrapped};
use crate::model::{Mover, PlayerSpec, PlyRecord, RunRecord, Score};

/// Writes what is known about a ply, and the reason for the game's end behind the last. Says whether anything was written.
pub(super) fn write(
    out: &mut Wrapped,
    style: PgnStyle,
    run: &RunRecord,
    ply: &PlyRecord,
    white: bool,
    end: Option<&str>,
) -> bool {
    let by_board = ply.mover == Mover::First && matches!(run.settings.first, PlayerSpec::Boards(_));
    match style {
        PgnStyle::Engine => {
            let mut parts = engine(ply, by_board);
            parts.extend(end.map(str::to_owned));
            if parts.is_empty() {
                return false;
            }
            out.comment(&parts.join(", "));
        }
        PgnStyle::Lichess => {
            let commands = lichess(ply, white);
            // One token each: a reader need not look for a command over the end of a line.
            let last = commands.len();
            for (n, command) in commands.iter().enumerate() {
                let open = if n == 0 { "{" } else { "" };
                let close = if n + 1 == last { "}" } else { "" };
                out.push(&format!("{open}{command}{close}"));
            }
            if let Some(end) = end {
                out.comment(end);
            }
            return last > 0 || end.is_some();
        }
        PgnStyle::Board => {
            let own = if by_board { board(ply) } else { None };
            if let Some(own) = &own {
                // The old files have a space first, unless the marker is there.
                let space = if ply.book { "" } else { " " };
                out.push(&format!("{{{space}{own}}}"));
            }
            if let Some(end) = end {
                out.comment(end);
            }
            return own.is_some() || end.is_some();
        }
    }
    true
}

/// Parts that stand with commas between them.
fn engine(ply: &PlyRecord, by_board: bool) -> Vec<String> {
    let mut parts = Vec::new();
    if ply.mover == Mover::Opening {
        parts.push("book".to_owned());
        return parts;
    }
    let score = ply.score.map(|score| score.to_string());
    let judged = match (score, ply.depth) {
        (Some(score), Some(depth)) => Some(format!("{score}/{depth}")),
        (score, _) => score,
    };
    let time = ply.host_us.map(|us| format!("{:.3}s", us as f64 / 1e6));
    let head: Vec<String> = judged.into_iter().chain(time).collect();
    if ply.book && !by_board {
        parts.push("book".to_owned());
    }
    if !head.is_empty() && !ply.book {
        parts.push(head.join(" "));
    }
    parts.extend(ply.nodes.filter(|_| !ply.book).map(|n| format!("n={n}")));
    if by_board {
        parts.extend(board(ply));
    }
    parts
}

/// `d=5 uz=45012 oc=-34`, `book, d=0 uz=1 oc=0`: the board's words.
fn board(ply: &PlyRecord) -> Option<String> {
    let (depth, nodes) = (ply.depth?, ply.nodes?);
    let book = if ply.book { "book, " } else { "" };
    let oc = ply.score_raw.unwrap_or(0);
    Some(format!("{book}d={depth} uz={nodes} oc={oc}"))
}

fn lichess(ply: &PlyRecord, white: bool) -> Vec<String> {
    let mut commands = Vec::new();
    if let Some(score) = ply.score {
        let from_white = if white { score } else { score.negated() };
        let value = match from_white {
            Score::Cp(cp) => format!("{:.2}", f64::from(cp) / 100.0),
            Score::Mate(moves) => format!("#{moves}"),
        };
        let depth = ply.depth.map(|d| format!(",{d}")).unwrap_or_default();
        commands.push(format!("[%eval {value}{depth}]"));
    }
    commands.extend(ply.clock_ms.map(|ms| format!("[%clk {}]", clock(ms))));
    commands.extend(ply.host_us.map(|us| format!("[%emt {}]", clock((us + 500) / 1000))));
    commands
}

/// `0:04:59.5`: hours, minutes, seconds, and what is left of them.
fn clock(ms: u64) -> String {
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let mut out = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if rest > 0 {
        out.push_str(format!(".{rest:03}").trim_end_matches('0'));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_as_lichess_writes_them() {
        assert_eq!(clock(0), "0:00:00");
        assert_eq!(clock(299_500), "0:04:59.5");
        assert_eq!(clock(3_723_004), "1:02:03.004");
        assert_eq!(clock(360_000_000), "100:00:00");
    }
}
