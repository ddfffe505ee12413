//! The board's own program under any conversation, in both dialects, and the positions that it takes.

use std::collections::VecDeque;

use rookery_board::v1::{V1Board, V1Step};
use rookery_board::{Board, Config, NoBook, NoDisplay, Pace, Platform, Port, Step, hash_of};
use rookery_book::{Placement, polyglot};
use rookery_engine::{Cell, Game, MicroMax, Move};
use rookery_protocol::{
    BoardMessage, BootId, Decoded, Decoder, Direction, Kind, Line, PositionHash, ResetCause, Seq,
    Sid, WireBuffer, crc16,
};

/// Reports of a search until it is ended from outside.
const REPORTS: u32 = 3;
/// Steps of a board until what has come must have been taken.
const STEPS: u32 = 64;

const CONFIG: Config<'static> = Config {
    kind: "fuzz",
    firmware: "0.1.0",
    core_hz: 72_000_000,
    boot: BootId(0xb007),
    cause: ResetCause::PowerOn,
    has_loader: true,
    vitals: None,
};

/// What goes in and what comes out.
#[derive(Default)]
struct Wire {
    input: VecDeque<u8>,
    output: Vec<u8>,
}

impl Port for Wire {
    fn read(&mut self) -> Option<u8> {
        self.input.pop_front()
    }

    fn room(&self) -> usize {
        4096
    }

    fn write(&mut self, line: &[u8]) {
        self.output.extend(line);
    }
}

/// A clock that a report of the search moves on, and an end to searches.
#[derive(Default)]
struct Clock {
    now: u32,
    reports: u32,
}

impl Platform for Clock {
    fn millis(&self) -> u32 {
        self.now
    }

    fn think_begins(&mut self) {
        self.reports = 0;
    }

    fn progress(&mut self, _: u32) -> Pace {
        self.now = self.now.wrapping_add(10);
        self.reports += 1;
        if self.reports > REPORTS { Pace::Abandon } else { Pace::Go }
    }
}

type Program<'t> = Board<'static, MicroMax<'t>, NoBook, NoDisplay>;

/// Any conversation: every answer is a good line of a board, and the board stands in a position
/// that everybody reads as the same.
///
/// The data is split at LF. A piece that begins with `%` is a command with the number that is due, one with `!` gets a right checksum,
/// `+` lets two seconds pass, `*` resets the board; anything else is sent as it stands.
pub fn conversation(data: &[u8]) {
    let mut cells = [Cell::EMPTY; 64];
    let engine = MicroMax::new(&mut cells).expect("a power of two");
    let mut board = Board::new(engine, NoBook, NoDisplay, CONFIG);
    let (mut wire, mut clock) = (Wire::default(), Clock { now: u32::MAX - 3000, reports: 0 });
    let mut seq = begin(&mut board, &mut wire);
    for piece in data.split(|&byte| byte == b'\n') {
        clock.now = clock.now.wrapping_add(10);
        let mut reset = false;
        match piece {
            [b'%', payload @ ..] => {
                let Ok(payload) = std::str::from_utf8(payload) else { continue };
                seq = seq.wrapping_add(1);
                send(&mut wire, Kind::Command, seq, payload);
            }
            [b'!', text @ ..] => {
                wire.input.extend(text);
                wire.input.extend(format!("*{:04x}\n", crc16(text)).bytes());
            }
            [b'+'] => clock.now = clock.now.wrapping_add(2000),
            [b'*'] => reset = true,
            _ => wire.input.extend(piece.iter().chain(b"\n")),
        }
        reset |= !settle(&mut board, &mut wire, &mut clock);
        heard(&mut wire);
        if reset {
            let (engine, book, display) = board.into_parts();
            board = Board::new(engine, book, display, CONFIG);
            seq = begin(&mut board, &mut wire);
            assert_eq!(text_of(board.game()), text_of(&Game::new()));
        }
    }
}

/// The banner, and a session.
fn begin(board: &mut Program<'_>, wire: &mut Wire) -> u8 {
    wire.input.clear();
    board.start(wire);
    send(wire, Kind::Sync, 0, "00000001");
    0
}

fn send(wire: &mut Wire, kind: Kind, seq: u8, payload: &str) {
    let line = Line { direction: Direction::Host, kind, sid: Sid(1), seq: Seq(seq), payload };
    let mut buffer = WireBuffer::new();
    if let Ok(bytes) = line.encode(&mut buffer) {
        wire.input.extend(bytes);
    }
}

/// Lets the board work until all is taken; `false` when it is to be reset.
fn settle(board: &mut Program<'_>, wire: &mut Wire, clock: &mut Clock) -> bool {
    for _ in 0..STEPS {
        let step = board.step(wire, clock);
        if step == Step::Abandoned || matches!(step, Step::Reboot(_)) {
            return false;
        }
        position(board.game());
        assert_eq!(board.position_hash(), hash_of(board.game()));
        if wire.input.is_empty() {
            return true;
        }
    }
    panic!("what has come is not taken");
}

fn heard(wire: &mut Wire) {
    let mut decoder = Decoder::new();
    for byte in std::mem::take(&mut wire.output) {
        match decoder.push(byte) {
            Decoded::Pending => {}
            Decoded::Line(line) => {
                assert_eq!(line.direction, Direction::Board);
                BoardMessage::parse(&line).expect("a known message");
            }
            Decoded::Bad(error, raw) => panic!("{error}: {}", raw.escape_ascii()),
        }
    }
}

/// Any bytes to a board of version 1: it answers in text, and stands in a position of chess.
pub fn conversation_v1(data: &[u8]) {
    let mut cells = [Cell::EMPTY; 64];
    let engine = MicroMax::new(&mut cells).expect("a power of two");
    let mut board = V1Board::new(engine, NoBook, 1000);
    let (mut wire, mut clock) = (Wire::default(), Clock::default());
    board.start(&mut wire);
    for piece in data.chunks(16) {
        wire.input.extend(piece);
        let step = board.step(&mut wire, &mut clock);
        position(board.game());
        let output = std::mem::take(&mut wire.output);
        assert!(output.is_ascii() && output.len() < 32_000);
        if step == V1Step::Abandoned {
            let (engine, book) = board.into_parts();
            board = V1Board::new(engine, book, 1000);
        }
    }
}

/// Any text as a FEN and as a move: refused with a place in it, or read, and written so that it is read as the same.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(mv) = text.parse::<Move>() {
        assert_eq!(mv.to_string().parse(), Ok(mv));
    }
    if let Ok(game) = Game::from_fen(text) {
        position(&game);
        let moves = game.legal_moves();
        assert_eq!(u32::try_from(moves.len()), Ok(game.count_legal_moves()));
        assert_eq!(game.has_legal_move(), !moves.is_empty());
        for &mv in &moves {
            let mut next = game.clone();
            next.play(mv).expect("a legal move");
            position(&next);
        }
    }
    if let Ok(placement) = Placement::of_fen(text) {
        let _ = polyglot::key(&placement);
    }
}

/// What holds of every position: it is read again as the same, by every reader.
fn position(game: &Game) {
    let text = text_of(game);
    let again = Game::from_fen(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(text_of(&again), text);
    assert_eq!(hash_of(game), PositionHash::of_fen(&text));
    let placement = Placement::of_fen(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
    for square in 0..64 {
        let man = placement.men[usize::from(square)];
        assert_eq!(game.piece_at(square).is_some(), man != 0);
    }
}

fn text_of(game: &Game) -> String {
    let mut text = String::new();
    game.write_fen(&mut text).expect("a string");
    text
}
