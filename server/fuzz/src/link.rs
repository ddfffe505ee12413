//! The host's end of a link, in both dialects, against a board that says anything.

use rookery_protocol::{
    Command, HostMessage, Line, ParamKey, PositionHash, RebootTarget, Tag, crc16,
};
use rookery_server::{
    game::{Game, Rules},
    link::{
        Placement, Timing,
        transport::Reset,
        v1,
        v2::session::{Payload, Session, SessionEvent},
    },
    model::OpeningLine,
    referee::pictures,
};
use std::{
    collections::HashSet,
    sync::Arc,
    time::{Duration, Instant},
};

/// What happens to a session next.
enum Turn<'a> {
    /// Bytes come.
    Bytes(&'a [u8]),
    /// So many milliseconds pass.
    Wait(u64),
    /// The connection is lost and made again.
    Reconnect,
    /// Something is wanted of the board.
    Want(u8),
}

/// A conversation is pieces between line feeds. The first letter says what a piece is: `~` time, `^` a lost connection, `?` a wish;
/// anything else, or what is behind a `!`, are bytes and their line feed.
fn turns(data: &[u8]) -> impl Iterator<Item = Turn<'_>> {
    data.split_inclusive(|byte| *byte == b'\n').map(|piece| match piece {
        [b'~', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).take(5);
            Turn::Wait(digits.fold(0, |n, digit| 10 * n + u64::from(digit - b'0')))
        }
        [b'^', ..] => Turn::Reconnect,
        [b'?', wish, ..] => Turn::Want(*wish),
        _ => Turn::Bytes(piece),
    })
}

/// Version 2: what is sent are good lines of a host, every command has one reply at the most, events have their order, and a board
/// that is silent in the end is given up or waited for with a deadline.
///
/// A piece that begins with `!` gets a right checksum, and the session, number and nonce that the host waits for where it has `@`, `#`
/// and `$`.
pub fn v2(data: &[u8]) {
    let mut now = Instant::now();
    let mut talk = Talk::new(now);
    talk.session.opened(now);
    for turn in turns(data) {
        match turn {
            Turn::Bytes([b'!', text @ ..]) => {
                let line = talk.dressed(text);
                talk.session.received(&line, now);
            }
            Turn::Bytes(bytes) => talk.session.received(bytes, now),
            Turn::Wait(millis) => now = talk.pass(now, Duration::from_millis(millis)),
            Turn::Reconnect => {
                talk.session.closed("lost");
                talk.session.opened(now);
            }
            Turn::Want(wish) => talk.want(wish, now),
        }
        talk.hear();
    }
    talk.pass(now, Duration::from_secs(60));
}

struct Talk {
    session: Session,
    /// Commands that have no reply yet.
    open: HashSet<u64>,
    last: u64,
    /// Session, number and payload of what was sent last.
    sent: (String, String, String),
}

impl Talk {
    fn new(now: Instant) -> Talk {
        let session = Session::new(Timing::WIRE, 7, now);
        let sent = ("00".into(), "00".into(), String::new());
        Talk { session, open: HashSet::new(), last: 0, sent }
    }

    fn want(&mut self, wish: u8, now: Instant) {
        let command = match wish % 6 {
            0 => Command::Identify { page: wish / 6 },
            1 => Command::Position { index: 0, count: 1, text: "8/8/8/8/8/8/8/8 w - - 0 1" },
            2 => {
                let moves = ["e2e4", "e7e5"].map(|text| text.parse().expect("a move"));
                Command::Moves { before: PositionHash(7), moves: moves.into_iter().collect() }
            }
            3 => Command::Think { tag: Tag(wish), nodes: 1000 },
            4 => Command::Param { key: ParamKey::ALL[0], value: i32::from(wish) },
            _ => Command::Reboot(RebootTarget::App),
        };
        self.last += 1;
        self.open.insert(self.last);
        let payload = Payload::try_from(&command).expect("it fits");
        self.session.submit(self.last, payload, now);
    }

