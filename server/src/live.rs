//! What viewers see: one state, changed by numbered deltas. A viewer begins with a snapshot, or goes on from a number it has; one that
//! falls behind gets a new snapshot, never a gap. Knows no HTTP and no store.

use crate::{
    api::{
        BoardView, Change, FlashView, GameView, LiveGame, RunView, ServerMessage, Side, Snapshot,
    },
    model::{BoardId, GameId, RunId, unix_millis},
};
use bytes::Bytes;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
};
use tokio::sync::broadcast;

/// Deltas that a returning viewer can catch up with: some minutes of a fast run.
const HISTORY: usize = 4096;
/// And what they may take in memory, as they are sent: some are whole games.
const HISTORY_BYTES: usize = 16 << 20;
/// Deltas that a slow viewer may be behind before it gets a snapshot.
const LAG: usize = 1024;
/// Finished games and runs in a snapshot.
const RECENT: usize = 50;

/// A numbered change, with its JSON made once for all viewers.
#[derive(Debug)]
pub struct Delta {
    /// One more than the last.
    pub seq: u64,
    /// The change.
    pub change: Box<Change>,
    /// The message as it is sent.
    pub json: Bytes,
}

/// The hub. Clones are the same hub.
#[derive(Clone, Debug)]
pub struct Live {
    state: Arc<Mutex<State>>,
    deltas: broadcast::Sender<Arc<Delta>>,
    epoch: Arc<str>,
}

#[derive(Debug, Default)]
struct State {
    seq: u64,
    boards: BTreeMap<BoardId, BoardView>,
    runs: BTreeMap<RunId, RunView>,
    live: BTreeMap<GameId, LiveGame>,
    flashes: BTreeMap<BoardId, FlashView>,
    recent: VecDeque<GameView>,
    history: VecDeque<Arc<Delta>>,
    history_bytes: usize,
}

/// A viewer's place: what to send first, and where the rest comes from.
pub struct Subscription {
    /// Messages to send at once, in order.
    pub first: Vec<Bytes>,
    /// Everything after them.
    pub deltas: broadcast::Receiver<Arc<Delta>>,
}

impl Live {
    /// An empty state of a new epoch.
    #[must_use]
    pub fn new() -> Live {
        let (deltas, _) = broadcast::channel(LAG);
        let epoch = format!("{:x}-{:08x}", unix_millis(), rand::random::<u32>());
        Live { state: Arc::default(), deltas, epoch: epoch.into() }
    }

    /// What an earlier server left, newest first: a viewer finds the last games also after a restart. To be called before anybody
    /// watches.
    pub fn recall(&self, runs: Vec<RunView>, games: Vec<GameView>) {
        let mut state = self.lock();
        state.runs.extend(runs.into_iter().map(|run| (run.id, run)));
        state.forget_old_runs();
        state.recent.extend(games);
        state.recent.truncate(RECENT);
    }

    /// Applies a change, numbers it and sends it to every viewer.
    pub fn publish(&self, change: Change) {
        let mut state = self.lock();
        // One instant for the state and for the message: a viewer that applies the message has the state.
        let at = unix_millis();
        state.apply(&change, at);
        state.seq += 1;
        let seq = state.seq;
        let message = ServerMessage::Delta { seq, at, change: Box::new(change) };
        let json = to_json(&message);
        let ServerMessage::Delta { change, .. } = message else { return };
        let delta = Arc::new(Delta { seq, change, json });
        state.remember(Arc::clone(&delta));
        // Sent under the lock, so that numbers go out in order. An error means that nobody watches.
        let _ = self.deltas.send(delta);
    }

    /// A place for a viewer: after `since` of `epoch` where that is still known, with a snapshot otherwise.
    #[must_use]
    pub fn subscribe(&self, since: Option<(&str, u64)>) -> Subscription {
        let state = self.lock();
        let deltas = self.deltas.subscribe();
        let resumable = since.filter(|(epoch, seq)| {
            let oldest = state.history.front().map_or(state.seq + 1, |delta| delta.seq);
            *epoch == &*self.epoch && *seq <= state.seq && seq + 1 >= oldest
        });
        let first = match resumable {
            Some((epoch, seq)) => {
                let resumed = to_json(&ServerMessage::Resumed { epoch: epoch.to_owned(), seq });
                let missed = state.history.iter().filter(|delta| delta.seq > seq);
                std::iter::once(resumed).chain(missed.map(|delta| delta.json.clone())).collect()
            }
            None => {
                let snapshot = self.snapshot_of(&state);
                // Long games make long texts: nobody who plays waits for them.
                drop(state);
                vec![to_json(&ServerMessage::Snapshot(Box::new(snapshot)))]
            }
        };
        Subscription { first, deltas }
    }

