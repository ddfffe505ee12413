//! The host's side of the old dialect as a state machine without I/O and without a clock: bytes, goals and instants go in; bytes and
//! events come out. Section 10 of the protocol's README has its rules.

mod hearing;
mod leading;

use super::{
    evidence::Evidence,
    words::{Goal, SessionEvent},
};
use crate::{
    api::LinkState,
    link::transport::{Reset, Timing},
    model::LinkEventKind,
};
use hearing::LineSoFar;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use rookery_protocol::{
    MoveText,
    v1::{Order, Reader},
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// The longest drain.
const DRAIN_CAP: Duration = Duration::from_secs(3);
/// The longest wait for the answer to a probe or to a move that was entered.
const ANSWER_CAP: Duration = Duration::from_secs(2);
/// Probes without an answer before the transport is given up.
const PROBES: u32 = 5;
/// Probes without an answer in a think: then it is believed that the board thinks on.
const PROBES_IN_THINK: u32 = 2;
/// Silence after which a board that has nothing to do is asked whether it is there.
const IDLE: Duration = Duration::from_secs(10);
/// A think may be silent: it is looked after once in so many first time-outs, then twice as long, up to the cap.
const SILENCE: u32 = 25;
const SILENCE_CAP: Duration = Duration::from_secs(60);

/// What a probe is made of: letters that no order has, so that no part of it can be one.
const PROBE_LETTERS: &[u8] = b"jklmopstuvwyz";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Closed,
    /// Nothing is said or believed until the transport is opened anew.
    Leaving,
    /// Input is taken for what it is worth, and nothing is sent.
    Draining {
        since: Instant,
    },
    /// A probe was sent.
    Probing {
        tries: u32,
        deadline: Instant,
    },
    /// The board waits, and so do we.
    Idle,
    /// An order was sent.
    Ordered,
    /// Somebody has to reset the board.
    ByHand,
}

/// Where the board stands: after these moves from the initial position.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Standing {
    line: Vec<MoveText>,
    /// All eight rows have shown it, here or at a move before from which all was well.
    sure: bool,
}

/// An order under way.
#[derive(Debug, Clone)]
struct Ordered {
    order: Order,
    /// First sent.
    sent_at: Instant,
    tries: u32,
    /// When to look after it, and how long to wait next.
    look: Instant,
    wait: Duration,
    evidence: Evidence,
}

/// The host's end of a link in the old dialect.
#[derive(Debug)]
pub struct Session {
    timing: Timing,
    reset: Option<Reset>,
    /// The driver was asked to reset the board before the transport is opened again.
    reset_asked: bool,
    rng: StdRng,
    reader: Reader,
    line: LineSoFar,
    phase: Phase,
    /// The text of the last probe, without its `X`.
    nonce: String,
    /// It was answered, and the prompt has come behind the answer.
    answered: bool,
    prompted: bool,
    /// A probe was not: its answer may still come.
    unanswered: bool,
    /// The board has answered since the transport was opened.
    in_session: bool,
    standing: Option<Standing>,
    /// Something has happened that a reset of the board looks like.
    perhaps_reset: bool,
    /// What is heard while nothing was ordered.
    unasked: Evidence,
    goal: Option<Goal>,
    /// Positions given up since the goal was set.
    repairs: u32,
    ordered: Option<Ordered>,
    /// Any byte.
    last_received: Instant,
    transmit: VecDeque<Vec<u8>>,
    events: VecDeque<SessionEvent>,
}

