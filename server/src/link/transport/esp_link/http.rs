//! The pages of esp-link that set the port up. Each answers with a small JSON object.

use super::super::tcp;
use crate::model::is_control;
use http_body_util::{BodyExt, Empty, LengthLimitError, Limited};
use hyper::{Method, Request, StatusCode, body::Bytes, client::conn::http1, header::HOST};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use std::{io, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::timeout,
};

/// An ESP8266 that saves its settings takes its time.
const PATIENCE: Duration = Duration::from_secs(3);
/// Its answers have some twenty bytes; whatever says more is something else.
const MOST: usize = 4096;
/// So much of a strange answer is shown.
const SHOWN: usize = 120;

/// Where the pages are.
#[derive(Debug)]
pub(super) struct Pages {
    host: String,
    port: u16,
}

impl Pages {
    pub(super) fn new(host: &str, port: u16) -> Pages {
        Pages { host: host.to_owned(), port }
    }

    /// What the page's answer has.
    pub(super) async fn value<T: DeserializeOwned>(&self, page: &Page) -> io::Result<T> {
        let at = format!("{} http://{}:{}{}", page.method, self.host, self.port, page.path);
        let asked = async {
            let stream = tcp::open(&self.host, self.port).await?;
            page.value(stream, &self.host).await
        };
        match timeout(PATIENCE, asked).await {
            Ok(answer) => answer.map_err(|error| io::Error::other(format!("{at}: {error}"))),
            Err(_) => Err(io::Error::other(format!("{at}: no answer within 3 s"))),
        }
    }
}

/// A question to a page of esp-link's, and the key of what is wanted of its answer.
#[derive(Clone, Debug)]
pub struct Page {
    method: Method,
    path: String,
    key: &'static str,
}

/// Why a page has no such value.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// There is no connection, or it broke.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// What comes is no HTTP, or not all of it comes.
    #[error(transparent)]
    Http(#[from] hyper::Error),
    /// The question is none.
    #[error(transparent)]
    Question(#[from] hyper::http::Error),
    /// It is refused, or answered by somebody who sends us elsewhere.
    #[error("it answers {0}")]
    Status(StatusCode),
    /// It is long.
    #[error("the answer has more than {MOST} bytes")]
    Long,
    /// It is something else.
    #[error("the answer is no JSON: {0}")]
    NoJson(#[from] serde_json::Error),
    /// It is JSON of something else.
    #[error("the answer has no '{key}': {answer}")]
    NoValue {
        /// What was wanted.
        key: &'static str,
        /// What there is.
        answer: String,
    },
}

impl Page {
    /// A value as it is.
    #[must_use]
    pub fn ask(path: &str, key: &'static str) -> Page {
        Page { method: Method::GET, path: path.to_owned(), key }
    }

    /// A value as it has become.
    #[must_use]
    pub fn tell(path: &str, key: &'static str) -> Page {
        Page { method: Method::POST, path: path.to_owned(), key }
    }

    /// Asks over a connection that is for this question alone; for how long is the caller's business.
    pub async fn value<T, S>(&self, stream: S, host: &str) -> Result<T, PageError>
    where
        T: DeserializeOwned,
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let body = self.fetch(stream, host).await?;
        let answer: serde_json::Value = serde_json::from_slice(&body)?;
        serde_json::from_value(answer[self.key].clone())
            .map_err(|_| PageError::NoValue { key: self.key, answer: shown(&answer.to_string()) })
    }

    async fn fetch<S>(&self, stream: S, host: &str) -> Result<Bytes, PageError>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        let request = Request::builder()
            .method(self.method.clone())
            .uri(&self.path)
            .header(HOST, host)
            .body(Empty::<Bytes>::new())?;
        let exchange = async {
            let response = sender.send_request(request).await?;
            if !response.status().is_success() {
                return Err(PageError::Status(response.status()));
            }
            match Limited::new(response.into_body(), MOST).collect().await {
                Ok(body) => Ok(body.to_bytes()),
                Err(error) if error.is::<LengthLimitError>() => Err(PageError::Long),
                Err(error) => match error.downcast::<hyper::Error>() {
                    Ok(error) => Err(PageError::Http(*error)),
                    Err(error) => Err(PageError::Io(io::Error::other(error))),
                },
            }
        };
        let mut connection = std::pin::pin!(connection);
        let mut exchange = std::pin::pin!(exchange);
        tokio::select! {
            biased;
            done = &mut exchange => done,
            // An answer that is whole is one, whatever has come behind it; and why it is not whole is known best here.
            ended = &mut connection => match exchange.await {
                Ok(body) => Ok(body),
                Err(PageError::Http(error)) => Err(ended.err().unwrap_or(error).into()),
                Err(error) => Err(error),
            },
        }
    }
}

/// The beginning of what somebody says, as a log can have it.
pub(super) fn shown(text: &str) -> String {
    let mut shown: String = text.replace(is_control, "\u{FFFD}").chars().take(SHOWN).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    /// Of a bridge that hears the question, says this and goes.
    async fn answer(text: &str) -> Result<u32, String> {
        let (mut bridge, stream) = tokio::io::duplex(1 << 16);
        let said = async {
            let mut question = Vec::new();
            while !question.ends_with(b"\r\n\r\n") {
                bridge.read_buf(&mut question).await.unwrap();
            }
            bridge.write_all(text.as_bytes()).await.unwrap();
            bridge.shutdown().await.unwrap();
        };
        let page = Page::ask("/console/baud", "rate");
        let (answer, ()) = tokio::join!(page.value(stream, "bridge"), said);
        answer.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn an_answer_is_what_it_is_whatever_follows() {
        for end in ["", "\r\n", "HTTP/1.1 500 No\r\n\r\n", "\0\0\0"] {
            let text =
                format!("HTTP/1.0 200 OK\r\nContent-Length: 13\r\n\r\n{{\"rate\":9600}}{end}");
            assert_eq!(answer(&text).await, Ok(9600), "{end:?}");
        }
    }

    #[tokio::test]
    async fn what_is_no_answer_is_told_in_short() {
        let whole = |body: &str| format!("HTTP/1.1 200 OK\r\n\r\n{body}");
        let long = format!("{{\"fmt\":\"{}\"}}", "\u{9b}8".repeat(1000));
        for (text, words) in [
            (String::new(), "connection closed"),
            ("SSH-2.0-x\r\n".into(), "invalid HTTP"),
            ("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n".into(), "it answers 302 Found"),
            ("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"rate\":9600}".into(), " "),
            (whole(""), "no JSON"),
            (whole("<html>"), "no JSON"),
            (whole(&" ".repeat(MOST + 1)), "more than 4096 bytes"),
            (whole(&"[".repeat(MOST)), "no JSON: recursion limit"),
            (whole("[9600]"), "has no 'rate': [9600]"),
            (whole("{\"rate\":-1}"), "has no 'rate'"),
            (whole("{\"rate\":4294967296}"), "has no 'rate'"),
            (whole(&long), "has no 'rate': {\"fmt\":\"\u{FFFD}8"),
        ] {
            let error = answer(&text).await.unwrap_err();
            assert!(error.contains(words), "{text:?}: {error}");
            assert!(error.chars().count() < 200 && !error.contains(is_control), "{error:?}");
        }
    }
}
