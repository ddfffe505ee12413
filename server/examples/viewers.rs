//! Viewers of a live game by the thousand, for `bench/viewers.py`: one thread, no more work a message than to find its number, and the
//! kernel's own time of its arrival, so that the figures are those of the server and not of this program.
//!
//!     viewers ADDRESS
//!
//! Commands come on standard input, one a line; each answers with one line of JSON. `watch N`: so many viewers in all, once each has its
//! snapshot. `measure SECONDS`: what they get meanwhile. `slow N RATE`: so many more, which read RATE bytes a second, 0 for none at all.

use anyhow::Context as _;
use nix::{
    cmsg_space,
    sys::{
        socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt},
        time::TimeSpec,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    cell::RefCell,
    io::{self, IoSliceMut, Read, Write},
    net::{SocketAddr, TcpStream},
    os::fd::AsRawFd as _,
    rc::Rc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};
use tokio::{
    io::{AsyncBufReadExt as _, BufReader, Interest},
    sync::mpsc,
    task::{LocalSet, spawn_local},
};
use tokio_tungstenite::tungstenite::{
    Error, Message, WebSocket, client::client_with_config, protocol::WebSocketConfig,
};

/// A viewer's connection that knows when what was read last arrived at this machine's end.
struct Stamped {
    stream: TcpStream,
    arrived: TimeSpec,
}

impl Read for Stamped {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut space = cmsg_space!(TimeSpec);
        let mut into = [IoSliceMut::new(buffer)];
        let fd = self.stream.as_raw_fd();
        let read = recvmsg::<()>(fd, &mut into, Some(&mut space), MsgFlags::empty())?;
        for message in read.cmsgs()? {
            if let ControlMessageOwned::ScmTimestampns(time) = message {
                self.arrived = time;
            }
        }
        Ok(read.bytes)
    }
}

impl Write for Stamped {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// What is read of a message.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    seq: u64,
    at: Option<i64>,
}

/// What all viewers got since the last question.
#[derive(Default)]
struct Got {
    /// From the announcement to the arrival, in microseconds; `at` has whole milliseconds, so up to one of them is too much.
    delays: Vec<u32>,
    /// From the arrival to here: what this program adds for itself.
    own: Vec<u32>,
    bytes: u64,
    /// Snapshots of viewers that were behind.
    renewed: u64,
    newest: u64,
    /// Viewers that were ended by the server, and why the first one was.
    lost: Vec<String>,
}

type Shared = Rc<RefCell<Got>>;

fn connect(address: SocketAddr) -> anyhow::Result<WebSocket<Stamped>> {
    let stream = TcpStream::connect(address)?;
    setsockopt(&stream, sockopt::ReceiveTimestampns, &true)?;
    let arrived = TimeSpec::new(0, 0);
    let config = WebSocketConfig::default().read_buffer_size(4096);
    let url = format!("ws://{address}/ws");
    let stamped = Stamped { stream, arrived };
    let (socket, _) = client_with_config(url, stamped, Some(config)).context("no WebSocket")?;
    socket.get_ref().stream.set_nonblocking(true)?;
    Ok(socket)
}

fn micros(time: Duration) -> u32 {
    u32::try_from(time.as_micros()).unwrap_or(u32::MAX)
}

/// Reads what there is; says after the first message that the viewer is ready.
async fn watch(mut socket: WebSocket<Stamped>, got: Shared, ready: mpsc::UnboundedSender<()>) {
    // The same socket under another number: the reactor's part of it.
    let ear = socket.get_ref().stream.try_clone().and_then(tokio::net::TcpStream::from_std);
    let ear = ear.expect("a socket that can be waited for");
    let mut last = None;
    loop {
        let read = match socket.read() {
            Ok(message) => see(&message, &socket, &mut last, &got),
            Err(Error::Io(error)) if error.kind() == io::ErrorKind::WouldBlock => {
                ear.readable().await.expect("the reactor lives");
                // Whatever comes after this is announced anew, and all before it is read at once.
                let _ = ear.try_io(Interest::READABLE, || Err::<(), _>(error));
                continue;
            }
            Err(error) => Err(error.to_string()),
        };
        match read {
            Ok(true) => drop(ready.send(())),
            Ok(false) => {}
            Err(why) => {
                got.borrow_mut().lost.push(why);
                return;
            }
        }
    }
}

