//! `rookery api`: one request to a running server, as it is.

use super::{
    Usage,
    remote::{Remote, ServerUrl},
};
use anyhow::Context as _;
use std::{
    io::{Read as _, Write as _},
    path::PathBuf,
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery api openapi.json --server http://127.0.0.1:8080      what can be asked
  rookery api 'telemetry/summary?run=3&group=mover,phase&format=csv'
  rookery api games/17/iterations
  rookery api games/17/pgn > game17.pgn
  echo '{\"sql\": \"SELECT count(*) FROM games\"}' | rookery api telemetry/sql --data -

A path is below /api/v1 unless it begins with a slash.
The answer goes to standard output as it comes.";

/// The options of `rookery api`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// What is asked: a path with its query
    #[arg(value_name = "PATH")]
    path: String,
    /// Send this file, JSON, with POST; - for standard input
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    #[command(flatten)]
    place: ServerUrl,
}

/// Asks.
pub(super) async fn api(args: Args) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.place)?;
    let path = match args.path.strip_prefix('/') {
        Some(_) => args.path.clone(),
        None => format!("/api/v1/{}", args.path),
    };
    if path.parse::<axum::http::uri::PathAndQuery>().is_err() {
        let text = format!("'{}' is not a path: write other characters as %XX", args.path);
        return Err(Usage(text).into());
    }
    let answer = match &args.data {
        None => remote.client().download(&path).await?,
        Some(file) => remote.client().send_json(&path, read(file)?).await?,
    };
    let mut out = std::io::stdout().lock();
    out.write_all(&answer)?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &PathBuf) -> anyhow::Result<Vec<u8>> {
    let mut data = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut data)?;
        return Ok(data);
    }
    std::fs::read(file).with_context(|| format!("'{}' cannot be read", file.display()))
}
