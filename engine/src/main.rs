//! The engine on the host: a UCI engine for any program, and the commands that hold it against
//! reference data.

mod cli;

use std::process::ExitCode;

const USAGE: &str = "\
The chess engine of Rookery: micro-Max 4.8 by H.G. Muller, in Rust.

Usage:
  rookery-engine                     speak UCI on standard input and output
  rookery-engine rows FILE.tsv       replay rows of the original's results; exit code 1 if any differs
  rookery-engine perft DEPTH [FEN]   count the legal games of DEPTH half moves
  rookery-engine divide DEPTH [FEN]  the same, move by move
  rookery-engine match --help        play against itself with other parameters
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        [] | ["uci"] => cli::uci::run(),
        ["rows", path] => cli::rows::run(path),
        ["perft", depth, fen @ ..] => cli::perft::run(depth, &fen.join(" "), false),
        ["divide", depth, fen @ ..] => cli::perft::run(depth, &fen.join(" "), true),
        ["match", words @ ..] => cli::contest::run(words),
        ["help" | "--help" | "-h"] => {
            print!("{USAGE}");
            Ok(true)
        }
        _ => Err(format!("unknown command\n\n{USAGE}")),
    };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("rookery-engine: {message}");
            ExitCode::from(2)
        }
    }
}
