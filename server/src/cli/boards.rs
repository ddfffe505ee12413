//! `rookery boards`: which boards there are, and what answers. Nothing is reset, nothing is started, and a serial port is left as it was.

use super::{
    Usage, out,
    remote::{Remote, ServerUrl},
    table,
};
use crate::{
    api::BoardView,
    config::Config,
    link::{
        BoardUrl, Ways,
        hail::{Heard, hail},
    },
};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
    time::Duration,
};
use tokio::{task::JoinSet, time::timeout};

const AFTER_HELP: &str = "\
Examples:
  rookery boards                                     the serial ports of this machine
  rookery boards --config rookery.toml               and the boards of a configuration
  rookery boards --server http://127.0.0.1:8080      those of a running server: links, games, faults
  rookery boards --board esp-link://192.168.4.1 --board tcp://10.0.0.7:23 --json

A serial port that is not configured is asked at 115200 baud, 8E1.
A board that a running server uses is disturbed for a moment and goes on.
A serial port that is in use is skipped.";

/// The options of `rookery boards`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Board to ask as well; may be given again
    #[arg(long, value_name = "URL")]
    board: Vec<BoardUrl>,
    /// Seconds to wait for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=300))]
    patience: u32,
    /// Each place as a JSON object a line
    #[arg(long)]
    json: bool,
    // With a server: its boards instead, as it knows them.
    #[command(flatten)]
    place: ServerUrl,
}

/// A place where a board may be, and what was heard there.
#[derive(Debug, Serialize)]
pub(super) struct Place {
    /// Its URL.
    pub(super) url: String,
    /// Its name in the configuration.
    pub(super) name: Option<String>,
    /// The serial port under its other name.
    pub(super) device: Option<String>,
    /// Whether a board answers.
    pub(super) answers: bool,
    /// `v1` or `v2`.
    pub(super) dialect: Option<&'static str>,
    /// What the board says it is.
    pub(super) kind: Option<String>,
    /// Its program's version.
    pub(super) firmware: Option<String>,
    /// Its engine.
    pub(super) engine: Option<String>,
    /// Its boot id.
    pub(super) boot: Option<String>,
    /// Everything it says of itself.
    pub(super) identity: BTreeMap<String, String>,
    /// Why nothing answers, or what is not as it should be.
    pub(super) note: Option<String>,
}

/// Asks everywhere at once.
pub(super) async fn boards(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    if let Some(remote) = Remote::new(&args.place)? {
        return served(&remote, &args).await;
    }
    let ways = Ways::default().restoring();
    let patience = Duration::from_secs(args.patience.into());
    let mut asked = JoinSet::new();
    for (number, (url, name, device)) in places(&args, config, &ways).into_iter().enumerate() {
        let ways = ways.clone();
        asked.spawn(async move { (number, ask(url, name, device, &ways, patience).await) });
    }
    let mut found = asked.join_all().await;
    found.sort_by_key(|(number, _)| *number);
    let found: Vec<Place> = found.into_iter().map(|(_, place)| place).collect();
    if args.json {
        for place in &found {
            out::line(serde_json::to_string(place)?)?;
        }
    } else if found.is_empty() {
        out::note("there is no serial port, and no board is configured or named by --board");
    } else {
        out::line(table::boards(&found))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What a server knows of its boards.
async fn served(remote: &Remote, args: &Args) -> anyhow::Result<ExitCode> {
    if !args.board.is_empty() {
        let text = "--board asks a board directly: leave --server (or ROOKERY_SERVER) out";
        return Err(Usage(text.into()).into());
    }
    let boards: Vec<BoardView> = remote.client().get("/api/v1/boards").await?;
    if args.json {
        for board in &boards {
            out::line(serde_json::to_string(board)?)?;
        }
    } else if boards.is_empty() {
        out::note("the server has no board yet: it knows one from the first run that names it");
    } else {
        out::line(table::served_boards(&boards))?;
    }
    Ok(ExitCode::SUCCESS)
}

type Candidate = (BoardUrl, Option<String>, Option<String>);

/// The serial ports, and the boards that are configured or named. A port that is one of these is not asked twice.
fn places(args: &Args, config: &Config, ways: &Ways) -> Vec<Candidate> {
    let configured = config.boards.iter().filter_map(|(name, board)| {
        // Read with the configuration.
        board.url.parse().ok().map(|url: BoardUrl| (url, Some(name.clone()), None))
    });
    let named = args.board.iter().map(|url| (url.clone(), None, None));
    let mut wanted: Vec<Candidate> = configured.chain(named).collect();
    let mut known = BTreeSet::new();
    wanted.retain(|(url, ..)| known.insert(url.to_string()));
    let taken: Vec<_> = wanted.iter().filter_map(|(url, ..)| url.device()).collect();
    let ports = ways.ports().into_iter().filter(|port| !taken.contains(&port.device));
    let mut all: Vec<Candidate> = ports
        .filter_map(|port| {
            let other = (port.path != port.device).then(|| port.device.display().to_string());
            Some((port.url()?, None, other))
        })
        .collect();
    all.extend(wanted);
    all
}

async fn ask(
    url: BoardUrl,
    name: Option<String>,
    device: Option<String>,
    ways: &Ways,
    patience: Duration,
) -> Place {
    let mut place = Place {
        url: url.to_string(),
        name,
        device,
        answers: false,
        dialect: None,
        kind: None,
        firmware: None,
        engine: None,
        boot: None,
        identity: BTreeMap::new(),
        note: None,
    };
    let (dialect, timing) = (url.dialect(), url.timing());
    let mut connector = ways.connector(url);
    let seconds = patience.as_secs();
    let mut transport = match timeout(patience, connector.open()).await {
        Ok(Ok(transport)) => transport,
        Ok(Err(error)) => {
            place.note = Some(error.to_string());
            return place;
        }
        Err(_) => {
            let what = connector.waits_for().map_or_else(
                || format!("no connection within {seconds} s"),
                |what| format!("waited {seconds} s for {what}"),
            );
            place.note = Some(what);
            return place;
        }
    };
    place.note = transport.caveat().map(str::to_owned);
    match hail(transport.as_mut(), dialect, timing, patience, |_| false).await {
        Ok(Heard::V2(board)) => {
            let of = |key: &str| board.identity.get(key).cloned();
            (place.answers, place.dialect) = (true, Some("v2"));
            (place.kind, place.firmware, place.engine) = (of("kind"), of("fw"), of("eng"));
            place.boot = Some(board.boot.to_string());
            place.identity = board.identity;
        }
        Ok(Heard::V1) => (place.answers, place.dialect) = (true, Some("v1")),
        Ok(Heard::Nothing) => {
            place.note.get_or_insert("nothing answers that is a board".into());
        }
        Err(error) => place.note = Some(format!("the connection ended: {error}")),
    }
    place
}
