//! The board on a pseudo terminal: for a host it is a serial port.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, fcntl_setfl};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::wire::{Delivery, Wire};

/// What a host writes within this time belongs together.
const TOGETHER: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };

/// Opens the terminal and serves from threads of its own. Gives the terminal's path.
pub(crate) fn serve(wire: &Arc<Wire>) -> io::Result<PathBuf> {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
    grantpt(&controller)?;
    unlockpt(&controller)?;
    let name = ptsname(&controller, Vec::new())?;
    let path = PathBuf::from(name.into_string().map_err(io::Error::other)?);
    // Held open: a host that closes the port and opens it again finds the same board.
    let terminal =
        rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
    let mut settings = tcgetattr(&terminal)?;
    settings.make_raw();
    tcsetattr(&terminal, OptionalActions::Now, &settings)?;
    // A host that does not read loses what the port cannot hold, as with a UART.
    fcntl_setfl(&controller, OFlags::NONBLOCK)?;
    let reader = File::from(controller.try_clone()?);
    thread::Builder::new().name("to-host".to_owned()).spawn({
        let wire = Arc::clone(wire);
        move || deliver(&wire, File::from(controller))
    })?;
    thread::Builder::new().name("to-board".to_owned()).spawn({
        let wire = Arc::clone(wire);
        move || listen(&wire, reader, &terminal)
    })?;
    Ok(path)
}

/// Makes a symbolic link to the terminal; a link that is there already is replaced, anything else
/// is not.
pub(crate) fn link(path: &Path, terminal: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(there) if there.is_symlink() => std::fs::remove_file(path)?,
        _ => {}
    }
    std::os::unix::fs::symlink(terminal, path)
}

fn listen(wire: &Wire, mut reader: File, _held: &OwnedFd) {
    let mut buffer = [0; 1024];
    let mut partial = false;
    loop {
        let mut ready = [PollFd::new(&reader, PollFlags::IN)];
        match poll(&mut ready, partial.then_some(&TOGETHER)) {
            Ok(0) => {
                wire.host_pauses();
                partial = false;
                continue;
            }
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return eprintln!("board-sim: the terminal failed: {error}"),
        }
        match reader.read(&mut buffer) {
            Ok(length) => partial = wire.host_says(&buffer[..length]),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(error) => return eprintln!("board-sim: the terminal failed: {error}"),
        }
    }
}

fn deliver(wire: &Wire, mut writer: File) {
    loop {
        match wire.next_for_host() {
            // What does not fit is lost.
            Delivery::Bytes(bytes) => drop(writer.write(&bytes)),
            // A cable that comes loose for a moment is the fault `run`.
            Delivery::Drop => {}
        }
    }
}
