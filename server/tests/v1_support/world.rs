//! Games of a host that plays at random against a board, with everything written down that must hold.

use super::{Made, OldBoard};
use crate::link_support::{Faults, Pipe};
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rookery_protocol::MoveText;
use rookery_server::{
    api::LinkState,
    game::{Game, Rules},
    link::{
        Placement, Timing,
        transport::Reset,
        v1::{Goal, Session, SessionEvent},
    },
    model::LinkEventKind,
    referee::pictures,
};
use shakmaty::{Color, Move, Position, Role, uci::UciMove};
use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

/// Longer than any wait of a session on a line that is well, thinks and a person's walk included.
const PATIENCE: Duration = Duration::from_secs(900);

pub struct World {
    pub now: Instant,
    pub rng: StdRng,
    pub session: Session,
    pub board: OldBoard,
    pub faults: Faults,
    /// The line only loses and delays, and nobody else resets the board: then the board never strays.
    pub only_losses: bool,
    /// The first boot in which the board can know nothing of games before.
    clean_boot: u32,
    pub counts: BTreeMap<LinkEventKind, u64>,
    pub state: LinkState,
    pub events: u64,
    pub give_ups: u64,
    pub games: u32,
    pub plies: u32,
    pub books: u32,
    /// How often a person was asked for.
    pub by_hand: u32,
    pub failures: Vec<String>,
    game: Game,
    board_color: Color,
    waiting: bool,
    reset: Option<Reset>,
    reopen: Option<Instant>,
    person: Option<Instant>,
    up: Pipe,
    down: Pipe,
}

impl World {
    pub fn new(seed: u64, timing: Timing, reset: Option<Reset>) -> World {
        let now = Instant::now();
        let mut world = World {
            now,
            rng: StdRng::seed_from_u64(seed),
            session: Session::new(timing, seed, reset, now),
            board: OldBoard::new(seed),
            faults: Faults::NONE,
            only_losses: false,
            clean_boot: 0,
            counts: BTreeMap::new(),
            state: LinkState::Disconnected,
            events: 0,
            give_ups: 0,
            games: 0,
            plies: 0,
            books: 0,
            by_hand: 0,
            failures: Vec::new(),
            game: Game::new(None, Rules::default()).unwrap(),
            board_color: Color::White,
            waiting: false,
            reset,
            reopen: Some(now),
            person: None,
            up: Pipe::new(Duration::from_millis(2), now),
            down: Pipe::new(Duration::from_millis(2), now),
        };
        world.new_game();
        world
    }

