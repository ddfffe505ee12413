//! A board on a bench: an engine whose searches are written down beforehand, a port and a clock in
//! the hands of the test.

use std::collections::VecDeque;

use rookery_board::{Book, BookId, Display, Pace, Platform, Port};
use rookery_engine::{
    ChessEngine, Control, FenError, Game, IllegalMove, Iteration, Limits, Move, Params, Progress,
    Thought,
};
use rookery_protocol::{
    Decoded, Decoder, Direction, Kind, Line, PositionHash, Seq, Sid, WireBuffer,
};

/// Plays the first legal move of its list, after as many reports as the budget has thousands.
#[derive(Debug)]
pub struct Plodder {
    game: Game,
    params: Params,
    pub resets: u32,
}

impl Plodder {
    pub fn new() -> Self {
        Self { game: Game::new(), params: Params::JOURNAL, resets: 0 }
    }
}

impl ChessEngine for Plodder {
    fn name(&self) -> &'static str {
        "Plodder 1"
    }

    fn pawn_units(&self) -> u16 {
        74
    }

    fn cells(&self) -> u32 {
        0
    }

    fn params(&self) -> &Params {
        &self.params
    }

    fn set_params(&mut self, params: Params) {
        self.params = params.bounded();
    }

    fn reset(&mut self) {
        self.resets += 1;
        self.game = Game::new();
    }

    fn set_position(&mut self, fen: &str) -> Result<(), FenError> {
        self.game = Game::from_fen(fen)?;
        Ok(())
    }

    fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)
    }

    fn game(&self) -> &Game {
        &self.game
    }

    fn think(
        &mut self,
        limits: Limits,
        observer: &mut dyn FnMut(Progress<'_>) -> Control,
    ) -> Thought {
        let budget = i32::try_from(limits.nodes.min(self.params.node_budget)).expect("small");
        let best = self.game.legal_moves().iter().next().copied();
        let (mut nodes, mut depth, mut stopped) = (0, 0, false);
        while nodes < budget && !stopped {
            nodes += 1000;
            stopped = observer(Progress::Poll(nodes)) == Control::Stop;
            if nodes % 3000 == 0 && !stopped {
                depth += 1;
                let iteration = Iteration { depth, nodes, score: -34, best };
                stopped = observer(Progress::Iteration(&iteration)) == Control::Stop;
            }
        }
        if let Some(best) = best {
            self.game.play(best).expect("legal");
        }
        Thought { best, depth, nodes, score: -34, total: nodes, stopped }
    }
}

/// Bytes in, lines out. What is to come in the middle of a think is planned by the time.
#[derive(Debug, Default)]
pub struct Bench {
    input: VecDeque<u8>,
    pub output: Vec<u8>,
    pub room: Option<usize>,
}

impl Bench {
    /// Hands in a line.
    pub fn line(&mut self, kind: Kind, sid: u8, seq: u8, payload: &str) {
        let line = Line { direction: Direction::Host, kind, sid: Sid(sid), seq: Seq(seq), payload };
        let mut wire = WireBuffer::new();
        self.bytes(line.encode(&mut wire).expect("can be sent"));
    }

    /// Hands in bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.input.extend(bytes);
    }

    /// What the board has said since the last time, without checksums.
    pub fn said(&mut self) -> Vec<String> {
        let mut decoder = Decoder::new();
        let mut lines = Vec::new();
        for byte in std::mem::take(&mut self.output) {
            match decoder.push(byte) {
                Decoded::Pending => {}
                Decoded::Line(line) => {
                    assert_eq!(line.direction, Direction::Board);
                    let mut wire = WireBuffer::new();
                    let text = line.encode(&mut wire).expect("a line");
                    let text = std::str::from_utf8(text).expect("ASCII").trim();
                    lines.push(text[..text.len() - 5].to_owned());
                }
                Decoded::Bad(error, raw) => panic!("{error}: {}", raw.escape_ascii()),
            }
        }
        lines
    }
}

impl Port for Bench {
    fn read(&mut self) -> Option<u8> {
        self.input.pop_front()
    }

    fn room(&self) -> usize {
        self.room.unwrap_or(4096)
    }

    fn write(&mut self, line: &[u8]) {
        self.output.extend(line);
    }
}

/// A clock that a report of the search moves on by ten milliseconds.
#[derive(Debug, Default)]
pub struct Clock {
    pub now: u32,
    pub begun: u32,
    pub abandon_at: Option<u32>,
    pub waits: u32,
}

impl Platform for Clock {
    fn millis(&self) -> u32 {
        self.now
    }

    fn think_begins(&mut self) {
        self.begun += 1;
    }

    fn progress(&mut self, nodes: u32) -> Pace {
        self.now = self.now.wrapping_add(10);
        if self.abandon_at.is_some_and(|at| nodes >= at) {
            return Pace::Abandon;
        }
        if self.waits > 0 {
            self.waits -= 1;
            return Pace::Wait;
        }
        Pace::Go
    }
}

/// A book of one move.
#[derive(Debug)]
pub struct OneMove(pub PositionHash, pub &'static str);

impl Book for OneMove {
    fn probe(&self, _: &Game, hash: PositionHash) -> Option<Move> {
        (hash == self.0).then(|| self.1.parse().expect("a move"))
    }

    fn id(&self) -> Option<BookId> {
        Some(BookId { hash: 0xabc, size: 1 })
    }
}

/// Writes down what it is shown.
#[derive(Debug, Default)]
pub struct Diary(pub Vec<String>);

impl Display for &mut Diary {
    fn position(&mut self, game: &Game) {
        let mut fen = String::new();
        game.write_fen(&mut fen).expect("a string");
        self.0.push(fen);
    }

    fn thinking(&mut self) {
        self.0.push("thinking".to_owned());
    }

    fn iteration(&mut self) {
        self.0.push("iteration".to_owned());
    }

    fn idle(&mut self) {
        self.0.push("idle".to_owned());
    }
}
