//! `rookery engine-guard`: a step between the server and an engine that ties the engine's life to the server's, so that no engine is
//! left behind when the server is killed with SIGKILL.
//!
//! It asks the kernel to be killed when the thread that started it ends, then becomes the engine (`exec`), which keeps that promise.
//! Doing this in the fork of the server itself would need unsafe code.

use rustix::process::{Signal, getppid, set_parent_process_death_signal};
use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::process::CommandExt,
    path::Path,
    process::{Command, ExitCode},
};

/// The first argument that makes `rookery` a guard.
pub const GUARD_SUBCOMMAND: &str = "engine-guard";
/// How a line begins in which the guard says why it could not become the engine.
const GUARD_SAYS: &str = "rookery engine-guard: ";
/// The guard's exit code then, as shells have it.
const GUARD_FAILED: u8 = 127;

/// Becomes the engine. Returns only when that failed; the reason was written to standard error then.
///
/// `parent` is the server's process id: when the server is gone already, nothing is started.
#[must_use]
pub fn guard_main(parent: u32, command: &[OsString]) -> ExitCode {
    let error = become_engine(parent, command);
    eprintln!("{GUARD_SAYS}{error}");
    ExitCode::from(GUARD_FAILED)
}

/// [`guard_main`] for the arguments behind [`GUARD_SUBCOMMAND`]: `PARENT_PID -- PATH ARGS...`
#[must_use]
pub fn guard_from_args(args: &[OsString]) -> ExitCode {
    let parent = args.first().and_then(|a| a.to_str()).and_then(|a| a.parse().ok());
    match (parent, args.get(1..)) {
        (Some(parent), Some([dashes, command @ ..])) if dashes == "--" => {
            guard_main(parent, command)
        }
        _ => {
            eprintln!("{GUARD_SAYS}usage: rookery {GUARD_SUBCOMMAND} PARENT_PID -- PATH ARGS...");
            ExitCode::from(2)
        }
    }
}

fn become_engine(parent: u32, command: &[OsString]) -> io::Error {
    let [program, args @ ..] = command else {
        return io::Error::other("no command was given");
    };
    if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
        // Without the promise the engine still ends with its standard input.
        eprintln!("{GUARD_SAYS}no parent-death signal: {error}");
    }
    // The server may have ended before the promise was given.
    let alive = getppid().is_some_and(|pid| u32::try_from(pid.as_raw_pid()) == Ok(parent));
    if !alive {
        return io::Error::other("the server has ended");
    }
    Command::new(program).args(args).exec()
}

/// The command that starts `program` behind the guard.
pub(super) fn guarded(guard: &Path, program: &Path, args: &[String]) -> Command {
    let mut command = Command::new(guard);
    command
        .arg(GUARD_SUBCOMMAND)
        .arg(std::process::id().to_string())
        .arg("--")
        .arg(OsStr::new(program))
        .args(args);
    command
}

/// Why the guard could not become the engine, where exit code and error output say so.
pub(super) fn failure(code: i32, stderr: &[String]) -> Option<&str> {
    let last = stderr.last().filter(|_| code == i32::from(GUARD_FAILED))?;
    last.strip_prefix(GUARD_SAYS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_guards_own_words_are_its_failure() {
        let said = |line: &str| vec![line.to_owned()];
        assert_eq!(failure(127, &said("rookery engine-guard: No such file")), Some("No such file"));
        assert_eq!(failure(1, &said("rookery engine-guard: No such file")), None);
        assert_eq!(failure(127, &said("sh: not found")), None);
        assert_eq!(failure(127, &[]), None);
    }

    #[test]
    fn nothing_is_started_for_a_server_that_is_gone() {
        // This process is not its own parent.
        let error = become_engine(std::process::id(), &["/bin/true".into()]);
        assert!(error.to_string().contains("ended"), "{error}");
    }
}
