//! `rookery runs watch`: a server's run on the screen, until it ends.

use super::{Format, in_a_line, latest_games, run};
use crate::{
    api::{Change, GameView, RunView, ServerMessage, Snapshot},
    cli::{
        out,
        progress::{Progress, Show},
        remote::Remote,
        table,
    },
    model::{GameId, RunId, RunState},
};
use std::{collections::HashSet, process::ExitCode, time::Duration};

/// A server that is gone is waited for so long: it may be started anew.
const PATIENCE: Duration = Duration::from_secs(60);
const TRY_EVERY: Duration = Duration::from_secs(1);
/// As for a second Ctrl-C of other commands: not done, and nothing failed.
const INTERRUPTED: u8 = 130;
/// Games in the summary.
const SHOWN: u32 = 50;

/// The options of `rookery runs watch`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    run: super::RunArgs,
}

/// Watches it.
pub(super) async fn watch(args: &Args) -> anyhow::Result<ExitCode> {
    let remote = Remote::needed(&args.run.asked.place)?;
    follow(&remote, RunId(args.run.run), args.run.asked.format).await
}

/// Follows a run; the status says whether it played every game.
pub(super) async fn follow(remote: &Remote, id: RunId, format: Format) -> anyhow::Result<ExitCode> {
    let run = run(remote, id.0).await?;
    let show = if format == Format::Json { Show::Json } else { Show::Bar };
    if !run.state.is_over() {
        let progress = Progress::new(show, id, run.settings.games, run.played);
        let mut watcher = Watcher { remote, id, progress, seen: None };
        tokio::select! {
            ended = watcher.until_over() => ended?,
            _ = tokio::signal::ctrl_c() => {
                watcher.progress.say(format_args!("run {id} goes on; rookery runs watch {id} looks at it again"));
                return Ok(ExitCode::from(INTERRUPTED));
            }
        }
    }
    // As it is kept, with all its games.
    let run = super::run(remote, id.0).await?;
    if format == Format::Json {
        let run = RunView {
            settings: crate::model::RunSettings { openings: Vec::new(), ..run.settings.clone() },
            ..run
        };
        out::line(serde_json::to_string(&run)?)?;
        return Ok(status(&run));
    }
    out::line(table::games(&latest_games(remote, &run, SHOWN).await?))?;
    if run.played > SHOWN {
        out::line(format_args!("(the last {SHOWN} of {} games)", run.played))?;
    }
    out::line(table::score(&run))?;
    if !played(&run) {
        anyhow::bail!("{}", in_a_line(&run));
    }
    Ok(status(&run))
}

fn played(run: &RunView) -> bool {
    matches!(run.state, RunState::Finished | RunState::Imported)
}

fn status(run: &RunView) -> ExitCode {
    if played(run) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Watcher<'a> {
    remote: &'a Remote,
    id: RunId,
    progress: Progress,
    /// Games whose end needs no more telling; none before the first look.
    seen: Option<HashSet<GameId>>,
}

impl Watcher<'_> {
    /// Also over the server's end and its next start.
    async fn until_over(&mut self) -> anyhow::Result<()> {
        loop {
            match self.watch().await {
                Ok(true) => return Ok(()),
                Ok(false) => {
                    self.progress.say("the server has closed the connection; trying again")
                }
                Err(error) if self.seen.is_none() => return Err(error),
                Err(error) => self.progress.say(format_args!("{error}; trying again")),
            }
            self.until_back().await?;
        }
    }

    async fn until_back(&self) -> anyhow::Result<()> {
        let begun = tokio::time::Instant::now();
        loop {
            tokio::time::sleep(TRY_EVERY).await;
            match run(self.remote, self.id.0).await {
                Ok(_) => return Ok(()),
                Err(error) if begun.elapsed() > PATIENCE => return Err(error),
                Err(_) => {}
            }
        }
    }

    /// One connection; `true` where the run is over.
    async fn watch(&mut self) -> anyhow::Result<bool> {
        let mut socket = self.remote.web_socket("/ws").await?;
        while let Some(message) = socket.next::<ServerMessage>().await? {
            let over = match message {
                ServerMessage::Snapshot(snapshot) => self.begin(&snapshot).await?,
                ServerMessage::Delta { change, .. } => self.change(&change),
                ServerMessage::Resumed { .. } => false,
            };
            if over {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn begin(&mut self, snapshot: &Snapshot) -> anyhow::Result<bool> {
        self.progress.playing(snapshot.live.iter().map(|live| &live.game));
        let id = self.id;
        let ended = snapshot.recent.iter().rev().filter(|game| game.run == id);
        match &mut self.seen {
            None => self.seen = Some(ended.map(|game| game.id).collect()),
            // What ended while nobody was connected.
            Some(_) => ended.for_each(|game| self.ended(game)),
        }
        // A server shows only the latest of the runs that are over.
        let Some(run) = snapshot.runs.iter().find(|run| run.id == self.id) else {
            return Ok(run(self.remote, self.id.0).await?.state.is_over());
        };
        self.progress.run_is(run);
        Ok(run.state.is_over())
    }

    fn change(&mut self, change: &Change) -> bool {
        match change {
            Change::GameEnded { game } if game.run == self.id => self.ended(game),
            change => self.progress.see(change),
        }
        matches!(change, Change::Run { run } if run.id == self.id && run.state.is_over())
    }

    fn ended(&mut self, game: &GameView) {
        if self.seen.get_or_insert_default().insert(game.id) {
            self.progress.see(&Change::GameEnded { game: game.clone() });
        }
    }
}
