//! Positions judged by an engine: several processes, one thread each, so that a judgement does not depend on what was asked before or at
//! the same time.

use super::cache::{Cache, CacheError};
use crate::{
    model::{EngineSpec, Limit, Score},
    uci::{EngineEvent, EngineFailure, EngineOptions, Go, Info, StartError, Supervised, Think},
};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};
use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::mpsc, task::JoinSet};
use tokio_util::sync::CancellationToken;

/// A crash costs a restart; so many in a row for one position are too many.
const RESTARTS: u32 = 2;

/// How positions are judged.
#[derive(Clone, Debug)]
pub struct AnalystOptions {
    /// The engine. Its limit may not be a clock; `Threads`, `Hash` and `MultiPV` are set for it.
    pub engine: EngineSpec,
    /// Processes at the same time.
    pub workers: usize,
    /// The file of what was judged already.
    pub cache: Option<PathBuf>,
    /// How engines are started.
    pub start: EngineOptions,
    /// The longest that one judgement may take.
    pub watchdog: Duration,
}

/// Why positions are not judged.
#[derive(Debug, thiserror::Error)]
pub enum AnalysisError {
    /// The engine does not start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The engine failed again and again.
    #[error("the engine fails in '{fen}': {source}")]
    Engine {
        /// The position.
        fen: String,
        /// How.
        source: EngineFailure,
    },
    /// The engine says nothing that could be used.
    #[error("the engine has no move with a score in '{0}'")]
    Silent(String),
    /// The limit.
    #[error(
        "the limit '{0}' is a clock, which positions do not have: use nodes, depth or movetime"
    )]
    Clock(Limit),
    /// The cache.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// It was told to stop.
    #[error("interrupted; what was judged is kept, and the same command goes on from there")]
    Interrupted,
}

/// A move with its score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// In UCI notation, as the engine wrote it.
    pub uci: String,
    /// Centipawns from the mover's side; a mate counts 32,000 less its distance.
    pub cp: i32,
}

/// A position and how many lines are wanted for it.
#[derive(Clone, Debug)]
pub(super) struct Question {
    pub(super) position: Chess,
    pub(super) width: u32,
}

/// Engines that judge positions.
pub struct Analyst {
    options: AnalystOptions,
    /// Name and options of the engine: judgements of another one do not count.
    identity: String,
    cache: Option<Cache>,
    cancel: CancellationToken,
    asked: u64,
    engines: Arc<Mutex<Vec<Bench>>>,
}

/// One worker's processes, by the number of lines that they give.
type Bench = HashMap<u32, Supervised>;

impl Analyst {
    /// Starts one engine, to learn its name. `cancel` ends everything.
    ///
    /// # Errors
    /// [`AnalysisError`]
    pub async fn start(
        mut options: AnalystOptions,
        cancel: CancellationToken,
    ) -> Result<Analyst, AnalysisError> {
        if Go::fixed(options.engine.limit).is_none() {
            return Err(AnalysisError::Clock(options.engine.limit));
        }
        options.workers = options.workers.max(1);
        let ours =
            |name: &str| ["threads", "multipv"].contains(&name.to_ascii_lowercase().as_str());
        options.engine.options.retain(|(name, _)| !ours(name));
        options.engine.options.insert(0, ("Threads".into(), "1".into()));
        let first = Supervised::start(&options.engine, options.start.clone(), RESTARTS).await?;
        let mut identity = first.name().to_owned();
        for (name, value) in &options.engine.options {
            identity.push_str(&format!("; {name}={value}"));
        }
        first.quit().await;
        let cache = match &options.cache {
            Some(path) => Some(Cache::open(path).await?),
            None => None,
        };
        Ok(Analyst { options, identity, cache, cancel, asked: 0, engines: Arc::default() })
    }

