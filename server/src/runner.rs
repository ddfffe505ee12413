//! One run from its first game to its last: decides who plays what on which board, and goes on where an earlier server stopped.

mod error;
mod left;
mod plan;
mod ready;
mod seat;

pub use error::RunError;

use crate::{
    api::{Change, RunView},
    boards::{Board, Boards},
    game::{Game, Rules},
    live::Live,
    model::{
        ColorPolicy, NewGame, OpeningLine, PlayerSpec, RunId, RunRecord, RunSettings, RunState,
        unix_millis,
    },
    openings,
    pgn::PgnFile,
    queue::{Queue, Ticket, Wish},
    referee::{Conduct, Control, Keeper, Player, Referee, Verdict, sayable_to_old_board},
    store::{Store, StoreError},
    uci::EngineOptions,
};
use plan::{Job, Plan};
use seat::{First, Seat};
use shakmaty::Color;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::{sync::watch, task::JoinSet};
use tokio_util::sync::CancellationToken;

/// What a run needs of the server.
#[derive(Clone)]
pub struct Resources {
    /// The database.
    pub store: Store,
    /// The viewers.
    pub live: Live,
    /// The boards.
    pub boards: Boards,
    /// How engines are started.
    pub engines: EngineOptions,
    /// The PGN file that grows with every game.
    pub pgn: Option<Arc<PgnFile>>,
    /// Which run has which board.
    pub queue: Queue,
}

/// What a run is played at: a wait for a board each, or an engine.
pub struct Seats {
    ticket: Option<Ticket>,
    seats: Vec<First>,
}

/// How a run ended this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Every game is over.
    Finished,
    /// A person ended it.
    Stopped,
    /// The server stops; the run goes on at its next start.
    Interrupted,
}

/// A run that is being played.
#[derive(Clone)]
pub struct Runner {
    resources: Resources,
    id: RunId,
    settings: Arc<RunSettings>,
    /// As the run was kept: its place in the queue, and whether it had a board already.
    place: i64,
    begun: bool,
    control: watch::Receiver<Control>,
    stop: CancellationToken,
    plan: Arc<Mutex<Plan>>,
    view: Arc<Mutex<RunView>>,
}

impl Runner {
    /// A run of the store. `stop` is cancelled when the server stops or the run is aborted.
    pub async fn new(
        resources: Resources,
        record: RunRecord,
        control: watch::Receiver<Control>,
        stop: CancellationToken,
    ) -> Result<Runner, StoreError> {
        let tally = resources.store.tally(record.id).await?;
        // One that is paused may never have had a board.
        let begun = record.state == RunState::Running || tally.played > 0;
        let view = RunView::from_record(&record, tally);
        let runner = Runner {
            resources,
            id: record.id,
            settings: Arc::new(record.settings),
            place: record.place,
            begun,
            control,
            stop,
            plan: Arc::default(),
            view: Arc::new(Mutex::new(view)),
        };
        runner.show(|_| ());
        Ok(runner)
    }

    /// Makes the plan, and takes the run's place in the queue for boards.
    pub async fn prepare(&self) -> Result<Seats, RunError> {
        self.make_plan().await?;
        let open = self.plan().len();
        let wanted = (self.settings.concurrency.max(1) as usize).min(open);
        let specs = match &self.settings.first {
            PlayerSpec::Engine(spec) => {
                let seats = (0..wanted).map(|_| First::Engine(spec.clone())).collect();
                return Ok(Seats { ticket: None, seats });
            }
            PlayerSpec::Boards(specs) => specs,
        };
        let mut boards = Vec::new();
        for spec in specs {
            boards.push(self.resources.boards.get(spec).await?);
        }
        let interrupted = self.plan().interrupted_boards();
        // Where a game was cut off it goes on, if that can be.
        boards.sort_by_key(|board| !interrupted.contains(&board.id));
        let name = |board: &Board| board.name.clone().unwrap_or_else(|| board.url.clone());
        let wish = Wish {
            boards: boards.iter().map(|board| (board.id, name(board))).collect(),
            seats: wanted,
            begun: self.begun || !interrupted.is_empty(),
            interrupted,
            paused: self.control() == Control::Pause,
            place: self.place,
        };
        let (ticket, waits) = self.resources.queue.enter(self.id, wish);
        let boards: Arc<[_]> = boards.into();
        let seats = waits.into_iter().map(|wait| First::Board(wait, Arc::clone(&boards)));
        let seats = seats.collect();
        self.show(|view| view.queue.clone_from(&ticket.view().borrow()));
        Ok(Seats { ticket: Some(ticket), seats })
    }

