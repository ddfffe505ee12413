//! Boards and runs: what there is, and the words that a person may say to a run.

use super::{HttpError, State};
use crate::{
    api::{BoardView, RunView, VersionView},
    model::{BoardId, RunId, RunSettings},
};
use axum::{
    Json,
    extract::{
        Path, State as Extract,
        rejection::{JsonRejection, PathRejection},
    },
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
    Json(state.live.boards())
}

pub(super) async fn board(
    Extract(state): Extract<State>,
    id: Result<Path<BoardId>, PathRejection>,
) -> Result<Json<BoardView>, HttpError> {
    let Path(id) = id?;
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
    id: Result<Path<RunId>, PathRejection>,
) -> Result<Json<RunView>, HttpError> {
    let Path(id) = id?;
    // Here, and only here, with the opening lines: what is answered can be posted again.
    let settings = state.store.run(id).await?.settings;
    Ok(Json(RunView { settings, ..view(&state, id).await? }))
}

pub(super) async fn create(
    Extract(state): Extract<State>,
    settings: Result<Json<RunSettings>, JsonRejection>,
) -> Result<(StatusCode, Json<RunView>), HttpError> {
    let Json(settings) = settings?;
    let (id, _ending) = state.runs.create(&settings).await?;
    Ok((StatusCode::CREATED, Json(view(&state, id).await?)))
}

pub(super) async fn control(
    Extract(state): Extract<State>,
    path: Result<Path<(RunId, String)>, PathRejection>,
) -> Result<Json<RunView>, HttpError> {
    let Path((id, action)) = path?;
    state.store.run(id).await?;
    match action.as_str() {
        "pause" => state.runs.pause(id).await?,
        "resume" => state.runs.resume(id).await?,
        "stop" => state.runs.stop(id).await?,
        "abort" => state.runs.abort(id).await?,
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
