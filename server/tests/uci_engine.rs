//! Stockfish, and engines whose output is odd: all of them play.

mod uci_support;

use rookery_server::{
    model::Score,
    uci::{Engine, Go, Think, interpret},
};
use shakmaty::Chess;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use uci_support::*;

#[tokio::test]
async fn stockfish_introduces_itself() {
    let spec = stockfish();
    let mut engine = started(&spec, patient()).await;
    assert!(engine.name().starts_with("Stockfish"), "{}", engine.name());
    assert!(engine.author().is_some());
    assert!(engine.declared_options().len() > 10);
    assert_eq!(engine.take_warnings(), [""; 0]);
    engine.new_game().await.unwrap();
    let pid = engine.pid().unwrap();
    engine.quit().await;
    assert_eq!(group(pid), [], "reaped when quit returns");

    let named = rookery_server::model::EngineSpec { name: Some("The Opponent".into()), ..spec };
    let engine = started(&named, patient()).await;
    assert_eq!(engine.name(), "The Opponent");
    engine.quit().await;
}

#[tokio::test]
async fn stockfish_thinks_under_every_limit() {
    let mut engine = started(&stockfish(), patient()).await;
    let clock = Go::Clock { wtime: 1_000, btime: 1_000, winc: 10, binc: 10 };
    for go in [Go::Nodes(500), Go::Depth(6), Go::MoveTime { ms: 50 }, clock] {
        engine.new_game().await.unwrap();
        let answer = think(&mut engine, go).await.unwrap();
        let text = answer.text.as_deref().unwrap();
        let read = interpret(text, &Chess::default()).unwrap();
        assert_eq!(read.warning, None);
        assert_eq!(answer.warnings, [""; 0]);
        assert!(answer.raw.starts_with("bestmove "), "{}", answer.raw);
        let last = answer.last.unwrap();
        assert!(matches!(last.score, Some(Score::Cp(_))), "{last:?}");
        assert!(last.pv.starts_with(text), "{last:?}");
        assert!(answer.nodes >= last.nodes && answer.nodes > Some(0));
        match go {
            Go::Depth(depth) => assert_eq!(last.depth, Some(depth)),
            Go::MoveTime { ms } => {
                assert!(answer.elapsed + Duration::from_millis(20) > Duration::from_millis(ms))
            }
            _ => {}
        }
    }
    engine.quit().await;
}

#[tokio::test]
async fn stockfish_gets_the_whole_position() {
    let mut engine = started(&stockfish(), patient()).await;
    let cancel = CancellationToken::new();
    let moves = ["f2f3", "e7e5", "g2g4"].map(String::from);
    let request = Think { moves: &moves, ..ask(Go::Depth(4), &cancel) };
    let answer = engine.think(&request, &mut |_| {}).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("d8h4"));
    assert_eq!(answer.last.unwrap().score, Some(Score::Mate(1)));

    let mated = Think { start_fen: "7k/5KQ1/8/8/8/8/8/8 b - - 0 1", ..ask(Go::Depth(4), &cancel) };
    let answer = engine.think(&mated, &mut |_| {}).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("(none)"));
    engine.quit().await;
}

#[tokio::test]
async fn only_the_first_of_several_lines_is_reported() {
    let mut spec = stockfish();
    spec.options.push(("MultiPV".into(), "4".into()));
    let mut engine = started(&spec, patient()).await;
    let cancel = CancellationToken::new();
    let (mut seen, mut depths) = (0, Vec::new());
    let mut observer = |info: &rookery_server::uci::Info| {
        assert_eq!(info.multipv, Some(1));
        assert!(info.score.is_some());
        seen += 1;
        depths.extend(info.depth);
    };
    let answer = engine.think(&ask(Go::Depth(6), &cancel), &mut observer).await.unwrap();
    let last = answer.last.unwrap();
    assert_eq!((last.multipv, last.depth), (Some(1), Some(6)));
    assert!(last.pv.starts_with(answer.text.as_deref().unwrap()));
    assert!(seen >= 6 && depths.is_sorted(), "{seen} {depths:?}");
    engine.quit().await;
}

#[tokio::test]
async fn strength_options_are_options_and_odd_ones_are_warnings() {
    let mut spec = stockfish();
    spec.options.extend(
        [
            ("Skill Level", "3"),
            ("uci_limitstrength", "true"),
            ("UCI_Elo", "1500"),
            ("Swindle Mode", "on"),
            ("Threads", "0"),
            ("Clear Hash", ""),
        ]
        .map(|(name, value)| (name.into(), value.into())),
    );
    let mut engine = started(&spec, patient()).await;
    let warnings = engine.take_warnings();
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].contains("Swindle Mode"), "{warnings:?}");
    assert!(warnings[1].contains("'Threads' = '0'"), "{warnings:?}");
    think(&mut engine, Go::Nodes(200)).await.unwrap();
    engine.quit().await;
}

