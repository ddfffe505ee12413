//! The command line: what can be said, and one module for each command. Flags win over `ROOKERY_*` variables, those over the
//! configuration file.

mod api;
mod archive;
mod boards;
mod book;
mod books;
mod client;
mod console;
mod demo;
mod firmware;
mod flash;
mod games;
mod import;
mod openings;
mod out;
mod pgn;
mod progress;
mod remote;
mod report;
mod run;
mod runs;
mod serve;
mod session;
mod simulator;
mod table;
mod telemetry;

use crate::config::{Config, ConfigError};
use clap::{CommandFactory, Parser, Subcommand};
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery demo                                       watch it on http://127.0.0.1:8080
  rookery demo --games 4 --level 3000 --exit         four quick games and a summary
  rookery run --board tcp://192.168.4.1:23 --engine stockfish --engine-limit nodes=20000 \\
      --games 10 --level 45000 --db games.db --pgn games.pgn
  rookery boards                                     which boards there are
  rookery games --db games.db                        what has been played
  rookery telemetry journal --db games.db            what was measured
  rookery serve --config rookery.toml                the daemon
  rookery runs list --server http://127.0.0.1:8080   what a running server plays
  rookery flash --board tcp://192.168.4.1:23 rookery-stm32f103c6.elf
                                                     new firmware for a board
  rookery book build --side black --out black.rkb    an opening book for a board

Exit status:
  0  done, or ended by Ctrl-C with every game kept and resumable
  1  failed; the reason is on standard error
  2  wrong usage
  130  ended at once by a second Ctrl-C";

/// Play control games between microcontroller chess boards and UCI engines, unattended.
#[derive(Debug, Parser)]
#[command(name = "rookery", version, after_help = AFTER_HELP, max_term_width = 110)]
pub struct Cli {
    /// Configuration file (TOML) [serve, boards: rookery.toml where there is one]
    #[arg(long, global = true, env = "ROOKERY_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,
    /// What is said on standard error: error, warn, info, debug, trace, or a filter such as info,engine=debug
    /// [default: warn; serve: info]
    #[arg(long, global = true, env = "ROOKERY_LOG", value_name = "FILTER")]
    log: Option<String>,
    /// Folder of log files, one a day, with everything from 'info' on and the engines' stderr
    #[arg(long, global = true, env = "ROOKERY_LOG_DIR", value_name = "DIR")]
    log_dir: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start a simulated board and Stockfish and let them play, with the page
    Demo(Box<demo::Args>),
    /// Play a run of games between a board (or an engine) and an engine
    Run(Box<run::Args>),
    /// The runs of a running server: list, begin, pause, stop, watch
    Runs(Box<runs::Args>),
    /// The daemon: boards and runs from the configuration and the API, with the page
    Serve(serve::Args),
    /// Find boards: serial ports, configured ones, those named here; and what answers
    Boards(boards::Args),
    /// List the games of a database or of a running server
    Games(games::Args),
    /// Write the games of a database or of a running server as PGN
    Pgn(pgn::Args),
    /// Watch the raw traffic of a board's link, and talk to the board
    Console(console::Args),
    /// Gather everything about a game for a fault report
    Report(report::Args),
    /// Write firmware to a board, through the loader in its chip's ROM
    Flash(Box<flash::Args>),
    /// The opening books that a running server knows: list, show, keep, fetch, forget
    Books(books::Args),
    /// The firmware images that a running server keeps, and what was flashed
    Firmware(firmware::Args),
    /// Ask what was measured: nodes, times, depths, link faults
    Telemetry(telemetry::Args),
    /// Take games from PGN files, with the measurements in their comments
    Import(import::Args),
    /// Make, show, check and convert opening books
    Book(Box<book::Args>),
    /// Ask a running server whatever its API answers
    Api(api::Args),
    /// Starts an engine that ends with its parent
    #[command(hide = true, name = crate::uci::GUARD_SUBCOMMAND)]
    Guard,
}

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;

