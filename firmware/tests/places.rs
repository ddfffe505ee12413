//! Where a simulated board can be found, and how it ends.

mod common;

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command as Process, Output};
use std::time::{Duration, Instant};

use common::Sim;
use common::host::Host;
use rookery_protocol::{
    BoardMessage, Command, Decoded, Decoder, Direction, Kind, Line, Nonce, PayloadBuffer, Seq, Sid,
    SyncReply, WireBuffer,
};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};

fn signal(sim: &Sim, signal: Signal) {
    let id = i32::try_from(sim.id()).expect("a process id");
    kill_process(Pid::from_raw(id).expect("a process id"), signal).expect("it runs");
}

fn open(path: &str) -> File {
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    OpenOptions::new()
        .read(true)
        .write(true)
        .custom_flags(flags.bits().cast_signed())
        .open(path)
        .expect("a terminal")
}

/// Makes a session over a terminal, byte by byte as it comes.
fn sync(port: &mut File, sid: u8) -> SyncReply {
    let mut payload = PayloadBuffer::new();
    Nonce(0x1234).write_sync(&mut payload).expect("fits");
    let line = Line {
        direction: Direction::Host,
        kind: Kind::Sync,
        sid: Sid(sid),
        seq: Seq(0),
        payload: payload.as_str(),
    };
    let mut wire = WireBuffer::new();
    let mut rest = line.encode(&mut wire).expect("a line");
    let until = Instant::now() + Duration::from_secs(30);
    while !rest.is_empty() && Instant::now() < until {
        // What was said before may still fill the terminal.
        match port.write(rest) {
            Ok(length) => rest = &rest[length..],
            Err(error) if error.kind() != ErrorKind::WouldBlock => panic!("{error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    let mut decoder = Decoder::new();
    while Instant::now() < until {
        let mut byte = [0];
        match port.read(&mut byte) {
            Ok(1) => {
                if let Decoded::Line(line) = decoder.push(byte[0])
                    && let Ok(BoardMessage::Sync(reply)) = BoardMessage::parse(&line)
                {
                    assert_eq!(line.sid, Sid(sid));
                    return reply;
                }
            }
            Err(error) if error.kind() != ErrorKind::WouldBlock => panic!("{error}"),
            _ => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    panic!("no answer within 5 s");
}

#[test]
fn a_terminal_is_a_port() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    let link = link.to_str().expect("a path");
    let mut sim = Sim::start(&["--pty", link, "--seed", "4"]);
    assert!(sim.place.starts_with("/dev/pts/"), "{}", sim.place);
    assert_eq!(std::fs::read_link(link).expect("a link").to_str(), Some(&*sim.place));
    let first = sync(&mut open(link), 1);
    // Closed and opened again: the same board.
    let second = sync(&mut open(&sim.place), 2);
    assert_eq!(first.boot, second.boot);
    signal(&sim, Signal::TERM);
    assert!(sim.wait().success());
    assert!(std::fs::symlink_metadata(link).is_err(), "the link is left");
}

#[test]
fn a_terminal_needs_no_name() {
    let sim = Sim::start(&["--pty"]);
    sync(&mut open(&sim.place), 1);
    assert!(sim.close().success());
}

#[test]
fn an_old_link_is_replaced_and_a_file_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    std::os::unix::fs::symlink("/nowhere", &link).expect("a link");
    let sim = Sim::start(&["--pty", link.to_str().expect("a path")]);
    sync(&mut open(link.to_str().expect("a path")), 1);
    assert!(sim.close().success());

    std::fs::write(&link, "precious").expect("a file");
    let output = run(&["--pty", link.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("cannot link"), "{}", error(&output));
    assert_eq!(std::fs::read_to_string(&link).expect("a file"), "precious");
}

#[test]
fn a_host_that_does_not_read_does_not_stop_the_board() {
    let sim = Sim::start(&["--pty"]);
    let mut deaf = open(&sim.place);
    let until = Instant::now() + Duration::from_millis(500);
    while Instant::now() < until {
        // What a full terminal does not take is the host's own loss.
        let _ = deaf.write(b"\n>C0101 .*0000\n");
        std::thread::yield_now();
    }
    drop(deaf);
    let mut port = open(&sim.place);
    sync(&mut port, 3);
    sync(&mut port, 4);
    assert!(sim.close().success());
}

#[test]
fn signals_end_it_also_while_it_thinks() {
    for (number, end) in [Signal::TERM, Signal::INT, Signal::HUP].into_iter().enumerate() {
        let mut sim = Sim::tcp(&["--no-book"]);
        let mut host = Host::connect(&sim.place);
        if number > 0 {
            let command = Command::Think { tag: rookery_protocol::Tag(1), nodes: 500_000_000 };
            host.status(&command).expect("a think");
        }
        let asked = Instant::now();
        signal(&sim, end);
        assert_eq!(sim.wait().code(), Some(0));
        assert!(asked.elapsed() < Duration::from_secs(20), "it thinks to its end");
    }
}

#[test]
fn it_ends_with_its_parent_only_if_asked_to() {
    let sim = Sim::tcp(&[]);
    assert!(sim.close().success());
    // Without the flag the end of the input means nothing.
    let mut child = Process::new(env!("CARGO_BIN_EXE_board-sim"))
        .args(["--listen", "127.0.0.1:0"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(300));
    let ended = child.try_wait().expect("a child");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert_eq!(ended, None);
}

#[test]
fn the_totals_are_written_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let mut sim = Sim::tcp(&["--seed", "12", "--fault-log", log.to_str().expect("a path")]);
    signal(&sim, Signal::TERM);
    assert!(sim.wait().success());
    let text = std::fs::read_to_string(log).expect("a log");
    assert_eq!(text.lines().count(), 1);
    let line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(line["seed"], 12);
    assert_eq!(line["totals"]["lose"], 0);
    assert_eq!(line["to-host"]["silence"], 0);
}

fn run(args: &[&str]) -> Output {
    Process::new(env!("CARGO_BIN_EXE_board-sim"))
        .args(args)
        .stdin(std::process::Stdio::null())
        .output()
        .expect("it runs")
}

fn error(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn wrong_options_are_explained() {
    for (args, part) in [
        (&[][..], "--listen <ADDRESS>|--pty [<PATH>]"),
        (&["--listen", "x"], "invalid value 'x' for '--listen"),
        (&["--listen", "127.0.0.1:0", "--pty"], "cannot be used with"),
        (&["--pty", "--cells", "500"], "a power of two"),
        (&["--pty", "--preset", "modern"], "the presets are classic, journal"),
        (&["--pty", "--faults", "all,wobble=1"], "`wobble` is no kind of fault; there are lose,"),
        (&["--pty", "--faults", "lose=2"], "`2` is not a rate"),
        (&["--pty", "--kind", "a b"], "without spaces"),
        (&["--pty", "--dialect", "v3"], "possible values: v2, v1"),
        (&["--pty", "--level", "0"], "not in 1.."),
    ] {
        let output = run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(error(&output).contains(part), "{args:?}: {}", error(&output));
    }
    let output = run(&["--pty", "--fault-log", "/nowhere/log"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("the fault log cannot be opened"), "{}", error(&output));
    let help = run(&["--help"]);
    assert!(help.status.success());
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    for part in ["Examples:", "--faults all --seed 3", "silence", "--exit-with-parent"] {
        assert!(help.contains(part), "{part}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error() {
    let sim = Sim::tcp(&[]);
    let output = run(&["--listen", &sim.place]);
    assert_eq!(output.status.code(), Some(1));
    assert!(error(&output).contains("cannot listen on"), "{}", error(&output));
}
