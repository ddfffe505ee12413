//! Books walked through, kept and forgotten; what an engine thinks of a position, and the games that came through it.

use super::{HttpError, State};
use crate::{
    api::{BookPage, BookView, EvaluationView, PositionGames},
    book::BookOpenings,
    books::{BooksError, JudgeError},
    model::{BookForm, FirmwareImage, OpeningLine, OpeningOrder},
};
use axum::{
    Json,
    body::Bytes,
    extract::{
        Path, Query, State as Extract,
        rejection::{BytesRejection, PathRejection, QueryRejection},
    },
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The largest file that is kept.
pub(super) const LARGEST_BOOK: usize = 64 << 20;
/// Openings of one answer at most.
const MOST_LINES: usize = 10_000;
const MOST_PLIES: usize = 60;

type Id = Result<Path<String>, PathRejection>;

/// A position: a line of moves, or a FEN, or a FEN and moves from there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PositionQuery {
    /// Where the line begins; the usual start position where it is not given.
    fen: Option<String>,
    /// Moves from there, UCI or SAN, separated by commas.
    #[serde(default)]
    line: String,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// `POST /api/v1/books?name=black.rkb`: the body is the file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadQuery {
    /// The file's name; its ending says what it is: .bin, .rkb, .json or .pgn.
    name: String,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// In which form a file is wanted.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FileQuery {
    /// The file's own where it is not given.
    form: Option<BookForm>,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

/// Which openings are taken from a book.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpeningsQuery {
    /// Which lines.
    #[serde(default)]
    order: OpeningOrder,
    /// Plies of a line at most; 8 where it is not given.
    plies: Option<usize>,
    /// Lines at most; 1,000 where it is not given.
    lines: Option<usize>,
    /// Seed of the draw.
    #[serde(default)]
    seed: u64,
    /// Read by the access rules.
    #[serde(rename = "token")]
    _token: Option<String>,
}

pub(super) async fn list(Extract(state): Extract<State>) -> Result<Json<Vec<BookView>>, HttpError> {
    Ok(Json(state.books.list().await?))
}

pub(super) async fn upload(
    Extract(state): Extract<State>,
    query: Result<Query<UploadQuery>, QueryRejection>,
    file: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<BookView>), HttpError> {
    let Query(query) = query?;
    let file = file.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => HttpError::TooLarge(format!(
            "a book of more than {} MiB is not kept: name its file in the configuration, [books]",
            LARGEST_BOOK >> 20
        )),
        _ => rejection.into(),
    })?;
    let view = state.books.keep(&query.name, file.to_vec()).await?;
    Ok((StatusCode::CREATED, Json(view)))
}

pub(super) async fn page(
    Extract(state): Extract<State>,
    id: Id,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Json<BookPage>, HttpError> {
    let (Path(id), Query(query)) = (id?, query?);
    Ok(Json(state.books.page(&id, query.fen.as_deref(), &query.line).await?))
}

pub(super) async fn delete(
    Extract(state): Extract<State>,
    id: Id,
) -> Result<StatusCode, HttpError> {
    let Path(id) = id?;
    state.books.forget(&id).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(super) async fn file(
    Extract(state): Extract<State>,
    id: Id,
    query: Result<Query<FileQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let (Path(id), Query(query)) = (id?, query?);
    let (name, bytes) = state.books.file(&id, query.form).await?;
    let plain: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' })
        .collect();
    let disposition = HeaderValue::try_from(format!("attachment; filename=\"{plain}\""))
        .expect("letters and digits are a header's");
    let kind = HeaderValue::from_static("application/octet-stream");
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], bytes)
        .into_response())
}

pub(super) async fn openings(
    Extract(state): Extract<State>,
    id: Id,
    query: Result<Query<OpeningsQuery>, QueryRejection>,
) -> Result<Json<Vec<OpeningLine>>, HttpError> {
    let (Path(id), Query(query)) = (id?, query?);
    let usual = BookOpenings::default();
    let options = BookOpenings {
        order: query.order,
        plies: within("plies", query.plies.unwrap_or(usual.plies), MOST_PLIES)?,
        lines: within("lines", query.lines.unwrap_or(usual.lines), MOST_LINES)?,
        seed: query.seed,
    };
    Ok(Json(state.books.openings(&id, options).await?))
}

/// Makes an image of a book for the boards' flash. It needs the token for flashing, as every image does.
pub(super) async fn image(
    Extract(state): Extract<State>,
    id: Id,
) -> Result<(StatusCode, Json<FirmwareImage>), HttpError> {
    let Path(id) = id?;
    let bytes = state.books.for_board(&id).await?;
    Ok((StatusCode::CREATED, Json(state.flashes.keep(&bytes, "book", false).await?)))
}

pub(super) async fn evaluation(
    Extract(state): Extract<State>,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Json<EvaluationView>, HttpError> {
    let Query(query) = query?;
    Ok(Json(state.books.evaluation(query.fen.as_deref(), &query.line).await??))
}

pub(super) async fn games(
    Extract(state): Extract<State>,
    query: Result<Query<PositionQuery>, QueryRejection>,
) -> Result<Json<PositionGames>, HttpError> {
    let Query(query) = query?;
    Ok(Json(state.books.games(query.fen.as_deref(), &query.line).await?))
}

fn within(name: &str, value: usize, most: usize) -> Result<usize, HttpError> {
    if (1..=most).contains(&value) {
        return Ok(value);
    }
    Err(HttpError::BadRequest(format!("'{name}' is {value}; it must be from 1 to {most}")))
}

impl From<BooksError> for HttpError {
    fn from(error: BooksError) -> HttpError {
        use BooksError as E;
        match error {
            E::NoBook(_) => HttpError::NotFound(error.to_string().replacen("there is no ", "", 1)),
            E::Store(error) => error.into(),
            E::InUse { .. } | E::NotKept(_) | E::Full { .. } => {
                HttpError::Conflict(error.to_string())
            }
            E::TooLarge { .. } => HttpError::TooLarge(error.to_string()),
            E::File { doing: "written" | "removed", .. } => HttpError::Internal(error.to_string()),
            // A file that is gone or no book any more is its owner's matter, not a failure of the server.
            E::File { .. } => HttpError::NotFound(format!("such file any more: {error}")),
            E::Book(_) | E::Line(_) | E::Empty(_) | E::Name(_) | E::NoOpenings => {
                HttpError::BadRequest(error.to_string())
            }
        }
    }
}

impl From<JudgeError> for HttpError {
    fn from(error: JudgeError) -> HttpError {
        match error {
            JudgeError::Busy | JudgeError::Ended => HttpError::Unavailable(error.to_string()),
            JudgeError::Engine(_) => HttpError::Internal(error.to_string()),
        }
    }
}
