//! What was measured, as tables: views, comparisons, and queries in one's own words.

use super::{HttpError, State};
use crate::{
    api::SqlQuery,
    store::{CompareError, SqlError, SqlLimits},
    telemetry::{
        Filter, Format, Group, List, Phase, Query as Question, QueryError, Side, Subject, Table,
        View, When, Who,
    },
};
use axum::{
    Json,
    extract::{
        Path, Query, State as Extract,
        rejection::{JsonRejection, PathRejection, QueryRejection},
    },
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Rows of an answer where the request does not say.
const ROWS: u32 = 1_000;
/// Rows of an answer at most: a file of more is the business of `rookery telemetry` or of sqlite3.
const MOST_ROWS: u32 = 100_000;
/// Full moves that are compared where the request does not say.
const MOVES: u32 = 15;
const MOST_MOVES: u32 = 500;

/// Which rows of a view. Several values of one kind stand with commas between them; conditions of different kinds must all hold.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// Runs: `1,2`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    run: List<i64>,
    /// Games.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    game: List<i64>,
    /// Boards.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    board: List<i64>,
    /// Firmware versions, as the boards said them at the time of the game.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    firmware: List<String>,
    /// Players: `first`, `second`, `opening`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    mover: List<Who>,
    /// Sides: `white`, `black`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    side: List<Side>,
    /// Phases: `book`, `opening`, `middlegame`, `endgame`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    phase: List<Phase>,
    /// A range of plies: `10-40`, `10-`, `-40`, `12`.
    plies: Option<String>,
    /// Games begun at this time or later: `2026-10-19`, `2026-10-19T14:30:00Z`, or Unix milliseconds.
    #[schemars(with = "Option<String>")]
    since: Option<When>,
    /// Games begun before this time.
    #[schemars(with = "Option<String>")]
    until: Option<When>,
    /// What the rows of a summary stand for: `run`, `board`, `firmware`, `game`, `mover`, `phase`, `depth`, `ply`, `material`; link
    /// events: `run`, `board`, `firmware`, `game`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    group: List<Group>,
    /// A summary with p50, p90, p95 and p99 of time, nodes and nodes/s.
    #[serde(default)]
    percentiles: bool,
    /// Rows at most, up to 100000; 1000 where it is not given.
    limit: Option<u32>,
    /// Rows that are passed over.
    #[serde(default)]
    offset: u32,
    /// `json` (columns), `ndjson` (rows), `csv`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    format: Format,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn view(
    Extract(state): Extract<State>,
    view: Result<Path<String>, PathRejection>,
    query: Result<Query<Ask>, QueryRejection>,
) -> Result<Response, HttpError> {
    let (Path(view), Query(ask)) = (view?, query?);
    let view: View = view.parse().map_err(|e: QueryError| HttpError::NotFound(no_view(&e)))?;
    let mut filter = Filter {
        run: ask.run,
        game: ask.game,
        board: ask.board,
        firmware: ask.firmware,
        mover: ask.mover,
        side: ask.side,
        phase: ask.phase,
        since: ask.since,
        until: ask.until,
        ..Filter::default()
    };
    if let Some(plies) = &ask.plies {
        filter.set_plies(plies)?;
    }
    let question = Question {
        view,
        filter,
        group: ask.group,
        percentiles: ask.percentiles,
        limit: Some(rows(ask.limit)?),
        offset: ask.offset,
    };
    question.check()?;
    let table = state.store.telemetry(&question).await?;
    answer(&table, ask.format, view.as_str())
}

/// What is compared, and how far.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompareQuery {
    /// `run=1` or `game=17`.
    a: String,
    /// The other.
    b: String,
    /// Full moves from the first that came from no book; 15 where it is not given.
    moves: Option<u32>,
    /// Rows at most, up to 100000; 1000 where it is not given.
    limit: Option<u32>,
    /// `json` (columns), `ndjson` (rows), `csv`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    format: Format,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn compare(
    Extract(state): Extract<State>,
    query: Result<Query<CompareQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(query) = query?;
    let subject = |text: &str| {
        text.parse::<Subject>().map_err(|error| HttpError::BadRequest(error.to_string()))
    };
    let (a, b) = (subject(&query.a)?, subject(&query.b)?);
    let moves = within("moves", query.moves.unwrap_or(MOVES), MOST_MOVES)?;
    let table = state.store.compare(a, b, moves, Some(rows(query.limit)?)).await?;
    answer(&table, query.format, "compare")
}

pub(super) async fn sql(
    Extract(state): Extract<State>,
    query: Result<Json<SqlQuery>, JsonRejection>,
) -> Result<Response, HttpError> {
    let Json(query) = query?;
    let limits = SqlLimits { rows: rows(query.limit)?, ..SqlLimits::default() };
    let format = query.format.unwrap_or_default();
    let table = state.store.query(&query.sql, limits).await?;
    answer(&table, format, "sql")
}

fn rows(limit: Option<u32>) -> Result<u32, HttpError> {
    within("limit", limit.unwrap_or(ROWS), MOST_ROWS)
}

fn within(name: &str, value: u32, most: u32) -> Result<u32, HttpError> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(HttpError::BadRequest(format!("'{name}' is {value}; it must be from 1 to {most}")))
}

fn no_view(error: &QueryError) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("there is no ").unwrap_or(&text);
    format!("{text}, compare, sql")
}

fn answer(table: &Table, format: Format, name: &str) -> Result<Response, HttpError> {
    let mut body = Vec::new();
    format.write(table, &mut body).map_err(|e| HttpError::Internal(e.to_string()))?;
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(format.media_type()))];
    let suffix = match format {
        Format::Json => return Ok((kind, body).into_response()),
        Format::Ndjson => "ndjson",
        Format::Csv => "csv",
    };
    // Nothing in a line says that there is more.
    let cut = [("x-truncated", if table.truncated { "true" } else { "false" })];
    let file = format!("attachment; filename=\"rookery-{name}.{suffix}\"");
    Ok((kind, cut, [(header::CONTENT_DISPOSITION, file)], body).into_response())
}

impl From<QueryError> for HttpError {
    fn from(error: QueryError) -> HttpError {
        HttpError::BadRequest(error.to_string())
    }
}

impl From<CompareError> for HttpError {
    fn from(error: CompareError) -> HttpError {
        match error {
            CompareError::Store(error) => error.into(),
            error @ CompareError::NoPair { .. } => HttpError::Conflict(error.to_string()),
        }
    }
}

impl From<SqlError> for HttpError {
    fn from(error: SqlError) -> HttpError {
        match error {
            SqlError::Store(error) => error.into(),
            SqlError::Statement(_) | SqlError::Refused(_) => {
                HttpError::BadRequest(error.to_string())
            }
            SqlError::TooMuch(_) => HttpError::TooLarge(error.to_string()),
            SqlError::TooLong(_) => HttpError::TooLong(error.to_string()),
        }
    }
}
