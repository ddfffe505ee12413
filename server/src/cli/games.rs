//! `rookery games`: what a database has.

use super::{out, session, table};
use crate::{
    api::GameView,
    config::Config,
    model::{GameResult, RunId, Termination},
    store::{GameFilter, Store},
    telemetry::When,
};
use std::{path::PathBuf, process::ExitCode};

const AFTER_HELP: &str = "\
Examples:
  rookery games --db games.db                            a table
  rookery games --db games.db --run 2 --format csv       one run with all there is to say
  rookery games --db games.db --text sicilian --result 0-1
  rookery games --db games.db --limit 1 --format json    the latest game

A server may have the database meanwhile.";

/// The options of `rookery games`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Database (SQLite)
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    /// Only of this run
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
    /// Only with this result: 1-0, 0-1, 1/2-1/2, *
    #[arg(long, value_name = "RESULT", value_parser = result)]
    result: Option<GameResult>,
    /// Only those that ended so: checkmate, time_forfeit, dead_board, …
    #[arg(long, value_name = "REASON", value_parser = termination)]
    termination: Option<Termination>,
    /// Only those whose opening's name has this in it
    #[arg(long, value_name = "TEXT")]
    opening: Option<String>,
    /// Only those with this in a player's name, the opening's, the run's, or in the words about their end
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    /// Only those begun at this time or later: 2026-10-19, 2026-10-19T14:30:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<When>,
    /// Only those begun before this time
    #[arg(long, value_name = "TIME")]
    until: Option<When>,
    /// Only those over with so many plies or more
    #[arg(long, value_name = "N")]
    min_plies: Option<u32>,
    /// Only those over with so many plies or fewer
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// At most so many, the latest
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// How they are written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    Table,
    Json,
    Csv,
}

/// Lists the games.
pub(super) async fn games(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let db = session::database(args.db.as_deref(), config)?;
    let store = Store::open_read_only(&db).await?;
    let run = args.run.map(RunId);
    if let Some(run) = run {
        store.run(run).await?;
    }
    let filter = GameFilter {
        run,
        result: args.result,
        termination: args.termination,
        opening: args.opening,
        text: args.text,
        since: args.since.map(|when| when.0),
        until: args.until.map(|when| when.0),
        min_plies: args.min_plies,
        max_plies: args.max_plies,
        limit: args.limit,
        ..GameFilter::default()
    };
    let mut games: Vec<GameView> = store.games(&filter).await?.iter().map(GameView::from).collect();
    games.reverse();
    match args.format {
        Format::Table => out::line(table::games(&games))?,
        Format::Json => out::line(serde_json::to_string_pretty(&games)?)?,
        Format::Csv => write_csv(&games)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn result(text: &str) -> Result<GameResult, String> {
    let all = "1-0, 0-1, 1/2-1/2, *";
    GameResult::from_pgn(text).ok_or_else(|| format!("there is no such result; there are: {all}"))
}

fn termination(text: &str) -> Result<Termination, String> {
    Termination::from_name(text).ok_or_else(|| {
        let all = Termination::ALL.map(Termination::as_str).join(", ");
        format!("there is no such reason; there are: {all}")
    })
}

fn write_csv(games: &[GameView]) -> anyhow::Result<()> {
    let mut csv = csv::Writer::from_writer(std::io::stdout().lock());
    csv.write_record([
        "game",
        "run",
        "number",
        "white",
        "black",
        "first_color",
        "result",
        "termination",
        "reason",
        "detail",
        "plies",
        "opening",
        "start_fen",
        "started_at_ms",
        "ended_at_ms",
    ])?;
    for game in games {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        csv.write_record([
            game.id.to_string(),
            game.run.to_string(),
            game.number.to_string(),
            game.white.clone(),
            game.black.clone(),
            match game.first_color {
                crate::api::Side::White => "white".into(),
                crate::api::Side::Black => "black".into(),
            },
            game.result.as_str().to_owned(),
            game.termination.map(|t| t.as_str().to_owned()).unwrap_or_default(),
            text(&game.reason),
            text(&game.detail),
            game.plies.to_string(),
            text(&game.opening),
            game.start_fen.clone(),
            game.started_at.to_string(),
            game.ended_at.map(|at| at.to_string()).unwrap_or_default(),
        ])?;
    }
    csv.flush()?;
    Ok(())
}
