//! The loader in the chip's ROM: ST's AN3155 as a low-density STM32F10x has it (version 2.2).
//!
//! Everything that is sent has a complement or an XOR checksum, but it is a weak one, and what comes back has none. A byte that is lost
//! leaves the loader waiting for it, for ever: it has no time-out. So what was not answered as it should be ends in [`Loader::realign`],
//! which brings both sides together again without knowing how far the loader has come:
//!
//! - The loader waits for 257 bytes at the most. A *pad*, one value again and again, ends that wait, and a NACK says so. Pads are
//!   harmless wherever they come. Two of them are no command (a command is followed by its complement). The value is even, so that a
//!   frame of nothing but pads, its length included, has a wrong checksum: there is an odd number of them. It is none of the values in
//!   the frame that was sent last, so that it does not stand in for the one byte that was lost. As a page it is none of this chip's, and
//!   it is neither 0xFF, which erases everything, nor a command or a command's complement.
//! - Then GET ID is asked until it is answered well: five bytes of known values. Not GET, although it says more: its two bytes are 00 FF,
//!   and read out of step, by a loader that waits for the pages to erase, FF 00 erases everything.
//!
//! Whether what was under way has been done is not known then. Nobody has to know: what counts is read back.

use super::{
    chip::PRODUCT_ID,
    error::FlashError,
    port::{Fault, Port},
};
use std::time::Duration;
use tokio::time::Instant;

/// "Yes".
pub(super) const ACK: u8 = 0x79;
/// "No"; a command is waited for again.
pub(super) const NACK: u8 = 0x1f;
/// What a sync is: its length is measured by the loader for the baud rate.
pub(super) const SYNC: u8 = 0x7f;
/// The most bytes of a read or a write.
pub(super) const BLOCK: usize = 256;

const GET: u8 = 0x00;
const GET_ID: u8 = 0x02;
const READ: u8 = 0x11;
const GO: u8 = 0x21;
const WRITE: u8 = 0x31;
const ERASE: u8 = 0x43;
const READOUT_UNPROTECT: u8 = 0x92;
/// All of AN3155.
const COMMANDS: [u8; 12] = [0x00, 0x01, 0x02, 0x11, 0x21, 0x31, 0x43, 0x44, 0x63, 0x73, 0x82, 0x92];

/// What the loader needs to look at a command.
const LOOK: Duration = Duration::from_millis(2);
/// The erasing of a page takes 40 ms at the most.
const ERASE_PAGE: Duration = Duration::from_millis(60);
/// The programming of a half-word takes 70 us at the most.
const WRITE_BLOCK: Duration = Duration::from_millis(15);
/// The erasing of everything, and some patience.
const ERASE_ALL: Duration = Duration::from_secs(3);
/// Rounds of a realignment, at the least.
const ROUNDS: u32 = 4;
/// Pads at a time: mostly one byte was lost; all of them together are more than the loader can wait for.
const PADS: [usize; 11] = [1, 1, 1, 2, 4, 8, 16, 32, 64, 128, 128];

/// The loader's end of a port.
pub(super) struct Loader<'a> {
    pub(super) port: Port<'a>,
    /// Realignments so far.
    pub(super) realigned: u32,
}

