//! The client's side of RFC 2217 without any I/O: bytes from the socket become bytes of the port and answers; what is asked of the port
//! becomes bytes for the socket.

use super::line::{ModemLine, Parity, SerialFormat};
use ::rfc2217::{
    Client, ComPortState, DataBits, Event, FlowControl, NotReady, Parity as TheirParity,
    PortSettings, Purge, StopBits,
};

/// `IAC DONT COM-PORT-OPTION`: what a bridge says that knows nothing of it. Before it stands twice `IAC SE`, which ends whatever the
/// bridge has begun and not finished, and is nothing where it has not.
const REFUSAL: [u8; 7] = [255, 240, 255, 240, 255, 254, 44];

/// A Telnet connection to a serial port.
#[derive(Debug)]
pub struct Telnet {
    client: Client,
    answered: Answered,
}

/// Which requests have been answered since they were made.
#[derive(Clone, Copy, Debug, Default)]
struct Answered {
    dtr: bool,
    rts: bool,
    receive_purged: bool,
    transmit_purged: bool,
}

/// How far the settings are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Settled {
    /// As they were asked for.
    Yes,
    /// Not as they were asked for, and waiting does not help: why.
    No(String),
    /// Not answered yet: what.
    NotYet(String),
}

impl Telnet {
    /// A connection that has just been made; its first words are in [`Telnet::take_output`].
    #[must_use]
    pub fn new(format: SerialFormat) -> Telnet {
        Telnet { client: Client::new(settings(format)), answered: Answered::default() }
    }

    /// Takes bytes from the socket; what the port has received is added to `payload`.
    pub fn received(&mut self, bytes: &[u8], payload: &mut Vec<u8>) {
        payload.extend_from_slice(&self.client.receive(bytes));
        while let Some(event) = self.client.poll_event() {
            match event {
                Event::Dtr(_) => self.answered.dtr = true,
                Event::Rts(_) => self.answered.rts = true,
                // sredird's answer to both.
                Event::FlowControl(_) => (self.answered.dtr, self.answered.rts) = (true, true),
                Event::Purged(Purge::Receive) => self.answered.receive_purged = true,
                Event::Purged(Purge::Transmit) => self.answered.transmit_purged = true,
                _ => {}
            }
        }
    }

    /// What is to be sent.
    #[must_use]
    pub fn take_output(&mut self) -> Vec<u8> {
        self.client.take_output()
    }

    /// Sends bytes to the port.
    pub fn write(&mut self, bytes: &[u8]) {
        self.client.write_data(bytes);
    }

    /// Asks for other settings.
    pub fn set_format(&mut self, format: SerialFormat) {
        self.client.set_port_settings(settings(format));
    }

    /// Asks for a level of a modem line.
    pub fn set_line(&mut self, line: ModemLine, asserted: bool) {
        match line {
            ModemLine::Dtr => {
                self.answered.dtr = false;
                self.client.set_dtr(asserted);
            }
            ModemLine::Rts => {
                self.answered.rts = false;
                self.client.set_rts(asserted);
            }
        }
    }

    /// Whether the last [`Telnet::set_line`] was answered.
    #[must_use]
    pub fn line_is_set(&self, line: ModemLine) -> bool {
        match line {
            ModemLine::Dtr => self.answered.dtr,
            ModemLine::Rts => self.answered.rts,
        }
    }

    /// Asks the bridge to throw away what it holds, of each direction by itself: esp-link does not know the request for both.
    pub fn purge(&mut self) {
        (self.answered.receive_purged, self.answered.transmit_purged) = (false, false);
        self.client.purge(Purge::Receive);
        self.client.purge(Purge::Transmit);
    }

    /// Whether the last [`Telnet::purge`] was answered.
    #[must_use]
    pub fn is_purged(&self) -> bool {
        self.answered.receive_purged && self.answered.transmit_purged
    }

    /// How far the settings are.
    #[must_use]
    pub fn settled(&self) -> Settled {
        match self.client.readiness() {
            Ok(()) => Settled::Yes,
            Err(why @ (NotReady::Refused | NotReady::Mismatched(_))) => {
                Settled::No(why.to_string())
            }
            Err(why) => Settled::NotYet(why.to_string()),
        }
    }

    /// Whether the bridge does what RFC 2217 is about.
    #[must_use]
    pub fn has_port(&self) -> bool {
        self.client.com_port_state() == ComPortState::Active
    }

    /// Waits for an answer to the first offer no longer: bytes were held until now, and flow from here on.
    pub fn give_up_waiting(&mut self) {
        if self.client.com_port_state() == ComPortState::Negotiating {
            let mut nothing = Vec::new();
            self.received(&REFUSAL, &mut nothing);
        }
    }
}

