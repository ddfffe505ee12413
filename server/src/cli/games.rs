//! `rookery games`: what was played.

use super::{archive::Place, out, table};
use crate::{api::GameView, config::Config, telemetry::GameFilter};
use std::process::ExitCode;

const AFTER_HELP: &str = "\
Examples:
  rookery games --db games.db                            a table
  rookery games --db games.db --run 2 --format csv       one run with all there is to say
  rookery games --db games.db --text sicilian --result 0-1
  rookery games --db games.db --limit 1 --format json    the latest game
  rookery games --server http://desk:8080 --run 2        those of a running server

A server may have the database meanwhile.";

/// The options of `rookery games`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    filter: GameFilter,
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
    let archive = args.place.open(config).await?;
    let games = archive.games(&args.filter, args.limit).await?;
    match args.format {
        Format::Table => out::line(table::games(&games))?,
        Format::Json => out::line(serde_json::to_string_pretty(&games)?)?,
        Format::Csv => write_csv(&games)?,
    }
    Ok(ExitCode::SUCCESS)
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
        "eco",
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
            text(&game.eco),
            game.start_fen.clone(),
            game.started_at.to_string(),
            game.ended_at.map(|at| at.to_string()).unwrap_or_default(),
        ])?;
    }
    csv.flush()?;
    Ok(())
}
