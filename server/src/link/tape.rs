//! The raw traffic of a link: the last lines are kept for reports, and whoever watches gets what comes.

use super::meaning::meaning;
use crate::{
    api::{RawLineView, RawWay},
    model::unix_millis,
};
use std::{
    collections::VecDeque,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::broadcast;

/// Lines kept.
const KEPT: usize = 1024;
/// Lines that a watcher may be behind before it loses some.
const BEHIND: usize = 1024;
/// Noise without a line end is cut here.
const LONGEST: usize = 256;

/// Which way bytes went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// From the board.
    In,
    /// To the board.
    Out,
}

/// A line as it was on the wire, without its line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawLine {
    /// Unix milliseconds when it was complete.
    pub at: i64,
    /// Which way.
    pub way: Way,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// `1700000000000 < text`, bytes that are no printable ASCII escaped.
impl fmt::Display for RawLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = match self.way {
            Way::In => '<',
            Way::Out => '>',
        };
        write!(f, "{} {way} {}", self.at, self.bytes.escape_ascii())
    }
}

impl From<&RawLine> for RawLineView {
    fn from(line: &RawLine) -> RawLineView {
        RawLineView {
            at: line.at,
            way: match line.way {
                Way::In => RawWay::In,
                Way::Out => RawWay::Out,
            },
            text: line.bytes.escape_ascii().to_string(),
            hex: line.bytes.iter().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}")),
            meaning: meaning(line.way, &line.bytes),
        }
    }
}

/// The tape of one link, shared.
#[derive(Clone, Debug)]
pub struct Tape {
    lines: Arc<Mutex<VecDeque<RawLine>>>,
    watchers: broadcast::Sender<RawLine>,
}

impl Default for Tape {
    fn default() -> Tape {
        Tape { lines: Arc::default(), watchers: broadcast::Sender::new(BEHIND) }
    }
}

impl Tape {
    /// Keeps a line.
    pub fn record(&self, way: Way, bytes: &[u8]) {
        let line = RawLine { at: unix_millis(), way, bytes: bytes.to_vec() };
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= KEPT {
            lines.pop_front();
        }
        lines.push_back(line.clone());
        // Under the lock, so that whoever begins to watch gets each line once. Nobody watching is no error.
        let _ = self.watchers.send(line);
    }

    /// The last lines, oldest first.
    #[must_use]
    pub fn last(&self, count: usize) -> Vec<RawLine> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.iter().skip(lines.len().saturating_sub(count)).cloned().collect()
    }

    /// The lines kept, and everything after them.
    #[must_use]
    pub fn watch(&self) -> (Vec<RawLine>, broadcast::Receiver<RawLine>) {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        (lines.iter().cloned().collect(), self.watchers.subscribe())
    }
}

/// Bytes that come in pieces, to lines on a tape.
#[derive(Debug, Default)]
pub struct LineCutter {
    partial: Vec<u8>,
}

impl LineCutter {
    /// Takes bytes; whole lines, and noise that is too long for one, go to the tape.
    pub fn push(&mut self, tape: &Tape, way: Way, bytes: &[u8]) {
        for &byte in bytes {
            match byte {
                b'\n' => self.flush(tape, way),
                _ => self.partial.push(byte),
            }
            if self.partial.len() >= LONGEST {
                self.flush(tape, way);
            }
        }
    }

    /// What has come of a line goes to the tape.
    pub fn flush(&mut self, tape: &Tape, way: Way) {
        if !self.partial.is_empty() {
            tape.record(way, &self.partial);
            self.partial.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_last_and_tells_watchers_once() {
        let (tape, mut cutter) = (Tape::default(), LineCutter::default());
        cutter.push(&tape, Way::In, b"one\n\ntw");
        let (kept, mut news) = tape.watch();
        cutter.push(&tape, Way::In, b"o\n");
        assert_eq!(kept.len(), 1);
        assert_eq!(news.try_recv().unwrap().bytes, b"two");
        for n in 0..2 * KEPT {
            tape.record(Way::Out, n.to_string().as_bytes());
        }
        let last = tape.last(usize::MAX);
        assert_eq!((last.len(), last[0].bytes.as_slice()), (KEPT, KEPT.to_string().as_bytes()));
        assert_eq!(tape.last(2).len(), 2);
    }

    #[test]
    fn noise_is_cut_and_shown() {
        let (tape, mut cutter) = (Tape::default(), LineCutter::default());
        cutter.push(&tape, Way::In, &[0xff; LONGEST + 1]);
        cutter.flush(&tape, Way::In);
        let last = tape.last(9);
        assert_eq!(last.iter().map(|l| l.bytes.len()).collect::<Vec<_>>(), [LONGEST, 1]);
        assert!(last[1].to_string().ends_with(r"< \xff"));
    }
}
