//! `/ws`: a snapshot, then numbered deltas; or, with `?epoch=E&since=N`, the deltas after N.

use super::{HttpError, State, serve::Place};
use crate::live::Subscription;
use axum::{
    Extension,
    extract::{
        Query, State as Extract, WebSocketUpgrade,
        rejection::QueryRejection,
        ws::{
            CloseFrame, Message, Utf8Bytes, WebSocket, close_code,
            rejection::WebSocketUpgradeRejection,
        },
    },
    response::Response,
};
use bytes::Bytes;
use schemars::JsonSchema;
use serde::Deserialize;
use std::time::Duration;
use tokio::{
    sync::broadcast::error::RecvError,
    time::{interval, timeout},
};

/// A viewer that takes nothing for so long is gone.
const SEND_PATIENCE: Duration = Duration::from_secs(30);
const GOODBYE_PATIENCE: Duration = Duration::from_millis(500);
pub(super) const PING_EVERY: Duration = Duration::from_secs(20);

/// Where a viewer goes on.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Since {
    /// The epoch of its numbers.
    epoch: Option<String>,
    /// The last number that it has.
    since: Option<u64>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn upgrade(
    Extract(state): Extract<State>,
    Extension(place): Extension<Place>,
    since: Result<Query<Since>, QueryRejection>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let Query(since) = since?;
    // Viewers say nothing: a long message is a mistake.
    let upgrade = upgrade?.max_message_size(4096).max_frame_size(4096);
    Ok(upgrade.on_upgrade(move |socket| {
        let tasks = state.tasks.clone();
        tasks.track_future(async move {
            let _place = place;
            let end = state.end.clone();
            let mut socket = socket;
            // Also a viewer that takes nothing does not hold up the end of the server.
            let watched = end.run_until_cancelled(watch(&mut socket, &state, since)).await;
            if watched.is_none() {
                say_goodbye(&mut socket).await;
            }
        })
    }))
}

/// Until the viewer is gone.
async fn watch(socket: &mut WebSocket, state: &State, since: Since) {
    let from = since.epoch.as_deref().zip(since.since);
    let Subscription { first, mut deltas } = state.live.subscribe(from);
    for message in first {
        if send(socket, message).await.is_err() {
            return;
        }
    }
    let mut ping = interval(PING_EVERY);
    loop {
        tokio::select! {
            delta = deltas.recv() => match delta {
                Ok(delta) => {
                    if send(socket, delta.json.clone()).await.is_err() {
                        return;
                    }
                }
                Err(RecvError::Lagged(_)) => {
                    let renewed = state.live.subscribe(None);
                    deltas = renewed.deltas;
                    for message in renewed.first {
                        if send(socket, message).await.is_err() {
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
            _ = ping.tick() => if send_ping(socket).await.is_err() { return },
        }
    }
}

pub(super) async fn say_goodbye(socket: &mut WebSocket) {
    let reason = Utf8Bytes::from_static("the server stops");
    let close = Message::Close(Some(CloseFrame { code: close_code::AWAY, reason }));
    let _ = timeout(GOODBYE_PATIENCE, socket.send(close)).await;
}

pub(super) async fn send(socket: &mut WebSocket, json: Bytes) -> Result<(), ()> {
    let text = Utf8Bytes::try_from(json).map_err(drop)?;
    send_message(socket, Message::Text(text)).await
}

/// Finds viewers that are gone without a word.
pub(super) async fn send_ping(socket: &mut WebSocket) -> Result<(), ()> {
    send_message(socket, Message::Ping(Bytes::new())).await
}

async fn send_message(socket: &mut WebSocket, message: Message) -> Result<(), ()> {
    match timeout(SEND_PATIENCE, socket.send(message)).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(()),
    }
}
