//! A simulated board that is flashed: the ways into its loader, what runs afterwards, and what a
//! power failure leaves.

mod common;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};
use std::time::{Duration, Instant};

use common::control::Control;
use common::host::{Host, Rebooted, connect};
use common::image::image;
use common::loader::{FLASH, Failed, Loader};
use common::{Sim, assert_same};
use rookery_protocol::{Command, RebootTarget, Tag};
use tempfile::TempDir;

/// A board with a flash of its own and buttons.
struct Bench {
    folder: TempDir,
    sim: Option<Sim>,
}

impl Bench {
    fn new(args: &[&str]) -> Self {
        let mut bench = Self { folder: tempfile::tempdir().expect("a folder"), sim: None };
        bench.start(args);
        bench
    }

    /// Starts it, also once more with the same flash.
    fn start(&mut self, args: &[&str]) {
        // A file belongs to one board at a time.
        self.sim = None;
        let (flash, control) = (self.flash(), self.folder.path().join("control"));
        let paths = [flash.to_str().expect("a path"), control.to_str().expect("a path")];
        let own = ["--flash", paths[0], "--control", paths[1], "--boot-delay", "1"];
        self.sim = Some(Sim::tcp(&[&own, args].concat()));
    }

    fn flash(&self) -> PathBuf {
        self.folder.path().join("flash")
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.flash()).expect("a flash")
    }

    fn place(&self) -> &str {
        &self.sim.as_ref().expect("it runs").place
    }

    fn control(&self) -> Control {
        Control::connect(&self.folder.path().join("control"))
    }

    /// A host of the loader, in sync.
    fn loader(&self) -> Loader {
        let mut loader = Loader::connect(self.place());
        loader.sync().expect("a loader");
        loader
    }

    /// What the program says that it is.
    fn version(&self) -> String {
        let pairs = Host::connect(self.place()).identify();
        pairs.into_iter().find(|(key, _)| key == "fw").expect("a version").1
    }
}

#[test]
fn without_a_flash_it_is_the_board_that_it_was() {
    let bench = Bench::new(&[]);
    assert_eq!(bench.version(), env!("CARGO_PKG_VERSION"));
    assert_eq!(
        bench.control().ask("state"),
        concat!("program ", env!("CARGO_PKG_VERSION"), " boot0=0 starts=1")
    );
    assert_eq!(bench.bytes().len(), 32 * 1024 + 16);
}

#[test]
fn a_host_asks_for_the_loader_and_flashes_another_version() {
    let mut bench = Bench::new(&[]);
    let mut host = Host::connect(bench.place());
    // Also in a think, which then has no event.
    host.status(&Command::Think { tag: Tag(1), nodes: 500_000_000 }).expect("a think");
    host.status(&Command::Reboot(RebootTarget::Loader)).expect("acknowledged");
    let mut control = bench.control();
    control.wait_for("loader");
    // The board's program is silent: its own language means nothing here.
    let mut loader = Loader::connect(bench.place());
    loader.say(b"\n!>S0200 5eed0001\n").expect("sent");
    loader.sync().expect("the first thing that is heard");
    let new = image("sim", "7.8.9", 12_000);
    loader.flash(&new).expect("flashed");
    assert_same(&loader.dump(new.len()).expect("read"), &new);
    loader.go(FLASH).expect("started");
    control.wait_for("program 7.8.9");
    assert_eq!(bench.version(), "7.8.9");
    assert_eq!(host.sync(), Err(Rebooted));
    assert_same(&bench.bytes()[..new.len()], &new);
    // BOOT0 is low: a reset starts it again, and so does another day.
    control.order("reset");
    control.wait_for("program 7.8.9");
    bench.start(&[]);
    assert_eq!(bench.version(), "7.8.9");
}

#[test]
fn boot0_decides_what_a_reset_starts() {
    let bench = Bench::new(&[]);
    let mut control = bench.control();
    control.order("boot0 1");
    assert_eq!(bench.version(), env!("CARGO_PKG_VERSION"), "sampled by a reset only");
    control.order("reset");
    control.wait_for("loader");
    bench.loader().erase(&[0]).expect("erased");
    control.order("boot0 0");
    control.order("reset");
    // There is nothing to start: as silent as a chip that has crashed.
    control.wait_for("nothing");
    let mut deaf = Loader::with_patience(bench.place(), Duration::from_millis(100));
    assert_eq!(deaf.sync(), Err(Failed::Silent));
    drop(deaf);
    control.order("boot0 1");
    control.order("power-cycle");
    control.wait_for("loader");
    bench.loader();
}

