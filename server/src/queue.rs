//! Which run plays on which board, and which waits for one. Each board is played on by one run; those that want it come in a visible
//! order, and a run takes any of its boards that is free. Knows numbers and names only: boards and runs have tasks of their own.

use crate::{
    api::QueueView,
    model::{BoardId, RunId},
};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{oneshot, watch};

/// The queue. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Queue {
    state: Arc<Mutex<State>>,
}

/// What a run wants.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// Boards it may play on, those it likes best first, and their names.
    pub boards: Vec<(BoardId, String)>,
    /// On how many of them at a time.
    pub seats: usize,
    /// Boards on which it has an interrupted game: it was there before all others, and takes them also while it is paused.
    pub interrupted: BTreeSet<BoardId>,
    /// Whether games of it were begun: it had a board before those that had none.
    pub begun: bool,
    /// Held by a person: others go before.
    pub paused: bool,
    /// Its place among those that wait: the least is the next. Of equals the older run is.
    pub place: i64,
}

#[derive(Debug, Default)]
struct State {
    runs: BTreeMap<RunId, Entry>,
    taken: HashMap<BoardId, RunId>,
    /// While it is more than none, no board is given: not everybody is there yet.
    closed: u32,
}

#[derive(Debug)]
struct Entry {
    wish: Wish,
    waits: VecDeque<oneshot::Sender<Taken>>,
    view: watch::Sender<Option<QueueView>>,
}

/// A run in the queue: it leaves when this is dropped, and keeps what it has taken.
#[derive(Debug)]
pub struct Ticket {
    queue: Queue,
    run: RunId,
    view: watch::Receiver<Option<QueueView>>,
}

/// One seat that waits for a board. Dropped, it waits no more.
#[derive(Debug)]
pub struct Wait {
    queue: Queue,
    board: oneshot::Receiver<Taken>,
}

/// A board that is a run's until this is dropped.
#[derive(Debug)]
pub struct Taken {
    queue: Option<Queue>,
    board: BoardId,
}

/// While this lives, no board is given.
#[derive(Debug)]
pub struct Closed(Queue);

impl Queue {
    /// A run comes, with a wait for each of its seats.
    #[must_use]
    pub fn enter(&self, run: RunId, wish: Wish) -> (Ticket, Vec<Wait>) {
        let mut waits = VecDeque::new();
        let seats = wish.seats;
        let seat = |_| {
            let (give, board) = oneshot::channel();
            waits.push_back(give);
            Wait { queue: self.clone(), board }
        };
        let seats: Vec<Wait> = (0..seats).map(seat).collect();
        let (shown, view) = watch::channel(None);
        self.lock().runs.insert(run, Entry { wish, waits, view: shown });
        self.settle();
        (Ticket { queue: self.clone(), run, view }, seats)
    }

    /// Gives no board until what is returned is dropped: after a restart all runs are to be there first.
    #[must_use]
    pub fn close(&self) -> Closed {
        self.lock().closed += 1;
        Closed(self.clone())
    }

    /// Whether a run waits and has no board at all.
    #[must_use]
    pub fn has_none(&self, run: RunId) -> bool {
        let state = self.lock();
        state.runs.contains_key(&run) && !state.taken.values().any(|other| *other == run)
    }

    /// Whether a run waits for a board, be it one more.
    #[must_use]
    pub fn waits(&self, run: RunId) -> bool {
        self.lock().runs.get(&run).is_some_and(Entry::waits)
    }

    /// Why a run waits; nothing where it does not.
    #[must_use]
    pub fn view(&self, run: RunId) -> Option<QueueView> {
        self.lock().runs.get(&run).and_then(|entry| entry.view.borrow().clone())
    }

    /// The place before all that wait.
    #[must_use]
    pub fn front(&self) -> i64 {
        let state = self.lock();
        let places = state.runs.values().filter(|entry| entry.waits()).map(|e| e.wish.place);
        places.min().unwrap_or(0).saturating_sub(1)
    }

    /// Moves a run.
    pub fn set_place(&self, run: RunId, place: i64) {
        self.change(run, |wish| (wish.place, wish.begun) = (place, true));
    }

    /// Holds a run back, or lets it take boards again.
    pub fn set_paused(&self, run: RunId, paused: bool) {
        self.change(run, |wish| wish.paused = paused);
    }

    fn change(&self, run: RunId, change: impl FnOnce(&mut Wish)) {
        if let Some(entry) = self.lock().runs.get_mut(&run) {
            change(&mut entry.wish);
        }
        self.settle();
    }

