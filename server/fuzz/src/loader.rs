//! The loader in a chip's ROM, as a flash meets it: one that says anything, and a real one behind a line that does any harm.

#[path = "../../tests/flash_support/line.rs"]
#[allow(dead_code)]
mod line;
#[path = "../../tests/flash_support/rom.rs"]
#[allow(dead_code)]
mod rom;

use futures_util::future::BoxFuture;
use line::{Harm, Line, Strike, Way};
use rom::Rom;
use rookery_server::{
    flash::{FlashError, FlashOptions, Image, Mode, Opener, chip::Region, flash},
    link::{Timing, transport::Transport},
};
use std::{
    io,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, DuplexStream, ReadBuf},
    runtime::{Builder, Runtime},
    time::Instant,
};
use tokio_util::sync::CancellationToken;

/// No flash takes longer: every step of it has an end to its patience.
const LONGEST: Duration = Duration::from_secs(3600);
/// Strikes on one flash. Many more are a line over which nothing can be done.
const STRIKES: usize = 24;

/// Virtual time: a flash over a dead line takes minutes of it.
fn run<T>(work: impl Future<Output = T>) -> T {
    let builder = Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime: Runtime = builder.expect("a runtime");
    runtime.block_on(work)
}

/// A program of some bytes that the chip would start, different for every number.
fn program(number: u8, size: usize) -> Vec<u8> {
    let mut bytes: Vec<u8> = (0..size).map(|at| (at as u8).wrapping_mul(31) ^ number).collect();
    bytes[..8].copy_from_slice(&[0x00, 0x28, 0x00, 0x20, 0x09, 0x01, 0x00, 0x08]);
    bytes
}

async fn flashed(opener: &mut dyn Opener, image: &Image, mode: Mode) -> Result<(), FlashError> {
    let (begun, cancel) = (Instant::now(), CancellationToken::new());
    let options = FlashOptions { mode, ..FlashOptions::default() };
    let emit = &mut |_| {};
    let done = flash(opener, Timing::WIRE, None, image, &options, emit, &cancel).await;
    assert!(begun.elapsed() < LONGEST, "{:?}", begun.elapsed());
    done.map(drop)
}

/// The line does what the data says to single bytes, three of them a strike: whatever happens, nothing but a whole program could ever be
/// started, and a flash that says that it is done is.
pub fn harm(data: &[u8]) {
    let (old, new) = (program(1, 2600), program(2, 1800));
    let mut at = [0; 2];
    let strikes = data.chunks_exact(3).take(STRIKES).map(|chunk| {
        let way = if chunk[0] & 1 == 0 { Way::ToChip } else { Way::FromChip };
        at[way as usize] += u64::from(chunk[0] >> 1) + 128 * u64::from(chunk[1] >> 5);
        let harm = match chunk[1] % 6 {
            0 | 1 => Harm::Lose,
            2 => Harm::Flip(chunk[2] % 8),
            3 => Harm::Double,
            4 => Harm::Stall(Duration::from_millis(10 * u64::from(chunk[2]))),
            _ => Harm::Drop,
        };
        Strike { way, at: at[way as usize], harm }
    });
    let strikes: Vec<Strike> = strikes.collect();
    run(async {
        let line = Line::to(Rom::with(&old)).struck(&strikes);
        line.look(|rom| rom.whole.push(new.clone()));
        let image = Image::read(&new, Region::APPLICATION).expect("an image");
        let done = flashed(&mut line.clone(), &image, Mode::Write).await;
        line.look(|rom| {
            assert_eq!(rom.halves, 0, "half a program would have started");
            assert!(done.is_err() || rom.holds(&new), "it says that it is done");
        });
    });
}

/// The other end says what the data says, so many bytes to each thing that it hears: the flash comes to an end, and its end has words.
pub fn answers(data: &[u8]) {
    run(async {
        let image = Image::read(&program(2, 600), Region::APPLICATION).expect("an image");
        for mode in [Mode::Write, Mode::Verify] {
            let mut stranger = Stranger(Arc::new(Mutex::new(data.to_vec())));
            if let Err(error) = flashed(&mut stranger, &image, mode).await {
                assert!(!error.to_string().is_empty());
            }
        }
    });
}

/// What is left to be said.
#[derive(Clone)]
struct Stranger(Arc<Mutex<Vec<u8>>>);

impl Stranger {
    /// A length, and as many bytes.
    fn next(&self) -> Vec<u8> {
        let mut left = self.0.lock().expect("no panic");
        if left.is_empty() {
            return Vec::new();
        }
        let length = usize::from(left.remove(0)).min(left.len());
        left.drain(..length).collect()
    }
}

impl Opener for Stranger {
    fn open(&mut self) -> BoxFuture<'_, io::Result<Box<dyn Transport>>> {
        let (ours, mut theirs) = tokio::io::duplex(4096);
        let stranger = self.clone();
        tokio::spawn(async move {
            let mut buffer = [0; 1024];
            while let Ok(1..) = theirs.read(&mut buffer).await {
                if theirs.write_all(&stranger.next()).await.is_err() {
                    return;
                }
            }
        });
        Box::pin(async { Ok(Box::new(Bytes(ours)) as Box<dyn Transport>) })
    }
}

struct Bytes(DuplexStream);

impl Transport for Bytes {}

impl AsyncRead for Bytes {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Bytes {
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
