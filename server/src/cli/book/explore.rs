//! `rookery book explore`: one position of a book, as the page shows it.

use crate::{
    api::{PassedGameView, PlayedMoveView},
    book::{Analyst, Book, BookMove, LineTextError, Played, explore, legal_move, play, wire_fen},
    books::JudgeOptions,
    cli::out,
    config::Config,
    model::{EngineSpec, Limit, Score},
    openings::eco,
    store::Store,
};
use serde_json::{Value, json};
use shakmaty::{Chess, Position, san::SanPlus};
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tokio_util::sync::CancellationToken;

const AFTER_HELP: &str = "\
Examples:
  rookery book explore book.bin
  rookery book explore book.bin --line 'e4 c5 Nf3' --engine stockfish
  rookery book explore book.rkb --line 'd4 d5' --db rookery.db --json";

/// The options of `rookery book explore`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// The book: .bin, .rkb, .json or .pgn
    file: PathBuf,
    /// Moves to the position, UCI or SAN
    #[arg(long, value_name = "MOVES", default_value = "")]
    line: String,
    /// Where they begin [default: the usual start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// UCI engine that says what it thinks of the position
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
    /// Limit of its think
    #[arg(long, value_name = "LIMIT", default_value_t = JudgeOptions::USUAL_LIMIT)]
    engine_limit: Limit,
    /// Database whose games through the position are counted and listed
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    /// Games that are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    games: u32,
    /// As a JSON object
    #[arg(long)]
    json: bool,
}

/// All that is known of a position.
struct Seen {
    line: Played,
    moves: Vec<BookMove>,
    judged: Vec<(String, Score)>,
    played: Vec<PlayedMoveView>,
    games: Vec<PassedGameView>,
}

pub(super) async fn show(args: &Args, config: &Config) -> anyhow::Result<ExitCode> {
    let book = Book::open(&args.file)?;
    let line = play(args.fen.as_deref(), &args.line)
        .map_err(|error: LineTextError| crate::cli::Usage(error.to_string()))?;
    let position = line.positions.last().expect("a line has a beginning").clone();
    let moves = explore(&book, &position);
    let judged = match &args.engine {
        Some(engine) => judge(engine, args.engine_limit, &position).await?,
        None => Vec::new(),
    };
    let (mut played, mut games) = (Vec::new(), Vec::new());
    if let Some(db) = args.db.as_ref().or(config.db.as_ref()) {
        let store = Store::open_read_only(db).await?;
        played = store.played_at(&position).await?;
        games = store.games_through(&position, args.games).await?;
        store.close().await?;
    }
    let seen = Seen { line, moves, judged, played, games };
    if args.json {
        out::line(seen.json(&position))?;
    } else {
        seen.print(&position)?;
    }
    Ok(ExitCode::SUCCESS)
}

async fn judge(
    engine: &std::path::Path,
    limit: Limit,
    position: &Chess,
) -> anyhow::Result<Vec<(String, Score)>> {
    if position.is_game_over() {
        return Ok(Vec::new());
    }
    let engine = EngineSpec { limit, ..EngineSpec::new(engine.to_owned()) };
    let options = super::analyst(engine, 1, None, Duration::from_secs(600));
    let mut analyst = Analyst::start(options, CancellationToken::new()).await?;
    let lines = analyst.lines(position, JudgeOptions::USUAL_LINES).await;
    analyst.end().await?;
    let said = lines?.into_iter().filter_map(|line| {
        let mv = legal_move(position, &line.uci)?;
        let san = SanPlus::from_move_and_play_unchecked(&mut position.clone(), mv);
        Some((san.to_string(), Score::of_cp(line.cp)))
    });
    Ok(said.collect())
}

impl Seen {
    fn print(&self, position: &Chess) -> anyhow::Result<()> {
        out::line(wire_fen(position))?;
        if let Some(name) = eco::classify(self.line.positions.iter()) {
            out::line(name)?;
        }
        if self.moves.is_empty() {
            out::line("the book has no move here")?;
        }
        for m in &self.moves {
            let san = san(position, m);
            let share = m.share.map_or("  back".into(), |share| format!("{:5.1}%", share * 100.0));
            let weight = m.weight.map_or(String::new(), |weight| weight.to_string());
            let cp = m.cp.map_or(String::new(), |cp| Score::Cp(cp).to_string());
            let games = self.played.iter().find(|p| p.san.as_deref() == Some(&*san));
            let games = games.map_or(String::new(), results);
            let name = m.opening.map_or(String::new(), |eco| eco.to_string());
            let row = format!("{san:<8} {share} {weight:>6} {cp:>7}  {games:<24} {name}");
            out::line(row.trim_end())?;
        }
        let known: Vec<String> = self.moves.iter().map(|m| san(position, m)).collect();
        for p in &self.played {
            if let Some(san) = p.san.as_ref().filter(|san| !known.contains(san)) {
                out::line(format_args!("{san:<8} not in the book       {}", results(p)))?;
            }
        }
        for (san, score) in &self.judged {
            out::line(format_args!("engine: {san} {score}"))?;
        }
        for g in &self.games {
            out::line(format_args!(
                "game {} after ply {}: {} - {} {}",
                g.game,
                g.ply,
                g.white,
                g.black,
                g.result.as_str()
            ))?;
        }
        Ok(())
    }

    fn json(&self, position: &Chess) -> Value {
        let moves = self.moves.iter().map(|m| {
            json!({
                "uci": crate::book::uci(m.mv), "san": san(position, m), "weight": m.weight, "share": m.share, "cp": m.cp,
                "fen": wire_fen(&m.after), "opening": m.opening.map(|eco| eco.to_string()), "goes_on": m.goes_on,
            })
        });
        let played = self.played.iter().map(|p| {
            json!({"uci": p.uci, "san": p.san, "games": p.games, "white": p.white, "draws": p.draws, "black": p.black})
        });
        let games = self.games.iter().map(|g| {
            json!({"game": g.game, "ply": g.ply, "white": g.white, "black": g.black, "result": g.result, "san": g.san})
        });
        json!({
            "fen": wire_fen(position),
            "opening": eco::classify(self.line.positions.iter()).map(|eco| eco.to_string()),
            "moves": moves.collect::<Vec<_>>(),
            "engine": self.judged.iter().map(|(san, score)| json!({"san": san, "score": score})).collect::<Vec<_>>(),
            "played": played.collect::<Vec<_>>(),
            "games": games.collect::<Vec<_>>(),
        })
    }
}

fn san(position: &Chess, m: &BookMove) -> String {
    SanPlus::from_move_and_play_unchecked(&mut position.clone(), m.mv).to_string()
}

fn results(p: &PlayedMoveView) -> String {
    format!("{} games: +{} ={} -{}", p.games, p.white, p.draws, p.black)
}
