//! The boards that this server knows: one link, one client and one place on the page each. What happens on a link is kept and shown
//! from here.

use crate::{
    api::{BoardView, Change, LinkState},
    link::{self, BoardClient, BoardUrl, BoardUrlError, LinkHandle, LinkStatus, Ways},
    live::Live,
    model::{BoardId, BoardSpec, GameId, LinkEvent, LinkEventKind},
    store::{Store, StoreError},
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{mpsc, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Link events that may wait for the store: minutes of a bad line.
const EVENTS: usize = 4096;
/// Link events are written together, at most this often: the writer is the plies' as well.
const WRITE_EVERY: Duration = Duration::from_millis(250);
/// A board's view is published at most this often.
const SHOW_EVERY: Duration = Duration::from_millis(200);

/// Why a board cannot be added.
#[derive(Debug, thiserror::Error)]
pub enum BoardAddError {
    /// Its URL is none.
    #[error(transparent)]
    Url(#[from] BoardUrlError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A board.
#[derive(Debug)]
pub struct Board {
    /// Its number.
    pub id: BoardId,
    /// The name given.
    pub name: Option<String>,
    /// The URL by which it is known.
    pub url: String,
    /// Its link.
    pub link: LinkHandle,
    /// Its one user at a time.
    pub client: Arc<tokio::sync::Mutex<BoardClient>>,
    game: watch::Sender<Option<GameId>>,
    /// How many hold it: no game begins on it meanwhile.
    held: watch::Sender<u32>,
}

/// A board that is held: the game that is played goes on, none is begun until this is dropped.
#[derive(Debug)]
pub struct Hold(Arc<Board>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.held.send_modify(|held| *held -= 1);
    }
}

impl Board {
    /// Lets no game begin.
    #[must_use]
    pub fn hold(self: &Arc<Board>) -> Hold {
        self.held.send_modify(|held| *held += 1);
        Hold(Arc::clone(self))
    }

    /// How many hold it, and a way to wait for none.
    #[must_use]
    pub fn holds(&self) -> watch::Receiver<u32> {
        self.held.subscribe()
    }

    /// The game that it plays, and a way to wait for its end.
    #[must_use]
    pub fn game(&self) -> watch::Receiver<Option<GameId>> {
        self.game.subscribe()
    }

    /// Says which game it plays; what happens on its link belongs to that game.
    pub fn set_game(&self, game: Option<GameId>) {
        self.game.send_replace(game);
    }

    fn view(&self, status: &LinkStatus) -> BoardView {
        let counters = &status.counters;
        BoardView {
            id: self.id,
            name: self.name.clone().unwrap_or_else(|| self.url.clone()),
            url: self.url.clone(),
            link: status.state,
            since: status.since,
            identity: status.identity.as_ref().clone(),
            boot: status.boot.map(|boot| boot.to_string()),
            rtt_ms: status.round_trip.map(|rtt| rtt.as_secs_f64() * 1000.0),
            counters: counters.iter().map(|(k, n)| (k.as_str().to_owned(), *n)).collect(),
            game: *self.game.borrow(),
            alarm: status.trouble.clone().filter(|_| status.state != LinkState::Ready),
        }
    }
}

/// All boards.
#[derive(Clone, Debug)]
pub struct Boards {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    store: Store,
    live: Live,
    ways: Ways,
    boards: tokio::sync::Mutex<HashMap<String, Arc<Board>>>,
    aliases: Mutex<HashMap<String, BoardUrl>>,
    tasks: TaskTracker,
    cancel: CancellationToken,
}

impl Boards {
    /// No boards yet. Links end when `cancel` is cancelled; their tasks are in `tasks`.
    #[must_use]
    pub fn new(store: Store, live: Live, tasks: TaskTracker, cancel: CancellationToken) -> Boards {
        let (boards, aliases) = (tokio::sync::Mutex::default(), Mutex::default());
        let ways = Ways::default();
        Boards { inner: Arc::new(Inner { store, live, ways, boards, aliases, tasks, cancel }) }
    }

    /// Lets a URL stand for another: a simulated board has a new port at every start and is the same board all the same.
    pub fn alias(&self, known_as: &str, url: BoardUrl) {
        let mut aliases = self.inner.aliases.lock().unwrap_or_else(PoisonError::into_inner);
        aliases.insert(known_as.to_owned(), url);
    }

    /// The one form of a board's URL: `tcp://host:1/` and `tcp://host:1` are one board. A URL that stands for another keeps its own.
    pub fn known_as(&self, url: &str) -> Result<String, BoardUrlError> {
        self.resolve(url).map(|(known_as, _)| known_as)
    }

    fn resolve(&self, url: &str) -> Result<(String, BoardUrl), BoardUrlError> {
        let aliases = self.inner.aliases.lock().unwrap_or_else(PoisonError::into_inner);
        match aliases.get(url) {
            Some(alias) => Ok((url.to_owned(), alias.clone())),
            None => url.parse::<BoardUrl>().map(|url| (url.to_string(), url)),
        }
    }

    /// A board that is known already.
    pub async fn find(&self, id: BoardId) -> Option<Arc<Board>> {
        self.inner.boards.lock().await.values().find(|board| board.id == id).cloned()
    }

    /// The board of a URL; its link is started where it is new.
    pub async fn get(&self, spec: &BoardSpec) -> Result<Arc<Board>, BoardAddError> {
        let inner = &self.inner;
        let (known_as, url) = self.resolve(&spec.url)?;
        let mut boards = inner.boards.lock().await;
        if let Some(board) = boards.get(&known_as) {
            return Ok(Arc::clone(board));
        }
        let name = spec.name.as_deref().unwrap_or(&known_as);
        let id = inner.store.upsert_board(name, &known_as).await?;
        let (recorder, events) = mpsc::channel(EVENTS);
        let (link, task) =
            link::spawn(inner.ways.connector(url), recorder, inner.cancel.child_token());
        inner.tasks.spawn(task);
        let board = Arc::new(Board {
            id,
            name: spec.name.clone(),
            url: known_as.clone(),
            client: Arc::new(tokio::sync::Mutex::new(BoardClient::new(link.clone()))),
            link,
            game: watch::Sender::new(None),
            held: watch::Sender::new(0),
        });
        let keep = keep_events(Arc::clone(&board), events, inner.store.clone(), inner.live.clone());
        inner.tasks.spawn(keep);
        let show = show(Arc::clone(&board), inner.store.clone(), inner.live.clone());
        inner.tasks.spawn(show);
        boards.insert(known_as, Arc::clone(&board));
        Ok(board)
    }
}

/// Writes a link's events, several at a time, until the link's task ends.
async fn keep_events(
    board: Arc<Board>,
    mut events: mpsc::Receiver<LinkEvent>,
    store: Store,
    live: Live,
) {
    let mut batch = Vec::new();
    while events.recv_many(&mut batch, EVENTS).await > 0 {
        let game = *board.game.borrow();
        for event in batch.iter().filter(|event| is_shown(event.kind)) {
            live.publish(Change::Link {
                at: event.at,
                board: board.id,
                game,
                event: event.kind,
                detail: event.detail.clone(),
            });
        }
        while let Err(error) = store.add_link_events(board.id, game, &batch).await {
            if !error.is_transient() || events.is_closed() {
                tracing::error!(board = %board.url, "{} link events are lost: {error}", batch.len());
                break;
            }
            tokio::time::sleep(WRITE_EVERY).await;
        }
        batch.clear();
        // While the link lives, the next ones may come together; at its end the last ones are written at once.
        if !events.is_closed() {
            tokio::time::sleep(WRITE_EVERY).await;
        }
    }
}

/// The events that a viewer sees as they happen; the others are in the counters.
fn is_shown(kind: LinkEventKind) -> bool {
    use LinkEventKind as K;
    matches!(
        kind,
        K::Disconnected
            | K::SyncFailed
            | K::Drained
            | K::Rebooted
            | K::PositionDiffers
            | K::Retransmitted
            | K::BadCrc
    )
}

/// Publishes a board's view when it changes, and keeps what it says of itself.
async fn show(board: Arc<Board>, store: Store, live: Live) {
    let mut status = board.link.status();
    let mut game = board.game.subscribe();
    let mut kept = Arc::default();
    loop {
        let now = status.borrow_and_update().clone();
        game.borrow_and_update();
        if now.identity != kept {
            kept = Arc::clone(&now.identity);
            if let Err(error) = store.set_board_identity(board.id, &kept).await {
                tracing::warn!(board = %board.url, "the identity is not kept: {error}");
            }
        }
        live.publish(Change::Board { board: board.view(&now) });
        tokio::time::sleep(SHOW_EVERY).await;
        tokio::select! {
            changed = status.changed() => if changed.is_err() { return },
            _ = game.changed() => {}
        }
    }
}
