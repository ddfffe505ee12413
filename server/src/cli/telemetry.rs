//! `rookery telemetry`: what was measured, asked of a database.

use super::{Usage, out, session, table};
use crate::{
    config::Config,
    store::{SqlLimits, Store},
    telemetry::{
        Filter, Format, Group, List, Phase, Query, QueryError, Side, Subject, Table, View, When,
        Who,
    },
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
    Summary(Ask),
    /// A ply a row
    Plies(Ask),
    /// A game a row
    Games(Ask),
    /// A finished iteration of a think a row
    Iterations(Ask),
    /// How often each thing happened on the links
    Link(Ask),
    /// What a bring-up journal notes of each game
    Journal(Ask),
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
struct Ask {
    #[command(flatten)]
    common: Common,
    /// Only these runs: 1,2
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    run: List<i64>,
    /// Only these games
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    game: List<i64>,
    /// Only these boards
    #[arg(long, value_name = "IDS", default_value = "", hide_default_value = true)]
    board: List<i64>,
    /// Only these firmware versions, as the boards said them at the time of the game
    #[arg(long, value_name = "VERSIONS", default_value = "", hide_default_value = true)]
    firmware: List<String>,
    /// Only these players: first (the board), second, opening
    #[arg(long, value_name = "WHO", default_value = "", hide_default_value = true)]
    mover: List<Who>,
    /// Only this side: white, black
    #[arg(long, value_name = "SIDE", default_value = "", hide_default_value = true)]
    side: List<Side>,
    /// Only these phases: book, opening, middlegame, endgame
    #[arg(long, value_name = "PHASES", default_value = "", hide_default_value = true)]
    phase: List<Phase>,
    /// Only these plies: 10-40, 10-, -40, 12
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    plies: Option<String>,
    /// Only games begun at this time or later: 2026-10-19, 2026-10-19T14:30:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<When>,
    /// Only games begun before this time
    #[arg(long, value_name = "TIME")]
    until: Option<When>,
    /// A row for each: run, board, firmware, game, mover, phase, depth, ply, material (summary); run, board, firmware, game (link)
    #[arg(long, value_name = "KEYS", default_value = "", hide_default_value = true)]
    group: List<Group>,
    /// With p50, p90, p95 and p99 of time, nodes and nodes/s (summary)
    #[arg(long)]
    percentiles: bool,
    /// Rows at most
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// Rows that are passed over
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u32,
}

#[derive(Debug, clap::Args)]
struct Compare {
    #[command(flatten)]
    common: Common,
    /// run=ID or game=ID
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
    let (view, ask) = match args.what {
        What::Summary(ask) => (View::Summary, ask),
        What::Plies(ask) => (View::Plies, ask),
        What::Games(ask) => (View::Games, ask),
        What::Iterations(ask) => (View::Iterations, ask),
        What::Link(ask) => (View::Link, ask),
        What::Journal(ask) => (View::Journal, ask),
        What::Compare(args) => {
            let store = open(args.common.db.as_deref(), config).await?;
            let table = store.compare(args.a, args.b, args.moves, None).await?;
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
    let (common, query) = question(view, ask).map_err(|error| Usage(error.to_string()))?;
    let store = open(common.db.as_deref(), config).await?;
    write(&store.telemetry(&query).await?, common.format)
}

fn question(view: View, ask: Ask) -> Result<(Common, Query), QueryError> {
    let mut filter = Filter {
        run: ask.run,
        game: ask.game,
        board: ask.board,
        firmware: ask.firmware,
        mover: ask.mover,
        side: ask.side,
        phase: ask.phase,
        since: ask.since,
        until: ask.until,
        ..Filter::default()
    };
    if let Some(plies) = &ask.plies {
        filter.set_plies(plies)?;
    }
    let (group, percentiles, limit) = (ask.group, ask.percentiles, ask.limit);
    let query = Query { view, filter, group, percentiles, limit, offset: ask.offset };
    query.check()?;
    Ok((ask.common, query))
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
