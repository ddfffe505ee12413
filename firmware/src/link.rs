//! The wire of a board: bytes in, lines out, and the time that a line may take.

use rookery_protocol::device::{Device, Endpoint, PARTIAL_TIMEOUT, handle};
use rookery_protocol::{Banner, BootId, Decoder, Event, MAX_LINE, PROTOCOL_VERSION, Telemetry};

use crate::identity::Config;
use crate::platform::Port;

/// The most bytes that are taken at once, so that a flood does not keep the board from its work.
const BURST: usize = 512;

/// What the endpoint says goes to the port. In one place, so that a chip has its code once.
fn sender<P: Port>(port: &mut P) -> impl FnMut(&[u8]) {
    |line| port.write(line)
}

/// Telemetry has to leave room for two lines that matter.
const RESERVE: usize = 3 * (MAX_LINE + 1);

#[derive(Debug)]
pub(crate) struct Link {
    endpoint: Endpoint,
    decoder: Decoder,
    received_at: u32,
}

impl Link {
    pub(crate) const fn new(boot: BootId) -> Self {
        Self { endpoint: Endpoint::new(boot), decoder: Decoder::new(), received_at: 0 }
    }

    pub(crate) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Takes what has come, answers it, and repeats what is due.
    pub(crate) fn poll(&mut self, device: &mut impl Device, port: &mut impl Port, now: u32) {
        for _ in 0..BURST {
            let Some(byte) = port.read() else { break };
            self.received_at = now;
            let decoded = self.decoder.push(byte);
            handle(&mut self.endpoint, device, decoded, now, &mut sender(port));
        }
        if now.wrapping_sub(self.received_at) >= PARTIAL_TIMEOUT {
            self.decoder.drop_partial();
        }
        self.endpoint.tick(now, &mut sender(port));
    }

    pub(crate) fn banner(&self, config: &Config<'_>, port: &mut impl Port) {
        let banner = Banner {
            boot: config.boot,
            cause: config.cause,
            protocol: PROTOCOL_VERSION,
            firmware: config.firmware,
            kind: config.kind,
        };
        self.endpoint.banner(&banner, &mut sender(port));
    }

    pub(crate) fn event(&mut self, event: Event, port: &mut impl Port, now: u32) {
        // There is room: a think is refused while there is none.
        let _ = self.endpoint.event(event, now, &mut sender(port));
    }

    pub(crate) fn telemetry(&mut self, telemetry: &Telemetry, port: &mut impl Port) {
        let room = port.room() >= RESERVE;
        self.endpoint.telemetry(telemetry, &mut |line| {
            if room {
                port.write(line);
            }
        });
    }

    /// How long nothing has to be done if nothing comes.
    pub(crate) fn wait(&self, now: u32) -> Option<u32> {
        let partial = self
            .decoder
            .is_partial()
            .then(|| PARTIAL_TIMEOUT.saturating_sub(now.wrapping_sub(self.received_at)));
        [partial, self.endpoint.wait(now)].into_iter().flatten().min()
    }
}
