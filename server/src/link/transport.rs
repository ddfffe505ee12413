//! A board's URL, and the byte stream behind it. TCP is the only transport yet; every other one is a stream of bytes as well.

use std::{fmt, io, net::IpAddr, str::FromStr, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};

/// Any stream of bytes to a board.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> ByteStream for T {}

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

/// Where a board is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardUrl {
    host: String,
    port: u16,
}

/// Why a text is no board's URL.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{text}' is not a board's URL: {why}; write tcp://HOST:PORT, for example tcp://192.168.4.1:23"
)]
pub struct BoardUrlError {
    text: String,
    why: &'static str,
}

impl FromStr for BoardUrl {
    type Err = BoardUrlError;

    fn from_str(text: &str) -> Result<BoardUrl, BoardUrlError> {
        let fail = |why| BoardUrlError { text: text.to_owned(), why };
        let (scheme, rest) = text.split_once("://").ok_or(fail("it has no scheme"))?;
        if scheme != "tcp" {
            return Err(fail("its scheme is not supported"));
        }
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (host, port) = rest.rsplit_once(':').ok_or(fail("it has no port"))?;
        let port = port.parse().map_err(|_| fail("its port is not a number from 1 to 65535"))?;
        if port == 0 {
            return Err(fail("its port is not a number from 1 to 65535"));
        }
        let bare = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
        let strange = |c: char| c.is_whitespace() || c.is_control() || "/?#@[]".contains(c);
        if bare.is_empty() || bare.contains(strange) {
            return Err(fail("its host is empty or has a character that no host has"));
        }
        if bare.contains(':') && (bare == host || bare.parse::<IpAddr>().is_err()) {
            return Err(fail("an IPv6 address stands in brackets"));
        }
        Ok(BoardUrl { host: bare.to_owned(), port })
    }
}

impl fmt::Display for BoardUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "tcp://[{}]:{}", self.host, self.port)
        } else {
            write!(f, "tcp://{}:{}", self.host, self.port)
        }
    }
}

impl BoardUrl {
    /// How patient to be: a loopback address is no Wi-Fi.
    #[must_use]
    pub fn timing(&self) -> Timing {
        let loopback = self.host == "localhost"
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        if loopback { Timing::WIRE } else { Timing::WIFI }
    }

    /// Opens the stream.
    pub async fn open(&self) -> io::Result<Box<dyn ByteStream>> {
        const PATIENCE: Duration = Duration::from_secs(5);
        let connect = TcpStream::connect((self.host.as_str(), self.port));
        let stream = timeout(PATIENCE, connect).await.map_err(|_| {
            io::Error::new(io::ErrorKind::TimedOut, "no answer to the connection within 5 s")
        })??;
        // Lines are short and wait for each other: Nagle's algorithm would add its delay to each.
        stream.set_nodelay(true)?;
        // A half-open connection is found by pings long before this; it is for a link whose session is being given up.
        let keepalive = rustix::net::sockopt::set_socket_keepalive(&stream, true);
        keepalive.map_err(io::Error::from)?;
        Ok(Box::new(stream))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_names_and_addresses() {
        for good in ["tcp://127.0.0.1:4000", "tcp://esp.local:23", "tcp://[::1]:23"] {
            assert_eq!(good.parse::<BoardUrl>().unwrap().to_string(), good);
        }
        assert_eq!("tcp://[::1]:23".parse::<BoardUrl>().unwrap().timing(), Timing::WIRE);
        assert_eq!("tcp://esp.local:23".parse::<BoardUrl>().unwrap().timing(), Timing::WIFI);
    }

    #[test]
    fn says_what_is_wrong() {
        for (bad, why) in [
            ("127.0.0.1:4000", "no scheme"),
            ("udp://a:1", "scheme is not supported"),
            ("tcp://a", "no port"),
            ("tcp://a:0", "port"),
            ("tcp://a:99999", "port"),
            ("tcp://:23", "host"),
            ("tcp://a b:23", "host"),
            ("tcp://::1:23", "brackets"),
        ] {
            let error = bad.parse::<BoardUrl>().expect_err(bad).to_string();
            assert!(error.contains(why), "{bad}: {error}");
            assert!(error.contains("tcp://HOST:PORT"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(tcp://)?.{0,30}") {
            if let Ok(url) = text.parse::<BoardUrl>() {
                prop_assert_eq!(url.to_string().parse::<BoardUrl>(), Ok(url));
            }
        }
    }
}
