//! Builds a synthetic database of a million plies and four million iterations through the store, and measures each question to it; and
//! what a ply's roll-up takes, which is a trigger. `bench/run.py` calls it with the path of a new database, and writes what it prints into
//! bench/RESULTS.md.

use anyhow::Context as _;
use rookery_server::{
    model::{
        EngineSpec, GameId, GameResult, IterationRecord, Mover, NewGame, PlayerSpec, PlyRecord,
        RunId, RunSettings, Score, Termination,
    },
    store::{ImportedGame, SqlLimits, Store},
    telemetry::{Query, Subject, View},
};
use sqlx::{ConnectOptions as _, Connection as _, sqlite::SqliteConnectOptions};
use std::{path::Path, time::Instant};

const GAMES: u32 = 12_500;
const RUNS: u32 = 25;
const PLIES: u32 = 80;
const ITERATIONS: u32 = 4;
/// Each question so often; the median counts.
const ROUNDS: usize = 5;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
    "r1bqk2r/pppp1ppp/8/8/8/8/PPPP1PPP/R1BQK2R w KQkq - 0 10",
    "8/5k2/8/4p3/8/4K3/4P3/8 w - - 0 50",
];

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let path = std::env::args().nth(1).context("the path of a new database is missing")?;
    let path = Path::new(&path);
    let begun = Instant::now();
    let store = Store::open(path).await?;
    fill(&store).await?;
    let (plies, bytes) = (GAMES * PLIES, std::fs::metadata(path)?.len());
    println!(
        "built\t{plies}\t{}\t{bytes}\t{:.1}",
        plies * ITERATIONS,
        begun.elapsed().as_secs_f64()
    );
    for (name, query) in questions()? {
        let mut rows = 0;
        let time = measure(async || {
            rows = store.telemetry(&query).await?.rows.len();
            Ok(())
        });
        println!("query\t{name}\t{:.1}\t{rows}", time.await?);
    }
    let mut rows = 0;
    let compare = measure(async || {
        rows = store
            .compare(&Subject::Run(RunId(1)), &Subject::Run(RunId(2)), 15, None)
            .await?
            .rows
            .len();
        Ok(())
    });
    println!("query\tcompare --a run=1 --b run=2\t{:.1}\t{rows}", compare.await?);
    let sql = "SELECT depth, count(*) FROM telemetry_plies WHERE run = 3 GROUP BY depth";
    let own = measure(async || {
        rows = store.query(sql, SqlLimits::default()).await?.rows.len();
        Ok(())
    });
    println!("query\tsql '{sql}'\t{:.1}\t{rows}", own.await?);
    store.close().await?;
    for (games, plies) in [(30, 100), (2, 600)] {
        let [with, without] = roll_up(path, games, plies).await?;
        println!("rollup\t{games}\t{plies}\t{with:.1}\t{without:.1}");
    }
    Ok(())
}

/// What the store takes to keep a ply, in microseconds, with the trigger and without: the median over some games, which two databases
/// take ply by ply in turn.
async fn roll_up(path: &Path, games: u32, plies: u32) -> anyhow::Result<[f64; 2]> {
    let folder = path.parent().context("the database is in no folder")?;
    let mut stores = Vec::new();
    for name in ["with", "without"] {
        let path = folder.join(format!("{name}-{plies}.db"));
        let store = Store::open(&path).await?;
        let run = store.create_run(&settings("Trigger".into())).await?;
        if name == "without" {
            store.close().await?;
            let options = SqliteConnectOptions::new().filename(&path);
            let mut connection = options.connect().await?;
            sqlx::query("DROP TRIGGER plies_roll_up").execute(&mut connection).await?;
            connection.close().await?;
            stores.push((Store::open(&path).await?, run));
        } else {
            stores.push((store, run));
        }
    }
    let mut times = [Vec::new(), Vec::new()];
    let mut seed = 2;
    for n in 0..games {
        let mut given = Vec::new();
        for (store, run) in &stores {
            let new = NewGame { number: n + 1, ..game(n, *run, &mut 1, 0).game };
            given.push(store.create_game(&new).await?);
        }
        let played = game(n, stores[0].1, &mut seed, plies);
        for ply in &played.plies {
            let thought: Vec<_> =
                played.iterations.iter().filter(|i| i.ply == ply.ply).cloned().collect();
            for (((store, _), game), times) in stores.iter().zip(&given).zip(&mut times) {
                let begun = Instant::now();
                store.append_ply(*game, ply, &thought).await?;
                times.push(begun.elapsed().as_secs_f64() * 1e6);
            }
        }
    }
    for (store, _) in stores {
        store.close().await?;
    }
    Ok(times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }))
}

