//! The conversation with a running engine: typed lines in, commands out, each wait bounded. Knows which answers are outstanding;
//! does not know why something is asked.

use super::{line::UciLine, process::Process};
use futures_util::FutureExt;
use std::{future::pending, time::Duration};
use tokio::{
    io::AsyncWriteExt,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

/// Warnings beyond these are counted.
const KEPT_WARNINGS: usize = 32;
const SHOWN_CHARS: usize = 200;
/// How long output is awaited after the process has ended: only a process that left the group can still hold the pipe.
const AFTER_END: Duration = Duration::from_millis(200);
/// How often more is read without waiting: an engine that floods its output is left to the next bounded wait.
const GLANCES: usize = 8;

/// What came first.
#[derive(Debug)]
pub(super) enum Heard {
    Line(UciLine),
    TimeUp,
    Cancelled,
    /// The output ended, and with it the engine.
    Closed,
}

/// Why a command did not get through.
#[derive(Debug)]
pub(super) enum Unsent {
    TimeUp,
    Cancelled,
    Closed,
}

pub(super) struct Talk {
    pub(super) process: Process,
    name: String,
    /// `isready` without its `readyok`.
    unready: u32,
    torn: bool,
    /// When the process was seen to have ended, the last output is awaited until here.
    closing: Option<Instant>,
    /// When the last output came.
    read_at: Instant,
    warnings: Vec<String>,
    more_warnings: u64,
}

impl Talk {
    pub(super) fn new(process: Process, name: String) -> Talk {
        Talk {
            process,
            name,
            unready: 0,
            torn: false,
            closing: None,
            read_at: Instant::now(),
            warnings: Vec::new(),
            more_warnings: 0,
        }
    }

    /// When the output came that the last line was in.
    pub(super) fn read_at(&self) -> Instant {
        self.read_at
    }

    /// Whether answers to `isready` are outstanding.
    pub(super) fn is_unready(&self) -> bool {
        self.unready > 0
    }

    /// Whether a command was abandoned half way: the engine cannot be talked to any more.
    pub(super) fn is_torn(&self) -> bool {
        self.torn
    }

    pub(super) fn warn(&mut self, text: String) {
        tracing::warn!(target: "engine", engine = %self.name, pid = self.process.leader.id(), "{text}");
        if self.warnings.len() < KEPT_WARNINGS {
            self.warnings.push(text);
        } else {
            self.more_warnings += 1;
        }
    }

    /// The warnings since the last call.
    pub(super) fn take_warnings(&mut self) -> Vec<String> {
        let more = std::mem::take(&mut self.more_warnings);
        if more > 0 {
            self.warnings.push(format!("and {more} more warnings"));
        }
        std::mem::take(&mut self.warnings)
    }

    /// Sends whole lines in one write.
    pub(super) async fn send(
        &mut self,
        commands: &str,
        until: Instant,
        cancel: Option<&CancellationToken>,
    ) -> Result<(), Unsent> {
        if self.torn {
            return Err(Unsent::Closed);
        }
        tracing::trace!(target: "engine", engine = %self.name, "< {}", commands.trim_end());
        self.torn = true;
        let written = tokio::select! {
            biased;
            written = self.process.stdin.write_all(commands.as_bytes()) => written,
            () = cancelled(cancel) => return Err(Unsent::Cancelled),
            () = sleep_until(until) => return Err(Unsent::TimeUp),
        };
        self.torn = false;
        written.map_err(|_| Unsent::Closed)
    }

    /// Sends `isready` behind other commands.
    pub(super) async fn send_and_ask_ready(
        &mut self,
        commands: &str,
        until: Instant,
        cancel: Option<&CancellationToken>,
    ) -> Result<(), Unsent> {
        self.unready += 1;
        self.send(&format!("{commands}isready\n"), until, cancel).await
    }

    /// The next line, or why there is none.
    pub(super) async fn hear(
        &mut self,
        until: Instant,
        cancel: Option<&CancellationToken>,
    ) -> Heard {
        loop {
            if let Some(line) = self.buffered() {
                return Heard::Line(line);
            }
            if self.process.lines.ended() {
                return Heard::Closed;
            }
            // Asked here too and not only below: a flood of output is always ready to be read.
            if cancel.is_some_and(CancellationToken::is_cancelled) {
                return Heard::Cancelled;
            }
            let now = Instant::now();
            if now >= until {
                return Heard::TimeUp;
            }
            if self.closing.is_some_and(|at| now >= at) {
                return Heard::Closed;
            }
            let wake = self.closing.map_or(until, |at| at.min(until));
            let Process { lines, leader, .. } = &mut self.process;
            tokio::select! {
                biased;
                read = lines.fill() => {
                    self.read_at = Instant::now();
                    if let Err(error) = read {
                        tracing::debug!(target: "engine", engine = %self.name, "output ends: {error}");
                    }
                }
                () = cancelled(cancel) => {}
                () = sleep_until(wake) => {}
                () = leader.ended(), if self.closing.is_none() => {
                    // With what it started itself gone too, the pipe comes to its end.
                    leader.kill();
                    self.closing = Some(Instant::now() + AFTER_END);
                }
            }
        }
    }

    /// A line that is there already; never waits.
    pub(super) fn overhear(&mut self) -> Option<UciLine> {
        for _ in 0..GLANCES {
            if let Some(line) = self.buffered() {
                return Some(line);
            }
            if self.process.lines.ended() || self.process.lines.fill().now_or_never().is_none() {
                return None;
            }
        }
        None
    }

    fn buffered(&mut self) -> Option<UciLine> {
        let raw = self.process.lines.next_line()?;
        let cut = raw.cut.then_some(raw.bytes.len());
        let parsed = UciLine::parse(raw.bytes);
        tracing::trace!(target: "engine", engine = %self.name, "> {:?}", parsed.line);
        if parsed.line == UciLine::ReadyOk {
            self.unready = self.unready.saturating_sub(1);
        }
        if let Some(length) = cut {
            self.warn(format!("a line of its output was cut at {length} bytes"));
        }
        if let Some(text) = parsed.recovered {
            let shown: String = text.chars().take(SHOWN_CHARS).collect();
            self.warn(format!("an answer was found behind garbage: '{shown}'"));
        }
        Some(parsed.line)
    }
}

async fn cancelled(token: Option<&CancellationToken>) {
    match token {
        Some(token) => token.cancelled().await,
        None => pending().await,
    }
}
