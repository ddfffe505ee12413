//! A board's URL: where it is, how to get there, and what it speaks.

mod host;
mod options;
#[cfg(test)]
mod tests;

pub(super) use host::HostPort;

use super::{
    Timing,
    line::{LineOptions, ResetLines, SerialFormat},
};
use options::{OptionWriter, Options};
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    str::FromStr,
};

/// Where a board is. Its text is the one form of it: options that are the default are left out, the others stand in one order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardUrl {
    place: Place,
    dialect: Dialect,
    /// Every new connection resets the board.
    resets: bool,
}

/// How the host can reset a board whose dialect has no word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reset {
    /// Every new connection resets it, as a line does that is wired to the port's DTR.
    Connect,
    /// A line does, when it is pulsed.
    Line,
}

/// What a board speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Whatever it answers.
    #[default]
    Auto,
    /// The text dialect of the boards before Rookery.
    V1,
    /// The protocol with checksums and numbers.
    V2,
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Dialect::Auto => "auto",
            Dialect::V1 => "v1",
            Dialect::V2 => "v2",
        })
    }
}

/// The way to a board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// A port of this machine.
    Serial { path: String, line: LineOptions },
    /// A bridge that passes bytes on. The rate is that of the line behind it.
    Tcp { at: HostPort, baud: u32 },
    /// A bridge that dials in.
    Listen { at: HostPort, caller: Caller, baud: u32 },
    /// A port behind a server that knows RFC 2217.
    Rfc2217 { at: HostPort, line: LineOptions },
    /// A bridge with esp-link's program: bytes at one port, settings by HTTP at another.
    EspLink { at: HostPort, http: u16, format: SerialFormat, pins: ResetLines },
}

/// Which of those that dial in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Caller {
    /// The board's kind, as it says itself.
    pub(super) kind: Option<String>,
    /// The bridge's address.
    pub(super) peer: Option<IpAddr>,
}

/// Why a text is no board's URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a board's URL: {why}; {usage}")]
pub struct BoardUrlError {
    text: String,
    why: String,
    usage: &'static str,
}

/// Any URL.
const USAGE: &str = "write tcp://HOST:PORT, serial:///dev/ttyUSB0, tcp-listen://ADDRESS:PORT, \
    rfc2217://HOST:PORT or esp-link://HOST, for example tcp://192.168.4.1:23";
/// The same for each scheme.
const USAGES: [(&str, &str); 5] = [
    ("tcp", "write tcp://HOST:PORT, for example tcp://192.168.4.1:23"),
    (
        "serial",
        "write serial:///dev/NAME, for example serial:///dev/ttyUSB0?baud=115200&parity=even",
    ),
    (
        "tcp-listen",
        "write tcp-listen://ADDRESS:PORT, for example tcp-listen://0.0.0.0:7000?peer=192.168.4.17",
    ),
    (
        "rfc2217",
        "write rfc2217://HOST:PORT, for example rfc2217://pi.local:4000?baud=115200&parity=even",
    ),
    ("esp-link", "write esp-link://HOST, for example esp-link://192.168.4.1?http=80"),
];
const TELNET: u16 = 23;
const HTTP: u16 = 80;

/// What would end a part of a URL, or be read as something else.
const RESERVED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'%').add(b'?').add(b'#').add(b'&').add(b'[').add(b']').add(b'@');

