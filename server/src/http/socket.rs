//! WebSockets as the server has them: small for each viewer, and with an end to the patience with those who take nothing.
//!
//! axum's own have no way to send a message in pieces: a viewer's buffer would stay as large as the largest message that it ever got,
//! which is a snapshot.

use super::HttpError;
use axum::{
    body::Body,
    extract::FromRequestParts,
    http::{Method, Request, request::Parts},
    response::Response,
};
use bytes::Bytes;
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use std::time::Duration;
use tokio::time::timeout;
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message, Utf8Bytes,
        handshake::server::create_response_with_body,
        protocol::{
            CloseFrame, Role, WebSocketConfig,
            frame::{
                Frame,
                coding::{CloseCode, Data, OpCode},
            },
        },
    },
};

/// Viewers find out that the server is gone, and the server that they are.
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);
const GOODBYE_PATIENCE: Duration = Duration::from_millis(500);
/// What goes in one frame, and what may gather before it is given to the system: a viewer's buffer is never more than two of it.
const PIECE: usize = 8 << 10;
/// The longest that somebody may say. What is not yet read stands in a buffer of an eighth of it: most say nothing.
const LONGEST_HEARD: usize = 4096;

/// A request that wants to become a WebSocket and may.
pub(super) struct Upgrade {
    on: OnUpgrade,
    response: Response,
}

impl<S: Sync> FromRequestParts<S> for Upgrade {
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Upgrade, HttpError> {
        if parts.method != Method::GET {
            return Err(HttpError::Method(parts.method.clone()));
        }
        let mut request = Request::new(());
        *request.version_mut() = parts.version;
        request.headers_mut().clone_from(&parts.headers);
        let response = create_response_with_body(&request, Body::empty);
        let response = response.map_err(|error| match error {
            Error::Protocol(why) => refused(why),
            other => refused(other),
        })?;
        let on = parts.extensions.remove().ok_or_else(|| refused("not on this connection"))?;
        Ok(Upgrade { on, response })
    }
}

fn refused(why: impl std::fmt::Display) -> HttpError {
    HttpError::BadRequest(format!("here is a WebSocket: {why}"))
}

impl Upgrade {
    /// The answer to the request, and the WebSocket once the client has it; none where the client is gone before. Who takes nothing for
    /// `patience` is gone as well.
    pub(super) fn accept(
        self,
        patience: Duration,
    ) -> (Response, impl Future<Output = Option<Socket>> + Send) {
        let Upgrade { on, response } = self;
        let socket = async move {
            let upgraded = TokioIo::new(on.await.ok()?);
            let config = WebSocketConfig::default()
                .read_buffer_size(LONGEST_HEARD / 8)
                .write_buffer_size(PIECE)
                .max_message_size(Some(LONGEST_HEARD))
                .max_frame_size(Some(LONGEST_HEARD));
            let stream = WebSocketStream::from_raw_socket(upgraded, Role::Server, Some(config));
            Some(Socket { stream: stream.await, patience })
        };
        (response, socket)
    }
}

/// Nobody is at the other end any more, or nobody who takes anything.
#[derive(Debug)]
pub(super) struct Gone;

/// One WebSocket.
pub(super) struct Socket {
    stream: WebSocketStream<TokioIo<Upgraded>>,
    patience: Duration,
}

impl Socket {
    /// Sends a message.
    pub(super) async fn send(&mut self, json: &Bytes) -> Result<(), Gone> {
        self.feed(json).await?;
        self.flush().await
    }

    /// Sends a message with others that are to follow at once, or at the latest with [`Socket::flush`].
    pub(super) async fn feed(&mut self, json: &Bytes) -> Result<(), Gone> {
        let mut kind = Data::Text;
        let mut rest = json.clone();
        loop {
            let piece = rest.split_to(rest.len().min(PIECE));
            let frame = Frame::message(piece, OpCode::Data(kind), rest.is_empty());
            patiently(self.patience, self.stream.feed(Message::Frame(frame))).await?;
            if rest.is_empty() {
                return Ok(());
            }
            kind = Data::Continue;
        }
    }

    /// Gives to the system what has gathered.
    pub(super) async fn flush(&mut self) -> Result<(), Gone> {
        patiently(self.patience, self.stream.flush()).await
    }

    /// Finds those who are gone without a word.
    pub(super) async fn ping(&mut self) -> Result<(), Gone> {
        patiently(self.patience, self.stream.send(Message::Ping(Bytes::new()))).await
    }

    /// What is said next. What is no text is seen to by the library, the answer to a goodbye included.
    pub(super) async fn hear(&mut self) -> Result<String, Gone> {
        while let Some(Ok(message)) = self.stream.next().await {
            if let Message::Text(text) = message {
                return Ok(text.as_str().to_owned());
            }
        }
        Err(Gone)
    }

    /// Says that the server ends, to whoever still takes it.
    pub(super) async fn say_goodbye(&mut self) {
        let reason = Utf8Bytes::from_static("the server stops");
        let close = Message::Close(Some(CloseFrame { code: CloseCode::Away, reason }));
        let _ = timeout(GOODBYE_PATIENCE, self.stream.send(close)).await;
    }
}

async fn patiently(
    patience: Duration,
    sent: impl Future<Output = Result<(), Error>>,
) -> Result<(), Gone> {
    match timeout(patience, sent).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(Gone),
    }
}
