//! Debian's `stm32flash` reads, erases, writes and verifies a simulated board on a terminal: the
//! simulator is not only what our own hosts take for a loader.
//!
//! A pseudo terminal has no parity bit, so this is 8N1. Where stm32flash is missing nothing is
//! tested, and a line says so.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::control::Control;
use common::image::image;
use common::{Sim, assert_same};
use tempfile::TempDir;

/// A board on a terminal, in its loader.
struct Bench {
    folder: TempDir,
    _sim: Sim,
}

impl Bench {
    fn new() -> Option<Self> {
        // It has no option that only says that it is there; this is its help.
        if Command::new("stm32flash").arg("-h").output().is_err() {
            println!("SKIPPED: stm32flash is not installed, the loader is not tested with it");
            return None;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
        let (pty, flash, control) = (path("board"), path("flash"), path("control"));
        let sim = Sim::start(&[
            "--pty",
            &pty,
            "--rom-loader",
            "--boot-delay",
            "1",
            "--flash",
            &flash,
            "--control",
            &control,
        ]);
        Some(Self { folder, _sim: sim })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn control(&self) -> Control {
        Control::connect(&self.path("control"))
    }

    fn flash(&self) -> Vec<u8> {
        std::fs::read(self.path("flash")).expect("a flash")
    }

    /// It, on a chip that was just reset.
    fn command(&self, args: &[&str]) -> Command {
        let mut control = self.control();
        control.order("reset");
        control.wait_for("loader");
        let mut command = Command::new("stm32flash");
        command.args(["-b", "115200", "-m", "8n1"]).args(args).arg(self.path("board"));
        command.current_dir(self.folder.path()).stdin(Stdio::null());
        command
    }

    /// Runs it, and gives whether it succeeds and what it says.
    fn run(&self, args: &[&str]) -> (bool, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("it runs");
        let text = [stdout, stderr].concat();
        (status.success(), String::from_utf8_lossy(&text).into_owned())
    }

    /// The same, which has to succeed.
    fn succeed(&self, args: &[&str]) -> String {
        let (success, text) = self.run(args);
        assert!(success, "{args:?}: {text}");
        text
    }

    fn file(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a path").to_owned()
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

#[test]
fn it_knows_the_chip() {
    let Some(bench) = Bench::new() else { return };
    let text = bench.succeed(&[]);
    for part in [
        "Version      : 0x22",
        "Device ID    : 0x0412 (STM32F10xxx Low-density)",
        "Flash      : Up to 32KiB",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn an_image_is_written_verified_read_back_and_started() {
    let Some(bench) = Bench::new() else { return };
    let image = image("sim", "5.6.7", 20_480);
    let file = bench.file("image", &image);
    let text = bench.succeed(&["-w", &file, "-v", "-g", "0x08000000"]);
    assert!(text.contains("Wrote and verified address 0x08005000 (100.00%) Done."), "{text}");
    assert!(text.contains("Starting execution at address 0x08000000... done."), "{text}");
    bench.control().wait_for("program 5.6.7");
    assert_same(&bench.flash()[..image.len()], &image);
    bench.succeed(&["-r", "back", "-S", "0x08000000:20480"]);
    assert_same(&read(&bench.path("back")), &image);
    // All of it, the option bytes, and the loader itself.
    bench.succeed(&["-r", "all"]);
    assert_same(&read(&bench.path("all")), &bench.flash()[..32 * 1024]);
    bench.succeed(&["-r", "options", "-S", "0x1ffff800:16"]);
    assert_same(&read(&bench.path("options")), &bench.flash()[32 * 1024..]);
    bench.succeed(&["-r", "size", "-S", "0x1ffff7e0:4"]);
    assert_eq!(read(&bench.path("size"))[..2], [32, 0]);

    // Another one over it, without erasing: what is there stays, and the verification says so.
    let other = bench.file("other", &vec![0x55; 1024]);
    let (success, text) = bench.run(&["-w", &other, "-v", "-e", "0", "-n", "1"]);
    assert!(!success && text.contains("Failed to verify"), "{text}");
    assert_same(&bench.flash()[..image.len()], &image);

    // Two pages in the middle.
    bench.succeed(&["-o", "-S", "0x08000800:2048"]);
    let mut expected = image.clone();
    expected[0x800..0x1000].fill(0xFF);
    assert_same(&bench.flash()[..image.len()], &expected);
    let (_, text) = bench.run(&["-g", "0"]);
    assert!(text.contains("done"), "{text}");
    bench.control().wait_for("nothing");
    // And everything.
    bench.succeed(&["-o"]);
    assert_same(&bench.flash()[..32 * 1024], &[0xFF; 32 * 1024]);
}

#[test]
fn protections_are_set_and_taken_off() {
    let Some(bench) = Bench::new() else { return };
    let image = image("sim", "1.0.0", 3000);
    let file = bench.file("image", &image);
    bench.succeed(&["-w", &file]);
    bench.succeed(&["-j"]);
    let (success, text) = bench.run(&["-r", "back"]);
    assert!(!success && text.contains("Got NACK from device on command 0x11"), "{text}");
    let (success, _) = bench.run(&["-w", &file]);
    assert!(!success);
    bench.succeed(&["-k"]);
    assert_same(&bench.flash()[..32 * 1024], &[0xFF; 32 * 1024]);

    bench.succeed(&["-w", &file, "-v"]);
    // It has no option to protect from writing: the option bytes are written, groups 0 and 1.
    let options = [0xA5, 0x5A, 0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFC, 3, 0xFF, 0, 0xFF, 0, 0xFF, 0];
    let options = bench.file("options", &options);
    bench.succeed(&["-w", &options, "-S", "0x1ffff800:16"]);
    bench.succeed(&["-o", "-S", "0x08000000:4096"]);
    assert_same(&bench.flash()[..image.len()], &image);
    bench.succeed(&["-u"]);
    bench.succeed(&["-o", "-S", "0x08000000:4096"]);
    assert_same(&bench.flash()[..4096], &[0xFF; 4096]);
}

#[test]
fn a_reset_by_code_in_the_sram() {
    let Some(bench) = Bench::new() else { return };
    let file = bench.file("image", &image("sim", "1.0.0", 3000));
    bench.succeed(&["-w", &file, "-v"]);
    let mut control = bench.control();
    let starts = control.starts();
    let text = bench.succeed(&["-R"]);
    assert!(text.contains("Reset done."), "{text}");
    // The button before it, and the reset that it has asked for.
    control.wait_for_start(starts + 1, "loader");
}

#[test]
fn a_power_cut_and_once_more() {
    let Some(bench) = Bench::new() else { return };
    let image = image("sim", "9.0.0", 20_480);
    let file = bench.file("image", &image);
    for cut in [0, 10, 20, 21, 3000, 10_259] {
        let mut control = bench.control();
        let mut command = bench.command(&["-w", &file, "-v", "-n", "0"]);
        control.order(&format!("cut {cut}"));
        let mut host = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("starts");
        control.wait_for("off");
        // It would wait for half a minute and more.
        host.kill().expect("it runs");
        host.wait().expect("it ends");
        // Twenty pages are erased before the first half-word is written.
        let written = 2 * usize::saturating_sub(cut, 20);
        let flash = bench.flash();
        assert_same(&flash[..written], &image[..written]);
        if cut >= 20 {
            assert!(flash[written..image.len()].iter().all(|&byte| byte == 0xFF), "{cut}");
        }
        control.order("power-cycle");
        control.wait_for("loader");
    }
    bench.succeed(&["-w", &file, "-v", "-g", "0"]);
    bench.control().wait_for("program 9.0.0");
}
