//! The serial line at the far end of a bridge: when what was written has left it.

use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Bytes that were written are in the bridge's port by then, Wi-Fi included.
const ON_THE_WAY: Duration = Duration::from_millis(100);
/// A start bit, eight data bits, a parity bit, a stop bit.
const BITS_A_BYTE: f64 = 11.0;

/// What is known of the line without hearing of it again: its rate, and what was written.
#[derive(Debug)]
pub(super) struct FarLine {
    baud: u32,
    /// By then everything that was written has left the port, if the bridge sent it at once.
    idle_at: Instant,
}

impl FarLine {
    pub(super) fn new(baud: u32) -> FarLine {
        FarLine { baud, idle_at: Instant::now() }
    }

    pub(super) fn set_baud(&mut self, baud: u32) {
        self.baud = baud;
    }

    /// So many bytes were given to the bridge.
    pub(super) fn written(&mut self, bytes: usize) {
        let sent = Duration::from_secs_f64(bytes as f64 * BITS_A_BYTE / f64::from(self.baud));
        self.idle_at = self.idle_at.max(Instant::now() + ON_THE_WAY) + sent;
    }

    /// Waits until the last bytes are through: a bridge changes its port while they are still on their way.
    pub(super) async fn idle(&self) {
        sleep_until(self.idle_at).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn waits(line: &FarLine) -> u128 {
        let begun = Instant::now();
        line.idle().await;
        begun.elapsed().as_millis()
    }

    #[tokio::test(start_paused = true)]
    async fn is_idle_when_all_bytes_are_through_at_its_rate() {
        let mut line = FarLine::new(11_000);
        assert_eq!(waits(&line).await, 0);
        line.written(1000);
        line.written(1000);
        assert!((2100..2110).contains(&waits(&line).await), "one after the other");
        assert_eq!(waits(&line).await, 0);
        line.set_baud(110_000);
        line.written(1000);
        assert!((200..205).contains(&waits(&line).await));
    }
}
