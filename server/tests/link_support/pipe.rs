//! One direction of a channel that does every harm.

use rand::{Rng, RngExt, rngs::StdRng};
use rookery_protocol::{BoardMessage, Direction, HostMessage, Line, WireBuffer};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// How often each kind of harm is done, as a probability per line; `loss` and `flip` per byte.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    pub loss: f64,
    pub run: f64,
    pub duplicate: f64,
    pub swap: f64,
    pub merge: f64,
    pub split: f64,
    pub flip: f64,
    pub echo: f64,
    pub stall: f64,
    pub noise: f64,
    /// Damage that the checksum does not show: a payload that is none, with a right checksum.
    pub forge: f64,
}

impl Faults {
    pub const NONE: Faults = Faults {
        loss: 0.0,
        run: 0.0,
        duplicate: 0.0,
        swap: 0.0,
        merge: 0.0,
        split: 0.0,
        flip: 0.0,
        echo: 0.0,
        stall: 0.0,
        noise: 0.0,
        forge: 0.0,
    };

    /// Everything at once.
    pub fn all(rate: f64) -> Faults {
        Faults {
            loss: rate / 20.0,
            run: rate,
            duplicate: rate,
            swap: rate,
            merge: rate,
            split: rate,
            flip: rate / 20.0,
            echo: rate,
            stall: rate / 2.0,
            noise: rate,
            forge: rate / 4.0,
        }
    }
}

/// Bytes under way.
#[derive(Debug)]
pub struct Pipe {
    latency: Duration,
    queue: VecDeque<(Instant, Vec<u8>)>,
    last: Instant,
    held: Option<Vec<u8>>,
}

impl Pipe {
    pub fn new(latency: Duration, now: Instant) -> Pipe {
        Pipe { latency, queue: VecDeque::new(), last: now, held: None }
    }

    /// A line is sent. What comes back as an echo is returned.
    pub fn send(
        &mut self,
        line: &[u8],
        faults: &Faults,
        now: Instant,
        rng: &mut StdRng,
    ) -> Option<Vec<u8>> {
        if *faults == Faults::NONE {
            self.push(line.to_vec(), now, Duration::ZERO);
            return None;
        }
        let mut bytes = line.to_vec();
        if rng.random_bool(faults.forge)
            && let Some(forged) = forged(line, rng)
        {
            bytes = forged;
        }
        bytes.retain(|_| !rng.random_bool(faults.loss));
        for byte in &mut bytes {
            if rng.random_bool(faults.flip) {
                *byte ^= 1 << rng.random_range(0..8);
            }
        }
        if rng.random_bool(faults.run) && !bytes.is_empty() {
            let from = rng.random_range(0..bytes.len());
            let to = (from + rng.random_range(1..50)).min(bytes.len());
            bytes.drain(from..to);
        }
        if rng.random_bool(faults.merge) {
            bytes.retain(|b| *b != b'\n');
        }
        if rng.random_bool(faults.swap) && bytes.len() > 1 {
            let at = rng.random_range(1..bytes.len());
            bytes.swap(at - 1, at);
        }
        if rng.random_bool(faults.noise) {
            let mut noise = vec![0; rng.random_range(1..120)];
            rng.fill_bytes(&mut noise);
            bytes.splice(0..0, noise);
        }
        let stall = match rng.random_bool(faults.stall) {
            true => Duration::from_millis(rng.random_range(20..4000)),
            false => Duration::ZERO,
        };
        let copies = if rng.random_bool(faults.duplicate) { rng.random_range(2..4) } else { 1 };
        // Whole lines change places: this one waits for the next.
        if rng.random_bool(faults.swap) && self.held.is_none() {
            self.held = Some(bytes.clone());
        } else {
            for _ in 0..copies {
                self.place(&bytes, faults, stall, now, rng);
            }
            if let Some(held) = self.held.take() {
                self.place(&held, faults, Duration::ZERO, now, rng);
            }
        }
        rng.random_bool(faults.echo).then_some(bytes)
    }

    fn place(
        &mut self,
        bytes: &[u8],
        faults: &Faults,
        stall: Duration,
        now: Instant,
        rng: &mut StdRng,
    ) {
        if bytes.len() > 2 && rng.random_bool(faults.split) {
            let (first, second) = bytes.split_at(rng.random_range(1..bytes.len()));
            self.push(first.to_vec(), now, stall);
            // A stray line end, or a pause that may be longer than a partial line lives.
            if rng.random_bool(0.5) {
                self.push(b"\n".to_vec(), now, Duration::ZERO);
                self.push(second.to_vec(), now, Duration::ZERO);
            } else {
                let pause = Duration::from_millis(rng.random_range(1..600));
                self.push(second.to_vec(), now, pause);
            }
        } else {
            self.push(bytes.to_vec(), now, stall);
        }
    }

    /// In order, whatever happened to those before.
    pub fn push(&mut self, bytes: Vec<u8>, now: Instant, extra: Duration) {
        self.last = self.last.max(now + self.latency) + extra;
        self.queue.push_back((self.last, bytes));
    }

    /// Nothing holds the bytes up any more.
    pub fn flow(&mut self, now: Instant) {
        if let Some(held) = self.held.take() {
            self.push(held, now, Duration::ZERO);
        }
        let latest = now + self.latency;
        for (at, _) in &mut self.queue {
            *at = (*at).min(latest);
        }
        self.last = self.last.min(latest);
    }

    pub fn next(&self) -> Option<Instant> {
        self.queue.front().map(|(at, _)| *at)
    }

    pub fn take(&mut self, now: Instant) -> Option<Vec<u8>> {
        self.queue.pop_front_if(|(at, _)| *at <= now).map(|(_, bytes)| bytes)
    }

    /// The connection broke: what was under way is gone, or comes with the next one.
    pub fn cut(&mut self, stale: bool, now: Instant) {
        if !stale {
            self.queue.clear();
        }
        self.held = None;
        self.last = now;
    }
}

/// The line with a run of its payload doubled, where that makes it unreadable, and the checksum of what it is now.
fn forged(line: &[u8], rng: &mut StdRng) -> Option<Vec<u8>> {
    let line = Line::parse(line.trim_ascii()).ok()?;
    let from = rng.random_range(0..line.payload.len().max(1));
    let to = rng.random_range(from..=line.payload.len());
    let payload = [&line.payload[..to], &line.payload[from..]].concat();
    let forged = Line { payload: &payload, ..line };
    let readable = match line.direction {
        Direction::Host => HostMessage::parse(&forged).is_ok(),
        Direction::Board => BoardMessage::parse(&forged).is_ok(),
    };
    let mut wire = WireBuffer::new();
    let bytes = forged.encode(&mut wire).ok().filter(|_| !readable)?;
    Some(bytes.to_vec())
}
