//! The board as the protocol sees it: while it waits, and while it thinks.

use rookery_engine::{ChessEngine, Game, Status};
use rookery_protocol::device::{
    BadPosition, BadValue, Device, IllegalMove, NoSuchTarget, ThinkRefused,
};
use rookery_protocol::{Activity, MoveText, PageWriter, ParamKey, PositionHash, RebootTarget, Tag};

use crate::convert::{hash_of, to_move};
use crate::display::Display;
use crate::identity::{Identity, with_param};

/// A think that was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    pub(crate) tag: Tag,
    pub(crate) nodes: u32,
    pub(crate) stop: bool,
}

/// What commands leave for the board to do.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) hash: PositionHash,
    pub(crate) job: Option<Job>,
    pub(crate) reboot: Option<RebootTarget>,
    /// Whether there is a loader to reset into.
    pub(crate) has_loader: bool,
}

impl State {
    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        if target == RebootTarget::Loader && !self.has_loader {
            return Err(NoSuchTarget);
        }
        self.reboot = Some(target);
        Ok(())
    }
}

/// The board while it waits for a command, or has just taken one.
pub(crate) struct Waiting<'a, E, D> {
    pub(crate) engine: &'a mut E,
    pub(crate) display: &'a mut D,
    pub(crate) state: &'a mut State,
    pub(crate) identity: Identity<'a>,
}

/// There is no legal move.
pub(crate) fn is_over(game: &Game) -> bool {
    matches!(game.status(), Status::Checkmate | Status::Stalemate)
}

impl<E: ChessEngine, D: Display> Waiting<'_, E, D> {
    fn moved(&mut self) {
        self.state.hash = hash_of(self.engine.game());
        self.display.position(self.engine.game());
    }
}

impl<E: ChessEngine, D: Display> Device for Waiting<'_, E, D> {
    fn position_hash(&self) -> PositionHash {
        self.state.hash
    }

    fn activity(&self) -> Activity {
        match self.state.job {
            Some(_) => Activity::Thinking,
            None => Activity::Idle,
        }
    }

    fn identify(&self, pages: &mut PageWriter<'_>) {
        self.identity.list(pages);
    }

    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition> {
        self.engine.set_position(fen).map_err(|_| BadPosition)?;
        self.moved();
        Ok(())
    }

    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        // All or none: the rules are asked about all of them before the engine hears of one.
        let mut game = self.engine.game().clone();
        for (index, &text) in moves.iter().enumerate() {
            let legal = to_move(text).is_some_and(|mv| game.play(mv).is_ok());
            if !legal {
                return Err(IllegalMove(index as u8));
            }
        }
        for (index, mv) in moves.iter().filter_map(|&text| to_move(text)).enumerate() {
            self.engine.play(mv).map_err(|_| IllegalMove(index as u8))?;
        }
        self.moved();
        Ok(())
    }

    fn think(&mut self, tag: Tag, nodes: u32) -> Result<(), ThinkRefused> {
        if nodes == 0 {
            return Err(ThinkRefused::Budget);
        }
        if is_over(self.engine.game()) {
            return Err(ThinkRefused::Over);
        }
        self.state.job = Some(Job { tag, nodes, stop: false });
        Ok(())
    }

    fn stop(&mut self) {
        if let Some(job) = &mut self.state.job {
            job.stop = true;
        }
    }

    fn set_param(&mut self, key: ParamKey, value: i32) -> Result<(), BadValue> {
        let params = with_param(*self.engine.params(), key, value).ok_or(BadValue)?;
        self.engine.set_params(params);
        // Read back, so that the next page shows what is in force.
        self.identity.refresh(self.engine);
        Ok(())
    }

    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        self.state.reboot(target)
    }
}

/// The board while its engine thinks: nothing but the wish to end can reach it.
pub(crate) struct Pondering<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) identity: Identity<'a>,
    pub(crate) stop: bool,
}

impl Device for Pondering<'_> {
    fn position_hash(&self) -> PositionHash {
        self.state.hash
    }

    fn activity(&self) -> Activity {
        Activity::Thinking
    }

    fn identify(&self, pages: &mut PageWriter<'_>) {
        self.identity.list(pages);
    }

    fn set_position(&mut self, _: &str) -> Result<(), BadPosition> {
        Err(BadPosition)
    }

    fn play(&mut self, _: &[MoveText]) -> Result<(), IllegalMove> {
        Err(IllegalMove(0))
    }

    fn think(&mut self, _: Tag, _: u32) -> Result<(), ThinkRefused> {
        Err(ThinkRefused::Budget)
    }

    fn stop(&mut self) {
        self.stop = true;
    }

    fn set_param(&mut self, _: ParamKey, _: i32) -> Result<(), BadValue> {
        Err(BadValue)
    }

    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        self.state.reboot(target)?;
        self.stop = true;
        Ok(())
    }
}
