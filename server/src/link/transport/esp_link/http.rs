//! The pages of esp-link that set the port up. Each answers with a small JSON object.

use super::super::tcp;
use http_body_util::{BodyExt, Empty, Limited};
use hyper::{Method, Request, body::Bytes, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use std::{io, time::Duration};
use tokio::time::timeout;

/// An ESP8266 that saves its settings takes its time.
const PATIENCE: Duration = Duration::from_secs(3);
/// Its answers have some twenty bytes; whatever says more is something else.
const MOST: usize = 4096;

#[derive(Debug)]
pub(super) struct Pages {
    host: String,
    port: u16,
}

impl Pages {
    pub(super) fn new(host: &str, port: u16) -> Pages {
        Pages { host: host.to_owned(), port }
    }

    /// A value as it is.
    pub(super) async fn ask<T: DeserializeOwned>(&self, path: &str, key: &str) -> io::Result<T> {
        self.request(Method::GET, path, key).await
    }

    /// A value as it has become.
    pub(super) async fn tell<T: DeserializeOwned>(&self, path: &str, key: &str) -> io::Result<T> {
        self.request(Method::POST, path, key).await
    }

    async fn request<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        key: &str,
    ) -> io::Result<T> {
        let at = format!("http://{}:{}{path}", self.host, self.port);
        let failed = |why: String| io::Error::other(format!("{method} {at}: {why}"));
        let body = match timeout(PATIENCE, self.fetch(method.clone(), path)).await {
            Ok(body) => body.map_err(|error| failed(error.to_string()))?,
            Err(_) => return Err(failed("no answer within 3 s".into())),
        };
        let json: serde_json::Value = serde_json::from_slice(&body)
            .map_err(|error| failed(format!("the answer is no JSON: {error}")))?;
        serde_json::from_value(json[key].clone())
            .map_err(|_| failed(format!("the answer has no '{key}': {json}")))
    }

    async fn fetch(&self, method: Method, path: &str) -> Result<Bytes, FetchError> {
        let stream = tcp::open(&self.host, self.port).await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(HOST, &self.host)
            .body(Empty::<Bytes>::new())
            .map_err(|error| FetchError::Answer(error.to_string()))?;
        let exchange = async {
            let response = sender.send_request(request).await?;
            let status = response.status();
            if !status.is_success() {
                return Err(FetchError::Answer(format!("it answers {status}")));
            }
            let body = Limited::new(response.into_body(), MOST).collect().await;
            Ok(body.map_err(|error| FetchError::Answer(error.to_string()))?.to_bytes())
        };
        let mut connection = std::pin::pin!(connection);
        let mut exchange = std::pin::pin!(exchange);
        tokio::select! {
            done = &mut exchange => done,
            ended = &mut connection => {
                ended?;
                exchange.await
            }
        }
    }
}

#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Http(#[from] hyper::Error),
    #[error("{0}")]
    Answer(String),
}