fn settings(format: SerialFormat) -> PortSettings {
    PortSettings {
        baud_rate: format.baud,
        data_bits: match format.data_bits {
            7 => DataBits::Seven,
            _ => DataBits::Eight,
        },
        parity: match format.parity {
            Parity::None => TheirParity::None,
            Parity::Even => TheirParity::Even,
            Parity::Odd => TheirParity::Odd,
        },
        stop_bits: match format.stop_bits {
            2 => StopBits::Two,
            _ => StopBits::One,
        },
        flow_control: FlowControl::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const IAC: u8 = 255;

    #[test]
    fn silence_is_a_refusal_in_the_end_and_holds_nothing_back() {
        let mut telnet = Telnet::new(SerialFormat::BOARD);
        telnet.write(&[b'a', IAC, b'b']);
        let offer = telnet.take_output();
        assert_eq!(offer.len(), 18, "the offer, and no bytes of the port");
        assert!(matches!(telnet.settled(), Settled::NotYet(_)));
        telnet.give_up_waiting();
        assert!(matches!(telnet.settled(), Settled::No(_)));
        let out = telnet.take_output();
        assert!(out.ends_with(&[b'a', IAC, IAC, b'b']), "{out:?}");
        let mut payload = Vec::new();
        telnet.received(&[b'x', IAC, IAC, b'y'], &mut payload);
        assert_eq!(payload, [b'x', IAC, b'y']);
        // A bridge that was only slow is asked after all.
        telnet.received(&[IAC, 253, 44], &mut payload);
        assert!(telnet.has_port());
    }

    /// A raw port passes on whatever the board says, and noise may look like the beginning of something.
    #[test]
    fn what_was_begun_and_not_finished_holds_nothing_back() {
        for begun in
            [&[IAC][..], &[IAC, 253], &[IAC, 250], &[IAC, 250, 44, 101], &[IAC, 250, 44, IAC]]
        {
            let mut telnet = Telnet::new(SerialFormat::BOARD);
            telnet.received(begun, &mut Vec::new());
            telnet.give_up_waiting();
            telnet.write(b"bytes");
            assert!(telnet.take_output().ends_with(b"bytes"), "{begun:?}");
            let mut payload = Vec::new();
            telnet.received(b"answer", &mut payload);
            assert_eq!(payload, b"answer", "{begun:?}");
        }
    }

    proptest! {
        /// However a stream was cut, it means the same; whatever it holds, nothing panics and answers stay bounded.
        #[test]
        fn any_stream_means_the_same_however_it_is_cut(
            stream in prop::collection::vec(prop_oneof![
                Just(IAC), 240u8..=255, Just(44), 0u8..20, 100u8..113, any::<u8>()
            ], 0..200),
            cuts in prop::collection::vec(1usize..9, 1..40),
        ) {
            let mut whole = Telnet::new(SerialFormat::BOARD);
            let mut expected = Vec::new();
            whole.received(&stream, &mut expected);
            let mut cut = Telnet::new(SerialFormat::BOARD);
            let (mut payload, mut rest) = (Vec::new(), &stream[..]);
            for length in cuts.iter().cycle() {
                let (piece, later) = rest.split_at((*length).min(rest.len()));
                cut.received(piece, &mut payload);
                rest = later;
                if rest.is_empty() {
                    break;
                }
            }
            prop_assert_eq!(&payload, &expected);
            prop_assert_eq!(cut.settled(), whole.settled());
            let (one, other) = (cut.take_output(), whole.take_output());
            prop_assert_eq!(&one, &other);
            prop_assert!(one.len() <= 64 + 48 * stream.len());
            cut.give_up_waiting();
            cut.write(b"bytes");
            prop_assert!(cut.take_output().ends_with(b"bytes"), "nothing is held back for ever");
        }

        /// What one side writes is what the other reads, whatever bytes it is.
        #[test]
        fn bytes_pass_unchanged(bytes in prop::collection::vec(prop_oneof![Just(IAC), any::<u8>()], 0..300)) {
            let mut telnet = Telnet::new(SerialFormat::BOARD);
            let mut bridge = ::rfc2217::Server::new(PortSettings::default());
            let mut payload = Vec::new();
            telnet.write(&bytes);
            let mut at_bridge = Vec::new();
            for _ in 0..4 {
                at_bridge.extend(bridge.receive(&telnet.take_output()));
                telnet.received(&bridge.take_output(), &mut payload);
            }
            prop_assert_eq!(&at_bridge, &bytes);
            prop_assert_eq!(telnet.settled(), Settled::Yes);
            bridge.write_data(&bytes);
            telnet.received(&bridge.take_output(), &mut payload);
            prop_assert_eq!(&payload, &bytes);
        }
    }
}
