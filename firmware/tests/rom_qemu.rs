//! The chip's program in the simulated board's flash, run by QEMU behind the board's wire.
//!
//! Where qemu-system-arm is missing nothing is tested, and a line says so.

#[path = "../../fuzz/src/rom.rs"]
#[allow(dead_code, unreachable_pub)]
mod rom;

mod common;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use common::control::Control;
use common::host::{Host, Rebooted};
use common::image::image;
use common::loader::{FLASH, Loader};
use common::{Sim, assert_same};
use rom::model::{boot, flash};
use rookery_protocol::{Activity, Command, RebootTarget, Tag};
use tempfile::TempDir;

/// The program for QEMU's board; `None` when there is no QEMU.
fn firmware() -> Option<&'static [u8]> {
    static IMAGE: OnceLock<Option<Vec<u8>>> = OnceLock::new();
    let image = IMAGE.get_or_init(|| {
        if Process::new("qemu-system-arm").arg("--version").output().is_err() {
            println!("SKIPPED: qemu-system-arm is not installed, no image is run in it");
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let built = Process::new(root.join("tools/firmware"))
            .arg("qemu")
            .output()
            .expect("tools/firmware runs");
        let error = String::from_utf8_lossy(&built.stderr).into_owned();
        assert!(built.status.success(), "the chip's program is built: {error}");
        Some(std::fs::read(root.join("target/firmware/rookery-qemu.bin")).expect("an image"))
    });
    image.as_deref()
}

/// A folder with a flash that holds this image.
fn folder(image: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let mut flash = flash::blank();
    flash[..image.len()].copy_from_slice(image);
    std::fs::write(folder.path().join("flash"), flash).expect("a flash");
    folder
}

fn start(folder: &TempDir, args: &[&str]) -> Sim {
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    let (flash, control) = (path("flash"), path("control"));
    let own = ["--qemu", "--boot-delay", "1", "--flash", &flash, "--control", &control];
    Sim::tcp(&[&own, args].concat())
}

fn control(folder: &TempDir) -> Control {
    Control::connect(&folder.path().join("control"))
}

fn kind(host: &mut Host) -> String {
    let pairs = host.identify();
    pairs.into_iter().find(|(key, _)| key == "kind").expect("a kind").1
}

#[test]
fn an_image_is_flashed_and_plays() {
    let Some(firmware) = firmware() else { return };
    let folder = folder(&[]);
    let sim = start(&folder, &["--rom-loader"]);
    let mut control = control(&folder);
    let mut loader = Loader::connect(&sim.place);
    loader.sync().expect("a loader");
    loader.flash(firmware).expect("flashed");
    assert_same(&loader.dump(firmware.len()).expect("read"), firmware);
    loader.go(FLASH).expect("started");
    control.wait_for(concat!("program ", env!("CARGO_PKG_VERSION")));
    let mut host = Host::connect(&sim.place);
    assert_eq!(kind(&mut host), "qemu-stm32");
    for tag in 0..5 {
        host.status(&Command::Think { tag: Tag(tag), nodes: 500 }).expect("a think");
        assert_eq!(host.event().expect("a move").tag, Tag(tag));
    }
    // A reset of its own stays inside.
    let starts = control.starts();
    host.status(&Command::Reboot(RebootTarget::App)).expect("acknowledged");
    host.banner();
    assert_eq!(host.sync(), Err(Rebooted));
    assert_eq!(control.starts(), starts);
    // The button is another machine, in the middle of a think.
    host.status(&Command::Think { tag: Tag(9), nodes: 500_000_000 }).expect("a think");
    control.order("boot0 0");
    control.order("reset");
    host.banner();
    // Both machines count from the same number: it may be the name of before.
    let _ = host.sync();
    assert_eq!(host.status(&Command::Ping).expect("a pong").activity, Activity::Idle);
    // And into the loader: nothing of the program is heard any more.
    control.order("boot0 1");
    control.order("reset");
    control.wait_for("loader");
    drop(host);
    let mut loader = Loader::connect(&sim.place);
    loader.sync().expect("a loader");
    assert_eq!(loader.read(FLASH, 8).expect("read"), firmware[..8]);
    assert!(sim.close().success());
}

