//! The wires without bytes, from outside: a socket that takes orders by the line.
//!
//! A pseudo terminal has no modem lines that its other end could see, so buttons and jumpers need a
//! way of their own.

use std::io::{self, Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::order::{Order, Orders};
use crate::place::Place;
use crate::wire::Wire;

/// After a failure to accept, before the next attempt.
const PATIENCE: Duration = Duration::from_millis(500);

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
    for order in Orders::new(input) {
        let answer = match order.and_then(|order| obey(order, wire)) {
            Ok(answer) => format!("{answer}\n"),
            Err(error) => format!("error: {error}\n"),
        };
        if output.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Does what is ordered; gives the answer.
fn obey(order: Order, wire: &Wire) -> Result<String, String> {
    match order {
        Order::Reset => wire.lines(|lines| {
            lines.reset();
            if lines.has_power() { Ok(()) } else { Err("there is no power".to_owned()) }
        })?,
        Order::Boot0(high) => wire.lines(|lines| lines.set_boot0(high)),
        Order::PowerCycle => wire.lines(|lines| lines.power_cycle()),
        Order::Cut => wire.lines(|lines| lines.cut()),
        Order::CutAfter(operations) => wire.lines(|lines| lines.cut_after(operations)),
        Order::State => return Ok(wire.lines(|lines| lines.state())),
    }
    Ok("ok".to_owned())
}
