//! The engine that says what it thinks of a position: one process with one thread, one position at a time, each asked once: the answers
//! are kept in a file beside the database.

use super::page::move_view;
use crate::{
    api::{EvaluationView, JudgedMove},
    book::{AnalysisError, Analyst, AnalystOptions, Line, legal_move},
    files,
    model::{EngineSpec, Limit, Score},
    uci::EngineOptions,
};
use shakmaty::{Chess, Position};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::{mpsc, oneshot};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Positions that may wait; somebody who leafs through a line leaves most of them behind.
const WAITING: usize = 16;
/// An engine that nobody asks is ended.
const IDLE: Duration = Duration::from_secs(120);
/// The longest that one think may take: less than a request may.
const WATCHDOG: Duration = Duration::from_secs(20);

/// How positions are judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgeOptions {
    /// The engine and the limit of its thinks.
    pub engine: EngineSpec,
    /// Moves that are wanted.
    pub lines: u32,
}

impl JudgeOptions {
    /// Enough for an opening's position, and an answer while somebody looks.
    pub const USUAL_LIMIT: Limit = Limit::Nodes(200_000);
    /// As many as one reads at a glance.
    pub const USUAL_LINES: u32 = 3;

    /// An engine as it is without any settings.
    #[must_use]
    pub fn by(program: PathBuf) -> JudgeOptions {
        let engine = EngineSpec { limit: JudgeOptions::USUAL_LIMIT, ..EngineSpec::new(program) };
        JudgeOptions { engine, lines: JudgeOptions::USUAL_LINES }
    }
}

/// Why there is no judgement now.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// Too many ask.
    #[error("the engine has {WAITING} positions to judge already: ask again in a moment")]
    Busy,
    /// The engine failed.
    #[error("the engine for books gave no answer: {0}")]
    Engine(String),
    /// The server ends.
    #[error("the server ends")]
    Ended,
}

type Answer = Result<EvaluationView, JudgeError>;

struct Question {
    position: Chess,
    answer: oneshot::Sender<Answer>,
}

/// Whom to ask.
#[derive(Clone)]
pub(super) struct Judge {
    ask: mpsc::Sender<Question>,
}

impl Judge {
    pub(super) fn new(
        options: JudgeOptions,
        start: EngineOptions,
        db: &Path,
        tasks: &TaskTracker,
        stop: CancellationToken,
    ) -> Judge {
        let analyst = AnalystOptions {
            engine: options.engine,
            workers: 1,
            cache: Some(files::beside(db, "evaluations")),
            start,
            watchdog: WATCHDOG,
        };
        let (ask, questions) = mpsc::channel(WAITING);
        tasks.spawn(judge(analyst, options.lines.max(1), questions, stop));
        Judge { ask }
    }

    /// What the engine thinks of a position. Whoever does not wait for the answer is passed over.
    pub(super) async fn of(&self, position: Chess) -> Answer {
        let (answer, heard) = oneshot::channel();
        self.ask.try_send(Question { position, answer }).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => JudgeError::Busy,
            mpsc::error::TrySendError::Closed(_) => JudgeError::Ended,
        })?;
        heard.await.unwrap_or(Err(JudgeError::Ended))
    }
}

async fn judge(
    options: AnalystOptions,
    width: u32,
    mut questions: mpsc::Receiver<Question>,
    stop: CancellationToken,
) {
    let mut analyst: Option<Analyst> = None;
    loop {
        let question = tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(IDLE), if analyst.is_some() => {
                end(analyst.take()).await;
                continue;
            }
            question = questions.recv() => question,
        };
        let Some(Question { position, answer }) = question else { break };
        if answer.is_closed() {
            continue;
        }
        let said = ask(&mut analyst, &options, width, &position, &stop).await;
        if said.is_err() {
            // Begun anew with the next question: its program may be back.
            end(analyst.take()).await;
        }
        let _ = answer.send(said);
    }
    end(analyst).await;
}

async fn ask(
    analyst: &mut Option<Analyst>,
    options: &AnalystOptions,
    width: u32,
    position: &Chess,
    stop: &CancellationToken,
) -> Answer {
    let failed = |error: AnalysisError| JudgeError::Engine(error.to_string());
    let asked = match analyst {
        Some(asked) => asked,
        None => analyst
            .insert(Analyst::start(options.clone(), stop.child_token()).await.map_err(failed)?),
    };
    let lines = if position.is_game_over() {
        Vec::new()
    } else {
        asked.lines(position, width).await.map_err(failed)?
    };
    Ok(EvaluationView {
        engine: Some(asked.name().to_owned()),
        limit: Some(options.engine.limit.to_string()),
        moves: lines.iter().filter_map(|line| judged(position, line)).collect(),
        absent: None,
    })
}

fn judged(position: &Chess, line: &Line) -> Option<JudgedMove> {
    let mv = legal_move(position, &line.uci)?;
    Some(JudgedMove { mv: move_view(position, mv), score: Score::of_cp(line.cp) })
}

async fn end(analyst: Option<Analyst>) {
    if let Some(analyst) = analyst
        && let Err(error) = analyst.end().await
    {
        tracing::warn!("{error}");
    }
}
