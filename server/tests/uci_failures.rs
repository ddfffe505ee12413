//! Engines that do not start, hang, die, answer late or flood: each failure has its name and its words, and nothing is left behind.

mod uci_support;

use rookery_server::{
    model::Termination,
    uci::{Ended, Engine, EngineFailure, EngineOptions, Go, StartError},
};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use uci_support::*;

async fn refused(spec: &rookery_server::model::EngineSpec, options: EngineOptions) -> StartError {
    match Engine::start(spec, options).await {
        Ok(_) => panic!("{} started", spec.path.display()),
        Err(error) => error,
    }
}

const ALL_MODES: [Go; 4] = [
    Go::Nodes(1_000),
    Go::Depth(5),
    Go::MoveTime { ms: 10 },
    Go::Clock { wtime: 100, btime: 100, winc: 0, binc: 0 },
];

#[tokio::test]
async fn an_engine_that_cannot_be_started_is_named_with_the_reason() {
    for options in [brisk(), guarded()] {
        for (name, words) in [
            ("missing.sh", "was not found"),
            ("not_executable.txt", "not executable"),
            ("../engines", "is a folder"),
            ("no_interpreter.sh", "No such file"),
        ] {
            let error = refused(&engine(name), options.clone()).await.to_string();
            assert!(error.contains(name) && error.contains(words), "{error}");
        }
        let bare = with_env(spec("no-such-engine".into()), "PATH", "/usr/bin:/bin");
        let error = refused(&bare, options.clone()).await.to_string();
        assert!(error.contains("'no-such-engine'"), "{error}");
        assert!(error.contains("PATH (/usr/bin:/bin)"), "{error}");

        let mut nowhere = engine("good.sh");
        nowhere.dir = Some("/no/such/folder".into());
        let error = refused(&nowhere, options).await.to_string();
        assert!(error.contains("/no/such/folder"), "{error}");
    }
    let mut no_guard = guarded();
    no_guard.guard = Some("/no/such/rookery".into());
    let error = refused(&engine("good.sh"), no_guard).await.to_string();
    assert!(error.contains("/no/such/rookery"), "{error}");
}

#[tokio::test]
async fn an_engine_that_ends_at_once_is_reported_with_code_and_last_words() {
    for options in [brisk(), guarded()] {
        let error = refused(&engine("die_at_uci.sh"), options).await;
        assert!(matches!(error, StartError::Ended { how: Ended::Code(3), .. }), "{error:?}");
        let text = error.to_string();
        for words in ["die_at_uci.sh", "exit code 3", "'uci'", "nn-0.nnue"] {
            assert!(text.contains(words), "{text}");
        }
    }
    let mut sh = spec("/bin/sh".into());
    sh.args = ["-c", "kill -ABRT $$"].map(String::from).to_vec();
    let text = refused(&sh, brisk()).await.to_string();
    assert!(text.contains("SIGABRT") && text.contains("/bin/sh -c"), "{text}");
    sh.args = ["-c", "exit 127"].map(String::from).to_vec();
    let text = refused(&sh, guarded()).await.to_string();
    assert!(text.contains("exit code 127"), "{text}");
}

#[tokio::test]
async fn an_engine_that_says_nothing_is_reported_and_ended() {
    for (name, asked, options) in [
        (
            "hang_on_uci.sh",
            "'uci' with 'uciok'",
            EngineOptions { handshake_timeout: SHORT, ..patient() },
        ),
        (
            "hang_on_isready.sh",
            "'isready' with 'readyok'",
            EngineOptions { ready_timeout: SHORT, ..patient() },
        ),
    ] {
        let begun = Instant::now();
        let text = refused(&engine(name), options).await.to_string();
        assert!(text.contains(name) && text.contains(asked), "{text}");
        assert!(begun.elapsed() < PATIENT);
    }
}

#[tokio::test]
async fn a_hang_is_a_stall_in_every_mode() {
    for go in ALL_MODES {
        let mut engine = started(&engine("hang_on_go.sh"), brisk()).await;
        let pid = engine.pid().unwrap();
        let failure = think_within(&mut engine, go, None, SHORT).await.unwrap_err();
        assert!(matches!(failure, EngineFailure::Stalled { .. }), "{failure}");
        assert_eq!(failure.termination(), Some(Termination::StalledConnection));
        assert!(!engine.is_running());
        assert_gone(pid).await;
        let again = think(&mut engine, go).await.unwrap_err();
        assert!(matches!(again, EngineFailure::NotRunning), "{again}");
    }
}