fn encode(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

impl FromStr for BoardUrl {
    type Err = BoardUrlError;

    fn from_str(text: &str) -> Result<BoardUrl, BoardUrlError> {
        let usage = |scheme| {
            USAGES.iter().find(|(name, _)| Some(*name) == scheme).map_or(USAGE, |(_, usage)| usage)
        };
        let scheme = text.split_once("://").map(|(scheme, _)| scheme);
        read(text).map_err(|why| BoardUrlError { text: text.to_owned(), why, usage: usage(scheme) })
    }
}

fn read(text: &str) -> Result<BoardUrl, String> {
    let (scheme, rest) = text.split_once("://").ok_or("it has no scheme")?;
    if rest.contains('#') {
        return Err(
            "it has a '#', which a URL of a board has no use for (in a name, write %23)".into()
        );
    }
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut options = Options::read(query)?;
    let resets = options.resets_on_connect();
    let host = rest.strip_suffix('/').unwrap_or(rest);
    let place = match scheme {
        "serial" => Place::Serial { path: path(rest)?, line: options.line()? },
        "tcp" => Place::Tcp { at: HostPort::read(host, None)?, baud: options.baud()? },
        "tcp-listen" => {
            let at = HostPort::read(host, None)?;
            let caller = Caller { kind: options.kind()?, peer: options.peer()? };
            Place::Listen { at, caller, baud: options.baud()? }
        }
        "rfc2217" => Place::Rfc2217 { at: HostPort::read(host, None)?, line: options.line()? },
        "esp-link" => {
            let port = options.port("port")?;
            let at = HostPort::read(host, Some(port.unwrap_or(TELNET)))?;
            if port.is_some_and(|port| port != at.port) {
                return Err("it has two ports".into());
            }
            let http = options.port("http")?.unwrap_or(HTTP);
            Place::EspLink { at, http, format: options.format()?, pins: options.pins()? }
        }
        _ => return Err("its scheme is not supported".into()),
    };
    let dialect = options.dialect()?;
    options.end(scheme)?;
    Ok(BoardUrl { place, dialect, resets })
}

fn path(text: &str) -> Result<String, String> {
    if !text.starts_with('/') {
        return Err("its port is not an absolute path: three slashes stand before 'dev'".into());
    }
    let path = percent_decode_str(text).decode_utf8().map_err(|_| "its path is not UTF-8")?;
    if path.ends_with('/') || path.contains('\0') {
        return Err("its path does not name a port".into());
    }
    Ok(path.into_owned())
}

impl fmt::Display for BoardUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Serial { path, .. } => write!(f, "serial://{}", encode(path))?,
            Place::Tcp { at, .. } => write!(f, "tcp://{at}")?,
            Place::Listen { at, .. } => write!(f, "tcp-listen://{at}")?,
            Place::Rfc2217 { at, .. } => write!(f, "rfc2217://{at}")?,
            Place::EspLink { at, .. } => write!(f, "esp-link://{}", at.in_url())?,
        }
        let mut options = OptionWriter::new(f);
        match &self.place {
            Place::Serial { line, .. } | Place::Rfc2217 { line, .. } => options.line(line)?,
            Place::Tcp { baud, .. } => options.baud(*baud)?,
            Place::Listen { caller, baud, .. } => {
                if let Some(kind) = &caller.kind {
                    options.write("kind", kind)?;
                }
                if let Some(peer) = caller.peer {
                    options.write("peer", peer)?;
                }
                options.baud(*baud)?;
            }
            Place::EspLink { at, http, format, pins } => {
                if at.port != TELNET {
                    options.write("port", at.port)?;
                }
                if *http != HTTP {
                    options.write("http", http)?;
                }
                options.format(format)?;
                options.pins(pins)?;
            }
        }
        if self.resets {
            options.write("reset", "connect")?;
        }
        options.dialect(self.dialect)
    }
}

impl BoardUrl {
    /// The URL of a port of this machine, with every default.
    pub(super) fn of_port(path: &str) -> BoardUrl {
        let line = LineOptions {
            format: SerialFormat::BOARD,
            dtr: Default::default(),
            rts: Default::default(),
            pins: ResetLines::default(),
        };
        BoardUrl {
            place: Place::Serial { path: path.to_owned(), line },
            dialect: Dialect::Auto,
            resets: false,
        }
    }

    /// What the board speaks.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How the board can be reset, if it can.
    #[must_use]
    pub fn reset(&self) -> Option<Reset> {
        match self.reset_lines().reset {
            _ if self.resets => Some(Reset::Connect),
            Some(_) => Some(Reset::Line),
            None => None,
        }
    }

    /// The serial port that it names, whatever it calls it; none where it is none of this machine or is not there.
    #[must_use]
    pub fn device(&self) -> Option<PathBuf> {
        match &self.place {
            Place::Serial { path, .. } => Path::new(path).canonicalize().ok(),
            _ => None,
        }
    }

    /// The lines that reset the board, where the way has lines and the URL names them.
    #[must_use]
    pub fn reset_lines(&self) -> ResetLines {
        match &self.place {
            Place::Serial { line, .. } | Place::Rfc2217 { line, .. } => line.pins,
            Place::EspLink { pins, .. } => *pins,
            Place::Tcp { .. } | Place::Listen { .. } => ResetLines::default(),
        }
    }

    /// How patient to be: a wire and a loopback address are no Wi-Fi, and a slow line is slow behind both.
    #[must_use]
    pub fn timing(&self) -> Timing {
        let way = |at: &HostPort| if at.is_loopback() { Timing::WIRE } else { Timing::WIFI };
        match &self.place {
            Place::Serial { line, .. } => Timing::WIRE.at(line.format.baud),
            Place::Tcp { at, baud } | Place::Listen { at, baud, .. } => way(at).at(*baud),
            Place::Rfc2217 { at, line } => way(at).at(line.format.baud),
            Place::EspLink { at, format, .. } => way(at).at(format.baud),
        }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }
}
