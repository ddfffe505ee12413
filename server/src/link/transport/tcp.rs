//! A TCP connection.

use super::Transport;
use rustix::net::sockopt;
use std::{io, time::Duration};
use tokio::{net::TcpStream, time::timeout};

const PATIENCE: Duration = Duration::from_secs(5);
/// The kernel's own look at a silent connection: half a minute until a dead one is found. The session's pings are quicker; this is for a
/// connection that has no session, and keeps the table of a router in between from forgetting it.
const KEEPALIVE_AFTER: Duration = Duration::from_secs(15);
const KEEPALIVE_EVERY: Duration = Duration::from_secs(5);
const KEEPALIVE_MISSES: u32 = 3;

impl Transport for TcpStream {}

/// Connects.
pub(super) async fn open(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = timeout(PATIENCE, TcpStream::connect((host, port))).await.map_err(|_| {
        io::Error::new(io::ErrorKind::TimedOut, "no answer to the connection within 5 s")
    })??;
    prepare(&stream)?;
    Ok(stream)
}

/// What every connection to a board gets.
pub(super) fn prepare(stream: &TcpStream) -> io::Result<()> {
    // Lines are short and wait for each other: Nagle's algorithm would add its delay to each.
    stream.set_nodelay(true)?;
    sockopt::set_socket_keepalive(stream, true)?;
    sockopt::set_tcp_keepidle(stream, KEEPALIVE_AFTER)?;
    sockopt::set_tcp_keepintvl(stream, KEEPALIVE_EVERY)?;
    sockopt::set_tcp_keepcnt(stream, KEEPALIVE_MISSES)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_connection_does_not_wait_for_more_and_finds_out_that_it_is_dead() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let stream = open("localhost", port).await.unwrap();
        assert!(stream.nodelay().unwrap());
        assert!(sockopt::socket_keepalive(&stream).unwrap());
        let dead_after = sockopt::tcp_keepidle(&stream).unwrap()
            + sockopt::tcp_keepintvl(&stream).unwrap() * sockopt::tcp_keepcnt(&stream).unwrap();
        assert!(dead_after <= Duration::from_secs(30), "{dead_after:?}");
    }

    #[tokio::test]
    async fn names_and_zones_are_for_the_system_to_resolve() {
        let unknown = open("no-such-host.invalid", 23).await.expect_err("no such host");
        assert!(!unknown.to_string().is_empty());
        assert!(open("fe80::1%no-such-interface", 23).await.is_err());
    }
}