    /// How many judgements did not come from the cache.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.identity.split("; ").next().unwrap_or_default()
    }

    /// The best moves of one position, at most `width` of them.
    ///
    /// # Errors
    /// [`AnalysisError`]
    pub async fn lines(
        &mut self,
        position: &Chess,
        width: u32,
    ) -> Result<Vec<Line>, AnalysisError> {
        let question = Question { position: position.clone(), width };
        let mut answers = self.judge(&[question], || {}).await?;
        Ok(answers.pop().unwrap_or_default())
    }

    /// Judges positions; the answers stand in the order of the questions, each with its lines, the best first. `each` is called for
    /// every answer as it comes.
    pub(super) async fn judge(
        &mut self,
        questions: &[Question],
        mut each: impl FnMut(),
    ) -> Result<Vec<Vec<Line>>, AnalysisError> {
        let limit = self.options.engine.limit;
        let search = limit.to_string();
        let mut answers: Vec<Option<Vec<Line>>> = vec![None; questions.len()];
        let mut open = Vec::new();
        for (index, question) in questions.iter().enumerate() {
            let fen = fen(&question.position);
            if let Some(cache) = &mut self.cache
                && let Some(text) = cache.get(&self.identity, &search, question.width, &fen).await?
                && let Ok(lines) = serde_json::from_str(&text)
            {
                answers[index] = Some(lines);
                each();
                continue;
            }
            open.push((index, fen, question.width));
        }
        open.reverse();
        let workers = self.options.workers.min(open.len());
        let open = Arc::new(Mutex::new(open));
        let (send, mut receive) = mpsc::channel(workers.max(1));
        let mut tasks = JoinSet::new();
        for _ in 0..workers {
            let worker = Worker {
                options: self.options.clone(),
                open: Arc::clone(&open),
                benches: Arc::clone(&self.engines),
                cancel: self.cancel.clone(),
                send: send.clone(),
            };
            tasks.spawn(worker.work());
        }
        drop(send);
        while let Some((index, fen, width, lines)) = receive.recv().await {
            self.asked += 1;
            if let Some(cache) = &mut self.cache {
                let text = serde_json::to_string(&lines).expect("lines can be written as JSON");
                cache.put(&self.identity, &search, width, &fen, &text).await?;
            }
            answers[index] = Some(lines);
            each();
        }
        while let Some(ended) = tasks.join_next().await {
            // A panic of a worker is a bug and shown as one.
            ended.expect("a worker does not panic")?;
        }
        answers.into_iter().collect::<Option<_>>().ok_or(AnalysisError::Interrupted)
    }

    /// Ends the engines and closes the cache.
    ///
    /// # Errors
    /// [`AnalysisError::Cache`]
    pub async fn end(self) -> Result<(), AnalysisError> {
        let benches = std::mem::take(&mut *lock(&self.engines));
        for engine in benches.into_iter().flat_map(HashMap::into_values) {
            engine.quit().await;
        }
        if let Some(cache) = self.cache {
            cache.close().await?;
        }
        Ok(())
    }
}

type Open = (usize, String, u32);

struct Worker {
    options: AnalystOptions,
    open: Arc<Mutex<Vec<Open>>>,
    benches: Arc<Mutex<Vec<Bench>>>,
    cancel: CancellationToken,
    send: mpsc::Sender<(usize, String, u32, Vec<Line>)>,
}

impl Worker {
    async fn work(self) -> Result<(), AnalysisError> {
        let mut bench = lock(&self.benches).pop().unwrap_or_default();
        let result = self.work_with(&mut bench).await;
        if result.is_err() {
            // Nobody has to wait for what will not be used.
            lock(&self.open).clear();
        }
        lock(&self.benches).push(bench);
        result
    }

    async fn work_with(&self, bench: &mut Bench) -> Result<(), AnalysisError> {
        loop {
            let Some((index, fen, width)) = lock(&self.open).pop() else { return Ok(()) };
            if self.cancel.is_cancelled() {
                return Err(AnalysisError::Interrupted);
            }
            let engine = match bench.remove(&width) {
                Some(engine) => engine,
                None => self.start(width).await?,
            };
            let engine = bench.entry(width).or_insert(engine);
            let lines = self.ask(engine, &fen).await?;
            if self.send.send((index, fen, width, lines)).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn start(&self, width: u32) -> Result<Supervised, AnalysisError> {
        let mut spec = self.options.engine.clone();
        if width > 1 {
            spec.options.push(("MultiPV".into(), width.to_string()));
        }
        Ok(Supervised::start(&spec, self.options.start.clone(), RESTARTS).await?)
    }

    async fn ask(&self, engine: &mut Supervised, fen: &str) -> Result<Vec<Line>, AnalysisError> {
        let failed = |source| match source {
            EngineFailure::Cancelled => AnalysisError::Interrupted,
            source => AnalysisError::Engine { fen: fen.to_owned(), source },
        };
        let mut observe = |event: EngineEvent<'_>| match event {
            EngineEvent::Info(_) => {}
            EngineEvent::Warning(text) => tracing::warn!("{text}"),
            EngineEvent::Restarted { reason, .. } => tracing::warn!("engine restarted: {reason}"),
        };
        // Clears the hash table: what was judged before does not count.
        engine.new_game(&self.cancel, &mut observe).await.map_err(failed)?;
        let go = Go::fixed(self.options.engine.limit).expect("the limit was checked at the start");
        let request = Think {
            start_fen: fen,
            moves: &[],
            go,
            deadline: None,
            watchdog: self.options.watchdog,
            cancel: &self.cancel,
        };
        let answer = engine.think(&request, &mut observe).await.map_err(failed)?;
        let line = |info: &Info| {
            let uci = info.pv.split(' ').next().filter(|uci| !uci.is_empty())?;
            Some(Line { uci: uci.to_owned(), cp: info.score.map(Score::as_cp)? })
        };
        let lines: Vec<Line> = answer.last.iter().chain(&answer.others).filter_map(line).collect();
        if lines.is_empty() { Err(AnalysisError::Silent(fen.to_owned())) } else { Ok(lines) }
    }
}

/// The counters do not take part: a position is judged as one without a past.
fn fen(position: &Chess) -> String {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.halfmoves = 0;
    setup.fullmoves = std::num::NonZeroU32::MIN;
    Fen::try_from(setup).expect("a position's set-up can be written").to_string()
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
