//! An engine's error output: logged line by line, its tail kept for error texts. A flood of it is neither kept nor logged whole.

use super::{line::text_of, reader::LineReader};
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{
    process::ChildStderr,
    task::JoinHandle,
    time::{Instant, timeout},
};

const KEPT_LINES: usize = 20;
const KEPT_CHARS: usize = 1_000;
/// More lines than this within a second are counted, not logged.
const LOGGED_PER_SECOND: u32 = 100;

/// The last lines of an engine's error output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail(pub Vec<String>);

impl fmt::Display for Tail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("its error output is empty")
        } else {
            // The last few say what happened; all of them are in the log.
            let last = &self.0[self.0.len().saturating_sub(5)..];
            write!(f, "its error output ends: {}", last.join(" | "))
        }
    }
}

/// Reads error output to its end, in a task of its own that ends with the engine or with this value.
pub(super) struct StderrLog {
    tail: Arc<Mutex<VecDeque<String>>>,
    task: JoinHandle<()>,
}

impl StderrLog {
    pub(super) fn follow(source: ChildStderr, engine: String, pid: u32) -> StderrLog {
        let tail = Arc::new(Mutex::new(VecDeque::with_capacity(KEPT_LINES)));
        let task = tokio::spawn(read_all(source, engine, pid, Arc::clone(&tail)));
        StderrLog { tail, task }
    }

    /// The tail once all of it was read, or after `patience`.
    pub(super) async fn tail_at_end(&mut self, patience: Duration) -> Tail {
        if !self.task.is_finished() {
            // Late or panicked: what was read so far is all there is.
            let _ = timeout(patience, &mut self.task).await;
        }
        self.tail()
    }

    /// The tail so far.
    pub(super) fn tail(&self) -> Tail {
        let tail = self.tail.lock().unwrap_or_else(PoisonError::into_inner);
        Tail(tail.iter().cloned().collect())
    }
}

impl Drop for StderrLog {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn read_all(
    source: ChildStderr,
    engine: String,
    pid: u32,
    tail: Arc<Mutex<VecDeque<String>>>,
) {
    let mut lines = LineReader::new(source);
    let (mut second, mut logged, mut suppressed) = (Instant::now(), 0, 0_u64);
    loop {
        while let Some(line) = lines.next_line() {
            let text: String = text_of(line.bytes).chars().take(KEPT_CHARS).collect();
            if second.elapsed() >= Duration::from_secs(1) {
                if suppressed > 0 {
                    tracing::warn!(target: "engine", %engine, pid, "{suppressed} lines of error output were not logged");
                }
                (second, logged, suppressed) = (Instant::now(), 0, 0);
            }
            if logged < LOGGED_PER_SECOND {
                logged += 1;
                tracing::info!(target: "engine", %engine, pid, "stderr: {text}");
            } else {
                suppressed += 1;
            }
            let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
            if tail.len() == KEPT_LINES {
                tail.pop_front();
            }
            tail.push_back(text);
        }
        if lines.ended() {
            break;
        }
        if let Err(error) = lines.fill().await {
            tracing::debug!(target: "engine", %engine, pid, "error output ends: {error}");
        }
    }
    if suppressed > 0 {
        tracing::warn!(target: "engine", %engine, pid, "{suppressed} lines of error output were not logged");
    }
}
