//! A UCI engine as a player: its limit turned into `go`, its failures into reasons.

use super::{Decision, Forfeit, Seen, Thought, Turn};
use crate::{
    book::Chooser,
    model::{IterationRecord, Limit, Mover, Termination},
    uci::{Answer, EngineEvent, EngineFailure, Go, Info, Supervised, Think, interpret},
};
use shakmaty::Color;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// An engine that plays one game after the other.
pub struct EnginePlayer {
    engine: Supervised,
    name: Option<String>,
    limit: Limit,
    book: Option<Chooser>,
    /// Of the book's draws in this game.
    seed: u64,
}

impl EnginePlayer {
    /// A player from a running engine, with the book that it has.
    #[must_use]
    pub fn new(
        engine: Supervised,
        name: Option<String>,
        limit: Limit,
        book: Option<Chooser>,
    ) -> EnginePlayer {
        EnginePlayer { engine, name, limit, book, seed: 0 }
    }

    /// From now on the book's moves are drawn by this seed.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// The name given, or the engine's own.
    #[must_use]
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.engine.name().to_owned())
    }

    /// Tells it that another game begins. What went wrong and was mended goes to `notice`.
    pub async fn new_game(
        &mut self,
        cancel: &CancellationToken,
        notice: &mut (dyn FnMut(Seen) + Send),
    ) -> Result<(), EngineFailure> {
        self.engine.new_game(cancel, &mut |event| notice_of(event, notice)).await
    }

    /// Ends the process.
    pub async fn quit(self) {
        self.engine.quit().await;
    }

    pub(super) async fn decide(
        &mut self,
        turn: &Turn<'_>,
        observe: &mut (dyn FnMut(Seen) + Send),
    ) -> Decision {
        if let Some(thought) = self.book_move(turn) {
            return Decision::Move(Box::new(thought));
        }
        let request = Think {
            start_fen: &turn.sheet.start_fen,
            moves: &turn.sheet.moves,
            go: go(self.limit, turn),
            deadline: deadline(self.limit, turn),
            watchdog: Duration::from_secs(turn.settings.think_timeout_s.into()),
            cancel: turn.cancel,
        };
        let mut index = 0;
        let mut hear = |event: EngineEvent<'_>| match event {
            EngineEvent::Info(info) => {
                observe(Seen::Iteration(iteration(turn, info, index)));
                index += 1;
            }
            event => notice_of(event, observe),
        };
        match self.engine.think(&request, &mut hear).await {
            Ok(answer) => judge(turn, answer, observe),
            Err(failure) => match failure.termination() {
                None => Decision::Cancelled,
                Some(termination) => Decision::Forfeit(Forfeit {
                    termination,
                    detail: failure.to_string(),
                    raw: Vec::new(),
                }),
            },
        }
    }
}

impl EnginePlayer {
    /// The book's move for the position, if it has one. It takes no time from the clock.
    fn book_move(&self, turn: &Turn<'_>) -> Option<Thought> {
        let mv = self.book.as_ref()?.choose(turn.game.position(), turn.ply(), self.seed)?;
        Some(Thought {
            mv,
            elapsed: Duration::ZERO,
            reported_ms: None,
            nodes: None,
            depth: None,
            score_raw: None,
            score: None,
            book: true,
            retransmissions: 0,
            pv: None,
        })
    }
}

fn judge(turn: &Turn<'_>, answer: Answer, observe: &mut (dyn FnMut(Seen) + Send)) -> Decision {
    let text = answer.text.as_deref().unwrap_or_default();
    let interpreted = match interpret(text, turn.game.position()) {
        Ok(interpreted) => interpreted,
        Err(bad) => {
            return Decision::Forfeit(Forfeit {
                termination: Termination::IllegalMove,
                detail: format!("illegal move '{text}' in {}: {bad}", turn.game.fen()),
                raw: vec![answer.raw],
            });
        }
    };
    if let Some(warning) = interpreted.warning {
        observe(Seen::notice("engine_warning", warning));
    }
    let last = answer.last;
    let score = last.as_ref().and_then(|info| info.score);
    Decision::Move(Box::new(Thought {
        mv: interpreted.mv,
        elapsed: answer.elapsed,
        reported_ms: answer.time_ms,
        nodes: answer.nodes,
        depth: last.as_ref().and_then(|info| info.depth),
        score_raw: score.map(|score| score.as_cp()),
        score,
        book: false,
        retransmissions: 0,
        pv: last.map(|info| info.pv).filter(|pv| !pv.is_empty()),
    }))
}

fn notice_of(event: EngineEvent<'_>, notice: &mut (dyn FnMut(Seen) + Send)) {
    match event {
        EngineEvent::Info(_) => {}
        EngineEvent::Warning(text) => notice(Seen::notice("engine_warning", text)),
        EngineEvent::Restarted { reason, attempt } => {
            notice(Seen::notice("engine_restart", format!("restart {attempt}: {reason}")));
        }
    }
}

fn go(limit: Limit, turn: &Turn<'_>) -> Go {
    let fixed = Go::fixed(limit);
    fixed.unwrap_or_else(|| {
        // A player without a clock never runs out: the engine is told that it has as much as itself.
        let own = turn.clocks[super::index(turn.mover)];
        let of = |color: Color| {
            let mover = if color == turn.color { turn.mover } else { other(turn.mover) };
            let clock = turn.clocks[super::index(mover)].or(own);
            clock.map_or((0, 0), |clock| (clock.remaining_ms(), clock.increment_ms()))
        };
        let ((wtime, winc), (btime, binc)) = (of(Color::White), of(Color::Black));
        Go::Clock { wtime, btime, winc, binc }
    })
}

fn deadline(limit: Limit, turn: &Turn<'_>) -> Option<Duration> {
    let margin = Duration::from_millis(turn.settings.time_margin_ms.into());
    match limit {
        Limit::Nodes(_) | Limit::Depth(_) => None,
        Limit::MoveTime { ms } => Some(Duration::from_millis(ms) + margin),
        Limit::Clock { .. } => turn.clocks[super::index(turn.mover)]
            .map(|clock| Duration::from_millis(clock.remaining_ms()) + margin),
    }
}

fn other(mover: Mover) -> Mover {
    match mover {
        Mover::First | Mover::Opening => Mover::Second,
        Mover::Second => Mover::First,
    }
}

fn iteration(turn: &Turn<'_>, info: &Info, index: u32) -> IterationRecord {
    IterationRecord {
        ply: turn.ply(),
        mover: turn.mover,
        index,
        depth: info.depth.unwrap_or(0),
        nodes: info.nodes.unwrap_or(0),
        score_raw: info.score.map_or(0, |score| score.as_cp()),
        score: info.score,
        ms: info.time_ms,
        pv: info.pv.clone(),
    }
}
