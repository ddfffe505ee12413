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
