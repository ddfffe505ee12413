//! The board on a TCP port, as an ESP makes it: one connection drives it, the next one replaces
//! that, and the board does not notice.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::lines::Lines;
use crate::wire::{Delivery, Wire};

/// What a host writes within this time belongs together.
const TOGETHER: Duration = Duration::from_millis(5);

/// A host that does not read for so long loses what it has not read.
const PATIENCE: Duration = Duration::from_millis(500);

type Current = Arc<Mutex<Option<Arc<TcpStream>>>>;

/// Listens, and serves from threads of its own. Gives the address.
///
/// With `resets` every new connection presses the board's reset button.
pub(crate) fn serve(address: SocketAddr, wire: &Arc<Wire>, resets: bool) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let current = Current::default();
    thread::Builder::new().name("to-host".to_owned()).spawn({
        let (wire, current) = (Arc::clone(wire), Arc::clone(&current));
        move || deliver(&wire, &current)
    })?;
    thread::Builder::new().name("accept".to_owned()).spawn({
        let wire = Arc::clone(wire);
        move || accept(&listener, &wire, &current, resets)
    })?;
    Ok(address)
}

fn accept(listener: &TcpListener, wire: &Arc<Wire>, current: &Current, resets: bool) {
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                if resets {
                    wire.lines(Lines::reset);
                }
                if let Err(error) = begin(stream, wire, current) {
                    eprintln!("board-sim: a connection failed: {error}");
                }
            }
            Err(error) => {
                eprintln!("board-sim: cannot accept: {error}");
                thread::sleep(PATIENCE);
            }
        }
    }
}

fn begin(stream: TcpStream, wire: &Arc<Wire>, current: &Current) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let stream = Arc::new(stream);
    if let Some(old) = set(current, Some(Arc::clone(&stream))) {
        end(&old);
    }
    thread::Builder::new().name("to-board".to_owned()).spawn({
        let (wire, current) = (Arc::clone(wire), Arc::clone(current));
        move || {
            listen(&stream, &wire);
            forget(&current, &stream);
        }
    })?;
    Ok(())
}

/// Passes on what the host says, until it ends.
fn listen(mut stream: &TcpStream, wire: &Wire) {
    let mut buffer = [0; 1024];
    let mut partial = false;
    loop {
        if stream.set_read_timeout(partial.then_some(TOGETHER)).is_err() {
            return;
        }
        match stream.read(&mut buffer) {
            Ok(0) => return wire.host_pauses(),
            Ok(length) => partial = wire.host_says(&buffer[..length]),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    wire.host_pauses();
                    partial = false;
                }
                ErrorKind::Interrupted => {}
                _ => return,
            },
        }
    }
}

fn deliver(wire: &Wire, current: &Current) {
    loop {
        let delivery = wire.next_for_host();
        let stream = lock(current).clone();
        // With nobody there, the bytes go nowhere.
        let Some(stream) = stream else { continue };
        match delivery {
            Delivery::Bytes(bytes) => {
                let failed = (&*stream).write_all(&bytes).is_err();
                if failed {
                    end(&stream);
                    forget(current, &stream);
                }
            }
            Delivery::Drop => {
                end(&stream);
                forget(current, &stream);
            }
        }
    }
}

fn end(stream: &TcpStream) {
    // It may have ended by itself.
    let _ = stream.shutdown(Shutdown::Both);
}

fn lock(current: &Current) -> std::sync::MutexGuard<'_, Option<Arc<TcpStream>>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set(current: &Current, stream: Option<Arc<TcpStream>>) -> Option<Arc<TcpStream>> {
    std::mem::replace(&mut lock(current), stream)
}

/// This connection has ended, unless another has replaced it.
fn forget(current: &Current, stream: &Arc<TcpStream>) {
    let mut current = lock(current);
    if current.as_ref().is_some_and(|now| Arc::ptr_eq(now, stream)) {
        *current = None;
    }
}
