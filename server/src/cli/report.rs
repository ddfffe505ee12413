//! `rookery report`: everything about a game in one file.

use super::{
    archive::{Archive, Place},
    out,
};
use crate::{config::Config, model::GameId, report};
use anyhow::Context as _;
use std::{
    io::{IsTerminal as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery report --game 17 --server http://127.0.0.1:8080
                                              with the raw traffic of the board's link
  rookery report --game 17 --db games.db      what the database has
  rookery report --game 17 --db games.db --log-dir log -o - > report.zip
                                              with the log

It holds the names and options of engines and boards.";

/// The options of `rookery report`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The game
    #[arg(long, value_name = "ID")]
    game: i64,
    #[command(flatten)]
    place: Place,
    /// File to write, - for standard output [default: rookery-report-ID.zip]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Writes it.
pub(super) async fn report(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let bytes = match args.place.open(config).await? {
        Archive::Server(remote) => {
            let path = format!("/api/v1/games/{}/report", args.game);
            remote.client().download(&path).await?.to_vec()
        }
        Archive::Database(store) => {
            report::report(&store, GameId(args.game), None, config.log_dir.as_deref()).await?
        }
    };
    let default = || PathBuf::from(format!("rookery-report-{}.zip", args.game));
    let path = args.output.clone().unwrap_or_else(default);
    if path.as_os_str() == "-" {
        if std::io::stdout().is_terminal() {
            anyhow::bail!("a ZIP file is nothing to look at: send the output to a file");
        }
        std::io::stdout().lock().write_all(&bytes)?;
    } else {
        std::fs::write(&path, &bytes)
            .with_context(|| format!("'{}' cannot be written", path.display()))?;
        out::note(format_args!("written to {}", path.display()));
    }
    Ok(ExitCode::SUCCESS)
}