async fn plays(name: &str, text: &str) -> (Engine, Vec<String>) {
    let mut engine = started(&engine(name), patient()).await;
    let mut warnings = engine.take_warnings();
    engine.new_game().await.expect(name);
    for _ in 0..3 {
        let answer = think(&mut engine, Go::Nodes(1)).await.expect(name);
        assert_eq!(answer.text.as_deref(), Some(text), "{name}");
        warnings.extend(answer.warnings);
    }
    (engine, warnings)
}

#[tokio::test]
async fn garbage_before_uciok_is_noise() {
    let (engine, warnings) = plays("noise.sh", "e2e4").await;
    assert_eq!(engine.name(), "Noise");
    assert_eq!(warnings, [""; 0]);
    engine.quit().await;
}

#[tokio::test]
async fn carriage_returns_and_spaces_are_tolerated() {
    let (engine, warnings) = plays("crlf.sh", "e2e4").await;
    assert_eq!(engine.name(), "crlf.sh");
    assert_eq!(warnings, [""; 0]);
    engine.quit().await;
}

#[tokio::test]
async fn keywords_behind_garbage_are_found_and_counted() {
    let (engine, warnings) = plays("glued.sh", "g1f3").await;
    // uciok, readyok at the start and at the new game, three moves.
    assert_eq!(warnings.len(), 6, "{warnings:?}");
    assert!(warnings.iter().all(|w| w.contains("behind garbage")));
    assert!(warnings[5].contains("0bestmove g1f3 ponder g8f6"), "{warnings:?}");
    engine.quit().await;
}

#[tokio::test]
async fn an_empty_line_is_no_answer_and_the_deadline_is_waited_for() {
    let mut engine = started(&engine("late_after_empty.sh"), patient()).await;
    let answer = think_within(&mut engine, Go::Nodes(1), Some(PATIENT), PATIENT).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("g1f3"));
    assert!(answer.elapsed >= Duration::from_millis(300));
    engine.quit().await;
}

#[tokio::test]
async fn a_move_without_an_end_of_line_counts() {
    let mut engine = started(&engine("last_words.sh"), patient()).await;
    let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("e2e4"));
    engine.quit().await;
}

#[tokio::test]
async fn what_an_engine_answers_is_kept_raw_and_judged_apart() {
    let promotion = "8/5P2/8/8/8/4k3/8/K7 w - - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
    let promotion: Chess = promotion.into_position(shakmaty::CastlingMode::Standard).unwrap();
    let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse::<shakmaty::fen::Fen>().unwrap();
    let castling: Chess = castling.into_position(shakmaty::CastlingMode::Standard).unwrap();
    for (line, position, legal) in [
        ("bestmove f7f8Q", &promotion, true),
        ("bestmove e1h1", &castling, true),
        ("bestmove O-O", &castling, true),
        ("bestmove f7f8", &promotion, false),
        ("bestmove (none)", &castling, false),
        ("bestmove 0000", &castling, false),
        ("bestmove a1a1", &promotion, false),
        ("bestmove", &castling, false),
    ] {
        let spec = with_env(engine("bestmove.sh"), "ANSWER", line);
        let mut engine = started(&spec, patient()).await;
        let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
        assert_eq!(answer.raw, line);
        let read = interpret(answer.text.as_deref().unwrap_or_default(), position);
        assert_eq!(read.is_ok(), legal, "{line}: {read:?}");
        assert!(read.is_err() || read.unwrap().warning.is_some(), "{line}");
        engine.quit().await;
    }
}

#[tokio::test]
async fn an_answer_to_no_question_is_ignored() {
    let mut engine = started(&engine("twice.sh"), patient()).await;
    let mut warnings = Vec::new();
    for _ in 0..5 {
        let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
        assert_eq!(answer.text.as_deref(), Some("e2e4"));
        warnings.extend(answer.warnings);
        engine.new_game().await.unwrap();
    }
    warnings.extend(engine.take_warnings());
    assert_eq!(warnings.len(), 5, "{warnings:?}");
    assert!(warnings[0].contains("e7e5"));
    engine.quit().await;
}

#[tokio::test]
async fn a_line_without_end_is_cut_and_reported() {
    let mut engine = started(&engine("long_line.sh"), patient()).await;
    let answer = think(&mut engine, Go::Nodes(1)).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("e2e4"));
    assert_eq!(answer.warnings.len(), 1, "{:?}", answer.warnings);
    assert!(answer.warnings[0].contains("cut at 65536 bytes"));
    engine.quit().await;
}

#[tokio::test]
async fn arguments_environment_and_folder_reach_the_engine() {
    let dir = tempfile::tempdir().unwrap();
    let mut spec = spec("/bin/sh".into());
    spec.args = [
        "-c",
        "read l; echo \"id name $1 $FOO in $(pwd -P)\"; echo uciok; read l; echo readyok; read l",
        "sh",
        "an argument",
    ]
    .map(String::from)
    .to_vec();
    spec.dir = Some(dir.path().to_owned());
    let spec = with_env(spec, "FOO", "bar");
    for options in [patient(), guarded()] {
        let engine = started(&spec, options).await;
        let here = dir.path().canonicalize().unwrap();
        assert_eq!(engine.name(), format!("an argument bar in {}", here.display()));
        engine.quit().await;
    }
}
