//! `rookery flash` against a simulated board: by its own link, by a server, over a bad line and through a power cut.

mod flash_support;
mod run_support;

use flash_support::images::{hex, program};
use run_support::{Done, Place, Sim, until, utf8};
use rustix::process::Signal;
use std::{
    io::{BufRead as _, BufReader, Write as _},
    os::unix::net::UnixStream,
    path::Path,
};

const FLASH: u32 = 0x0800_0000;

/// Two versions as files, an orderly place for both.
fn place() -> (Place, Vec<u8>) {
    let place = Place::new();
    let b = program("2.0", 9000);
    std::fs::write(place.path("a.bin"), program("1.0", 11_000)).expect("a file");
    std::fs::write(place.path("b.hex"), hex(FLASH, &b)).expect("a file");
    (place, b)
}

fn fails(done: Done, status: i32, words: &[&str]) {
    assert_eq!(done.status.code(), Some(status), "{}{}", done.stdout, done.stderr);
    for word in words {
        assert!(done.stderr.contains(word), "{word:?} is not in: {}", done.stderr);
    }
    assert!(!done.stderr.contains("panicked"), "{}", done.stderr);
}

/// The simulator's own orders.
fn order(socket: &Path, order: &str) -> String {
    let mut stream = UnixStream::connect(socket).expect("the simulator listens");
    stream.write_all(format!("{order}\n").as_bytes()).expect("sent");
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).expect("an answer");
    answer
}

#[test]
fn what_cannot_be_flashed_is_said_before_anything_happens() {
    let (place, _) = place();
    std::fs::write(place.path("text.bin"), "this is no program, however long it may be").unwrap();
    let board = ["flash", "--board", "tcp://127.0.0.1:9"];
    let flash = |more: &[&str]| place.rookery([&board[..], more].concat());
    fails(flash(&[]), 2, &["IMAGE"]);
    fails(flash(&["a.bin", "--rollback"]), 2, &["cannot be used with"]);
    fails(flash(&["a.bin", "--entry", "magic"]), 2, &["app, lines, manual"]);
    fails(flash(&["a.bin", "--lines", "reset=cts"]), 2, &["rts and dtr"]);
    fails(flash(&["a.bin", "--lines", "reset=rts"]), 2, &["--entry lines"]);
    fails(flash(&["a.bin", "--unprotect"]), 2, &["--yes", "erases everything"]);
    fails(flash(&["--rollback"]), 2, &["--server", "--db"]);
    fails(flash(&["text.bin"]), 1, &["text.bin", "stack pointer"]);
    fails(flash(&["none.bin"]), 1, &["none.bin"]);
    fails(flash(&["a.bin", "--server", "ftp://x"]), 2, &["http://HOST:PORT"]);
    fails(flash(&["a.bin", "--server", "http://127.0.0.1:9"]), 1, &["cannot be asked"]);
    fails(place.rookery(["flash", "--board", "com3", "a.bin"]), 2, &["com3", "tcp://"]);
    fails(flash(&["a.bin"]), 1, &["cannot be opened"]);
}

#[test]
fn a_board_is_flashed_over_a_bad_line_compared_and_put_back() {
    let (place, _) = place();
    let sim = Sim::start(&[
        "--seed",
        "3",
        "--faults",
        "lose=0.01,flip7=0.01,flip8=0.01,dup-bytes=0.01,drop=0.002",
    ]);
    let db = place.db();
    let flash = |more: &[&str]| {
        place.rookery([&["flash", "--board", &sim.url, "--db", utf8(&db)], more].concat())
    };
    let done = flash(&["a.bin"]).ok();
    assert!(done.stdout.contains("flashed and verified"), "{}", done.stdout);
    assert!(done.stdout.contains("the board runs 1.0"), "{}", done.stdout);
    let done = flash(&["b.hex", "--dry-run"]).ok();
    assert!(done.stdout.contains("9 pages would be written"), "{}", done.stdout);
    fails(flash(&["b.hex", "--verify-only"]), 1, &["differs", "9 of 9 pages"]);
    let done = flash(&["b.hex", "--json"]).ok();
    let last: serde_json::Value =
        serde_json::from_str(done.stdout.lines().last().expect("a line")).expect("JSON");
    assert_eq!((&last["record"]["result"], &last["firmware"]), (&"flashed".into(), &"2.0".into()));
    assert!(done.stdout.contains("\"phase\":\"write\""), "{}", done.stdout);
    let done = flash(&["b.hex"]).ok();
    assert!(done.stdout.contains("already"), "{}", done.stdout);
    assert!(flash(&["b.hex", "--verify-only"]).ok().stdout.contains("has this image"));
    assert!(flash(&["--rollback"]).ok().stdout.contains("the board runs 1.0"));
    let results = place.sql("SELECT result FROM flashes ORDER BY id");
    let wanted = ["flashed", "compared", "failed", "flashed", "unchanged", "compared", "flashed"];
    assert_eq!(results, wanted);
}

