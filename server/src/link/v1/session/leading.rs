//! Where the board stands, and how it is led to where it should stand.

use super::{ANSWER_CAP, Ordered, Phase, SILENCE, Session, Standing};
use crate::{
    api::LinkState,
    link::{
        board::Placement,
        v1::{
            evidence::{ENOUGH_ROWS, Evidence, Verdict, is_underpromotion},
            words::{Failure, Played, SessionEvent},
        },
    },
    model::LinkEventKind,
};
use rookery_protocol::{
    MoveText,
    v1::{Order, Side},
};
use std::{sync::Arc, time::Instant};

/// Positions given up on the way to one goal before the board is called unable to take it.
const REPAIRS: u32 = 32;
/// Sendings of one move before the position is given up.
const TRIES: u32 = 8;
/// The same of the order to think: a board that cannot move refuses it, too.
const TRIES_OF_THINK: u32 = 3;

const BY_HAND: &str = "where the board stands is not known, and its URL names no way to reset it: \
                       reset the board by hand";

impl Session {
    /// Nothing is under way: goes on towards the goal.
    pub(super) fn rest(&mut self, now: Instant) {
        self.phase = Phase::Idle;
        self.unasked = Evidence::default();
        self.last_received = now;
        if self.unanswered && self.goal.is_some() {
            // The answer to an old probe must not be taken for the answer to an order.
            return self.drain(now, "the answer to a probe is under way");
        }
        self.advance(now);
    }

    /// The next step towards the goal, if there is one.
    pub(super) fn advance(&mut self, now: Instant) {
        let Some(goal) = &self.goal else { return };
        let (placement, think) = (Arc::clone(&goal.placement), goal.think);
        if let Some(mv) = placement.moves.iter().find(|mv| is_underpromotion(**mv)) {
            return self.fail(Failure::Unsayable(*mv));
        }
        let Some(standing) =
            self.standing.as_ref().filter(|standing| placement.moves.starts_with(&standing.line))
        else {
            return self.want_reset(now);
        };
        match placement.moves.get(standing.line.len()) {
            Some(mv) => self.order(Order::Play(*mv), now),
            None if think => self.order(Order::Think, now),
            None => {
                self.goal = None;
                self.events.push_back(SessionEvent::Placed);
            }
        }
    }

    fn order(&mut self, order: Order, now: Instant) {
        let first = self.timing.first_timeout;
        let wait = match order {
            Order::Play(_) => (first * 2).min(ANSWER_CAP),
            // It is received at once or not at all.
            Order::Think => first * 5,
        };
        let evidence = Evidence::default();
        let look = now + wait;
        self.ordered = Some(Ordered { order, sent_at: now, tries: 1, look, wait, evidence });
        self.phase = Phase::Ordered;
        self.send(order);
        if order == Order::Think {
            self.events.push_back(SessionEvent::Begun);
        }
    }

    fn again(&mut self, now: Instant) {
        let Some(mut ordered) = self.ordered.take() else { return };
        ordered.tries += 1;
        let most = if ordered.order == Order::Think { TRIES_OF_THINK } else { TRIES };
        if ordered.tries > most {
            return self.strayed(&format!("{} does not get through", ordered.order), now);
        }
        if ordered.order == Order::Think {
            ordered.sent_at = now;
        }
        ordered.evidence = Evidence::default();
        ordered.look = now + ordered.wait;
        self.emit(LinkEventKind::Retransmitted, ordered.order.to_string());
        self.send(ordered.order);
        self.ordered = Some(ordered);
        self.phase = Phase::Ordered;
    }

