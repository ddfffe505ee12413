//! What the tests of UCI engines share: the engines, short patience, and a look at what processes are left.

#![allow(dead_code, reason = "each test file uses its part")]

use rookery_server::{
    model::{EngineSpec, Limit},
    uci::{Answer, Engine, EngineFailure, EngineOptions, Go, Think},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// For what must come, on however slow a machine.
pub(crate) const PATIENT: Duration = Duration::from_secs(20);
/// For what does not come.
pub(crate) const SHORT: Duration = Duration::from_millis(250);

/// One of the small engines next to this file.
pub(crate) fn engine(name: &str) -> EngineSpec {
    spec(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines").join(name))
}

pub(crate) fn stockfish() -> EngineSpec {
    let debian = PathBuf::from("/usr/games/stockfish");
    let path = if debian.exists() { debian } else { "stockfish".into() };
    EngineSpec { options: vec![("Hash".into(), "16".into())], ..spec(path) }
}

pub(crate) fn spec(path: PathBuf) -> EngineSpec {
    EngineSpec { limit: Limit::Nodes(100), ..EngineSpec::new(path) }
}

pub(crate) fn with_env(mut spec: EngineSpec, name: &str, value: impl Into<String>) -> EngineSpec {
    spec.env.insert(name.into(), value.into());
    spec
}

pub(crate) fn patient() -> EngineOptions {
    EngineOptions {
        handshake_timeout: PATIENT,
        ready_timeout: PATIENT,
        stop_grace: PATIENT,
        guard: None,
    }
}

/// Patient with the start, not with the end.
pub(crate) fn brisk() -> EngineOptions {
    EngineOptions { stop_grace: SHORT, ..patient() }
}

pub(crate) fn guarded() -> EngineOptions {
    EngineOptions { guard: Some(env!("CARGO_BIN_EXE_rookery").into()), ..brisk() }
}

pub(crate) async fn started(spec: &EngineSpec, options: EngineOptions) -> Engine {
    match Engine::start(spec, options).await {
        Ok(engine) => engine,
        Err(error) => panic!("{error}"),
    }
}

pub(crate) fn ask<'a>(go: Go, cancel: &'a CancellationToken) -> Think<'a> {
    Think { start_fen: START, moves: &[], go, deadline: None, watchdog: PATIENT, cancel }
}

/// A think from the start position without a deadline.
pub(crate) async fn think(engine: &mut Engine, go: Go) -> Result<Answer, EngineFailure> {
    think_within(engine, go, None, PATIENT).await
}

pub(crate) async fn think_within(
    engine: &mut Engine,
    go: Go,
    deadline: Option<Duration>,
    watchdog: Duration,
) -> Result<Answer, EngineFailure> {
    let cancel = CancellationToken::new();
    let request = Think { deadline, watchdog, ..ask(go, &cancel) };
    engine.think(&request, &mut |_| {}).await
}

/// The processes of a group: number, state and parent.
pub(crate) fn group(leader: u32) -> Vec<(u32, char, u32)> {
    fs::read_dir("/proc")
        .expect("/proc")
        .flatten()
        .filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok())
        .filter_map(|stat| member(&stat, leader))
        .collect()
}

fn member(stat: &str, leader: u32) -> Option<(u32, char, u32)> {
    // The name in parentheses may contain anything.
    let (head, tail) = stat.rsplit_once(')')?;
    let pid = head.split(' ').next()?.parse().ok()?;
    let mut fields = tail.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let of: u32 = fields.next()?.parse().ok()?;
    (of == leader).then_some((pid, state, parent))
}

/// Waits until nothing of a group is left: no process, and no zombie that this process would have to reap. (Whoever loses its
/// parent is init's to reap.)
pub(crate) async fn assert_gone(leader: u32) {
    let begun = Instant::now();
    loop {
        let mut left = group(leader);
        left.retain(|(_, state, parent)| *state != 'Z' || *parent == std::process::id());
        if left.is_empty() {
            return;
        }
        assert!(begun.elapsed() < PATIENT, "left behind: {left:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
