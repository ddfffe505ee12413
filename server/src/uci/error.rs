//! Everything that can go wrong with an engine, in words that name the command and say what to do.

use super::stderr::Tail;
use crate::model::Termination;
use std::{
    fmt, os::unix::process::ExitStatusExt, path::PathBuf, process::ExitStatus, time::Duration,
};

/// How an engine's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with an exit code.
    Code(i32),
    /// By a signal.
    Signal(i32),
    /// It closed its standard output and did not end; it was killed.
    ClosedOutput,
}

impl From<ExitStatus> for Ended {
    fn from(status: ExitStatus) -> Ended {
        match (status.code(), status.signal()) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            // wait() of a process that ended gives one of the two.
            (None, None) => Ended::ClosedOutput,
        }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Ended::Code(code) => write!(f, "ended with exit code {code}"),
            Ended::Signal(signal) => {
                let name = match signal {
                    4 => " (SIGILL: built for another CPU?)",
                    6 => " (SIGABRT)",
                    7 => " (SIGBUS)",
                    8 => " (SIGFPE)",
                    9 => " (SIGKILL: out of memory?)",
                    11 => " (SIGSEGV)",
                    13 => " (SIGPIPE)",
                    15 => " (SIGTERM)",
                    _ => "",
                };
                write!(f, "was ended by signal {signal}{name}")
            }
            Ended::ClosedOutput => f.write_str("closed its standard output"),
        }
    }
}

/// Why an engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no such file.
    #[error("engine '{command}' was not found{}", searched.as_ref().map_or_else(String::new, |p| format!(" in PATH ({p}), nor in /usr/games")))]
    NotFound {
        /// The command.
        command: String,
        /// Where it was looked for, when it was a bare name.
        searched: Option<String>,
    },
    /// The file is not a program.
    #[error("engine '{command}' cannot be run: {} {why}", path.display())]
    NotExecutable {
        /// The command.
        command: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
    /// The working folder does not exist.
    #[error("engine '{command}' cannot be run: its working folder {} does not exist", dir.display())]
    NoFolder {
        /// The command.
        command: String,
        /// The folder.
        dir: PathBuf,
    },
    /// The system refused to run it.
    #[error("engine '{command}' cannot be run: {reason}")]
    Spawn {
        /// The command.
        command: String,
        /// The system's words.
        reason: String,
    },
    /// It ended before it was ready.
    #[error("engine '{command}' {how} before it answered '{asked}' with '{awaited}'; {stderr}")]
    Ended {
        /// The command.
        command: String,
        /// How.
        how: Ended,
        /// What it had been sent.
        asked: &'static str,
        /// What it was expected to say.
        awaited: &'static str,
        /// Its last words.
        stderr: Tail,
    },
    /// It runs and says nothing of use.
    #[error(
        "engine '{command}' did not answer '{asked}' with '{awaited}' within {after:?}; is it a UCI engine? {stderr}"
    )]
    Silent {
        /// The command.
        command: String,
        /// What it had been sent.
        asked: &'static str,
        /// What it was expected to say.
        awaited: &'static str,
        /// How long was waited.
        after: Duration,
        /// Its last words.
        stderr: Tail,
    },
}

/// Why an engine gave no move.
#[derive(Debug, thiserror::Error)]
pub enum EngineFailure {
    /// Its process ended.
    #[error("the engine {how}; {stderr}")]
    Crashed {
        /// How.
        how: Ended,
        /// Its last words.
        stderr: Tail,
    },
    /// No answer within the watchdog's time, or not even to `isready`. It was killed.
    #[error("the engine did not answer '{asked}' within {after:?}")]
    Stalled {
        /// What it had been sent.
        asked: &'static str,
        /// How long was waited.
        after: Duration,
    },
    /// The mover's time passed.
    #[error("the engine had not moved after {after:?}{}", late_answer.as_ref().map_or_else(String::new, |l| format!("; later it sent '{l}'")))]
    Overdue {
        /// How long was waited, or how long the late answer took.
        after: Duration,
        /// What it said when it was told to stop. Without it the engine was killed.
        late_answer: Option<String>,
    },
    /// The caller cancelled the think.
    #[error("the think was cancelled")]
    Cancelled,
    /// It was killed or ended before, and was not started again.
    #[error("the engine is not running")]
    NotRunning,
    /// The request itself cannot be sent.
    #[error("the engine cannot be asked: {0}")]
    BadRequest(&'static str),
    /// It could not be started again.
    #[error("the engine could not be started again: {0}")]
    Restart(#[from] StartError),
    /// It failed more often than it may within a game.
    #[error("{last} (after {restarts} restarts in this game)")]
    GaveUp {
        /// How often it was started again.
        restarts: u32,
        /// The failure after the last restart.
        last: Box<EngineFailure>,
    },
}

impl EngineFailure {
    /// How a game ends by this failure; `None` where it does not end (the think was cancelled).
    #[must_use]
    pub fn termination(&self) -> Option<Termination> {
        match self {
            EngineFailure::Overdue { .. } => Some(Termination::TimeForfeit),
            EngineFailure::Stalled { .. } => Some(Termination::StalledConnection),
            EngineFailure::Cancelled => None,
            EngineFailure::GaveUp { last, .. } => last.termination(),
            EngineFailure::Crashed { .. }
            | EngineFailure::NotRunning
            | EngineFailure::BadRequest(_)
            | EngineFailure::Restart(_) => Some(Termination::EngineCrash),
        }
    }

    /// Whether the engine is to blame and a fresh one may do better.
    pub(super) fn is_worth_a_restart(&self) -> bool {
        matches!(
            self,
            EngineFailure::Crashed { .. }
                | EngineFailure::Stalled { .. }
                | EngineFailure::NotRunning
                | EngineFailure::Restart(_)
        )
    }
}
