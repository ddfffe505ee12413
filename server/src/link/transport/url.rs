//! A board's URL.

use super::Timing;
use std::{fmt, net::IpAddr, str::FromStr};

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
