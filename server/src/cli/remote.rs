//! A running server, as a command line sees it.

use super::{Usage, client::Client, out};
use crate::api::BoardView;
use anyhow::{Context as _, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Display;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{Message, client::IntoClientRequest as _, http::HeaderValue},
};

/// Where a running server is.
#[derive(Debug, clap::Args)]
pub(super) struct ServerUrl {
    /// A running server, for example http://127.0.0.1:8080
    #[arg(long, env = "ROOKERY_SERVER", value_name = "URL")]
    pub server: Option<String>,
    /// The token that it needs
    #[arg(long, env = "ROOKERY_TOKEN", value_name = "TEXT", hide_env_values = true)]
    pub token: Option<String>,
}

/// A running server that is asked, and how its answer is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Asked {
    #[command(flatten)]
    place: ServerUrl,
    /// The server's flash token, where it has one: it is needed to change what boards are flashed with
    #[arg(long, env = "ROOKERY_FLASH_TOKEN", value_name = "TEXT", hide_env_values = true)]
    flash_token: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Asked {
    /// The server, with the token for everything but flashing.
    pub(super) fn remote(&self) -> anyhow::Result<Remote> {
        Remote::needed(&self.place)
    }

    /// The server, with the flash token where there is one.
    pub(super) fn flasher(&self) -> anyhow::Result<Remote> {
        let token = self.flash_token.clone().filter(|token| !token.is_empty());
        let token = token.or_else(|| self.place.token.clone());
        Remote::needed(&ServerUrl { server: self.place.server.clone(), token })
    }

    pub(super) fn say<T: Serialize>(&self, what: &T, table: impl Display) -> anyhow::Result<()> {
        match self.json {
            true => out::line(serde_json::to_string_pretty(what)?)?,
            false => out::line(table)?,
        }
        Ok(())
    }

    /// Whether the answer is wanted as JSON.
    pub(super) fn wants_json(&self) -> bool {
        self.json
    }
}

/// A running server.
pub(super) struct Remote {
    base: String,
    token: Option<String>,
    client: Client,
}

impl Remote {
    /// The server that is named, if one is.
    pub(super) fn new(place: &ServerUrl) -> anyhow::Result<Option<Remote>> {
        let Some(base) = place.server.clone() else { return Ok(None) };
        let token = place.token.clone().filter(|token| !token.is_empty());
        let client = Client::new(&base, token.clone())?;
        Ok(Some(Remote { base, token, client }))
    }

    /// The server that is named; it must be.
    pub(super) fn needed(place: &ServerUrl) -> anyhow::Result<Remote> {
        let none = || Usage("no server is named: add --server URL, or set ROOKERY_SERVER".into());
        Ok(Remote::new(place)?.ok_or_else(none)?)
    }

    /// Its API.
    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// The board of that URL, name or number.
    pub(super) async fn board(&self, named: &str) -> anyhow::Result<BoardView> {
        let boards: Vec<BoardView> = self.client.get("/api/v1/boards").await?;
        let fits = |b: &&BoardView| b.url == named || b.name == named || b.id.to_string() == named;
        if let Some(board) = boards.iter().find(fits) {
            return Ok(board.clone());
        }
        let there: Vec<String> = boards.iter().map(|b| format!("{} ({})", b.url, b.name)).collect();
        let there = if there.is_empty() { "none".to_owned() } else { there.join(", ") };
        bail!("the server has no board '{named}'; it has: {there}")
    }

    /// Opens a WebSocket.
    pub(super) async fn web_socket(&self, path: &str) -> anyhow::Result<Socket> {
        let base = self.base.trim_end_matches('/').replacen("http", "ws", 1);
        let url = format!("{base}{path}");
        let mut request = url.as_str().into_client_request()?;
        if let Some(token) = &self.token {
            let value = HeaderValue::from_str(&format!("Bearer {token}"))
                .map_err(|_| Usage("the token has characters that no token has".into()))?;
            request.headers_mut().insert("Authorization", value);
        }
        let (socket, _) =
            connect_async(request).await.with_context(|| format!("no WebSocket at {url}"))?;
        Ok(Socket { socket })
    }
}

/// A WebSocket of JSON texts.
pub(super) struct Socket {
    socket: WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>,
}

impl Socket {
    /// The next message; none at the end.
    pub(super) async fn next<T: DeserializeOwned>(&mut self) -> anyhow::Result<Option<T>> {
        while let Some(message) = self.socket.next().await {
            match message? {
                Message::Text(text) => return Ok(Some(serde_json::from_str(&text)?)),
                Message::Close(_) => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Says something.
    pub(super) async fn say(&mut self, what: &impl serde::Serialize) -> anyhow::Result<()> {
        let text = serde_json::to_string(what)?;
        Ok(self.socket.send(Message::text(text)).await?)
    }
}
