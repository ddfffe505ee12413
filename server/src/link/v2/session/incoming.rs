//! What the session does with a line that has come.

use super::{
    CommandId, DOUBLES, Outcome, Outstanding, PING, Phase, REFUSALS, Session, SessionEvent,
    UNREADABLE,
};
use crate::{api::LinkState, model::LinkEventKind};
use rookery_protocol::{
    Ack, Activity, BoardMessage, BoardStatus, Direction, Event, Kind, Line, LineError, Nak,
    NakReason, Seq, SyncReply,
};
use std::{collections::VecDeque, time::Instant};

impl Session {
    pub(super) fn bad_line(&mut self, error: LineError, raw: &[u8]) {
        let kind = match error {
            LineError::BadCrc => LinkEventKind::BadCrc,
            LineError::TooLong => LinkEventKind::TooLong,
            LineError::Malformed(_) => LinkEventKind::Malformed,
        };
        self.emit(kind, raw.escape_ascii().to_string());
    }

    pub(super) fn line(&mut self, line: &Line<'_>, now: Instant) {
        if line.direction == Direction::Host {
            return self.emit(LinkEventKind::Echo, line.payload.to_owned());
        }
        let message = match BoardMessage::parse(line) {
            Ok(message) => message,
            Err(error) => return self.unreadable(line, &error.to_string(), now),
        };
        match (message, &self.phase) {
            (BoardMessage::Sync(reply), Phase::Syncing { nonce, sent_at, .. })
                if line.sid == self.sid && reply.nonce == *nonce =>
            {
                // Each try has its own nonce: Karn has nothing to say.
                self.rtt.measured(now.duration_since(*sent_at));
                self.synced(&reply, now);
            }
            (BoardMessage::Banner(banner), Phase::Ready) if Some(banner.boot) != self.boot => {
                self.drain(now, &format!("banner: {} {}", banner.boot, line.payload));
            }
            (BoardMessage::Sync(_) | BoardMessage::Banner(_), _) => {
                self.emit(LinkEventKind::StaleReply, line.payload.to_owned());
            }
            _ if line.sid != self.sid => {
                self.emit(LinkEventKind::WrongSession, line.payload.to_owned());
            }
            (_, Phase::Ready) => {
                self.last_heard = now;
                self.message(message, line, now);
            }
            _ => self.emit(LinkEventKind::StaleReply, line.payload.to_owned()),
        }
    }

    /// A right checksum around a payload that this version does not have: one in 65,536 of damaged lines, or a board of another
    /// version. The first is cured by asking again; the second, left unanswered, would be asked for ever.
    fn unreadable(&mut self, line: &Line<'_>, error: &str, now: Instant) {
        let text = format!("{}: {error}", line.payload);
        self.emit(LinkEventKind::Malformed, text.clone());
        let ours = matches!(self.phase, Phase::Ready) && line.sid == self.sid;
        if !ours || !matches!(line.kind, Kind::Ack | Kind::Nak) {
            return;
        }
        let ours = |o: &&mut Outstanding| o.seq == line.seq && !o.ask_again;
        let Some(outstanding) = self.outstanding.as_mut().filter(ours) else {
            return;
        };
        outstanding.unreadable += 1;
        if outstanding.unreadable < UNREADABLE {
            outstanding.ask_again = true;
            outstanding.deadline = now + DOUBLES;
        } else {
            self.answered(line.seq, Outcome::Garbled(text), now);
        }
    }

    fn synced(&mut self, reply: &SyncReply, now: Instant) {
        let (known, new_boot) = (self.boot.is_some(), self.boot != Some(reply.boot));
        self.emit(LinkEventKind::Synced, format!("boot {}", reply.boot));
        if new_boot && known {
            self.emit(LinkEventKind::Rebooted, format!("boot {}", reply.boot));
        }
        self.boot = Some(reply.boot);
        self.status = BoardStatus { hash: reply.hash, activity: reply.activity };
        self.phase = Phase::Ready;
        self.misses = 0;
        self.last_heard = now;
        self.events.push_back(SessionEvent::State(LinkState::Ready));
        self.events.push_back(SessionEvent::Ready { new_boot });
        if new_boot {
            // An event from before is of a think that nobody here asked for, even if it has the tag of one.
            self.last_event = Some(reply.event_seq);
            self.last_telemetry = None;
            self.forget(known);
        }
        let resumable = |seq: Seq| seq == reply.command_seq || seq == reply.command_seq.next();
        match &mut self.outstanding {
            Some(outstanding) if resumable(outstanding.seq) => {
                outstanding.sent_at = now;
                self.resend(now);
            }
            Some(outstanding) => {
                let id = outstanding.id;
                self.outstanding = None;
                self.next_seq = reply.command_seq.next();
                self.reply(id, Outcome::Unknown);
            }
            None => self.next_seq = reply.command_seq.next(),
        }
        self.send_next(now);
    }