/// What was said cannot be done: what clap cannot see by itself.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// A failure and its causes; those that are told already by what they caused are not told again.
fn in_words(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// The program.
#[must_use]
pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    // Not a command for people: it takes its arguments as they are, whatever they look like.
    if args.get(1).is_some_and(|arg| arg == crate::uci::GUARD_SUBCOMMAND) {
        return crate::uci::guard_from_args(&args[2..]);
    }
    if let Err(message) = check_environment() {
        out::note(format_args!("error: {message}"));
        return ExitCode::from(WRONG_USAGE);
    }
    let cli = Cli::parse();
    match run_command(cli) {
        Ok(code) => code,
        // Nobody reads any more what was to be said: as little a failure as for other tools.
        Err(error) if out::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            out::note(format_args!("error: {}", in_words(&error)));
            ExitCode::from(if error.is::<Usage>() { WRONG_USAGE } else { FAILED })
        }
    }
}

fn run_command(cli: Cli) -> anyhow::Result<ExitCode> {
    let serves = matches!(cli.command, Command::Serve(_));
    let looks_around = matches!(cli.command, Command::Boards(_));
    let mut config = read_config(cli.config.as_deref(), serves || looks_around)?;
    config.log_dir = cli.log_dir.clone().or(config.log_dir);
    let default = if serves { "info" } else { "warn" };
    let filter = cli.log.as_deref().unwrap_or(default);
    let _writer = session::start_log(filter, config.log_dir.as_deref())?;
    let runtime = tokio::runtime::Runtime::new()?;
    let result = runtime.block_on(async {
        match cli.command {
            Command::Demo(args) => demo::demo(*args, &config).await,
            Command::Run(args) => run::run(*args, &config).await,
            Command::Runs(args) => runs::runs(*args).await,
            Command::Serve(args) => serve::serve(args, &config).await,
            Command::Boards(args) => boards::boards(args, &config).await,
            Command::Games(args) => games::games(args, &config).await,
            Command::Pgn(args) => pgn::pgn(args, &config).await,
            Command::Console(args) => console::console(args, &config).await,
            Command::Report(args) => report::report(args, &config).await,
            Command::Flash(args) => flash::flash(*args, &config).await,
            Command::Books(args) => books::books(args).await,
            Command::Firmware(args) => firmware::firmware(args).await,
            Command::Api(args) => api::api(args).await,
            Command::Telemetry(args) => telemetry::telemetry(args, &config).await,
            Command::Import(args) => import::run(args, &config).await,
            Command::Book(args) => book::book(*args, &config).await,
            Command::Guard => Ok(ExitCode::FAILURE),
        }
    });
    // Tasks that did not end in time (they were waited for) are not waited for again.
    runtime.shutdown_background();
    result
}

fn read_config(path: Option<&Path>, by_default: bool) -> Result<Config, ConfigError> {
    const DEFAULT: &str = "rookery.toml";
    match path {
        Some(path) => Config::read(path),
        None if by_default && Path::new(DEFAULT).exists() => Config::read(Path::new(DEFAULT)),
        None => Ok(Config::default()),
    }
}

/// A variable that is spelt wrong must not be passed over in silence.
fn check_environment() -> Result<(), String> {
    let root = Cli::command();
    let mut known: Vec<String> = Vec::new();
    for command in std::iter::once(&root).chain(root.get_subcommands()) {
        let names = command.get_arguments().filter_map(|arg| arg.get_env());
        known.extend(names.map(|name| name.to_string_lossy().into_owned()));
    }
    known.sort();
    known.dedup();
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy();
        if name.starts_with("ROOKERY_") && !known.iter().any(|k| *k == name) {
            let known = known.join(", ");
            return Err(format!("the variable {name} is not known; there are: {known}"));
        }
    }
    Ok(())
}
