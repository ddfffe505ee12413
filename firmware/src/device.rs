//! The board as the protocol sees it: while it waits, and while it thinks.

use rookery_engine::ChessEngine;
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

/// The board as a command meets it.
pub(crate) struct Desk<'a, E, D> {
    /// What a command may change. Not while the engine thinks: then nothing but the wish to end can
    /// reach it.
    pub(crate) hands: Option<Hands<'a, E, D>>,
    pub(crate) state: &'a mut State,
    pub(crate) identity: Identity<'a>,
}

/// The engine and the display of a board that waits.
pub(crate) struct Hands<'a, E, D> {
    pub(crate) engine: &'a mut E,
    pub(crate) display: &'a mut D,
}

impl<E: ChessEngine, D: Display> Hands<'_, E, D> {
    fn moved(&mut self, state: &mut State) {
        state.hash = hash_of(self.engine.game());
        self.display.position(self.engine.game());
    }
}

impl<E: ChessEngine, D: Display> Device for Desk<'_, E, D> {
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

    /// On its own, as [`Device::play`] is: the games in them would otherwise lie on the stack
    /// whenever the board listens, also in the depth of a search.
    #[inline(never)]
    fn set_position(&mut self, fen: &str) -> Result<(), BadPosition> {
        let hands = self.hands.as_mut().ok_or(BadPosition)?;
        hands.engine.set_position(fen).map_err(|_| BadPosition)?;
        hands.moved(self.state);
        Ok(())
    }

    #[inline(never)]
    fn play(&mut self, moves: &[MoveText]) -> Result<(), IllegalMove> {
        let hands = self.hands.as_mut().ok_or(IllegalMove(0))?;
        // All or none: the rules are asked about all of them before the engine hears of one.
        let mut game = hands.engine.game().clone();
        for (index, &text) in moves.iter().enumerate() {
            let legal = to_move(text).is_some_and(|mv| game.play(mv).is_ok());
            if !legal {
                return Err(IllegalMove(index as u8));
            }
        }
        for (index, mv) in moves.iter().filter_map(|&text| to_move(text)).enumerate() {
            let entered = hands.engine.play(mv);
            entered.map_err(|_| IllegalMove(index as u8))?;
        }
        hands.moved(self.state);
        Ok(())
    }

    fn think(&mut self, tag: Tag, nodes: u32) -> Result<(), ThinkRefused> {
        let hands = self.hands.as_ref().ok_or(ThinkRefused::Budget)?;
        if nodes == 0 {
            return Err(ThinkRefused::Budget);
        }
        if !hands.engine.game().has_legal_move() {
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
        let hands = self.hands.as_mut().ok_or(BadValue)?;
        let params = with_param(*hands.engine.params(), key, value).ok_or(BadValue)?;
        hands.engine.set_params(params);
        // Read back, so that the next page shows what is in force.
        self.identity.refresh(hands.engine);
        Ok(())
    }

    fn reboot(&mut self, target: RebootTarget) -> Result<(), NoSuchTarget> {
        if target == RebootTarget::Loader && !self.state.has_loader {
            return Err(NoSuchTarget);
        }
        self.state.reboot = Some(target);
        self.stop();
        Ok(())
    }
}
