//! What the board says, line by line, and when enough was said.

use super::{PROBE_LETTERS, Phase, Session};
use crate::{link::v1::words::SessionEvent, model::LinkEventKind};
use rookery_protocol::v1::{Order, Reader, Said, SaidIter};
use std::time::Instant;

/// The line that is being read, as far as a `#` in it has to be attributed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum LineSoFar {
    /// Nothing that could be refused.
    #[default]
    Plain,
    /// The last probe's text.
    Probe,
    /// An older probe's.
    OldProbe,
    /// An order, with nothing between it and what follows.
    Order(Order),
    /// Something else.
    Noise,
}

impl Session {
    pub(super) fn read(&mut self, bytes: &[u8]) {
        let mut reader = std::mem::take(&mut self.reader);
        for &byte in bytes {
            if let Some(said) = reader.push(byte) {
                self.hear_line(said);
            }
        }
        // A board that waits leaves its prompt hanging.
        if reader.text().ends_with("enter=") {
            self.flush_from(&mut reader);
        }
        self.reader = reader;
    }

    /// What has come of a line is all there will be.
    pub(super) fn flush(&mut self) {
        let mut reader = std::mem::take(&mut self.reader);
        self.flush_from(&mut reader);
        self.reader = reader;
    }

    fn flush_from(&mut self, reader: &mut Reader) {
        if let Some(said) = reader.flush() {
            self.hear_line(said);
        }
    }

    fn hear_line(&mut self, said: SaidIter<'_>) {
        self.line = LineSoFar::Plain;
        for said in said {
            self.hear(said);
        }
    }

    fn hear(&mut self, said: Said<'_>) {
        self.line = match said {
            Said::Rejected => return self.refused(),
            Said::Noise(text) => self.noise(text),
            // What the board has received; an echo of the line itself looks the same.
            Said::Echo(order) => LineSoFar::Order(order),
            _ => LineSoFar::Plain,
        };
        match &mut self.ordered {
            Some(ordered) => ordered.evidence.hear(said),
            None => self.unasked.hear(said),
        }
        self.prompted |= said == Said::Prompt && self.answered;
        match said {
            Said::Iteration { depth: 1.., .. } if self.thinks_for_goal() => {
                let last = self.ordered.as_ref().and_then(|ordered| ordered.evidence.last);
                self.events.extend(last.map(SessionEvent::Progress));
            }
            // A prompt that nobody has asked for is what a reset looks like.
            Said::Prompt if self.ordered.is_none() => {
                self.perhaps_reset |= matches!(self.phase, Phase::Idle | Phase::ByHand);
            }
            _ => {}
        }
    }

    fn refused(&mut self) {
        let line = std::mem::take(&mut self.line);
        match line {
            LineSoFar::Probe => self.answered = true,
            LineSoFar::OldProbe => {}
            _ => {
                if let Some(ordered) = &mut self.ordered {
                    let exactly = line == LineSoFar::Order(ordered.order);
                    ordered.evidence.refuse(exactly);
                }
            }
        }
    }

    fn noise(&mut self, text: &str) -> LineSoFar {
        let echo = text.strip_suffix('X').unwrap_or(text);
        let known = (!self.nonce.is_empty()).then_some(self.nonce.as_str());
        let Some(before) = known.and_then(|nonce| echo.strip_suffix(nonce)) else {
            if is_probe(echo) {
                return LineSoFar::OldProbe;
            }
            self.emit(LinkEventKind::Malformed, text.to_owned());
            return LineSoFar::Noise;
        };
        // What lay in the board's input stands before it: an order whose end was lost.
        if let Some(ordered) = &mut self.ordered {
            ordered.evidence.stuck |= match ordered.order {
                Order::Think => before == "0",
                Order::Play(_) => !before.is_empty(),
            };
        }
        LineSoFar::Probe
    }

    /// After something was heard.
    pub(super) fn weigh(&mut self, now: Instant) {
        match self.phase {
            Phase::Closed | Phase::Leaving => {}
            Phase::Probing { .. } if self.prompted => self.settled(now),
            Phase::Draining { .. } | Phase::Probing { .. } => {
                // The answer was only slow.
                if self.has_ended() && self.is_clear() {
                    self.unanswered |= matches!(self.phase, Phase::Probing { .. });
                    self.phase = Phase::Ordered;
                    self.conclude(now);
                }
            }
            Phase::Idle => {
                if self.unasked.thought() {
                    self.strayed("it thinks unasked", now);
                }
            }
            Phase::Ordered => {
                self.heard_of_order(now);
                if self.has_ended() {
                    self.conclude(now);
                }
            }
            Phase::ByHand => {
                if self.perhaps_reset {
                    self.try_from_the_start(now);
                }
            }
        }
    }
}

/// The text of a probe, whichever, at the end of a text.
fn is_probe(text: &str) -> bool {
    let letter = |byte: &u8| PROBE_LETTERS.contains(byte);
    matches!(text.as_bytes(), [.., b'?', one, other] if letter(one) && letter(other))
}
