//! Engines that are started again within a game, with the position restored, a bounded number of times.

mod uci_support;

use rookery_server::{
    model::Termination,
    uci::{EngineEvent, EngineFailure, Go, Supervised},
};
use std::{fs, time::Duration};
use tokio_util::sync::CancellationToken;
use uci_support::*;

#[derive(Default)]
struct Seen {
    restarts: Vec<(u32, String)>,
    warnings: Vec<String>,
}

impl Seen {
    fn see(&mut self, event: EngineEvent<'_>) {
        match event {
            EngineEvent::Info(_) => {}
            EngineEvent::Warning(text) => self.warnings.push(text),
            EngineEvent::Restarted { reason, attempt } => self.restarts.push((attempt, reason)),
        }
    }
}

#[tokio::test]
async fn a_crash_or_a_hang_is_repaired_with_the_position_restored() {
    // It holds after the restart as well, on a loaded machine.
    let soon = Duration::from_secs(5);
    for (name, watchdog) in [("die_once.sh", PATIENT), ("hang_once.sh", soon)] {
        let dir = tempfile::tempdir().unwrap();
        let (state, log) = (dir.path().join("state"), dir.path().join("log"));
        let spec = with_env(engine(name), "STATE", state.to_str().unwrap());
        let spec = with_env(spec, "LOG", log.to_str().unwrap());
        let mut engine = Supervised::start(&spec, brisk(), 2).await.unwrap();
        let first = engine.pid().unwrap();
        let (cancel, mut seen) = (CancellationToken::new(), Seen::default());
        engine.new_game(&cancel, &mut |e| seen.see(e)).await.unwrap();
        let moves = ["e2e4", "e7e5"].map(String::from);
        let mut request = ask(Go::Nodes(77), &cancel);
        (request.moves, request.watchdog) = (&moves, watchdog);
        let answer = engine.think(&request, &mut |e| seen.see(e)).await.unwrap();
        assert_eq!(answer.text.as_deref(), Some("e2e4"));
        assert_eq!(seen.restarts.len(), 1, "{:?}", seen.restarts);
        assert_eq!(seen.restarts[0].0, 1);
        assert_ne!(engine.pid(), Some(first));
        assert_gone(first).await;

        let log = fs::read_to_string(log).unwrap();
        let asked = format!("position fen {START} moves e2e4 e7e5\ngo nodes 77\n");
        assert_eq!(log.matches(&asked).count(), 2, "{log}");
        engine.quit().await;
    }
}

#[tokio::test]
async fn restarts_are_bounded_in_each_game_and_then_the_reason_is_clear() {
    let mut engine = Supervised::start(&engine("die_at_go.sh"), brisk(), 2).await.unwrap();
    let cancel = CancellationToken::new();
    for game in 0..2 {
        let mut seen = Seen::default();
        engine.new_game(&cancel, &mut |e| seen.see(e)).await.unwrap();
        let request = ask(Go::Nodes(1), &cancel);
        let failure = engine.think(&request, &mut |e| seen.see(e)).await.unwrap_err();
        assert!(matches!(failure, EngineFailure::GaveUp { restarts: 2, .. }), "{failure}");
        assert_eq!(failure.termination(), Some(Termination::EngineCrash));
        let text = failure.to_string();
        for words in ["exit code 7", "depth > 0", "2 restarts"] {
            assert!(text.contains(words), "{text}");
        }
        let attempts: Vec<u32> = seen.restarts.iter().map(|r| r.0).collect();
        assert_eq!(attempts, if game == 0 { &[1, 2][..] } else { &[0, 1, 2] });
    }
    engine.quit().await;
}

#[tokio::test]
async fn a_time_forfeit_is_not_repaired_and_the_next_game_is_played() {
    let mut engine = Supervised::start(&engine("hang_on_go.sh"), brisk(), 3).await.unwrap();
    let (cancel, mut seen) = (CancellationToken::new(), Seen::default());
    let mut request = ask(Go::Nodes(1), &cancel);
    request.deadline = Some(SHORT);
    let failure = engine.think(&request, &mut |e| seen.see(e)).await.unwrap_err();
    assert_eq!(failure.termination(), Some(Termination::TimeForfeit));
    assert_eq!(seen.restarts, []);
    engine.new_game(&cancel, &mut |e| seen.see(e)).await.unwrap();
    assert_eq!(seen.restarts.len(), 1);
    assert_eq!(seen.restarts[0].0, 0);
    engine.quit().await;
}

#[tokio::test]
async fn an_engine_that_died_between_two_thinks_is_started_again() {
    let mut engine = Supervised::start(&engine("good.sh"), brisk(), 1).await.unwrap();
    let (cancel, mut seen) = (CancellationToken::new(), Seen::default());
    let request = ask(Go::Nodes(1), &cancel);
    engine.think(&request, &mut |e| seen.see(e)).await.unwrap();
    let pid = engine.pid().unwrap();
    let victim = rustix::process::Pid::from_raw(i32::try_from(pid).unwrap()).unwrap();
    rustix::process::kill_process(victim, rustix::process::Signal::KILL).unwrap();
    engine.think(&request, &mut |e| seen.see(e)).await.unwrap();
    assert_eq!(seen.restarts.len(), 1);
    assert!(seen.restarts[0].1.contains("signal 9"), "{:?}", seen.restarts);
    assert_gone(pid).await;
    engine.quit().await;
}

#[tokio::test]
async fn a_restart_can_be_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("state");
    let spec = with_env(engine("die_for_good.sh"), "STATE", state.to_str().unwrap());
    let mut engine = Supervised::start(&spec, patient(), 3).await.unwrap();
    let cancel = CancellationToken::new();
    let request = ask(Go::Nodes(1), &cancel);
    let failure = engine
        .think(&request, &mut |event| {
            if matches!(event, EngineEvent::Restarted { .. }) {
                cancel.cancel();
            }
        })
        .await
        .unwrap_err();
    assert!(matches!(failure, EngineFailure::Cancelled), "{failure}");
    engine.quit().await;
}
