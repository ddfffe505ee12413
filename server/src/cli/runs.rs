//! `rookery runs`: the runs of a server that runs already, and the words that a person may say to them.

mod start;
mod watch;

use super::{
    Usage, out,
    remote::{Remote, ServerUrl},
    table,
};
use crate::{
    api::{GamePage, GameView, RunView},
    model::RunState,
};
use std::{
    io::{IsTerminal as _, Write as _},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery runs list --server http://127.0.0.1:8080
  rookery runs start --server http://desk:8080 --token TEXT --board tcp://192.168.4.1:23 \\
      --engine stockfish --games 10 --watch
  rookery runs start --like 3 --games 100                  once more, longer
  rookery runs show 3 --format json > run3.json            and again from the file:
  rookery runs start --settings run3.json
  rookery runs pause 3
  rookery runs watch 3 && echo every game was played

The server is --server or ROOKERY_SERVER, its token --token or ROOKERY_TOKEN.";

/// The options of `rookery runs`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List runs, the newest last
    List(ListArgs),
    /// Show a run: its settings, its score, its latest games
    Show(RunArgs),
    /// Begin a run
    Start(Box<start::Args>),
    /// Hold a run between two plies
    Pause(RunArgs),
    /// Let a paused run go on, one that was to stop as well, and one that a server left that ended
    Resume(RunArgs),
    /// End a run after the games that are being played; one that waits leaves the queue
    Stop(RunArgs),
    /// Let a run that waits have the next board that is free
    Next(RunArgs),
    /// End a run at once; its games on the boards are cut off and have no result
    Abort(AbortArgs),
    /// Follow a run until it ends; exit status 1 where it does not play every game
    Watch(watch::Args),
}

/// Where, and how it is answered.
#[derive(Debug, clap::Args)]
struct Asked {
    #[command(flatten)]
    place: ServerUrl,
    /// How the answer is written
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    Table,
    Json,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    asked: Asked,
    /// Only those in this state: pending, running, paused, finished, stopped, failed, imported, interrupted; may be given again
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Vec<RunState>,
    /// At most so many, the latest
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The run's number
    #[arg(value_name = "RUN")]
    run: i64,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct AbortArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Do not ask first
    #[arg(long, short)]
    yes: bool,
}

fn state(text: &str) -> Result<RunState, String> {
    RunState::from_name(text).ok_or_else(|| {
        let all = RunState::ALL.map(RunState::as_str).join(", ");
        format!("there is no such state; there are: {all}")
    })
}

/// Does what was said.
pub(super) async fn runs(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(args) => list(&args).await,
        Command::Show(args) => show(&args).await,
        Command::Start(args) => start::start(&args).await,
        Command::Pause(args) => act(&args, "pause").await,
        Command::Resume(args) => act(&args, "resume").await,
        Command::Stop(args) => act(&args, "stop").await,
        Command::Next(args) => act(&args, "next").await,
        Command::Abort(args) => abort(&args).await,
        Command::Watch(args) => watch::watch(&args).await,
    }
}

async fn list(args: &ListArgs) -> anyhow::Result<ExitCode> {
    const PAGE: usize = 200;
    let remote = Remote::needed(&args.asked.place)?;
    let (mut found, mut before) = (Vec::new(), None);
    loop {
        let cursor = before.map_or(String::new(), |run| format!("&before={run}"));
        let path = format!("/api/v1/runs?limit={PAGE}{cursor}");
        let page: Vec<RunView> = remote.client().get(&path).await?;
        let full = page.len() == PAGE;
        before = page.last().map(|run| run.id);
        let fits = |run: &RunView| args.state.is_empty() || args.state.contains(&run.state);
        found.extend(page.into_iter().filter(fits));
        if !full || found.len() >= args.limit as usize {
            break;
        }
    }
    found.truncate(args.limit as usize);
    found.reverse();
    match args.asked.format {
        Format::Json => out::line(serde_json::to_string_pretty(&found)?)?,
        Format::Table if found.is_empty() => out::note("no run"),
        Format::Table => out::line(table::runs(&found))?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn show(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.asked.place)?;
    let run = run(&remote, args.run).await?;
    if args.asked.format == Format::Json {
        out::line(serde_json::to_string_pretty(&run)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    out::line(table::run(&run))?;
    let games = latest_games(&remote, &run, 10).await?;
    if !games.is_empty() {
        out::line(table::games(&games))?;
    }
    out::line(table::score(&run))?;
    Ok(ExitCode::SUCCESS)
}

/// A run, its opening lines included.
async fn run(remote: &Remote, run: i64) -> anyhow::Result<RunView> {
    remote.client().get(&format!("/api/v1/runs/{run}")).await
}

/// The last games of a run in their order, those that are being played included.
async fn latest_games(remote: &Remote, run: &RunView, n: u32) -> anyhow::Result<Vec<GameView>> {
    let path = format!("/api/v1/games?run={}&limit={n}", run.id);
    let mut games = remote.client().get::<GamePage>(&path).await?.games;
    games.reverse();
    Ok(games)
}

async fn act(args: &RunArgs, action: &str) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.asked.place)?;
    said(&remote, args, action).await
}

async fn said(remote: &Remote, args: &RunArgs, action: &str) -> anyhow::Result<ExitCode> {
    let path = format!("/api/v1/runs/{}/{action}", args.run);
    let run: RunView = remote.client().post(&path, &()).await?;
    match args.asked.format {
        Format::Json => out::line(serde_json::to_string_pretty(&run)?)?,
        Format::Table => out::line(in_a_line(&run))?,
    }
    Ok(ExitCode::SUCCESS)
}

async fn abort(args: &AbortArgs) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.run.asked.place)?;
    if !args.yes {
        if !std::io::stdin().is_terminal() {
            let text =
                "an aborted run cannot be taken up again: add --yes if that is what you want";
            return Err(Usage(text.into()).into());
        }
        let run = run(&remote, args.run.run).await?;
        if run.state.is_over() {
            anyhow::bail!("{}", in_a_line(&run));
        }
        let games = latest_games(&remote, &run, 100).await?;
        if !confirmed(&what_is_lost(&run, &games))? {
            out::note("nothing was done");
            return Ok(ExitCode::FAILURE);
        }
    }
    said(&remote, &args.run, "abort").await
}

/// What an abort ends for good.
fn what_is_lost(run: &RunView, games: &[GameView]) -> String {
    let open: Vec<String> = games
        .iter()
        .filter(|game| game.state == crate::model::GameState::Playing)
        .map(|game| format!("game {} after {} plies", game.number, game.plies))
        .collect();
    let cut = match &*open {
        [] => "No game is being played.".to_owned(),
        open => format!("{} is cut off and has no result.", open.join(", ")),
    };
    format!("{}.\n{cut} An aborted run cannot be taken up again.", in_a_line(run))
}

/// Asks the person; no answer is no.
fn confirmed(question: &str) -> std::io::Result<bool> {
    let mut screen = std::io::stderr().lock();
    write!(screen, "{question}\nAbort it? [y/N] ")?;
    screen.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(&*answer.trim().to_lowercase(), "y" | "yes"))
}

/// A run and where it stands.
fn in_a_line(run: &RunView) -> String {
    let games = match run.settings.games {
        0 => format!("{} games", run.played),
        all => format!("{} of {all} games", run.played),
    };
    let note = table::note(run).map_or(String::new(), |note| format!(" ({note})"));
    format!("run {} '{}' is {}: {games} are over{note}", run.id, run.name, run.state.as_str())
}
