//! The first contact: a sync, retried, through whatever noise is on the line.

use super::{
    error::FlashError,
    loader::{ACK, Loader, NACK, SYNC, check_id},
    port::Fault,
};
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// Syncs in a burst, where single ones have no answer: a loader that was left in the middle of a block by an earlier flash waits for up
/// to 257 bytes. One that has just been reset takes the first and refuses the others, which does no harm.
const BURSTS: [usize; 8] = [1, 1, 1, 1, 1, 1, 33, 257];
/// Answers that turned out not to be a loader's.
const IMPOSTORS: u32 = 6;
/// What answered a sync is a loader soon, or not at all.
const SHORT: Duration = Duration::from_secs(2);
const DOING: &str = "asks for the chip's id";

impl Loader<'_> {
    /// Syncs until the loader answers or `patience` is over, and asks which chip it is.
    pub(super) async fn sync(
        &mut self,
        patience: Duration,
        cancel: &CancellationToken,
    ) -> Result<u16, FlashError> {
        let end = Instant::now() + patience;
        let mut bursts = BURSTS.iter().cycle();
        let mut impostors = 0;
        while Instant::now() < end && !cancel.is_cancelled() {
            let burst = *bursts.next().expect("it goes round");
            match self.sync_once(burst).await {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Fault::Io(error)) => {
                    self.port.reopen(error).await?;
                    continue;
                }
                Err(_) => continue,
            }
            // Out of step after a burst, or not a loader at all: what it says of the chip tells.
            match self.id_after_sync().await {
                Ok(id) => return check_id(id),
                Err(error @ FlashError::Connection(_)) => return Err(error),
                Err(_) => impostors += 1,
            }
            if impostors >= IMPOSTORS {
                return Err(FlashError::NotALoader);
            }
        }
        match (cancel.is_cancelled(), impostors) {
            (true, _) => Err(FlashError::CancelledUnchanged),
            (false, 0) => Err(FlashError::NoSync),
            (false, _) => Err(FlashError::NotALoader),
        }
    }

    /// Whether it was answered. A chip that comes out of reset sends a stray zero or two; a program that still runs sends text, in which
    /// an ACK may be a 'y'.
    async fn sync_once(&mut self, burst: usize) -> Result<bool, Fault> {
        self.port.send(&vec![SYNC; burst]).await?;
        let heard = self.port.drain().await?;
        let noise = |byte: &u8| matches!(byte, 0x00 | 0x80..);
        let mut words = heard.iter().filter(|byte| !noise(byte)).peekable();
        Ok(words.peek().is_some() && words.all(|byte| matches!(*byte, ACK | NACK)))
    }

    async fn id_after_sync(&mut self) -> Result<u16, FlashError> {
        // The loader has the speed now. If a byte of a command is left over from the syncs, the answer is a refusal.
        match self.id().await {
            Ok(id) => match self.id().await {
                Ok(again) if again == id => Ok(id),
                Ok(_) => self.realign(Fault::Garbled, None, SHORT, DOING).await,
                Err(fault) => self.realign(fault, None, SHORT, DOING).await,
            },
            Err(fault) => self.realign(fault, None, SHORT, DOING).await,
        }
    }
}