#[tokio::test]
async fn a_deadline_is_kept_in_every_mode() {
    for go in ALL_MODES {
        let mut engine = started(&engine("hang_on_go.sh"), brisk()).await;
        let pid = engine.pid().unwrap();
        let failure = think_within(&mut engine, go, Some(SHORT), PATIENT).await.unwrap_err();
        assert!(matches!(failure, EngineFailure::Overdue { late_answer: None, .. }), "{failure}");
        assert_eq!(failure.termination(), Some(Termination::TimeForfeit));
        engine.quit().await;
        assert_gone(pid).await;
    }
}

#[tokio::test]
async fn a_late_answer_never_reaches_the_next_search() {
    let mut engine = started(&engine("late.sh"), patient()).await;
    let pid = engine.pid();
    for game in 0..3 {
        if game < 2 {
            engine.new_game().await.unwrap();
        }
        let failure = think_within(&mut engine, Go::Nodes(1), Some(SHORT), PATIENT).await;
        if game < 2 {
            let failure = failure.unwrap_err();
            let EngineFailure::Overdue { late_answer, .. } = &failure else {
                panic!("{failure}");
            };
            assert_eq!(late_answer.as_deref(), Some("bestmove a2a3"));
        }
        // The second late answer (h2h3) is on its way when the next question is asked.
        let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
        assert_eq!(answer.text.as_deref(), Some("d2d4"));
        if game < 2 {
            assert!(answer.warnings[0].contains("h2h3"), "{:?}", answer.warnings);
        }
    }
    assert_eq!(engine.pid(), pid, "the same process all the time");
    engine.quit().await;
}

#[tokio::test]
async fn an_engine_deaf_to_stop_is_waited_for_within_its_grace() {
    let mut engine = started(&engine("deaf.sh"), patient()).await;
    let tight = Some(Duration::from_millis(50));
    let failure = think_within(&mut engine, Go::Nodes(1), tight, PATIENT).await.unwrap_err();
    assert!(
        matches!(&failure, EngineFailure::Overdue { late_answer: Some(l), .. } if l == "bestmove e2e4"),
        "{failure}"
    );
    assert!(failure.to_string().contains("later it sent"), "{failure}");
    let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
    assert!(answer.elapsed >= Duration::from_millis(390), "its own search");
    engine.quit().await;
}

#[tokio::test]
async fn deaths_in_a_search_are_told_apart() {
    for (name, how, words) in [
        ("die_at_go.sh", Ended::Code(7), "depth > 0"),
        ("die_in_search.sh", Ended::Signal(11), "SIGSEGV"),
        ("die_with_heir.sh", Ended::Signal(9), "SIGKILL"),
        ("eof_in_search.sh", Ended::ClosedOutput, "closed"),
    ] {
        for options in [brisk(), guarded()] {
            let mut engine = started(&engine(name), options).await;
            let pid = engine.pid().unwrap();
            let failure = think(&mut engine, Go::Nodes(1)).await.unwrap_err();
            assert!(
                matches!(&failure, EngineFailure::Crashed { how: h, .. } if *h == how),
                "{name}: {failure:?}"
            );
            assert!(failure.to_string().contains(words), "{failure}");
            assert_eq!(failure.termination(), Some(Termination::EngineCrash));
            assert_gone(pid).await;
        }
    }
}

#[tokio::test]
async fn floods_end_with_the_deadline_and_the_process() {
    for name in ["flood_line.sh", "flood_lines.sh"] {
        for (deadline, watchdog) in [(Some(SHORT), PATIENT), (None, SHORT)] {
            let mut engine = started(&engine(name), brisk()).await;
            let pid = engine.pid().unwrap();
            let failure =
                think_within(&mut engine, Go::Nodes(1), deadline, watchdog).await.unwrap_err();
            let forfeit = matches!(failure, EngineFailure::Overdue { late_answer: None, .. });
            let stall = matches!(failure, EngineFailure::Stalled { .. });
            assert!(if deadline.is_some() { forfeit } else { stall }, "{failure}");
            let warnings = engine.take_warnings();
            assert!(warnings.len() <= 40, "{}", warnings.len());
            assert_gone(pid).await;
        }
    }
}

