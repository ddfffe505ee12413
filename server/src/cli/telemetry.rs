//! `rookery telemetry`: what was measured.

use super::{
    archive::{Parts, Place},
    out, table,
};
use crate::{
    config::Config,
    telemetry::{Ask, Format, Subject, Table, View, write_csv, write_ndjson},
};
use futures_util::TryStreamExt as _;
use std::{
    io::{BufWriter, Write as _},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery telemetry journal --db games.db                      each game: peaks, depths, speed
  rookery telemetry summary --db games.db --group firmware,phase --percentiles
  rookery telemetry plies --db games.db --run 2 --mover first --plies 10-40 --format csv
  rookery telemetry compare --db games.db --a run=1 --b run=2  where two builds part ways
  rookery telemetry compare --db games.db --a firmware=1.0 --b firmware=1.1
  rookery telemetry sql --db games.db 'SELECT max(nodes), ply FROM telemetry_plies'
  rookery telemetry journal --server http://desk:8080 --run 2  of a running server

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
    #[command(flatten)]
    place: Place,
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
    /// Seconds that it may take of a database [default: 60]
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: Option<u64>,
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
        What::Compare(Compare { common, a, b, moves }) => {
            let archive = common.place.open(config).await?;
            return write(archive.compare(&a, &b, moves).await?, common.format).await;
        }
        What::Sql(Sql { common, limit, timeout, query }) => {
            let archive = common.place.open(config).await?;
            return write(archive.sql(&query, limit, timeout).await?, common.format).await;
        }
    };
    let Asked { common, ask } = asked;
    let archive = common.place.open(config).await?;
    write(archive.telemetry(view, ask).await?, common.format).await
}

async fn write(mut parts: Parts, shape: Shape) -> anyhow::Result<ExitCode> {
    let mut out = BufWriter::new(std::io::stdout());
    let (mut rows, mut truncated) = (0, false);
    // What is written line by line is written as it comes; columns, and their widths, are known at the end.
    let mut whole: Option<Table> = None;
    let mut names = true;
    while let Some(part) = parts.try_next().await? {
        rows += part.rows.len();
        truncated = part.truncated;
        match shape {
            Shape::Csv => write_csv(&part, std::mem::take(&mut names), &mut out)?,
            Shape::Ndjson => write_ndjson(&part, &mut out)?,
            Shape::Table | Shape::Json => match &mut whole {
                Some(whole) => {
                    whole.rows.extend(part.rows);
                    whole.truncated = truncated;
                }
                None => whole = Some(part),
            },
        }
    }
    let whole = whole.unwrap_or_default();
    match shape {
        Shape::Table => writeln!(out, "{}", table::telemetry(&whole))?,
        Shape::Json => Format::Json.write(&whole, &mut out)?,
        Shape::Csv | Shape::Ndjson => {}
    }
    out.flush()?;
    if truncated {
        out::note(format_args!("there is more: these are the first {rows} rows (--limit)"));
    }
    Ok(ExitCode::SUCCESS)
}
