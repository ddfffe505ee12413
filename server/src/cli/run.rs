//! `rookery run`: one run from the command line.

use super::{
    Usage,
    book::PickArg,
    openings::OpeningArgs,
    out,
    progress::{Progress, Show},
    session::{Interrupts, ServerArgs},
    table,
};
use crate::{
    app::App,
    books::JudgeOptions,
    config::Config,
    link::BoardUrl,
    model::{
        BoardSpec, BookSpec, Claims, ColorPolicy, DrawRule, EngineSpec, Limit, OnIllegal,
        PlayerSpec, ResignRule, RunId, RunSettings,
    },
    runner::{RunEnd, RunError},
    runs::{self, Ending},
    store::{LinkScope, view::run_name},
    telemetry::GameFilter,
};
use anyhow::Context as _;
use std::{path::PathBuf, process::ExitCode};

const AFTER_HELP: &str = "\
Examples:
  rookery run --board tcp://192.168.4.1:23 --engine stockfish --engine-limit nodes=20000 \\
      --games 10 --level 45000 --db games.db --pgn games.pgn
  rookery run --board tcp://127.0.0.1:4001 --board tcp://127.0.0.1:4002 --engine stockfish \\
      --engine-option 'Skill Level=3' --engine-limit movetime=200 --openings openings.epd \\
      --games 40 --db games.db
  rookery run --engine2 stockfish --engine2-limit nodes=500 \\
      --engine stockfish --engine-limit nodes=500 --games 20 --db engines.db

The same command with the same database goes on where it was interrupted.";

/// The options of `rookery run`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    label: Label,
    #[command(flatten)]
    options: Options,
    /// Each finished game and the summary as a JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ServerArgs,
}

/// How many games there are, under which name: what may also differ where the rest is another run's.
#[derive(Debug, clap::Args)]
pub(super) struct Label {
    /// Number of games, 0 for no end [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub games: Option<u32>,
    /// Name of the run, PGN's Event
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
}

impl Label {
    /// Writes into settings what was given.
    pub(super) fn put_on(&self, settings: &mut RunSettings) {
        settings.games = self.games.unwrap_or(settings.games);
        if self.name.is_some() {
            settings.name.clone_from(&self.name);
        }
    }
}

/// What a run is played with. Also of `rookery runs start`, which knows it by the name of its group.
#[derive(Debug, clap::Args)]
pub(super) struct Options {
    /// Board to play on, such as tcp://HOST:PORT or serial:///dev/ttyUSB0; given again: more boards, each with its own games
    #[arg(
        long,
        value_name = "URL",
        required_unless_present = "engine2",
        conflicts_with = "engine2"
    )]
    board: Vec<BoardUrl>,
    /// UCI engine that opposes the board: a path, or a name in PATH
    #[arg(long, value_name = "PATH")]
    engine: PathBuf,
    /// Limit of its thinks: nodes=N, depth=N, movetime=MILLISECONDS, tc=SECONDS+INCREMENT
    #[arg(long, value_name = "LIMIT", default_value = "nodes=5000")]
    engine_limit: Limit,
    /// UCI option of the engine, such as 'Skill Level=3'; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    engine_option: Vec<(String, String)>,
    /// Argument of the engine; may be given again
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
    /// Environment variable of the engine; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair)]
    engine_env: Vec<(String, String)>,
    /// Working folder of the engine
    #[arg(long, value_name = "DIR")]
    engine_dir: Option<PathBuf>,
    /// Name of the engine in games, instead of its own
    #[arg(long, value_name = "NAME")]
    engine_name: Option<String>,
    /// Book that the server plays from for the engine: .bin, .rkb, .json or .pgn
    #[arg(long, value_name = "FILE")]
    engine_book: Option<PathBuf>,
    /// UCI engine in the board's place
    #[arg(long, value_name = "PATH")]
    engine2: Option<PathBuf>,
    // 'requires' alone is waived by clap where 'engine2' is excluded by a board.
    /// Limit of its thinks
    #[arg(
        long,
        value_name = "LIMIT",
        default_value = "nodes=5000",
        requires = "engine2",
        conflicts_with = "board"
    )]
    engine2_limit: Limit,
    /// UCI option of it; may be given again
    #[arg(long, value_name = "NAME=VALUE", value_parser = pair, requires = "engine2", conflicts_with = "board")]
    engine2_option: Vec<(String, String)>,
    /// Name of it in games
    #[arg(long, value_name = "NAME", requires = "engine2", conflicts_with = "board")]
    engine2_name: Option<String>,
    /// Book of it
    #[arg(long, value_name = "FILE", requires = "engine2", conflicts_with = "board")]
    engine2_book: Option<PathBuf>,
    /// How a move is chosen from the engines' books; drawn by the seed and the game's number
    #[arg(long, value_enum, default_value = "weighted")]
    book_pick: PickArg,
    /// Plies of a game in which the engines' books are asked [default: all]
    #[arg(long, value_name = "N")]
    book_plies: Option<u32>,
    /// The board's node budget for each move
    #[arg(long, value_name = "NODES", default_value_t = 45_000, value_parser = clap::value_parser!(u32).range(1..))]
    level: u32,
    /// Colour of the board
    #[arg(long, value_enum, default_value = "alternate")]
    color: ColorArg,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Shuffle the openings by this seed; without it they are played in the file's order
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Games at a time [default: one on each board]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: Option<u32>,
    /// Draw when both scores stay small: movenumber=40,movecount=8,score=10
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Loss when a side's own score stays hopeless: movecount=3,score=600[,twosided=true]
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Draw when a game has this many plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: Option<u32>,
    /// Do not claim draws: only the fivefold repetition and the 75 moves end a game
    #[arg(long)]
    no_claims: bool,
    /// What an illegal move of the board does
    #[arg(long, value_enum, default_value = "forfeit")]
    on_illegal: OnIllegalArg,
    /// Seconds that a think may take, whatever its limit says
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    think_timeout: u32,
    /// Seconds that a board may be out of reach before its game is forfeited
    #[arg(long, value_name = "SECONDS", default_value_t = 180)]
    board_patience: u32,
    /// Milliseconds that an engine may overstep its clock or move time
    #[arg(long, value_name = "MS", default_value_t = 50)]
    time_margin: u32,
    /// Restarts of a crashed or hung engine in each game
    #[arg(long, value_name = "N", default_value_t = 3)]
    engine_restarts: u32,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ColorArg {
    White,
    Black,
    Alternate,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum OnIllegalArg {
    Forfeit,
    Retry,
}

pub(super) fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.to_owned()))
        }
        _ => Err("write NAME=VALUE".into()),
    }
}

