//! `rookery book check`.

use super::{Engine, Roots, build::bar};
use crate::{
    book::{self, AnalysisError, Analyst, Book, Diagnosis, diagnose},
    cli::{Usage, out, session::Interrupts},
};
use std::{path::PathBuf, process::ExitCode};
use tokio_util::sync::CancellationToken;

const AFTER_HELP: &str = "\
Examples:
  rookery book check book.bin
  rookery book check book.rkb --blunders 80 --engine-limit depth=16
  rookery book check foreign.bin --diagnose";

/// The options of `rookery book check`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The book: .bin, .rkb, .json or .pgn
    file: PathBuf,
    #[command(flatten)]
    roots: Roots,
    /// Have every move judged by an engine; one that loses more than this against the best is a finding
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
    blunders: Option<i32>,
    #[command(flatten)]
    engine: Engine,
    /// Where judgements are kept
    #[arg(long, value_name = "FILE", requires = "blunders")]
    cache: Option<PathBuf>,
    /// Find out by which conventions the keys of a foreign .bin were made
    #[arg(long)]
    diagnose: bool,
}

pub(super) async fn check(args: Args) -> anyhow::Result<ExitCode> {
    let book = Book::open(&args.file)?;
    let roots = args.roots.positions()?;
    if args.diagnose {
        let Some(polyglot) = book.polyglot() else {
            let text = format!("--diagnose is for .bin books, this one is {}", book.form());
            return Err(Usage(text).into());
        };
        let (found, keys) = diagnose(polyglot, &roots);
        return report(&found, keys);
    }
    let checked = book::check(&book, &roots);
    out::line(format_args!(
        "{} book, {} entries: {} positions with {} moves reached",
        book.form(),
        book.entries(),
        checked.positions,
        checked.moves
    ))?;
    if let Some(compact) = book.compact() {
        out::line(format_args!(
            "{} bytes, keys of {} bits, salt {}, checksum {:08x}; {} other positions asked for",
            compact.byte_len(),
            compact.key_bits(),
            compact.salt(),
            compact.crc(),
            checked.strays
        ))?;
    }
    for note in &checked.notes {
        out::line(format_args!("note: {note}"))?;
    }
    for finding in &checked.findings {
        out::line(format_args!("finding: {finding}"))?;
    }
    let mut count = checked.findings.len();
    if let Some(threshold) = args.blunders {
        for blunder in judge(&args, &book.contents(&roots), threshold).await? {
            count += 1;
            out::line(format_args!(
                "finding: {} loses {} centipawns against {} after '{}', in '{}'",
                blunder.san, blunder.loss, blunder.best, blunder.line, blunder.fen
            ))?;
        }
    }
    out::line(match count {
        0 => "nothing is wrong".to_owned(),
        1 => "1 finding".to_owned(),
        n => format!("{n} findings"),
    })?;
    Ok(if count == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn judge(
    args: &Args,
    contents: &book::Contents,
    threshold: i32,
) -> anyhow::Result<Vec<book::Blunder>> {
    let cancel = CancellationToken::new();
    let mut interrupts = Interrupts::catch()?;
    let mut analyst =
        match Analyst::start(args.engine.options(args.cache.clone()), cancel.clone()).await {
            Err(error @ AnalysisError::Clock(_)) => return Err(Usage(error.to_string()).into()),
            analyst => analyst?,
        };
    let bar = bar(0);
    let mut each = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
    };
    let judged = {
        let judging = book::blunders(contents, threshold, &mut analyst, &mut each);
        tokio::pin!(judging);
        tokio::select! {
            judged = &mut judging => judged,
            () = interrupts.first() => {
                cancel.cancel();
                judging.await
            }
        }
    };
    bar.finish_and_clear();
    analyst.end().await?;
    Ok(judged?)
}

fn report(found: &[Diagnosis], keys: usize) -> anyhow::Result<ExitCode> {
    let Some(best) = found.first().filter(|best| best.hits > 0) else {
        out::line(format_args!(
            "none of {} ways of making keys out of the published table gives one of the {keys} keys: another table, other roots, or no book",
            found.len()
        ))?;
        return Ok(ExitCode::FAILURE);
    };
    out::line(format_args!("{keys} different keys; so many are reached when keys are made"))?;
    for diagnosis in found.iter().take(5).filter(|d| d.hits > 0) {
        let departures = diagnosis.departures();
        let words = match departures.is_empty() {
            true => "as the format says".to_owned(),
            false => departures.join("; "),
        };
        out::line(format_args!("{:>6}  {words}", diagnosis.hits))?;
    }
    let right = best.departures().is_empty();
    out::line(if right {
        "the keys are Polyglot's"
    } else {
        "the keys are not Polyglot's: the first way explains them best"
    })?;
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
