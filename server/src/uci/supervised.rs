//! An engine that is started again when it crashes or hangs, a bounded number of times in each game. Every think carries its whole
//! position, so that the fresh process only has to be asked once more.
//!
//! The mover's clock stands still while its engine is started again, and the repeated think begins with the time that the first try
//! had: a crash is the termination of a game only when it goes on.

use super::{
    engine::{Engine, EngineOptions},
    error::{EngineFailure, StartError},
    info::Info,
    think::{Answer, Think},
};
use crate::model::EngineSpec;
use tokio_util::sync::CancellationToken;

/// What happens while an engine works.
#[derive(Debug)]
pub enum EngineEvent<'a> {
    /// An `info` line of the best line that has a score.
    Info(&'a Info),
    /// Something was odd, and was put up with.
    Warning(String),
    /// The engine has failed and is started again.
    Restarted {
        /// How it had failed.
        reason: String,
        /// 1 for the first restart in this game; 0 for a start between two games, which is not counted.
        attempt: u32,
    },
}

/// Who is told of it.
pub type EventObserver<'a> = &'a mut (dyn FnMut(EngineEvent<'_>) + Send);

/// An engine with a budget of restarts.
pub struct Supervised {
    spec: EngineSpec,
    options: EngineOptions,
    engine: Engine,
    /// Restarts allowed in each game.
    allowed: u32,
    /// Restarts in this game.
    used: u32,
    /// Why the engine does not run, where it does not.
    failed: Option<String>,
}

impl Supervised {
    /// Starts an engine that may be started again `restarts` times in each game.
    ///
    /// # Errors
    /// [`StartError`]: the first start is not tried twice.
    pub async fn start(
        spec: &EngineSpec,
        options: EngineOptions,
        restarts: u32,
    ) -> Result<Supervised, StartError> {
        let engine = Engine::start(spec, options.clone()).await?;
        Ok(Supervised {
            spec: spec.clone(),
            options,
            engine,
            allowed: restarts,
            used: 0,
            failed: None,
        })
    }

    /// See [`Engine::name`].
    #[must_use]
    pub fn name(&self) -> &str {
        self.engine.name()
    }

    /// See [`Engine::pid`].
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.engine.pid()
    }

    /// Restarts in this game.
    #[must_use]
    pub fn restarts(&self) -> u32 {
        self.used
    }

    /// Begins another game, with a full budget of restarts. `cancel` ends it.
    ///
    /// # Errors
    /// [`EngineFailure::GaveUp`], [`EngineFailure::Cancelled`]
    pub async fn new_game(
        &mut self,
        cancel: &CancellationToken,
        observer: EventObserver<'_>,
    ) -> Result<(), EngineFailure> {
        self.used = 0;
        if !self.engine.is_running() {
            let reason = self.failed.take().unwrap_or_else(|| "it had ended".into());
            observer(EngineEvent::Restarted { reason, attempt: 0 });
            // A failure is the first of this game's.
            if let Err(failure) = self.start_again(cancel).await {
                self.revive(failure, cancel, observer).await?;
            }
        }
        loop {
            let begun = tokio::select! {
                begun = self.engine.new_game() => begun,
                () = cancel.cancelled() => Err(EngineFailure::Cancelled),
            };
            self.pass_warnings(observer);
            match begun {
                Ok(()) => return Ok(()),
                Err(failure) => self.revive(failure, cancel, observer).await?,
            }
        }
    }

    /// Asks for a move; see [`Engine::think`]. Warnings are events here, the answer carries none.
    ///
    /// # Errors
    /// [`EngineFailure`]; a crash or a hang comes as [`EngineFailure::GaveUp`] once the budget is used up.
    pub async fn think(
        &mut self,
        request: &Think<'_>,
        observer: EventObserver<'_>,
    ) -> Result<Answer, EngineFailure> {
        loop {
            self.pass_warnings(observer);
            let mut on_info = |info: &Info| observer(EngineEvent::Info(info));
            match self.engine.think(request, &mut on_info).await {
                Ok(mut answer) => {
                    for warning in answer.warnings.drain(..) {
                        observer(EngineEvent::Warning(warning));
                    }
                    return Ok(answer);
                }
                Err(failure) => {
                    self.pass_warnings(observer);
                    self.revive(failure, request.cancel, observer).await?;
                }
            }
        }
    }

    /// Ends the engine; see [`Engine::quit`].
    pub async fn quit(self) {
        self.engine.quit().await;
    }

    /// Starts the engine again after a failure, as often as is allowed; gives back the failure for which there is no restart.
    async fn revive(
        &mut self,
        mut failure: EngineFailure,
        cancel: &CancellationToken,
        observer: EventObserver<'_>,
    ) -> Result<(), EngineFailure> {
        while failure.is_worth_a_restart() {
            let reason = failure.to_string();
            self.failed = Some(reason.clone());
            if self.used >= self.allowed {
                return Err(EngineFailure::GaveUp { restarts: self.used, last: Box::new(failure) });
            }
            self.used += 1;
            observer(EngineEvent::Restarted { reason, attempt: self.used });
            match self.start_again(cancel).await {
                Ok(()) => return Ok(()),
                Err(again) => failure = again,
            }
        }
        self.failed = Some(failure.to_string());
        Err(failure)
    }

    async fn start_again(&mut self, cancel: &CancellationToken) -> Result<(), EngineFailure> {
        // Dropped half way, the process is killed.
        self.engine = tokio::select! {
            started = Engine::start(&self.spec, self.options.clone()) => started?,
            () = cancel.cancelled() => return Err(EngineFailure::Cancelled),
        };
        self.failed = None;
        Ok(())
    }

    fn pass_warnings(&mut self, observer: EventObserver<'_>) {
        for warning in self.engine.take_warnings() {
            observer(EngineEvent::Warning(warning));
        }
    }
}
