//! The image in an emulated chip: `qemu-system-arm -M stm32vldiscovery`, with its serial port on
//! the simulator's wire, faults included.
//!
//! That machine has a CPU, a serial port and 8 KB of RAM where the board's chip has 10 KB, so it
//! takes an image that was linked for it. A reset that the program makes itself stays inside.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rookery_board::Port;
use rookery_protocol::ResetCause;
use rustix::fs::{MemfdFlags, OFlags, fcntl_setfl, memfd_create};

use crate::guard;
use crate::lines::Lines;
use crate::wire::Wire;

/// How the kind of board begins in images for this machine.
pub(crate) const BOARD: &str = "qemu";

const PROGRAM: &str = "qemu-system-arm";

/// How long a reset waits at most.
const NAP: Duration = Duration::from_millis(100);

/// A line longer than this is passed on in parts.
const LONGEST: usize = 256;

/// Whether it is there at all.
pub(crate) fn check() -> Result<(), String> {
    let output = Command::new(PROGRAM).arg("--version").stdin(Stdio::null()).output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{PROGRAM} --version ends with {}", output.status)),
        Err(error) => Err(format!("{PROGRAM} cannot be run: {error}; install QEMU for ARM")),
    }
}

/// Runs it until the chip is reset from outside. To be called from the main thread, whose end ends
/// it.
pub(crate) fn run(flash: &[u8], wire: &Arc<Wire>) -> io::Result<ResetCause> {
    // In memory alone: nothing is left behind, however this ends. Inherited, therefore not CLOEXEC.
    let mut image = File::from(memfd_create("flash", MemfdFlags::empty())?);
    image.write_all(flash)?;
    let mut child = guard::guarded(PROGRAM)?
        .args(["-M", "stm32vldiscovery", "-nographic", "-monitor", "none"])
        .args(["-chardev", "stdio,id=serial,signal=off", "-serial", "chardev:serial"])
        .args(["-kernel", &format!("/proc/self/fd/{}", image.as_raw_fd())])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    drop(image);
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("no pipes"));
    };
    let listener = thread::Builder::new().name("qemu".to_owned()).spawn({
        let wire = Arc::clone(wire);
        move || listen(output, &wire)
    });
    let ended = listener.and_then(|listener| {
        let ended = drive(&mut child, input, wire);
        // It may have ended by itself.
        let _ = child.kill();
        // Nothing of what it has said comes later than its end.
        let _ = listener.join();
        ended
    });
    let _ = child.kill();
    let _ = child.wait();
    ended
}

fn drive(child: &mut Child, mut input: ChildStdin, wire: &Wire) -> io::Result<ResetCause> {
    // What a program that hangs does not take is lost, as with a UART.
    fcntl_setfl(&input, OFlags::NONBLOCK)?;
    loop {
        if let Some(cause) = wire.lines(Lines::take_reset_if_any) {
            return Ok(cause);
        }
        if let Some(status) = child.try_wait()? {
            return Err(io::Error::other(format!("QEMU has ended by itself with {status}")));
        }
        let heard: Vec<u8> = std::iter::from_fn(|| (&mut &*wire).read()).collect();
        match input.write(&heard) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            // Its end is noticed above.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            Err(error) => return Err(error),
        }
        wire.wait_for_host(NAP);
    }
}

/// Passes on what it says, line by line, as faults strike lines.
fn listen(mut output: ChildStdout, wire: &Wire) {
    let mut buffer = [0; 512];
    let mut line = Vec::new();
    loop {
        let length = match output.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => length,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(_) => return,
        };
        for &byte in &buffer[..length] {
            line.push(byte);
            let ends = byte == b'\n' && line.iter().any(|&byte| byte != b'\n');
            if ends || line.len() >= LONGEST {
                (&mut &*wire).write(&line);
                line.clear();
            }
        }
    }
}
