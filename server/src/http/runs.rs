//! Boards and runs: what there is, and the words that a person may say to a run.

use super::{HttpError, State};
use crate::{
    api::{BoardView, LARGEST_PAGE, RunView, VersionView},
    model::{BoardId, RunId, RunSettings},
};
use axum::{
    Json,
    extract::{
        Path, Query, State as Extract,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Runs of one page of a list.
const PAGE: u32 = 200;

/// Which runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// Older than this run: the last of the page before, which the header `Link` names.
    before: Option<RunId>,
    /// At most so many, up to 500; 200 where it is not given.
    limit: Option<u32>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

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

/// Newest first. Where there are more, `Link: <…>; rel="next"` (RFC 8288) says how to ask for them.
pub(super) async fn list(
    Extract(state): Extract<State>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(query) = query?;
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let text = format!("'limit' is {limit}; it must be from 1 to {LARGEST_PAGE}");
        return Err(HttpError::BadRequest(text));
    }
    let mut records = state.store.runs(limit + 1, query.before).await?;
    let more = records.len() > limit as usize;
    records.truncate(limit as usize);
    let mut views = Vec::with_capacity(records.len());
    for record in &records {
        views.push(view(&state, record.id).await?);
    }
    let mut response = Json(views).into_response();
    if let Some(last) = records.last().filter(|_| more) {
        let link = format!("</api/v1/runs?before={}&limit={limit}>; rel=\"next\"", last.id);
        let link = HeaderValue::try_from(link).expect("digits are a header's");
        response.headers_mut().insert(header::LINK, link);
    }
    Ok(response)
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
        "next" => state.runs.next(id).await?,
        other => {
            return Err(HttpError::NotFound(format!(
                "action '{other}'; there are pause, resume, stop, abort and next"
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
    Ok(RunView::from_record(&record, tally).unattended())
}
