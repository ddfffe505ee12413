//! The runs that are being played: begun, controlled, and found again after a restart.

use crate::{
    book::{Book, BookError},
    game::{Game, Rules, StartError},
    link::{BoardUrl, BoardUrlError, transport::Dialect},
    model::{Adjudication, PlayerSpec, RunId, RunRecord, RunSettings, RunState},
    referee::{Control, OldBoardError, sayable_to_old_board},
    runner::{Resources, RunEnd, RunError, Runner},
    store::StoreError,
};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::{oneshot, watch};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The most games of one run.
const MOST_GAMES: u32 = 1_000_000;
/// No game is so long that a rule over more moves could strike.
const MOST_MOVES: u32 = 10_000;
const LONGEST_NAME: usize = 200;

/// What is wrong with a run's settings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// A number is out of its range.
    #[error("'{field}' is {value}; it must be from {least} to {most}")]
    Range {
        /// Which.
        field: &'static str,
        /// What it is.
        value: u32,
        /// The least.
        least: u32,
        /// The most.
        most: u32,
    },
    /// A name is empty, too long, or has characters that no name has.
    #[error("'{0}' is not a name: write 1 to 200 characters, none of them a control character")]
    Name(&'static str),
    /// A book cannot be read.
    #[error(transparent)]
    Book(#[from] BookError),
    /// No board.
    #[error("the run has no board: name at least one, or an engine in a board's place")]
    NoBoard,
    /// The same board twice.
    #[error("the board {0} is named twice; one board plays one game at a time")]
    BoardTwice(String),
    /// More games at a time than boards.
    #[error(
        "'concurrency' is {wanted}, but there are {boards} boards; one board plays one game at a time"
    )]
    TooFewBoards {
        /// Games at a time.
        wanted: u32,
        /// Boards.
        boards: usize,
    },
    /// A board's URL is none.
    #[error(transparent)]
    Url(#[from] BoardUrlError),
    /// An opening line is wrong.
    #[error("opening line {number}: {source}")]
    Opening {
        /// 1 for the first.
        number: usize,
        /// What is wrong.
        source: StartError,
    },
    /// An opening line has no words in the dialect of a board.
    #[error("opening line {number} cannot be played with the board {board}: {source}")]
    OldBoard {
        /// 1 for the first.
        number: usize,
        /// The board.
        board: String,
        /// Why.
        source: OldBoardError,
    },
}

/// Why a run does not do what it was told.
#[derive(Debug, thiserror::Error)]
pub enum RunsError {
    /// Its settings are wrong.
    #[error(transparent)]
    Settings(#[from] SettingsError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is not being played.
    #[error("run {run} is not being played: it is {}", state.as_str())]
    NotActive {
        /// Which.
        run: RunId,
        /// Where it stands.
        state: RunState,
    },
    /// It does not wait for a board.
    #[error("run {run} does not wait for a board: it is {}", state.as_str())]
    NotWaiting {
        /// Which.
        run: RunId,
        /// Where it stands.
        state: RunState,
    },
    /// It stops after the games that are being played: a pause would make one forget that.
    #[error("run {0} stops after this game; resume it first to pause it, or abort it")]
    Stopping(RunId),
    /// It is being broken off: there is no way back.
    #[error("run {0} is being aborted")]
    Aborting(RunId),
}

/// What is shown of a run that ends after the games that are being played.
const STOPS: &str = "stops after this game";

/// Waits for a run's end.
pub type Ending = oneshot::Receiver<Result<RunEnd, RunError>>;

/// All active runs.
#[derive(Clone)]
pub struct Runs {
    inner: Arc<Inner>,
}

struct Inner {
    resources: Resources,
    active: Mutex<HashMap<RunId, Active>>,
    /// Held while a run is spoken to: what is kept and what is shown follow the same order as what is said.
    words: tokio::sync::Mutex<()>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

struct Active {
    control: watch::Sender<Control>,
    stop: CancellationToken,
    runner: Runner,
    /// Its end, where a word took it up and nobody waits for it yet.
    unclaimed: Option<Ending>,
}

impl Runs {
    /// No runs yet. They are left, resumable, when `stop` is cancelled; their tasks are in `tasks`.
    #[must_use]
    pub fn new(resources: Resources, tasks: TaskTracker, stop: CancellationToken) -> Runs {
        let (active, words) = (Mutex::default(), tokio::sync::Mutex::default());
        Runs { inner: Arc::new(Inner { resources, active, words, tasks, stop }) }
    }

