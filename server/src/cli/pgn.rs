//! `rookery pgn`: games as PGN.

use super::{archive::Place, out};
use crate::{
    config::Config,
    model::GameId,
    pgn::{self, PgnStyle, Selection},
    telemetry::GameFilter,
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery pgn --db games.db -o games.pgn               every game that is over
  rookery pgn --db games.db --run 2 --style lichess    one run, with comments as Lichess has them
  rookery pgn --db games.db --opponent stockfish --result 0-1 --since 2026-10-01
  rookery pgn --db games.db --game 17                  one game, also while it is played
  rookery pgn --server http://desk:8080 -o games.pgn   those of a running server

A server may have the database meanwhile.";

/// The options of `rookery pgn`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    place: Place,
    /// Only this game, also one that is being played
    #[arg(long, value_name = "ID", conflicts_with = "GameFilter")]
    game: Option<GameId>,
    #[command(flatten)]
    filter: GameFilter,
    /// File to write; it is there whole, or not at all [default: standard output]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Comments: engine {+0.31/12 0.5s, n=45012}, lichess {[%eval 0.31]}, board { d=5 uz=45012 oc=-34}
    #[arg(long, value_enum, default_value = "engine")]
    style: PgnStyle,
}

/// Writes them.
pub(super) async fn pgn(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let archive = args.place.open(config).await?;
    let selection = args.game.map_or(Selection::Games(args.filter), Selection::Game);
    let texts = archive.pgn(selection, args.style).await?;
    // As everywhere, `-` is standard output and no name.
    match args.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => {
            let count = pgn::write_file(texts, path).await?;
            out::note(format_args!("{count} games written to {}", path.display()));
        }
        None => {
            let mut out = std::io::BufWriter::new(std::io::stdout());
            pgn::write_to(texts, &mut out).await?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
