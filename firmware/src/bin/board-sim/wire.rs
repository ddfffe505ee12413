//! The link between the board and whoever is at the other end, with its faults and its time.
//!
//! Two queues of bytes that are due at some moment, one a direction, behind one lock: there are a
//! few lines a second, and both directions share the log of faults. The wires that carry no bytes
//! are behind the same lock, as the board waits for both at once.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rookery_board::Port;

use crate::faults::Rates;
use crate::faults::lane::{Direction, Lane, Piece, Strike};
use crate::faults::log::Log;
use crate::faults::stream::Stream;
use crate::lines::Lines;
use crate::rom::Mishap;

/// What a serial adapter would hold for the host.
const OUTPUT_ROOM: usize = 4096;

/// What is delivered to the host.
#[derive(Debug)]
pub(crate) enum Delivery {
    Bytes(Vec<u8>),
    /// The connection is to end.
    Drop,
}

#[derive(Debug)]
struct Queue<T> {
    items: VecDeque<(Instant, T)>,
    /// Nothing that is queued from now on is due before this.
    free_at: Instant,
}

#[derive(Debug)]
struct Inner {
    to_board: Queue<u8>,
    to_host: Queue<Delivery>,
    output: usize,
    silent_until: Instant,
    lanes: [Lane; 2],
    streams: [Stream; 2],
    /// There are no lines on the link: the loader is at the other end.
    binary: bool,
    lines: Lines,
    log: Log,
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Wire {
    inner: Mutex<Inner>,
    for_board: Condvar,
    for_host: Condvar,
}

impl<T> Queue<T> {
    fn new() -> Self {
        Self { items: VecDeque::new(), free_at: Instant::now() }
    }

    fn push(&mut self, item: T) {
        let due = self.free_at.max(Instant::now());
        self.free_at = due;
        self.items.push_back((due, item));
    }

    fn pause(&mut self, millis: u32) {
        self.free_at = self.free_at.max(Instant::now()) + Duration::from_millis(millis.into());
    }

    fn pop(&mut self) -> Option<T> {
        let (due, _) = self.items.front()?;
        if *due > Instant::now() {
            return None;
        }
        self.items.pop_front().map(|(_, item)| item)
    }

    /// How long until something is due.
    fn wait(&self) -> Option<Duration> {
        let (due, _) = self.items.front()?;
        Some(due.saturating_duration_since(Instant::now()))
    }
}

impl Wire {
    pub(crate) fn new(rates: Rates, seed: u64, ends_with_x: bool, lines: Lines, log: Log) -> Self {
        Self {
            inner: Mutex::new(Inner {
                to_board: Queue::new(),
                to_host: Queue::new(),
                output: 0,
                silent_until: Instant::now(),
                lanes: [
                    Lane::new(Direction::ToBoard, rates, seed, ends_with_x),
                    Lane::new(Direction::ToHost, rates, seed, false),
                ],
                streams: [Direction::ToBoard, Direction::ToHost]
                    .map(|direction| Stream::new(direction, rates, seed)),
                binary: false,
                lines,
                log,
            }),
            for_board: Condvar::new(),
            for_host: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing that holds the lock leaves it half done.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes bytes from the host; `true` when they end within a line, so that
    /// [`Wire::host_pauses`] has to be called when nothing follows.
    pub(crate) fn host_says(&self, bytes: &[u8]) -> bool {
        let mut inner = self.lock();
        let (pieces, strikes) = inner.take(Direction::ToBoard, bytes);
        let partial = !inner.binary && inner.lanes[Direction::ToBoard as usize].is_partial();
        self.route(&mut inner, Direction::ToBoard, pieces, &strikes);
        partial
    }

    /// Nothing has followed what the host has said.
    pub(crate) fn host_pauses(&self) {
        let mut inner = self.lock();
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        inner.lanes[Direction::ToBoard as usize].flush(&mut pieces, &mut strikes);
        self.route(&mut inner, Direction::ToBoard, pieces, &strikes);
    }

    fn board_says(&self, bytes: &[u8]) {
        let mut inner = self.lock();
        if inner.silent_until > Instant::now() {
            return;
        }
        let (mut pieces, mut strikes) = inner.take(Direction::ToHost, bytes);
        // What is written together is a line, or in the old dialect a part of one.
        inner.lanes[Direction::ToHost as usize].flush(&mut pieces, &mut strikes);
        self.route(&mut inner, Direction::ToHost, pieces, &strikes);
    }

    fn route(&self, inner: &mut Inner, from: Direction, pieces: Vec<Piece>, strikes: &[Strike]) {
        for strike in strikes {
            inner.log.record(from, strike);
        }
        for piece in pieces {
            match (piece, from) {
                (Piece::Bytes(bytes), Direction::ToBoard) => {
                    bytes.into_iter().for_each(|byte| inner.to_board.push(byte));
                }
                (Piece::Bytes(bytes), Direction::ToHost) | (Piece::Echo(bytes), _) => {
                    inner.deliver(bytes);
                }
                (Piece::Pause(millis), Direction::ToBoard) => inner.to_board.pause(millis),
                (Piece::Pause(millis), Direction::ToHost) => inner.to_host.pause(millis),
                (Piece::Drop, _) => inner.to_host.push(Delivery::Drop),
                (Piece::Silence(millis), _) => {
                    inner.silent_until = Instant::now() + Duration::from_millis(millis.into());
                }
            }
        }
        self.for_board.notify_all();
        self.for_host.notify_all();
    }

    /// Waits for the next thing that the host is to hear.
    pub(crate) fn next_for_host(&self) -> Delivery {
        let mut inner = self.lock();
        loop {
            if let Some(delivery) = inner.to_host.pop() {
                if let Delivery::Bytes(bytes) = &delivery {
                    inner.output -= bytes.len();
                }
                return delivery;
            }
            let wait = inner.to_host.wait().unwrap_or(Duration::from_secs(60));
            inner = self
                .for_host
                .wait_timeout(inner, wait)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(inner, _)| inner);
        }
    }

    /// Waits until the board has something to hear or is reset, at most so long.
    pub(crate) fn wait_for_host(&self, limit: Duration) {
        let inner = self.lock();
        if inner.lines.is_reset() {
            return;
        }
        let wait = inner.to_board.wait().unwrap_or(limit).min(limit);
        if !wait.is_zero() {
            // Whatever has ended it, the board looks again.
            drop(self.for_board.wait_timeout(inner, wait));
        }
    }

    /// The board does not listen yet.
    pub(crate) fn forget_input(&self) {
        self.lock().to_board.items.clear();
    }

    /// Waits until then, or until the chip is reset.
    pub(crate) fn wait_until(&self, until: Instant) {
        let mut inner = self.lock();
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            if wait.is_zero() || inner.lines.is_reset() {
                return;
            }
            inner = self
                .for_board
                .wait_timeout(inner, wait)
                .map_or_else(|poisoned| poisoned.into_inner().0, |(inner, _)| inner);
        }
    }

