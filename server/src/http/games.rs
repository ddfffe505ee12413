//! Games: lists, whole games, their iterations and their PGN.

use super::{HttpError, State, asked::Asked};
use crate::{
    api::{GameDetail, GamePage, GameView, IncidentView, LARGEST_PAGE, LinkEventView, PlyView},
    model::{GameId, IterationRecord},
    pgn::{self, PgnStyle, Selection},
    report::{self, ReportError},
    store::StoreError,
    telemetry::GameFilter,
};
use axum::{
    Json,
    body::Body,
    extract::{Path, State as Extract, rejection::PathRejection},
    http::{HeaderName, header},
    response::IntoResponse,
};
use futures_util::{StreamExt as _, stream};
use schemars::JsonSchema;
use serde::Deserialize;

/// Games of one page of a list, where the request does not say.
const PAGE: u32 = 50;
/// Link events of a game, where the request does not say.
const EVENTS: u32 = 1_000;
const MOST_EVENTS: u32 = 10_000;
/// Bytes of PGN that are sent at once, about.
const CHUNK: usize = 64 << 10;

/// Which part of a list.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PageQuery {
    /// Older than this game: `next` of the page before.
    before: Option<GameId>,
    /// At most so many, up to 500; 50 where it is not given.
    limit: Option<u32>,
}

pub(super) async fn list(
    Extract(state): Extract<State>,
    Asked(filter, page): Asked<GameFilter, PageQuery>,
) -> Result<Json<GamePage>, HttpError> {
    let limit = page.limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let text = format!("'limit' is {limit}; it must be from 1 to {LARGEST_PAGE}");
        return Err(HttpError::BadRequest(text));
    }
    let mut records = state.store.games(&filter, page.before, Some(limit + 1)).await?;
    let more = records.len() > limit as usize;
    records.truncate(limit as usize);
    let next = records.last().map(|game| game.id).filter(|_| more);
    let total = match (page.before, next) {
        (Some(_), _) => None,
        (None, None) => Some(records.len() as u32),
        (None, Some(_)) => Some(state.store.count_games(&filter).await?),
    };
    Ok(Json(GamePage { games: records.iter().map(GameView::from).collect(), next, total }))
}

pub(super) async fn one(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<GameDetail>, HttpError> {
    let Path(id) = id?;
    let record = state.store.game(id).await?;
    let plies = state.store.plies(id).await?;
    let incidents = state.store.incidents(id).await?;
    Ok(Json(GameDetail {
        game: GameView::from(&record),
        plies: plies.iter().map(PlyView::from).collect(),
        incidents: incidents.iter().map(IncidentView::from).collect(),
    }))
}

pub(super) async fn iterations(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<Json<Vec<IterationRecord>>, HttpError> {
    let Path(id) = id?;
    state.store.game(id).await?;
    let iterations = state.store.iterations(id).await?;
    Ok(Json(iterations))
}

/// The latest so many.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct LatestQuery {
    /// At most so many, the latest, up to 10000; 1000 where it is not given.
    limit: Option<u32>,
}

/// `GET /api/v1/games/{id}/events`
pub(super) async fn events(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
    Asked(query, ()): Asked<LatestQuery, ()>,
) -> Result<Json<Vec<LinkEventView>>, HttpError> {
    let Path(id) = id?;
    let limit = query.limit.unwrap_or(EVENTS);
    if !(1..=MOST_EVENTS).contains(&limit) {
        let text = format!("'limit' is {limit}; it must be from 1 to {MOST_EVENTS}");
        return Err(HttpError::BadRequest(text));
    }
    state.store.game(id).await?;
    let events = state.store.game_link_events(id, limit).await?;
    Ok(Json(events.into_iter().map(LinkEventView::from).collect()))
}

/// How a PGN is written.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct PgnQuery {
    /// `engine`, `lichess` or `board`: the comments.
    #[schemars(with = "Option<String>")]
    style: Option<PgnStyle>,
}

pub(super) async fn pgn(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
    Asked(query, ()): Asked<PgnQuery, ()>,
) -> Result<impl IntoResponse, HttpError> {
    let Path(id) = id?;
    let style = query.style.unwrap_or_default();
    let mut export = pgn::Export::new(&state.store, Selection::Game(id), style).await?;
    let text = export.next().await?.unwrap_or_default();
    Ok((pgn_head(&format!("rookery-game-{id}.pgn")), text))
}

/// `GET /api/v1/games.pgn`: written while it is read, so that however many games there are, some dozens are in memory. What goes wrong at
/// the first of them is an answer of its own; after that the connection breaks off, and nobody takes half a file for a whole one.
pub(super) async fn all_as_pgn(
    Extract(state): Extract<State>,
    Asked(filter, query): Asked<GameFilter, PgnQuery>,
) -> Result<impl IntoResponse, HttpError> {
    let style = query.style.unwrap_or_default();
    let mut export = pgn::Export::new(&state.store, Selection::Games(filter), style).await?;
    let first = export.next().await?.unwrap_or_default();
    let rest = stream::try_unfold(export, async |mut export| {
        let mut chunk = String::new();
        while chunk.len() < CHUNK
            && let Some(text) = export.next().await?
        {
            chunk.push_str(&text);
        }
        Ok::<_, StoreError>((!chunk.is_empty()).then_some((chunk, export)))
    });
    let body = Body::from_stream(stream::once(async { Ok(first) }).chain(rest));
    Ok((pgn_head("rookery-games.pgn"), body))
}

fn pgn_head(name: &str) -> [(HeaderName, String); 2] {
    [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ]
}

/// `GET /api/v1/games/{id}/report`: a ZIP file.
pub(super) async fn report(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
) -> Result<impl IntoResponse, HttpError> {
    let Path(id) = id?;
    let record = state.store.game(id).await?;
    let board = match record.game.board_id {
        Some(board) => state.boards.find(board).await,
        None => None,
    };
    let traffic = board.map(|board| board.link.tape().last(usize::MAX));
    let log_dir = state.log_dir.as_deref();
    let bytes =
        report::report(&state.store, id, traffic.as_deref(), log_dir).await.map_err(|error| {
            match error {
                ReportError::Store(error) => error.into(),
                error => HttpError::Internal(error.to_string()),
            }
        })?;
    let name = format!("attachment; filename=\"rookery-report-{id}.zip\"");
    Ok((
        [(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, name)],
        bytes,
    ))
}
