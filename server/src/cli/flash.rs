//! `rookery flash`: an image onto a board.

mod bar;
mod way;

use super::{Usage, client::Client, out, session::Interrupts};
use crate::{
    api::{FlashRequest, FlashView, FlashWhen},
    app::{App, AppOptions},
    config::Config,
    flash::{Image, LineSequence, chip::Region, image},
    link::BoardUrl,
    model::{BoardSpec, FlashEntry, FlashMode, FlashResult},
};
use anyhow::Context as _;
use bar::Bar;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};
use way::Way;

const AFTER_HELP: &str = "\
Examples:
  rookery flash --board tcp://192.168.4.1:23 rookery-stm32f103c6.elf
                                          the board's program enters the loader by itself
  rookery flash --board tcp://192.168.4.1:23 image.bin --entry manual
                                          you set BOOT0 and press reset when you are told to
  rookery flash --board tcp://192.168.4.1:23 image.hex --verify-only
  rookery flash --server http://127.0.0.1:8080 --board bench image.hex --pause
                                          the board belongs to a running server, and plays
  rookery flash --server http://127.0.0.1:8080 --board bench --rollback

An interrupted flash is gone on with by the same command; what is there already is kept.
Until its last bytes are written the board starts nothing, never half an image.";

/// A running flash is looked at so often.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// The options of `rookery flash`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// ELF, Intel HEX or binary file
    #[arg(value_name = "IMAGE", required_unless_present_any = ["book", "rollback"])]
    image: Option<PathBuf>,
    /// The board: its URL, or its name in the configuration or at the server
    #[arg(long, value_name = "URL|NAME")]
    board: String,
    /// Flash this opening book instead; the board's program stays as it is
    #[arg(long, value_name = "FILE", conflicts_with_all = ["image", "rollback"])]
    book: Option<PathBuf>,
    /// Flash what was on the board before the last image (needs --server or --db)
    #[arg(long, conflicts_with = "image")]
    rollback: bool,
    /// The way into the loader: app (the board's program is asked), lines (RTS and DTR pull RESET and BOOT0), manual
    #[arg(
        long,
        value_enum,
        value_name = "WAY",
        default_value = "app",
        hide_possible_values = true
    )]
    entry: EntryArg,
    /// Which line is which pin, for --entry lines: reset=rts,boot0=!dtr, with ! before a line that is inverted
    /// [default: reset=rts,boot0=dtr]
    #[arg(long, value_name = "LINES")]
    lines: Option<LineSequence>,
    /// Only compare the board with the image
    #[arg(long, conflicts_with = "dry_run")]
    verify_only: bool,
    /// Only say what would be written. The board is led into its loader for that, and started again
    #[arg(long)]
    dry_run: bool,
    /// Take the read-out protection away, which erases everything on the chip (needs --yes)
    #[arg(long, conflicts_with_all = ["verify_only", "dry_run"])]
    unprotect: bool,
    /// Yes, erase everything
    #[arg(long)]
    yes: bool,
    /// Flash a program that is not Rookery's, or for another board; it must start on this chip all the same
    #[arg(long)]
    force_foreign: bool,
    /// Where the board plays: flash it after the game
    #[arg(long, conflicts_with = "pause")]
    finish: bool,
    /// Where the board plays: pause the game's run, and resume it afterwards
    #[arg(long)]
    pause: bool,
    /// The running server that has the board
    #[arg(long, env = "ROOKERY_SERVER", value_name = "URL")]
    server: Option<String>,
    /// That server's flash token, or its token where it has no other
    #[arg(long, env = "ROOKERY_FLASH_TOKEN", value_name = "TEXT", hide_env_values = true)]
    flash_token: Option<String>,
    /// Database (SQLite) that keeps the image and what happened, without a server [default: none, nothing is kept]
    #[arg(long, env = "ROOKERY_DB", value_name = "FILE")]
    db: Option<PathBuf>,
    /// Print how it goes as JSON objects, one a line, instead of a bar
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum EntryArg {
    App,
    Lines,
    Manual,
}

/// Flashes.
pub(super) async fn flash(args: Args, config: &Config) -> anyhow::Result<ExitCode> {
    let request = request(&args)?;
    // A wrong file is found before anything is opened.
    let file = args.file().map(|(path, region)| read(path, region, args.force_foreign));
    let file = file.transpose()?;
    let mut interrupts = Interrupts::catch()?;
    if let Some(server) = &args.server {
        let client = Client::new(server, args.flash_token.clone())?
            .with_flag("--flash-token TEXT, or ROOKERY_FLASH_TOKEN");
        let board = BoardSpec { name: None, url: args.board.clone() };
        let way = Way::there(client, &board).await?;
        return follow(&way, &args, request, file, &mut interrupts).await;
    }
    let board = board(&args.board, config)?;
    let place = Place::new(args.db.as_deref().or(config.db.as_deref()))?;
    if args.rollback && place.temporary {
        let text = "--rollback needs to know what was flashed: add --server URL or --db FILE";
        return Err(Usage(text.into()).into());
    }
    let options = AppOptions { db: place.db.clone(), ..AppOptions::default() };
    let app = App::start(options).await.context(
        "the flash does not start (a running server that has the board can do it: --server URL)",
    )?;
    let flashed = async {
        let way = Way::here(&app, board).await?;
        follow(&way, &args, request, file, &mut interrupts).await
    }
    .await;
    let ended = interrupts.end(app).await;
    let code = flashed?;
    ended?;
    Ok(code)
}

