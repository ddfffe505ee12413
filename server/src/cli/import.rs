//! `rookery import`: games that were played elsewhere.

use super::{out, session};
use crate::{
    config::Config,
    import::{ImportOptions, import},
    runs,
    store::Store,
};
use std::{path::PathBuf, process::ExitCode};

const AFTER_HELP: &str = "\
Examples:
  rookery import --db games.db --run Journal --level 60000 --firmware 5.3 old/*.pgn
  rookery import --db games.db --run 'SPRT of May' --first NewEngine fastchess.pgn
  rookery telemetry compare --db games.db --a run=1 --b run=2

Reads files of the old Python client, cutechess, fastchess, Lichess, python-chess and Rookery.
A game that is in the database already is not taken again.
A wrong one is named with file, line and number; the others are taken, the exit status is 1.";

/// The options of `rookery import`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Database (SQLite); no server may have it meanwhile
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    /// The run's name; games are added to an imported run of that name
    #[arg(long, value_name = "NAME", value_parser = |name: &str| runs::named("run", name))]
    run: String,
    /// The player under test [default: who has a board's words in the comments, else White of the first game]
    #[arg(long, value_name = "NAME")]
    first: Option<String>,
    /// The board's node budget in these games
    #[arg(long, value_name = "NODES", value_parser = clap::value_parser!(u32).range(1..))]
    level: Option<u32>,
    /// The board's firmware in these games
    #[arg(long, value_name = "VERSION", value_parser = |name: &str| runs::named("firmware", name))]
    firmware: Option<String>,
    /// Units of the board's score (oc=) that make a pawn
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    units: i32,
    /// PGN files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Imports them.
pub(super) async fn run(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let db = session::database(args.db.as_deref(), config)?;
    let store = Store::open(&db).await?;
    let options = ImportOptions {
        run: args.run,
        first: args.first,
        level: args.level,
        firmware: args.firmware,
        units: args.units,
    };
    let report = import(&store, &args.files, &options).await;
    store.close().await?;
    let report = report?;
    for wrong in &report.wrong {
        out::note(format_args!("error: {wrong}"));
    }
    for duplicate in &report.duplicates {
        let (file, game) = (duplicate.file.display(), duplicate.game);
        out::note(format_args!("{file}: game {game} is here already as game {}", duplicate.is));
    }
    let into = report.run.map(|run| format!(" into run {run}")).unwrap_or_default();
    let (taken, known) = (report.imported.len(), report.duplicates.len());
    out::line(format_args!(
        "{taken} games imported{into}, {known} were here already, {} are wrong",
        report.wrong.len()
    ))?;
    Ok(if report.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(super::FAILED) })
}