impl Options {
    /// The settings of one game without a name. Books are named as they are from here.
    pub(super) fn settings(&self) -> anyhow::Result<RunSettings> {
        let mut second = EngineSpec::new(self.engine.clone());
        second.name.clone_from(&self.engine_name);
        second.args.clone_from(&self.engine_arg);
        second.dir.clone_from(&self.engine_dir);
        second.env = self.engine_env.iter().cloned().collect();
        second.options.clone_from(&self.engine_option);
        second.limit = self.engine_limit;
        second.book = self.book(self.engine_book.as_ref());
        let first = match &self.engine2 {
            Some(path) => {
                let mut engine = EngineSpec::new(path.clone());
                engine.name.clone_from(&self.engine2_name);
                engine.options.clone_from(&self.engine2_option);
                engine.limit = self.engine2_limit;
                engine.book = self.book(self.engine2_book.as_ref());
                PlayerSpec::Engine(engine)
            }
            None => PlayerSpec::Boards(
                self.board
                    .iter()
                    .map(|url| BoardSpec { name: None, url: url.to_string() })
                    .collect(),
            ),
        };
        let mut settings = RunSettings::new(first, second);
        settings.level = self.level;
        settings.color = match self.color {
            ColorArg::White => ColorPolicy::White,
            ColorArg::Black => ColorPolicy::Black,
            ColorArg::Alternate => ColorPolicy::Alternate,
        };
        settings.concurrency = self.concurrency.unwrap_or(self.board.len().max(1) as u32);
        settings.adjudication.draw = self.draw;
        settings.adjudication.resign = self.resign;
        settings.adjudication.max_plies = self.max_plies;
        settings.claims = if self.no_claims { Claims::Never } else { Claims::Automatic };
        settings.on_illegal = match self.on_illegal {
            OnIllegalArg::Forfeit => OnIllegal::Forfeit,
            OnIllegalArg::Retry => OnIllegal::Retry,
        };
        settings.think_timeout_s = self.think_timeout;
        settings.board_patience_s = self.board_patience;
        settings.time_margin_ms = self.time_margin;
        settings.engine_restarts = self.engine_restarts;
        settings.seed = self.seed.unwrap_or(0);
        settings.openings = self.openings.read(self.seed, settings.seed)?.unwrap_or_default();
        Ok(settings)
    }

    fn book(&self, path: Option<&PathBuf>) -> Option<Box<BookSpec>> {
        let path = std::path::absolute(path?).ok().or_else(|| path.cloned())?;
        Some(Box::new(BookSpec { path, pick: self.book_pick.into(), plies: self.book_plies }))
    }
}