/// Counts a message; whether it is the viewer's first.
fn see(
    message: &Message,
    socket: &WebSocket<Stamped>,
    last: &mut Option<u64>,
    got: &Shared,
) -> Result<bool, String> {
    let Message::Text(text) = message else { return Ok(false) };
    let head: Head<'_> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut got = got.borrow_mut();
    got.bytes += text.len() as u64;
    got.newest = got.newest.max(head.seq);
    let before = last.replace(head.seq);
    match (head.kind, before, head.at) {
        ("delta", Some(before), Some(at)) if head.seq == before + 1 => {
            let arrived = Duration::from(socket.get_ref().arrived);
            let announced = Duration::from_millis(at.unsigned_abs());
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            got.delays.push(micros(arrived.saturating_sub(announced)));
            got.own.push(micros(now.saturating_sub(arrived)));
            Ok(false)
        }
        ("snapshot", None, _) => Ok(true),
        ("snapshot", Some(before), _) if head.seq >= before => {
            got.renewed += 1;
            Ok(false)
        }
        _ => Err(format!("{} {} after {before:?}", head.kind, head.seq)),
    }
}

/// Reads `rate` bytes a second, which may be none.
async fn dawdle(socket: WebSocket<Stamped>, rate: usize) {
    let mut second = tokio::time::interval(Duration::from_secs(1));
    let mut bytes = vec![0; rate];
    let mut stream = &socket.get_ref().stream;
    loop {
        second.tick().await;
        if rate > 0 && matches!(stream.read(&mut bytes), Ok(0)) {
            return;
        }
    }
}

/// The value below which such a part of them is.
fn quantile(values: &mut [u32], part: f64) -> u32 {
    if values.is_empty() {
        return 0;
    }
    let index = ((values.len() as f64 * part) as usize).min(values.len() - 1);
    *values.select_nth_unstable(index).1
}

fn report(got: &mut Got, viewers: usize, begun: Instant, first: u64) -> Value {
    json!({
        "viewers": viewers, "seconds": begun.elapsed().as_secs_f64(), "deltas": got.newest - first, "receipts": got.delays.len(),
        "bytes": got.bytes, "renewed": got.renewed, "lost": got.lost,
        "p50_us": quantile(&mut got.delays, 0.5), "p99_us": quantile(&mut got.delays, 0.99), "max_us": quantile(&mut got.delays, 1.0),
        "own_p50_us": quantile(&mut got.own, 0.5), "own_p99_us": quantile(&mut got.own, 0.99),
    })
}

async fn obey(address: SocketAddr) -> anyhow::Result<()> {
    let got = Shared::default();
    let mut viewers = 0;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let words: Vec<&str> = line.split_whitespace().collect();
        let answer = match words[..] {
            ["watch", count] => {
                let begun = Instant::now();
                let (ready, mut readies) = mpsc::unbounded_channel();
                let wanted: usize = count.parse()?;
                for _ in viewers..wanted {
                    let socket = tokio::task::spawn_blocking(move || connect(address)).await??;
                    spawn_local(watch(socket, Rc::clone(&got), ready.clone()));
                }
                drop(ready);
                for _ in viewers..wanted {
                    readies.recv().await.context("the viewers are gone")?;
                }
                viewers = wanted.max(viewers);
                json!({"viewers": viewers, "seconds": begun.elapsed().as_secs_f64()})
            }
            ["measure", seconds] => {
                let first = got.borrow().newest;
                *got.borrow_mut() = Got { newest: first, ..Got::default() };
                let begun = Instant::now();
                tokio::time::sleep(Duration::from_secs_f64(seconds.parse()?)).await;
                report(&mut got.borrow_mut(), viewers, begun, first)
            }
            ["slow", count, rate] => {
                let (count, rate): (usize, usize) = (count.parse()?, rate.parse()?);
                for _ in 0..count {
                    let socket = tokio::task::spawn_blocking(move || connect(address)).await??;
                    // What is not read stays with the server.
                    setsockopt(&socket.get_ref().stream, sockopt::RcvBuf, &4096)?;
                    spawn_local(dawdle(socket, rate));
                }
                json!({"slow": count})
            }
            _ => anyhow::bail!("not understood: '{line}'"),
        };
        println!("{answer}");
    }
    Ok(())
}

fn main() -> anyhow::Result<()> {
    let address = std::env::args().nth(1).context("the server's address is missing")?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, obey(address.parse()?))
}