/// The median of some rounds in milliseconds; the first warms the cache.
async fn measure(mut ask: impl AsyncFnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let mut times = Vec::new();
    for _ in 0..=ROUNDS {
        let begun = Instant::now();
        ask().await?;
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    times.remove(0);
    times.sort_by(f64::total_cmp);
    Ok(times[ROUNDS / 2])
}

/// The questions as the command line asks them.
fn questions() -> anyhow::Result<Vec<(String, Query)>> {
    let asked = [
        (View::Summary, "", "", false),
        (View::Summary, "", "mover,phase", false),
        (View::Summary, "", "run", false),
        (View::Summary, "", "firmware", true),
        (View::Summary, "", "", true),
        (View::Summary, "3", "", true),
        (View::Summary, "3", "ply", false),
        (View::Summary, "3", "depth,mover", false),
        (View::Summary, "3", "material", false),
        (View::Summary, "", "depth", false),
        (View::Plies, "3", "", false),
        (View::Iterations, "3", "", false),
        (View::Games, "3", "", false),
        (View::Games, "", "", false),
        (View::Journal, "3", "", false),
        (View::Link, "3", "", false),
    ];
    asked
        .into_iter()
        .map(|(view, run, group, percentiles)| {
            let mut query = Query::new(view);
            query.filter.run = run.parse()?;
            query.group = group.parse()?;
            query.percentiles = percentiles;
            query.limit = Some(1_000);
            let mut name = view.to_string();
            for (option, value) in [("run", run), ("group", group)] {
                if !value.is_empty() {
                    name.push_str(&format!(" --{option} {value}"));
                }
            }
            if percentiles {
                name.push_str(" --percentiles");
            }
            Ok((name, query))
        })
        .collect()
}

async fn fill(store: &Store) -> anyhow::Result<()> {
    let mut runs = Vec::new();
    for n in 0..RUNS {
        runs.push(store.imported_run(&settings(format!("Run {n}")), "synthetic").await?);
    }
    let mut seed = 1;
    for n in 0..GAMES {
        let run = runs[(n % RUNS) as usize];
        let id = store.import_game(&game(n, run, &mut seed, PLIES)).await?;
        debug_assert_eq!(id, GameId(i64::from(n) + 1));
    }
    Ok(())
}

fn settings(name: String) -> RunSettings {
    let engine = || EngineSpec::new("engine".into());
    let mut settings = RunSettings::new(PlayerSpec::Engine(engine()), engine());
    settings.name = Some(name);
    settings
}

fn game(n: u32, run_id: RunId, seed: &mut u64, length: u32) -> ImportedGame {
    let mut below = |most: u64| {
        *seed =
            seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % most
    };
    let started_at = 1_790_000_000_000 + i64::from(n) * 600_000;
    let (mut plies, mut iterations) = (Vec::new(), Vec::new());
    for number in 1..=length {
        let mover = if number % 2 == 1 { Mover::First } else { Mover::Second };
        let nodes = 40_000 + below(60_000);
        let depth = 4 + below(3) as u32;
        let score = Some(Score::Cp(below(400) as i32 - 200));
        plies.push(PlyRecord {
            ply: number,
            uci: "g1f3".to_owned(),
            san: "Nf3".to_owned(),
            fen: FENS[(number * 3 / (length + 1)) as usize].to_owned(),
            mover,
            clock_ms: None,
            nodes: Some(nodes),
            depth: Some(depth),
            score_raw: Some(-34),
            score,
            host_us: Some(nodes * 110 + below(90_000)),
            board_ms: Some(nodes / 9),
            book: number < 5 && mover == Mover::First,
            retransmissions: 0,
            pv: Some("g1f3 g8f6".to_owned()),
            at: started_at + i64::from(number) * 6_000,
        });
        iterations.extend((0..ITERATIONS).map(|index| IterationRecord {
            ply: number,
            mover,
            index,
            depth: index + 1,
            nodes: nodes >> (2 * (ITERATIONS - 1 - index)),
            score_raw: -34,
            score,
            ms: Some(nodes / 9),
            pv: "g1f3".to_owned(),
        }));
    }
    ImportedGame {
        game: NewGame {
            run_id,
            number: 0,
            board_id: None,
            white: "Board".to_owned(),
            black: "Stockfish".to_owned(),
            first_color: shakmaty::Color::White,
            start_fen: START.to_owned(),
            opening: None,
            started_at,
        },
        firmware: Some(format!("1.{}", n % 4)),
        level: Some(60_000),
        digest: format!("{n:064}"),
        tags: Vec::new(),
        plies,
        iterations,
        result: GameResult::BlackWins,
        termination: Termination::Checkmate,
        detail: None,
        ended_at: started_at + 600_000,
    }
}