#[test]
fn a_power_cut_in_the_middle_costs_nothing_but_the_rest() {
    let (place, b) = place();
    let (file, socket) = (place.path("flash.bin"), place.path("control"));
    let how = ["--seed", "1", "--rom-loader", "--flash", utf8(&file), "--control", utf8(&socket)];
    let sim = Sim::start(&how);
    let args = ["flash", "--board", &sim.url, "b.hex", "--entry", "manual"];
    order(&socket, "cut 3000");
    let mut child = place.command(args).spawn().expect("rookery starts");
    let written = || std::fs::read(&file).is_ok_and(|flash| flash[1024..6000] == b[1024..6000]);
    until("the cut", written);
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, Signal::INT).expect("a signal");
    assert!(run_support::wait(&mut child, std::time::Duration::from_secs(60)).is_some());
    let done = place.finish(child);
    fails(done, 1, &["stopped half-way", "flash again"]);
    let flash = std::fs::read(&file).expect("the flash");
    assert_eq!(flash[..8], [0xff; 8], "nothing that could be started");
    order(&socket, "power-cycle");
    let json = [&args[..], &["--json"]].concat();
    order(&socket, "boot0 1");
    let done = place.rookery(json).ok();
    let last: serde_json::Value =
        serde_json::from_str(done.stdout.lines().last().expect("a line")).expect("JSON");
    let bytes = last["record"]["bytes"].as_u64().expect("a number");
    assert!(bytes < 5000, "{bytes}: the rest alone");
    assert!(std::fs::read(&file).expect("the flash").starts_with(&b));
}

#[test]
fn a_person_is_told_what_to_press() {
    let (place, b) = place();
    let (file, socket) = (place.path("flash.bin"), place.path("control"));
    let how = ["--seed", "1", "--flash", utf8(&file), "--control", utf8(&socket)];
    let sim = Sim::start(&how);
    let child = place.command(["flash", "--board", &sim.url, "b.hex", "--entry", "manual"]).spawn();
    let said = || std::fs::read_to_string(place.path("stderr")).unwrap_or_default();
    until("the board's program is not the loader", || said().contains("set BOOT0 high"));
    order(&socket, "boot0 1");
    order(&socket, "power-cycle");
    until("it is written", || said().contains("set BOOT0 low"));
    order(&socket, "boot0 0");
    place.finish(child.expect("rookery starts")).ok();
    assert!(std::fs::read(&file).expect("the flash").starts_with(&b));
}

#[test]
fn a_server_that_has_the_board_flashes_it() {
    let (place, _) = place();
    let sim = Sim::start(&["--seed", "2"]);
    std::fs::write(
        place.path("rookery.toml"),
        format!("flash_token = \"key\"\n[boards.bench]\nurl = \"{}\"\n", sim.url),
    )
    .expect("a file");
    let other = Place::new();
    let daemon = place.serve(&[]);
    let server = format!("http://{}", daemon.address);
    std::fs::write(other.path("a.bin"), program("1.0", 5000)).expect("a file");
    let flash = |more: &[&str]| {
        let args = [&["flash", "--server", &server, "--flash-token", "key"], more].concat();
        other.rookery(args)
    };
    assert!(flash(&["--board", "bench", "a.bin"]).ok().stdout.contains("the board runs 1.0"));
    assert!(flash(&["--board", &sim.url, "a.bin"]).ok().stdout.contains("already"));
    fails(flash(&["--board", "attic", "a.bin"]), 1, &["'attic'", "bench"]);
    fails(flash(&["--board", "bench", "--rollback"]), 1, &["no other image"]);
    let args = ["flash", "--server", &server, "--board", "bench", "a.bin"];
    fails(other.rookery(args), 1, &["flash token"]);
    daemon.stop(&place).0.ok();
}
