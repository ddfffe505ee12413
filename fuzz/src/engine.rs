//! The engine on the host: the lines of UCI, and what its other commands are given.

#[path = "../../engine/src/cli/mod.rs"]
mod cli;

use cli::clock::Allowance;
use cli::contest::{openings, settings};
use cli::options::{LARGEST_TABLE, Options};
use cli::position::Position;
use cli::rows::Row;
use rookery_engine::{Cell, ChessEngine as _, Game, MicroMax, Params, Side, Status};

/// Any lines for the UCI engine, each after the ones before: refused in one line of text, or read and
/// written so that it is read as the same, within all bounds, and as a position that the engine plays.
pub fn uci(data: &[u8]) {
    let mut options = Options::default();
    for line in data.split(|&byte| byte == b'\n') {
        let line = String::from_utf8_lossy(line);
        let (command, rest) =
            line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        match command {
            "position" => position(rest),
            "setoption" => set_option(&mut options, rest),
            "go" => go(&options, rest),
            _ => {}
        }
    }
}

/// What the other side is told is a line.
fn told(text: &str) {
    assert!(!text.is_empty() && !text.contains(char::is_control), "{text:?}");
}

fn position(line: &str) {
    let position = match Position::read(line) {
        Ok(position) => position,
        Err(error) => return told(&error),
    };
    let game = position.game().expect("it was checked");
    let mut written = match &position.fen {
        Some(fen) => format!("fen {fen} moves"),
        None => "startpos moves".to_owned(),
    };
    for mv in &position.moves {
        written.push_str(&format!(" {mv}"));
    }
    assert_eq!(Position::read(&written).as_ref(), Ok(&position), "{written}");
    let mut cells = [Cell::EMPTY; 2];
    let mut engine = MicroMax::new(&mut cells).expect("a power of two");
    if let Some(fen) = &position.fen {
        engine.set_position(fen).expect("it was checked");
    }
    for &mv in &position.moves {
        engine.play(mv).expect("it was checked");
    }
    assert_eq!(fen(engine.game()), fen(&game), "{line}");
}

fn fen(game: &Game) -> String {
    let mut fen = String::new();
    game.write_fen(&mut fen).expect("a string takes everything");
    fen
}

fn set_option(options: &mut Options, line: &str) {
    let before = *options;
    if let Err(error) = options.set(line) {
        told(&error);
        return assert_eq!(*options, before, "{line}");
    }
    let Options { cells, params } = *options;
    assert!(cells.is_power_of_two() && cells <= LARGEST_TABLE);
    assert_eq!(params, params.bounded());
    let mut again = Options::default();
    for (name, value) in [
        ("HashCells", cells as i64),
        ("NodeBudget", params.node_budget.into()),
        ("CastlingShort", params.castling_short.into()),
        ("CastlingLong", params.castling_long.into()),
        ("PawnCoefficient", params.pawn_coefficient.into()),
        ("DepthCeiling", params.depth_ceiling.into()),
    ] {
        again.set(&format!("name {name} value {value}")).expect("an option that there is");
    }
    assert_eq!(again, *options, "{line}");
    options.describe().iter().for_each(|line| told(line));
}

fn go(options: &Options, line: &str) {
    for side in [Side::White, Side::Black] {
        let (allowance, faults) = Allowance::read(line, side, &options.params);
        faults.iter().for_each(|fault| told(fault));
        assert!((1..=Params::DEEPEST).contains(&allowance.limits.depth), "{line}");
        assert_eq!(allowance.infinite, line.split_whitespace().any(|word| word == "infinite"));
        // One word more takes no bound away but the budget, wherever it comes.
        for line in [format!("infinite {line}"), format!("{line}\tinfinite")] {
            let (infinite, _) = Allowance::read(&line, side, &options.params);
            assert_eq!((infinite.infinite, infinite.time), (true, allowance.time), "{line}");
        }
    }
}

/// Any text as a file of openings, as the words of a match, and as rows of results: refused, or read
/// and written so that it is read as the same.
pub fn files(data: &[u8]) {
    let text = &*String::from_utf8_lossy(data);
    match openings::read(text) {
        Ok(read) => {
            for fen in &read {
                let game = Game::from_fen(fen).expect("it was checked");
                assert_eq!(game.status(), Status::Ongoing);
            }
            assert_eq!(openings::read(&read.join("\n")), Ok(read));
        }
        Err(error) => {
            let number = error.split([' ', ':']).nth(1).and_then(|number| number.parse().ok());
            assert!((1..=text.lines().count()).contains(&number.expect("a line")), "{error}");
        }
    }
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Ok(read) = settings::Settings::read(&words) {
            assert!(read.games.is_none_or(|games| games >= 2 && games % 2 == 0));
            let [first, second] = read.sides.each_ref().map(settings::describe);
            let words = ["--first", &first, "--second", &second, "--openings", "x"];
            let again = settings::Settings::read(&words).expect("its own words");
            assert_eq!(again.sides, read.sides, "{line}");
        }
        if let Err(error) = Row::read(line) {
            assert!(!error.is_empty());
        }
    }
}
