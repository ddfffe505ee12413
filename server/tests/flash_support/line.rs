//! The line to a chip, which strikes single bytes, or any of them.

use super::rom::Rom;
use futures_util::future::BoxFuture;
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};
use rookery_server::{
    flash::Opener,
    link::transport::{ModemLine, PortControl, SerialFormat, Transport},
};
use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};
use tokio::io::{
    AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, ReadBuf,
};

/// Which way a byte goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    ToChip,
    FromChip,
}

/// What happens to a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Harm {
    Lose,
    Flip(u8),
    Double,
    /// It and everything behind it comes later.
    Stall(Duration),
    /// It is lost, and the connection with it.
    Drop,
}

/// One byte of a session, and what happens to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strike {
    pub(crate) way: Way,
    pub(crate) at: u64,
    pub(crate) harm: Harm,
}

/// A line and the chip behind it; it is opened again and again.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) rom: Arc<Mutex<Rom>>,
    state: Arc<Mutex<State>>,
}

struct State {
    strikes: Vec<Strike>,
    /// How often each byte is struck, by chance.
    rate: f64,
    rng: StdRng,
    seen: [u64; 2],
    /// What the chip says by itself, as soon as the line is open.
    said: Vec<u8>,
    opened: u64,
    /// DTR pulls BOOT0 up and RTS holds the reset, where they are wired.
    wired: bool,
    boot0: bool,
    held: bool,
    format: Option<SerialFormat>,
}

impl Line {
    pub(crate) fn to(rom: Rom) -> Line {
        let state = State {
            strikes: Vec::new(),
            rate: 0.0,
            rng: StdRng::seed_from_u64(0),
            seen: [0; 2],
            said: Vec::new(),
            opened: 0,
            wired: false,
            boot0: false,
            held: false,
            format: None,
        };
        Line { rom: Arc::new(Mutex::new(rom)), state: Arc::new(Mutex::new(state)) }
    }

    pub(crate) fn struck(self, strikes: &[Strike]) -> Line {
        self.state.lock().expect("no panic").strikes = strikes.to_vec();
        self
    }

    pub(crate) fn bad(self, rate: f64, seed: u64) -> Line {
        {
            let mut state = self.state.lock().expect("no panic");
            (state.rate, state.rng) = (rate, StdRng::seed_from_u64(seed));
        }
        self
    }

    pub(crate) fn saying(self, bytes: &[u8]) -> Line {
        self.state.lock().expect("no panic").said = bytes.to_vec();
        self
    }

    pub(crate) fn wired(self) -> Line {
        self.state.lock().expect("no panic").wired = true;
        self
    }

    /// Whether BOOT0 is high, whether the reset is held, and the format that was set.
    pub(crate) fn pins(&self) -> (bool, bool, Option<SerialFormat>) {
        let state = self.state.lock().expect("no panic");
        (state.boot0, state.held, state.format)
    }

    /// Bytes that went to the chip and came from it.
    pub(crate) fn seen(&self) -> [u64; 2] {
        self.state.lock().expect("no panic").seen
    }

    pub(crate) fn opened(&self) -> u64 {
        self.state.lock().expect("no panic").opened
    }

    pub(crate) fn look<T>(&self, look: impl FnOnce(&mut Rom) -> T) -> T {
        look(&mut self.rom.lock().expect("no panic"))
    }

    /// What arrives of bytes that are sent, and whether the connection is lost behind them.
    async fn carry(&self, way: Way, bytes: &[u8]) -> (Vec<u8>, bool) {
        let mut arrived = Vec::new();
        for &byte in bytes {
            let harm = self.harm(way);
            match harm {
                None => arrived.push(byte),
                Some(Harm::Lose) => {}
                Some(Harm::Flip(bit)) => arrived.push(byte ^ 1 << bit),
                Some(Harm::Double) => arrived.extend([byte; 2]),
                Some(Harm::Stall(time)) => {
                    tokio::time::sleep(time).await;
                    arrived.push(byte);
                }
                Some(Harm::Drop) => return (arrived, true),
            }
        }
        (arrived, false)
    }

    fn harm(&self, way: Way) -> Option<Harm> {
        let mut state = self.state.lock().expect("no panic");
        let at = state.seen[way as usize];
        state.seen[way as usize] += 1;
        let strike = state.strikes.iter().find(|strike| strike.way == way && strike.at == at);
        if let Some(strike) = strike {
            return Some(strike.harm);
        }
        let rate = state.rate;
        if rate == 0.0 || !state.rng.random_bool(rate) {
            return None;
        }
        let bit = state.rng.random_range(0..8);
        let millis = state.rng.random_range(1..400);
        Some(match state.rng.random_range(0..4) {
            0 => Harm::Lose,
            1 => Harm::Flip(bit),
            2 => Harm::Double,
            _ => Harm::Stall(Duration::from_millis(millis)),
        })
    }

    async fn serve(self, mut end: DuplexStream) {
        let said = std::mem::take(&mut self.state.lock().expect("no panic").said);
        let _ = end.write_all(&said).await;
        let mut buffer = [0; 1024];
        while let Ok(n @ 1..) = end.read(&mut buffer).await {
            let (arrived, lost) = self.carry(Way::ToChip, &buffer[..n]).await;
            let mut answers = Vec::new();
            for byte in arrived {
                answers.extend(self.rom.lock().expect("no panic").feed(byte));
            }
            let (answers, lost_too) = self.carry(Way::FromChip, &answers).await;
            if lost || end.write_all(&answers).await.is_err() || lost_too {
                return;
            }
        }
    }
}

impl Opener for Line {
    fn open(&mut self) -> BoxFuture<'_, io::Result<Box<dyn Transport>>> {
        let (ours, theirs) = tokio::io::duplex(4096);
        self.state.lock().expect("no panic").opened += 1;
        tokio::spawn(self.clone().serve(theirs));
        let end = End(ours, self.clone());
        Box::pin(async { Ok(Box::new(end) as Box<dyn Transport>) })
    }
}

struct End(DuplexStream, Line);

impl Transport for End {
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        let wired = self.1.state.lock().expect("no panic").wired;
        wired.then_some(self as &mut dyn PortControl)
    }
}

impl PortControl for End {
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>> {
        let mut state = self.1.state.lock().expect("no panic");
        match line {
            ModemLine::Dtr => state.boot0 = asserted,
            ModemLine::Rts => {
                let released = std::mem::replace(&mut state.held, asserted) && !asserted;
                let mut rom = self.1.rom.lock().expect("no panic");
                match (released, state.boot0) {
                    (true, true) => rom.reset(),
                    (true, false) => rom.start(),
                    (false, _) => {}
                }
            }
        }
        Box::pin(async { Ok(()) })
    }

    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>> {
        self.1.state.lock().expect("no panic").format = Some(format);
        Box::pin(async { Ok(()) })
    }
}

impl AsyncRead for End {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for End {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
