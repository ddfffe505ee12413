//! What was measured, as tables: views, comparisons, and queries in one's own words.

use super::{HttpError, State, asked::Asked};
use crate::{
    api::{MOST_ROWS, SqlQuery},
    store::{CompareError, SqlError, SqlLimits},
    telemetry::{Ask, Format, QueryError, Subject, Table, View},
};
use axum::{
    Json,
    extract::{
        Path, State as Extract,
        rejection::{JsonRejection, PathRejection},
    },
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Rows of an answer where the request does not say.
const ROWS: u32 = 1_000;
/// Full moves that are compared where the request does not say.
const MOVES: u32 = 15;
const MOST_MOVES: u32 = 500;

/// How a table is written.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Written {
    /// json (columns), ndjson (rows), csv
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    format: Format,
}

pub(super) async fn view(
    Extract(state): Extract<State>,
    view: Result<Path<String>, PathRejection>,
    asked: Asked<Ask, Written>,
) -> Result<Response, HttpError> {
    let (Path(view), Asked(mut ask, written)) = (view?, asked);
    let view: View = view.parse().map_err(|e: QueryError| HttpError::NotFound(no_view(&e)))?;
    ask.limit = Some(rows(ask.limit)?);
    let table = state.store.telemetry(&ask.of(view)?).await?;
    answer(&table, written.format, view.as_str())
}

/// What is compared, and how far.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CompareQuery {
    /// `run=1`, `game=17`, `board=2` or `firmware=1.1`.
    #[schemars(with = "String")]
    a: Subject,
    /// The other.
    #[schemars(with = "String")]
    b: Subject,
    /// Full moves from the first that came from no book; 15 where it is not given.
    moves: Option<u32>,
    /// Rows at most, up to 100000; 1000 where it is not given.
    limit: Option<u32>,
}

pub(super) async fn compare(
    Extract(state): Extract<State>,
    Asked(query, written): Asked<CompareQuery, Written>,
) -> Result<Response, HttpError> {
    let moves = within("moves", query.moves.unwrap_or(MOVES), MOST_MOVES)?;
    let limit = Some(rows(query.limit)?);
    let table = state.store.compare(&query.a, &query.b, moves, limit).await?;
    answer(&table, written.format, "compare")
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
