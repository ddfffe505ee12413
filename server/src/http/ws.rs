//! `/ws`: a snapshot, then numbered deltas; or, with `?epoch=E&since=N`, the deltas after N.

use super::{HttpError, State};
use crate::live::Subscription;
use axum::{
    extract::{
        Query, State as Extract, WebSocketUpgrade,
        rejection::QueryRejection,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code},
    },
    response::Response,
};
use bytes::Bytes;
use serde::Deserialize;
use std::time::Duration;
use tokio::{
    sync::broadcast::error::RecvError,
    time::{interval, timeout},
};

/// A viewer that takes nothing for so long is gone.
const SEND_PATIENCE: Duration = Duration::from_secs(30);
const PING_EVERY: Duration = Duration::from_secs(20);

#[derive(Debug, Deserialize)]
pub(super) struct Since {
    epoch: Option<String>,
    since: Option<u64>,
}

pub(super) async fn upgrade(
    Extract(state): Extract<State>,
    since: Result<Query<Since>, QueryRejection>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, HttpError> {
    let Query(since) = since.map_err(|e| HttpError::BadRequest(e.body_text()))?;
    // Viewers say nothing: a long message is a mistake.
    let upgrade = upgrade.max_message_size(4096).max_frame_size(4096);
    Ok(upgrade.on_upgrade(move |socket| {
        let tasks = state.tasks.clone();
        tasks.track_future(async move { watch(socket, state, since).await })
    }))
}

async fn watch(mut socket: WebSocket, state: State, since: Since) {
    let from = since.epoch.as_deref().zip(since.since);
    let Subscription { first, mut deltas } = state.live.subscribe(from);
    for message in first {
        if send(&mut socket, message).await.is_err() {
            return;
        }
    }
    let mut ping = interval(PING_EVERY);
    loop {
        tokio::select! {
            delta = deltas.recv() => match delta {
                Ok(delta) => {
                    if send(&mut socket, delta.json.clone()).await.is_err() {
                        return;
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    let renewed = state.live.subscribe(None);
                    deltas = renewed.deltas;
                    for message in renewed.first {
                        if send(&mut socket, message).await.is_err() {
                            return;
                        }
                    }
                }
                Err(RecvError::Closed) => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
            _ = ping.tick() => {
                let ping = Message::Ping(Bytes::new());
                if !matches!(timeout(SEND_PATIENCE, socket.send(ping)).await, Ok(Ok(()))) {
                    return;
                }
            }
            () = state.end.cancelled() => {
                let frame = CloseFrame { code: close_code::AWAY, reason: Utf8Bytes::from_static("the server stops") };
                let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(frame)))).await;
                return;
            }
        }
    }
}

async fn send(socket: &mut WebSocket, json: Bytes) -> Result<(), ()> {
    let text = Utf8Bytes::try_from(json).map_err(drop)?;
    match timeout(SEND_PATIENCE, socket.send(Message::Text(text))).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(()),
    }
}
