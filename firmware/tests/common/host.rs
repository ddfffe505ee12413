//! A host, in as few words as the protocol allows: window of one, retries, sync, acknowledgements.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rookery_protocol::{
    Ack, BestMove, BoardMessage, BoardStatus, BootId, Command, Decoded, Decoder, Direction, Event,
    Iteration, Kind, Line, Nak, Nonce, PayloadBuffer, Seq, Sid, SyncReply, Telemetry, WireBuffer,
    fen_chunks,
};

/// How long an answer may take, on a machine that has much else to do.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a host waits that expects losses.
const HASTE: Duration = Duration::from_millis(150);

/// The board was reset; what was outstanding is unknown.
#[derive(Debug, PartialEq, Eq)]
pub struct Rebooted;

/// An answer to a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Status(BoardStatus),
    Page(Vec<(String, String)>, u8),
    Refused(Nak),
}

/// Something that a board has said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Heard {
    Answer(Sid, Seq, Answer),
    Event(Sid, Seq, BestMove),
    Sync(Sid, SyncReply),
    Banner(BootId),
    Telemetry(Iteration),
}

/// Connects to a board that may not listen yet, or not listen again.
pub fn connect(place: &str) -> TcpStream {
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        match TcpStream::connect(place) {
            Ok(stream) => return stream,
            Err(error) => assert!(Instant::now() < until, "{place}: {error}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub struct Host {
    place: String,
    patience: Duration,
    stream: Option<TcpStream>,
    decoder: Decoder,
    heard: VecDeque<Heard>,
    pub sid: Sid,
    pub seq: Seq,
    pub boot: Option<BootId>,
    nonce: u32,
    last_event: Option<Seq>,
    pub events: VecDeque<BestMove>,
    pub telemetry: Vec<Iteration>,
    pub banners: Vec<BootId>,
    /// How often something had to be sent again, and how often the session was made anew.
    pub retries: u32,
    pub syncs: u32,
    pub bad_lines: u32,
}

impl Host {
    /// Connects and makes a session.
    pub fn connect(place: &str) -> Self {
        Self::with(place, PATIENCE)
    }

    /// The same over a link that loses lines.
    pub fn in_haste(place: &str) -> Self {
        Self::with(place, HASTE)
    }

    fn with(place: &str, patience: Duration) -> Self {
        let mut host = Self {
            place: place.to_owned(),
            patience,
            stream: None,
            decoder: Decoder::new(),
            heard: VecDeque::new(),
            sid: Sid(0),
            seq: Seq(0),
            boot: None,
            nonce: 0x5eed_0000,
            last_event: None,
            events: VecDeque::new(),
            telemetry: Vec::new(),
            banners: Vec::new(),
            retries: 0,
            syncs: 0,
            bad_lines: 0,
        };
        let _ = host.sync();
        host
    }

    /// Ends the connection.
    pub fn hang_up(&mut self) {
        self.stream = None;
    }

    /// Sends bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        if self.stream.is_none() {
            let stream = connect(&self.place);
            stream.set_nodelay(true).expect("a socket");
            stream.set_read_timeout(Some(Duration::from_millis(2))).expect("a socket");
            self.decoder = Decoder::new();
            self.stream = Some(stream);
        }
        let failed = self.stream.as_mut().is_some_and(|stream| stream.write_all(bytes).is_err());
        if failed {
            self.stream = None;
        }
    }

    fn send(&mut self, kind: Kind, seq: Seq, payload: &str) {
        let line = Line { direction: Direction::Host, kind, sid: self.sid, seq, payload };
        let mut wire = WireBuffer::new();
        let bytes = line.encode(&mut wire).expect("can be sent").to_vec();
        self.raw(&bytes);
    }

    /// The next thing heard before `until`.
    fn next(&mut self, until: Instant) -> Option<Heard> {
        loop {
            if let Some(heard) = self.heard.pop_front() {
                return Some(heard);
            }
            if Instant::now() >= until {
                return None;
            }
            let mut buffer = [0; 512];
            let Some(stream) = &mut self.stream else {
                std::thread::sleep(Duration::from_millis(2));
                continue;
            };
            match stream.read(&mut buffer) {
                Ok(0) => self.stream = None,
                Ok(length) => self.decode(&buffer[..length]),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {}
                    _ => self.stream = None,
                },
            }
        }
    }

    fn decode(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let line = match self.decoder.push(byte) {
                Decoded::Line(line) if line.direction == Direction::Board => line,
                Decoded::Bad(..) => {
                    self.bad_lines += 1;
                    continue;
                }
                _ => continue,
            };
            let (sid, seq) = (line.sid, line.seq);
            let message = BoardMessage::parse(&line).expect("a board says what it may say");
            self.heard.push_back(match message {
                BoardMessage::Ack(Ack::Status(status)) => {
                    Heard::Answer(sid, seq, Answer::Status(status))
                }
                BoardMessage::Ack(Ack::Identify(page)) => {
                    let pairs = page.pairs().map(|(key, value)| (key.to_owned(), value.to_owned()));
                    Heard::Answer(sid, seq, Answer::Page(pairs.collect(), page.pages))
                }
                BoardMessage::Nak(nak) => Heard::Answer(sid, seq, Answer::Refused(nak)),
                BoardMessage::Event(Event::BestMove(best)) => Heard::Event(sid, seq, best),
                BoardMessage::Telemetry(Telemetry::Iteration(iteration)) => {
                    Heard::Telemetry(iteration)
                }
                BoardMessage::Banner(banner) => Heard::Banner(banner.boot),
                BoardMessage::Sync(reply) => Heard::Sync(sid, reply),
            });
        }
    }

    /// Makes a new session; tells when the board was reset since the last.
    pub fn sync(&mut self) -> Result<SyncReply, Rebooted> {
        self.syncs += 1;
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            assert!(Instant::now() < until, "no answer to a sync for 20 s");
            self.sid = self.sid.next();
            self.nonce += 1;
            let nonce = Nonce(self.nonce);
            let mut payload = PayloadBuffer::new();
            nonce.write_sync(&mut payload).expect("fits");
            self.send(Kind::Sync, self.seq, payload.as_str());
            let patience = Instant::now() + self.patience;
            while let Some(heard) = self.next(patience) {
                match heard {
                    Heard::Sync(sid, reply) if sid == self.sid && reply.nonce == nonce => {
                        let known = self.boot.replace(reply.boot);
                        if known.is_some_and(|boot| boot != reply.boot) {
                            self.seq = reply.command_seq;
                            self.last_event = None;
                            return Err(Rebooted);
                        }
                        if known.is_none() {
                            self.seq = reply.command_seq;
                        }
                        return Ok(reply);
                    }
                    Heard::Banner(boot) => self.banners.push(boot),
                    _ => {}
                }
            }
        }
    }

    /// Deals with everything that is not an answer.
    fn aside(&mut self, heard: Heard) {
        match heard {
            Heard::Event(sid, seq, best) if sid == self.sid => {
                self.send(Kind::EventAck, seq, "");
                if self.last_event != Some(seq) {
                    self.last_event = Some(seq);
                    self.events.push_back(best);
                }
            }
            Heard::Banner(boot) => self.banners.push(boot),
            Heard::Telemetry(iteration) => self.telemetry.push(iteration),
            _ => {}
        }
    }

    /// Executes a command once, whatever the link does.
    pub fn command(&mut self, command: &Command<'_>) -> Result<Answer, Rebooted> {
        let mut payload = PayloadBuffer::new();
        command.write(&mut payload).expect("fits");
        let seq = self.seq.next();
        for attempt in 0.. {
            if attempt > 0 {
                self.retries += 1;
            }
            if attempt % 3 == 2 || self.stream.is_none() {
                self.sync()?;
            }
            self.send(Kind::Command, seq, payload.as_str());
            let until = Instant::now() + self.patience;
            while let Some(heard) = self.next(until) {
                match heard {
                    Heard::Answer(sid, answered, answer) if sid == self.sid && answered == seq => {
                        let taken = match &answer {
                            Answer::Refused(nak) => nak.consumes_seq(),
                            _ => true,
                        };
                        if taken {
                            self.seq = seq;
                            return Ok(answer);
                        }
                        break;
                    }
                    other => self.aside(other),
                }
            }
        }
        unreachable!("it is tried for ever")
    }

    /// Executes a command that must be acknowledged.
    pub fn status(&mut self, command: &Command<'_>) -> Result<BoardStatus, Rebooted> {
        match self.command(command)? {
            Answer::Status(status) => Ok(status),
            other => panic!("{command:?}: {other:?}"),
        }
    }

    /// Pushes a position.
    pub fn position(&mut self, fen: &str) -> Result<BoardStatus, Rebooted> {
        let mut status = None;
        for command in fen_chunks(fen) {
            status = Some(self.status(&command)?);
        }
        Ok(status.expect("at least one chunk"))
    }

    /// Everything the board says of itself.
    pub fn identify(&mut self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for page in 0.. {
            match self.command(&Command::Identify { page }) {
                Ok(Answer::Page(pairs, pages)) => {
                    all.extend(pairs);
                    if page + 1 == pages {
                        break;
                    }
                }
                other => panic!("page {page}: {other:?}"),
            }
        }
        all
    }

    /// Waits for the event of a think, with a ping now and then.
    pub fn event(&mut self) -> Result<BestMove, Rebooted> {
        loop {
            if let Some(best) = self.events.pop_front() {
                return Ok(best);
            }
            let until = Instant::now() + Duration::from_millis(300);
            while self.events.is_empty()
                && let Some(heard) = self.next(until)
            {
                self.aside(heard);
            }
            if self.events.is_empty() {
                self.status(&Command::Ping)?;
            }
        }
    }

    /// Listens until a banner comes.
    pub fn banner(&mut self) -> BootId {
        let until = Instant::now() + Duration::from_secs(30);
        while self.banners.is_empty() {
            let heard = self.next(until).expect("a banner within 30 s");
            self.aside(heard);
        }
        self.banners.remove(0)
    }
}
