//! `board-sim qemu-guard`: a step between the simulator and QEMU that ties QEMU's life to the
//! simulator's, so that no emulator is left behind when the simulator is killed with SIGKILL.
//!
//! It asks the kernel to be killed when the thread that started it ends, then becomes QEMU (`exec`),
//! which keeps that promise. Doing this in the fork of the simulator itself would need unsafe code.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use rustix::process::{Signal, getppid, set_parent_process_death_signal};

/// The first argument that makes `board-sim` a guard.
const SUBCOMMAND: &str = "qemu-guard";

/// What the arguments ask for, when they are a guard's: `qemu-guard PARENT_PID PROGRAM ARGS...`
pub(crate) fn from_args(args: &[OsString]) -> Option<ExitCode> {
    let [first, rest @ ..] = args else { return None };
    if first != SUBCOMMAND {
        return None;
    }
    let error = match rest {
        [parent, program, args @ ..] => become_it(parent, program, args),
        _ => io::Error::other("this is for board-sim itself"),
    };
    eprintln!("board-sim: QEMU cannot be started: {error}");
    Some(ExitCode::FAILURE)
}

/// Returns only when that failed.
fn become_it(parent: &OsString, program: &OsString, args: &[OsString]) -> io::Error {
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        return error.into();
    }
    // The simulator may have ended before the promise was given.
    let now = getppid().map(|pid| pid.as_raw_pid().to_string());
    if now.as_deref() != parent.to_str() {
        return io::Error::other("board-sim has ended");
    }
    Command::new(program).args(args).exec()
}

/// The command that starts `program` behind a guard. To be started from a thread that does not end
/// before the process does.
pub(crate) fn guarded(program: &str) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(SUBCOMMAND).arg(std::process::id().to_string()).arg(program);
    Ok(command)
}
