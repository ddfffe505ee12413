//! Whole games over a link with every fault at once.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use common::Sim;
use common::host::{Host, Rebooted};
use rookery_engine::{Game, Move};
use rookery_protocol::{Activity, BestMove, Command, PositionHash, Tag};
use serde_json::Value;

/// What a game has come to.
#[derive(Debug)]
struct Played {
    plies: u32,
    resets: u32,
    took: Duration,
}

fn fen(game: &Game) -> String {
    let mut fen = String::new();
    game.write_fen(&mut fen).expect("a string");
    fen
}

/// One think, from wherever the board is: the position is pushed when it is elsewhere.
fn ply(host: &mut Host, game: &Game, tag: Tag) -> Result<BestMove, Rebooted> {
    let fen = fen(game);
    let here = PositionHash::of_fen(&fen);
    let status = host.status(&Command::Ping)?;
    assert_eq!(status.activity, Activity::Idle);
    if status.hash != here {
        assert_eq!(host.position(&fen)?.hash, here);
    }
    host.status(&Command::Think { tag, nodes: 3000 })?;
    let best = host.event()?;
    assert_eq!(best.tag, tag, "an old event");
    Ok(best)
}

/// The board plays both sides; the host keeps a game of its own and compares after every move.
fn play(place: &str, plies: u32) -> Played {
    let began = Instant::now();
    let mut host = Host::in_haste(place);
    let mut game = Game::new();
    let mut played = Played { plies: 0, resets: 0, took: Duration::ZERO };
    let mut tag = Tag(0);
    while played.plies < plies {
        if game.legal_moves().iter().count() == 0 {
            game = Game::new();
        }
        tag = Tag(tag.0.wrapping_add(1));
        match ply(&mut host, &game, tag) {
            Ok(best) => {
                let mv: Move = best.best.as_str().parse().expect("a move");
                game.play(mv).expect("a legal move");
                assert_eq!(best.hash, PositionHash::of_fen(&fen(&game)));
                played.plies += 1;
            }
            Err(Rebooted) => {
                played.resets += 1;
                host.events.clear();
            }
        }
    }
    played.took = began.elapsed();
    played
}

fn log(path: &std::path::Path) -> (Vec<Value>, BTreeMap<String, u64>) {
    let text = std::fs::read_to_string(path).expect("a log");
    let mut lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let last = lines.pop().expect("a last line");
    let totals = last["totals"].as_object().expect("totals");
    let totals = totals
        .iter()
        .map(|(kind, count)| (kind.clone(), count.as_u64().expect("a count")))
        .collect();
    (lines, totals)
}

fn faulty_game(seed: u32, faults: &str, plies: u32) -> (Played, BTreeMap<String, u64>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("faults.jsonl");
    let sim = Sim::tcp(&[
        "--seed",
        &seed.to_string(),
        "--faults",
        faults,
        "--fault-log",
        path.to_str().expect("a path"),
    ]);
    let played = play(&sim.place, plies);
    assert!(sim.close().success());
    let (lines, totals) = log(&path);
    for (kind, &total) in &totals {
        let listed = lines.iter().filter(|line| line["kind"] == **kind).count();
        assert_eq!(listed as u64, total, "{kind}");
    }
    (played, totals)
}

#[test]
fn without_faults_nothing_is_logged() {
    let (played, totals) = faulty_game(1, "none", 40);
    assert_eq!((played.plies, played.resets), (40, 0));
    assert_eq!(totals.len(), 15);
    assert!(totals.values().all(|&total| total == 0), "{totals:?}");
}

#[test]
fn a_game_survives_light_faults() {
    let (played, totals) = faulty_game(2, "light", 60);
    eprintln!("{played:?} {totals:?}");
    assert_eq!(played.plies, 60);
    assert!(totals.values().sum::<u64>() > 5, "{totals:?}");
}

#[test]
fn games_survive_every_fault_at_once() {
    let games: Vec<_> =
        (1..=4).map(|seed| std::thread::spawn(move || faulty_game(seed, "all", 40))).collect();
    let mut sum = BTreeMap::<String, u64>::new();
    for game in games {
        let (played, totals) = game.join().expect("a game");
        eprintln!("{played:?} {totals:?}");
        assert_eq!(played.plies, 40);
        for (kind, total) in totals {
            *sum.entry(kind).or_default() += total;
        }
    }
    eprintln!("{sum:?}");
    assert!(sum.values().all(|&total| total > 0), "{sum:?}");
}

/// `cargo test -p rookery-board --test faults -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_seeds_survive_every_fault_at_once() {
    for block in 0..4 {
        let games: Vec<_> = (1..=10)
            .map(|seed| std::thread::spawn(move || faulty_game(100 + 10 * block + seed, "all", 40)))
            .collect();
        for (seed, game) in games.into_iter().enumerate() {
            let (played, totals) = game.join().expect("a game");
            let strikes: u64 = totals.values().sum();
            eprintln!("{block}{seed}: {played:?}, {strikes} faults");
            assert_eq!(played.plies, 40);
        }
    }
}

#[test]
fn each_kind_alone_is_survived_at_ten_times_its_rate() {
    for faults in [
        "lose=0.1",
        "run=0.1",
        "dup-bytes=0.1",
        "dup-line=0.3",
        "merge=0.1",
        "split=0.1",
        "pause=0.1",
        "flip7=0.1",
        "flip8=0.1",
        "swap=0.1",
        "echo=0.5",
        "stall=0.03",
        "drop=0.05",
        "reboot=0.5",
        "silence=0.03",
    ]
    .chunks(5)
    {
        let games: Vec<_> = faults
            .iter()
            .map(|&faults| std::thread::spawn(move || (faults, faulty_game(9, faults, 12))))
            .collect();
        for game in games {
            let (faults, (played, totals)) = game.join().expect("a game");
            assert_eq!(played.plies, 12, "{faults}");
            let (kind, _) = faults.split_once('=').expect("a rate");
            assert!(totals[kind] > 0, "{faults}: {totals:?}");
            let others: u64 = totals.values().sum::<u64>() - totals[kind];
            assert_eq!(others, 0, "{faults}: {totals:?}");
        }
    }
}

/// A host that does not hurry sees the same faults again from the same seed.
#[test]
fn the_seed_brings_the_same_faults_back() {
    let run = || {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("faults.jsonl");
        let sim = Sim::tcp(&[
            "--seed",
            "77",
            "--faults",
            "lose=0.2,flip7=0.2,swap=0.2,dup-line=0.2,split=0.2,echo=0.2",
            "--fault-log",
            path.to_str().expect("a path"),
        ]);
        let mut host = Host::in_haste(&sim.place);
        for _ in 0..100 {
            host.raw(b"\n>C0101 .*0000\n");
            std::thread::sleep(Duration::from_millis(1));
        }
        drop(host);
        assert!(sim.close().success());
        let (lines, _) = log(&path);
        lines
            .into_iter()
            .filter(|line| line["direction"] == "to-board")
            .map(|line| (line["kind"].to_string(), line["detail"].to_string()))
            .collect::<Vec<_>>()
    };
    let first = run();
    assert!(first.len() > 60, "{}", first.len());
    let second = run();
    // How many syncs the first session took depends on time; what follows does not.
    let common = first.len().min(second.len()) / 2;
    assert!(first.windows(common).any(|window| second.windows(common).any(|w| w == window)));
}