#[test]
fn a_new_flash_for_the_loader_is_erased() {
    let bench = Bench::new(&["--rom-loader"]);
    let mut loader = bench.loader();
    assert_same(&loader.dump(32 * 1024).expect("read"), &[0xFF; 32 * 1024]);
    loader.go(FLASH).expect("acknowledged");
    let mut control = bench.control();
    control.wait_for("nothing");
    // BOOT0 is high still.
    control.order("reset");
    control.wait_for("loader");
    // Code in the SRAM is not run, but a reset is recognised.
    let mut loader = bench.loader();
    let code =
        b"\0\x20\0\x20\x09\x02\0\x20\x01\x49\x02\x4A\x0A\x60\xFE\xE7\x0C\xED\0\xE0\x04\0\xFA\x05";
    loader.write(0x2000_0200, code).expect("written");
    let starts = control.starts();
    loader.go(0x2000_0200).expect("acknowledged");
    control.wait_for_start(starts, "loader");
    bench.loader();
}

#[test]
fn an_image_may_begin_elsewhere() {
    let bench = Bench::new(&["--rom-loader"]);
    let mut loader = bench.loader();
    let mut second = image("sim", "2.0.0", 3000);
    // Linked for another place.
    for word in second[4..72].chunks_exact_mut(4) {
        let value = u32::from_le_bytes(word.try_into().expect("four"));
        if value >> 16 == 0x0800 {
            word.copy_from_slice(&(value + 0x2000).to_le_bytes());
        }
    }
    for (at, block) in (FLASH + 0x2000..).step_by(256).zip(second.chunks(256)) {
        loader.write(at, block).expect("written");
    }
    loader.go(FLASH + 0x2000).expect("started");
    bench.control().wait_for("program 2.0.0");
}

/// Waits for a banner with a cause after `order`, which is given again when the board has not taken
/// note of the connection yet. One of an order before this one may come late.
fn banner(stream: &mut TcpStream, cause: &str, mut order: impl FnMut()) {
    let mut heard = Vec::new();
    for _ in 0..50 {
        order();
        let mut byte = [0];
        while stream.read_exact(&mut byte).is_ok() {
            heard.push(byte[0]);
        }
        let text = String::from_utf8_lossy(&heard);
        if text.lines().any(|line| line.starts_with("<B") && line.contains(cause)) {
            return;
        }
    }
    panic!("no banner with{cause}in {:?}", String::from_utf8_lossy(&heard));
}

#[test]
fn the_button_and_the_plug_have_causes() {
    let bench = Bench::new(&["--no-book"]);
    let mut control = bench.control();
    let mut host = Host::connect(bench.place());
    for order in ["reset", "power-cycle"] {
        host.status(&Command::Think { tag: Tag(1), nodes: 500_000_000 }).expect("a think");
        control.order(order);
        host.banner();
        assert_eq!(host.sync(), Err(Rebooted), "{order}");
    }
    // In the banner's own words.
    host.hang_up();
    let mut stream = connect(bench.place());
    stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a socket");
    for (order, cause) in [("reset", " pin "), ("power-cycle", " por ")] {
        banner(&mut stream, cause, || control.order(order));
    }
    control.order("cut");
    assert_eq!(control.state(), "off");
    assert_eq!(control.ask("reset"), "error: there is no power");
    assert_eq!(
        control.ask("restart"),
        "error: `restart` is no order; there are reset, boot0 0|1, power-cycle, cut [OPERATIONS], state"
    );
    assert_eq!(control.ask("cut x"), "error: `x` is not a number of operations of the flash");
    control.order("power-cycle");
    assert_eq!(host.sync(), Err(Rebooted));
}

/// Into the loader, BOOT0 being high.
fn reset(control: &mut Control) {
    control.order("reset");
    control.wait_for("loader");
}

