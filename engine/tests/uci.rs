//! The engine as a program sees it.

#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Uci {
    child: Child,
    input: ChildStdin,
    output: std::io::Lines<BufReader<ChildStdout>>,
}

impl Uci {
    fn start() -> Uci {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rookery-engine"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Uci { child, input, output: BufReader::new(output).lines() }
    }

    fn tell(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    /// The lines up to the first that begins so, and that line.
    fn until(&mut self, start: &str) -> (Vec<String>, String) {
        let mut lines = Vec::new();
        loop {
            let line = self.output.next().expect("the engine has more to say").unwrap();
            if line.starts_with(start) {
                return (lines, line);
            }
            lines.push(line);
        }
    }

    fn best_move(&mut self, position: &str, go: &str) -> String {
        self.tell(position);
        self.tell(go);
        self.until("bestmove").1
    }

    fn quit(mut self) {
        self.tell("quit");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn it_introduces_itself_and_is_ready() {
    let mut uci = Uci::start();
    uci.tell("uci");
    let (lines, _) = uci.until("uciok");
    for option in [
        "Hash",
        "HashCells",
        "NodeBudget",
        "CastlingShort",
        "CastlingLong",
        "PawnCoefficient",
        "DepthCeiling",
        "Preset",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(&format!("option name {option} type"))),
            "{option}"
        );
    }
    uci.tell("isready");
    uci.until("readyok");
    uci.quit();
}

#[test]
fn it_plays_what_the_original_plays() {
    let mut uci = Uci::start();
    uci.tell("setoption name HashCells value 256");
    uci.tell("setoption name NodeBudget value 20000");
    let position = "position startpos moves h2h4 g7g5 h4g5";
    uci.tell(position);
    uci.tell("go");
    let (lines, best) = uci.until("bestmove");
    assert_eq!(best, "bestmove d7d6");
    let info = lines.last().unwrap();
    assert!(info.starts_with("info depth 6 score cp -102 nodes 23096 time "), "{info}");
    assert!(info.ends_with(" pv d7d6"), "{info}");
    // The answer depends on the line alone.
    assert_eq!(
        uci.best_move("position startpos moves e2e4", "go nodes 3000"),
        uci.best_move("position startpos moves e2e4", "go nodes 3000")
    );
    assert_eq!(uci.best_move(position, "go"), "bestmove d7d6");
    uci.quit();
}

#[test]
fn stop_ends_a_search_without_end() {
    let mut uci = Uci::start();
    uci.tell("position startpos");
    uci.tell("go infinite");
    uci.until("info depth 5");
    uci.tell("isready");
    uci.until("readyok");
    uci.tell("stop");
    let best = uci.until("bestmove").1;
    assert_ne!(best, "bestmove 0000");
    // A mate is found at once, and told only after stop.
    uci.tell("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    uci.tell("go infinite");
    uci.until("info depth 98 score mate 1");
    uci.tell("stop");
    assert_eq!(uci.until("bestmove").1, "bestmove a1a8");
    uci.quit();
}

/// The king may go to f1, g1 and g3; the first passes do not see that f2 is attacked.
#[test]
fn a_line_that_is_shown_can_be_played() {
    let mut uci = Uci::start();
    uci.tell("position fen 4R3/8/7R/8/8/4K3/6k1/8 b - - 0 1");
    uci.tell("go nodes 20000");
    let (lines, _) = uci.until("bestmove");
    let lines: Vec<_> = lines.iter().filter(|line| line.starts_with("info depth")).collect();
    assert!(lines.len() > 2 && lines[0].starts_with("info depth 1 "), "{lines:?}");
    let shown: Vec<_> = lines.iter().filter_map(|line| line.split(" pv ").nth(1)).collect();
    assert!(shown.len() > 1, "{lines:?}");
    for mv in shown {
        assert!(["g2f1", "g2g1", "g2g3"].contains(&mv), "{lines:?}");
    }
    uci.quit();
}

/// An iteration is told by its own depth, one more than the original tells; 97 is no mate by itself.
#[test]
fn what_the_position_decides_is_told_with_depth_98_or_97() {
    let mut uci = Uci::start();
    let mut last = |position: &str| {
        uci.tell(position);
        uci.tell("go nodes 20000");
        uci.until("bestmove").0.pop().unwrap()
    };
    let mates = last("position fen 8/7k/R7/1R6/8/8/8/K7 w - - 0 1");
    assert!(mates.starts_with("info depth 98 score mate 2 "), "{mates}");
    let mated = last("position fen 7k/R7/1R6/8/8/8/8/K7 b - - 0 1");
    assert!(mated.starts_with("info depth 98 score mate -1 "), "{mated}");
    let repeats =
        "position fen 6k1/6p1/8/7Q/8/1q6/5PPP/6K1 w - - 0 1 moves h5e8 g8h7 e8h5 h7g8 h5e8";
    let drawn = last(repeats);
    assert!(drawn.starts_with("info depth 97 score cp "), "{drawn}");
    uci.quit();
}

#[test]
fn it_keeps_to_depth_and_time() {
    let mut uci = Uci::start();
    uci.tell("position startpos");
    uci.tell("go depth 5");
    let (lines, _) = uci.until("bestmove");
    assert!(lines.last().unwrap().starts_with("info depth 5 "), "{lines:?}");
    assert_ne!(uci.best_move("position startpos", "go movetime 50"), "bestmove 0000");
    assert_ne!(
        uci.best_move("position startpos moves e2e4", "go wtime 1000 btime 1000 winc 10 binc 10"),
        "bestmove 0000"
    );
    uci.quit();
}

#[test]
fn nonsense_is_answered_and_survived() {
    let mut uci = Uci::start();
    for line in [
        "position",
        "position fen",
        "position fen x",
        "position startpos moves e2e5",
        "setoption name Nothing value 1",
        "fly",
    ] {
        uci.tell(line);
        assert!(uci.until("info string").1.len() > 12, "{line}");
    }
    // A search goes on whatever bytes come meanwhile, and does without the bound that is none.
    uci.tell("go depth x infinite");
    assert!(uci.until("info string").1.contains("no number after depth"));
    uci.input.write_all(b"fly \xff\xfe\n\xff\nisready\n").unwrap();
    assert!(uci.until("info string").1.ends_with("\"fly\""));
    uci.until("readyok");
    uci.tell("stop");
    uci.until("bestmove");
    assert_eq!(uci.best_move("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go"), "bestmove 0000");
    uci.quit();
}

#[test]
fn the_end_of_the_input_ends_it() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rookery-engine"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"position startpos\ngo nodes 1000\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap().starts_with("bestmove ")
    );
}
