//! What a run shows while it goes on: a bar where somebody looks, JSON lines where a program does.

use super::{out, table};
use crate::{
    api::{Change, GameView, RunView},
    live::Delta,
    model::{GameId, RunId, RunState},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{collections::HashSet, io::ErrorKind, sync::Arc, time::Duration};
use tokio::sync::broadcast::{Receiver, error::RecvError};

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Show {
    /// A bar on standard error, where that is a terminal.
    Bar,
    /// Each finished game as a JSON object on standard output.
    Json,
}

/// A run on the screen.
pub(super) struct Progress {
    show: Show,
    bar: ProgressBar,
    run: RunId,
    /// The run's games that are being played.
    games: HashSet<GameId>,
    note: Option<String>,
    score: String,
}

impl Progress {
    /// Of `done` of `games` games.
    #[must_use]
    pub(super) fn new(show: Show, run: RunId, games: u32, done: u32) -> Progress {
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
        Progress { show, bar, run, games: HashSet::new(), note: None, score: String::new() }
    }

    /// Follows until nobody publishes any more; to be dropped when the run is over.
    pub(super) async fn follow(mut self, mut deltas: Receiver<Arc<Delta>>) {
        loop {
            match deltas.recv().await {
                Ok(delta) => self.see(&delta.change),
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            }
        }
    }

    /// Learns which games are being played already.
    pub(super) fn playing<'a>(&mut self, games: impl Iterator<Item = &'a GameView>) {
        self.games.extend(games.filter(|game| game.run == self.run).map(|game| game.id));
    }

    /// Shows a change, where it is the run's.
    pub(super) fn see(&mut self, change: &Change) {
        match change {
            Change::Run { run } if run.id == self.run => self.run_is(run),
            Change::GameStarted { live } if live.game.run == self.run => {
                self.games.insert(live.game.id);
            }
            Change::Ply { game, ply } if self.games.contains(game) => {
                self.bar.set_message(format!("{}  ply {} {}", self.score, ply.ply, ply.san));
            }
            Change::GameEnded { game } if game.run == self.run => {
                self.games.remove(&game.id);
                self.game_ended(game);
            }
            _ => {}
        }
    }

    /// Shows where the run stands.
    pub(super) fn run_is(&mut self, run: &RunView) {
        self.bar.set_position(run.played.into());
        let note = table::note(run);
        if note != self.note && run.state != RunState::Failed {
            self.note = note;
            if let Some(text) = &self.note {
                self.say(text);
            }
        }
        self.score = format!("+{} -{} ={}", run.wins, run.losses, run.draws);
        self.bar.set_message(self.score.clone());
    }

    /// Says something beside it.
    pub(super) fn say(&self, text: impl std::fmt::Display) {
        self.bar.suspend(|| out::note(text));
    }

    fn game_ended(&self, game: &GameView) {
        if self.show == Show::Json {
            let json = serde_json::to_string(game).expect("a game is JSON");
            // What cannot be written does not end the run: the games are in the database. That a reader went away is its own doing.
            if let Err(error) = out::line(json)
                && error.kind() != ErrorKind::BrokenPipe
            {
                self.say(format_args!(
                    "game {} is not written to standard output: {error}",
                    game.number
                ));
            }
        } else if self.show == Show::Bar {
            let reason = game.reason.as_deref().unwrap_or_default();
            let (result, plies) = (game.result.as_str(), game.plies);
            let text = format!(
                "game {}: {} - {}  {result}  {reason}, {plies} plies",
                game.number, game.white, game.black
            );
            self.say(text);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
