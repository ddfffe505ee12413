//! Boards and runs: what there is, and the words that a person may say to a run.

use super::{HttpError, State};
use crate::{
    api::{BoardView, RunView, VersionView},
    model::{BoardId, RunId, RunSettings},
};
use axum::{
    Json,
    extract::{Path, State as Extract, rejection::JsonRejection},
    http::StatusCode,
};

/// Runs in a list.
const LISTED: u32 = 200;

pub(super) async fn health() -> &'static str {
    "ok\n"
}

pub(super) async fn version() -> Json<VersionView> {
    Json(VersionView {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        protocol: rookery_protocol::PROTOCOL_VERSION,
    })
}

pub(super) async fn boards(Extract(state): Extract<State>) -> Json<Vec<BoardView>> {
    Json(state.live.snapshot().boards)
}

pub(super) async fn board(
    Extract(state): Extract<State>,
    Path(id): Path<BoardId>,
) -> Result<Json<BoardView>, HttpError> {
    let board = state.live.board(id).ok_or_else(|| HttpError::NotFound(format!("board {id}")))?;
    Ok(Json(board))
}

pub(super) async fn list(Extract(state): Extract<State>) -> Result<Json<Vec<RunView>>, HttpError> {
    let mut views = Vec::new();
    for record in state.store.runs(LISTED, None).await? {
        views.push(view(&state, record.id).await?);
    }
    Ok(Json(views))
}

pub(super) async fn one(
    Extract(state): Extract<State>,
    Path(id): Path<RunId>,
) -> Result<Json<RunView>, HttpError> {
    Ok(Json(view(&state, id).await?))
}

pub(super) async fn create(
    Extract(state): Extract<State>,
    settings: Result<Json<RunSettings>, JsonRejection>,
) -> Result<(StatusCode, Json<RunView>), HttpError> {
    let Json(settings) = settings.map_err(|e| HttpError::BadRequest(e.body_text()))?;
    let (id, _ending) = state.runs.create(&settings).await?;
    Ok((StatusCode::CREATED, Json(view(&state, id).await?)))
}

pub(super) async fn control(
    Extract(state): Extract<State>,
    Path((id, action)): Path<(RunId, String)>,
) -> Result<Json<RunView>, HttpError> {
    state.store.run(id).await?;
    match action.as_str() {
        "pause" => state.runs.pause(id).await?,
        "resume" => state.runs.resume(id).await?,
        "stop" => state.runs.stop(id)?,
        "abort" => state.runs.abort(id)?,
        other => {
            return Err(HttpError::NotFound(format!(
                "action '{other}'; there are pause, resume, stop and abort"
            )));
        }
    }
    Ok(Json(view(&state, id).await?))
}

/// The live view where the run is active (it has the alarm), the stored one otherwise.
async fn view(state: &State, id: RunId) -> Result<RunView, HttpError> {
    if let Some(view) = state.live.run(id) {
        return Ok(view);
    }
    let record = state.store.run(id).await?;
    let tally = state.store.tally(id).await?;
    Ok(RunView::from_record(&record, tally))
}
