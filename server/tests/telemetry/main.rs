//! What was measured: asked of the store, of the program and of the server; and games that were played elsewhere.
#![allow(missing_docs, clippy::unwrap_used)]

#[path = "../http_support/mod.rs"]
mod http_support;
#[path = "../run_support/mod.rs"]
mod run_support;
#[path = "../store_support/mod.rs"]
mod store_support;

mod command;
mod docs;
mod imports;
mod own_queries;
mod server;
mod views;

use rookery_server::{
    model::{GameId, GameResult, Mover, RunId, Score, Termination},
    store::Store,
    telemetry::{Query, Table, Value, View},
};
use std::path::Path;
use store_support::*;

/// A generator of numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }
}

const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
    "r1bqk2r/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQK2R w KQkq - 0 10",
    "8/5k2/8/4p3/8/4K3/4P3/8 w - - 0 50",
];

/// A database with runs, boards, two firmware versions, games over and one that goes on.
async fn history(path: &Path) -> Store {
    let store = Store::open(path).await.unwrap();
    let mut random = Random(7);
    for run in 0..2 {
        let settings = settings_named(&format!("Run {run}"), "tcp://127.0.0.1:4000");
        let run_id = store.create_run(&settings).await.unwrap();
        let board = store.upsert_board("Board", &format!("tcp://127.0.0.1:{run}")).await.unwrap();
        for number in 1..=6 {
            let firmware = if number <= 3 { "1.0" } else { "1.1" };
            let identity = [("fw", firmware), ("eng", "micro-Max")];
            let identity = identity.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
            store.set_board_identity(board, &identity).await.unwrap();
            let mut game = new_game(run_id, number);
            game.board_id = Some(board);
            game.started_at = WHEN + i64::from(number) * 86_400_000;
            let id = store.create_game(&game).await.unwrap();
            play(&store, id, &mut random).await;
            if (run, number) != (1, 6) {
                finish(&store, id, GameResult::BlackWins, Termination::Checkmate).await;
            }
        }
    }
    store
}

async fn play(store: &Store, game: GameId, random: &mut Random) {
    let length = 10 + random.below(30) as u32;
    for n in 1..=length {
        let mut p = ply(n);
        p.fen = FENS[(n as usize * 3 / length as usize).min(2)].to_owned();
        p.mover = match n {
            1 | 2 => Mover::Opening,
            n if n % 2 == 1 => Mover::First,
            _ => Mover::Second,
        };
        p.book = n == 3 || n == 5;
        p.depth = Some(if random.below(9) == 0 {
            97 + random.below(2) as u32
        } else {
            3 + random.below(4) as u32
        });
        p.nodes = (random.below(8) > 0).then(|| random.below(9_000));
        p.host_us = (random.below(8) > 0).then(|| random.below(3_000_000));
        p.board_ms = (random.below(4) > 0).then(|| random.below(3_000));
        p.score = match random.below(3) {
            0 => None,
            1 => Some(Score::Mate(-3)),
            _ => Some(Score::Cp(random.below(400) as i32 - 200)),
        };
        p.retransmissions = random.below(3) as u32;
        let count = if p.mover == Mover::Opening || p.book { 0 } else { 3 };
        store.append_ply(game, &p, &iterations(n, count)).await.unwrap();
    }
}

async fn finish(store: &Store, game: GameId, result: GameResult, why: Termination) {
    store.finish_game(game, result, why, None).await.unwrap();
}

fn asked(view: View) -> Query {
    Query::new(view)
}

#[track_caller]
fn int(table: &Table, row: usize, column: &str) -> i64 {
    match table.get(row, column) {
        Some(Value::Int(n)) => *n,
        other => panic!("{column} is {other:?}"),
    }
}

#[track_caller]
fn real(table: &Table, row: usize, column: &str) -> f64 {
    match table.get(row, column) {
        Some(Value::Real(x)) => *x,
        other => panic!("{column} is {other:?}"),
    }
}

fn run_id(n: i64) -> RunId {
    RunId(n)
}