    /// Keeps a new run and begins it.
    pub async fn create(&self, settings: &RunSettings) -> Result<(RunId, Ending), RunsError> {
        check(settings, |url| self.inner.resources.boards.known_as(url))?;
        let store = &self.inner.resources.store;
        let _in_order = self.inner.words.lock().await;
        let id = store.create_run(settings).await?;
        let ending = self.enter(store.run(id).await?).await?;
        Ok((id, ending))
    }

    /// Begins a kept run, or goes on with it. A word may have been quicker, as the page is there before: what it took up is not begun
    /// a second time, and what it ended stays ended.
    pub async fn begin(&self, record: RunRecord) -> Result<Ending, StoreError> {
        let _in_order = self.inner.words.lock().await;
        let taken_up = self.active().get_mut(&record.id).and_then(|run| run.unclaimed.take());
        if let Some(ending) = taken_up {
            return Ok(ending);
        }
        let now = self.inner.resources.store.run(record.id).await?;
        if now.state.is_over() && now.state != record.state {
            let (ended, ending) = oneshot::channel();
            let _ = ended.send(Ok(match now.state {
                RunState::Finished => RunEnd::Finished,
                _ => RunEnd::Stopped,
            }));
            return Ok(ending);
        }
        self.enter(now).await
    }

    /// The same for who holds the words.
    async fn enter(&self, mut record: RunRecord) -> Result<Ending, StoreError> {
        let inner = Arc::clone(&self.inner);
        let id = record.id;
        let first = match record.state {
            RunState::Paused => Control::Pause,
            // It was told to stop by a word that an earlier server heard: only what was begun is played.
            RunState::Running | RunState::Pending if record.stopping => Control::StopAfterGame,
            // Kept before anybody can speak to the run: what is said later is kept later.
            state => {
                // Where it had a board it has it again, unless others came in between.
                let waits = matches!(record.settings.first, PlayerSpec::Boards(_))
                    && state != RunState::Running;
                let state = if waits { RunState::Pending } else { RunState::Running };
                inner.resources.store.set_run_state(id, state, None).await?;
                record = inner.resources.store.run(id).await?;
                Control::Run
            }
        };
        let (control, heard) = watch::channel(first);
        let stop = inner.stop.child_token();
        let runner = Runner::new(inner.resources.clone(), record, heard, stop.clone()).await?;
        if first == Control::StopAfterGame {
            runner.show(|view| view.alarm = Some(STOPS.into()));
        }
        self.active().insert(id, Active { control, stop, runner: runner.clone(), unclaimed: None });
        let seats = runner.prepare().await;
        let (ended, ending) = oneshot::channel();
        self.inner.tasks.spawn(async move {
            let result = runner.run(seats).await;
            match &result {
                Ok(end) => tracing::info!(run = %id, ?end, "the run ended"),
                Err(error) => tracing::info!(run = %id, "the run failed: {error}"),
            }
            inner.active.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
            // Nobody may be waiting.
            let _ = ended.send(result);
        });
        Ok(ending)
    }

    /// Goes on with every run that an earlier server left.
    pub async fn resume_all(&self) -> Result<Vec<(RunId, Ending)>, StoreError> {
        let mut resumed = Vec::new();
        // Who had a board before comes before who waited for it, whoever is begun first here.
        let _closed = self.inner.resources.queue.close();
        let _in_order = self.inner.words.lock().await;
        for record in self.inner.resources.store.unfinished_runs().await? {
            // A word may have been quicker.
            if !self.active().contains_key(&record.id) {
                resumed.push((record.id, self.enter(record).await?));
            }
        }
        Ok(resumed)
    }

