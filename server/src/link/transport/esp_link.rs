//! A bridge with esp-link's program: the bytes at its Telnet port, as they are; rate and format by HTTP; the chip's lines by a Telnet
//! connection of their own.
//!
//! Three things are esp-link's own. A first packet of `?` and a line end, or of `0` and a space, makes it reset the chip for a
//! programmer, and one that begins with `IAC WILL` or `IAC DO` makes it speak Telnet: the first byte of such a packet goes alone. Setting
//! the rate writes its flash: it is asked first. It closes what was silent for five minutes: the session's pings come long before.

mod http;

pub use http::{Page, PageError};

use super::{
    Transport,
    far::FarLine,
    line::{ModemLine, Parity, PortControl, ResetLines, SerialFormat},
    tcp,
    url::HostPort,
};
use futures_util::future::BoxFuture;
use http::{Pages, shown};
use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep, timeout},
};

/// For what esp-link does not always answer.
const ANSWER: Duration = Duration::from_millis(1000);
/// So long the first byte of what could be taken for a greeting is alone: packets that come together are one to it.
const ALONE: Duration = Duration::from_millis(100);

/// Connects. Settings that cannot be made are a caveat and no failure: bytes may flow all the same.
pub(super) async fn open(
    at: &HostPort,
    http: u16,
    format: SerialFormat,
    pins: ResetLines,
) -> io::Result<EspLink> {
    let pages = Pages::new(&at.host, http);
    let caveat = match set_format(&pages, format).await {
        Ok(()) => None,
        Err(error) => Some(format!("{format} could not be set: {error}")),
    };
    let stream = tcp::open(&at.host, at.port).await?;
    let mut bridge = EspLink {
        stream,
        at: at.clone(),
        pages,
        far: FarLine::new(format.baud),
        greeted: false,
        alone: None,
        caveat,
    };
    for (line, level) in pins.at_rest() {
        if let Err(error) = bridge.line(line, level).await {
            bridge.caveat.get_or_insert(format!("{line} could not be set: {error}"));
        }
    }
    if let Some(caveat) = &bridge.caveat {
        tracing::warn!(bridge = %at, "{caveat}");
    }
    Ok(bridge)
}

async fn set_format(pages: &Pages, format: SerialFormat) -> io::Result<()> {
    let rate: u32 = pages.value(&Page::ask("/console/baud", "rate")).await?;
    if rate != format.baud {
        let query = format!("/console/baud?rate={}", format.baud);
        let made: u32 = pages.value(&Page::tell(&query, "rate")).await?;
        if made != format.baud {
            return Err(io::Error::other(format!("it makes {made} baud of it")));
        }
    }
    let shape = format.shape();
    let now: String = pages.value(&Page::ask("/console/fmt", "fmt")).await?;
    // It says E of odd parity as well: then there is no telling, and odd parity is set each time.
    if now != shape || format.parity == Parity::Odd {
        let query = format!("/console/fmt?fmt={shape}");
        let made: String = pages.value(&Page::tell(&query, "fmt")).await?;
        if made != shape.replace('O', "E") {
            return Err(io::Error::other(format!("it makes {} of it", shown(&made))));
        }
    }
    Ok(())
}

/// The connection to the bridge.
#[derive(Debug)]
pub(super) struct EspLink {
    stream: TcpStream,
    at: HostPort,
    pages: Pages,
    far: FarLine,
    /// The first packet has been sent: nothing is taken for a greeting any more.
    greeted: bool,
    /// Runs while nothing may follow the first byte.
    alone: Option<Pin<Box<Sleep>>>,
    caveat: Option<String>,
}

impl EspLink {
    /// Sets a pin of the bridge: DTR asserted is its reset pin at low, RTS asserted its ISP pin at low.
    async fn line(&self, line: ModemLine, asserted: bool) -> io::Result<()> {
        const WILL_COM_PORT: [u8; 3] = [255, 251, 44];
        let code = match (line, asserted) {
            (ModemLine::Dtr, true) => 8,
            (ModemLine::Dtr, false) => 9,
            (ModemLine::Rts, true) => 11,
            (ModemLine::Rts, false) => 12,
        };
        let mut stream = tcp::open(&self.at.host, self.at.port).await?;
        let request = [255, 250, 44, 5, code, 255, 240];
        stream.write_all(&[&WILL_COM_PORT[..], &request].concat()).await?;
        let answered = async {
            let mut answer = LineAnswer::to(code);
            let mut heard = [0; 512];
            loop {
                let length = stream.read(&mut heard).await?;
                if length == 0 {
                    return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
                }
                if answer.is_among(&heard[..length]) {
                    return Ok(());
                }
            }
        };
        match timeout(ANSWER, answered).await {
            Ok(answered) => answered,
            Err(_) => Err(io::Error::new(io::ErrorKind::TimedOut, "esp-link does not answer")),
        }
    }
}

/// The answer to the setting of a line. The board's bytes come as well; it is somewhere among them.
#[derive(Clone, Debug)]
pub struct LineAnswer {
    wanted: [u8; LineAnswer::LEN],
    /// What may be its beginning.
    heard: Vec<u8>,
}

impl LineAnswer {
    const LEN: usize = 7;

    /// To this command of RFC 2217's SET-CONTROL.
    #[must_use]
    pub fn to(code: u8) -> LineAnswer {
        LineAnswer { wanted: [255, 250, 44, 105, code, 255, 240], heard: Vec::new() }
    }

    /// Whether it has come, when these bytes follow.
    pub fn is_among(&mut self, bytes: &[u8]) -> bool {
        self.heard.extend_from_slice(bytes);
        let found = self.heard.windows(LineAnswer::LEN).any(|window| window == self.wanted);
        let passed = self.heard.len().saturating_sub(LineAnswer::LEN - 1);
        self.heard.drain(..passed);
        found
    }
}

/// Whether esp-link takes a first packet of these bytes for something else than bytes for the board.
fn is_greeting(bytes: &[u8]) -> bool {
    matches!(bytes, [b'?' | b'0' | 255, ..])
}

impl Transport for EspLink {
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        Some(self)
    }

    fn caveat(&self) -> Option<&str> {
        self.caveat.as_deref()
    }
}

impl PortControl for EspLink {
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(self.line(line, asserted))
    }

    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.far.idle().await;
            set_format(&self.pages, format).await?;
            self.far.set_baud(format.baud);
            self.caveat = None;
            Ok(())
        })
    }
}

impl AsyncRead for EspLink {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for EspLink {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let bridge = self.get_mut();
        if let Some(alone) = &mut bridge.alone {
            ready!(alone.as_mut().poll(cx));
            bridge.alone = None;
        }
        let first = !bridge.greeted && is_greeting(bytes);
        let bytes = if first { &bytes[..1] } else { bytes };
        let n = ready!(Pin::new(&mut bridge.stream).poll_write(cx, bytes))?;
        bridge.greeted |= n > 0;
        bridge.alone = first.then(|| Box::pin(sleep(ALONE)));
        bridge.far.written(n);
        Poll::Ready(Ok(n))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
