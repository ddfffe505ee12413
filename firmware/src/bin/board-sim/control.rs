//! The wires without bytes, from outside: a socket that takes orders by the line.
//!
//! A pseudo terminal has no modem lines that its other end could see, so buttons and jumpers need a
//! way of their own.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::wire::Wire;

/// No order is as long as this.
const LONGEST: u64 = 256;

/// After a failure to accept, before the next attempt.
const PATIENCE: Duration = Duration::from_millis(500);

/// Where orders come in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

impl Place {
    /// An address if it is one, else the path of a socket.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(address) => Ok(Self::Tcp(address)),
            Err(_) if text.is_empty() => Err("an address or a path is needed".to_owned()),
            Err(_) => Ok(Self::Unix(PathBuf::from(text))),
        }
    }
}

/// Listens, and serves from threads of its own. Gives the place; a path is to be removed at the
/// end.
pub(crate) fn serve(place: &Place, wire: &Arc<Wire>) -> io::Result<Place> {
    match place {
        Place::Tcp(address) => {
            let listener = TcpListener::bind(address)?;
            let address = listener.local_addr()?;
            accept(move || listener.accept().map(|(stream, _)| stream), wire)?;
            Ok(Place::Tcp(address))
        }
        Place::Unix(path) => {
            remove_old(path)?;
            let listener = UnixListener::bind(path)?;
            accept(move || listener.accept().map(|(stream, _)| stream), wire)?;
            Ok(place.clone())
        }
    }
}

/// A socket that nobody listens on any more is left by a board that was killed.
fn remove_old(path: &Path) -> io::Result<()> {
    let is_socket = path.symlink_metadata().is_ok_and(|there| there.file_type().is_socket());
    if is_socket && std::os::unix::net::UnixStream::connect(path).is_err() {
        std::fs::remove_file(path)?;
    }
    Ok(())
}

fn accept<S>(next: impl Fn() -> io::Result<S> + Send + 'static, wire: &Arc<Wire>) -> io::Result<()>
where
    S: Send + 'static,
    for<'a> &'a S: Read + Write,
{
    let wire = Arc::clone(wire);
    thread::Builder::new().name("control".to_owned()).spawn(move || {
        loop {
            let wire = Arc::clone(&wire);
            let served = next().and_then(|stream| {
                let builder = thread::Builder::new().name("orders".to_owned());
                builder.spawn(move || listen(&stream, &stream, &wire))
            });
            if let Err(error) = served {
                eprintln!("board-sim: cannot serve the control socket: {error}");
                thread::sleep(PATIENCE);
            }
        }
    })?;
    Ok(())
}

/// Answers orders until there are no more.
fn listen(input: impl Read, mut output: impl Write, wire: &Wire) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        let read = (&mut input).take(LONGEST).read_until(b'\n', &mut line);
        if read.is_err() || line.is_empty() {
            return;
        }
        let answer = match obey(&String::from_utf8_lossy(&line), wire) {
            Ok(answer) => format!("{answer}\n"),
            Err(error) => format!("error: {error}\n"),
        };
        if output.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Does what a line says; gives the answer.
fn obey(line: &str, wire: &Wire) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match *words {
        ["reset"] => wire.lines(|lines| {
            lines.reset();
            if lines.has_power() { Ok(()) } else { Err("there is no power".to_owned()) }
        })?,
        ["boot0", level @ ("0" | "1")] => wire.lines(|lines| lines.set_boot0(level == "1")),
        ["power-cycle"] => wire.lines(|lines| lines.power_cycle()),
        ["cut"] => wire.lines(|lines| lines.cut()),
        ["cut", operations] => {
            let operations = operations.parse().map_err(|_| {
                format!("`{operations}` is not a number of operations of the flash")
            })?;
            wire.lines(|lines| lines.cut_after(operations));
        }
        ["state"] => return Ok(wire.lines(|lines| lines.state())),
        _ => {
            return Err(format!(
                "`{}` is no order; there are reset, boot0 0|1, power-cycle, cut [OPERATIONS], state",
                line.trim().escape_default()
            ));
        }
    }
    Ok("ok".to_owned())
}
