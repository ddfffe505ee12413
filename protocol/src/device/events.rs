//! Events that wait until the host has acknowledged them, one after the other.

use crate::event::Event;
use crate::id::Seq;

/// When an event is sent again for the first time, in milliseconds.
const FIRST_REPEAT: u16 = 400;

/// The longest time between two repeats.
const LAST_REPEAT: u16 = 3200;

/// No room for another event before one is acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueFull;

/// One event on the wire and one behind it: the host that lost the acknowledgement of its last
/// best move may already have asked for the next.
#[derive(Debug)]
pub(super) struct Events {
    front: Option<Event>,
    behind: Option<Event>,
    front_seq: Seq,
    /// Time from the last sending to the next; 0 where the front was never sent.
    interval: u16,
    sent_at: u32,
}

impl Events {
    pub(super) const fn new() -> Self {
        Self { front: None, behind: None, front_seq: Seq(0), interval: 0, sent_at: 0 }
    }

    /// The number of the last event that was made.
    pub(super) fn last_seq(&self) -> Seq {
        match self.behind {
            Some(_) => self.front_seq.next(),
            None => self.front_seq,
        }
    }

    pub(super) fn has_room(&self) -> bool {
        self.behind.is_none()
    }

    pub(super) fn push(&mut self, event: Event) -> Result<(), QueueFull> {
        if self.behind.is_some() {
            return Err(QueueFull);
        }
        if self.front.is_some() {
            self.behind = Some(event);
        } else {
            self.front = Some(event);
            self.front_seq = self.front_seq.next();
            self.interval = 0;
        }
        Ok(())
    }

    /// Whether this was the event that waits.
    pub(super) fn acknowledge(&mut self, seq: Seq) -> bool {
        if self.front.is_none() || seq != self.front_seq {
            return false;
        }
        self.front = self.behind.take();
        self.interval = 0;
        if self.front.is_some() {
            self.front_seq = self.front_seq.next();
        }
        true
    }

    /// A new session: what waits is sent at once.
    pub(super) fn restart(&mut self) {
        self.interval = 0;
    }

    /// How long until something is to be sent.
    pub(super) fn wait(&self, now: u32) -> Option<u32> {
        self.front.as_ref()?;
        let elapsed = now.wrapping_sub(self.sent_at);
        Some(u32::from(self.interval).saturating_sub(elapsed))
    }

    /// The event that is to be sent now, if it is time, and whether it is a repeat.
    pub(super) fn due(&mut self, now: u32) -> Option<(&Event, Seq, bool)> {
        if self.wait(now)? > 0 {
            return None;
        }
        let repeat = self.interval > 0;
        self.interval = match self.interval {
            0 => FIRST_REPEAT,
            interval => (interval * 2).min(LAST_REPEAT),
        };
        self.sent_at = now;
        self.front.as_ref().map(|event| (event, self.front_seq, repeat))
    }
}
