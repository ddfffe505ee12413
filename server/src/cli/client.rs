//! Requests to a server that runs already, by its API.

use super::Usage;
use crate::api::ApiError;
use anyhow::{Context as _, bail};
use axum::http::{Method, Request, StatusCode, Uri, header};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::{
    client::legacy::{Client as Http, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde::{Serialize, de::DeserializeOwned};
use std::time::Duration;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(30);
/// No answer is longer.
const LONGEST: usize = 16 << 20;

/// A server's API.
pub(super) struct Client {
    http: Http<HttpConnector, Full<Bytes>>,
    base: String,
    token: Option<String>,
    /// Where the token is said.
    flag: &'static str,
}

impl Client {
    /// Of the server at `http://HOST:PORT`.
    pub(super) fn new(url: &str, token: Option<String>) -> Result<Client, Usage> {
        let base = url.trim_end_matches('/').to_owned();
        let good = base.parse::<Uri>().is_ok_and(|uri| {
            uri.scheme_str() == Some("http")
                && uri.host().is_some()
                && uri.path_and_query().is_none_or(|path| path.as_str() == "/")
        });
        if !good {
            return Err(Usage(format!(
                "'{url}' is not a server's URL: write http://HOST:PORT, for example http://127.0.0.1:8080"
            )));
        }
        let http = Http::builder(TokioExecutor::new()).build_http();
        Ok(Client { http, base, token, flag: "--token TEXT, or ROOKERY_TOKEN" })
    }

    /// Whose token is said otherwise than by `--token`.
    pub(super) fn with_flag(self, flag: &'static str) -> Client {
        Client { flag, ..self }
    }

    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        self.ask(Method::GET, path, "", Bytes::new()).await
    }

    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<T> {
        let body = serde_json::to_vec(body)?.into();
        self.ask(Method::POST, path, "application/json", body).await
    }

    /// A file as it is.
    pub(super) async fn upload<T: DeserializeOwned>(
        &self,
        path: &str,
        file: Vec<u8>,
    ) -> anyhow::Result<T> {
        self.ask(Method::POST, path, "application/octet-stream", file.into()).await
    }

    /// The body of an answer as it is.
    pub(super) async fn download(&self, path: &str) -> anyhow::Result<Bytes> {
        self.send(Method::GET, path, "", Bytes::new()).await
    }

    /// JSON as it is, and the body of the answer as it is.
    pub(super) async fn send_json(&self, path: &str, body: Vec<u8>) -> anyhow::Result<Bytes> {
        self.send(Method::POST, path, "application/json", body.into()).await
    }

    pub(super) async fn delete(&self, path: &str) -> anyhow::Result<()> {
        self.send(Method::DELETE, path, "", Bytes::new()).await.map(drop)
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
    ) -> anyhow::Result<T> {
        let answer = self.send(method, path, kind, body).await?;
        serde_json::from_slice(&answer).with_context(|| {
            format!(
                "{} answers '{path}' with something else: is it a rookery of this version?",
                self.base
            )
        })
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
    ) -> anyhow::Result<Bytes> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        if !kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::new(body)).context("the token is no header's text")?;
        let exchange = async {
            let answer = self.http.request(request).await?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), LONGEST).collect().await;
            let body = body.map_err(|e| anyhow::anyhow!(e))?.to_bytes();
            anyhow::Ok((status, body))
        };
        let (status, body) = timeout(PATIENCE, exchange)
            .await
            .with_context(|| format!("no answer from {} within 30 s", self.base))?
            .with_context(|| format!("the server {} cannot be asked", self.base))?;
        if status.is_success() {
            return Ok(body);
        }
        match serde_json::from_slice::<ApiError>(&body) {
            // The server's own words are for those who write a client.
            Ok(_) if status == StatusCode::UNAUTHORIZED => match &self.token {
                None => bail!("the server {} needs its token: add {}", self.base, self.flag),
                Some(_) => bail!("the server {} has another token: {}", self.base, self.flag),
            },
            Ok(error) => bail!("the server says: {}", error.message),
            Err(_) => bail!("{} answers {status}: is it a rookery?", self.base),
        }
    }
}
