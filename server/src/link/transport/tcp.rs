//! A TCP connection.

use super::Transport;
use std::{io, time::Duration};
use tokio::{net::TcpStream, time::timeout};

const PATIENCE: Duration = Duration::from_secs(5);

impl Transport for TcpStream {}

/// Connects.
pub(super) async fn open(host: &str, port: u16) -> io::Result<TcpStream> {
    let stream = timeout(PATIENCE, TcpStream::connect((host, port))).await.map_err(|_| {
        io::Error::new(io::ErrorKind::TimedOut, "no answer to the connection within 5 s")
    })??;
    // Lines are short and wait for each other: Nagle's algorithm would add its delay to each.
    stream.set_nodelay(true)?;
    // A half-open connection is found by pings long before this; it is for a link whose session is being given up.
    rustix::net::sockopt::set_socket_keepalive(&stream, true)?;
    Ok(stream)
}
