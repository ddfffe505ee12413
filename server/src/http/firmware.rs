//! Firmware images, and flashes of boards.

use super::{HttpError, State};
use crate::{
    api::{FlashRequest, FlashView},
    model::{BoardId, FirmwareImage, FlashRecord},
};
use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, Query, State as Extract,
        rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection},
    },
    http::StatusCode,
};
use serde::Deserialize;

type Board = Result<Path<BoardId>, PathRejection>;

pub(super) async fn list(
    Extract(state): Extract<State>,
) -> Result<Json<Vec<FirmwareImage>>, HttpError> {
    Ok(Json(state.flashes.images().await?))
}

/// `POST /api/v1/firmware?region=application|book&foreign=true`: the body is the file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadQuery {
    region: Option<String>,
    #[serde(default)]
    foreign: bool,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn upload(
    Extract(state): Extract<State>,
    query: Result<Query<UploadQuery>, QueryRejection>,
    file: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<FirmwareImage>), HttpError> {
    let (Query(query), file) = (query?, file?);
    let region = query.region.as_deref().unwrap_or("application");
    let kept = state.flashes.keep(&file, region, query.foreign).await?;
    Ok((StatusCode::CREATED, Json(kept)))
}

pub(super) async fn one(
    Extract(state): Extract<State>,
    sha256: Result<Path<String>, PathRejection>,
) -> Result<Json<FirmwareImage>, HttpError> {
    let Path(sha256) = sha256?;
    let image = state.store.firmware_image(&sha256).await?;
    image.map(Json).ok_or_else(|| HttpError::NotFound(format!("image '{sha256}'")))
}

pub(super) async fn delete(
    Extract(state): Extract<State>,
    sha256: Result<Path<String>, PathRejection>,
) -> Result<StatusCode, HttpError> {
    let Path(sha256) = sha256?;
    state.flashes.forget(&sha256).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Begins a flash; how it goes is in the board's `flash`, and comes to every viewer.
pub(super) async fn start(
    Extract(state): Extract<State>,
    id: Board,
    request: Result<Json<FlashRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<FlashView>), HttpError> {
    let (Path(id), Json(request)) = (id?, request?);
    let view = state.flashes.start(id, &request).await?;
    Ok((StatusCode::ACCEPTED, Json(view)))
}

pub(super) async fn last(
    Extract(state): Extract<State>,
    id: Board,
) -> Result<Json<FlashView>, HttpError> {
    let Path(id) = id?;
    let last = state.flashes.last(id).await?;
    last.map(Json).ok_or_else(|| HttpError::NotFound(format!("flash of board {id}")))
}

pub(super) async fn history(
    Extract(state): Extract<State>,
    id: Board,
) -> Result<Json<Vec<FlashRecord>>, HttpError> {
    let Path(id) = id?;
    state.live.board(id).ok_or_else(|| HttpError::NotFound(format!("board {id}")))?;
    Ok(Json(state.flashes.history(id).await?))
}

pub(super) async fn cancel(
    Extract(state): Extract<State>,
    id: Board,
) -> Result<StatusCode, HttpError> {
    let Path(id) = id?;
    state.flashes.cancel(id)?;
    Ok(StatusCode::ACCEPTED)
}
