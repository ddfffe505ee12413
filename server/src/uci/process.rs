//! An engine's process: pipes, process group, and its end, which is always followed by the reaping. Knows nothing of UCI.
//!
//! The process leads a group of its own: Ctrl-C in the server's terminal does not reach it, and what it starts itself ends with it.
//! The group is killed before its leader is reaped, never after: only so is the group's number certain to be still this one's.

use super::{
    error::Ended,
    nursery,
    reader::LineReader,
    stderr::{StderrLog, Tail},
};
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};
use std::{
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    process::{Child, Command, ExitStatus, Stdio},
    time::Duration,
};
use tokio::{
    io::{Interest, unix::AsyncFd},
    process::{ChildStderr, ChildStdin, ChildStdout},
    time::{Instant, sleep, sleep_until, timeout},
};

/// A killed process is gone at once, unless the kernel holds it in a system call.
const KILL_PATIENCE: Duration = Duration::from_secs(2);
/// For the last lines of error output.
const STDERR_PATIENCE: Duration = Duration::from_millis(200);
/// Where the kernel has no pidfd.
const POLL_EVERY: Duration = Duration::from_millis(5);

pub(super) struct Process {
    pub(super) leader: Leader,
    pub(super) stdin: ChildStdin,
    pub(super) lines: LineReader<ChildStdout>,
    pub(super) stderr: StderrLog,
}

impl Process {
    pub(super) async fn start(mut command: Command, name: String) -> io::Result<Process> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let mut child = nursery::start(command).await?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let leader = Leader::new(child)?;
        let missing = || io::Error::other("the process has no pipes");
        let id = leader.id();
        Ok(Process {
            leader,
            stdin: ChildStdin::from_std(stdin.ok_or_else(missing)?)?,
            lines: LineReader::new(ChildStdout::from_std(stdout.ok_or_else(missing)?)?),
            stderr: StderrLog::follow(
                ChildStderr::from_std(stderr.ok_or_else(missing)?)?,
                name,
                id,
            ),
        })
    }

    /// Gives the process `patience` to end by itself, kills what is left of its group and reaps it. Output is read and dropped
    /// meanwhile, so that a full pipe does not keep it from ending.
    pub(super) async fn finish(mut self, patience: Duration) -> (Ended, Tail) {
        let until = Instant::now() + patience;
        let by_itself = loop {
            while self.lines.next_line().is_some() {}
            let readable = !self.lines.ended();
            tokio::select! {
                biased;
                () = self.leader.ended() => break true,
                () = sleep_until(until) => break false,
                // An error ends the reader as well.
                _ = self.lines.fill(), if readable => {}
            }
            if Instant::now() >= until {
                break false;
            }
        };
        self.leader.kill();
        // What is not gone by then is left to the nursery.
        let _ = timeout(KILL_PATIENCE, self.leader.ended()).await;
        let how = match self.leader.reap() {
            Some(status) if by_itself => status.into(),
            _ => Ended::ClosedOutput,
        };
        let tail = self.stderr.tail_at_end(STDERR_PATIENCE).await;
        (how, tail)
    }
}

/// The process itself, which leads its group. Dropped, it is killed with the group and reaped.
pub(super) struct Leader {
    /// Until it is reaped.
    child: Option<Child>,
    pid: Pid,
    pidfd: Option<AsyncFd<OwnedFd>>,
}

impl Leader {
    fn new(child: Child) -> io::Result<Leader> {
        let pid = i32::try_from(child.id())
            .ok()
            .and_then(Pid::from_raw)
            .ok_or_else(|| io::Error::other("the process has no number"))?;
        let pidfd = pidfd_open(pid, PidfdFlags::empty()).ok().and_then(watch);
        Ok(Leader { child: Some(child), pid, pidfd })
    }

    pub(super) fn id(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// Waits until the process itself has ended, whoever holds its pipes. Does not reap it.
    pub(super) async fn ended(&self) {
        if self.child.is_none() {
            return;
        }
        if let Some(pidfd) = &self.pidfd {
            // The readiness is not cleared: once ended, always ended.
            if pidfd.readable().await.is_ok() {
                return;
            }
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        while let Ok(None) = waitid(WaitId::Pid(self.pid), options) {
            sleep(POLL_EVERY).await;
        }
    }

    /// Kills the whole group.
    pub(super) fn kill(&self) {
        if let Some(child) = &self.child {
            nursery::kill_group(child);
        }
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        let status = self.child.as_mut()?.try_wait().ok()??;
        self.child = None;
        Some(status)
    }
}

#[expect(
    deprecated,
    reason = "unsound only for types that may change their descriptor; an OwnedFd does not, and the successor is an unsafe fn"
)]
fn watch(pidfd: OwnedFd) -> Option<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(pidfd, Interest::READABLE).ok()
}

impl Drop for Leader {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            nursery::kill_group(&child);
            nursery::reap(child);
        }
    }
}
