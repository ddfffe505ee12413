//! The two ways to flash: by a server that runs already and has the board, or by one of this command's own, for as long as it takes.

use crate::{
    api::{BoardView, FlashRequest, FlashView},
    app::App,
    boards::Board,
    cli::client::Client,
    model::{BoardId, BoardSpec, FirmwareImage},
};
use anyhow::{Context as _, bail};
use std::sync::Arc;

/// Who flashes.
pub(super) enum Way<'a> {
    /// This command.
    Here { app: &'a App, board: Arc<Board> },
    /// A server.
    There { client: Client, board: BoardId },
}

impl Way<'_> {
    /// By this command.
    pub(super) async fn here(app: &App, board: BoardSpec) -> anyhow::Result<Way<'_>> {
        Ok(Way::Here { app, board: app.boards.get(&board).await? })
    }

    /// By a server: it must know the board, by its URL, its name or its number.
    pub(super) async fn there(client: Client, board: &BoardSpec) -> anyhow::Result<Way<'static>> {
        let boards: Vec<BoardView> = client.get("/api/v1/boards").await?;
        let is_it = |view: &&BoardView| {
            let url = view.url.trim_end_matches('/') == board.url.trim_end_matches('/');
            url || view.name == board.url || view.id.to_string() == board.url
        };
        let Some(found) = boards.iter().find(is_it) else {
            let known: Vec<_> = boards.iter().map(|b| format!("{} ({})", b.name, b.url)).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            bail!("the server does not have the board '{}'; it has: {known}", board.url);
        };
        Ok(Way::There { board: found.id, client })
    }

    /// Keeps an image.
    pub(super) async fn upload(
        &self,
        file: Vec<u8>,
        region: &str,
        foreign: bool,
    ) -> anyhow::Result<FirmwareImage> {
        match self {
            Way::Here { app, .. } => Ok(app.flashes.keep(&file, region, foreign).await?),
            Way::There { client, .. } => {
                let path = format!("/api/v1/firmware?region={region}&foreign={foreign}");
                client.upload(&path, file).await
            }
        }
    }

    /// Begins.
    pub(super) async fn start(&self, request: &FlashRequest) -> anyhow::Result<FlashView> {
        match self {
            Way::Here { app, board } => Ok(app.flashes.start(board.id, request).await?),
            Way::There { client, board } => {
                client.post(&format!("/api/v1/boards/{board}/flash"), request).await
            }
        }
    }

    /// How it goes.
    pub(super) async fn look(&self) -> anyhow::Result<FlashView> {
        match self {
            Way::Here { app, board } => {
                app.flashes.last(board.id).await?.context("the flash is not known any more")
            }
            Way::There { client, board } => {
                client.get(&format!("/api/v1/boards/{board}/flash")).await
            }
        }
    }

    /// Stops it; it says so itself when it has stopped.
    pub(super) async fn cancel(&self) -> anyhow::Result<()> {
        match self {
            // It may have ended in this moment.
            Way::Here { app, board } => drop(app.flashes.cancel(board.id)),
            Way::There { client, board } => {
                client.delete(&format!("/api/v1/boards/{board}/flash")).await?;
            }
        }
        Ok(())
    }
}
