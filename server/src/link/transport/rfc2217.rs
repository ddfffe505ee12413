//! A serial port behind a server that speaks RFC 2217: ser2net, pyserial's server, a terminal server.

use super::{
    Transport,
    far::FarLine,
    line::{LineOptions, ModemLine, PortControl, SerialFormat},
    tcp,
    telnet::{Settled, Telnet},
    url::HostPort,
};
use futures_util::future::BoxFuture;
use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    time::{Instant, timeout_at},
};

/// Settings that are not acknowledged by then are not waited for any longer.
const SETTLE: Duration = Duration::from_secs(2);
/// The same for a line or a purge: many bridges never answer these.
const ANSWER: Duration = Duration::from_millis(500);

/// Connects, sets the port up, and goes on with a warning where the bridge does not acknowledge that.
pub(super) async fn open(at: &HostPort, line: &LineOptions) -> io::Result<RemotePort> {
    let stream = tcp::open(&at.host, at.port).await?;
    let mut port = RemotePort {
        stream,
        telnet: Telnet::new(line.format),
        far: FarLine::new(line.format.baud),
        inbox: Vec::new(),
        outbox: Vec::new(),
        caveat: None,
    };
    port.settle().await?;
    for (line, level) in line.at_open() {
        port.line(line, level).await?;
    }
    port.purged().await?;
    // What came before is nobody's answer.
    port.inbox.clear();
    if let Some(caveat) = &port.caveat {
        tracing::warn!(bridge = %at, "{caveat}");
    }
    Ok(port)
}

/// The connection to the bridge.
#[derive(Debug)]
pub(super) struct RemotePort {
    stream: TcpStream,
    telnet: Telnet,
    far: FarLine,
    /// From the port, not yet read.
    inbox: Vec<u8>,
    /// For the socket, not yet written.
    outbox: Vec<u8>,
    caveat: Option<String>,
}

impl RemotePort {
    /// Waits until the settings are acknowledged, for as long as is sensible.
    async fn settle(&mut self) -> io::Result<()> {
        let waiting = |telnet: &Telnet| matches!(telnet.settled(), Settled::NotYet(_));
        self.exchange(SETTLE, |telnet| !waiting(telnet)).await?;
        self.caveat = match self.telnet.settled() {
            Settled::Yes => None,
            Settled::No(why) => Some(format!("the port is not set up as asked for: {why}")),
            Settled::NotYet(why) => Some(format!("not known whether the port is set up: {why}")),
        };
        self.telnet.give_up_waiting();
        Ok(())
    }

    async fn line(&mut self, line: ModemLine, asserted: bool) -> io::Result<()> {
        if !self.telnet.has_port() {
            return Err(no_port());
        }
        self.telnet.set_line(line, asserted);
        if !self.exchange(ANSWER, |telnet| telnet.line_is_set(line)).await? {
            tracing::debug!("{line} was set without an acknowledgement");
        }
        Ok(())
    }

    async fn purged(&mut self) -> io::Result<()> {
        if self.telnet.has_port() {
            self.telnet.purge();
            self.exchange(ANSWER, Telnet::is_purged).await?;
        }
        Ok(())
    }

    /// Writes what there is and reads until something is so: whether it is.
    async fn exchange(
        &mut self,
        patience: Duration,
        done: impl Fn(&Telnet) -> bool,
    ) -> io::Result<bool> {
        let deadline = Instant::now() + patience;
        let mut buffer = [0; 1024];
        loop {
            self.outbox.extend(self.telnet.take_output());
            let write = self.stream.write_all(&self.outbox);
            if timeout_at(deadline, write).await.is_err() {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the bridge takes no bytes"));
            }
            self.outbox.clear();
            if done(&self.telnet) {
                return Ok(true);
            }
            match timeout_at(deadline, self.stream.read(&mut buffer)).await {
                Err(_) => return Ok(false),
                Ok(Ok(0)) => {
                    let text = "the bridge has closed the connection: is its port in use?";
                    return Err(io::Error::new(io::ErrorKind::ConnectionAborted, text));
                }
                Ok(read) => self.telnet.received(&buffer[..read?], &mut self.inbox),
            }
        }
    }

    fn poll_outbox(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.outbox.extend(self.telnet.take_output());
        while !self.outbox.is_empty() {
            let n = ready!(Pin::new(&mut self.stream).poll_write(cx, &self.outbox))?;
            if n == 0 {
                return Poll::Ready(Err(io::ErrorKind::WriteZero.into()));
            }
            self.outbox.drain(..n);
        }
        Poll::Ready(Ok(()))
    }
}

fn no_port() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "the bridge does not do what RFC 2217 asks for")
}

impl Transport for RemotePort {
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        if self.telnet.has_port() { Some(self) } else { None }
    }

    fn caveat(&self) -> Option<&str> {
        self.caveat.as_deref()
    }
}

impl PortControl for RemotePort {
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(self.line(line, asserted))
    }

    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.far.idle().await;
            self.telnet.set_format(format);
            self.far.set_baud(format.baud);
            self.settle().await?;
            if let Some(caveat) = &self.caveat {
                tracing::warn!("{format}: {caveat}");
            }
            Ok(())
        })
    }

    fn purge(&mut self) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.purged().await?;
            self.inbox.clear();
            Ok(())
        })
    }
}

impl AsyncRead for RemotePort {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let port = self.get_mut();
        loop {
            // Answers of ours to the bridge; what does not fit now goes with the next.
            let _ = port.poll_outbox(cx)?;
            if !port.inbox.is_empty() {
                let n = buf.remaining().min(port.inbox.len());
                buf.put_slice(&port.inbox[..n]);
                port.inbox.drain(..n);
                return Poll::Ready(Ok(()));
            }
            let mut bytes = [0; 1024];
            let mut read = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut port.stream).poll_read(cx, &mut read))?;
            if read.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            port.telnet.received(read.filled(), &mut port.inbox);
        }
    }
}

impl AsyncWrite for RemotePort {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let port = self.get_mut();
        // What is accepted is as good as sent: no more than one write waits here.
        ready!(port.poll_outbox(cx))?;
        port.telnet.write(bytes);
        port.far.written(bytes.len());
        let _ = port.poll_outbox(cx)?;
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.get_mut().poll_outbox(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
