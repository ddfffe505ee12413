//! `rookery telemetry`: what was measured, asked of a database.

use super::{Usage, out, session, table};
use crate::{
    config::Config,
    store::{SqlLimits, Store},
    telemetry::{Ask, Format, Subject, Table, View},
};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

const AFTER_HELP: &str = "\
Examples:
  rookery telemetry journal --db games.db                      each game: peaks, depths, speed
  rookery telemetry summary --db games.db --group firmware,phase --percentiles
  rookery telemetry plies --db games.db --run 2 --mover first --plies 10-40 --format csv
  rookery telemetry compare --db games.db --a run=1 --b run=2  where two builds part ways
  rookery telemetry compare --db games.db --a firmware=1.0 --b firmware=1.1
  rookery telemetry sql --db games.db 'SELECT max(nodes), ply FROM telemetry_plies'

A server may have the database meanwhile. docs/telemetry.md describes every column.";

/// The options of `rookery telemetry`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Sums, means and percentiles of thinks
    Summary(Asked),
    /// A ply a row
    Plies(Asked),
    /// A game a row
    Games(Asked),
    /// A finished iteration of a think a row
    Iterations(Asked),
    /// How often each thing happened on the links
    Link(Asked),
    /// What a bring-up journal notes of each game
    Journal(Asked),
    /// The first moves of games that begin alike, side by side
    Compare(Compare),
    /// One SELECT of your own; nothing can be changed by it
    Sql(Sql),
}

/// Where the answer comes from and how it is written.
#[derive(Debug, clap::Args)]
struct Common {
    /// Database (SQLite)
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    /// How the answer is written: a table for people, csv, json (columns), ndjson (rows)
    #[arg(long, value_enum, default_value = "table")]
    format: Shape,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Shape {
    Table,
    Csv,
    Json,
    Ndjson,
}

#[derive(Debug, clap::Args)]
struct Asked {
    #[command(flatten)]
    common: Common,
    #[command(flatten)]
    ask: Ask,
}

#[derive(Debug, clap::Args)]
struct Compare {
    #[command(flatten)]
    common: Common,
    /// run=ID, game=ID, board=ID or firmware=VERSION
    #[arg(long, value_name = "WHAT")]
    a: Subject,
    /// The other
    #[arg(long, value_name = "WHAT")]
    b: Subject,
    /// Full moves from the first that came from no book
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    moves: u32,
}

#[derive(Debug, clap::Args)]
struct Sql {
    #[command(flatten)]
    common: Common,
    /// Rows at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    limit: u32,
    /// Seconds that it may take
    #[arg(long, value_name = "S", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// The query: SELECT, WITH, VALUES or EXPLAIN
    query: String,
}

/// Asks and writes.
pub(super) async fn telemetry(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let (view, asked) = match args.what {
        What::Summary(asked) => (View::Summary, asked),
        What::Plies(asked) => (View::Plies, asked),
        What::Games(asked) => (View::Games, asked),
        What::Iterations(asked) => (View::Iterations, asked),
        What::Link(asked) => (View::Link, asked),
        What::Journal(asked) => (View::Journal, asked),
        What::Compare(args) => {
            let store = open(args.common.db.as_deref(), config).await?;
            let table = store.compare(&args.a, &args.b, args.moves, None).await?;
            return write(&table, args.common.format);
        }
        What::Sql(args) => {
            let store = open(args.common.db.as_deref(), config).await?;
            let limits = SqlLimits {
                rows: args.limit,
                time: Duration::from_secs(args.timeout),
                ..SqlLimits::default()
            };
            let table = store.query(&args.query, limits).await?;
            return write(&table, args.common.format);
        }
    };
    let query = asked.ask.of(view).map_err(|error| Usage(error.to_string()))?;
    let store = open(asked.common.db.as_deref(), config).await?;
    write(&store.telemetry(&query).await?, asked.common.format)
}

async fn open(db: Option<&Path>, config: &Config) -> anyhow::Result<Store> {
    Ok(Store::open_read_only(session::database(db, config)?).await?)
}

fn write(table: &Table, shape: Shape) -> anyhow::Result<ExitCode> {
    let format = match shape {
        Shape::Table => {
            out::line(table::telemetry(table))?;
            None
        }
        Shape::Csv => Some(Format::Csv),
        Shape::Json => Some(Format::Json),
        Shape::Ndjson => Some(Format::Ndjson),
    };
    if let Some(format) = format {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        format.write(table, &mut out)?;
        out.flush()?;
    }
    if table.truncated {
        out::note(format_args!(
            "there is more: these are the first {} rows (--limit)",
            table.rows.len()
        ));
    }
    Ok(ExitCode::SUCCESS)
}
