//! The buttons and the plug of a simulated board.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// A connection to a control socket.
pub struct Control {
    stream: BufReader<UnixStream>,
}

impl Control {
    pub fn connect(path: &Path) -> Self {
        let stream = UnixStream::connect(path).expect("a control socket");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
        Self { stream: BufReader::new(stream) }
    }

    /// Gives an order and hears what the answer is.
    pub fn ask(&mut self, order: &str) -> String {
        self.stream.get_mut().write_all(format!("{order}\n").as_bytes()).expect("sent");
        let mut answer = String::new();
        self.stream.read_line(&mut answer).expect("an answer");
        answer.trim_end().to_owned()
    }

    /// Gives an order that is obeyed.
    pub fn order(&mut self, order: &str) {
        assert_eq!(self.ask(order), "ok", "{order}");
    }

    /// What the chip does.
    pub fn state(&mut self) -> String {
        let answer = self.ask("state");
        answer.rsplit_once(" boot0=").expect("a state").0.to_owned()
    }

    /// How often something has been started.
    pub fn starts(&mut self) -> u64 {
        let answer = self.ask("state");
        answer.rsplit_once(" starts=").expect("a state").1.parse().expect("a number")
    }

    /// Waits until something has been started since there were so many starts, and this runs.
    pub fn wait_for_start(&mut self, starts: u64, state: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.starts() <= starts {
            assert!(Instant::now() < until, "nothing is started");
            std::thread::sleep(Duration::from_millis(2));
        }
        self.wait_for(state);
    }

    /// Waits until the chip does this.
    pub fn wait_for(&mut self, state: &str) {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            let now = self.state();
            if now == state {
                return;
            }
            assert!(Instant::now() < until, "{now} instead of {state}");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
