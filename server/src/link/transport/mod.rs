//! Ways to a board: a [`BoardUrl`] says where it is, a [`Connector`] opens the way, and what comes out is a [`Transport`], a stream of
//! bytes that may have lines beside it.

mod tcp;
mod url;

pub use url::{BoardUrl, BoardUrlError, Dialect, Reset};

use futures_util::future::BoxFuture;
use std::{io, time::Duration};
use tokio::io::{AsyncRead, AsyncWrite};

/// How patient to be on a transport (protocol, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Wait for the first answer.
    pub first_timeout: Duration,
    /// Never wait less than this.
    pub min_timeout: Duration,
    /// Silence that ends a drain.
    pub quiet: Duration,
}

impl Timing {
    /// TCP through a bridge on Wi-Fi.
    pub const WIFI: Timing = Timing {
        first_timeout: Duration::from_millis(400),
        min_timeout: Duration::from_millis(200),
        quiet: Duration::from_millis(300),
    };
    /// A serial line at 115200 baud, or TCP that does not leave the machine.
    pub const WIRE: Timing = Timing {
        first_timeout: Duration::from_millis(60),
        min_timeout: Duration::from_millis(25),
        quiet: Duration::from_millis(25),
    };
}

/// An open way to a board.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {
    /// What can be done beside sending bytes; none where bytes are all there is.
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        None
    }
}

/// What a serial port has beside its bytes, here or at the far end of a network.
pub trait PortControl: Send {
    /// Sets a modem line; `true` is the asserted state, which is a low level at a TTL adapter.
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>>;

    /// Changes rate and format, once everything written before is on the wire.
    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>>;
}

/// An output beside the data lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModemLine {
    /// Data terminal ready.
    Dtr,
    /// Request to send.
    Rts,
}

/// Rate and format of a serial line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SerialFormat {
    /// Bits a second.
    pub baud: u32,
    /// Data bits, without the parity bit.
    pub data_bits: u8,
    /// Parity.
    pub parity: Parity,
    /// Stop bits.
    pub stop_bits: u8,
}

impl SerialFormat {
    /// What Rookery's firmware and the chip's loader in ROM speak.
    pub const BOARD: SerialFormat =
        SerialFormat { baud: 115_200, data_bits: 8, parity: Parity::Even, stop_bits: 1 };
}

/// The parity bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parity {
    /// There is none.
    None,
    /// The number of ones is even.
    Even,
    /// The number of ones is odd.
    Odd,
}

/// Opens the way to one board, again and again.
#[derive(Debug)]
pub struct Connector {
    url: BoardUrl,
}

impl Connector {
    /// Nothing is opened yet.
    #[must_use]
    pub fn new(url: BoardUrl) -> Connector {
        Connector { url }
    }

    /// Where it leads.
    #[must_use]
    pub fn url(&self) -> &BoardUrl {
        &self.url
    }

    /// Opens the way.
    pub async fn open(&mut self) -> io::Result<Box<dyn Transport>> {
        Ok(Box::new(tcp::open(self.url.host(), self.url.port()).await?))
    }
}