    /// A board's line with a right checksum.
    fn dressed(&self, text: &[u8]) -> Vec<u8> {
        let mut line = Vec::new();
        for &byte in text.strip_suffix(b"\n").unwrap_or(text) {
            match byte {
                b'@' => line.extend(self.sent.0.bytes()),
                b'#' => line.extend(self.sent.1.bytes()),
                b'$' => line.extend(self.sent.2.bytes()),
                byte => line.push(byte),
            }
        }
        let sum = format!("*{:04x}\n", crc16(&line));
        [b"\n", &line[..], sum.as_bytes()].concat()
    }

    /// Lets time pass as the driver does: deadline by deadline.
    fn pass(&mut self, now: Instant, by: Duration) -> Instant {
        let end = now + by;
        let mut now = now;
        let mut ticks = 0;
        while let Some(at) = self.session.next_deadline().filter(|at| *at <= end) {
            now = now.max(at);
            self.session.tick(now);
            self.hear();
            ticks += 1;
            assert!(ticks < 20_000, "its deadlines do not pass");
        }
        end
    }

    fn hear(&mut self) {
        while let Some(bytes) = self.session.poll_transmit() {
            for text in bytes.split(|byte| *byte == b'\n').filter(|text| !text.is_empty()) {
                let line = Line::parse(text).expect("a good line");
                HostMessage::parse(&line).expect("a host's message");
                let number = format!("{:02x}", line.seq.0);
                self.sent = (format!("{:02x}", line.sid.0), number, line.payload.to_owned());
            }
        }
        while let Some(event) = self.session.poll_event() {
            match event {
                SessionEvent::Reply(id, _) => assert!(self.open.remove(&id), "answered twice"),
                SessionEvent::GiveUp => self.session.closed("given up"),
                _ => {}
            }
        }
    }
}

/// Version 1: what is sent is text that such a board can read, and a goal has one end at the most. A wish is a position to think in.
pub fn v1(data: &[u8]) {
    let mut now = Instant::now();
    let mut session = v1::Session::new(Timing::WIRE, 7, Some(Reset::Connect), now);
    let mut goals = 0_i64;
    session.opened(now);
    for turn in turns(data) {
        match turn {
            Turn::Bytes(bytes) => session.received(bytes, now),
            Turn::Wait(millis) => {
                let end = now + Duration::from_millis(millis);
                let mut ticks = 0;
                while let Some(at) = session.next_deadline().filter(|at| *at <= end) {
                    now = now.max(at);
                    session.tick(now);
                    hear(&mut session, &mut goals);
                    ticks += 1;
                    assert!(ticks < 20_000, "its deadlines do not pass");
                }
                now = end;
            }
            Turn::Reconnect => {
                session.closed("lost");
                session.opened(now);
            }
            Turn::Want(wish) => {
                session.set_goal(goal(wish), now);
                goals = 1;
            }
        }
        hear(&mut session, &mut goals);
    }
}

/// One of four games as they begin, and whether the board is to go on with it.
fn goal(wish: u8) -> v1::Goal {
    let moves = ["e2e4", "e7e5", "g1f3"].iter().take(usize::from(wish >> 1) % 4);
    let moves: Vec<String> = moves.map(|text| (*text).to_owned()).collect();
    let line = OpeningLine { name: None, fen: None, moves };
    let game = Game::from_opening(&line, Rules::default()).expect("a line");
    let moves = line.moves.iter().map(|text| text.parse().expect("a move")).collect();
    let placement = Placement { moves, pictures: pictures(&game), ..Placement::default() };
    v1::Goal { placement: Arc::new(placement), think: wish % 2 == 1 }
}

fn hear(session: &mut v1::Session, goals: &mut i64) {
    while let Some(bytes) = session.poll_transmit() {
        assert!(!bytes.is_empty() && bytes.len() < 64 && bytes.is_ascii());
    }
    while let Some(event) = session.poll_event() {
        match event {
            v1::SessionEvent::Placed | v1::SessionEvent::Moved(_) | v1::SessionEvent::Failed(_) => {
                *goals -= 1;
                assert!(*goals >= 0, "a goal ends once");
            }
            v1::SessionEvent::Reset | v1::SessionEvent::GiveUp => session.closed("given up"),
            _ => {}
        }
    }
}
