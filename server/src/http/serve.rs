//! Connections: who may connect, how long a request may take to arrive, and a polite end. What the router does not see.

use super::{State, router};
use crate::api::ApiError;
use axum::extract::Request;
use hyper::{body::Incoming, server::conn::http1, service::Service as _};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use socket2::SockRef;
use std::{pin::pin, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::task::TaskTracker;

/// Refusals under way at the same time; beyond them a connection is closed without words.
const REFUSALS: usize = 64;
/// What a refused client has to take its answer.
const REFUSAL_PATIENCE: Duration = Duration::from_secs(1);
/// What requests under way have at the end of the server; those that never arrive would hold it up.
const GOODBYE_PATIENCE: Duration = Duration::from_secs(1);
/// Bytes of a connection that the system takes before it can send them. Its own limit is some megabytes: for a viewer that reads slowly,
/// minutes of a game that it would have to see before it sees the present.
const UNSENT: u32 = 32 << 10;
/// Files that are kept free for the database, the boards and the engines.
const OTHER_FILES: u64 = 256;

/// What strangers may take of the server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Connections at the same time, WebSockets included. Fewer where the system allows fewer open files.
    pub connections: usize,
    /// Within this time the head of a request must have arrived, and within this time after an answer the next one.
    pub head: Duration,
    /// A WebSocket that takes nothing for so long is closed.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs;
        Limits { connections: 4096, head: seconds(20), silence: seconds(30) }
    }
}

/// A connection's place among those there may be. A WebSocket takes it along when it leaves HTTP.
#[derive(Clone)]
pub(super) struct Place {
    _permit: Arc<OwnedSemaphorePermit>,
}

/// Serves until the server ends.
pub async fn serve(listener: TcpListener, state: State) {
    let limits = state.limits;
    let allowed = files_allowed();
    let most = limits.connections.min(allowed);
    if most < limits.connections {
        let wanted = limits.connections;
        tracing::info!(
            "{most} connections at a time instead of {wanted}: the limit of open files (ulimit -n) is too low for more"
        );
    }
    let (places, refusals) = (Arc::new(Semaphore::new(most)), Arc::new(Semaphore::new(REFUSALS)));
    let end = state.end.clone();
    let service = TowerToHyperService::new(router(state));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let connections = TaskTracker::new();
    while let Some(accepted) = end.run_until_cancelled(listener.accept()).await {
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                tracing::warn!("a connection could not be accepted: {error}");
                // Most likely no file is free: others must end first.
                sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(permit) = Arc::clone(&places).try_acquire_owned() else {
            if let Ok(permit) = Arc::clone(&refusals).try_acquire_owned() {
                tokio::spawn(async move {
                    // It is gone, or takes nothing: nothing is owed to it.
                    let _ = timeout(REFUSAL_PATIENCE, refuse(stream, most)).await;
                    drop(permit);
                });
            }
            continue;
        };
        // Small answers and deltas are not held back for larger ones.
        let _ = stream.set_nodelay(true);
        // What cannot be sent yet stays here, where it can still be replaced by something newer.
        let _ = SockRef::from(&stream).set_tcp_notsent_lowat(UNSENT);
        let place = Place { _permit: Arc::new(permit) };
        let service = service.clone();
        let with_place = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(place.clone());
            service.call(request)
        });
        let connection = http.serve_connection(TokioIo::new(stream), with_place).with_upgrades();
        let end = end.clone();
        connections.spawn(async move {
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = end.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    // What never arrives whole is not waited for.
                    timeout(GOODBYE_PATIENCE, connection).await.unwrap_or(Ok(()))
                }
            };
            if let Err(error) = ended {
                tracing::debug!("a connection ended: {error}");
            }
        });
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// Says that there is no place. What the client has sent meanwhile is read: otherwise the system would take the answer back.
async fn refuse(mut stream: TcpStream, most: usize) -> std::io::Result<()> {
    let error = ApiError {
        error: "unavailable".to_owned(),
        message: format!("all {most} connections of this server are taken; ask again later"),
    };
    let body = serde_json::to_string(&error).expect("texts are JSON");
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: {}\r\nRetry-After: 1\r\n\
         Connection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// How many connections the system's limit of open files allows, once it is raised as far as that is permitted.
fn files_allowed() -> usize {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let soft = limit.current;
    limit.current = limit.maximum;
    // Some systems name a maximum and refuse it.
    let allowed = match setrlimit(Resource::Nofile, limit) {
        Ok(()) => limit.maximum,
        Err(_) => soft,
    };
    let free = allowed.map_or(u64::MAX, |files| files.saturating_sub(OTHER_FILES).max(files / 2));
    usize::try_from(free).unwrap_or(usize::MAX)
}
