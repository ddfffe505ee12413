//! `/ws`: a snapshot, then numbered deltas; or, with `?epoch=E&since=N`, the deltas after N.

use super::{
    HttpError, State,
    serve::Place,
    socket::{Gone, PING_EVERY, Socket, Upgrade},
};
use crate::live::{Delta, Live, Subscription};
use axum::{
    Extension,
    extract::{Query, State as Extract, rejection::QueryRejection},
    response::Response,
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use tokio::{
    sync::broadcast::{
        Receiver,
        error::{RecvError, TryRecvError},
    },
    time::interval,
};

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
    upgrade: Result<Upgrade, HttpError>,
) -> Result<Response, HttpError> {
    let Query(since) = since?;
    let State { live, limits, end, tasks, .. } = state;
    let (response, socket) = upgrade?.accept(limits.silence);
    tasks.spawn(async move {
        let _place = place;
        let Some(mut socket) = socket.await else { return };
        // Also a viewer that takes nothing does not hold up the end of the server.
        if end.run_until_cancelled(watch(&mut socket, &live, since)).await.is_none() {
            socket.say_goodbye().await;
        }
    });
    Ok(response)
}

/// Until the viewer is gone.
async fn watch(socket: &mut Socket, live: &Live, since: Since) -> Gone {
    let from = since.epoch.as_deref().zip(since.since);
    let mut deltas = match begin(socket, live.subscribe(from)).await {
        Ok(deltas) => deltas,
        Err(gone) => return gone,
    };
    let mut ping = interval(PING_EVERY);
    loop {
        let told = tokio::select! {
            delta = deltas.recv() => tell(socket, live, &mut deltas, delta).await,
            heard = socket.hear() => heard.map(drop),
            _ = ping.tick() => socket.ping().await,
        };
        if let Err(gone) = told {
            return gone;
        }
    }
}

async fn begin(socket: &mut Socket, place: Subscription) -> Result<Receiver<Arc<Delta>>, Gone> {
    for message in &place.first {
        socket.feed(message).await?;
    }
    socket.flush().await?;
    Ok(place.deltas)
}

/// Tells of a delta, and with it of all that have come meanwhile: the more there is to tell, the less each costs.
async fn tell(
    socket: &mut Socket,
    live: &Live,
    deltas: &mut Receiver<Arc<Delta>>,
    mut delta: Result<Arc<Delta>, RecvError>,
) -> Result<(), Gone> {
    loop {
        match delta {
            Ok(delta) => socket.feed(&delta.json).await?,
            Err(RecvError::Lagged(_)) => *deltas = begin(socket, live.subscribe(None)).await?,
            Err(RecvError::Closed) => return Err(Gone),
        }
        delta = match deltas.try_recv() {
            Ok(delta) => Ok(delta),
            Err(TryRecvError::Empty) => return socket.flush().await,
            Err(TryRecvError::Lagged(missed)) => Err(RecvError::Lagged(missed)),
            Err(TryRecvError::Closed) => return Err(Gone),
        };
    }
}
