//! No zombie and no orphan: however an engine or the server ends.

mod uci_support;

use rookery_server::uci::{Engine, EngineOptions, Go};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::{Duration, Instant},
};
use uci_support::*;

#[tokio::test]
async fn quit_ends_every_engine_with_all_that_it_started() {
    for name in ["good.sh", "grandchild.sh", "ignore_quit.sh", "ignore_term.sh", "hang_on_go.sh"] {
        for options in [brisk(), guarded()] {
            let begun = Instant::now();
            let engine = started(&engine(name), options).await;
            let pid = engine.pid().unwrap();
            assert!(!group(pid).is_empty());
            let asked = Instant::now();
            engine.quit().await;
            let left = group(pid);
            // Unless the kernel takes longer to end what was killed than `quit` waits for it, which is two seconds.
            let in_time = asked.elapsed() < Duration::from_secs(2);
            assert!(!in_time || left.iter().all(|(p, ..)| *p != pid), "{name}: {left:?}");
            assert_gone(pid).await;
            assert!(begun.elapsed() < PATIENT, "{name}");
        }
    }
}

#[tokio::test]
async fn dropping_ends_every_engine_with_all_that_it_started() {
    for name in ["good.sh", "grandchild.sh", "ignore_term.sh", "flood_stderr.sh"] {
        for options in [brisk(), guarded()] {
            let engine = started(&engine(name), options).await;
            let pid = engine.pid().unwrap();
            drop(engine);
            assert_gone(pid).await;
        }
    }
}

#[tokio::test]
async fn a_start_that_is_dropped_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for wait in [0, 1, 5, 20, 80] {
        let log = dir.path().join(wait.to_string());
        let mut spec = engine("hang_on_uci.sh");
        spec.name = Some("dropped".into());
        let spec = with_env(spec, "LOG", log.to_str().unwrap());
        let start = Engine::start(&spec, patient());
        // Dropped at different points: before, during and after the spawn.
        let _ = tokio::time::timeout(std::time::Duration::from_millis(wait), start).await;
        let begun = Instant::now();
        let marker = format!("LOG={}", log.display());
        while processes_with(&marker) > 0 {
            assert!(begun.elapsed() < PATIENT, "left behind after {wait} ms");
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }
}

/// How many processes but this one have a text in their environment.
fn processes_with(marker: &str) -> usize {
    let environments = std::fs::read_dir("/proc")
        .expect("/proc")
        .flatten()
        .filter(|e| e.file_name().to_str() != Some(&std::process::id().to_string()))
        .filter_map(|e| std::fs::read(e.path().join("environ")).ok());
    environments.filter(|bytes| bytes.split(|b| *b == 0).any(|v| v == marker.as_bytes())).count()
}

#[tokio::test]
async fn a_group_of_its_own_keeps_ctrl_c_away() {
    for options in [brisk(), guarded()] {
        let engine = started(&engine("good.sh"), options).await;
        let pid = engine.pid().unwrap();
        let members = group(pid);
        assert_eq!(members[0].0, pid, "{members:?}");
        assert_eq!(members[0].2, std::process::id(), "our own child: {members:?}");
        engine.quit().await;
    }
}

#[tokio::test]
async fn a_guarded_stockfish_plays() {
    let options = EngineOptions { stop_grace: PATIENT, ..guarded() };
    let mut engine = started(&stockfish(), options).await;
    assert!(engine.name().starts_with("Stockfish"));
    engine.new_game().await.unwrap();
    think(&mut engine, Go::Nodes(200)).await.unwrap();
    engine.quit().await;
}

/// The promise to die with the parent is one to the parent's thread.
#[test]
fn a_guarded_engine_outlives_the_thread_that_asked_for_it() {
    let start = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap()
            .block_on(started(&engine("ignore_term.sh"), guarded()))
    };
    let first = std::thread::spawn(start).join().unwrap();
    // A second start takes longer than a kill would have taken.
    let second = std::thread::spawn(start).join().unwrap();
    for engine in [first, second] {
        let members = group(engine.pid().unwrap());
        assert!(members.iter().any(|(_, state, _)| *state != 'Z'), "{members:?}");
    }
}

const VICTIM: &str = "ROOKERY_TEST_VICTIM";

/// Not a test by itself: the server that the next test kills.
#[tokio::test]
async fn victim() {
    if std::env::var_os(VICTIM).is_none() {
        return;
    }
    let engine = started(&engine("ignore_term.sh"), guarded()).await;
    println!("\nengine {}", engine.pid().unwrap());
    std::future::pending::<()>().await;
}

#[tokio::test]
async fn a_server_killed_by_sigkill_leaves_no_guarded_engine() {
    let mut server = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--nocapture"])
        .env(VICTIM, "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = BufReader::new(server.stdout.take().unwrap());
    let pid: u32 = output
        .lines()
        .map(Result::unwrap)
        .find_map(|l| l.strip_prefix("engine ").map(|pid| pid.parse().unwrap()))
        .expect("the victim tells its engine's number");
    assert!(!group(pid).is_empty());
    let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    assert!(
        environment.contains("PATH=") && !environment.contains(VICTIM),
        "our settings are ours"
    );
    server.kill().unwrap();
    server.wait().unwrap();
    assert_gone(pid).await;
}

#[test]
fn the_guard_explains_itself() {
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_rookery")).args(args).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), text)
    };
    let here = std::process::id().to_string();
    let (code, text) = run(&["engine-guard", &here, "--", "/no/such/engine"]);
    assert_eq!(code, Some(127));
    assert!(text.starts_with("rookery engine-guard: "), "{text}");
    let (code, text) = run(&["engine-guard", "1", "--", "/bin/true"]);
    assert_eq!(code, Some(127));
    assert!(text.contains("the server has ended"), "{text}");
    let (code, text) = run(&["engine-guard", "x"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("usage"), "{text}");
    let (code, _) = run(&["engine-guard", &here, "--", "/bin/sh", "-c", "exit 5"]);
    assert_eq!(code, Some(5));
}
