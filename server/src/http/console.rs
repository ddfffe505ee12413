//! A board's raw traffic: as a list, as a file, and live over a WebSocket that also takes what a person says to the board.

use super::{
    HttpError, State,
    socket::{Gone, PING_EVERY, Socket, Upgrade},
};
use crate::{
    api::{ConsoleMessage, ConsoleSay, RawLineView},
    boards::Board,
    link::{Say, say},
    model::BoardId,
};
use axum::{
    Json,
    extract::{
        Path, Query, State as Extract,
        rejection::{PathRejection, QueryRejection},
    },
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use futures_util::{StreamExt as _, stream::FuturesOrdered};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{fmt::Write as _, sync::Arc};
use tokio::{sync::broadcast::error::RecvError, time::interval};

/// What one viewer may say before it has answers.
const OPEN: usize = 16;

/// `?last=`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Last {
    /// At most so many.
    last: Option<usize>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn lines(
    Extract(state): Extract<State>,
    id: Result<Path<BoardId>, PathRejection>,
    last: Result<Query<Last>, QueryRejection>,
) -> Result<Json<Vec<RawLineView>>, HttpError> {
    let board = find(&state, id?.0).await?;
    let lines = board.link.tape().last(last?.last.unwrap_or(usize::MAX));
    Ok(Json(lines.iter().map(RawLineView::from).collect()))
}

pub(super) async fn text(
    Extract(state): Extract<State>,
    id: Result<Path<BoardId>, PathRejection>,
    last: Result<Query<Last>, QueryRejection>,
) -> Result<Response, HttpError> {
    let board = find(&state, id?.0).await?;
    let mut text = String::new();
    for line in board.link.tape().last(last?.last.unwrap_or(usize::MAX)) {
        writeln!(text, "{line}").expect("a text grows");
    }
    let name = format!("attachment; filename=\"rookery-board-{}.txt\"", board.id);
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, text).into_response())
}

pub(super) async fn upgrade(
    Extract(state): Extract<State>,
    id: Result<Path<BoardId>, PathRejection>,
    upgrade: Result<Upgrade, HttpError>,
) -> Result<Response, HttpError> {
    let board = find(&state, id?.0).await?;
    let (response, socket) = upgrade?.accept(state.limits.silence);
    let State { end, tasks, .. } = state;
    tasks.spawn(async move {
        let Some(mut socket) = socket.await else { return };
        if end.run_until_cancelled(watch(&mut socket, &board)).await.is_none() {
            socket.say_goodbye().await;
        }
    });
    Ok(response)
}

async fn find(state: &State, id: BoardId) -> Result<Arc<Board>, HttpError> {
    let found = state.boards.find(id).await;
    found.ok_or_else(|| HttpError::NotFound(format!("board {id}")))
}

/// Until the viewer is gone.
async fn watch(socket: &mut Socket, board: &Board) {
    let (kept, mut news) = board.link.tape().watch();
    for line in &kept {
        if tell(socket, &ConsoleMessage::Line(line.into())).await.is_err() {
            return;
        }
    }
    let mut ping = interval(PING_EVERY);
    let mut answers = FuturesOrdered::new();
    loop {
        // In no fixed order: lines without an end must not keep what the viewer says from being heard.
        let told = tokio::select! {
            line = news.recv() => match line {
                Ok(line) => tell(socket, &ConsoleMessage::Line((&line).into())).await,
                Err(RecvError::Lagged(lines)) => tell(socket, &ConsoleMessage::Missed { lines }).await,
                Err(RecvError::Closed) => return,
            },
            Some(answer) = answers.next() => {
                // An answer comes after the lines that led to it.
                for _ in 0..news.len() {
                    if let Ok(line) = news.try_recv()
                        && tell(socket, &ConsoleMessage::Line((&line).into())).await.is_err()
                    {
                        return;
                    }
                }
                tell(socket, &answer).await
            }
            said = socket.hear(), if answers.len() < OPEN => {
                said.map(|said| answers.push_back(answer(board, said)))
            }
            _ = ping.tick() => socket.ping().await,
        };
        if told.is_err() {
            return;
        }
    }
}

async fn tell(socket: &mut Socket, message: &ConsoleMessage) -> Result<(), Gone> {
    let json = serde_json::to_vec(message).expect("a console message is JSON");
    socket.send(&Bytes::from(json)).await
}

/// Says it, unless that would disturb a game.
async fn answer(board: &Board, text: String) -> ConsoleMessage {
    let refused = |said: &str, text: String| ConsoleMessage::Answer {
        said: said.to_owned(),
        sent: false,
        text,
    };
    let wanted = match serde_json::from_str::<ConsoleSay>(&text) {
        Ok(wanted) => wanted,
        Err(error) => return refused("", format!("not understood: {error}")),
    };
    let what: Say = match wanted.say.parse() {
        Ok(what) => what,
        Err(error) => return refused(&wanted.say, format!("{error}")),
    };
    if let Some(game) = *board.game().borrow()
        && !wanted.force
    {
        let why = format!("the board plays game {game}: say it with force, or pause the run");
        return refused(&wanted.say, why);
    }
    match say(&board.link, what).await {
        Ok(text) => ConsoleMessage::Answer { said: wanted.say, sent: true, text },
        Err(error) => refused(&wanted.say, error.to_string()),
    }
}
