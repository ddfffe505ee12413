//! `rookery book show` and `rookery book stats`.

use super::{Roots, open};
use crate::{
    book::{Book, Contents, Form, Known, Stats, key, parse_root},
    cli::out,
    model::OpeningLine,
    openings::{self, eco},
};
use shakmaty::{Chess, Move, Position, san::SanPlus};
use std::{
    collections::{HashMap, HashSet},
    path::PathBuf,
    process::ExitCode,
};

/// The options of `rookery book show`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rookery book show book.bin --plies 4\n  rookery book show book.rkb --from 'e2e4 c7c5'"
)]
pub(super) struct Args {
    /// The book: .bin, .rkb, .json or .pgn
    file: PathBuf,
    #[command(flatten)]
    roots: Roots,
    /// Begin here: a FEN, or moves from the usual start position
    #[arg(long, value_name = "MOVES|FEN", value_parser = parse_root)]
    from: Option<OpeningLine>,
    /// Plies to show
    #[arg(long, value_name = "N", default_value_t = 6)]
    plies: usize,
}

/// The options of `rookery book stats`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  rookery book stats book.bin\n  rookery book stats book.json --json"
)]
pub(super) struct StatsArgs {
    /// The book: .bin, .rkb, .json or .pgn
    file: PathBuf,
    #[command(flatten)]
    roots: Roots,
    /// As a JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn show(args: &Args) -> anyhow::Result<ExitCode> {
    let book = Book::open(&args.file)?;
    let roots = args.roots.positions()?;
    // The others would have to be walked from end to end, and have no scores.
    let contents = match book.form() {
        Form::Json | Form::Pgn => book.contents(&roots),
        Form::Polyglot | Form::Compact => Contents { roots, positions: Vec::new() },
    };
    let from = match &args.from {
        Some(line) => vec![openings::replay(line)?.1],
        None => contents.roots.clone(),
    };
    let listed = contents.positions.iter().map(|known| (key(&known.position), known)).collect();
    let mut tree = Tree { book: &book, listed, seen: HashSet::new() };
    for root in from {
        tree.show(&root, 0, args.plies)?;
    }
    if tree.seen.is_empty() && args.plies > 0 {
        out::note(match book.entries() {
            0 => "the book is empty".to_owned(),
            n => format!(
                "none of {n} entries is reached from there: name where lines begin with --root MOVES|FEN, or see 'rookery book check'"
            ),
        });
    }
    Ok(ExitCode::SUCCESS)
}

struct Tree<'a> {
    book: &'a Book,
    /// By its key; where the book has scores they are here.
    listed: HashMap<u64, &'a Known>,
    seen: HashSet<String>,
}

impl Tree<'_> {
    /// The book's moves with weights and, where they are known, scores; at another side's turn the moves that lead back into the book.
    fn show(&mut self, position: &Chess, depth: usize, plies: usize) -> anyhow::Result<()> {
        if depth >= plies {
            return Ok(());
        }
        let own = self.book.moves(position);
        let listed = self.listed.get(&key(position));
        let mut moves: Vec<(Move, String)> = Vec::new();
        for m in &own {
            let cp = listed.and_then(|known| known.moves.iter().find(|k| k.mv == m.mv)?.cp);
            let score = cp.map_or(String::new(), |cp| format!(" {:+.2}", f64::from(cp) / 100.0));
            moves.push((m.mv, format!("  [{}{score}]", m.weight)));
        }
        for mv in position.legal_moves() {
            let mut next = position.clone();
            next.play_unchecked(mv);
            if own.is_empty() && !self.book.moves(&next).is_empty() {
                moves.push((mv, String::new()));
            }
        }
        for (mv, weight) in moves {
            let number = position.fullmoves();
            let dots = if position.turn().is_white() { "." } else { "..." };
            let mut next = position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut next, mv);
            let name = eco::name(&next).map_or(String::new(), |eco| format!("  {eco}"));
            let again = !self.seen.insert(crate::book::wire_fen(&next));
            let mark = if again { "  (see above)" } else { "" };
            let indent = "  ".repeat(depth);
            out::line(format_args!("{indent}{number}{dots} {san}{weight}{name}{mark}"))?;
            if !again {
                self.show(&next, depth + 1, plies)?;
            }
        }
        Ok(())
    }
}

pub(super) fn stats(args: &StatsArgs) -> anyhow::Result<ExitCode> {
    let (book, contents) = open(&args.file, &args.roots)?;
    let stats = Stats::of(&contents);
    if args.json {
        out::line(serde_json::to_string(&stats)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Stats { positions, moves, white, black, .. } = stats;
    out::line(format_args!(
        "{} book: {positions} positions ({white} with White to move, {black} with Black), {moves} moves",
        book.form()
    ))?;
    out::line(format_args!(
        "as .bin {} bytes; on a board {} of {} bytes",
        stats.bytes_polyglot, stats.bytes_compact, stats.bytes_of_board
    ))?;
    let most = |counts: Vec<(String, usize)>, title: &str| -> anyhow::Result<()> {
        out::line(format_args!("\n{title}"))?;
        let largest = counts.iter().map(|(_, n)| *n).max().unwrap_or(1).max(1);
        for (name, count) in counts {
            let bar = "#".repeat((count * 40).div_ceil(largest));
            out::line(format_args!("{name:>28} {count:>6} {bar}"))?;
        }
        Ok(())
    };
    let by_size = |counts: &std::collections::BTreeMap<String, usize>| {
        let mut counts: Vec<_> = counts.iter().map(|(k, n)| (k.clone(), *n)).collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    };
    let plies = stats.by_ply.iter().map(|(ply, n)| (format!("after {ply} plies"), *n)).collect();
    most(plies, "positions by depth")?;
    most(by_size(&stats.by_first_move), "positions by first move")?;
    most(by_size(&stats.by_opening).into_iter().take(20).collect(), "positions by opening")?;
    Ok(ExitCode::SUCCESS)
}