#[test]
fn faults_strike_its_lines() {
    let Some(firmware) = firmware() else { return };
    let folder = folder(firmware);
    let log = folder.path().join("log");
    let faults = ["--faults", "flip7=0.1", "--seed", "3", "--fault-log"];
    let sim = start(&folder, &[&faults[..], &[log.to_str().expect("a path")]].concat());
    let mut host = Host::in_haste(&sim.place);
    for tag in 0..20 {
        host.status(&Command::Think { tag: Tag(tag), nodes: 300 }).expect("a think");
        assert_eq!(host.event().expect("a move").tag, Tag(tag));
    }
    assert!(host.bad_lines > 0 && host.retries > 0, "{} {}", host.bad_lines, host.retries);
    assert!(sim.close().success());
    let log = std::fs::read_to_string(log).expect("a log");
    for direction in ["to-board", "to-host"] {
        assert!(log.contains(&format!(r#""direction":"{direction}","kind":"flip7""#)), "{log}");
    }
}

/// The state of a process, as a letter; `None` when it is gone.
fn state(process: &str) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

#[test]
fn no_emulator_outlives_the_simulator() {
    let Some(firmware) = firmware() else { return };
    let folder = folder(firmware);
    let mut sim = start(&folder, &[]);
    kind(&mut Host::connect(&sim.place));
    let children = format!("/proc/{0}/task/{0}/children", sim.id());
    let children = std::fs::read_to_string(children).expect("children");
    let qemu: Vec<&str> = children.split_whitespace().collect();
    assert_eq!(qemu.len(), 1, "{children}");
    let name = std::fs::read_to_string(format!("/proc/{}/comm", qemu[0])).expect("a name");
    assert!(name.starts_with("qemu-system"), "{name}");
    sim.kill();
    let until = Instant::now() + Duration::from_secs(20);
    // Dead, whether somebody has taken note of it or not.
    while state(qemu[0]).is_some_and(|state| !matches!(state, 'Z' | 'X')) {
        assert!(Instant::now() < until, "QEMU is left");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_cannot_run_there_says_so() {
    if firmware().is_none() {
        return;
    }
    let path = |folder: &TempDir| folder.path().join("flash").to_str().expect("a path").to_owned();
    let chip = folder(&image("stm32f103c6", "1.0.0", 4000));
    let mut child = Process::new(env!("CARGO_BIN_EXE_board-sim"))
        .args(["--exit-with-parent", "--listen", "127.0.0.1:0", "--qemu", "--flash", &path(&chip)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut said = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    BufReader::new(stderr).read_line(&mut said).expect("a line");
    drop(child.stdin.take());
    assert!(child.wait().expect("it ends").success());
    assert!(said.contains("the image is stm32f103c6 1.0.0, and QEMU's board has 8 KB"), "{said}");
    // What stands for the simulator's own program is run as ever.
    let own = folder(&image("sim", "1.0.0", 4000));
    let sim = start(&own, &[]);
    assert_eq!(kind(&mut Host::connect(&sim.place)), "sim");
}

#[test]
fn a_real_image_boots_whole_and_no_part_of_it_does() {
    let Some(firmware) = firmware() else { return };
    let boots = |end: usize| {
        let mut bytes = firmware[..end].to_vec();
        bytes.resize(flash::SIZE, 0xFF);
        boot::image(&bytes, 0).map(|image| image.board)
    };
    assert_eq!(boots(firmware.len()), Ok("qemu-stm32".to_owned()));
    for end in (0..firmware.len() - 16).step_by(16) {
        assert!(boots(end).is_err(), "the first {end} of {} bytes", firmware.len());
    }
}
