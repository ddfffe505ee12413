//! The loader behind a link that does to bytes what links do, and with mishaps of its own.

mod common;

use std::path::Path;
use std::time::{Duration, Instant};

use common::Sim;
use common::control::Control;
use common::image::image;
use common::loader::{FLASH, Failed, Loader, PATIENCE};
use serde_json::Value;

/// How long a host waits that expects losses.
const HASTE: Duration = Duration::from_millis(250);

/// What a look at a block has led to.
#[derive(Debug, PartialEq, Eq)]
enum Look {
    /// It is as it has to be.
    Right,
    /// It was not, and was written.
    Written,
    /// It could not be written; its page was erased.
    Erased,
}

/// A host that never gives up: whatever goes wrong, it resets the chip and looks again. It ends
/// when it finds everything right without having written anything. Gives the number of resets.
fn flash(place: &str, control: &mut Control, image: &[u8]) -> u32 {
    let until = Instant::now() + Duration::from_secs(300);
    let mut resets = 0;
    let (mut done, mut changed) = (0, false);
    let mut loader = Loader::with_patience(place, HASTE);
    let mut ready = loader.sync();
    loop {
        assert!(Instant::now() < until, "{done} bytes after {resets} resets");
        let end = (done + 256).min(image.len());
        let at = FLASH + u32::try_from(done).expect("small");
        match ready.and_then(|()| look(&mut loader, at, &image[done..end])) {
            Ok(look) => {
                changed |= look != Look::Right;
                done = if look == Look::Erased { done / 1024 * 1024 } else { end };
                ready = Ok(());
            }
            Err(_) => {
                resets += 1;
                let starts = control.starts();
                control.order("reset");
                control.wait_for_start(starts, "loader");
                // The connection may be gone, and what was said on it is old.
                loader = Loader::with_patience(place, HASTE);
                ready = loader.sync();
            }
        }
        if done == image.len() {
            if !changed {
                return resets;
            }
            (done, changed) = (0, false);
        }
    }
}

/// Reads a block, and mends it. A bad link shows it wrong at times, but hardly twice the same.
fn look(loader: &mut Loader, at: u32, bytes: &[u8]) -> Result<Look, Failed> {
    let there = loader.read(at, bytes.len())?;
    if there != loader.read(at, bytes.len())? {
        return Err(Failed::Nonsense(0));
    }
    if there == bytes {
        return Ok(Look::Right);
    }
    if there.iter().all(|&byte| byte == 0xFF) {
        loader.write(at, bytes)?;
        return Ok(Look::Written);
    }
    loader.erase(&[u8::try_from((at - FLASH) / 1024).expect("a page")])?;
    Ok(Look::Erased)
}

fn log(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).expect("a log");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_patient_host_flashes_over_a_bad_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path").to_owned();
    // Bytes that are lost, doubled and flipped, pauses, lost connections.
    let faults = "lose=0.01,dup-bytes=0.01,flip7=0.01,flip8=0.01,stall=0.005,drop=0.005";
    let (control, fault_log) = (path("control"), path("log"));
    let args = ["--rom-loader", "--boot-delay", "1", "--seed", "11", "--control", &control];
    let more = ["--faults", faults, "--fault-log", &fault_log];
    let sim = Sim::tcp(&[&args[..], &more].concat());
    let mut control = Control::connect(Path::new(&control));
    let image = image("sim", "4.0.0", 3000);
    let resets = flash(&sim.place, &mut control, &image);
    assert!(resets > 0, "the faults did nothing");
    control.order("boot0 0");
    control.order("reset");
    control.wait_for("program 4.0.0");
    assert!(sim.close().success());
    let lines = log(Path::new(&fault_log));
    let totals = &lines.last().expect("totals")["totals"];
    let count = |kind: &str| totals[kind].as_u64().expect("a count");
    let struck: u64 =
        ["lose", "dup-bytes", "flip7", "flip8", "stall", "drop"].map(count).iter().sum();
    println!("{struck} faults, {resets} resets");
    assert!(struck > 0);
    assert_eq!(lines.len() as u64, struck + 1);
    // Kinds that need lines do not strike.
    assert!(
        lines
            .iter()
            .rev()
            .skip(1)
            .all(|line| line["detail"].as_str().expect("text").ends_with("of all"))
    );
}

#[test]
fn mishaps_of_the_loader_are_seeded_and_logged() {
    let run = |faults: &str, seed: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let log_path = folder.path().join("log");
        let sim = Sim::tcp(&[
            "--rom-loader",
            "--seed",
            seed,
            "--loader-faults",
            faults,
            "--fault-log",
            log_path.to_str().expect("a path"),
        ]);
        let mut loader = Loader::connect(&sim.place);
        loader.sync().expect("in sync");
        let answers: Vec<bool> = (0..60).map(|_| loader.read(FLASH, 4).is_ok()).collect();
        assert!(sim.close().success());
        (answers, log(&log_path))
    };
    let (answers, lines) = run("nack=0.2", "5");
    let refused = answers.iter().filter(|&&fine| !fine).count();
    assert!((3..25).contains(&refused), "{refused}");
    assert_eq!(lines.last().expect("totals")["loader"]["nack"], refused);
    assert_eq!(lines.len(), refused + 1);
    assert_eq!((&lines[0]["kind"], &lines[0]["direction"]), (&"nack".into(), &"loader".into()));
    assert_eq!(run("nack=0.2", "5").0, answers);
    assert_ne!(run("nack=0.2", "6").0, answers);
    assert!(run("all,nack=0", "5").0.iter().all(|&fine| fine));
}

#[test]
fn an_erase_that_ends_half_way_and_an_ack_that_is_lost() {
    let sim = Sim::tcp(&["--rom-loader", "--loader-faults", "abort-erase=1,ack-lost=1"]);
    let mut loader = Loader::connect(&sim.place);
    loader.sync().expect("in sync");
    // Answers come before the one that is lost.
    loader.be_patient(Duration::from_secs(3));
    assert_eq!(loader.write(FLASH, &[1; 4]), Err(Failed::Silent));
    assert_eq!(loader.write(FLASH + 1024, &[2; 4]), Err(Failed::Silent));
    loader.be_patient(PATIENCE);
    assert_eq!(loader.read(FLASH, 4), Ok(vec![1; 4]), "written all the same");
    assert_eq!(loader.erase(&[0, 1]), Err(Failed::Refused));
    assert_eq!(loader.read(FLASH, 4), Ok(vec![0xFF; 4]));
    assert_eq!(loader.read(FLASH + 1024, 4), Ok(vec![2; 4]));
}
