//! Bytes to and from the loader, with patience that follows the link: a cable answers within milliseconds, Wi-Fi within some hundred.

use super::error::FlashError;
use crate::link::{
    Lease, Tape, Way,
    rtt::RoundTrip,
    transport::{Connector, SerialFormat, Timing, Transport},
};
use futures_util::future::BoxFuture;
use std::{io, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    time::{Instant, sleep, timeout, timeout_at},
};

/// A byte on the line: start, eight data bits, parity, stop, at 115200 baud.
const BYTE: Duration = Duration::from_micros(96);
/// A write that takes longer than this goes to a peer that is gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(5);
/// A connection that was lost is made again for so long: a bridge that was reset needs some seconds.
const REOPEN_PATIENCE: Duration = Duration::from_secs(60);
const REOPEN_FIRST: Duration = Duration::from_millis(100);
const REOPEN_LAST: Duration = Duration::from_secs(5);
/// A line that is never quiet is not waited for any longer.
const DRAIN_CAP: Duration = Duration::from_secs(3);

/// Opens the way to a board, again where it was lost.
pub trait Opener: Send {
    /// Opens it.
    fn open(&mut self) -> BoxFuture<'_, io::Result<Box<dyn Transport>>>;
}

impl Opener for Lease {
    fn open(&mut self) -> BoxFuture<'_, io::Result<Box<dyn Transport>>> {
        Box::pin(Lease::open(self))
    }
}

impl Opener for Connector {
    fn open(&mut self) -> BoxFuture<'_, io::Result<Box<dyn Transport>>> {
        Box::pin(Connector::open(self))
    }
}

/// What went wrong with one exchange.
#[derive(Debug)]
pub(super) enum Fault {
    /// No answer in time, or too little of one.
    Silence,
    /// The loader refused; it waits for a command again.
    Refused,
    /// An answer that is none.
    Garbled,
    /// The transport failed.
    Io(io::Error),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Fault {
        Fault::Io(error)
    }
}

/// An open way to a loader.
pub(super) struct Port<'a> {
    opener: &'a mut dyn Opener,
    transport: Box<dyn Transport>,
    rtt: RoundTrip,
    timing: Timing,
    tape: Option<Tape>,
    /// What was sent last, for whoever has to know what the loader may have got of it.
    sent: Vec<u8>,
    sent_at: Instant,
}

impl<'a> Port<'a> {
    /// Opens it, in the loader's format where there is one to set.
    pub(super) async fn open(
        opener: &'a mut dyn Opener,
        timing: Timing,
        tape: Option<Tape>,
    ) -> Result<Port<'a>, FlashError> {
        let transport = opener.open().await.map_err(FlashError::Open)?;
        let mut port = Port {
            opener,
            transport,
            rtt: RoundTrip::new(timing),
            timing,
            tape,
            sent: Vec::new(),
            sent_at: Instant::now(),
        };
        port.set_format().await.map_err(FlashError::Open)?;
        Ok(port)
    }

    /// The open transport.
    pub(super) fn transport(&mut self) -> &mut dyn Transport {
        self.transport.as_mut()
    }

    async fn set_format(&mut self) -> io::Result<()> {
        match self.transport.control() {
            Some(control) => control.set_format(SerialFormat::BOARD).await,
            None => Ok(()),
        }
    }

    /// Makes a lost connection again. The loader knows nothing of connections: it waits where it was.
    pub(super) async fn reopen(&mut self, mut why: io::Error) -> Result<(), FlashError> {
        let end = Instant::now() + REOPEN_PATIENCE;
        let mut wait = REOPEN_FIRST;
        while Instant::now() < end {
            sleep(wait).await;
            wait = (wait * 2).min(REOPEN_LAST);
            match self.opener.open().await {
                Ok(transport) => {
                    self.transport = transport;
                    match self.set_format().await {
                        Ok(()) => return Ok(()),
                        Err(error) => why = error,
                    }
                }
                Err(error) => why = error,
            }
        }
        Err(FlashError::Connection(why))
    }

    /// Sends bytes.
    pub(super) async fn send(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.sent.clear();
        self.sent.extend_from_slice(bytes);
        if let Some(tape) = &self.tape {
            tape.record(Way::Out, bytes);
        }
        let write = async {
            self.transport.write_all(bytes).await?;
            self.transport.flush().await
        };
        match timeout(WRITE_PATIENCE, write).await {
            Ok(written) => written?,
            Err(_) => return Err(io::Error::from(io::ErrorKind::TimedOut).into()),
        }
        self.sent_at = Instant::now();
        Ok(())
    }

    /// What was sent last.
    pub(super) fn sent(&self) -> &[u8] {
        &self.sent
    }

    /// Reads exactly so many bytes: the answer to what was sent, which takes the board `work` to find.
    pub(super) async fn read(&mut self, buffer: &mut [u8], work: Duration) -> Result<(), Fault> {
        let on_line = BYTE * u32::try_from(self.sent.len() + buffer.len()).unwrap_or(u32::MAX);
        let patience = self.rtt.timeout() + on_line + work;
        let read = timeout(patience, self.transport.read_exact(buffer)).await;
        match read {
            Ok(Ok(_)) => {
                let sample = self.sent_at.elapsed().saturating_sub(on_line + work);
                self.rtt.measured(sample);
                if let Some(tape) = &self.tape {
                    tape.record(Way::In, buffer);
                }
                Ok(())
            }
            Ok(Err(error)) => Err(error.into()),
            Err(_) => {
                self.rtt.timed_out();
                Err(Fault::Silence)
            }
        }
    }

    /// Whether a byte comes within a round trip.
    pub(super) async fn hears(&mut self, wanted: u8) -> Result<bool, Fault> {
        let on_line = BYTE * u32::try_from(self.sent.len() + 1).unwrap_or(u32::MAX);
        let end = Instant::now() + self.rtt.base() + on_line;
        let mut byte = [0];
        loop {
            match timeout_at(end, self.transport.read(&mut byte)).await {
                Ok(Ok(0)) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(Ok(_)) if byte[0] == wanted => return Ok(true),
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => return Ok(false),
            }
        }
    }

    /// Reads whatever comes until nothing has come for a while; at most some kilobytes are kept.
    pub(super) async fn drain(&mut self) -> Result<Vec<u8>, Fault> {
        const KEPT: usize = 4096;
        // An answer that is on its way comes within a round trip.
        let quiet = self.rtt.base().max(self.timing.quiet);
        let end = Instant::now() + DRAIN_CAP.max(quiet * 2);
        let mut heard = Vec::new();
        let mut buffer = [0; 512];
        while Instant::now() < end {
            match timeout(quiet, self.transport.read(&mut buffer)).await {
                Ok(Ok(0)) => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Ok(Ok(n)) if heard.len() < KEPT => heard.extend_from_slice(&buffer[..n]),
                Ok(Ok(_)) => {}
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => break,
            }
        }
        if let Some(tape) = self.tape.as_ref().filter(|_| !heard.is_empty()) {
            tape.record(Way::In, &heard);
        }
        Ok(heard)
    }

    /// The smoothed round trip.
    pub(super) fn round_trip(&self) -> Option<Duration> {
        self.rtt.smoothed()
    }
}
