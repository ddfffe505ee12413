//! `rookery book convert`.

use super::{Roots, open, writable, write, write_all};
use crate::{
    book::{Contents, Form, compact},
    cli::out,
    model::Pick,
};
use anyhow::bail;
use rookery_book::compact::REGION_BYTES;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery book convert book.bin --out board.rkb
  rookery book convert book.json --out board.rkb --pick weighted --seed 7
  rookery book convert book.json --out book.bin --out book.pgn";

/// The options of `rookery book convert`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The book: .bin, .rkb, .json or .pgn
    file: PathBuf,
    /// The new file; again for more forms of it
    #[arg(long, value_name = "FILE", required = true)]
    out: Vec<PathBuf>,
    #[command(flatten)]
    roots: Roots,
    /// Which of several moves a board's book gets
    #[arg(long, value_enum, default_value = "best")]
    pick: PickArg,
    /// Seed of the draw: another seed, another book
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Bytes that a board's book may have
    #[arg(long, value_name = "N", default_value_t = REGION_BYTES)]
    bytes: usize,
    /// Positions that are taken, those nearest to the roots [default: all]
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(in crate::cli) enum PickArg {
    /// The heaviest
    Best,
    /// Drawn by the weights
    Weighted,
    /// Drawn, each as likely as the others
    Uniform,
}

impl From<PickArg> for Pick {
    fn from(pick: PickArg) -> Pick {
        match pick {
            PickArg::Best => Pick::Best,
            PickArg::Weighted => Pick::Weighted,
            PickArg::Uniform => Pick::Uniform,
        }
    }
}

pub(super) fn convert(args: &Args) -> anyhow::Result<ExitCode> {
    for path in &args.out {
        writable(path)?;
    }
    let (book, mut contents) = open(&args.file, &args.roots)?;
    let missed = book.entries().saturating_sub(contents.move_count());
    if missed > 0 {
        out::note(format_args!(
            "{missed} of {} entries are left out: their positions are not reached from the roots, or their moves are not legal or are \
             there already",
            book.entries()
        ));
        keep_what_would_be_lost(&args.file, &contents, &args.out)?;
    }
    contents.positions.truncate(args.positions.unwrap_or(usize::MAX));
    let (boards, others): (Vec<_>, Vec<_>) =
        args.out.iter().cloned().partition(|path| Form::of_name(path) == Some(Form::Compact));
    // First what cannot be too small.
    write_all(&contents, &others)?;
    for path in boards {
        let made = compact(&contents, args.pick.into(), args.seed, args.bytes)?;
        write(&path, &made.bytes)?;
        out::line(format_args!(
            "{}: {} bytes, {} positions, keys of {} bits, told apart from all {} positions around it",
            path.display(),
            made.bytes.len(),
            made.positions,
            made.key_bits,
            made.strays
        ))?;
        if made.clashes > 0 {
            out::note(format_args!(
                "{} positions have the hash of another one: left out",
                made.clashes
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A book of which nothing is found is no result, and a file is not replaced by a part of itself.
fn keep_what_would_be_lost(
    file: &Path,
    contents: &Contents,
    out: &[PathBuf],
) -> anyhow::Result<()> {
    let cure = "name where its lines begin with --root MOVES|FEN, or see 'rookery book check'";
    if contents.positions.is_empty() {
        bail!("no position of '{}' is reached, and nothing was written: {cure}", file.display());
    }
    let itself = file.canonicalize().ok();
    if itself.is_some() && out.iter().any(|path| path.canonicalize().ok() == itself) {
        bail!(
            "'{}' is not replaced by a part of itself: give --out another name, or {cure}",
            file.display()
        );
    }
    Ok(())
}
