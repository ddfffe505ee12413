//! A board's URL.

use super::Timing;
use std::{fmt, net::IpAddr, str::FromStr};

/// Which dialect a board is to be spoken to in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Whichever it answers in.
    #[default]
    Auto,
    /// The text dialect of the boards before Rookery.
    V1,
    /// Rookery's own protocol.
    V2,
}

/// How the host can reset a board whose dialect has no word for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reset {
    /// Every new connection resets it, as a line that is wired to the port's DTR does.
    Connect,
}

/// Where a board is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardUrl {
    host: String,
    port: u16,
    dialect: Dialect,
    reset: Option<Reset>,
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
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (mut dialect, mut reset) = (Dialect::Auto, None);
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("dialect", "auto")) => dialect = Dialect::Auto,
                Some(("dialect", "v1")) => dialect = Dialect::V1,
                Some(("dialect", "v2")) => dialect = Dialect::V2,
                Some(("dialect", _)) => return Err(fail("'dialect' is one of auto, v1, v2")),
                Some(("reset", "connect")) => reset = Some(Reset::Connect),
                Some(("reset", _)) => return Err(fail("'reset' can only be 'connect'")),
                _ => return Err(fail("it has an option other than 'dialect' and 'reset'")),
            }
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
        Ok(BoardUrl { host: bare.to_owned(), port, dialect, reset })
    }
}

impl fmt::Display for BoardUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "tcp://[{}]:{}", self.host, self.port)?;
        } else {
            write!(f, "tcp://{}:{}", self.host, self.port)?;
        }
        // What is as always is not said, so that one board has one form.
        let dialect = match self.dialect {
            Dialect::Auto => None,
            Dialect::V1 => Some("dialect=v1"),
            Dialect::V2 => Some("dialect=v2"),
        };
        let reset = self.reset.map(|Reset::Connect| "reset=connect");
        for (n, option) in dialect.into_iter().chain(reset).enumerate() {
            write!(f, "{}{option}", if n == 0 { '?' } else { '&' })?;
        }
        Ok(())
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

    /// Which dialect to speak.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How the board can be reset, if it can.
    #[must_use]
    pub fn reset(&self) -> Option<Reset> {
        self.reset
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_names_and_addresses() {
        for good in [
            "tcp://127.0.0.1:4000",
            "tcp://esp.local:23",
            "tcp://[::1]:23",
            "tcp://[::1]:23?dialect=v1&reset=connect",
            "tcp://esp.local:23?dialect=v2",
        ] {
            assert_eq!(good.parse::<BoardUrl>().unwrap().to_string(), good);
        }
        for (long, short) in [
            ("tcp://a:1/?dialect=auto", "tcp://a:1"),
            ("tcp://a:1?reset=connect&dialect=v1", "tcp://a:1?dialect=v1&reset=connect"),
        ] {
            assert_eq!(long.parse::<BoardUrl>().unwrap().to_string(), short);
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
            ("tcp://a:1?dialect=v3", "'dialect' is one of auto, v1, v2"),
            ("tcp://a:1?reset=dtr", "'reset'"),
            ("tcp://a:1?baud=9600", "an option other than"),
        ] {
            let error = bad.parse::<BoardUrl>().expect_err(bad).to_string();
            assert!(error.contains(why), "{bad}: {error}");
            assert!(error.contains("tcp://HOST:PORT"), "{error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in r"(tcp://)?.{0,30}(\?(dialect|reset)=(auto|v1|v2|connect))?") {
            if let Ok(url) = text.parse::<BoardUrl>() {
                prop_assert_eq!(url.to_string().parse::<BoardUrl>(), Ok(url));
            }
        }
    }
}
