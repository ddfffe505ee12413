//! The Universal Chess Interface.
//!
//! Every `go` begins with empty tables, and enters the moves of the `position` line one by one, as
//! the original would have had them entered: so the answer depends on the line alone, not on what
//! was thought before.

use std::io::{BufRead, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rookery_engine::{
    Cell, ChessEngine, Control, Iteration, MicroMax, Move, Params, Progress, Thought,
};

use super::clock::Allowance;
use super::options::Options;
use super::position::Position;

/// A score beyond this is a mate.
const MATE_BOUND: i32 = 7864;
const MATE: i32 = 8000;
/// How often a search without end looks whether it may tell its move.
const WAIT: Duration = Duration::from_millis(5);

/// A search that runs beside the reading of lines.
struct Running {
    stop: Arc<AtomicBool>,
    thread: JoinHandle<()>,
    infinite: bool,
}

impl Running {
    fn finish(self) {
        if self.thread.join().is_err() {
            say("info string the search has failed");
        }
    }

    fn stop(self) {
        self.stop.store(true, Ordering::Relaxed);
        self.finish();
    }
}

/// Speak UCI until `quit` or the end of the input.
pub(crate) fn run() -> Result<bool, String> {
    let mut options = Options::default();
    let mut position = Position::default();
    let mut running: Option<Running> = None;
    for line in std::io::stdin().lock().split(b'\n') {
        let line = line.map_err(|error| error.to_string())?;
        // What is no UTF-8 is a word that nobody knows; it ends neither the search nor the program.
        let line = String::from_utf8_lossy(&line);
        let (command, rest) =
            line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match command {
            "uci" => {
                say(&format!("id name Rookery (micro-Max 4.8) {}", env!("CARGO_PKG_VERSION")));
                say("id author H.G. Muller (micro-Max); the Rookery authors (this program)");
                options.describe().iter().for_each(|line| say(line));
                say("uciok");
            }
            "isready" => say("readyok"),
            "stop" => end(&mut running),
            "quit" => {
                end(&mut running);
                return Ok(true);
            }
            "ucinewgame" | "position" | "setoption" | "go" => {
                // A program that does not wait for the move does not want it any more.
                end(&mut running);
                let outcome = match command {
                    "ucinewgame" => {
                        position = Position::default();
                        Ok(())
                    }
                    "position" => Position::read(rest).map(|read| position = read),
                    "setoption" => options.set(rest),
                    _ => start(&position, &options, rest).map(|search| running = Some(search)),
                };
                outcome.unwrap_or_else(|message| say(&format!("info string error: {message}")));
            }
            "" | "debug" | "register" | "ponderhit" => {}
            _ => say(&format!("info string unknown command {command:?}")),
        }
    }
    // The input has ended: a bounded search may still tell its move.
    match running {
        Some(search) if search.infinite => search.stop(),
        Some(search) => search.finish(),
        None => {}
    }
    Ok(true)
}

/// End the search there may be.
fn end(running: &mut Option<Running>) {
    if let Some(search) = running.take() {
        search.stop();
    }
}

fn start(position: &Position, options: &Options, line: &str) -> Result<Running, String> {
    let side = position.game()?.side_to_move();
    let (allowance, faults) = Allowance::read(line, side, &options.params);
    for fault in faults {
        say(&format!("info string error: {fault}"));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let (position, options, stopped) = (position.clone(), *options, Arc::clone(&stop));
    let thread = std::thread::Builder::new()
        .name("search".to_owned())
        .spawn(move || {
            let best = match search(&position, &options, allowance, &stopped) {
                Ok(thought) => thought.best,
                Err(message) => {
                    say(&format!("info string error: {message}"));
                    None
                }
            };
            while allowance.infinite && !stopped.load(Ordering::Relaxed) {
                std::thread::sleep(WAIT);
            }
            say(&format!("bestmove {}", best.map_or("0000".to_owned(), |mv| mv.to_string())));
        })
        .map_err(|error| error.to_string())?;
    Ok(Running { stop, thread, infinite: allowance.infinite })
}

fn search(
    position: &Position,
    options: &Options,
    allowance: Allowance,
    stopped: &AtomicBool,
) -> Result<Thought, String> {
    let begin = Instant::now();
    let mut cells = vec![Cell::EMPTY; options.cells];
    let mut engine = MicroMax::new(&mut cells).map_err(|error| error.to_string())?;
    // The words of the `go` line may allow more than the options do.
    engine.set_params(Params {
        node_budget: u32::MAX,
        depth_ceiling: Params::DEEPEST,
        ..options.params
    });
    if let Some(fen) = &position.fen {
        engine.set_position(fen).map_err(|error| error.to_string())?;
    }
    for &mv in &position.moves {
        engine.play(mv).map_err(|error| error.to_string())?;
    }
    let pawn = i32::from(engine.pawn_units());
    let legal = engine.game().legal_moves();
    Ok(engine.think(allowance.limits, &mut |progress| {
        if let Progress::Iteration(iteration) = progress {
            // The first passes do not see the reply yet, and may like a move that leaves the king in check: no line to show.
            let line = iteration.best.filter(|best| legal.iter().any(|mv| mv == best));
            say(&info(iteration, line, pawn, begin.elapsed()));
        }
        let late = allowance.time.is_some_and(|time| begin.elapsed() >= time);
        if late || stopped.load(Ordering::Relaxed) { Control::Stop } else { Control::Continue }
    }))
}

/// The line that tells of an iteration.
fn info(iteration: &Iteration, pv: Option<Move>, pawn: i32, elapsed: Duration) -> String {
    let nodes = iteration.nodes.max(1);
    let milliseconds = elapsed.as_millis();
    let speed = nodes as u128 * 1_000_000 / elapsed.as_micros().max(1);
    let mut line = format!(
        "info depth {} score {} nodes {nodes} time {milliseconds} nps {speed}",
        i32::from(iteration.depth) + 1,
        score(iteration.score, pawn),
    );
    if let Some(best) = pv {
        line.push_str(&format!(" pv {best}"));
    }
    line
}

fn score(score: i32, pawn: i32) -> String {
    match score {
        MATE_BOUND.. => format!("mate {}", (MATE - score).max(1)),
        _ if score <= -MATE_BOUND => format!("mate -{}", (MATE + score).max(1)),
        _ => format!("cp {}", score * 100 / pawn),
    }
}

/// Print a line at once; a reader that has gone away ends the program soon enough.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_in_hundredths_of_a_pawn_or_moves_to_mate() {
        assert_eq!(score(74, 74), "cp 100");
        assert_eq!(score(-37, 74), "cp -50");
        assert_eq!(score(7999, 74), "mate 1");
        assert_eq!(score(-7998, 74), "mate -2");
    }
}