    /// Waits until the chip is reset, at most so long. Whatever it hears meanwhile is lost.
    pub(crate) fn wait_for_reset(&self, limit: Duration) {
        self.wait_for_host(limit);
        self.forget_input();
    }

    /// Whether there are lines on the link or bytes for the loader.
    pub(crate) fn set_binary(&self, binary: bool) {
        let mut inner = self.lock();
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        inner.lanes[Direction::ToBoard as usize].flush(&mut pieces, &mut strikes);
        inner.binary = binary;
        self.route(&mut inner, Direction::ToBoard, pieces, &strikes);
    }

    /// Looks at the wires without bytes, or changes them; the board notices.
    pub(crate) fn lines<T>(&self, with: impl FnOnce(&mut Lines) -> T) -> T {
        let done = with(&mut self.lock().lines);
        self.for_board.notify_all();
        done
    }

    /// A fault that is not one of the lines.
    pub(crate) fn record(&self, strike: &Strike) {
        self.lock().log.record(Direction::ToBoard, strike);
    }

    /// Something has gone wrong in the loader itself.
    pub(crate) fn record_mishap(&self, mishap: Mishap) {
        self.lock().log.record_mishap(mishap);
    }

    /// Writes the totals.
    pub(crate) fn finish(&self) {
        self.lock().log.finish();
    }
}

impl Inner {
    /// What is left of bytes, and what has struck them.
    fn take(&mut self, direction: Direction, bytes: &[u8]) -> (Vec<Piece>, Vec<Strike>) {
        let (mut pieces, mut strikes) = (Vec::new(), Vec::new());
        let (lane, stream) =
            (&mut self.lanes[direction as usize], &mut self.streams[direction as usize]);
        for &byte in bytes {
            match self.binary {
                true => stream.push(byte, &mut pieces, &mut strikes),
                false => lane.push(byte, &mut pieces, &mut strikes),
            }
        }
        (pieces, strikes)
    }

    fn deliver(&mut self, bytes: Vec<u8>) {
        // During a silence nothing arrives, an echo neither.
        let silent = self.silent_until > Instant::now();
        if silent || bytes.is_empty() || self.output + bytes.len() > OUTPUT_ROOM {
            return;
        }
        self.output += bytes.len();
        self.to_host.push(Delivery::Bytes(bytes));
    }
}

/// The board's end.
impl Port for &Wire {
    fn read(&mut self) -> Option<u8> {
        self.lock().to_board.pop()
    }

    fn room(&self) -> usize {
        OUTPUT_ROOM - self.lock().output
    }

    fn write(&mut self, line: &[u8]) {
        self.board_says(line);
    }
}
