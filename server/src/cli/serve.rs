//! `rookery serve`: the daemon.

use super::{
    out,
    run::status,
    session::{DEFAULT_LISTEN, Interrupts, ServerArgs},
};
use crate::{
    app::App,
    config::Config,
    model::{RunSettings, RunState},
    store::Store,
};
use std::{process::ExitCode, time::Duration};

const AFTER_HELP: &str = "\
Examples:
  rookery serve --config rookery.toml     boards and runs as the file has them (rookery.sample.toml)
  rookery serve --db games.db             no boards and no runs: begin them by the API
  ROOKERY_TOKEN=... rookery serve --listen 0.0.0.0:8080
                                          for other machines, which need the token";

/// The options of `rookery serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    server: ServerArgs,
}

/// Serves until it is told to stop.
pub(super) async fn serve(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    // Wrong runs are found before anything is started.
    let runs: Vec<RunSettings> =
        config.runs.iter().map(|run| config.settings(run)).collect::<Result<_, _>>()?;
    let mut interrupts = Interrupts::catch()?;
    let app = args.server.start(config, Some(DEFAULT_LISTEN), Some("rookery.db"), None).await?;
    let served = begin_and_wait(&app, config, &runs, &args, &mut interrupts).await;
    let ended = interrupts.end(app).await;
    status(served, ended)
}

async fn begin_and_wait(
    app: &App,
    config: &Config,
    runs: &[RunSettings],
    args: &Args,
    interrupts: &mut Interrupts,
) -> anyhow::Result<()> {
    for board in config.board_specs() {
        app.boards.get(&board).await?;
    }
    if args.server.no_resume {
        let closed = app.runs.close_all().await?;
        tracing::info!(closed, "interrupted games closed");
    } else {
        for (run, _ending) in app.runs.resume_all().await? {
            tracing::info!(%run, "run resumed");
        }
    }
    for settings in runs {
        // One that failed is tried again: its engine or its board may be back.
        if let Some(record) = app.store.find_unfinished_run(settings).await? {
            if record.state == RunState::Failed {
                tracing::info!(run = %record.id, "failed run begun again");
                app.runs.begin(record).await?;
            }
        } else if !is_known(&app.store, settings).await? {
            let (run, _ending) = app.runs.create(settings).await?;
            tracing::info!(%run, name = settings.name, "run begun");
        }
    }
    if let Some(address) = app.address {
        // A daemon lives on where nobody reads this.
        let _ = out::line(format_args!("listening on http://{address}"));
    }
    let watchdog = tell_systemd();
    interrupts.first().await;
    let _ = sd_notify::notify(&[sd_notify::NotifyState::Stopping]);
    watchdog.abort();
    Ok(())
}

/// Says that the daemon is ready, and goes on saying that it lives where systemd wants to hear it.
fn tell_systemd() -> tokio::task::JoinHandle<()> {
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Ready]) {
        tracing::warn!("systemd was not told: {error}");
    }
    tokio::spawn(async {
        let Some(period) = sd_notify::watchdog_enabled() else { return };
        let mut beat = tokio::time::interval((period / 2).max(Duration::from_millis(100)));
        loop {
            beat.tick().await;
            let _ = sd_notify::notify(&[sd_notify::NotifyState::Watchdog]);
        }
    })
}

async fn is_known(store: &Store, settings: &RunSettings) -> anyhow::Result<bool> {
    const PAGE: u32 = 100;
    let mut before = None;
    loop {
        let page = store.runs(PAGE, before).await?;
        if page.iter().any(|run| run.settings == *settings) {
            return Ok(true);
        }
        match page.last() {
            Some(last) if page.len() == PAGE as usize => before = Some(last.id),
            _ => return Ok(false),
        }
    }
}
