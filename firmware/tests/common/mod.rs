//! A board process for tests, and a host that talks to it as the protocol says.
#![allow(dead_code, unreachable_pub)]

pub mod control;
pub mod gdb;
pub mod host;
pub mod image;
pub mod loader;
pub mod machine;
pub mod probe;

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Compares contents of a flash, and says where they differ instead of showing both.
#[track_caller]
pub fn assert_same(found: &[u8], expected: &[u8]) {
    let differ = found.iter().zip(expected).position(|(a, b)| a != b);
    assert_eq!((differ, found.len()), (None, expected.len()), "first difference, and length");
}

/// A running `board-sim`; it ends with this value, and its standard input makes sure of that even
/// when the test is killed.
pub struct Sim {
    child: Child,
    /// What it is listening on.
    pub place: String,
}

impl Sim {
    /// Starts a board, waits until it listens.
    pub fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_board-sim"))
            .arg("--exit-with-parent")
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("board-sim starts");
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("a line of output");
        let place = line
            .trim()
            .strip_prefix("listening on ")
            .unwrap_or_else(|| panic!("not an announcement: {line:?}"))
            .to_owned();
        Self { child, place }
    }

    /// Starts one on TCP.
    pub fn tcp(args: &[&str]) -> Self {
        Self::start(&[&["--listen", "127.0.0.1:0"], args].concat())
    }

    /// Its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end.
    pub fn wait(&mut self) -> ExitStatus {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                return status;
            }
            assert!(Instant::now() < until, "board-sim does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Ends it as nothing can prepare for.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Closes its standard input, and waits for its end.
    pub fn close(mut self) -> ExitStatus {
        drop(self.child.stdin.take());
        self.wait()
    }
}

impl Drop for Sim {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
