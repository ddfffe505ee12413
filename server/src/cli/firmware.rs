//! `rookery firmware`: the images that a server keeps, and what was flashed onto its boards. Flashing itself is `rookery flash`.

use super::{out, remote::Asked, table};
use crate::{
    api::FlashView,
    model::{FirmwareImage, FlashRecord},
};
use anyhow::{Context as _, bail};
use std::{path::PathBuf, process::ExitCode};

const AFTER_HELP: &str = "\
Examples:
  rookery firmware list --server http://127.0.0.1:8080
  rookery firmware upload rookery-stm32f103c6.elf          kept, flashed later
  rookery firmware history desk                            what was flashed onto a board
  rookery firmware status desk                             the last flash, or the one that goes on
  rookery firmware cancel desk
  rookery firmware delete 3f2a9c                           by the first digits of its SHA-256

The server is --server or ROOKERY_SERVER. 'rookery flash' flashes.";

/// The options of `rookery firmware`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the images that are kept
    List(Asked),
    /// Keep an image: ELF, Intel HEX or binary
    Upload(UploadArgs),
    /// Forget an image
    Delete(DeleteArgs),
    /// List what was flashed onto a board
    History(BoardArgs),
    /// Show the last flash of a board
    Status(BoardArgs),
    /// Stop a flash that goes on; the board starts nothing until it is flashed again
    Cancel(BoardArgs),
}

#[derive(Debug, clap::Args)]
struct UploadArgs {
    /// The file
    #[arg(value_name = "IMAGE")]
    image: PathBuf,
    /// It is an opening book
    #[arg(long)]
    book: bool,
    /// Also a program that is not Rookery's, or for another board
    #[arg(long)]
    force_foreign: bool,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct DeleteArgs {
    /// Its SHA-256, or the first digits of it
    #[arg(value_name = "SHA256")]
    sha256: String,
    #[command(flatten)]
    asked: Asked,
}

#[derive(Debug, clap::Args)]
struct BoardArgs {
    /// The board: its URL, its name or its number
    #[arg(value_name = "BOARD")]
    board: String,
    #[command(flatten)]
    asked: Asked,
}

/// Does what was said.
pub(super) async fn firmware(args: Args) -> anyhow::Result<ExitCode> {
    match args.command {
        Command::List(asked) => {
            let images: Vec<FirmwareImage> = asked.flasher()?.client().get(IMAGES).await?;
            asked.say(&images, table::images(&images))?;
        }
        Command::Upload(args) => upload(&args).await?,
        Command::Delete(args) => delete(&args).await?,
        Command::History(args) => {
            let path = |board| format!("/api/v1/boards/{board}/flashes");
            let flashes: Vec<FlashRecord> = of_board(&args, path).await?;
            args.asked.say(&flashes, table::flashes(&flashes))?;
        }
        Command::Status(args) => {
            let flash: FlashView =
                of_board(&args, |board| format!("/api/v1/boards/{board}/flash")).await?;
            args.asked.say(&flash, table::flashes(std::slice::from_ref(&flash.record)))?;
        }
        Command::Cancel(args) => {
            let remote = args.asked.flasher()?;
            let board = remote.board(&args.board).await?;
            remote.client().delete(&format!("/api/v1/boards/{}/flash", board.id)).await?;
            out::note(format_args!("the flash of {} is being stopped", board.name));
        }
    }
    Ok(ExitCode::SUCCESS)
}

const IMAGES: &str = "/api/v1/firmware";

async fn of_board<T: serde::de::DeserializeOwned>(
    args: &BoardArgs,
    path: impl FnOnce(crate::model::BoardId) -> String,
) -> anyhow::Result<T> {
    let remote = args.asked.flasher()?;
    let board = remote.board(&args.board).await?;
    remote.client().get(&path(board.id)).await
}

async fn upload(args: &UploadArgs) -> anyhow::Result<()> {
    let file = std::fs::read(&args.image)
        .with_context(|| format!("'{}' cannot be read", args.image.display()))?;
    let region = if args.book { "book" } else { "application" };
    let path = format!("{IMAGES}?region={region}&foreign={}", args.force_foreign);
    let image: FirmwareImage = args.asked.flasher()?.client().upload(&path, file).await?;
    args.asked.say(&image, table::images(std::slice::from_ref(&image)))
}

async fn delete(args: &DeleteArgs) -> anyhow::Result<()> {
    let remote = args.asked.flasher()?;
    let images: Vec<FirmwareImage> = remote.client().get(IMAGES).await?;
    let wanted = args.sha256.to_lowercase();
    let fits = |image: &&FirmwareImage| !wanted.is_empty() && image.sha256.starts_with(&wanted);
    let found: Vec<&FirmwareImage> = images.iter().filter(fits).collect();
    let sha256 = match &*found {
        [one] => &one.sha256,
        [] => {
            bail!("the server keeps no image '{}'; 'rookery firmware list' says which", args.sha256)
        }
        many => bail!("'{}' fits {} images: write more digits", args.sha256, many.len()),
    };
    remote.client().delete(&format!("{IMAGES}/{sha256}")).await?;
    out::note(format_args!("image {} is deleted", &sha256[..16]));
    Ok(())
}
