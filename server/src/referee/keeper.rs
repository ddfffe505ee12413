//! Keeps and announces: the store, patient with a full disk, and the viewers, spared of what is too fast to see.

use super::{Conduct, Turn};
use crate::{
    api::{Change, Side, ThinkingView},
    live::Live,
    model::{GameId, IterationRecord},
    store::{Store, StoreError},
};
use shakmaty::{Chess, Position, san::SanPlus, uci::UciMove};
use std::{
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// How often a write is tried again while the disk is full.
const RETRY: Duration = Duration::from_secs(1);
/// Viewers see iterations of one think no more often than this.
const SHOWN_EVERY: Duration = Duration::from_millis(80);
/// Moves of a line that are shown.
const SHOWN_MOVES: usize = 12;

/// Somebody who is told why a run waits, and when it goes on.
pub type Alarm = Arc<dyn Fn(Option<String>) + Send + Sync>;

/// The store and the viewers of one run.
#[derive(Clone)]
pub struct Keeper {
    store: Store,
    live: Live,
    alarm: Alarm,
}

impl Keeper {
    /// `alarm` is told when the run has to wait for the store.
    #[must_use]
    pub fn new(store: Store, live: Live, alarm: Alarm) -> Keeper {
        Keeper { store, live, alarm }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Announces a change that is durable.
    pub fn announce(&self, change: Change) {
        self.live.publish(change);
    }

    /// Writes, and while the disk is full (or the database locked by another program) waits for it with an alarm: nothing is lost and
    /// the game goes on when there is room. Gives up only when the server stops.
    pub async fn durably<T, F>(
        &self,
        conduct: &Conduct,
        mut write: impl FnMut() -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let mut waited = false;
        loop {
            match write().await {
                Err(error) if error.is_full() || error.is_transient() => {
                    if !std::mem::replace(&mut waited, true) {
                        tracing::error!("the run waits: {error}");
                        (self.alarm)(Some(format!("waiting for the database: {error}")));
                    }
                    tokio::select! {
                        () = tokio::time::sleep(RETRY) => {}
                        () = conduct.cancelled().cancelled() => return Err(error),
                    }
                }
                result => {
                    if waited {
                        (self.alarm)(None);
                    }
                    return result;
                }
            }
        }
    }

    /// A watcher of one think. It shows nothing before the ply before is announced.
    pub(super) fn watch_think<'a>(&'a self, game: GameId, turn: &Turn<'a>) -> Watcher<'a> {
        let position = turn.game.position();
        let side = turn.color.into();
        Watcher { live: &self.live, position, game, side, latest: Mutex::new(None) }
    }
}

/// Shows the iterations of a think: the latest one every now and then, and the last one at the end.
pub(super) struct Watcher<'a> {
    live: &'a Live,
    position: &'a Chess,
    game: GameId,
    side: Side,
    latest: Mutex<Option<IterationRecord>>,
}

impl Watcher<'_> {
    /// An iteration is finished.
    pub(super) fn see(&self, iteration: &IterationRecord) {
        *self.latest() = Some(iteration.clone());
    }

    /// Shows what is new from time to time, for as long as it is polled.
    pub(super) async fn keep_showing(&self) -> Infallible {
        loop {
            tokio::time::sleep(SHOWN_EVERY).await;
            self.show();
        }
    }

    /// Shows the latest iteration, unless it has been shown.
    pub(super) fn show(&self) {
        let Some(iteration) = self.latest().take() else { return };
        self.live.publish(Change::Thinking {
            thinking: ThinkingView {
                game: self.game,
                ply: iteration.ply,
                side: self.side,
                depth: iteration.depth,
                nodes: iteration.nodes,
                score: iteration.score,
                score_raw: iteration.score_raw,
                ms: iteration.ms,
                pv: san_line(self.position, &iteration.pv),
            },
        });
    }

    fn latest(&self) -> MutexGuard<'_, Option<IterationRecord>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A line in SAN, as far as it is legal.
fn san_line(position: &Chess, pv: &str) -> Vec<String> {
    let mut position = position.clone();
    let mut line = Vec::new();
    for word in pv.split_whitespace().take(SHOWN_MOVES) {
        let Some(mv) = word.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&position).ok())
        else {
            break;
        };
        line.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        if position.is_game_over() {
            break;
        }
    }
    line
}
