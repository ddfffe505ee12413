//! Requests to a server that runs already, by its API.

use super::Usage;
use crate::api::ApiError;
use anyhow::{Context as _, bail};
use axum::http::{HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};
use http_body_util::{BodyDataStream, Full};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{Client as Http, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{pin::pin, time::Duration};
use tokio::time::timeout;

/// Longer than the server itself works for an answer, so that its own word about that arrives.
const PATIENCE: Duration = Duration::from_secs(40);
/// No answer that is taken whole is longer: 64 MB of values at the most, and JSON writes some characters as six.
const LONGEST: usize = 400 << 20;

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
        serde_json::from_slice(&answer).with_context(|| self.something_else(path))
    }

    fn something_else(&self, path: &str) -> String {
        format!(
            "{} answers '{path}' with something else: is it a rookery of this version?",
            self.base
        )
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
    ) -> anyhow::Result<Bytes> {
        let answer = self.open(method, path, kind, body).await?;
        self.whole(answer).await
    }

    /// The body of an answer of that media type as it comes: however long it is, little of it is in memory.
    pub(super) async fn stream(
        &self,
        path: &str,
        kind: &str,
    ) -> anyhow::Result<impl Stream<Item = anyhow::Result<Bytes>> + use<>> {
        let answer = self.open(Method::GET, path, "", Bytes::new()).await?;
        let said = answer.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
        if !said.is_some_and(|said| said.starts_with(kind.as_bytes())) {
            bail!("{}", self.something_else(path));
        }
        Ok(self.parts(answer))
    }

    async fn whole(&self, answer: Response<Incoming>) -> anyhow::Result<Bytes> {
        let mut parts = pin!(self.parts(answer));
        let mut whole = BytesMut::new();
        while let Some(part) = parts.try_next().await? {
            if whole.len() + part.len() > LONGEST {
                bail!("{} answers with more than {LONGEST} bytes: is it a rookery?", self.base);
            }
            whole.extend_from_slice(&part);
        }
        Ok(whole.freeze())
    }

    /// It may take long, but not long without a byte.
    fn parts(
        &self,
        answer: Response<Incoming>,
    ) -> impl Stream<Item = anyhow::Result<Bytes>> + use<> {
        let body = BodyDataStream::new(answer.into_body());
        let (silent, broken_off) =
            (self.silent(), format!("the answer of {} broke off", self.base));
        stream::try_unfold((body, silent, broken_off), async |(mut body, silent, broken_off)| {
            let part = timeout(PATIENCE, body.next()).await.with_context(|| silent.clone())?;
            let part = part.transpose().with_context(|| broken_off.clone())?;
            Ok(part.map(|part| (part, (body, silent, broken_off))))
        })
    }

    fn silent(&self) -> String {
        format!("no answer from {} within {} s", self.base, PATIENCE.as_secs())
    }

    /// The answer, where it is a good one.
    async fn open(
        &self,
        method: Method,
        path: &str,
        kind: &str,
        body: Bytes,
    ) -> anyhow::Result<Response<Incoming>> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        if !kind.is_empty() {
            request = request.header(header::CONTENT_TYPE, kind);
        }
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let request = request.body(Full::new(body)).context("the token is no header's text")?;
        let answer = timeout(PATIENCE, self.http.request(request))
            .await
            .with_context(|| self.silent())?
            .with_context(|| format!("the server {} cannot be asked", self.base))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(answer);
        }
        let body = self.whole(answer).await?;
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