    /// Part of an answer came: the rest is waited for anew.
    pub(super) fn heard_of_order(&mut self, now: Instant) {
        let silence = self.timing.first_timeout * SILENCE;
        let Some(ordered) = &mut self.ordered else { return };
        if ordered.evidence.has_content() {
            if ordered.order == Order::Think {
                ordered.wait = silence;
            }
            ordered.look = now + ordered.wait;
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ordered.as_ref().is_some_and(|ordered| ordered.evidence.ended)
    }

    /// Whether what was heard needs nothing more: what belongs to an answer must not be taken for a part of the next one.
    pub(super) fn is_clear(&self) -> bool {
        let whole = self.ordered.as_ref().is_some_and(|ordered| {
            let evidence = &ordered.evidence;
            evidence.told_last || evidence.ended
        });
        match self.verdict(false) {
            Verdict::Entered { rows: ENOUGH_ROWS.. } | Verdict::Played(_) => whole,
            Verdict::Elsewhere(_) => true,
            Verdict::Entered { .. } | Verdict::NotExecuted | Verdict::Unknown => false,
        }
    }

    pub(super) fn is_quiet_and_clear(&self, now: Instant) -> bool {
        now >= self.last_received + self.timing.quiet && self.is_clear()
    }

    /// The answer seems to be over.
    pub(super) fn conclude(&mut self, now: Instant) {
        match self.verdict(false) {
            // The board itself is to say that it is.
            Verdict::NotExecuted | Verdict::Unknown => self.drain(now, "an answer was not clear"),
            _ => self.judge(false, now),
        }
    }

    /// Acts upon the evidence. `over`: nothing more will come.
    pub(super) fn judge(&mut self, over: bool, now: Instant) {
        match self.verdict(over) {
            Verdict::Entered { rows } => self.entered(rows, now),
            Verdict::Played(mv) => self.played(mv, now),
            Verdict::NotExecuted => self.again(now),
            Verdict::Unknown => self.in_the_dark(now),
            Verdict::Elsewhere(why) => self.strayed(&why, now),
        }
    }

    fn verdict(&self, over: bool) -> Verdict {
        let Some(ordered) = &self.ordered else { return Verdict::Unknown };
        let (Some(standing), Some(placement)) = (&self.standing, self.placement()) else {
            return if over || ordered.evidence.ended {
                Verdict::Elsewhere("nobody has waited for the end of an order".into())
            } else {
                Verdict::Unknown
            };
        };
        let ply = standing.line.len();
        let side = if ply.is_multiple_of(2) { Side::White } else { Side::Black };
        match ordered.order {
            Order::Play(mv) => match placement.pictures.after.get(ply) {
                Some(after) => ordered.evidence.of_entering(mv, side, after, ordered.tries > 1),
                None => Verdict::Elsewhere(format!("there is no picture of ply {}", ply + 1)),
            },
            Order::Think => {
                let replies = &placement.pictures.replies;
                ordered.evidence.of_thinking(side, replies, standing.sure, over)
            }
        }
    }

    /// The goal's placement, where the order under way is a step towards it.
    fn placement(&self) -> Option<&Placement> {
        let (goal, ordered) = (self.goal.as_ref()?, self.ordered.as_ref()?);
        let (placement, line) = (&goal.placement, &self.standing.as_ref()?.line);
        let next = placement.moves.get(line.len());
        let is_step = placement.moves.starts_with(line)
            && match ordered.order {
                Order::Play(mv) => next == Some(&mv),
                Order::Think => next.is_none() && goal.think,
            };
        is_step.then_some(placement)
    }

    pub(super) fn thinks_for_goal(&self) -> bool {
        let thinks = self.ordered.as_ref().is_some_and(|ordered| ordered.order == Order::Think);
        thinks && self.placement().is_some()
    }

    fn entered(&mut self, rows: usize, now: Instant) {
        let Some(Ordered { order: Order::Play(mv), .. }) = self.ordered.take() else { return };
        if let Some(standing) = &mut self.standing {
            standing.line.push(mv);
            standing.sure = rows == 8 || (standing.sure && rows >= ENOUGH_ROWS);
        }
        self.rest(now);
    }

    fn played(&mut self, mv: MoveText, now: Instant) {
        let Some(ordered) = self.ordered.take() else { return };
        if let Some(standing) = &mut self.standing {
            standing.line.push(mv);
            standing.sure = true;
        }
        self.goal = None;
        self.events.push_back(SessionEvent::Moved(Played {
            mv,
            book: ordered.evidence.is_book(),
            last: ordered.evidence.last,
            elapsed: now.saturating_duration_since(ordered.sent_at),
        }));
        self.rest(now);
    }

    /// Nothing tells whether an order was executed, and the board waits.
    fn in_the_dark(&mut self, now: Instant) {
        let Some(ordered) = &self.ordered else { return };
        match (ordered.order, self.reset) {
            // A board refuses to play a move twice.
            (Order::Play(_), _) => self.again(now),
            // It would think twice. After a reset everything is known again.
            (Order::Think, Some(_)) => self.strayed("whether it has thought cannot be told", now),
            // It is asked once more: where it had moved, its rows tell so, and only then a person is needed.
            (Order::Think, None) => {
                if let Some(standing) = &mut self.standing {
                    standing.sure = false;
                }
                self.again(now);
            }
        }
    }

    /// The board does not stand where it should.
    pub(super) fn strayed(&mut self, why: &str, now: Instant) {
        self.emit(LinkEventKind::PositionDiffers, why.to_owned());
        (self.standing, self.ordered) = (None, None);
        self.repairs += 1;
        if self.repairs > REPAIRS && self.goal.is_some() {
            self.fail(Failure::Position(format!("{why}, after {REPAIRS} repairs")));
        }
        match self.reset {
            Some(_) => self.rest(now),
            // A late prompt must not look like a reset.
            None => self.drain(now, why),
        }
    }

    fn fail(&mut self, failure: Failure) {
        self.goal = None;
        self.events.push_back(SessionEvent::Failed(failure));
    }

    fn want_reset(&mut self, now: Instant) {
        self.standing = None;
        match self.reset {
            Some(_) => {
                self.reset_asked = true;
                self.phase = Phase::Leaving;
                self.events.push_back(SessionEvent::Reset);
            }
            // It may stand at the beginning: what it shows will tell.
            None if self.perhaps_reset => self.try_from_the_start(now),
            None => {
                self.phase = Phase::ByHand;
                self.in_session = false;
                self.events.push_back(SessionEvent::State(LinkState::Syncing));
                self.events.push_back(SessionEvent::Trouble(BY_HAND.into()));
            }
        }
    }

    pub(super) fn try_from_the_start(&mut self, now: Instant) {
        self.start_over();
        match self.phase {
            Phase::Idle => self.advance(now),
            _ => self.drain(now, "the board may have been reset"),
        }
    }

    /// The board was reset, or is taken to have been.
    pub(super) fn start_over(&mut self) {
        self.perhaps_reset = false;
        self.standing = Some(Standing { line: Vec::new(), sure: false });
        if let Some(goal) = &self.goal {
            let moves = goal.placement.moves.len();
            self.emit(LinkEventKind::PositionPushed, format!("{moves} moves from the start"));
        }
    }
}
