//! The flashes of all boards, one at a time on each: which image, when a game is played, what is kept of it and what is shown.

mod error;
mod images;
mod task;

pub use error::FlashesError;

use crate::{
    api::{Change, FlashRequest, FlashView, FlashWhen},
    boards::{Board, Boards, Hold},
    flash::{Entry, FlashOptions, Image, LineSequence},
    link::BoardUrl,
    live::Live,
    model::{BoardId, FirmwareImage, FlashEntry, FlashRecord, FlashResult, GameId, RunId},
    runs::Runs,
    store::{NewFlash, Store},
};
use images::Images;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Flashes in a board's history, as far back as a rollback looks.
const HISTORY: u32 = 200;
const LONGEST_NAME: usize = 200;

/// All flashes.
#[derive(Clone)]
pub struct Flashes {
    inner: Arc<Inner>,
}

struct Inner {
    store: Store,
    live: Live,
    boards: Boards,
    runs: Runs,
    images: Images,
    tasks: TaskTracker,
    stop: CancellationToken,
    active: Mutex<HashMap<BoardId, Active>>,
    /// Runs that were paused for a flash that failed: the next good one resumes them.
    paused: Mutex<HashMap<BoardId, RunId>>,
}

struct Active {
    cancel: CancellationToken,
    image: String,
}

/// What a flash's task works with.
struct Work {
    board: Arc<Board>,
    image: Image,
    options: FlashOptions,
    when: FlashWhen,
    /// No game begins on the board until it is over.
    hold: Hold,
    cancel: CancellationToken,
}