    /// The state, whole.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.snapshot_of(&self.lock())
    }

    /// All boards as they were last published.
    #[must_use]
    pub fn boards(&self) -> Vec<BoardView> {
        self.lock().boards.values().cloned().collect()
    }

    /// A board as it was last published.
    #[must_use]
    pub fn board(&self, id: BoardId) -> Option<BoardView> {
        self.lock().boards.get(&id).cloned()
    }

    /// A board's last flash since the server's start, as it was last published.
    #[must_use]
    pub fn flash(&self, board: BoardId) -> Option<FlashView> {
        self.lock().flashes.get(&board).cloned()
    }

    /// A run as it was last published.
    #[must_use]
    pub fn run(&self, id: RunId) -> Option<RunView> {
        self.lock().runs.get(&id).cloned()
    }

    fn snapshot_of(&self, state: &State) -> Snapshot {
        Snapshot {
            epoch: self.epoch.to_string(),
            seq: state.seq,
            now: unix_millis(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            boards: state.boards.values().cloned().collect(),
            runs: state.runs.values().rev().cloned().collect(),
            live: state.live.values().cloned().collect(),
            recent: state.recent.iter().cloned().collect(),
            flashes: state.flashes.values().cloned().collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock; if it did, the state would be no worse than a moment before.
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Default for Live {
    fn default() -> Live {
        Live::new()
    }
}

impl State {
    fn remember(&mut self, delta: Arc<Delta>) {
        self.history_bytes += delta.json.len();
        self.history.push_back(delta);
        while self.history.len() > HISTORY || self.history_bytes > HISTORY_BYTES {
            let Some(oldest) = self.history.pop_front() else { break };
            self.history_bytes -= oldest.json.len();
        }
    }

    fn apply(&mut self, change: &Change, at: i64) {
        match change {
            Change::Board { board } => {
                self.boards.insert(board.id, board.clone());
            }
            Change::Run { run } => {
                self.runs.insert(run.id, run.clone());
                self.forget_old_runs();
            }
            Change::GameStarted { live } => {
                self.live.insert(live.game.id, live.clone());
            }
            Change::Ply { game, ply } => {
                if let Some(live) = self.live.get_mut(game) {
                    live.plies.push(ply.clone());
                    live.game.plies = ply.ply;
                    live.thinking_since = None;
                }
            }
            Change::ThinkStarted { game, .. } => {
                if let Some(live) = self.live.get_mut(game) {
                    live.thinking_since = Some(at);
                }
            }
            Change::Thinking { thinking } => {
                if let Some(live) = self.live.get_mut(&thinking.game) {
                    let place = match thinking.side {
                        Side::White => &mut live.white_thinking,
                        Side::Black => &mut live.black_thinking,
                    };
                    *place = Some(thinking.clone());
                }
            }
            Change::GameEnded { game } => {
                self.live.remove(&game.id);
                self.recent.retain(|recent| recent.id != game.id);
                self.recent.push_front(game.clone());
                self.recent.truncate(RECENT);
            }
            Change::Flash { flash } => {
                self.flashes.insert(flash.record.board, flash.clone());
            }
            Change::Link { .. } => {}
        }
    }

    fn forget_old_runs(&mut self) {
        let ended = self.runs.values().filter(|run| run.state.is_over());
        let ended: Vec<RunId> = ended.map(|run| run.id).collect();
        for id in ended.iter().take(ended.len().saturating_sub(RECENT)) {
            self.runs.remove(id);
        }
    }
}

fn to_json(message: &ServerMessage) -> Bytes {
    // These types have string keys and finite numbers only.
    serde_json::to_vec(message).expect("an API message is JSON").into()
}
