//! A board of version 1 in virtual time: what the journals quote, with random legal moves for an engine.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rookery_protocol::{
    MoveText,
    v1::{Console, HostInput, Order, Row, Said, Side, Symbol},
};
use shakmaty::{Chess, Color, File, Move, Position, Rank, Role, Square, uci::UciMove};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// A move that the board has made since its last reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Made {
    Entered(MoveText),
    Thought(MoveText),
}

impl Made {
    pub fn mv(self) -> MoveText {
        let (Made::Entered(mv) | Made::Thought(mv)) = self;
        mv
    }
}

enum Due {
    Say(String),
    Play(Move),
    Wait,
}

pub struct OldBoard {
    position: Chess,
    console: Console,
    last: Option<(MoveText, Side)>,
    /// What it will have done when, while it thinks.
    plan: VecDeque<(Instant, Due)>,
    input: VecDeque<u8>,
    rng: StdRng,
    /// Since the last reset.
    pub made: Vec<Made>,
    /// Before it, and before the one before: what is told of it may still be under way.
    pub made_before: [Vec<Made>; 2],
    pub boots: u32,
    pub thinks: u32,
    /// What it says, in the pieces in which it says it.
    pub said: Vec<Vec<u8>>,
}

impl OldBoard {
    pub fn new(seed: u64) -> OldBoard {
        OldBoard {
            position: Chess::default(),
            console: Console::new(),
            last: None,
            plan: VecDeque::new(),
            input: VecDeque::new(),
            rng: StdRng::seed_from_u64(seed),
            made: Vec::new(),
            made_before: Default::default(),
            boots: 0,
            thinks: 0,
            said: Vec::new(),
        }
    }

    pub fn reset(&mut self) {
        let fresh = OldBoard::new(self.rng.random());
        let (boots, thinks) = (self.boots + 1, self.thinks);
        let [last, _] = std::mem::take(&mut self.made_before);
        let made_before = [std::mem::take(&mut self.made), last];
        *self = OldBoard { boots, thinks, made_before, ..fresh };
        self.say(Said::Prompt, "");
    }

    pub fn is_thinking(&self) -> bool {
        !self.plan.is_empty()
    }

    pub fn next(&self) -> Option<Instant> {
        self.plan.front().map(|(at, _)| *at)
    }

    pub fn hear(&mut self, bytes: &[u8], now: Instant) {
        self.input.extend(bytes);
        self.advance(now);
    }

    /// Does what is due. What comes while it thinks waits.
    pub fn advance(&mut self, now: Instant) {
        loop {
            if let Some((_, due)) = self.plan.pop_front_if(|(at, _)| *at <= now) {
                match due {
                    Due::Say(text) => self.said.push(text.into_bytes()),
                    Due::Play(mv) => self.play(mv, true),
                    Due::Wait => self.say(Said::Prompt, ""),
                }
            } else if self.plan.is_empty()
                && let Some(byte) = self.input.pop_front()
            {
                self.take(byte, now);
            } else {
                return;
            }
        }
    }

    fn take(&mut self, byte: u8, now: Instant) {
        let text = match self.console.push(byte) {
            None => return,
            Some(HostInput::Order(Order::Think)) => return self.think(now),
            Some(HostInput::Order(order @ Order::Play(text))) => {
                self.say(Said::Echo(order), "");
                match self.find(text) {
                    Some(mv) => {
                        self.said.push(format!(" GO {text} OK\n").into_bytes());
                        self.play(mv, false);
                    }
                    None => self.said.push(b" #\n".to_vec()),
                }
                return self.say(Said::Prompt, "");
            }
            Some(HostInput::Senseless(text)) => text.to_owned(),
        };
        self.say(Said::Noise(&text), "");
        self.said.push(b" #\n".to_vec());
        self.say(Said::Prompt, "");
    }

    fn find(&self, text: MoveText) -> Option<Move> {
        let uci = |text: &str| text.parse::<UciMove>().ok()?.to_move(&self.position).ok();
        uci(text.as_str()).or_else(|| uci(&format!("{text}q")))
    }

    fn think(&mut self, now: Instant) {
        self.thinks += 1;
        self.say(Said::Echo(Order::Think), "\n");
        if let Some((mv, side)) = self.last {
            self.say(Said::Moved { mv, side }, "\n");
        }
        let moves: Vec<Move> = self.position.legal_moves().into_iter().collect();
        // It promotes to queens alone.
        let queens: Vec<Move> = moves
            .into_iter()
            .filter(|mv| mv.promotion().is_none_or(|r| r == Role::Queen))
            .collect();
        let Some(&mv) = queens.choose(&mut self.rng) else {
            self.say(Said::Rejected, "\n");
            return self.say(Said::Prompt, "");
        };
        let mut at = now;
        if self.rng.random_bool(0.2) {
            self.said.push(b"B\n".to_vec());
            self.say(Said::BookMarker, "");
            let oc = if self.rng.random_bool(0.5) { 99 } else { 0 };
            self.said.push(format!(" d=0 uz=1 oc={oc}\n").into_bytes());
        } else {
            self.say(Said::SearchMarker, "\n");
            for depth in 1..self.rng.random_range(2..7) {
                at += Duration::from_millis(self.rng.random_range(1..1500));
                let said = format!(" d={depth} uz={} oc={}\n", depth * 900, 7 - depth);
                self.plan.push_back((at, Due::Say(said)));
            }
        }
        self.plan.push_back((at, Due::Play(mv)));
        self.plan.push_back((at, Due::Wait));
    }

    fn play(&mut self, mv: Move, thought: bool) {
        let side = match self.position.turn() {
            Color::White => Side::White,
            Color::Black => Side::Black,
        };
        let text: MoveText = UciMove::from_standard(mv).to_string().parse().unwrap();
        self.position.play_unchecked(mv);
        self.made.push(if thought { Made::Thought(text) } else { Made::Entered(text) });
        for rank in Rank::ALL.into_iter().rev() {
            let row = File::ALL.map(|file| {
                let piece = self.position.board().piece_at(Square::from_coords(file, rank));
                piece.map_or(Symbol::Empty, |piece| Symbol::Piece(piece.char()))
            });
            self.say(Said::Row(Row(row)), "\n");
        }
        let bare: MoveText = text.as_str()[..4].parse().unwrap();
        self.last = Some((bare, side));
        self.say(Said::Moved { mv: bare, side }, "\n");
    }

    fn say(&mut self, said: Said<'_>, after: &str) {
        self.said.push(format!("{said}{after}").into_bytes());
    }
}