/// Plays the run.
pub(super) async fn run(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let mut settings = args.options.settings()?;
    args.label.put_on(&mut settings);
    let known_as = |url: &str| url.parse::<BoardUrl>().map(|url| url.to_string());
    runs::check(&settings, known_as).map_err(|error| Usage(error.to_string()))?;
    let mut interrupts = Interrupts::catch()?;
    let app = {
        // The opponent's program, without what makes it play as the run wants it.
        let judge = JudgeOptions::by(args.options.engine.clone());
        args.server.start(config, None, None, Some(judge)).await?
    };
    if let Some(address) = app.address {
        out::note(format_args!("the page is at http://{address}"));
    }
    let played = play(&app, &args, &settings, &mut interrupts).await;
    let ended = interrupts.end(app).await;
    status(played, ended)
}

async fn play(
    app: &App,
    args: &Args,
    settings: &RunSettings,
    interrupts: &mut Interrupts,
) -> anyhow::Result<()> {
    let (id, ending) = begin(app, settings, args.server.no_resume).await?;
    let show = if args.json { Show::Json } else { Show::Bar };
    if let Some(result) = follow(app, interrupts, show, id, ending).await? {
        summary(app, id, show).await?;
        result?;
    }
    Ok(())
}

/// The status of a program whose games are over or left, and whose server has ended: the first failure counts.
pub(super) fn status(
    played: anyhow::Result<()>,
    ended: anyhow::Result<()>,
) -> anyhow::Result<ExitCode> {
    played.and(ended).map(|()| ExitCode::SUCCESS)
}

/// Goes on with the interrupted run of equal settings, or begins a new one.
pub(super) async fn begin(
    app: &App,
    settings: &RunSettings,
    no_resume: bool,
) -> anyhow::Result<(RunId, Ending)> {
    if no_resume {
        let closed = app.runs.close_all().await?;
        if closed > 0 {
            out::note(format_args!("{closed} interrupted games closed"));
        }
    }
    let found = app.store.find_unfinished_run(settings).await?;
    for other in app.store.unfinished_runs().await? {
        if found.as_ref().is_none_or(|run| run.id != other.id) {
            let words = "is not over, and rests: the command that began it goes on with it";
            out::note(format_args!("run {} '{}' {words}", other.id, run_name(&other)));
        }
    }
    let Some(record) = found else {
        return Ok(app.runs.create(settings).await?);
    };
    let id = record.id;
    let tally = app.store.tally(id).await?;
    let all = match settings.games {
        0 => String::new(),
        n => format!(" of {n}"),
    };
    out::note(format_args!("resuming run {id}: {}{all} games are over", tally.played));
    Ok((id, app.runs.begin(record).await?))
}

/// Shows a run until it ends or somebody presses Ctrl-C (then there is no result).
pub(super) async fn follow(
    app: &App,
    interrupts: &mut Interrupts,
    show: Show,
    id: RunId,
    ending: Ending,
) -> anyhow::Result<Option<Result<RunEnd, RunError>>> {
    let record = app.store.run(id).await?;
    let tally = app.store.tally(id).await?;
    let mut progress = Progress::new(show, id, record.settings.games, tally.played);
    // Subscribed before the look at what is played already: a game that begins between the two is seen twice, not never.
    let deltas = app.live.subscribe(None).deltas;
    progress.playing(app.live.snapshot().live.iter().map(|live| &live.game));
    tokio::select! {
        () = progress.follow(deltas) => Ok(None),
        ended = ending => Ok(Some(ended.context("the run's task is gone")?)),
        () = interrupts.first() => {
            out::note("stopping; the same command goes on from here");
            Ok(None)
        }
    }
}

/// The games of a run and its score.
pub(super) async fn summary(app: &App, id: RunId, show: Show) -> anyhow::Result<()> {
    let tally = app.store.tally(id).await?;
    let record = app.store.run(id).await?;
    let view = crate::api::RunView::from_record(&record, tally);
    if show == Show::Json {
        out::line(serde_json::to_string(&view)?)?;
        return Ok(());
    }
    const SHOWN: u32 = 50;
    let games = app.store.games(&GameFilter::of_run(id), None, Some(SHOWN)).await?;
    let mut games: Vec<_> = games.iter().map(Into::into).collect();
    games.reverse();
    out::line(table::games(&games))?;
    if tally.played > SHOWN {
        out::line(format_args!("(the last {SHOWN} of {} games)", tally.played))?;
    }
    let counts = app.store.link_event_counts(LinkScope::Run(id)).await?;
    if !counts.is_empty() {
        out::line(table::link(&counts))?;
    }
    out::line(table::score(&view))?;
    Ok(())
}
