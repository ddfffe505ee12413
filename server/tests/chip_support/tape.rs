//! What the chip was told and what it said, as it stood at the chip's end of the link: behind the losses on the way to it, before those on the
//! way back.

use rookery_protocol::{
    Ack, BestMove, BoardMessage, Decoded, Decoder, Event, Iteration, Kind, Seq, Telemetry,
};

/// Something that happened to the chip's game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    /// A command was executed; its payload.
    Told(String),
    Iteration(Iteration),
    Best(BestMove),
    /// A reset, and its cause.
    Reset(String),
}

/// Both directions, decoded.
#[derive(Default)]
pub(crate) struct Tape {
    pub(crate) items: Vec<Item>,
    to_chip: Decoder,
    from_chip: Decoder,
    /// The command that arrived last.
    arrived: Option<(Seq, String)>,
    executed: Option<Seq>,
    event: Option<Seq>,
}

impl Tape {
    /// Bytes that arrive at the chip.
    pub(crate) fn arrives(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if let Decoded::Line(line) = self.to_chip.push(byte)
                && line.kind == Kind::Command
            {
                self.arrived = Some((line.seq, line.payload.to_owned()));
            }
        }
    }

    /// Bytes that leave the chip.
    pub(crate) fn leaves(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            let Decoded::Line(line) = self.from_chip.push(byte) else { continue };
            let seq = line.seq;
            match BoardMessage::parse(&line).expect("a board says what it may say") {
                BoardMessage::Ack(Ack::Status(_)) => self.acknowledged(seq),
                BoardMessage::Event(Event::BestMove(best)) => {
                    // Repeated until it is acknowledged.
                    if self.event.replace(seq) != Some(seq) {
                        self.items.push(Item::Best(best));
                    }
                }
                BoardMessage::Telemetry(Telemetry::Iteration(it)) => {
                    self.items.push(Item::Iteration(it));
                }
                BoardMessage::Banner(banner) => {
                    (self.executed, self.event) = (None, None);
                    self.items.push(Item::Reset(banner.cause.to_string()));
                }
                BoardMessage::Ack(Ack::Identify(_))
                | BoardMessage::Nak(_)
                | BoardMessage::Sync(_) => {}
            }
        }
    }

    /// An acknowledgement that comes again says nothing new.
    fn acknowledged(&mut self, seq: Seq) {
        if self.executed == Some(seq) {
            return;
        }
        self.executed = Some(seq);
        let (arrived, payload) = self.arrived.clone().expect("a command before its answer");
        assert_eq!(arrived, seq, "an answer to another command than the last one: {payload}");
        self.items.push(Item::Told(payload));
    }
}