#[tokio::test]
async fn a_flood_of_error_output_does_not_stop_the_game() {
    let mut engine = started(&engine("flood_stderr.sh"), brisk()).await;
    let pid = engine.pid().unwrap();
    for _ in 0..20 {
        think(&mut engine, Go::Nodes(1)).await.unwrap();
    }
    engine.quit().await;
    assert_gone(pid).await;
}

#[tokio::test]
async fn a_cancelled_think_leaves_a_usable_engine() {
    let mut engine = started(&stockfish(), patient()).await;
    let pid = engine.pid();
    for _ in 0..3 {
        let cancel = CancellationToken::new();
        // Cancelled as soon as the search is seen to be under way.
        let failure = engine
            .think(&ask(Go::Depth(200), &cancel), &mut |_| cancel.cancel())
            .await
            .unwrap_err();
        assert!(matches!(failure, EngineFailure::Cancelled), "{failure}");
        assert_eq!(failure.termination(), None);
        let answer = think(&mut engine, Go::Depth(1)).await.unwrap();
        assert_eq!(answer.last.unwrap().depth, Some(1));
    }
    assert_eq!(engine.pid(), pid);
    engine.quit().await;
}

#[tokio::test]
async fn a_think_that_was_dropped_is_stopped_before_the_next() {
    let mut engine = started(&stockfish(), patient()).await;
    let pid = engine.pid();
    for _ in 0..3 {
        let cancel = CancellationToken::new();
        let (seen, under_way) = tokio::sync::oneshot::channel();
        let mut seen = Some(seen);
        let request = ask(Go::Depth(200), &cancel);
        let mut observer = |_: &_| {
            if let Some(seen) = seen.take() {
                let _ = seen.send(());
            }
        };
        tokio::select! {
            answer = engine.think(&request, &mut observer) => panic!("{answer:?}"),
            _ = under_way => {}
        }
        let answer = think(&mut engine, Go::Depth(1)).await.unwrap();
        assert_eq!(answer.last.unwrap().depth, Some(1));
    }
    assert_eq!(engine.pid(), pid);
    engine.quit().await;
}

#[tokio::test]
async fn an_engine_that_reads_nothing_does_not_hold_us() {
    // More than any pipe holds.
    let moves = vec!["e2e4".to_owned(); 100_000];
    let cancel = CancellationToken::new();
    let mut request = ask(Go::Nodes(1), &cancel);
    request.moves = &moves;

    let spec = engine("reads_nothing.sh");
    let mut engine = started(&spec, brisk()).await;
    request.deadline = Some(SHORT);
    let failure = engine.think(&request, &mut |_| {}).await.unwrap_err();
    assert!(matches!(failure, EngineFailure::Overdue { .. }), "{failure}");
    assert!(!engine.is_running());

    let mut engine = started(&spec, brisk()).await;
    let pid = engine.pid().unwrap();
    request.deadline = None;
    let mut ignore = |_: &_| {};
    let dropped = tokio::time::timeout(SHORT, engine.think(&request, &mut ignore)).await;
    assert!(dropped.is_err());
    let failure = engine.new_game().await.unwrap_err();
    assert!(matches!(failure, EngineFailure::Stalled { .. }), "{failure}");
    assert_gone(pid).await;
}

#[tokio::test]
async fn cancelling_ends_every_wait() {
    let cancel = CancellationToken::new();
    let mut request = ask(Go::Nodes(1), &cancel);
    request.deadline = Some(SHORT);
    // After the forfeit `isready` is asked, in vain: the wait for it is cancelled.
    let mut engine = started(&engine("stops_then_deaf.sh"), patient()).await;
    let failure = engine.think(&request, &mut |_| {}).await.unwrap_err();
    assert!(matches!(failure, EngineFailure::Overdue { late_answer: Some(_), .. }), "{failure}");
    let begun = Instant::now();
    let canceller = cancel.clone();
    tokio::spawn(async move {
        tokio::time::sleep(SHORT).await;
        canceller.cancel();
    });
    let failure = engine.think(&request, &mut |_| {}).await.unwrap_err();
    assert!(matches!(failure, EngineFailure::Cancelled), "{failure}");
    assert!(begun.elapsed() < PATIENT);
    drop(engine);
}
