//! Games: lists, whole games, their iterations and their PGN.

use super::{HttpError, State};
use crate::{
    api::{GameDetail, GamePage, GameView, IncidentView, IterationView, PlyView},
    model::{BoardId, GameId, GameResult, GameState, RunId, Termination},
    pgn::{self, PgnError, PgnStyle, Selection},
    report::{self, ReportError},
    store::GameFilter,
    telemetry::When,
};
use axum::{
    Json,
    extract::{
        Path, Query, State as Extract,
        rejection::{PathRejection, QueryRejection},
    },
    http::header,
    response::IntoResponse,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Games of one page of a list, where the request does not say.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 500;

/// Which games: what is given must all hold.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListQuery {
    /// Of this run.
    run: Option<RunId>,
    /// Of this board.
    board: Option<BoardId>,
    /// Being played, or over.
    state: Option<GameState>,
    /// With this result.
    result: Option<GameResult>,
    /// That ended so.
    termination: Option<Termination>,
    /// Whose opening's name has this text in it.
    opening: Option<String>,
    /// That have this text in a player's name, the opening's, the run's, or in the words about their end.
    text: Option<String>,
    /// Begun at this time or later: `2026-10-19`, `2026-10-19T14:30:00Z`, or Unix milliseconds.
    #[schemars(with = "Option<String>")]
    since: Option<When>,
    /// Begun before this time.
    #[schemars(with = "Option<String>")]
    until: Option<When>,
    /// Over, with this many plies or more.
    min_plies: Option<u32>,
    /// Over, with this many plies or fewer.
    max_plies: Option<u32>,
    /// Older than this game: `next` of the page before.
    before: Option<GameId>,
    /// At most so many, up to 500; 50 where it is not given.
    limit: Option<u32>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn list(
    Extract(state): Extract<State>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<GamePage>, HttpError> {
    let Query(query) = query?;
    let limit = query.limit.unwrap_or(PAGE);
    if !(1..=LARGEST_PAGE).contains(&limit) {
        let text = format!("'limit' is {limit}; it must be from 1 to {LARGEST_PAGE}");
        return Err(HttpError::BadRequest(text));
    }
    let filter = GameFilter {
        run: query.run,
        board: query.board,
        state: query.state,
        result: query.result,
        termination: query.termination,
        opening: query.opening,
        text: query.text,
        since: query.since.map(|when| when.0),
        until: query.until.map(|when| when.0),
        min_plies: query.min_plies,
        max_plies: query.max_plies,
        before: query.before,
        limit: Some(limit + 1),
    };
    let mut records = state.store.games(&filter).await?;
    let more = records.len() > limit as usize;
    records.truncate(limit as usize);
    let next = records.last().map(|game| game.id).filter(|_| more);
    Ok(Json(GamePage { games: records.iter().map(GameView::from).collect(), next }))
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
) -> Result<Json<Vec<IterationView>>, HttpError> {
    let Path(id) = id?;
    state.store.game(id).await?;
    let iterations = state.store.iterations(id).await?;
    Ok(Json(iterations.iter().map(IterationView::from).collect()))
}

/// How a PGN is written.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PgnQuery {
    /// `engine`, `lichess` or `board`: the comments.
    #[schemars(with = "Option<String>")]
    style: Option<PgnStyle>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn pgn(
    Extract(state): Extract<State>,
    id: Result<Path<GameId>, PathRejection>,
    query: Result<Query<PgnQuery>, QueryRejection>,
) -> Result<impl IntoResponse, HttpError> {
    let (Path(id), Query(query)) = (id?, query?);
    let mut text = Vec::new();
    let style = query.style.unwrap_or_default();
    pgn::export_to(&state.store, Selection::Game(id), style, &mut text).await.map_err(
        |e| match e {
            PgnError::Store(error) => error.into(),
            error => HttpError::Internal(error.to_string()),
        },
    )?;
    let name = format!("attachment; filename=\"rookery-game-{id}.pgn\"");
    let kind = "application/x-chess-pgn; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)], text))
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