    /// Plays what is left to play at the seats that were prepared.
    pub async fn run(self, seats: Result<Seats, RunError>) -> Result<RunEnd, RunError> {
        let result = match seats {
            Ok(seats) => self.play_all(seats).await,
            Err(error) => Err(error),
        };
        let store = &self.resources.store;
        let (state, error) = match &result {
            Ok(RunEnd::Finished) => (RunState::Finished, None),
            Ok(RunEnd::Stopped) => (RunState::Stopped, None),
            Ok(RunEnd::Interrupted) => return result,
            Err(_) if self.stop.is_cancelled() && self.control() != Control::Abort => {
                return Ok(RunEnd::Interrupted);
            }
            Err(error) => (RunState::Failed, Some(error.to_string())),
        };
        store.set_run_state(self.id, state, error.as_deref()).await?;
        self.show(|view| {
            view.state = state;
            view.ended_at = Some(unix_millis());
            view.alarm = error;
        });
        result
    }

    async fn play_all(&self, Seats { mut ticket, seats }: Seats) -> Result<RunEnd, RunError> {
        let mut workers = JoinSet::new();
        for first in seats {
            let runner = self.clone();
            workers.spawn(async move { runner.work(first).await });
        }
        let waiting = ticket.as_ref().map(|ticket| tokio::spawn(self.clone().show_queue(ticket)));
        let mut failed = None;
        while let Some(ended) = workers.join_next().await {
            if let Err(error) = ended.map_err(RunError::from).flatten() {
                // The other games are played to their ends; no further one begins.
                self.plan().clear();
                failed.get_or_insert(error);
            }
            // With nothing left to play, nobody waits for a board any longer.
            if self.plan().len() == 0 {
                ticket = None;
            }
        }
        drop(ticket);
        if let Some(waiting) = waiting {
            // It ends with the ticket.
            waiting.await?;
        }
        if self.control() == Control::Abort {
            self.close_left_over().await?;
        }
        self.write_pgn().await;
        match failed {
            Some(error) => Err(error),
            None if self.control() == Control::Abort => Ok(RunEnd::Stopped),
            None if self.stop.is_cancelled() => Ok(RunEnd::Interrupted),
            None if self.plan().len() == 0 => Ok(RunEnd::Finished),
            None => Ok(RunEnd::Stopped),
        }
    }

    /// Shows why the run waits, until it leaves the queue.
    fn show_queue(self, ticket: &Ticket) -> impl Future<Output = ()> + use<> {
        let mut queue = ticket.view();
        async move {
            while queue.changed().await.is_ok() {
                let now = queue.borrow_and_update().clone();
                self.show(|view| view.queue = now);
            }
            self.show(|view| view.queue = None);
        }
    }

    /// The run has a board, and so it is played.
    pub async fn has_board(&self) -> Result<(), StoreError> {
        self.resources.store.run_has_board(self.id).await?;
        self.show(|view| {
            if view.state == RunState::Pending {
                view.state = RunState::Running;
            }
        });
        Ok(())
    }

    /// An aborted run leaves no game open, also none that waited to be resumed.
    async fn close_left_over(&self) -> Result<(), StoreError> {
        self.resources.abort_games(self.id).await?;
        self.refresh_tally().await
    }

    /// What is left: interrupted games first, then those that have not begun.
    async fn make_plan(&self) -> Result<(), StoreError> {
        let store = &self.resources.store;
        let interrupted = store.unfinished_games(self.id).await?;
        let begun = store.game_numbers(self.id).await?.into_iter().map(|(n, _)| n).collect();
        *self.plan() = Plan::new(interrupted, &begun, self.settings.games);
        Ok(())
    }

    /// One seat: its first player, and the engines that play there, one game after the other.
    async fn work(&self, first: First) -> Result<(), RunError> {
        let Some(mut seat) = Seat::prepare(self, first).await? else { return Ok(()) };
        let result = self.play_in(&mut seat).await;
        seat.leave().await;
        result
    }

