//! A serial port of this machine.

use super::{
    Transport,
    line::{LineOptions, ModemLine, Parity, PortControl, SerialFormat},
    ports,
};
use futures_util::future::BoxFuture;
use rustix::{
    fs::{FlockOperation, Mode, OFlags, flock, open},
    io::Errno,
    termios::{
        ControlModes, InputModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios,
        ioctl_tiocexcl, ioctl_tiocnxcl, tcdrain, tcflush, tcgetattr, tcsetattr,
    },
};
use std::{
    io,
    os::fd::{AsFd, OwnedFd},
    path::{Path, PathBuf},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::timeout,
};

/// What was written is on the wire by then, or the port does not send.
const DRAIN: Duration = Duration::from_secs(5);

/// Where a port is found, again after it was unplugged.
#[derive(Debug)]
pub(super) struct SerialPlace {
    path: PathBuf,
    line: LineOptions,
    by_id: PathBuf,
    restore: bool,
    /// The lasting name of the device that was found at the path: after it was unplugged it may get another number, and its number may be
    /// given to another device.
    name: Option<PathBuf>,
}

impl SerialPlace {
    pub(super) fn new(path: &str, line: LineOptions, by_id: &Path, restore: bool) -> SerialPlace {
        SerialPlace { path: path.into(), line, by_id: by_id.to_owned(), restore, name: None }
    }

    pub(super) fn open(&mut self) -> io::Result<SerialPort> {
        let path = self.name.as_ref().unwrap_or(&self.path);
        let port = SerialPort::open(path, &self.line, self.restore)
            .map_err(|error| in_words(error, &self.path, self.name.as_deref()))?;
        // A link of the user's own choice says itself what it stands for.
        if self.name.is_none() && !self.path.is_symlink() {
            self.name = ports::lasting_name(&self.by_id, &self.path);
        }
        Ok(port)
    }
}

/// What went wrong at opening, and what to do about it.
fn in_words(error: io::Error, path: &Path, name: Option<&Path>) -> io::Error {
    let shown = path.display();
    let text = match (error.kind(), Errno::from_io_error(&error), name) {
        (io::ErrorKind::NotFound, _, Some(name)) => format!(
            "the device that was at {shown} is not plugged in: there is no {}",
            name.display()
        ),
        (io::ErrorKind::NotFound, ..) => {
            format!("there is no {shown}: is the adapter plugged in?")
        }
        (io::ErrorKind::PermissionDenied, ..) => format!(
            "no permission for {shown}: its group, mostly 'dialout', must be one of the user's"
        ),
        (_, Some(Errno::BUSY | Errno::AGAIN), _) => {
            format!("{shown} is in use by another program")
        }
        (_, Some(Errno::NOTTY), _) => format!("{shown} is not a serial port"),
        _ => format!("{shown}: {error}"),
    };
    io::Error::new(error.kind(), text)
}

/// An open port. It is this program's alone until it is dropped.
#[derive(Debug)]
pub(super) struct SerialPort {
    /// For bytes and lines.
    port: serial2_tokio::SerialPort,
    /// The same port, for settings and the lock.
    fd: OwnedFd,
    before: Termios,
    restore: bool,
    caveat: Option<String>,
}

impl SerialPort {
    fn open(path: &Path, line: &LineOptions, restore: bool) -> io::Result<SerialPort> {
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = open(path, flags, Mode::empty())?;
        let before = tcgetattr(&fd)?;
        // The lock is for programs that ask, and binds root as well; the exclusive mode refuses those that do not ask.
        flock(&fd, FlockOperation::NonBlockingLockExclusive)?;
        let port = serial2_tokio::SerialPort::open(path, serial2_tokio::KeepSettings)?;
        ioctl_tiocexcl(&fd)?;
        let mut open = SerialPort { port, fd, before, restore, caveat: None };
        open.apply(line.format)?;
        for (line, level) in line.at_open() {
            match open.set_line_now(line, level) {
                Err(error) if is_pseudo_terminal(&open.fd) => {
                    open.caveat.get_or_insert(format!("{error}, the port being a pseudo terminal"));
                }
                set => set?,
            }
        }
        // What came before is nobody's answer.
        tcflush(&open.fd, QueueSelector::IOFlush)?;
        Ok(open)
    }

    fn apply(&mut self, format: SerialFormat) -> io::Result<()> {
        let fd = &self.fd;
        let mut wanted = tcgetattr(fd)?;
        arrange(&mut wanted, format)?;
        tcsetattr(fd, OptionalActions::Now, &wanted)?;
        // A driver that cannot do something leaves it out without an error.
        let made = read_format(&tcgetattr(fd)?);
        self.caveat = None;
        if !is_close(made, format) {
            let text = format!("the port makes {made} of {format}");
            if !is_pseudo_terminal(fd) {
                return Err(io::Error::new(io::ErrorKind::Unsupported, text));
            }
            // It has no wire, and no use for a parity bit.
            self.caveat = Some(format!("{text}, being a pseudo terminal"));
        }
        Ok(())
    }

    fn set_line_now(&self, line: ModemLine, asserted: bool) -> io::Result<()> {
        let set = match line {
            ModemLine::Dtr => self.port.set_dtr(asserted),
            ModemLine::Rts => self.port.set_rts(asserted),
        };
        set.map_err(|error| io::Error::new(error.kind(), format!("{line} cannot be set: {error}")))
    }

