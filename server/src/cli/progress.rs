//! What a run shows while it goes on: a bar where somebody looks, JSON lines where a program does.

use super::out;
use crate::{
    api::{Change, GameView},
    live::{Delta, Live},
    model::{RunId, RunState},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{io::Write as _, sync::Arc, time::Duration};
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// A bar on standard error, where that is a terminal.
    Bar,
    /// Each finished game as a JSON object on standard output.
    Json,
}

/// Follows a run on the screen; ends when the server does.
pub(super) struct Progress {
    deltas: Receiver<Arc<Delta>>,
    show: Show,
    bar: ProgressBar,
    run: RunId,
}

impl Progress {
    /// Of `done` of `games` games.
    #[must_use]
    pub(super) fn new(live: &Live, show: Show, run: RunId, games: u32, done: u32) -> Progress {
        let bar = match show {
            Show::Bar if games == 0 => ProgressBar::no_length(),
            Show::Bar => ProgressBar::new(games.into()),
            Show::Json => ProgressBar::hidden(),
        };
        let style = match games {
            0 => "{elapsed_precise} {pos} games  {msg}",
            _ => "{elapsed_precise} {bar:30} {pos}/{len} games, {eta} left  {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.set_position(done.into());
        bar.enable_steady_tick(Duration::from_millis(500));
        let deltas = live.subscribe(None).deltas;
        Progress { deltas, show, bar, run }
    }

    /// Follows until nobody publishes any more; to be dropped when the run is over.
    pub(super) async fn follow(mut self) {
        let (mut alarm, mut last) = (None, String::new());
        loop {
            let delta = match self.deltas.recv().await {
                Ok(delta) => delta,
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            };
            match &*delta.change {
                Change::Run { run } if run.id == self.run => {
                    self.bar.set_position(run.played.into());
                    if run.alarm != alarm && run.state != RunState::Failed {
                        alarm.clone_from(&run.alarm);
                        if let Some(text) = &alarm {
                            self.bar.suspend(|| out::note(text));
                        }
                    }
                    last = format!("+{} -{} ={}", run.wins, run.losses, run.draws);
                    self.bar.set_message(last.clone());
                }
                Change::Ply { ply, .. } => {
                    self.bar.set_message(format!("{last}  ply {} {}", ply.ply, ply.san));
                }
                Change::GameEnded { game } if game.run == self.run => self.game_ended(game),
                _ => {}
            }
        }
    }

    fn game_ended(&self, game: &GameView) {
        if self.show == Show::Json
            && let Ok(json) = serde_json::to_string(game)
        {
            let mut out = std::io::stdout().lock();
            // A reader that went away does not end the run.
            let _ = writeln!(out, "{json}").and_then(|()| out.flush());
        } else if self.show == Show::Bar {
            let reason = game.reason.as_deref().unwrap_or_default();
            let (result, plies) = (game.result.as_str(), game.plies);
            let text = format!(
                "game {}: {} - {}  {result}  {reason}, {plies} plies",
                game.number, game.white, game.black
            );
            self.bar.suspend(|| out::note(text));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
