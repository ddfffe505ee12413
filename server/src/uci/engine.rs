//! A UCI engine as a value: started, asked, ended. Knows the order of the conversation; knows no chess and no referee.
//!
//! No task of its own stands between the caller and the pipes: a think is one write and the reads until `bestmove`.

use super::{
    error::{EngineFailure, StartError},
    info::Info,
    line::UciLine,
    option::OptionLine,
    start::{Started, start},
    talk::{Heard, Talk, Unsent},
    think::{Answer, Opinion, Think},
};
use crate::model::EngineSpec;
use std::{path::PathBuf, time::Duration};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Longer waits are cut to this: times that overflow are of no use.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);
/// Between the end of the output and the end of the process.
const EXIT_PATIENCE: Duration = Duration::from_millis(500);

/// How patiently an engine is treated.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// From `uci` to `uciok`.
    pub handshake_timeout: Duration,
    /// From `isready` to `readyok`.
    pub ready_timeout: Duration,
    /// From `stop` to `bestmove`, and from `quit` to the end of the process.
    pub stop_grace: Duration,
    /// Our own program, when engines are to die with it even by SIGKILL (see [`guard_main`](super::guard_main)).
    pub guard: Option<PathBuf>,
}

impl Default for EngineOptions {
    fn default() -> EngineOptions {
        EngineOptions {
            handshake_timeout: Duration::from_secs(10),
            ready_timeout: Duration::from_secs(10),
            stop_grace: Duration::from_secs(1),
            guard: None,
        }
    }
}

/// What is told of each `info` line of a think that belongs to the best line and has a score.
pub type InfoObserver<'a> = &'a mut (dyn FnMut(&Info) + Send);

/// A running engine. Dropped, it is killed with all that it started.
pub struct Engine {
    name: String,
    author: Option<String>,
    declared: Vec<OptionLine>,
    options: EngineOptions,
    /// `None` once it was killed or has ended.
    talk: Option<Talk>,
    /// A `go` has no `bestmove` yet. Also true when the future of a think was dropped.
    searching: bool,
    /// The last search did not end normally: `isready` separates it from the next.
    unclean: bool,
    /// Warnings of a process that is gone.
    leftover: Vec<String>,
    commands: String,
}

impl Engine {
    /// Starts an engine, sets its options and waits until it is ready. Options that the engine does not declare or values that it
    /// excludes are warnings.
    ///
    /// # Errors
    /// [`StartError`], which names the command. Nothing is left running then.
    pub async fn start(spec: &EngineSpec, options: EngineOptions) -> Result<Engine, StartError> {
        let Started { talk, name, author, declared } = start(spec, &options).await?;
        Ok(Engine {
            name,
            author,
            declared,
            options,
            talk: Some(talk),
            searching: false,
            unclean: false,
            leftover: Vec::new(),
            commands: String::new(),
        })
    }

    /// The name in the specification; the engine's own without one.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the engine calls its author.
    #[must_use]
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options that the engine declares.
    #[must_use]
    pub fn declared_options(&self) -> &[OptionLine] {
        &self.declared
    }