    async fn play_in(&self, seat: &mut Seat) -> Result<(), RunError> {
        let mut conduct = Conduct::new(self.control.clone(), self.stop.clone());
        loop {
            let left = conduct.wait_while_paused().await.is_err();
            if left || self.plan().len() == 0 || !self.make_ready(seat).await? {
                return Ok(());
            }
            let finish = self.control() != Control::Run;
            let Some(job) = self.plan().next(seat.board_id(), finish) else { return Ok(()) };
            let verdict = self.play(job, seat, conduct.clone()).await;
            seat.set_game(None);
            if verdict? == Verdict::Interrupted {
                return Ok(());
            }
            self.refresh_tally().await?;
            self.write_pgn().await;
        }
    }

    async fn play(&self, job: Job, seat: &mut Seat, conduct: Conduct) -> Result<Verdict, RunError> {
        let keeper = self.keeper();
        let settings = &*self.settings;
        let number = match &job {
            Job::Resume(record) => record.game.number,
            Job::New(number) => *number,
        };
        for player in &mut seat.players {
            if let Player::Engine(engine) = player {
                engine.set_seed(settings.seed.wrapping_add(number.into()));
            }
        }
        let referee = match job {
            Job::Resume(record) => Referee::resume(&keeper, settings, conduct, *record)
                .await
                .map_err(|source| RunError::Resume { number, source })?,
            Job::New(_) => {
                let (new, game) = self.new_game(number, seat)?;
                Referee::begin(&keeper, settings, conduct, new, game).await?
            }
        };
        seat.set_game(Some(referee.id()));
        Ok(referee.play(&mut seat.players).await?)
    }

    fn new_game(&self, number: u32, seat: &Seat) -> Result<(NewGame, Game), RunError> {
        let settings = &*self.settings;
        let alternate = settings.color == ColorPolicy::Alternate;
        let first_is_white = match settings.color {
            ColorPolicy::White => true,
            ColorPolicy::Black => false,
            ColorPolicy::Alternate => number % 2 == 1,
        };
        let empty = OpeningLine::of_moves(None, "");
        let line = openings::pick(&settings.openings, number, alternate).unwrap_or(&empty);
        let rules = Rules { claims: settings.claims, adjudication: settings.adjudication };
        let game = Game::from_opening(line, rules)
            .map_err(|source| RunError::Opening { number, source })?;
        if let Some(board) = seat.old_board() {
            sayable_to_old_board(&game).map_err(|source| {
                let board = board.url.clone();
                RunError::OldBoard { number, board, source }
            })?;
        }
        let [first, second] = [seat.players[0].name(), seat.players[1].name()];
        let (white, black) = if first_is_white { (first, second) } else { (second, first) };
        let new = NewGame {
            run_id: self.id,
            number,
            board_id: seat.board_id(),
            white,
            black,
            first_color: Color::from_white(first_is_white),
            start_fen: game.start_fen().to_owned(),
            opening: line.name.clone(),
            started_at: unix_millis(),
        };
        Ok((new, game))
    }

    async fn refresh_tally(&self) -> Result<(), StoreError> {
        let tally = self.resources.store.tally(self.id).await?;
        self.show(|view| view.set_score(tally));
        Ok(())
    }

    async fn write_pgn(&self) {
        let Some(pgn) = &self.resources.pgn else { return };
        // The games are in the database; a file that cannot be written now is written after the next game.
        if let Err(error) = pgn.sync().await {
            tracing::error!("the PGN file is behind: {error}");
            self.alarm(Some(format!("the PGN file is behind: {error}")));
        }
    }

    fn keeper(&self) -> Keeper {
        let runner = self.clone();
        let alarm = Arc::new(move |text| runner.alarm(text));
        Keeper::new(self.resources.store.clone(), self.resources.live.clone(), alarm)
    }

    fn alarm(&self, text: Option<String>) {
        // The same once more is news to nobody.
        if self.view.lock().unwrap_or_else(PoisonError::into_inner).alarm == text {
            return;
        }
        if let Some(text) = &text {
            tracing::warn!(run = %self.id, "{text}");
        }
        self.show(|view| view.alarm = text);
    }

    /// Changes the run's view and publishes it.
    pub fn show(&self, change: impl FnOnce(&mut RunView)) {
        let mut view = self.view.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut view);
        self.resources.live.publish(Change::Run { run: Box::new(view.clone()) });
    }

    fn control(&self) -> Control {
        *self.control.borrow()
    }

    fn plan(&self) -> MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