    /// Closes what an earlier server left instead: its games as interrupted, its runs as stopped. Says how many games.
    pub async fn close_all(&self) -> Result<usize, StoreError> {
        let store = &self.inner.resources.store;
        let closed = store.close_interrupted(None).await?;
        for record in store.unfinished_runs().await? {
            store.set_run_state(record.id, RunState::Stopped, None).await?;
        }
        Ok(closed.len())
    }

    /// Holds a run between two plies.
    pub async fn pause(&self, id: RunId) -> Result<(), RunsError> {
        self.say(id, Control::Pause, Some(RunState::Paused)).await
    }

    /// Lets a held run go on, and one that was to stop as well.
    pub async fn resume(&self, id: RunId) -> Result<(), RunsError> {
        self.say(id, Control::Run, Some(RunState::Running)).await
    }

    /// Ends a run after the games that are being played; those of a held one go on.
    pub async fn stop(&self, id: RunId) -> Result<(), RunsError> {
        self.say(id, Control::StopAfterGame, Some(RunState::Running)).await
    }

    /// Moves a run that waits for a board before all others that wait.
    pub async fn next(&self, id: RunId) -> Result<(), RunsError> {
        let _in_order = self.inner.words.lock().await;
        let Resources { store, queue, .. } = &self.inner.resources;
        let state = store.run(id).await?.state;
        if !queue.waits(id) {
            return Err(RunsError::NotWaiting { run: id, state });
        }
        let place = queue.front();
        store.set_run_place(id, place).await?;
        queue.set_place(id, place);
        if let Some(run) = self.active().get(&id) {
            run.runner.show(|view| view.queue = queue.view(id));
        }
        Ok(())
    }

    /// Ends a run at once; its games are closed as aborted.
    pub async fn abort(&self, id: RunId) -> Result<(), RunsError> {
        self.say(id, Control::Abort, None).await
    }

    async fn say(
        &self,
        id: RunId,
        word: Control,
        state: Option<RunState>,
    ) -> Result<(), RunsError> {
        let _in_order = self.inner.words.lock().await;
        let kept = self.inner.resources.store.run(id).await?.state;
        if !kept.is_over() && !self.active().contains_key(&id) {
            return self.take_up(id, kept, word).await;
        }
        let runner = {
            let active = self.active();
            let run = active.get(&id).ok_or(RunsError::NotActive { run: id, state: kept })?;
            let last = *run.control.borrow();
            match (last, word) {
                (Control::Abort, _) => return Err(RunsError::Aborting(id)),
                (Control::StopAfterGame, Control::Pause) => return Err(RunsError::Stopping(id)),
                _ => {}
            }
            run.control.send_replace(word);
            if word == Control::Abort {
                run.stop.cancel();
            }
            run.runner.clone()
        };
        let Some(state) = state else { return Ok(()) };
        let Resources { store, queue, .. } = &self.inner.resources;
        let waits = state == RunState::Running && queue.has_none(id);
        let state = if waits { RunState::Pending } else { state };
        // It may have come to its end a moment ago: that stays.
        let stopping = word == Control::StopAfterGame;
        if !store.set_open_run_state(id, state, stopping).await? {
            let state = store.run(id).await?.state;
            return Err(RunsError::NotActive { run: id, state });
        }
        runner.show(|view| {
            if !view.state.is_over() {
                view.state = state;
            }
            if stopping {
                view.alarm = Some(STOPS.into());
            } else if view.alarm.as_deref() == Some(STOPS) {
                view.alarm = None;
            }
        });
        queue.set_paused(id, word == Control::Pause);
        runner.show(|view| view.queue = queue.view(id));
        // It may have got its board while this was written.
        if waits && !queue.has_none(id) {
            runner.has_board().await?;
        }
        Ok(())
    }

    /// A run that an earlier server left and nobody plays: whatever is said to it takes it up, but for the word that ends it.
    async fn take_up(&self, id: RunId, kept: RunState, word: Control) -> Result<(), RunsError> {
        let resources = &self.inner.resources;
        let state = match word {
            Control::Abort => return Ok(resources.abort_left(id).await?),
            Control::Pause => RunState::Paused,
            // Whether it has had a board is not known of a paused one: it gets in line.
            Control::Run if kept == RunState::Paused => RunState::Pending,
            Control::Run => kept,
            Control::StopAfterGame => RunState::Running,
        };
        resources.store.set_open_run_state(id, state, word == Control::StopAfterGame).await?;
        let ending = self.enter(resources.store.run(id).await?).await?;
        // Unless it has ended already.
        if let Some(run) = self.active().get_mut(&id) {
            run.unclaimed = Some(ending);
        }
        Ok(())
    }