/// How much of a new image there is, when `bytes` is what a power failure has left of writing it
/// over an old one: pages are erased in order, then half-words written in order.
fn progress(bytes: &[u8], old: &[u8], new: &[u8]) -> usize {
    let pages = new.len().div_ceil(1024);
    let erased = bytes.chunks(1024).take(pages).take_while(|page| **page == [0xFF; 1024]).count();
    if erased < pages && bytes[erased * 1024..].starts_with(&old[erased * 1024..]) {
        return erased;
    }
    let written = bytes.iter().zip(new).take_while(|(a, b)| a == b).count();
    assert_eq!(written % 2, 0, "half a half-word");
    assert!(bytes[written..pages * 1024].iter().all(|&byte| byte == 0xFF), "torn at {written}");
    let behind = old.get(pages * 1024..).unwrap_or_default();
    assert!(bytes[pages * 1024..].starts_with(behind), "behind the image");
    pages + written / 2
}

#[test]
fn a_power_cut_at_any_operation_leaves_what_was_done_before_it() {
    let (old, new) = (image("sim", "1.0.0", 6000), image("sim", "2.0.0", 4000));
    let bench = Bench::new(&["--rom-loader"]);
    bench.loader().flash(&old).expect("flashed");
    let mut control = bench.control();
    // Four pages and 2,000 half-words: before, between and behind them.
    for cut in [0, 1, 3, 4, 5, 131, 132, 133, 1000, 1777, 2003] {
        reset(&mut control);
        let mut loader = bench.loader();
        loader.erase(&[0, 1, 2, 3, 4, 5]).expect("erased");
        loader.flash(&old).expect("flashed");
        control.order(&format!("cut {cut}"));
        let line = loader.line();
        std::thread::scope(|scope| {
            let host = scope.spawn(|| loader.flash(&new));
            control.wait_for("off");
            line.shutdown(Shutdown::Both).expect("a connection");
            assert_eq!(host.join().expect("no panic"), Err(Failed::Silent), "{cut}");
        });
        assert_eq!(progress(&bench.bytes(), &old, &new), cut);
        // A half-written image does not start.
        control.order("boot0 0");
        control.order("power-cycle");
        control.wait_for(if cut == 0 { "program 1.0.0" } else { "nothing" });
        control.order("boot0 1");
    }
    reset(&mut control);
    let mut loader = bench.loader();
    loader.flash(&new).expect("flashed");
    loader.go(FLASH).expect("started");
    control.wait_for("program 2.0.0");
}

#[test]
fn a_killed_simulator_leaves_no_torn_page() {
    let (old, new) = (image("sim", "1.0.0", 30_000), image("sim", "2.0.0", 30_000));
    let mut bench = Bench::new(&["--rom-loader"]);
    bench.loader().flash(&old).expect("flashed");
    let mut furthest = 0;
    for round in 0..8u32 {
        let mut loader = Loader::connect(bench.place());
        let mut sim = bench.sim.take().expect("it runs");
        reset(&mut bench.control());
        loader.sync().expect("a loader");
        // Killed from outside, at a moment that nobody knows.
        let killer = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_micros(u64::from(round * round) * 3000));
            sim.kill();
        });
        let _ = loader.flash(&new);
        killer.join().expect("killed");
        let done = progress(&bench.bytes(), &old, &new);
        furthest = furthest.max(done);
        bench.start(&["--rom-loader"]);
        let mut loader = bench.loader();
        loader.flash(&old).expect("flashed again");
        assert_same(&loader.dump(old.len()).expect("read"), &old);
    }
    println!("operations at the most: {furthest} of {}", 30 + 15_000);
}

#[test]
fn a_chips_flash_takes_its_time_and_can_be_interrupted() {
    let bench = Bench::new(&["--rom-loader", "--flash-time"]);
    let mut control = bench.control();
    let mut loader = bench.loader();
    let began = Instant::now();
    loader.erase(&[0, 1, 2]).expect("erased");
    assert!(began.elapsed() >= Duration::from_millis(60));
    // The button in the middle: 32 pages take 640 ms. On a machine that is too slow for that, again.
    let interrupted = (0..10).any(|_| {
        for page in 0..32 {
            loader.write(FLASH + page * 1024, &[1; 4]).expect("written");
        }
        loader.command(0x43).expect("an erase");
        loader.say(&[0xFF, 0x00]).expect("sent");
        control.order("reset");
        control.wait_for("loader");
        let bytes = bench.bytes();
        let erased = (0..32).filter(|page| bytes[page * 1024] == 0xFF).count();
        assert!((0..32).all(|page| (bytes[page * 1024] == 0xFF) == (page < erased)), "in order");
        loader = bench.loader();
        loader.erase(&(0..32).collect::<Vec<_>>()).expect("erased");
        erased < 32
    });
    assert!(interrupted);
}

