//! `rookery book build`.

use super::{Engine, Roots, writable, write_all};
use crate::{
    book::{self, AnalysisError, Analyst, BuildError, BuildOptions, Mode, Progress, Sides},
    cli::{Usage, out, session::Interrupts},
};
use indicatif::{ProgressBar, ProgressStyle};
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tokio_util::sync::CancellationToken;

const AFTER_HELP: &str = "\
Examples:
  rookery book build --side black --out black.json --out black.rkb
  rookery book build --side both --root 'e2e4 c7c5' --plies 12 --engine-limit depth=18 --out sicilian.bin
  rookery book build --mode staged --positions 1000 --out staged.rkb

The names' endings say what is written: .bin Polyglot, .rkb a board's, .json everything, .pgn lines.
Interrupted, the same command goes on where it was: what was judged is in the file --cache.";

/// The options of `rookery book build`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The book's file; again for more forms of it
    #[arg(long, value_name = "FILE", required = true)]
    out: Vec<PathBuf>,
    /// The side that plays by the book
    #[arg(long, value_enum, default_value = "black")]
    side: SideArg,
    /// How it grows: by the opponent's likely moves, or in the journals' three stages
    #[arg(long, value_enum, default_value = "tree")]
    mode: ModeArg,
    #[command(flatten)]
    roots: Roots,
    /// Opponent's moves that are looked at (the engine's MultiPV)
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=256))]
    width: u32,
    /// Centipawns that a move may be worse than the best one to be followed
    #[arg(long, value_name = "CP", default_value_t = 50, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    window: i32,
    /// Own moves for a position, within the same window; a board's book has the best alone
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    replies: u32,
    /// No position after so many plies
    #[arg(long, value_name = "N", default_value_t = 14, value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: u16,
    /// Positions that the book may have; a board has room for some 1,000
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,
    /// Seed of the random fill of --mode staged
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    engine: Engine,
    /// Where judgements are kept [default: the first --out with .cache behind it]
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,
    /// Keep no judgements
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum SideArg {
    White,
    Black,
    Both,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum ModeArg {
    Tree,
    Staged,
}

impl Args {
    fn options(&self) -> anyhow::Result<BuildOptions> {
        let mut roots = self.roots.lines()?;
        if roots.is_empty() {
            roots = book::default_roots();
        }
        Ok(BuildOptions {
            roots,
            sides: match self.side {
                SideArg::White => Sides::White,
                SideArg::Black => Sides::Black,
                SideArg::Both => Sides::Both,
            },
            mode: match self.mode {
                ModeArg::Tree => Mode::Tree,
                ModeArg::Staged => Mode::Staged,
            },
            width: self.width,
            window: self.window,
            replies: self.replies,
            plies: self.plies.into(),
            positions: self.positions as usize,
            seed: self.seed,
        })
    }

    fn cache(&self) -> Option<PathBuf> {
        let beside = || {
            let mut name = self.out.first()?.as_os_str().to_owned();
            name.push(".cache");
            Some(PathBuf::from(name))
        };
        if self.no_cache { None } else { self.cache.clone().or_else(beside) }
    }
}

pub(super) async fn build(args: Args) -> anyhow::Result<ExitCode> {
    for path in &args.out {
        writable(path)?;
    }
    let options = args.options()?;
    let cancel = CancellationToken::new();
    let mut interrupts = Interrupts::catch()?;
    let mut analyst = match Analyst::start(args.engine.options(args.cache()), cancel.clone()).await
    {
        Err(error @ AnalysisError::Clock(_)) => return Err(Usage(error.to_string()).into()),
        analyst => analyst?,
    };
    let bar = bar(options.positions as u64);
    let mut watch = |progress: Progress| show(&bar, progress);
    let built = {
        let build = book::build(&options, &mut analyst, &mut watch);
        tokio::pin!(build);
        tokio::select! {
            built = &mut build => built,
            () = interrupts.first() => {
                cancel.cancel();
                build.await
            }
        }
    };
    bar.finish_and_clear();
    let asked = analyst.asked();
    analyst.end().await?;
    let contents = match built {
        Err(BuildError::Analysis(AnalysisError::Interrupted)) if args.no_cache => {
            anyhow::bail!("interrupted; without a cache the next build begins anew")
        }
        built => built?,
    };
    out::note(format_args!("{asked} positions judged"));
    write_all(&contents, &args.out)?;
    Ok(ExitCode::SUCCESS)
}

/// A bar of things that are done, where somebody looks.
pub(super) fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let style = "{elapsed_precise} {bar:30} {pos}/{len} positions, {eta} left  {msg}";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

fn show(bar: &ProgressBar, progress: Progress) {
    let Progress { positions, wanted, judging: (done, total), ply } = progress;
    bar.set_length(wanted as u64);
    bar.set_position(positions as u64);
    bar.set_message(format!("ply {ply}: {done} of {total} judged"));
}
