//! The host and the port of a URL.

use super::encode;
use percent_encoding::percent_decode_str;
use std::{fmt, net::IpAddr};

/// A name or an address, and a port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::link::transport) struct HostPort {
    /// Without brackets.
    pub(in crate::link::transport) host: String,
    pub(in crate::link::transport) port: u16,
}

impl HostPort {
    /// Reads `HOST:PORT`; the port may be missing where there is a default for it.
    pub(super) fn read(text: &str, default: Option<u16>) -> Result<HostPort, String> {
        let bracketed = text.strip_prefix('[').map(|rest| {
            let (host, rest) = rest.split_once(']').ok_or("its '[' has no ']'")?;
            if !rest.is_empty() && !rest.starts_with(':') {
                return Err("something that is no port stands behind the ']'");
            }
            Ok((host, rest.strip_prefix(':')))
        });
        let (host, port) = match bracketed {
            Some(read) => read?,
            None => match text.rsplit_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            },
        };
        let bad_port = || "its port is not a number from 1 to 65535".to_owned();
        let port = match (port, default) {
            (Some(port), _) if !port.bytes().all(|b| b.is_ascii_digit()) => return Err(bad_port()),
            (Some(port), _) => port.parse().map_err(|_| bad_port())?,
            (None, Some(default)) => default,
            (None, None) => return Err("it has no port".into()),
        };
        if port == 0 {
            return Err(bad_port());
        }
        let strange = "its host is empty or has a character that no host has";
        let host = percent_decode_str(host).decode_utf8().map_err(|_| strange)?;
        let no_host = |c: char| c.is_whitespace() || c.is_control() || "/?#@[]&=".contains(c);
        if host.is_empty() || host.contains(no_host) {
            return Err(strange.into());
        }
        // A link-local address has its interface behind a percent sign.
        let (address, zone) = match host.split_once('%') {
            Some((address, zone)) => (address, Some(zone)),
            None => (&*host, None),
        };
        let parsed = address.parse::<IpAddr>();
        if host.contains(':') && (!text.starts_with('[') || !matches!(parsed, Ok(IpAddr::V6(_)))) {
            return Err("an IPv6 address stands in brackets".into());
        }
        let host = match (parsed, zone) {
            (Ok(IpAddr::V6(address)), Some(zone)) if !zone.is_empty() => {
                format!("{address}%{zone}")
            }
            (Ok(address), None) => address.to_string(),
            (_, None) => host.to_lowercase(),
            (_, Some(_)) => return Err(strange.into()),
        };
        Ok(HostPort { host, port })
    }

    /// Whether it does not leave the machine.
    pub(super) fn is_loopback(&self) -> bool {
        self.host == "localhost"
            || self.host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    }

    /// The host as it stands in a URL.
    pub(in crate::link::transport) fn in_url(&self) -> String {
        match encode(&self.host) {
            host if self.host.contains(':') => format!("[{host}]"),
            host => host,
        }
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.in_url(), self.port)
    }
}
