//! `rookery books`: the books that a running server knows. What can be done with a file alone is `rookery book`.

use super::{
    out,
    remote::{Asked, Remote},
    table,
};
use crate::{
    api::{BookPage, BookView, EvaluationView, PositionGames},
    model::{BookForm, FirmwareImage},
};
use anyhow::{Context as _, bail};
use percent_encoding::{NON_ALPHANUMERIC, PercentEncode, utf8_percent_encode};
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const AFTER_HELP: &str = "\
Examples:
  rookery books list --server http://127.0.0.1:8080
  rookery books upload black.rkb                        kept beside the server's database
  rookery books show black.rkb --line 'e4 c5'           moves, an engine's opinion, our games
  rookery books download black.rkb --out black.pgn      in the form that the name says
  rookery books image black.rkb                         for 'rookery flash' and the page
  rookery books delete black.rkb

The server is --server or ROOKERY_SERVER. 'rookery book' works with files.";

const BOOKS: &str = "/api/v1/books";

/// The options of `rookery books`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the books: of the configuration, of runs, and those that are kept
    List(Asked),
    /// One position: the book's moves, what the server's engine thinks, the games that came through it
    Show(ShowArgs),
    /// Keep a book: .bin, .rkb, .json or .pgn
    Upload(UploadArgs),
    /// Write a book into a file here
    Download(DownloadArgs),
    /// Make an image of a book for the boards' flash
    Image(BookArgs),
    /// Forget a book that is kept
    Delete(BookArgs),
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// The book: its name, or its id as 'list' shows it
    #[arg(value_name = "BOOK")]
    book: String,
    /// Moves to the position, UCI or SAN
    #[arg(long, value_name = "MOVES", default_value = "")]
    line: String,
    /// Where they begin [default: the usual start position]
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct UploadArgs {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct DownloadArgs {
    /// The book: its name, or its id as 'list' shows it
    #[arg(value_name = "BOOK")]
    book: String,
    /// The file; its ending says in which form: .bin, .rkb, .json or .pgn
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct BookArgs {
    /// The book: its name, or its id as 'list' shows it
    #[arg(value_name = "BOOK")]
    book: String,
    #[command(flatten)]
    asked: Asked,
}

/// Does what was said.
pub(super) async fn books(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(asked) => {
            let books: Vec<BookView> = asked.remote()?.client().get(BOOKS).await?;
            asked.say(&books, table::books(&books))?;
        }
        Command::Show(args) => show(&args).await?,
        Command::Upload(args) => upload(&args).await?,
        Command::Download(args) => download(&args).await?,
        Command::Image(args) => image(&args).await?,
        Command::Delete(args) => {
            let remote = args.asked.remote()?;
            let book = find(&remote, &args.book).await?;
            remote.client().delete(&path(&book, "")).await?;
            out::note(format_args!("book {} is deleted", book.name));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The book of that name or id.
async fn find(remote: &Remote, named: &str) -> anyhow::Result<BookView> {
    let books: Vec<BookView> = remote.client().get(BOOKS).await?;
    if let Some(book) = books.iter().find(|book| book.id == named) {
        return Ok(book.clone());
    }
    match &*books.iter().filter(|book| book.name == named).collect::<Vec<_>>() {
        [one] => Ok((*one).clone()),
        [] => bail!("the server has no book '{named}'; 'rookery books list' says which"),
        many => bail!(
            "{} books are called '{named}': name one by its id, as 'rookery books list' shows it",
            many.len()
        ),
    }
}

fn path(book: &BookView, rest: &str) -> String {
    format!("{BOOKS}/{}{rest}", encoded(&book.id))
}

/// A text as a part of a URL.
fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

async fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let remote = args.asked.remote()?;
    let book = find(&remote, &args.book).await?;
    let line: Vec<&str> = args.line.split_whitespace().collect();
    let mut query = format!("?line={}", encoded(&line.join(",")));
    if let Some(fen) = &args.fen {
        query.push_str(&format!("&fen={}", encoded(fen)));
    }
    let client = remote.client();
    let page: BookPage = client.get(&path(&book, &query)).await?;
    let judged: EvaluationView =
        client.get(&format!("/api/v1/positions/evaluation{query}")).await?;
    let games: PositionGames = client.get(&format!("/api/v1/positions/games{query}")).await?;
    if args.asked.wants_json() {
        let all = json!({"book": page, "evaluation": judged, "games": games});
        return Ok(out::line(serde_json::to_string_pretty(&all)?)?);
    }
    out::line(&page.fen)?;
    if let Some(name) = &page.opening {
        out::line(name)?;
    }
    out::line(table::book_moves(&page, &judged, &games))?;
    if let Some(why) = &judged.absent {
        out::note(why);
    }
    for g in &games.games {
        let (game, ply, result) = (g.game, g.ply, g.result.as_str());
        out::line(format_args!("game {game} after ply {ply}: {} - {} {result}", g.white, g.black))?;
    }
    Ok(())
}

async fn upload(args: &UploadArgs) -> anyhow::Result<()> {
    let shown = args.file.display();
    let file = std::fs::read(&args.file).with_context(|| format!("'{shown}' cannot be read"))?;
    let name = args.file.file_name().with_context(|| format!("'{shown}' is no file's name"))?;
    let path = format!("{BOOKS}?name={}", encoded(&name.to_string_lossy()));
    let book: BookView = args.asked.remote()?.client().upload(&path, file).await?;
    args.asked.say(&book, table::books(std::slice::from_ref(&book)))
}

async fn download(args: &DownloadArgs) -> anyhow::Result<()> {
    let remote = args.asked.remote()?;
    let book = find(&remote, &args.book).await?;
    let form = form_of(&args.out)?;
    let bytes = remote.client().download(&path(&book, &format!("/file?form={form}"))).await?;
    let shown = args.out.display();
    std::fs::write(&args.out, &bytes).with_context(|| format!("'{shown}' cannot be written"))?;
    out::note(format_args!("{} bytes written to {shown}", bytes.len()));
    Ok(())
}

/// How the API calls the form that a name's ending says.
fn form_of(path: &Path) -> anyhow::Result<String> {
    let form = BookForm::of_name(path).with_context(|| {
        format!(
            "'{}' does not say what is to be written: .bin, .rkb, .json or .pgn",
            path.display()
        )
    })?;
    let word = serde_json::to_value(form)?;
    Ok(word.as_str().expect("a form is a word").to_owned())
}

async fn image(args: &BookArgs) -> anyhow::Result<()> {
    let book = find(&args.asked.remote()?, &args.book).await?;
    let remote = args.asked.flasher()?;
    let image: FirmwareImage = remote.client().upload(&path(&book, "/image"), Vec::new()).await?;
    args.asked.say(&image, table::images(std::slice::from_ref(&image)))
}
