//! Where orders come in, as the command line has it.

use std::net::SocketAddr;
use std::path::PathBuf;

/// An address, or a socket in the file system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl Place {
    /// An address if it is one, else the path of a socket. What was to be an address and is none is
    /// not taken for a path.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse() {
            return Ok(Self::Tcp(address));
        }
        if text.is_empty() {
            return Err("an address or a path is needed".to_owned());
        }
        let port = text.rsplit(':').next().unwrap_or(text);
        let is_path = text.contains('/');
        if !is_path && !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!(
                "this is no address, which is IP:PORT, for example 127.0.0.1:7777; a socket of that name is ./{text}"
            ));
        }
        Ok(Self::Unix(PathBuf::from(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_paths_are_told_apart() {
        assert_eq!(Place::parse("[::1]:0"), Ok(Place::Tcp(([0, 0, 0, 0, 0, 0, 0, 1], 0).into())));
        for path in ["/tmp/a:b", "control", "./7777", "a:", "/tmp/localhost:7777"] {
            assert_eq!(Place::parse(path), Ok(Place::Unix(path.into())));
        }
        for neither in ["", "localhost:7777", "127.0.0.1:99999", "7777", ":7777", "::1:x:9"] {
            assert!(Place::parse(neither).is_err(), "{neither}");
        }
    }
}