impl Flashes {
    /// No flashes yet. They end when `stop` is cancelled; their tasks are in `tasks`. Images are kept beside the database.
    #[must_use]
    pub fn new(
        store: Store,
        live: Live,
        boards: Boards,
        runs: Runs,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Flashes {
        let images = Images::beside(store.path());
        let (active, paused) = (Mutex::default(), Mutex::default());
        let inner = Inner { store, live, boards, runs, images, tasks, stop, active, paused };
        Flashes { inner: Arc::new(inner) }
    }

    /// Reads, checks and keeps an image; it is named by its hash.
    pub async fn keep(
        &self,
        file: &[u8],
        region: &str,
        foreign: bool,
    ) -> Result<FirmwareImage, FlashesError> {
        self.inner.images.keep(&self.inner.store, file, region, foreign).await
    }

    /// All kept images, newest first.
    pub async fn images(&self) -> Result<Vec<FirmwareImage>, FlashesError> {
        Ok(self.inner.store.firmware().await?)
    }

    /// Forgets an image that no flash is using.
    pub async fn forget(&self, sha256: &str) -> Result<(), FlashesError> {
        if self.active().values().any(|active| active.image == sha256) {
            return Err(FlashesError::InUse(sha256.to_owned()));
        }
        self.inner.images.forget(&self.inner.store, sha256).await
    }

    /// A board's last flash: as it goes on, or as it ended.
    pub async fn last(&self, board: BoardId) -> Result<Option<FlashView>, FlashesError> {
        if let Some(view) = self.inner.live.flash(board) {
            return Ok(Some(view));
        }
        let last = self.inner.store.flashes(board, 1).await?.pop();
        Ok(last.map(FlashView::from))
    }

    /// The latest flashes of a board, newest first.
    pub async fn history(&self, board: BoardId) -> Result<Vec<FlashRecord>, FlashesError> {
        Ok(self.inner.store.flashes(board, HISTORY).await?)
    }

    /// Begins a flash. Everything that can be wrong with the request is found before anything happens.
    pub async fn start(
        &self,
        id: BoardId,
        request: &FlashRequest,
    ) -> Result<FlashView, FlashesError> {
        let inner = &self.inner;
        let board = inner.boards.find(id).await.ok_or(FlashesError::NoBoard(id))?;
        let options = FlashOptions {
            entry: entry(request, &board.url)?,
            mode: request.mode,
            unprotect: request.unprotect,
        };
        let by = by(request)?;
        let sha256 = match (&request.image, request.rollback) {
            (Some(sha256), false) => sha256.clone(),
            (None, true) => self.previous(id).await?,
            _ => return Err(FlashesError::Which),
        };
        let (kept, image) = inner.images.read(&inner.store, &sha256).await?;
        let cancel = inner.stop.child_token();
        {
            let mut active = self.active();
            if active.contains_key(&id) {
                return Err(FlashesError::Busy(id));
            }
            active.insert(id, Active { cancel: cancel.clone(), image: sha256 });
        }
        // From here on the place is taken, and given back by whoever fails.
        let hold = board.hold();
        let begun = self.may_begin(&board, request.when).await;
        let record = match begun {
            Ok(()) => {
                let new = NewFlash { board: id, image: kept, by, entry: request.entry };
                inner.store.begin_flash(&new).await.map_err(FlashesError::from)
            }
            Err(error) => Err(error),
        };
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                self.active().remove(&id);
                return Err(error);
            }
        };
        let view = FlashView::from(record);
        // Whoever asks from now on hears of this flash, not of the one before.
        inner.live.publish(Change::Flash { flash: view.clone() });
        let work = Work { board, image, options, when: request.when, hold, cancel };
        inner.tasks.spawn(task::run(self.clone(), work, view.clone()));
        Ok(view)
    }

    /// Stops a flash. A board that was changed already waits in its loader.
    pub fn cancel(&self, board: BoardId) -> Result<(), FlashesError> {
        let active = self.active();
        active.get(&board).ok_or(FlashesError::NotActive(board))?.cancel.cancel();
        Ok(())
    }

    async fn may_begin(&self, board: &Board, when: FlashWhen) -> Result<(), FlashesError> {
        let game = *board.game().borrow();
        match (game, when) {
            (Some(game), FlashWhen::Free) => {
                let run = self.inner.store.game(game).await?.game.run_id;
                let held = self.inner.store.run(run).await?.state;
                Err(FlashesError::Playing { game, run, state: held })
            }
            _ => Ok(()),
        }
    }

    /// The run of a game that is being played.
    async fn run_of(&self, game: GameId) -> Result<RunId, FlashesError> {
        Ok(self.inner.store.game(game).await?.game.run_id)
    }

    /// What was on the board before the last image, or before a flash that failed.
    async fn previous(&self, board: BoardId) -> Result<String, FlashesError> {
        use FlashResult::{Compared, Flashed, Running, Unchanged};
        let history = self.inner.store.flashes(board, HISTORY).await?;
        let mut last = None;
        for flash in history.iter().filter(|flash| {
            flash.region == "application" && !matches!(flash.result, Compared | Running)
        }) {
            let good = matches!(flash.result, Flashed | Unchanged);
            match &last {
                None if !good => last = Some(String::new()),
                None => last = Some(flash.image.clone()),
                Some(last) if good && *last != flash.image => return Ok(flash.image.clone()),
                Some(_) => {}
            }
        }
        Err(FlashesError::NoPrevious(board))
    }

    fn active(&self) -> MutexGuard<'_, HashMap<BoardId, Active>> {
        self.inner.active.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paused(&self) -> MutexGuard<'_, HashMap<BoardId, RunId>> {
        self.inner.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The way into the loader. Lines that the request does not name are those of the board's URL.
fn entry(request: &FlashRequest, board: &str) -> Result<Entry, FlashesError> {
    match (request.entry, &request.lines) {
        (FlashEntry::Lines, Some(lines)) => Ok(Entry::Lines(lines.parse()?)),
        (FlashEntry::Lines, None) => {
            let lines = board.parse::<BoardUrl>().map(|url| url.reset_lines()).unwrap_or_default();
            Ok(Entry::Lines(LineSequence::of(lines)))
        }
        (_, Some(_)) => Err(FlashesError::LinesUnused),
        (FlashEntry::App, None) => Ok(Entry::App),
        (FlashEntry::Manual, None) => Ok(Entry::Manual),
    }
}

fn by(request: &FlashRequest) -> Result<String, FlashesError> {
    let by = request.by.as_deref().unwrap_or("api").trim();
    let fits =
        !by.is_empty() && by.chars().count() <= LONGEST_NAME && !by.contains(char::is_control);
    if fits { Ok(by.to_owned()) } else { Err(FlashesError::By) }
}

impl From<FlashRecord> for FlashView {
    fn from(record: FlashRecord) -> FlashView {
        FlashView {
            record,
            phase: None,
            done: 0,
            total: 0,
            rate: None,
            left_s: None,
            say: None,
            differed: None,
            firmware: None,
        }
    }
}
