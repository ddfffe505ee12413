//! The application: one engine, one wire, and the loop between them.

use rookery_engine::{ChessEngine, Control, Game, Iteration, Limits, Params, Progress};
use rookery_protocol::device::Counters;
use rookery_protocol::{
    BestMove, Event, Iteration as IterationLine, MoveSource, MoveText, PositionHash, RebootTarget,
    Tag, Telemetry,
};

use crate::book::Book;
use crate::convert::{count, depth, hash_of, to_text};
use crate::device::{Desk, Hands, Job, State};
use crate::display::Display;
use crate::identity::{Config, Identity};
use crate::link::Link;
use crate::platform::{Pace, Platform, Port};

/// A board from one reset to the next.
#[derive(Debug)]
pub struct Board<'a, E, B, D> {
    engine: E,
    book: B,
    display: D,
    config: Config<'a>,
    link: Link,
    state: State,
}

/// What a step has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing to do until something comes, or so many milliseconds have passed.
    Idle(Option<u32>),
    /// The host wants a reset. What was written to the port has to leave first.
    Reboot(RebootTarget),
    /// [`Pace::Abandon`] has ended a think; this board is of no use any more.
    Abandoned,
}

impl<'a, E: ChessEngine, B: Book, D: Display> Board<'a, E, B, D> {
    /// A board that was just reset: initial position, empty tables, no session.
    ///
    /// The engine keeps its parameters, but for the budget, which comes with every think.
    pub fn new(mut engine: E, book: B, mut display: D, config: Config<'a>) -> Self {
        let params = Params { node_budget: u32::MAX, ..*engine.params() };
        engine.set_params(params.bounded());
        engine.reset();
        display.position(engine.game());
        let state = State {
            hash: hash_of(engine.game()),
            job: None,
            reboot: None,
            has_loader: config.has_loader,
        };
        Self { link: Link::new(config.boot), engine, book, display, config, state }
    }

    /// Announces the reset. To be called once, when the port is ready.
    pub fn start(&mut self, port: &mut impl Port) {
        self.link.banner(&self.config, port);
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        self.engine.game()
    }

    /// The hash of the position on the board.
    pub fn position_hash(&self) -> PositionHash {
        self.state.hash
    }

    /// What has happened on the wire.
    pub fn counters(&self) -> Counters {
        self.link.endpoint().counters()
    }

    /// Gives the parts back, for the board after a reset.
    pub fn into_parts(self) -> (E, B, D) {
        (self.engine, self.book, self.display)
    }

    /// Takes what has come, and thinks if that was asked for.
    pub fn step(&mut self, port: &mut impl Port, platform: &mut impl Platform) -> Step {
        let identity = Identity::of(self.config, &self.engine, &self.book);
        let mut desk = Desk {
            hands: Some(Hands { engine: &mut self.engine, display: &mut self.display }),
            state: &mut self.state,
            identity,
        };
        self.link.poll(&mut desk, port, platform.millis());
        if let Some(job) = self.state.job {
            // A reset that came with it is taken as one that comes during it.
            let finished = self.state.reboot.is_none() && self.think(job, port, platform);
            if !finished && self.state.reboot.is_none() {
                return Step::Abandoned;
            }
        }
        match self.state.reboot {
            Some(target) => Step::Reboot(target),
            None => Step::Idle(self.link.wait(platform.millis())),
        }
    }

    /// `false` when the think has no result.
    // What it needs of a chip's stack is not needed while a command is carried out.
    #[inline(never)]
    fn think(&mut self, job: Job, port: &mut impl Port, platform: &mut impl Platform) -> bool {
        let began = platform.millis();
        platform.think_begins();
        self.display.thinking();
        let best = match self.book_move(job.tag) {
            Some(best) => Some(best),
            None => self.search(job, began, port, platform),
        };
        let Some(best) = best else { return false };
        self.display.idle();
        self.display.position(self.engine.game());
        self.state.hash = hash_of(self.engine.game());
        self.state.job = None;
        let now = platform.millis();
        let best = BestMove { millis: now.wrapping_sub(began), hash: self.state.hash, ..best };
        self.link.event(Event::BestMove(best), port, now);
        true
    }

    fn book_move(&mut self, tag: Tag) -> Option<BestMove> {
        let mv = self.book.probe(self.engine.game(), self.state.hash)?;
        self.engine.play(mv).ok()?;
        Some(BestMove {
            tag,
            best: to_text(mv),
            depth: 0,
            nodes: 1,
            score: 0,
            source: MoveSource::Book,
            // Both are known when the event is made.
            millis: 0,
            hash: PositionHash(0),
        })
    }

    fn search(
        &mut self,
        job: Job,
        began: u32,
        port: &mut impl Port,
        platform: &mut impl Platform,
    ) -> Option<BestMove> {
        let Self { engine, book, display, config, link, state } = self;
        let mut desk =
            Desk::<E, D> { hands: None, identity: Identity::of(*config, engine, book), state };
        let mut abandoned = false;
        let limits = Limits { nodes: job.nodes, depth: Params::DEEPEST };
        let thought = engine.think(limits, &mut |progress| {
            let nodes = match progress {
                Progress::Iteration(iteration) => {
                    display.iteration();
                    let millis = platform.millis().wrapping_sub(began);
                    link.telemetry(&telemetry(job.tag, iteration, millis), port);
                    iteration.nodes
                }
                Progress::Poll(nodes) => nodes,
            };
            loop {
                link.poll(&mut desk, port, platform.millis());
                if desk.state.job.is_none_or(|job| job.stop) {
                    return Control::Stop;
                }
                match platform.progress(count(nodes)) {
                    Pace::Go => return Control::Continue,
                    Pace::Wait => {}
                    Pace::Abandon => {
                        abandoned = true;
                        return Control::Stop;
                    }
                }
            }
        });
        if abandoned || desk.state.reboot.is_some() {
            return None;
        }
        Some(BestMove {
            tag: job.tag,
            best: thought.best.map_or(MoveText::NULL, to_text),
            depth: depth(thought.depth),
            nodes: count(thought.nodes),
            score: thought.score,
            source: match thought.stopped {
                true => MoveSource::Stopped,
                false => MoveSource::Search,
            },
            // Both are known when the event is made.
            millis: 0,
            hash: PositionHash(0),
        })
    }
}

fn telemetry(tag: Tag, iteration: &Iteration, millis: u32) -> Telemetry {
    Telemetry::Iteration(IterationLine {
        tag,
        depth: depth(iteration.depth),
        nodes: count(iteration.nodes),
        score: iteration.score,
        best: iteration.best.map_or(MoveText::NULL, to_text),
        millis,
    })
}