#[test]
fn a_protected_chip_stays_so_until_everything_is_gone() {
    let mut bench = Bench::new(&["--rom-loader"]);
    let mut loader = bench.loader();
    loader.flash(&image("sim", "3.0.0", 2000)).expect("flashed");
    loader.command(0x82).expect("acknowledged");
    loader.acknowledged().expect("done");
    bench.start(&["--rom-loader"]);
    let mut loader = bench.loader();
    assert_eq!(loader.read(FLASH, 4), Err(Failed::Refused));
    assert_eq!(loader.erase(&[0]), Err(Failed::Refused));
    // What is protected from reading runs all the same.
    let mut control = bench.control();
    control.order("boot0 0");
    control.order("reset");
    control.wait_for("program 3.0.0");
    control.order("boot0 1");
    control.order("reset");
    control.wait_for("loader");
    let starts = control.starts();
    let mut loader = bench.loader();
    loader.command(0x92).expect("acknowledged");
    loader.acknowledged().expect("done");
    control.wait_for_start(starts, "loader");
    assert_same(&bench.loader().dump(2000).expect("read"), &[0xFF; 2000]);
}

#[test]
fn orders_over_tcp_and_what_it_says_when_there_is_nothing_to_boot() {
    let mut child = Process::new(env!("CARGO_BIN_EXE_board-sim"))
        .args(["--exit-with-parent", "--listen", "127.0.0.1:0", "--rom-loader"])
        .args(["--control", "127.0.0.1:0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut next = || said.next().expect("a line").expect("text");
    let place = next();
    let place = place.strip_prefix("board-sim: control on ").expect("where").to_owned();
    assert!(next().contains("the loader waits for an image: there is nothing to boot"));
    let mut orders = TcpStream::connect(place).expect("a socket");
    // Two at once, and one that is too long to be one.
    orders.write_all(b"boot0 0\nreset\n").expect("sent");
    orders.write_all(&[b'x'; 255]).expect("sent");
    orders.write_all(b"\n").expect("sent");
    let mut answers = BufReader::new(orders).lines().map(|line| line.expect("text"));
    assert_eq!([answers.next(), answers.next()], [Some("ok".to_owned()), Some("ok".to_owned())]);
    assert!(answers.next().expect("an answer").starts_with("error: `xxx"));
    assert!(next().contains("nothing runs until a reset: there is nothing to boot"));
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_file_that_is_no_flash_is_an_error() {
    let bench = Bench::new(&[]);
    let run = |args: &[&str]| {
        Process::new(env!("CARGO_BIN_EXE_board-sim"))
            .args([&["--listen", "127.0.0.1:0"], args].concat())
            .stdin(Stdio::null())
            .output()
            .expect("it runs")
    };
    let text = |path: &Path| path.to_str().expect("a path").to_owned();
    let strange = bench.folder.path().join("strange");
    std::fs::write(&strange, "precious").expect("a file");
    for (args, status, part) in [
        (["--flash", &text(&bench.flash())], 1, "is in use by another simulated board"),
        (["--flash", &text(&strange)], 1, "has 8 bytes instead of 32784"),
        (["--flash", &text(bench.folder.path())], 1, "cannot be used"),
        (["--control", &text(&strange)], 1, "the control socket cannot be opened"),
        (["--control", &text(&bench.folder.path().join("control"))], 1, "Address already in use"),
        (["--loader-faults", "lose=1"], 2, "there are nack, abort-erase, ack-lost"),
    ] {
        let output = run(&args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{args:?}: {error}");
        assert!(error.contains(part), "{args:?}: {error}");
    }
    assert_eq!(std::fs::read(&strange).expect("a file"), b"precious");
}