    /// Waits in a thread: there is no other way to wait for this.
    async fn drained(&self) -> io::Result<()> {
        let fd = self.fd.try_clone()?;
        let drained = tokio::task::spawn_blocking(move || tcdrain(fd));
        match timeout(DRAIN, drained).await {
            Ok(Ok(drained)) => Ok(drained?),
            Ok(Err(_)) => Err(io::ErrorKind::Interrupted.into()),
            Err(_) => Err(io::Error::new(
                io::ErrorKind::TimedOut,
                "what was written is not sent within 5 s",
            )),
        }
    }
}

/// Bytes as they are, in this format, and no modem line has a say in it.
fn arrange(termios: &mut Termios, format: SerialFormat) -> io::Result<()> {
    termios.make_raw();
    let flow = InputModes::IXON | InputModes::IXOFF | InputModes::IXANY;
    // A byte with a bad parity bit is delivered: the checksum of its line decides.
    termios.input_modes -= flow | InputModes::INPCK | InputModes::PARMRK | InputModes::IGNBRK;
    termios.special_codes[SpecialCodeIndex::VMIN] = 1;
    termios.special_codes[SpecialCodeIndex::VTIME] = 0;
    let control = &mut termios.control_modes;
    // Without HUPCL the lines stay as they are when the port is closed, and there is no pulse on them when it is opened again.
    *control -= ControlModes::CRTSCTS | ControlModes::HUPCL | ControlModes::CSIZE;
    *control -= ControlModes::PARENB | ControlModes::PARODD | ControlModes::CSTOPB;
    *control |= ControlModes::CLOCAL | ControlModes::CREAD;
    *control |= match format.data_bits {
        7 => ControlModes::CS7,
        _ => ControlModes::CS8,
    };
    *control |= match format.parity {
        Parity::None => ControlModes::empty(),
        Parity::Even => ControlModes::PARENB,
        Parity::Odd => ControlModes::PARENB | ControlModes::PARODD,
    };
    if format.stop_bits == 2 {
        *control |= ControlModes::CSTOPB;
    }
    termios.set_speed(format.baud)?;
    Ok(())
}

/// The format that a port has.
fn read_format(termios: &Termios) -> SerialFormat {
    let control = termios.control_modes;
    let parity =
        match (control.contains(ControlModes::PARENB), control.contains(ControlModes::PARODD)) {
            (false, _) => Parity::None,
            (true, false) => Parity::Even,
            (true, true) => Parity::Odd,
        };
    let data_bits = match control & ControlModes::CSIZE {
        ControlModes::CS7 => 7,
        ControlModes::CS8 => 8,
        ControlModes::CS6 => 6,
        _ => 5,
    };
    let stop_bits = if control.contains(ControlModes::CSTOPB) { 2 } else { 1 };
    SerialFormat { baud: termios.output_speed(), data_bits, parity, stop_bits }
}

/// The same, but for a rate that the port's clock does not divide into evenly.
fn is_close(made: SerialFormat, wanted: SerialFormat) -> bool {
    let off = made.baud.abs_diff(wanted.baud);
    u64::from(off) * 100 <= u64::from(wanted.baud) * 3
        && SerialFormat { baud: wanted.baud, ..made } == wanted
}

fn is_pseudo_terminal(fd: impl AsFd) -> bool {
    rustix::termios::ttyname(fd, Vec::new())
        .is_ok_and(|name| name.to_bytes().starts_with(b"/dev/pts/"))
}

impl Drop for SerialPort {
    fn drop(&mut self) {
        let fd = &self.fd;
        // A port that was unplugged needs neither.
        let _ = ioctl_tiocnxcl(fd);
        if self.restore {
            let _ = tcsetattr(fd, OptionalActions::Now, &self.before);
        }
    }
}

impl Transport for SerialPort {
    fn control(&mut self) -> Option<&mut dyn PortControl> {
        Some(self)
    }

    fn caveat(&self) -> Option<&str> {
        self.caveat.as_deref()
    }
}

impl PortControl for SerialPort {
    fn set_line(&mut self, line: ModemLine, asserted: bool) -> BoxFuture<'_, io::Result<()>> {
        let set = self.set_line_now(line, asserted);
        Box::pin(async { set })
    }

    fn set_format(&mut self, format: SerialFormat) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.drained().await?;
            self.apply(format)
        })
    }

    fn purge(&mut self) -> BoxFuture<'_, io::Result<()>> {
        let purged = tcflush(&self.fd, QueueSelector::IOFlush);
        Box::pin(async move { Ok(purged?) })
    }
}

impl AsyncRead for SerialPort {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Nothing, though it was ready: the device is gone, and this is the end.
        Pin::new(&mut self.get_mut().port).poll_read(cx, buf).map_err(gone)
    }
}

impl AsyncWrite for SerialPort {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().port).poll_write(cx, bytes).map_err(gone)
    }

    fn poll_flush(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

fn gone(error: io::Error) -> io::Error {
    match Errno::from_io_error(&error) {
        Some(Errno::IO | Errno::NXIO | Errno::NODEV) => {
            io::Error::new(error.kind(), "the port is gone: was the adapter unplugged?")
        }
        _ => error,
    }
}

#[cfg(test)]
mod tests;