impl Args {
    fn file(&self) -> Option<(&Path, Region)> {
        let image = self.image.as_deref().map(|path| (path, Region::APPLICATION));
        image.or(self.book.as_deref().map(|path| (path, Region::BOOK)))
    }
}

fn request(args: &Args) -> Result<FlashRequest, Usage> {
    if args.unprotect && !args.yes {
        let text = "--unprotect erases everything on the chip, its program and its book: add --yes if that is what you want";
        return Err(Usage(text.into()));
    }
    let entry = match args.entry {
        EntryArg::App => FlashEntry::App,
        EntryArg::Lines => FlashEntry::Lines,
        EntryArg::Manual => FlashEntry::Manual,
    };
    if args.lines.is_some() && entry != FlashEntry::Lines {
        return Err(Usage("--lines is for --entry lines only".into()));
    }
    Ok(FlashRequest {
        image: None,
        rollback: args.rollback,
        entry,
        lines: args.lines.as_ref().map(ToString::to_string),
        when: match (args.finish, args.pause) {
            (true, _) => FlashWhen::Finish,
            (_, true) => FlashWhen::Pause,
            _ => FlashWhen::Free,
        },
        mode: match (args.verify_only, args.dry_run) {
            (true, _) => FlashMode::Verify,
            (_, true) => FlashMode::DryRun,
            _ => FlashMode::Write,
        },
        unprotect: args.unprotect,
        by: Some(std::env::var("USER").map_or("cli".into(), |user| format!("cli: {user}"))),
    })
}

/// A file that is an image: it is checked here as the server checks it, so that a wrong one costs no upload.
fn read(path: &Path, region: Region, foreign: bool) -> anyhow::Result<(Vec<u8>, &'static str)> {
    let context = || format!("the image '{}' cannot be flashed", path.display());
    let length = std::fs::metadata(path).with_context(context)?.len();
    if length > image::LARGEST_FILE as u64 {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        return Err(image::ImageError::FileTooLarge(length)).with_context(context);
    }
    let file = std::fs::read(path).with_context(context)?;
    let image = Image::read(&file, region).with_context(context)?;
    let tag = image::check(&image, foreign).with_context(context)?;
    let what = tag.map_or(String::new(), |tag| format!(", {} {}", tag.board, tag.version));
    out::note(format_args!(
        "{}: {} bytes{what}, SHA-256 {}",
        path.display(),
        image.bytes().len(),
        &image.sha256()[..16]
    ));
    Ok((file, region.name))
}

/// A board of the configuration, or a URL.
fn board(text: &str, config: &Config) -> anyhow::Result<BoardSpec> {
    if let Some(board) = config.boards.get(text) {
        return Ok(BoardSpec { name: Some(text.to_owned()), url: board.url.clone() });
    }
    text.parse::<BoardUrl>().map_err(|error| Usage(error.to_string()))?;
    Ok(BoardSpec { name: None, url: text.to_owned() })
}

/// Where the database is; one that nobody wants to keep is in a folder that goes with this.
struct Place {
    db: PathBuf,
    temporary: bool,
}

impl Place {
    fn new(db: Option<&Path>) -> anyhow::Result<Place> {
        if let Some(db) = db {
            return Ok(Place { db: db.to_owned(), temporary: false });
        }
        let folder =
            std::env::temp_dir().join(format!("rookery-flash-{:016x}", rand::random::<u64>()));
        std::fs::create_dir(&folder)
            .with_context(|| format!("the folder '{}' cannot be made", folder.display()))?;
        Ok(Place { db: folder.join("flash.db"), temporary: true })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(folder) = self.db.parent().filter(|_| self.temporary) {
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

async fn follow(
    way: &Way<'_>,
    args: &Args,
    mut request: FlashRequest,
    file: Option<(Vec<u8>, &'static str)>,
    interrupts: &mut Interrupts,
) -> anyhow::Result<ExitCode> {
    if let Some((file, region)) = file {
        request.image = Some(way.upload(file, region, args.force_foreign).await?.sha256);
    }
    let mut view = way.start(&request).await?;
    let mut bar = Bar::new(args.json);
    let mut stopping = false;
    while view.record.result == FlashResult::Running {
        bar.show(&view)?;
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = interrupts.first(), if !stopping => {
                stopping = true;
                way.cancel().await?;
            }
        }
        view = way.look().await?;
    }
    bar.show(&view)?;
    bar.end();
    summary(&view, args)
}

fn summary(view: &FlashView, args: &Args) -> anyhow::Result<ExitCode> {
    let record = &view.record;
    let good = match record.result {
        FlashResult::Flashed => {
            let millis = record.ended_at.unwrap_or(record.started_at) - record.started_at;
            let now =
                view.firmware.as_ref().map_or(String::new(), |fw| format!("; the board runs {fw}"));
            format!(
                "flashed and verified: {} bytes written in {:.1} s, {} retries{now}",
                record.bytes,
                millis as f64 / 1000.0,
                record.retries
            )
        }
        FlashResult::Unchanged => "the image was on the board already; nothing was written".into(),
        FlashResult::Compared => match view.differed.unwrap_or(0) {
            0 => "the board has this image".into(),
            pages => format!("{pages} pages would be written; nothing was changed"),
        },
        _ => {
            let why = record.detail.clone().unwrap_or_else(|| "no reason is known".into());
            return Err(anyhow::anyhow!(why));
        }
    };
    if !args.json {
        out::line(good)?;
    }
    Ok(ExitCode::SUCCESS)
}