    /// Gives every free board to who is next, and tells the others why they wait.
    fn settle(&self) {
        let mut state = self.lock();
        for entry in state.runs.values_mut() {
            entry.waits.retain(|wait| !wait.is_closed());
        }
        while state.closed == 0 {
            let Some((run, board)) = state.next() else { break };
            let entry = state.runs.get_mut(&run).expect("it was found there");
            let wait = entry.waits.pop_front().expect("it waits");
            // Who has left in this moment gives it back; not here, where the lock is held.
            if let Err(mut left) = wait.send(Taken { queue: Some(self.clone()), board }) {
                left.queue = None;
                continue;
            }
            entry.wish.interrupted.remove(&board);
            entry.wish.begun = true;
            state.taken.insert(board, run);
        }
        for (run, entry) in &state.runs {
            let view = entry.waits().then(|| state.view(*run, entry));
            entry.view.send_if_modified(|shown| {
                let news = *shown != view;
                *shown = view;
                news
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn waits(&self) -> bool {
        self.waits.iter().any(|wait| !wait.is_closed())
    }

    fn wants(&self, board: BoardId) -> bool {
        self.wish.boards.iter().any(|(id, _)| *id == board)
    }
}

/// Where a run stands among those that wait: who had a board before, then by place, then by age.
fn order(run: RunId, wish: &Wish) -> (bool, i64, RunId) {
    (!wish.begun, wish.place, run)
}

impl State {
    /// The next run and the free board that it takes.
    fn next(&self) -> Option<(RunId, BoardId)> {
        let waiting = self.runs.iter().filter(|(_, entry)| entry.waits());
        let wishes = waiting.flat_map(|(run, Entry { wish, .. })| {
            let may = |id: &BoardId| !wish.paused || wish.interrupted.contains(id);
            let boards = wish.boards.iter().enumerate().map(|(n, (id, _))| (n, *id));
            let free = boards.filter(move |(_, id)| may(id) && !self.taken.contains_key(id));
            free.map(|(n, id)| ((!wish.interrupted.contains(&id), order(*run, wish), n), *run, id))
        });
        wishes.min_by_key(|(key, ..)| *key).map(|(_, run, board)| (run, board))
    }

    fn view(&self, run: RunId, entry: &Entry) -> QueueView {
        let own = order(run, &entry.wish);
        let before = self.runs.iter().filter(|(other, e)| {
            let shared = || entry.wish.boards.iter().any(|(board, _)| e.wants(*board));
            let passed_over = e.wish.paused && !entry.wish.paused;
            let waits = e.waits() && !passed_over && order(**other, &e.wish) < own;
            **other != run && waits && shared()
        });
        let place = u32::try_from(before.count()).unwrap_or(u32::MAX).saturating_add(1);
        let mut holders = BTreeSet::new();
        let mut whys = Vec::new();
        for (board, name) in &entry.wish.boards {
            match self.taken.get(board) {
                Some(holder) if *holder != run => {
                    holders.insert(*holder);
                    let rests = self.runs.get(holder).is_some_and(|holder| holder.wish.paused);
                    let does = if rests { "is paused" } else { "plays" };
                    whys.push(format!("run {holder} {does} on {name}"));
                }
                _ => {}
            }
        }
        if entry.wish.paused {
            whys.insert(0, "it is paused".into());
        }
        let why = if whys.is_empty() { "the server starts".into() } else { whys.join(", ") };
        QueueView { place, why, behind: holders.into_iter().collect() }
    }
}

impl Ticket {
    /// Why the run waits; nothing where every seat has its board.
    #[must_use]
    pub fn view(&self) -> watch::Receiver<Option<QueueView>> {
        self.view.clone()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.queue.lock().runs.remove(&self.run);
        self.queue.settle();
    }
}

impl Wait {
    /// Until there is a board; nothing where the run has left the queue.
    pub async fn board(&mut self) -> Option<Taken> {
        (&mut self.board).await.ok()
    }
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.board.close();
        drop(self.board.try_recv());
        self.queue.settle();
    }
}

impl Taken {
    /// Which.
    #[must_use]
    pub fn board(&self) -> BoardId {
        self.board
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        queue.lock().taken.remove(&self.board);
        queue.settle();
    }
}

impl Drop for Closed {
    fn drop(&mut self) {
        self.0.lock().closed -= 1;
        self.0.settle();
    }
}

#[cfg(test)]
mod tests;