    fn active(&self) -> std::sync::MutexGuard<'_, HashMap<RunId, Active>> {
        self.inner.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks a run's settings as far as that is possible before it begins. `known_as` gives a board's URL in its one form.
pub fn check(
    settings: &RunSettings,
    known_as: impl Fn(&str) -> Result<String, BoardUrlError>,
) -> Result<(), SettingsError> {
    let range = |field, value, least, most| {
        if (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(SettingsError::Range { field, value, least, most })
        }
    };
    range("games", settings.games, 0, MOST_GAMES)?;
    range("level", settings.level, 1, u32::MAX)?;
    range("concurrency", settings.concurrency, 1, 256)?;
    range("think_timeout_s", settings.think_timeout_s, 1, 86_400)?;
    range("board_patience_s", settings.board_patience_s, 1, 86_400)?;
    let Adjudication { draw, resign, max_plies } = settings.adjudication;
    range("adjudication.draw.moves", draw.map_or(1, |rule| rule.moves), 1, MOST_MOVES)?;
    range("adjudication.resign.moves", resign.map_or(1, |rule| rule.moves), 1, MOST_MOVES)?;
    range("adjudication.max_plies", max_plies.unwrap_or(1), 1, u32::MAX)?;
    name("name", settings.name.as_deref())?;
    name("second.name", settings.second.name.as_deref())?;
    let mut books = vec![&settings.second.book];
    if let PlayerSpec::Engine(engine) = &settings.first {
        name("first.engine.name", engine.name.as_deref())?;
        books.push(&engine.book);
    }
    for spec in books.into_iter().flatten() {
        Book::open(&spec.path)?;
    }
    // One that is found to be such by its answers is met when its game is to begin.
    let mut old_board = None;
    if let PlayerSpec::Boards(boards) = &settings.first {
        if boards.is_empty() {
            return Err(SettingsError::NoBoard);
        }
        let mut seen = HashSet::new();
        for board in boards {
            name("first.boards.name", board.name.as_deref())?;
            let known_as = known_as(&board.url)?;
            if known_as.parse::<BoardUrl>().is_ok_and(|url| url.dialect() == Dialect::V1) {
                old_board = Some(known_as.clone());
            }
            if !seen.insert(known_as) {
                return Err(SettingsError::BoardTwice(board.url.clone()));
            }
        }
        if settings.concurrency as usize > boards.len() {
            let (wanted, boards) = (settings.concurrency, boards.len());
            return Err(SettingsError::TooFewBoards { wanted, boards });
        }
    }
    let rules = Rules { claims: settings.claims, adjudication: settings.adjudication };
    for (i, line) in settings.openings.iter().enumerate() {
        let number = i + 1;
        let game = Game::from_opening(line, rules)
            .map_err(|source| SettingsError::Opening { number, source })?;
        if let Some(board) = &old_board {
            sayable_to_old_board(&game).map_err(|source| {
                let board = board.clone();
                SettingsError::OldBoard { number, board, source }
            })?;
        }
    }
    Ok(())
}

/// A name that is to stand in the field of that name, or why it may not.
///
/// # Errors
/// [`SettingsError::Name`]
pub fn named(field: &'static str, text: &str) -> Result<String, SettingsError> {
    name(field, Some(text)).map(|()| text.to_owned())
}

/// A name stands in every list and every message about the run.
fn name(field: &'static str, name: Option<&str>) -> Result<(), SettingsError> {
    let fits = |name: &str| {
        !name.trim().is_empty()
            && name.chars().count() <= LONGEST_NAME
            && !name.contains(char::is_control)
    };
    if name.is_none_or(fits) { Ok(()) } else { Err(SettingsError::Name(field)) }
}
