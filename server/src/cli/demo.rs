//! `rookery demo`: a simulated board plays Stockfish, with nothing to configure.

use super::{
    book::PickArg,
    openings::OpeningArgs,
    out,
    progress::Show,
    run::{begin, follow, status, summary},
    session::{DEFAULT_LISTEN, Interrupts, ServerArgs},
    simulator::{Simulation, Simulator},
};
use crate::{
    app::App,
    book::Book,
    books::JudgeOptions,
    config::Config,
    model::{BoardSpec, BookSpec, EngineSpec, Limit, PlayerSpec, RunSettings},
    openings,
};
use anyhow::Context as _;
use std::{path::PathBuf, process::ExitCode};

/// The board's URL in the database: its port is another one at every start.
const BOARD: &str = "sim://demo";
/// Games where no number is given: as many as somebody wants to watch.
const ENDLESS: u32 = 0;
/// Games where no number is given and the demo is to end.
const FEW: u32 = 4;
/// The board's pace for people, in nodes per second: fast enough not to bore, slow enough to see it think.
const WATCHABLE: u64 = 30_000;

const AFTER_HELP: &str = "\
Examples:
  rookery demo                                   watch it on http://127.0.0.1:8080, until Ctrl-C
  rookery demo --games 4 --level 3000 --exit     four quick games and a summary
  rookery demo --faults all --games 4 --exit     over a link that loses, doubles and garbles

The same command with the same database goes on where it was interrupted.";

/// The options of `rookery demo`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Number of games, 0 for no end [default: 0; with --exit: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    games: Option<u32>,
    /// The board's node budget for each move
    #[arg(long, value_name = "NODES", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    level: u32,
    /// Faults of the simulated link: none, light, all, or NAME=RATE,… (see 'board-sim --help')
    #[arg(long, value_name = "PROFILE", default_value = "none")]
    faults: String,
    /// End after the last game, with a summary
    #[arg(long)]
    exit: bool,
    /// Seed of the openings' order, the board's faults and its boot ids
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The simulated board's speed in nodes per second, 0 for as fast as possible [default: 30000; with --exit: 0]
    #[arg(long, value_name = "N")]
    speed: Option<u64>,
    /// UCI engine
    #[arg(long, value_name = "PATH", default_value = "stockfish")]
    engine: PathBuf,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Limit of its thinks
    #[arg(long, value_name = "LIMIT", default_value = "nodes=20000")]
    engine_limit: Limit,
    /// Book that the server plays from for the engine: .bin, .rkb, .json or .pgn
    #[arg(long, value_name = "FILE")]
    engine_book: Option<PathBuf>,
    /// How a move is chosen from it; drawn by the seed and the game's number
    #[arg(long, value_enum, default_value = "weighted", requires = "engine_book")]
    book_pick: PickArg,
    /// Plies of a game in which it is asked [default: all]
    #[arg(long, value_name = "N", requires = "engine_book")]
    book_plies: Option<u32>,
    /// Book of the simulated board, .rkb or .bin, instead of its small one
    #[arg(long, value_name = "FILE")]
    board_book: Option<PathBuf>,
    /// The simulated board's program [default: board-sim beside this program or in PATH]
    #[arg(long, env = "ROOKERY_BOARD_SIM", value_name = "PATH")]
    board_sim: Option<PathBuf>,
    /// File for the faults that the simulated link injects, one JSON object a line
    #[arg(long, value_name = "FILE")]
    fault_log: Option<PathBuf>,
    #[command(flatten)]
    server: ServerArgs,
}

/// Plays the demo.
pub(super) async fn demo(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    // Before anything is started; the board looks at its own.
    if let Some(path) = &args.engine_book {
        Book::open(path)?;
    }
    let settings = settings(&args)?;
    let mut interrupts = Interrupts::catch()?;
    let speed = args.speed.unwrap_or(if args.exit { 0 } else { WATCHABLE });
    let simulation = Simulation {
        seed: args.seed,
        faults: args.faults.clone(),
        speed,
        fault_log: args.fault_log.clone(),
        book: args.board_book.clone(),
    };
    let simulator = Simulator::start(args.board_sim.as_ref(), &simulation).await?;
    let app = args
        .server
        .start(config, Some(DEFAULT_LISTEN), Some("rookery-demo.db"), Some(JudgeOptions::by(args.engine.clone())))
        .await
        .context("the demo does not start (another one may be running: try --listen 127.0.0.1:0 --db FILE)")?;
    app.boards.alias(BOARD, format!("tcp://{}", simulator.address).parse()?);
    if let Some(address) = app.address {
        out::note(format_args!("the page is at http://{address}  (Ctrl-C ends the demo)"));
    }
    let played = play(&app, &args, &settings, &mut interrupts).await;
    let ended = interrupts.end(app).await;
    simulator.end().await;
    status(played, ended)
}

async fn play(
    app: &App,
    args: &Args,
    settings: &RunSettings,
    interrupts: &mut Interrupts,
) -> anyhow::Result<()> {
    let (id, ending) = begin(app, settings, args.server.no_resume).await?;
    let Some(result) = follow(app, interrupts, Show::Bar, id, ending).await? else {
        return Ok(());
    };
    summary(app, id, Show::Bar).await?;
    if !args.exit {
        out::note("all games are over; the page stays until Ctrl-C");
        interrupts.first().await;
    }
    result?;
    Ok(())
}

fn settings(args: &Args) -> anyhow::Result<RunSettings> {
    let board = BoardSpec { name: Some("Simulated board".into()), url: BOARD.into() };
    let mut engine = EngineSpec::new(args.engine.clone());
    engine.limit = args.engine_limit;
    engine.book = args.engine_book.as_ref().map(|path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        Box::new(BookSpec { path, pick: args.book_pick.into(), plies: args.book_plies })
    });
    let mut settings = RunSettings::new(PlayerSpec::Boards(vec![board]), engine);
    settings.name = Some("Demo".into());
    settings.games = args.games.unwrap_or(if args.exit { FEW } else { ENDLESS });
    settings.level = args.level;
    settings.openings = match args.openings.read(None, args.seed)? {
        Some(lines) => lines,
        None => {
            let mut lines = openings::builtin();
            openings::shuffle(&mut lines, args.seed);
            lines
        }
    };
    settings.seed = args.seed;
    Ok(settings)
}