    /// The board was reset. What is outstanding may have been executed before, and what waits was meant for a board in another state.
    fn forget(&mut self, known: bool) {
        let outstanding = self.outstanding.take().map(|o| o.id);
        let waiting = if known { std::mem::take(&mut self.waiting) } else { VecDeque::new() };
        for id in outstanding.into_iter().chain(waiting.into_iter().map(|(id, _)| id)) {
            self.reply(id, Outcome::Unknown);
        }
    }

    fn message(&mut self, message: BoardMessage<'_>, line: &Line<'_>, now: Instant) {
        match message {
            BoardMessage::Ack(ack) => {
                let outcome = match ack {
                    Ack::Status(status) => Outcome::Done(status),
                    Ack::Identify(_) => Outcome::Page(line.payload.to_owned()),
                };
                self.answered(line.seq, outcome, now);
            }
            BoardMessage::Nak(nak) if nak.reason.consumes_seq() => {
                self.answered(line.seq, Outcome::Refused(nak), now);
            }
            BoardMessage::Nak(nak) => self.refused_line(nak, line, now),
            BoardMessage::Event(event) => {
                self.send(Kind::EventAck, line.seq, "");
                if self.last_event.is_some_and(|last| !is_after(line.seq, last)) {
                    return self.emit(LinkEventKind::DuplicateEvent, line.payload.to_owned());
                }
                self.last_event = Some(line.seq);
                if let Some(outstanding) = &mut self.outstanding {
                    outstanding.overtaken = true;
                }
                let Event::BestMove(best) = event;
                self.status = BoardStatus { hash: best.hash, activity: Activity::Idle };
                self.events.push_back(SessionEvent::Event(event));
            }
            BoardMessage::Telemetry(telemetry) => {
                let last = self.last_telemetry;
                if last.is_some_and(|last| !is_after(line.seq, last)) {
                    return self.emit(LinkEventKind::StaleReply, line.payload.to_owned());
                }
                if last.is_some_and(|last| last.next() != line.seq) {
                    self.emit(LinkEventKind::TelemetryGap, line.payload.to_owned());
                }
                self.last_telemetry = Some(line.seq);
                self.events.push_back(SessionEvent::Telemetry(telemetry));
            }
            BoardMessage::Banner(_) | BoardMessage::Sync(_) => {}
        }
    }

    /// The board did not take a line: it came damaged, or its number is not the one that the board expects.
    fn refused_line(&mut self, nak: Nak, line: &Line<'_>, now: Instant) {
        let kind = match nak.reason {
            NakReason::Crc => LinkEventKind::NakCrc,
            _ => LinkEventKind::NakSeq,
        };
        self.emit(kind, line.payload.to_owned());
        match &mut self.outstanding {
            // Sent again at once instead of after the time-out.
            Some(outstanding) if outstanding.seq == nak.expected => {
                let storm = outstanding.refused_at.is_some_and(|at| now < at + REFUSALS);
                if !storm {
                    outstanding.refused_at = Some(now);
                    self.resend(now);
                }
            }
            Some(_) if nak.reason == NakReason::Seq => {
                self.drain(now, "the board expects another number");
            }
            // The board has executed it already: the damaged line was another.
            _ => {}
        }
    }

    fn answered(&mut self, seq: Seq, outcome: Outcome, now: Instant) {
        let Some(outstanding) = self.outstanding.take_if(|o| o.seq == seq) else {
            return self.emit(LinkEventKind::StaleReply, format!("{outcome:?}"));
        };
        if outstanding.sent_once {
            self.rtt.measured(now.duration_since(outstanding.sent_at));
        }
        self.misses = 0;
        // The reply to a command that was sent again is the one from when it was executed.
        let old = outstanding.overtaken && !outstanding.sent_once;
        if let Outcome::Done(status) = outcome
            && !old
        {
            self.status = status;
        }
        self.reply(outstanding.id, outcome);
        self.send_next(now);
    }

    fn reply(&mut self, id: CommandId, outcome: Outcome) {
        if id != PING {
            self.events.push_back(SessionEvent::Reply(id, outcome));
        }
    }
}

/// Whether a number comes after another, where they wrap.
fn is_after(seq: Seq, last: Seq) -> bool {
    (1..128).contains(&seq.0.wrapping_sub(last.0))
}
