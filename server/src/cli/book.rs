//! `rookery book`: opening books, made and looked at.

mod build;
mod check;
mod convert;
mod explore;
mod import;
mod show;

pub(super) use convert::PickArg;

use super::Usage;
use crate::{
    book::{AnalystOptions, Book, BookError, Contents, Form, encode, parse_root},
    config::Config,
    files,
    model::{EngineSpec, Limit, OpeningLine},
    openings::{self, OpeningOptions},
    uci::EngineOptions,
};
use anyhow::Context as _;
use shakmaty::Chess;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

const AFTER_HELP: &str = "\
Examples:
  rookery book build --side black --out black.json --out black.rkb
  rookery book import --pgn games.pgn --min-games 3 --out games.bin
  rookery book show black.json --plies 4
  rookery book explore black.json --line 'e4 e5' --engine stockfish
  rookery book check games.bin --blunders 80
  rookery book stats black.rkb
  rookery book convert games.bin --out board.rkb

A book's name says what it is: .bin Polyglot, .rkb a board's, .json everything, .pgn lines.";

/// The options of `rookery book`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make a book with a UCI engine
    Build(build::Args),
    /// Make a book from games and named lines
    Import(import::Args),
    /// Show a book as a tree, with the names of openings
    Show(show::Args),
    /// One position: the book's moves, what an engine thinks, the games of a database that came through it
    Explore(explore::Args),
    /// Look for what is wrong with a book; exit status 1 when something is
    Check(check::Args),
    /// Count what is in a book
    Stats(show::StatsArgs),
    /// Write a book in another form
    Convert(convert::Args),
}

pub(super) async fn book(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::Build(args) => build::build(args).await,
        Command::Import(args) => import::import(&args),
        Command::Show(args) => show::show(&args),
        Command::Explore(args) => explore::show(&args, config).await,
        Command::Check(args) => check::check(args).await,
        Command::Stats(args) => show::stats(&args),
        Command::Convert(args) => convert::convert(&args),
    }
}

/// From where a book is walked.
#[derive(Debug, clap::Args)]
struct Roots {
    /// Where lines begin: a FEN, or moves (UCI or SAN) from the usual start position; again for more
    /// [default: that position]
    #[arg(long, value_name = "MOVES|FEN", value_parser = parse_root)]
    root: Vec<OpeningLine>,
    /// The same from a file: PGN, EPD or FEN
    #[arg(long, value_name = "FILE")]
    roots: Option<PathBuf>,
}

impl Roots {
    /// Lines, where any are named.
    fn lines(&self) -> anyhow::Result<Vec<OpeningLine>> {
        let mut lines = self.root.clone();
        if let Some(path) = &self.roots {
            lines.extend(openings::read(path, OpeningOptions::default())?);
        }
        Ok(lines)
    }

    /// The positions at the ends of the lines, and the usual start position.
    fn positions(&self) -> anyhow::Result<Vec<Chess>> {
        let mut positions = vec![Chess::default()];
        for line in self.lines()? {
            positions.push(openings::replay(&line).context("a root")?.1);
        }
        Ok(positions)
    }
}

/// The engine that judges.
#[derive(Debug, clap::Args)]
struct Engine {
    /// UCI engine
    #[arg(long, value_name = "PATH", default_value = "stockfish")]
    engine: PathBuf,
    /// UCI option of it, such as 'Hash=64'; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = super::run::pair)]
    engine_option: Vec<(String, String)>,
    /// Limit of its thinks: nodes=N and depth=N give the same book each time, movetime=MS does not
    #[arg(long, value_name = "LIMIT", default_value = "nodes=100000")]
    engine_limit: Limit,
    /// Engines at a time, of one thread each [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=512))]
    workers: Option<u16>,
    /// Seconds that one think may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    think_timeout: u32,
}

impl Engine {
    fn options(&self, cache: Option<PathBuf>) -> AnalystOptions {
        let mut engine = EngineSpec::new(self.engine.clone());
        engine.options.clone_from(&self.engine_option);
        engine.limit = self.engine_limit;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = self.workers.map_or(cores, usize::from);
        analyst(engine, workers, cache, Duration::from_secs(self.think_timeout.into()))
    }
}

fn analyst(
    engine: EngineSpec,
    workers: usize,
    cache: Option<PathBuf>,
    watchdog: Duration,
) -> AnalystOptions {
    let start = EngineOptions { guard: std::env::current_exe().ok(), ..EngineOptions::default() };
    AnalystOptions { engine, workers, cache, start, watchdog }
}

/// The form that a file's name asks for; checked before any work is done.
fn form_of(path: &Path) -> anyhow::Result<Form> {
    let form = Form::of_name(path).ok_or_else(|| BookError::Name { path: path.to_owned() });
    form.map_err(|error| Usage(error.to_string()).into())
}

/// Whether a book can be written there; seen before an engine has thought for hours.
fn writable(path: &Path) -> anyhow::Result<()> {
    form_of(path)?;
    files::replaceable(path)
        .with_context(|| format!("the book '{}' cannot be written", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::replace(path, bytes)
        .with_context(|| format!("the book '{}' cannot be written", path.display()))
}

/// Writes contents into files in the forms that their names ask for. One that cannot be written does not keep the others from it.
fn write_all(contents: &Contents, out: &[PathBuf]) -> anyhow::Result<()> {
    let mut failed = None;
    for path in out {
        let encoded = encode(contents, form_of(path)?)
            .with_context(|| format!("'{}' was not written", path.display()));
        match encoded.and_then(|bytes| write(path, &bytes).map(|()| bytes.len())) {
            Ok(length) => super::out::line(format_args!("{}: {length} bytes", path.display()))?,
            Err(error) => {
                if let Some(before) = failed.replace(error) {
                    super::out::note(format_args!("error: {before:#}"));
                }
            }
        }
    }
    let (positions, moves) = (contents.positions.len(), contents.move_count());
    super::out::line(format_args!("{positions} positions, {moves} moves"))?;
    failed.map_or(Ok(()), Err)
}

fn open(path: &Path, roots: &Roots) -> anyhow::Result<(Book, Contents)> {
    let book = Book::open(path)?;
    let contents = book.contents(&roots.positions()?);
    Ok((book, contents))
}
