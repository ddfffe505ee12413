//! What the tests of the store and of PGN share: settings, games and plies out of thin air.
#![allow(dead_code, missing_docs, unreachable_pub, clippy::unwrap_used)]

use rookery_server::model::{
    BoardSpec, GameId, IterationRecord, Mover, NewGame, PlayerSpec, PlyRecord, RunId, RunSettings,
    Score,
};
use rookery_server::store::Store;
use shakmaty::Color;
use std::{path::Path, process::Command};

pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// 2027-03-14 15:09:26 UTC
pub const WHEN: i64 = 1_805_036_966_000;

pub fn settings() -> RunSettings {
    let json = r#"{"name":"Test run","first":{"boards":[{"name":"Board A","url":"tcp://127.0.0.1:4000"}]},
        "second":{"name":"Stockfish","path":"stockfish","limit":"nodes=5000"},"games":4,"level":3000}"#;
    serde_json::from_str(json).expect("settings")
}

pub fn settings_named(name: &str, url: &str) -> RunSettings {
    let mut settings = settings();
    settings.first =
        PlayerSpec::Boards(vec![BoardSpec { name: Some(name.to_owned()), url: url.to_owned() }]);
    settings
}

pub fn new_game(run: RunId, number: u32) -> NewGame {
    NewGame {
        run_id: run,
        number,
        board_id: None,
        white: "Board A".to_owned(),
        black: "Stockfish".to_owned(),
        first_color: Color::White,
        start_fen: START.to_owned(),
        opening: Some("Start".to_owned()),
        started_at: WHEN,
    }
}

pub fn ply(n: u32) -> PlyRecord {
    PlyRecord {
        ply: n,
        uci: "g1f3".to_owned(),
        san: "Nf3".to_owned(),
        fen: "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1".to_owned(),
        mover: if n % 2 == 1 { Mover::First } else { Mover::Second },
        clock_ms: Some(59_000),
        nodes: Some(45_012),
        depth: Some(5),
        score_raw: Some(-34),
        score: Some(Score::Cp(-34)),
        host_us: Some(6_200_123),
        board_ms: Some(6_190),
        book: false,
        retransmissions: 1,
        pv: Some("g1f3 g8f6".to_owned()),
        at: WHEN + i64::from(n),
    }
}

pub fn iterations(ply: u32, count: u32) -> Vec<IterationRecord> {
    (0..count)
        .map(|index| IterationRecord {
            ply,
            mover: Mover::First,
            index,
            depth: index + 1,
            nodes: 100 << index,
            score_raw: 10 - i32::try_from(index).unwrap(),
            score: if index == 2 { Some(Score::Mate(-3)) } else { Some(Score::Cp(10)) },
            ms: (index > 0).then_some(5),
            pv: "g1f3".to_owned(),
        })
        .collect()
}

/// A store with a run and a game that has no ply yet.
pub async fn with_game(path: &Path) -> (Store, RunId, GameId) {
    let store = Store::open(path).await.expect("open");
    let run = store.create_run(&settings()).await.expect("run");
    let game = store.create_game(&new_game(run, 1)).await.expect("game");
    (store, run, game)
}

/// What SQLite's own shell says: another program, which knows nothing of ours.
pub fn sqlite3(path: &Path, query: &str) -> String {
    let out = Command::new("sqlite3").arg(path).arg(query).output();
    let out = out.expect("sqlite3 is installed");
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}