    pub fn count(&self, kind: LinkEventKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    pub fn new_game(&mut self) {
        self.game = Game::new(None, Rules::default()).unwrap();
        self.games += 1;
        let clean = self.board.made.is_empty() && !self.waiting;
        self.clean_boot = self.board.boots + u32::from(!clean);
        self.board_color = Color::from_white(self.rng.random_bool(0.5));
        self.session.drop_goal();
        self.waiting = false;
    }

    /// The opponent moves where it is its turn, and the board is asked for its move.
    pub fn ask(&mut self) {
        if self.game.end().is_none() && self.game.turn() != self.board_color {
            // The dialect has no words for other promotions.
            let moves: Vec<Move> = self.game.position().legal_moves().into_iter().collect();
            let sayable: Vec<Move> = moves
                .into_iter()
                .filter(|mv| mv.promotion().is_none_or(|r| r == Role::Queen))
                .collect();
            let mv = *sayable.choose(&mut self.rng).unwrap();
            self.game.play(mv, None);
        }
        if self.game.end().is_some() || self.game.played().len() > 60 {
            return self.new_game();
        }
        if self.game.turn() == self.board_color {
            let moves = self.moves();
            let placement =
                Placement { moves, pictures: pictures(&self.game), ..Placement::default() };
            self.session.set_goal(Goal { placement: Arc::new(placement), think: true }, self.now);
            self.waiting = true;
            self.flush();
        }
    }

    fn moves(&self) -> Vec<MoveText> {
        self.game.played().iter().map(|played| played.uci.parse().unwrap()).collect()
    }

    /// Plays on, for so long or until so many more plies of the board are known.
    pub fn play(&mut self, time: Duration, plies: u32) {
        let (until, wanted) = (self.now + time, self.plies + plies);
        while self.now < until && self.plies < wanted {
            if !self.waiting {
                self.ask();
            }
            self.step(until);
        }
    }

    /// The line is well again: whatever was under way comes to its end.
    pub fn settle(&mut self) {
        self.faults = Faults::NONE;
        self.up.flow(self.now);
        self.down.flow(self.now);
        let before = self.plies;
        self.play(PATIENCE, 2);
        assert!(
            self.plies >= before + 2,
            "nothing goes on: {:?}\n{:?}\n{:?}",
            self.session,
            self.board.made,
            self.counts
        );
        let strayed = self.count(LinkEventKind::PositionDiffers);
        self.play(PATIENCE, 6);
        // What was left of the harm may still be found once.
        assert!(self.count(LinkEventKind::PositionDiffers) <= strayed + 1, "{:?}", self.counts);
    }

    pub fn disconnect(&mut self, stale: bool, again: Duration) {
        if self.reopen.is_none() {
            self.session.closed("cut");
            self.up.cut(stale, self.now);
            self.down.cut(stale, self.now);
            self.reopen = Some(self.now + again);
            self.flush();
        }
    }

    /// Somebody presses the button.
    pub fn press_reset(&mut self) {
        self.board.reset();
        self.flush();
    }

    fn step(&mut self, until: Instant) {
        let next = [
            self.reopen,
            self.person,
            self.board.next(),
            self.session.next_deadline(),
            self.up.next(),
            self.down.next(),
        ];
        let at = next.into_iter().flatten().min().unwrap_or(until).min(until);
        self.now = self.now.max(at);
        self.events += 1;
        if self.reopen.take_if(|at| *at <= self.now).is_some() {
            if self.reset.is_some() {
                self.board.reset();
            }
            self.session.opened(self.now);
        }
        if self.person.take_if(|at| *at <= self.now).is_some() {
            self.press_reset();
            // Who is still asked presses again.
            if self.state != LinkState::Ready {
                self.person = Some(self.now + Duration::from_secs(20));
            }
        }
        while let Some(bytes) = self.up.take(self.now) {
            self.board.hear(&bytes, self.now);
        }
        self.board.advance(self.now);
        while let Some(bytes) = self.down.take(self.now) {
            if self.reopen.is_none() {
                self.session.received(&bytes, self.now);
            }
        }
        if self.session.next_deadline().is_some_and(|at| at <= self.now) {
            self.session.tick(self.now);
        }
        self.flush();
    }

    fn flush(&mut self) {
        for piece in std::mem::take(&mut self.board.said) {
            self.down.send(&piece, &self.faults, self.now, &mut self.rng);
        }
        while let Some(bytes) = self.session.poll_transmit() {
            assert!(!bytes.contains(&b'\n'), "an LF means think");
            let echo = self.up.send(&bytes, &self.faults, self.now, &mut self.rng);
            if let Some(echo) = echo {
                self.down.push(echo, self.now, Duration::ZERO);
            }
        }
        self.check();
        while let Some(event) = self.session.poll_event() {
            self.hear(event);
        }
    }

    fn hear(&mut self, event: SessionEvent) {
        match event {
            SessionEvent::Link(kind, _) => *self.counts.entry(kind).or_insert(0) += 1,
            SessionEvent::State(state) => {
                self.state = state;
                if state == LinkState::Ready {
                    self.person = None;
                }
            }
            SessionEvent::Trouble(text) => {
                assert!(self.reset.is_none() && text.contains("by hand"), "{text}");
                self.by_hand += 1;
                let walk = Duration::from_secs(self.rng.random_range(1..30));
                self.person = Some(self.now + walk);
            }
            SessionEvent::Reset => {
                assert!(self.reset.is_some());
                self.disconnect(false, Duration::from_millis(250));
            }
            SessionEvent::GiveUp => {
                self.give_ups += 1;
                self.disconnect(false, Duration::from_millis(250));
            }
            SessionEvent::Moved(played) => {
                self.moved(played.mv);
                self.books += u32::from(played.book);
            }
            SessionEvent::Failed(failure) => {
                self.failures.push(format!("{failure:?}"));
                self.new_game();
            }
            SessionEvent::Begun | SessionEvent::Progress(_) | SessionEvent::Placed => {}
        }
    }

    /// The board has made this move, by itself, in this very position.
    fn moved(&mut self, mv: MoveText) {
        assert!(self.waiting, "nobody has asked");
        let mut wanted: Vec<Made> = self.moves().into_iter().map(Made::Entered).collect();
        wanted.push(Made::Thought(mv));
        let is_it = |made: &Vec<Made>| {
            made.len() >= wanted.len()
                && wanted.iter().zip(made).all(|(wanted, made)| wanted.mv() == made.mv())
                && made[wanted.len() - 1] == Made::Thought(mv)
        };
        let [last, before] = &self.board.made_before;
        let same = [&self.board.made, last, before].into_iter().any(is_it);
        assert!(same, "{mv} after {:?}; the board has {:?}", self.moves(), self.board.made);
        let uci: UciMove = mv.to_string().parse().unwrap();
        let legal = uci.to_move(self.game.position()).unwrap();
        self.game.play(legal, None);
        self.plies += 1;
        self.waiting = false;
    }

    /// Where the line adds nothing, the board never makes a move that is not the game's: none twice, and no think too many.
    fn check(&self) {
        if !self.only_losses || self.board.boots < self.clean_boot {
            return;
        }
        let game = self.moves();
        for (n, made) in self.board.made.iter().enumerate() {
            match game.get(n) {
                Some(mv) => assert_eq!(made.mv(), *mv, "{:?} in {game:?}", self.board.made),
                // The move that is not known yet.
                None => assert!(
                    n == game.len() && matches!(made, Made::Thought(_)),
                    "{:?} in {game:?}",
                    self.board.made
                ),
            }
        }
    }
}
