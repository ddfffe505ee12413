//! `rookery book import`.

use super::{build::SideArg, writable, write_all};
use crate::{
    book::{self, ImportOptions, named_lines, parse_named},
    cli::{Usage, out},
};
use anyhow::Context as _;
use shakmaty::Color;
use std::{path::PathBuf, process::ExitCode};

const AFTER_HELP: &str = "\
Examples:
  rookery book import --pgn games.pgn --min-games 3 --min-score 45 --out games.bin
  rookery book import --named --out names.rkb
  rookery book import --lines mine.txt --named --side black --out mine.json

A file of lines has one in a row, a name and moves in UCI or SAN:  Slav Defense  d2d4 d7d5 c2c4 c7c6";

/// The options of `rookery book import`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("source").required(true).multiple(true).args(["pgn", "lines", "named"]))]
pub(super) struct Args {
    /// Games; again for more files
    #[arg(long, value_name = "FILE")]
    pgn: Vec<PathBuf>,
    /// Named lines, one in a row
    #[arg(long, value_name = "FILE")]
    lines: Vec<PathBuf>,
    /// The fourteen lines built in, from the Ruy Lopez to the Réti
    #[arg(long)]
    named: bool,
    /// The book's file; again for more forms of it
    #[arg(long, value_name = "FILE", required = true)]
    out: Vec<PathBuf>,
    /// Plies of a game that are looked at
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
    /// Games in which a move must have been played in its position
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u32,
    /// Percent that a move must have scored for its side, a draw being half a win
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    min_score: u8,
    /// The side whose moves are taken
    #[arg(long, value_enum, default_value = "both")]
    side: SideArg,
}

pub(super) fn import(args: &Args) -> anyhow::Result<ExitCode> {
    for path in &args.out {
        writable(path)?;
    }
    let mut lines = if args.named { named_lines() } else { Vec::new() };
    for path in &args.lines {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read '{}'", path.display()))?;
        lines.extend(parse_named(&text).with_context(|| format!("'{}'", path.display()))?);
    }
    let options = ImportOptions {
        plies: args.plies,
        min_games: args.min_games,
        min_score: f64::from(args.min_score) / 100.0,
        side: match args.side {
            SideArg::White => Some(Color::White),
            SideArg::Black => Some(Color::Black),
            SideArg::Both => None,
        },
    };
    let imported = book::import(&args.pgn, &lines, options)?;
    for why in &imported.skipped {
        out::note(format_args!("left out: {why}"));
    }
    let more = imported.skipped_count.saturating_sub(imported.skipped.len() as u64);
    if more > 0 {
        out::note(format_args!("left out: {more} more"));
    }
    if imported.contents.positions.is_empty() {
        let cure = if (args.min_games, args.min_score, args.plies) == (1, 0, 24) {
            "no move in them could be read: are the files PGN?"
        } else {
            "lower --min-games or --min-score, or raise --plies"
        };
        return Err(Usage(format!(
            "of {} games nothing is left for a book: {cure}",
            imported.games
        ))
        .into());
    }
    out::note(format_args!("{} games and lines read", imported.games));
    write_all(&imported.contents, &args.out)?;
    Ok(ExitCode::SUCCESS)
}
