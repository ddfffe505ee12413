//! Programs at the other end.

#![allow(dead_code, reason = "each test program uses a part of it")]

#[path = "../../../firmware/tests/common/port.rs"]
#[allow(unreachable_pub)]
mod port;

pub(crate) use port::free_port;
use std::{
    io::{BufRead as _, BufReader},
    net::{SocketAddr, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A program that ends with its test.
pub(crate) struct Program {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    pub(crate) fn start(name: impl AsRef<Path>, args: &[&str]) -> Program {
        let name = name.as_ref();
        let mut child = Command::new(name)
            .args(args)
            .env("PATH", crate::run_support::path_with_games() + ":/usr/sbin")
            // board-sim ends with it.
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", name.display()));
        let out = BufReader::new(child.stdout.take().expect("it is piped"));
        let (say, lines) = mpsc::channel();
        thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| say.send(line))
        });
        Program { child, lines }
    }

    /// The next line of its output that says something.
    pub(crate) fn until<T>(&self, mut wanted: impl FnMut(&str) -> Option<T>) -> T {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("it says so");
            if let Some(found) = wanted(&line) {
                return found;
            }
        }
    }

    /// What it says where it listens.
    pub(crate) fn place(&self) -> String {
        self.until(|line| line.strip_prefix("listening on ").map(str::to_owned))
    }
}

/// A simulated board.
pub(crate) fn board_sim(args: &[&str]) -> Program {
    let program = Path::new(env!("CARGO_BIN_EXE_rookery")).with_file_name("board-sim");
    assert!(program.exists(), "build the workspace first: there is no {}", program.display());
    Program::start(program, &[&["--exit-with-parent"], args].concat())
}

/// A pseudo terminal; dropping it is pulling the plug.
pub(crate) struct Terminal {
    link: PathBuf,
    _program: Program,
}

impl Drop for Terminal {
    /// As with a device, its name goes with it, and at once: the number behind the name may be another test's terminal soon.
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.link);
    }
}

/// A pseudo terminal that leads to a TCP port.
pub(crate) fn terminal_to(link: &Path, address: SocketAddr, options: &str) -> Terminal {
    let terminal = format!("PTY,rawer,link={}{options}", link.display());
    let program = Program::start("socat", &[&terminal, &format!("TCP:{address},nodelay")]);
    wait_for("the terminal", || link.exists());
    Terminal { link: link.to_owned(), _program: program }
}

/// A bridge that dials in.
pub(crate) fn bridge(from: &str, to: &str) -> Program {
    Program::start("socat", &[&format!("TCP:{from},nodelay"), &format!("TCP:{to},nodelay")])
}

/// ser2net in front of a serial port. Gives the program and its port.
pub(crate) fn ser2net(folder: &Path, accepter: &str, device: &str) -> (Program, u16) {
    let port = free_port();
    let config: PathBuf = folder.join(format!("ser2net-{port}.yaml"));
    let text = format!(
        "connection: &board\n  accepter: {accepter},127.0.0.1,{port}\n  connector: serialdev,{device},115200n81,local\n  options:\n    kickolduser: true\n"
    );
    std::fs::write(&config, text).unwrap();
    let program = Program::start("ser2net", &["-n", "-u", "-c", config.to_str().unwrap()]);
    wait_for("ser2net", || TcpStream::connect(("127.0.0.1", port)).is_ok());
    (program, port)
}

#[track_caller]
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + PATIENCE;
    while !holds() {
        assert!(Instant::now() < end, "in vain: {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

impl Program {
    /// With the place where it listens.
    pub(crate) fn keep(self) -> (Program, String) {
        let place = self.place();
        (self, place)
    }
}
