//! `rookery console`: the raw traffic of a link, and a way to talk to the board.

use super::{
    out,
    remote::{Remote, ServerUrl},
};
use crate::{
    api::{ConsoleMessage, ConsoleSay, RawLineView, RawWay},
    config::Config,
    link::{self, BoardUrl, LinkStatus, Say, say},
    model::utc,
};
use anyhow::Context as _;
use console::style;
use std::process::ExitCode;
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Lines, Stdin, stdin},
    sync::{broadcast::error::RecvError, mpsc},
};
use tokio_util::sync::CancellationToken;

const AFTER_HELP: &str = "\
What is typed is a command of protocol v2 without its frame; the session secures it:
  .              ping                        i 0            identify, first page
  x              stop thinking               t 2a 1000      think (tag 2a), 1000 nodes
  r app          reset                       s pawn 14      set a parameter
  !TEXT          a raw line; \\n, \\r, \\\\ and \\xHH are bytes
An empty line does nothing, Ctrl-D ends.

Examples:
  rookery console --board tcp://192.168.4.1:23      a board that nobody uses
  rookery console --board desk --server http://127.0.0.1:8080
                                                    a board that a server uses
  echo 'i 0' | rookery console --board tcp://192.168.4.1:23 --raw > traffic.txt";

/// The options of `rookery console`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The board: its URL, or with --server also its name or number
    #[arg(long, value_name = "BOARD")]
    board: String,
    #[command(flatten)]
    place: ServerUrl,
    /// Show bytes in hex as well
    #[arg(long)]
    hex: bool,
    /// Show only the lines, as they are in a report: time in milliseconds, direction, text
    #[arg(long, conflicts_with = "hex")]
    raw: bool,
    /// Show only lines whose text or meaning has this in it
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Talk to the board also while it plays a game
    #[arg(long)]
    force: bool,
}

/// Watches and talks until the input ends, or Ctrl-C.
pub(super) async fn console(args: Args, _config: &Config) -> anyhow::Result<ExitCode> {
    let watched = async {
        match Remote::new(&args.place)? {
            Some(remote) => attached(&args, &remote).await,
            None => alone(&args).await,
        }
    };
    tokio::select! {
        done = watched => done?,
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// At a server's side.
async fn attached(args: &Args, remote: &Remote) -> anyhow::Result<()> {
    let board = remote.board(&args.board).await?;
    let mut socket = remote.web_socket(&format!("/api/v1/boards/{}/console", board.id)).await?;
    let mut typed = Typed::new();
    let mut open = 0_u32;
    while !(typed.ended && open == 0) {
        tokio::select! {
            message = socket.next::<ConsoleMessage>() => match message? {
                Some(ConsoleMessage::Line(line)) => show(args, &line)?,
                Some(ConsoleMessage::Missed { lines }) => {
                    out::note(format_args!("{lines} lines were too fast and are left out"));
                }
                Some(ConsoleMessage::Answer { said, text, .. }) => {
                    open = open.saturating_sub(1);
                    out::note(format_args!("{said}: {text}"));
                }
                None => anyhow::bail!("the server has ended the console"),
            },
            text = typed.next() => if let Some(text) = text {
                socket.say(&ConsoleSay { say: text, force: args.force }).await?;
                open += 1;
            },
        }
    }
    Ok(())
}

/// With a link of our own.
async fn alone(args: &Args) -> anyhow::Result<()> {
    let url: BoardUrl = args.board.parse().with_context(
        || "a board is named by its URL; where a server uses it, say which with --server",
    )?;
    let cancel = CancellationToken::new();
    // Nobody keeps this link's events; the tape has what there is to see.
    let (recorder, mut events) = mpsc::channel(256);
    let (link, task) = link::spawn(url, recorder, cancel.child_token());
    let task = tokio::spawn(task);
    let (_, mut news) = link.tape().watch();
    let mut status = link.status();
    let mut trouble = None;
    let mut typed = Typed::new();
    let (answers, mut answered) = mpsc::channel(16);
    let mut open = 0_u32;
    while !(typed.ended && open == 0) {
        tokio::select! {
            biased;
            line = news.recv() => match line {
                Ok(line) => show(args, &(&line).into())?,
                Err(RecvError::Lagged(lines)) => {
                    out::note(format_args!("{lines} lines were too fast and are left out"));
                }
                Err(RecvError::Closed) => break,
            },
            _ = events.recv() => {}
            changed = status.changed() => {
                changed?;
                tell_trouble(&status.borrow_and_update(), &mut trouble);
            }
            Some(answer) = answered.recv() => {
                open -= 1;
                out::note(answer);
            }
            text = typed.next() => if let Some(text) = text {
                open += 1;
                let (link, answers) = (link.clone(), answers.clone());
                tokio::spawn(async move {
                    let answer = match text.parse::<Say>() {
                        Ok(what) => say(&link, what).await.unwrap_or_else(|error| error.to_string()),
                        Err(error) => error.to_string(),
                    };
                    let _ = answers.send(format!("{text}: {answer}")).await;
                });
            },
        }
    }
    cancel.cancel();
    task.await?;
    Ok(())
}

/// Says once why the board cannot be used.
fn tell_trouble(status: &LinkStatus, told: &mut Option<String>) {
    if *told != status.trouble {
        told.clone_from(&status.trouble);
        if let Some(text) = &status.trouble {
            out::note(text);
        }
    }
}

fn show(args: &Args, line: &RawLineView) -> anyhow::Result<()> {
    let meaning = line.meaning.as_deref().unwrap_or("");
    if let Some(filter) = &args.filter
        && !line.text.contains(filter)
        && !meaning.contains(filter)
    {
        return Ok(());
    }
    let sign = match line.way {
        RawWay::In => '<',
        RawWay::Out => '>',
    };
    if args.raw {
        out::line(format_args!("{} {sign} {}", line.at, line.text))?;
        return Ok(());
    }
    let (_, time) = utc(line.at);
    let time = format!("{time}.{:03}", line.at.rem_euclid(1000));
    let text = match line.way {
        RawWay::In => style(&line.text).cyan(),
        RawWay::Out => style(&line.text).yellow(),
    };
    out::line(format_args!("{} {sign} {text:42} {}", style(time).dim(), style(meaning).dim()))?;
    if args.hex {
        out::line(format_args!("{:14} {}", "", style(spaced(&line.hex)).dim()))?;
    }
    Ok(())
}

/// `3e 53 30`
fn spaced(hex: &str) -> String {
    let pairs: Vec<&str> = (0..hex.len()).step_by(2).filter_map(|at| hex.get(at..at + 2)).collect();
    pairs.join(" ")
}

/// Lines that are typed, or come from a pipe.
struct Typed {
    lines: Lines<BufReader<Stdin>>,
    ended: bool,
}

impl Typed {
    fn new() -> Typed {
        Typed { lines: BufReader::new(stdin()).lines(), ended: false }
    }

    /// The next line that says something; none once at the end, and then never again.
    async fn next(&mut self) -> Option<String> {
        if self.ended {
            return std::future::pending().await;
        }
        loop {
            match self.lines.next_line().await {
                Ok(Some(text)) if text.trim().is_empty() => {}
                Ok(Some(text)) => return Some(text),
                Ok(None) | Err(_) => {
                    self.ended = true;
                    return None;
                }
            }
        }
    }
}
