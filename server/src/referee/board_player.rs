//! A board as a player: its scores turned into centipawns, its faults into reasons.

use super::{Decision, Forfeit, Seen, Sheet, Thought, Turn, legal};
use crate::{
    link::{BoardClient, BoardError, BoardMove, ThinkLimits},
    model::{IterationRecord, Score, Termination},
};
use rookery_protocol::{Iteration, MoveSource, PositionHash};
use std::{collections::BTreeMap, time::Duration};
use tokio::sync::OwnedMutexGuard;

/// Raw lines kept with what cannot be mended.
const RAW_LINES: usize = 64;

/// A board for the time of a game or more: nobody else can use it meanwhile.
pub struct BoardPlayer {
    client: OwnedMutexGuard<BoardClient>,
    name: Option<String>,
    after: Option<PositionHash>,
}

impl BoardPlayer {
    /// A player on a board that is held.
    #[must_use]
    pub fn new(client: OwnedMutexGuard<BoardClient>, name: Option<String>) -> BoardPlayer {
        BoardPlayer { client, name, after: None }
    }

    /// The name given, or the engine's with the kind of board.
    #[must_use]
    pub fn name(&self) -> String {
        let identity = self.identity();
        let said = |key: &str| identity.get(key).map(|v| v.replace('_', " "));
        match (&self.name, said("eng"), said("kind")) {
            (Some(name), _, _) => name.clone(),
            (None, Some(engine), Some(kind)) => format!("{engine} ({kind})"),
            (None, Some(engine), None) => engine,
            (None, None, _) => "Board".into(),
        }
    }

    pub(super) async fn decide(
        &mut self,
        turn: &Turn<'_>,
        observe: &mut (dyn FnMut(Seen) + Send),
    ) -> Decision {
        let limits = ThinkLimits {
            nodes: turn.settings.level,
            time: Duration::from_secs(turn.settings.think_timeout_s.into()),
            patience: Duration::from_secs(turn.settings.board_patience_s.into()),
        };
        let units = self.units();
        let mut index = 0;
        let placement = &turn.sheet.placement;
        let thought = self.client.think(placement, limits, turn.cancel, |iteration| {
            observe(Seen::Iteration(iteration_record(turn, &iteration, index, units)));
            index += 1;
        });
        match thought.await {
            Ok(answer) => self.judge(turn, &answer, units),
            Err(BoardError::Cancelled | BoardError::Link(_)) => Decision::Cancelled,
            Err(error) => {
                let termination = match error {
                    BoardError::Overtime(_) => Termination::TimeForfeit,
                    _ => Termination::DeadBoard,
                };
                self.forfeit(termination, error.to_string())
            }
        }
    }

    fn judge(&mut self, turn: &Turn<'_>, answer: &BoardMove, units: i32) -> Decision {
        let best = &answer.best;
        let Some(mv) = legal(best.best.as_str(), turn.game) else {
            self.after = None;
            return self.forfeit(
                Termination::IllegalMove,
                format!("illegal move '{}' in {}", best.best, turn.game.fen()),
            );
        };
        self.after = Some(best.hash);
        let book = best.source == MoveSource::Book;
        Decision::Move(Box::new(Thought {
            mv,
            elapsed: answer.elapsed,
            reported_ms: Some(best.millis.into()),
            nodes: Some(best.nodes.into()),
            depth: Some(best.depth.into()),
            score_raw: Some(best.score),
            score: (!book).then(|| Score::from_units(best.score, units)),
            book,
            retransmissions: answer.retransmissions,
            pv: None,
        }))
    }

    /// After its own move the board must stand where the referee's game stands.
    pub(super) async fn compare(&mut self, sheet: &Sheet) {
        let wanted = sheet.placement.hashes.last().copied();
        if let (Some(after), Some(wanted)) = (self.after.take(), wanted)
            && after != wanted
        {
            let why = format!("after its own move it stands at {after} instead of {wanted}");
            self.client.distrust(why).await;
        }
    }

    pub(super) async fn distrust(&mut self, why: &str) {
        self.client.distrust(why.to_owned()).await;
    }

    fn forfeit(&self, termination: Termination, detail: String) -> Decision {
        let last = self.client.link().tape().last(RAW_LINES);
        let raw = last.iter().map(ToString::to_string).collect();
        Decision::Forfeit(Forfeit { termination, detail, raw })
    }

    fn identity(&self) -> std::sync::Arc<BTreeMap<String, String>> {
        self.client.link().status().borrow().identity.clone()
    }

    fn units(&self) -> i32 {
        let stated = self.identity().get("unit").and_then(|unit| unit.parse().ok());
        stated.filter(|unit| *unit > 0).unwrap_or(100)
    }
}

fn iteration_record(turn: &Turn<'_>, it: &Iteration, index: u32, units: i32) -> IterationRecord {
    IterationRecord {
        ply: turn.ply(),
        mover: turn.mover,
        index,
        depth: it.depth.into(),
        nodes: it.nodes.into(),
        score_raw: it.score,
        score: Some(Score::from_units(it.score, units)),
        ms: Some(it.millis.into()),
        pv: it.best.to_string(),
    }
}
