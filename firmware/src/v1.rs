//! The same board speaking the dialect before Rookery, for the simulator.
//!
//! It says what the journals quote, also what is odd: after the order to think it tells the move
//! before once more, and so that its own move is told last.

use core::fmt::Write;

use rookery_engine::{ChessEngine, Control, Game, Limits, Move, Params, Progress, Role, Side};
use rookery_protocol::v1::{Console, HostInput, Order, Row, Said, Side as Mover, Symbol};
use rookery_protocol::{MoveText, PositionHash};

use crate::book::Book;
use crate::convert::{count, depth, hash_of, to_move, to_text};
use crate::platform::{Pace, Platform, Port};

/// The longest line that it says.
const LINE: usize = 64;

/// A board of version 1 from one reset to the next.
#[derive(Debug)]
pub struct V1Board<E, B> {
    engine: E,
    book: B,
    level: u32,
    console: Console,
    last: Option<(MoveText, Mover)>,
}

/// What a step has led to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum V1Step {
    /// Nothing to do until something comes.
    Idle,
    /// [`Pace::Abandon`] has ended a think.
    Abandoned,
}

impl<E: ChessEngine, B: Book> V1Board<E, B> {
    /// A board that was just reset; `level` is its node budget for every think.
    pub fn new(mut engine: E, book: B, level: u32) -> Self {
        let params = Params { node_budget: level, ..*engine.params() };
        engine.set_params(params.bounded());
        engine.reset();
        Self { engine, book, level, console: Console::new(), last: None }
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        self.engine.game()
    }

    /// Gives the parts back, for the board after a reset.
    pub fn into_parts(self) -> (E, B) {
        (self.engine, self.book)
    }

    /// Shows the first prompt.
    pub fn start(&mut self, port: &mut impl Port) {
        say(port, "", Said::Prompt, "");
    }

    /// Takes what has come, and plays or thinks.
    pub fn step(&mut self, port: &mut impl Port, platform: &mut impl Platform) -> V1Step {
        while let Some(byte) = port.read() {
            let input = match self.console.push(byte) {
                None => continue,
                Some(HostInput::Order(order)) => Ok(order),
                Some(HostInput::Senseless(text)) => {
                    let mut echo = heapless::String::<LINE, u8>::new();
                    // Input is shorter than a line.
                    let _ = echo.push_str(text);
                    Err(echo)
                }
            };
            match input {
                Ok(order @ Order::Play(text)) => {
                    say(port, "", Said::Echo(order), "");
                    self.enter(text, port);
                }
                Ok(Order::Think) => {
                    say(port, "", Said::Echo(Order::Think), "\n");
                    if !self.think(port, platform) {
                        return V1Step::Abandoned;
                    }
                }
                Err(echo) => {
                    say(port, "", Said::Noise(&echo), "");
                    say(port, " ", Said::Rejected, "\n");
                }
            }
            say(port, "", Said::Prompt, "");
        }
        V1Step::Idle
    }

    fn enter(&mut self, text: MoveText, port: &mut impl Port) {
        let by = mover(self.engine.game().side_to_move());
        let played = to_move(text).is_some_and(|mv| {
            // The dialect has no promotions: a pawn that arrives is a queen.
            let queen = Move { promotion: Some(Role::Queen), ..mv };
            self.engine.play(mv).is_ok() || self.engine.play(queen).is_ok()
        });
        if !played {
            return say(port, " ", Said::Rejected, "\n");
        }
        say(port, " ", Said::Accepted(text), "\n");
        self.show(port);
        self.tell(text, by, port);
    }

    /// `false` when the think has no result.
    fn think(&mut self, port: &mut impl Port, platform: &mut impl Platform) -> bool {
        if let Some((mv, side)) = self.last {
            say(port, "", Said::Moved { mv, side }, "\n");
        }
        let by = mover(self.engine.game().side_to_move());
        platform.think_begins();
        let found = match self.book_move() {
            Some(mv) => {
                let (depth, nodes, score) = (0, 1, 0);
                say(port, "", Said::Noise("B"), "\n");
                say(port, "", Said::BookMarker, "");
                say_iteration(port, depth, nodes, score);
                Some(mv)
            }
            None => {
                say(port, "", Said::SearchMarker, "\n");
                let mut abandoned = false;
                let limits = Limits { nodes: self.level, depth: Params::DEEPEST };
                let thought = self.engine.think(limits, &mut |progress| {
                    let nodes = match progress {
                        Progress::Iteration(it) => {
                            say_iteration(port, depth(it.depth), count(it.nodes), it.score);
                            it.nodes
                        }
                        Progress::Poll(nodes) => nodes,
                    };
                    loop {
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
                if abandoned {
                    return false;
                }
                thought.best
            }
        };
        match found {
            Some(mv) => {
                self.show(port);
                self.tell(to_text(mv), by, port);
            }
            None => say(port, "", Said::Rejected, "\n"),
        }
        true
    }

    fn book_move(&mut self) -> Option<Move> {
        let hash: PositionHash = hash_of(self.engine.game());
        let mv = self.book.probe(self.engine.game(), hash)?;
        self.engine.play(mv).ok()?;
        Some(mv)
    }

    fn tell(&mut self, mv: MoveText, side: Mover, port: &mut impl Port) {
        // Without the letter of a promotion.
        let mv = mv.as_str().get(..4).and_then(|text| text.parse().ok());
        let mv = mv.unwrap_or(MoveText::NULL);
        self.last = Some((mv, side));
        say(port, "", Said::Moved { mv, side }, "\n");
    }

    fn show(&self, port: &mut impl Port) {
        for rank in (0..8).rev() {
            let mut row = [Symbol::Empty; 8];
            for (file, symbol) in row.iter_mut().enumerate() {
                let square = 8 * rank + file as u8;
                if let Some((side, role)) = self.engine.game().piece_at(square) {
                    let letter = char::from(role.letter());
                    *symbol = Symbol::Piece(match side {
                        Side::White => letter.to_ascii_uppercase(),
                        Side::Black => letter.to_ascii_lowercase(),
                    });
                }
            }
            say(port, "", Said::Row(Row(row)), "\n");
        }
    }
}

const fn mover(side: Side) -> Mover {
    match side {
        Side::White => Mover::White,
        Side::Black => Mover::Black,
    }
}

fn say_iteration(port: &mut impl Port, depth: u8, nodes: u32, score: i32) {
    let said = Said::Iteration { depth, nodes, score };
    say(port, "", said, "\n");
}

fn say(port: &mut impl Port, before: &str, said: Said<'_>, after: &str) {
    let mut line = heapless::String::<LINE, u8>::new();
    // Everything that is said is shorter than this.
    let _ = write!(line, "{before}{said}{after}");
    port.write(line.as_bytes());
}
