//! Ways to a board: a [`BoardUrl`] says where it is, a [`Connector`] opens the way, and what comes out is a [`Transport`], a stream of
//! bytes that may have lines beside it.

mod esp_link;
mod far;
mod line;
mod listen;
mod ports;
mod rfc2217;
mod serial;
mod tcp;
mod telnet;
mod timing;
mod url;

pub use esp_link::{LineAnswer, Page, PageError};
pub use line::{LineAtOpen, ModemLine, Parity, Pin, PortControl, ResetLines, SerialFormat};
pub use ports::Port;
pub use telnet::Telnet;
pub use timing::Timing;
pub use url::{BoardUrl, BoardUrlError, Dialect, Reset};

use listen::{Desk, Listeners};
use serial::SerialPlace;
use std::{
    io,
    path::{Path, PathBuf},
};
use tokio::io::{AsyncRead, AsyncWrite};
use url::Place;

/// An open way to a board.
pub trait Transport: AsyncRead + AsyncWrite + Send + Unpin {
    /// What can be done beside sending bytes; none where bytes are all there is.
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        None
    }

    /// What is not as the URL asks for, though bytes flow.
    fn caveat(&self) -> Option<&str> {
        None
    }
}

/// What the ways of one program have in common: which listeners are open, and where the names of serial ports are found.
#[derive(Clone, Debug)]
pub struct Ways {
    by_id: PathBuf,
    restore: bool,
    listeners: Listeners,
}

impl Default for Ways {
    fn default() -> Ways {
        Ways::new(Path::new("/dev/serial/by-id"))
    }
}

impl Ways {
    /// No listener is open yet. `by_id` is the folder of lasting names, links to the ports.
    #[must_use]
    pub fn new(by_id: &Path) -> Ways {
        Ways { by_id: by_id.to_owned(), restore: false, listeners: Listeners::default() }
    }

    /// The same, but for one look: a serial port gets its settings back when it is closed.
    #[must_use]
    pub fn restoring(self) -> Ways {
        Ways { restore: true, ..self }
    }

    /// The way to a board; nothing is opened yet.
    #[must_use]
    pub fn connector(&self, url: BoardUrl) -> Connector {
        let way = match url.place() {
            Place::Serial { path, line } => {
                Way::Serial(SerialPlace::new(path, *line, &self.by_id, self.restore))
            }
            Place::Listen { at, caller, .. } => {
                Way::Listen(self.listeners.desk(at.clone(), caller.clone(), &url))
            }
            Place::Tcp { .. } | Place::Rfc2217 { .. } | Place::EspLink { .. } => Way::Connect,
        };
        Connector { url, way }
    }

    /// The serial ports of this machine, those with a lasting name under that.
    #[must_use]
    pub fn ports(&self) -> Vec<Port> {
        ports::all(&self.by_id)
    }
}

/// What is kept from one opening to the next.
#[derive(Debug)]
enum Way {
    Serial(SerialPlace),
    Listen(Desk),
    Connect,
}

/// Opens the way to one board, again and again.
#[derive(Debug)]
pub struct Connector {
    url: BoardUrl,
    way: Way,
}

/// A way of its own.
impl From<BoardUrl> for Connector {
    fn from(url: BoardUrl) -> Connector {
        Connector::new(url)
    }
}

impl Connector {
    /// A way that shares nothing with others. Boards that dial in to one address need [`Ways`].
    #[must_use]
    pub fn new(url: BoardUrl) -> Connector {
        Ways::default().connector(url)
    }

    /// Where it leads.
    #[must_use]
    pub fn url(&self) -> &BoardUrl {
        &self.url
    }

    /// What [`Connector::open`] may wait for as long as it takes, in words.
    #[must_use]
    pub fn waits_for(&self) -> Option<String> {
        match &self.way {
            Way::Listen(desk) => Some(desk.waits_for()),
            Way::Serial(_) | Way::Connect => None,
        }
    }

    /// Opens the way. Where the board is the one that dials, that takes until it does.
    pub async fn open(&mut self) -> io::Result<Box<dyn Transport>> {
        match &mut self.way {
            Way::Serial(port) => return Ok(Box::new(port.open()?)),
            Way::Listen(desk) => return Ok(Box::new(desk.open().await?)),
            Way::Connect => {}
        }
        match self.url.place() {
            Place::Rfc2217 { at, line } => Ok(Box::new(rfc2217::open(at, line).await?)),
            Place::EspLink { at, http, format, pins } => {
                Ok(Box::new(esp_link::open(at, *http, *format, *pins).await?))
            }
            Place::Tcp { at, .. } | Place::Listen { at, .. } => {
                Ok(Box::new(tcp::open(&at.host, at.port).await?))
            }
            Place::Serial { .. } => unreachable!("a serial port has a way of its own"),
        }
    }
}