    /// The process id, while it runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.talk.as_ref().map(|t| t.process.leader.id())
    }

    /// Whether it was neither killed nor seen to have ended.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.talk.is_some()
    }

    /// What was odd since the last call or the last [`Answer`].
    pub fn take_warnings(&mut self) -> Vec<String> {
        let mut warnings = std::mem::take(&mut self.leftover);
        if let Some(talk) = &mut self.talk {
            warnings.extend(talk.take_warnings());
        }
        warnings
    }

    /// Tells the engine that the next position is of another game, and waits until it is ready for it.
    ///
    /// # Errors
    /// [`EngineFailure::Crashed`], [`EngineFailure::Stalled`] or [`EngineFailure::NotRunning`]; it does not run any more then.
    pub async fn new_game(&mut self) -> Result<(), EngineFailure> {
        self.settle_leftovers().await?;
        self.wait_ready("ucinewgame\n", None).await
    }

    /// Asks for a move. The engine gets the whole position each time.
    ///
    /// The future may be dropped at any time; the engine is brought to rest at the next call then.
    ///
    /// # Errors
    /// [`EngineFailure`]. After [`EngineFailure::Overdue`] and [`EngineFailure::Cancelled`] the engine still runs if it stopped when it
    /// was told to; otherwise it was killed ([`Engine::is_running`]).
    pub async fn think(
        &mut self,
        request: &Think<'_>,
        observer: InfoObserver<'_>,
    ) -> Result<Answer, EngineFailure> {
        let mut commands = std::mem::take(&mut self.commands);
        let answer = match request.write_commands(&mut commands) {
            Ok(()) => self.search(request, &commands, observer).await,
            Err(failure) => Err(failure),
        };
        self.commands = commands;
        answer
    }

    async fn search(
        &mut self,
        request: &Think<'_>,
        commands: &str,
        observer: InfoObserver<'_>,
    ) -> Result<Answer, EngineFailure> {
        if request.cancel.is_cancelled() {
            return Err(EngineFailure::Cancelled);
        }
        self.settle_leftovers().await?;
        self.discard_strays()?;
        if self.unclean {
            self.wait_ready("", Some(request.cancel)).await?;
        }
        let cancel = Some(request.cancel);
        let begun = Instant::now();
        let watchdog = request.watchdog.min(FOREVER);
        let deadline = request.deadline.filter(|d| *d <= watchdog);
        let until = begun + deadline.unwrap_or(watchdog);
        self.searching = true;
        let talk = self.talk.as_mut().ok_or(EngineFailure::NotRunning)?;
        let mut heard = match talk.send(commands, until, cancel).await {
            // The engine may have said why it ended.
            Ok(()) | Err(Unsent::Closed) => None,
            Err(Unsent::TimeUp) => Some(Heard::TimeUp),
            Err(Unsent::Cancelled) => Some(Heard::Cancelled),
        };
        let mut opinion = Opinion::default();
        loop {
            let next = match heard.take() {
                Some(heard) => heard,
                None => talk.hear(until, cancel).await,
            };
            match next {
                Heard::Line(UciLine::Info(info)) => {
                    if info.is_best_line() && info.score.is_some() {
                        observer(&info);
                    }
                    opinion.add(info);
                }
                Heard::Line(UciLine::BestMove(best)) => {
                    self.searching = false;
                    let elapsed = talk.read_at().saturating_duration_since(begun);
                    if deadline.is_some_and(|d| elapsed > d) {
                        self.unclean = true;
                        return Err(EngineFailure::Overdue {
                            after: elapsed,
                            late_answer: Some(best.raw),
                        });
                    }
                    return Ok(Answer {
                        raw: best.raw,
                        text: best.mv,
                        ponder: best.ponder,
                        last: opinion.last,
                        others: opinion.others,
                        nodes: opinion.nodes,
                        time_ms: opinion.time_ms,
                        elapsed,
                        warnings: self.take_warnings(),
                    });
                }
                Heard::Line(_) => {}
                Heard::TimeUp if deadline.is_some() => {
                    let after = begun.elapsed();
                    let late_answer = self.settle().await;
                    return Err(EngineFailure::Overdue { after, late_answer });
                }
                Heard::TimeUp => {
                    let after = begun.elapsed();
                    self.kill().await;
                    return Err(EngineFailure::Stalled { asked: "go", after });
                }
                Heard::Cancelled => {
                    self.settle().await;
                    return Err(EngineFailure::Cancelled);
                }
                Heard::Closed => return Err(self.crashed().await),
            }
        }
    }

    /// Ends the engine: `quit`, a short wait, then the end of its whole process group. It is reaped in any case.
    pub async fn quit(mut self) {
        let Some(mut talk) = self.talk.take() else {
            return;
        };
        let commands = if self.searching { "stop\nquit\n" } else { "quit\n" };
        let until = Instant::now() + self.options.stop_grace;
        // Whoever does not read it is killed below.
        let _ = talk.send(commands, until, None).await;
        let left = until.saturating_duration_since(Instant::now());
        talk.process.finish(left).await;
    }

    /// Brings to rest what a dropped future left behind.
    async fn settle_leftovers(&mut self) -> Result<(), EngineFailure> {
        let talk = self.talk.as_ref().ok_or(EngineFailure::NotRunning)?;
        let after = self.options.stop_grace;
        if talk.is_torn() {
            self.kill().await;
            return Err(EngineFailure::Stalled { asked: "a command", after });
        }
        if self.searching {
            self.settle().await;
        }
        if self.talk.is_none() {
            return Err(EngineFailure::Stalled { asked: "stop", after });
        }
        Ok(())
    }

    /// Ends a search that is under way and swallows its answer, or kills the engine.
    async fn settle(&mut self) -> Option<String> {
        self.unclean = true;
        let until = Instant::now() + self.options.stop_grace;
        let talk = self.talk.as_mut()?;
        // Whether it got through or not, an answer may be under way.
        let _ = talk.send("stop\n", until, None).await;
        loop {
            match talk.hear(until, None).await {
                Heard::Line(UciLine::BestMove(late)) => {
                    self.searching = false;
                    return Some(late.raw);
                }
                Heard::Line(_) => {}
                Heard::TimeUp | Heard::Cancelled | Heard::Closed => break,
            }
        }
        self.kill().await;
        None
    }

    /// Drops what came since the last search ended. An answer among it belongs to no question.
    fn discard_strays(&mut self) -> Result<(), EngineFailure> {
        let talk = self.talk.as_mut().ok_or(EngineFailure::NotRunning)?;
        while let Some(line) = talk.overhear() {
            self.unclean |= discarded(talk, &line);
        }
        self.unclean |= talk.is_unready();
        Ok(())
    }

    /// Waits until the engine has done all that it was told before.
    async fn wait_ready(
        &mut self,
        before: &str,
        cancel: Option<&CancellationToken>,
    ) -> Result<(), EngineFailure> {
        let after = self.options.ready_timeout;
        let until = Instant::now() + after;
        let talk = self.talk.as_mut().ok_or(EngineFailure::NotRunning)?;
        let mut heard = match talk.send_and_ask_ready(before, until, cancel).await {
            Ok(()) | Err(Unsent::Closed) => None,
            Err(Unsent::TimeUp) => Some(Heard::TimeUp),
            Err(Unsent::Cancelled) => Some(Heard::Cancelled),
        };
        while talk.is_unready() {
            let next = match heard.take() {
                Some(heard) => heard,
                None => talk.hear(until, cancel).await,
            };
            match next {
                Heard::Line(line) => {
                    discarded(talk, &line);
                }
                // The answer is still outstanding, and is waited for before the next search.
                Heard::Cancelled => return Err(EngineFailure::Cancelled),
                Heard::TimeUp => {
                    self.kill().await;
                    return Err(EngineFailure::Stalled { asked: "isready", after });
                }
                Heard::Closed => return Err(self.crashed().await),
            }
        }
        self.unclean = false;
        Ok(())
    }

    async fn crashed(&mut self) -> EngineFailure {
        match self.end(EXIT_PATIENCE).await {
            Some((how, stderr)) => EngineFailure::Crashed { how, stderr },
            None => EngineFailure::NotRunning,
        }
    }

    async fn kill(&mut self) {
        self.end(Duration::ZERO).await;
    }

    async fn end(&mut self, patience: Duration) -> Option<(super::Ended, super::Tail)> {
        let mut talk = self.talk.take()?;
        self.searching = false;
        self.leftover.extend(talk.take_warnings());
        Some(talk.process.finish(patience).await)
    }
}

/// Whether a line that nobody waits for is an answer; it is reported then.
fn discarded(talk: &mut Talk, line: &UciLine) -> bool {
    let UciLine::BestMove(late) = line else {
        return false;
    };
    talk.warn(format!("'{}' came when no search was under way: ignored", late.raw));
    true
}