impl<'a> Loader<'a> {
    pub(super) fn new(port: Port<'a>) -> Loader<'a> {
        Loader { port, realigned: 0 }
    }

    async fn ack(&mut self, work: Duration) -> Result<(), Fault> {
        let mut byte = [0];
        self.port.read(&mut byte, work).await?;
        match byte[0] {
            ACK => Ok(()),
            NACK => Err(Fault::Refused),
            _ => Err(Fault::Garbled),
        }
    }

    async fn command(&mut self, command: u8) -> Result<(), Fault> {
        self.port.send(&[command, !command]).await?;
        self.ack(LOOK).await
    }

    /// Bytes and their XOR; the answer is a byte.
    async fn frame(&mut self, bytes: &[u8], work: Duration) -> Result<(), Fault> {
        let sum = bytes.iter().fold(0, |sum, byte| sum ^ byte);
        let frame = [bytes, &[sum]].concat();
        self.port.send(&frame).await?;
        self.ack(work).await
    }

    /// The loader's version and its commands.
    pub(super) async fn get(&mut self) -> Result<(u8, Vec<u8>), Fault> {
        self.command(GET).await?;
        let mut count = [0];
        self.port.read(&mut count, LOOK).await?;
        if count[0] > 32 {
            return Err(Fault::Garbled);
        }
        let mut rest = vec![0; usize::from(count[0]) + 1];
        self.port.read(&mut rest, LOOK).await?;
        self.ack(LOOK).await?;
        Ok((rest[0], rest[1..].to_vec()))
    }

    /// The chip's product id. The whole answer is known but for the id, and it is taken only as a whole.
    pub(super) async fn id(&mut self) -> Result<u16, Fault> {
        self.port.send(&[GET_ID, !GET_ID]).await?;
        // A NACK comes alone.
        self.ack(LOOK).await?;
        let mut rest = [0; 4];
        self.port.read(&mut rest, LOOK).await?;
        match rest {
            [1, high, low, ACK] => Ok(u16::from_be_bytes([high, low])),
            _ => Err(Fault::Garbled),
        }
    }

    /// Reads up to 256 bytes. A refusal of the command itself means protection.
    pub(super) async fn read(&mut self, address: u32, buffer: &mut [u8]) -> Result<(), Fault> {
        self.command(READ).await?;
        self.frame(&address.to_be_bytes(), LOOK).await?;
        let count = count(buffer.len());
        self.port.send(&[count, !count]).await?;
        self.ack(LOOK).await?;
        self.port.read(buffer, LOOK).await
    }

    /// Writes up to 256 bytes, whole words, to flash that is blank there.
    pub(super) async fn write(&mut self, address: u32, bytes: &[u8]) -> Result<(), Fault> {
        self.command(WRITE).await?;
        self.frame(&address.to_be_bytes(), LOOK).await?;
        self.frame(&[&[count(bytes.len())], bytes].concat(), WRITE_BLOCK).await
    }

    /// Erases pages.
    pub(super) async fn erase(&mut self, pages: &[u8]) -> Result<(), Fault> {
        self.command(ERASE).await?;
        let work = ERASE_PAGE * u32::try_from(pages.len()).unwrap_or(u32::MAX);
        self.frame(&[&[count(pages.len())], pages].concat(), work).await
    }

    /// Starts what stands at an address.
    pub(super) async fn go(&mut self, address: u32) -> Result<(), Fault> {
        self.command(GO).await?;
        self.frame(&address.to_be_bytes(), LOOK).await
    }

    /// Takes the read-out protection away, which erases everything and resets the chip.
    pub(super) async fn readout_unprotect(&mut self) -> Result<(), Fault> {
        self.command(READOUT_UNPROTECT).await?;
        self.ack(ERASE_ALL).await
    }

    /// Brings both sides together after a fault. `known` is the id that the loader has given, where it has. It is tried for
    /// `patience`.
    pub(super) async fn realign(
        &mut self,
        fault: Fault,
        known: Option<u16>,
        patience: Duration,
        doing: &'static str,
    ) -> Result<u16, FlashError> {
        self.realigned += 1;
        // After a refusal the loader waits for a command, and at the worst has the first byte of one.
        let mut doubt = !matches!(fault, Fault::Refused);
        if let Fault::Io(error) = fault {
            self.port.reopen(error).await?;
        }
        let pad = pad(self.port.sent());
        let mut seen = None;
        let (begun, mut round) = (Instant::now(), 0);
        while round < ROUNDS || begun.elapsed() < patience {
            round += 1;
            match self.ask_id(pad, doubt).await {
                Ok(id) if known == Some(id) || seen == Some(id) => return Ok(id),
                // One that is not the chip's, or not yet: it has to say so twice.
                Ok(id) => {
                    seen = Some(id);
                    doubt = false;
                }
                Err(Fault::Io(error)) => self.port.reopen(error).await?,
                Err(_) => doubt = true,
            }
        }
        Err(FlashError::Lost { doing })
    }

    async fn ask_id(&mut self, pad: u8, doubt: bool) -> Result<u16, Fault> {
        self.port.drain().await?;
        if doubt {
            for count in PADS {
                self.port.send(&vec![pad; count]).await?;
                // An ACK may be a late one, of what was under way.
                if self.port.hears(NACK).await? {
                    break;
                }
            }
            self.port.drain().await?;
        }
        self.id().await
    }
}

/// As the loader counts: one less.
fn count(len: usize) -> u8 {
    debug_assert!((1..=BLOCK).contains(&len));
    u8::try_from(len - 1).expect("256 at the most")
}

/// A pad after a frame of which something may be missing.
fn pad(frame: &[u8]) -> u8 {
    let good = |pad: &u8| !COMMANDS.contains(pad) && !COMMANDS.contains(&!pad);
    let mut pads = (0x80..=0xfe).step_by(2).filter(good);
    // A block may have all values: then one in 256 goes wrong, and is found when it is read back.
    pads.find(|pad| !frame.contains(pad)).unwrap_or(0xaa)
}

/// Whether the id is this chip's.
pub(super) fn check_id(id: u16) -> Result<u16, FlashError> {
    if id == PRODUCT_ID { Ok(id) } else { Err(FlashError::WrongChip(id)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pad_is_harmless_after_any_frame() {
        let all: Vec<u8> = (0..=255).collect();
        for frame in [&[][..], &[0xaa, 0xa8], &[0x80; 258], &all] {
            let pad = pad(frame);
            assert!(pad >= 0x80 && pad.is_multiple_of(2));
            assert!(!COMMANDS.contains(&pad) && !COMMANDS.contains(&!pad));
            assert!(frame.len() == 256 || !frame.contains(&pad), "{pad:02x}");
            // As a length, followed by as many pads as it says and one for the sum.
            let sum = std::iter::repeat_n(pad, usize::from(pad) + 3).fold(0, |sum, b| sum ^ b);
            assert_ne!(sum, 0);
        }
        assert!(PADS.iter().sum::<usize>() > BLOCK + 1);
    }
}