impl Session {
    /// A session without a transport. `seed` decides what probes look like.
    #[must_use]
    pub fn new(timing: Timing, seed: u64, reset: Option<Reset>, now: Instant) -> Session {
        Session {
            timing,
            reset,
            reset_asked: false,
            rng: StdRng::seed_from_u64(seed),
            reader: Reader::new(),
            line: LineSoFar::default(),
            phase: Phase::Closed,
            nonce: String::new(),
            answered: false,
            prompted: false,
            unanswered: false,
            in_session: false,
            standing: None,
            perhaps_reset: false,
            unasked: Evidence::default(),
            goal: None,
            repairs: 0,
            ordered: None,
            last_received: now,
            transmit: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// The transport is open; where that resets the board, it was reset.
    pub fn opened(&mut self, now: Instant) {
        self.emit(LinkEventKind::Connected, String::new());
        (self.reader, self.line) = (Reader::new(), LineSoFar::default());
        self.transmit.clear();
        (self.in_session, self.last_received) = (false, now);
        let asked = std::mem::take(&mut self.reset_asked);
        if self.reset == Some(Reset::Connect) || asked {
            self.ordered = None;
            self.start_over();
            return self.drain(now, "the transport was opened");
        }
        self.perhaps_reset = true;
        match &mut self.ordered {
            // It thinks, or has thought: a probe would have to wait for that.
            Some(ordered) if ordered.order == Order::Think => {
                ordered.look = now + ordered.wait;
                self.phase = Phase::Ordered;
                self.enter_session();
            }
            _ => self.drain(now, "the transport was opened"),
        }
    }

    /// The transport is gone. What is under way is looked after when it is open again.
    pub fn closed(&mut self, why: &str) {
        if self.phase != Phase::Closed {
            self.phase = Phase::Closed;
            self.transmit.clear();
            self.emit(LinkEventKind::Disconnected, why.to_owned());
            self.events.push_back(SessionEvent::State(LinkState::Disconnected));
        }
    }

    /// Sets what the board is to do; what it was to do before is forgotten.
    pub fn set_goal(&mut self, goal: Goal, now: Instant) {
        self.goal = Some(goal);
        self.repairs = 0;
        // It may be at this very think already, for somebody who did not wait for its end.
        if self.thinks_for_goal() {
            self.events.push_back(SessionEvent::Begun);
        }
        if self.phase == Phase::Idle {
            self.advance(now);
        }
    }

    /// Nobody waits for the goal any more. A think cannot be stopped: its end is waited for before anything else is ordered.
    pub fn drop_goal(&mut self) {
        self.goal = None;
    }

    /// Nobody believes any more that the board stands where it should.
    pub fn distrust(&mut self) {
        self.standing = None;
    }

    /// Bytes came.
    pub fn received(&mut self, bytes: &[u8], now: Instant) {
        self.last_received = now;
        if matches!(self.phase, Phase::Closed | Phase::Leaving) {
            return;
        }
        self.read(bytes);
        self.weigh(now);
    }

    /// The instant of [`Session::next_deadline`] has come.
    pub fn tick(&mut self, now: Instant) {
        match self.phase {
            Phase::Closed | Phase::Leaving | Phase::ByHand => {}
            Phase::Draining { since } => {
                if now >= self.drained_at(since) {
                    self.flush();
                    self.probe(1, now);
                }
            }
            Phase::Probing { tries, deadline } => {
                if self.answered && now >= self.last_received + self.timing.quiet {
                    // The prompt was lost.
                    self.settled(now);
                } else if now >= deadline {
                    self.unanswered = true;
                    self.probe_unanswered(tries, now);
                }
            }
            Phase::Idle => {
                if now >= self.last_received + IDLE {
                    self.probe(1, now);
                }
            }
            Phase::Ordered => {
                if self.is_quiet_and_clear(now) {
                    self.flush();
                    self.conclude(now);
                } else if self.ordered.as_ref().is_some_and(|o| now >= o.look) {
                    self.look_after(now);
                }
            }
        }
    }

    /// When [`Session::tick`] has something to do, if nothing comes before.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Instant> {
        match self.phase {
            Phase::Closed | Phase::Leaving | Phase::ByHand => None,
            Phase::Draining { since } => Some(self.drained_at(since)),
            Phase::Probing { deadline, .. } => {
                let answered = self.answered.then(|| self.last_received + self.timing.quiet);
                Some(answered.map_or(deadline, |at| at.min(deadline)))
            }
            Phase::Idle => Some(self.last_received + IDLE),
            Phase::Ordered => {
                let look = self.ordered.as_ref()?.look;
                let clear = self.is_clear().then(|| self.last_received + self.timing.quiet);
                Some(clear.map_or(look, |at| at.min(look)))
            }
        }
    }

    /// The next bytes for the transport.
    pub fn poll_transmit(&mut self) -> Option<Vec<u8>> {
        self.transmit.pop_front()
    }

    /// The next event.
    pub fn poll_event(&mut self) -> Option<SessionEvent> {
        self.events.pop_front()
    }

    /// Counts something that only the session's user can see.
    pub fn emit(&mut self, kind: LinkEventKind, detail: String) {
        self.events.push_back(SessionEvent::Link(kind, detail));
    }

    fn drained_at(&self, since: Instant) -> Instant {
        (self.last_received + self.timing.quiet).min(since + DRAIN_CAP)
    }

    /// Waits until the line is quiet, and then asks whether the board waits and has nothing in its input.
    fn drain(&mut self, now: Instant, why: &str) {
        self.phase = Phase::Draining { since: now };
        (self.answered, self.prompted) = (false, false);
        self.last_received = now;
        self.emit(LinkEventKind::Drained, why.to_owned());
        if !self.in_session {
            self.events.push_back(SessionEvent::State(LinkState::Draining));
        }
    }

    /// Sends what no board executes and every idle board answers with `#`. Another text each time, so that an answer is to this one.
    /// Never an LF: alone it means think.
    fn probe(&mut self, tries: u32, now: Instant) {
        let letter = |rng: &mut StdRng| {
            let place = rng.random_range(0..PROBE_LETTERS.len());
            char::from(PROBE_LETTERS[place])
        };
        let before = std::mem::take(&mut self.nonce);
        while self.nonce.is_empty() || self.nonce == before {
            self.nonce = format!("?{}{}", letter(&mut self.rng), letter(&mut self.rng));
        }
        (self.answered, self.prompted) = (false, false);
        self.transmit.push_back(format!("{}X", self.nonce).into_bytes());
        let wait = (self.timing.first_timeout * 2u32.pow(tries.min(8))).min(ANSWER_CAP);
        self.phase = Phase::Probing { tries, deadline: now + wait };
        if !self.in_session {
            self.events.push_back(SessionEvent::State(LinkState::Syncing));
        }
    }

    fn probe_unanswered(&mut self, tries: u32, now: Instant) {
        match &mut self.ordered {
            Some(ordered) if ordered.order == Order::Think && tries >= PROBES_IN_THINK => {
                ordered.wait = (ordered.wait * 2).min(SILENCE_CAP);
                ordered.look = now + ordered.wait;
                self.phase = Phase::Ordered;
            }
            _ if tries >= PROBES => {
                self.emit(LinkEventKind::SyncFailed, format!("{tries} probes"));
                self.events.push_back(SessionEvent::GiveUp);
                self.phase = Phase::Leaving;
            }
            _ => {
                if self.in_session && self.ordered.is_none() {
                    self.emit(LinkEventKind::PingMissed, String::new());
                }
                self.probe(tries + 1, now);
            }
        }
    }

    /// An order has no answer, or not enough of one.
    fn look_after(&mut self, now: Instant) {
        if let Some(order) = self.ordered.as_ref().map(|ordered| ordered.order) {
            self.emit(LinkEventKind::Timeout, order.to_string());
        }
        self.drain(now, "an order has no clear answer");
    }

    /// The board has answered a probe: it waits, and whatever it was to say it has said.
    fn settled(&mut self, now: Instant) {
        self.unanswered = false;
        if !self.in_session {
            self.emit(LinkEventKind::Synced, self.nonce.clone());
        }
        self.enter_session();
        match self.ordered {
            Some(_) => self.judge(true, now),
            None => self.rest(now),
        }
    }

    fn enter_session(&mut self) {
        if !self.in_session {
            self.in_session = true;
            self.events.push_back(SessionEvent::State(LinkState::Ready));
        }
    }

    fn send(&mut self, order: Order) {
        self.transmit.push_back(order.to_string().into_bytes());
    }
}
