//! Every error of the API in one form: a status, a short name, and words that say what to do.

use super::LARGEST_BODY;
use crate::{
    api::ApiError,
    flashes::FlashesError,
    runs::{RunsError, SettingsError},
    store::StoreError,
};
use axum::{
    Json,
    extract::{
        OriginalUri,
        rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection},
    },
    http::{HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};

/// An error of the API.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// 404
    #[error("there is no {0}")]
    NotFound(String),
    /// 400
    #[error("{0}")]
    BadRequest(String),
    /// 401
    #[error(
        "this server needs its token: send 'Authorization: Bearer TOKEN', or open the page with #token=TOKEN"
    )]
    Unauthorized,
    /// 403
    #[error("{0}")]
    Forbidden(String),
    /// 405
    #[error("{0} is not possible here")]
    Method(Method),
    /// 409
    #[error("{0}")]
    Conflict(String),
    /// 413
    #[error("{0}")]
    TooLarge(String),
    /// 415
    #[error("{0}")]
    MediaType(String),
    /// 503
    #[error("{0}")]
    Unavailable(String),
    /// 504: what was asked for takes too long.
    #[error("{0}")]
    TooLong(String),
    /// 504
    #[error("the request took longer than {0} seconds")]
    Timeout(u64),
    /// 500
    #[error("the server failed: {0}")]
    Internal(String),
}

impl HttpError {
    fn parts(&self) -> (StatusCode, &'static str) {
        match self {
            HttpError::NotFound(_) => (StatusCode::NOT_FOUND, "not_found"),
            HttpError::BadRequest(_) => (StatusCode::BAD_REQUEST, "bad_request"),
            HttpError::Unauthorized => (StatusCode::UNAUTHORIZED, "unauthorized"),
            HttpError::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            HttpError::Method(_) => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            HttpError::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            HttpError::TooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
            HttpError::MediaType(_) => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
            }
            HttpError::Timeout(_) | HttpError::TooLong(_) => {
                (StatusCode::GATEWAY_TIMEOUT, "timeout")
            }
            HttpError::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            HttpError::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }
}

impl IntoResponse for HttpError {
    fn into_response(self) -> Response {
        let (status, error) = self.parts();
        if status.is_server_error() {
            tracing::error!("{self}");
        }
        let body = Json(ApiError { error: error.to_owned(), message: self.to_string() });
        let mut response = (status, body).into_response();
        if matches!(self, HttpError::Unauthorized) {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

// What axum refuses by itself says it in the same form as everything else.

impl From<JsonRejection> for HttpError {
    fn from(rejection: JsonRejection) -> HttpError {
        let text = rejection.body_text();
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                HttpError::TooLarge(format!("{text}: at most {LARGEST_BODY} bytes are read"))
            }
            StatusCode::UNSUPPORTED_MEDIA_TYPE => HttpError::MediaType(text),
            _ => HttpError::BadRequest(text),
        }
    }
}

impl From<BytesRejection> for HttpError {
    fn from(rejection: BytesRejection) -> HttpError {
        let text = rejection.body_text();
        match rejection.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                HttpError::TooLarge(format!("{text}: at most {LARGEST_BODY} bytes are read"))
            }
            _ => HttpError::BadRequest(text),
        }
    }
}

impl From<QueryRejection> for HttpError {
    fn from(rejection: QueryRejection) -> HttpError {
        HttpError::BadRequest(rejection.body_text())
    }
}

impl From<PathRejection> for HttpError {
    fn from(rejection: PathRejection) -> HttpError {
        HttpError::BadRequest(rejection.body_text())
    }
}

impl From<StoreError> for HttpError {
    fn from(error: StoreError) -> HttpError {
        match error {
            StoreError::NotFound { what, id } => HttpError::NotFound(format!("{what} {id}")),
            // Closed: the server is about to end.
            error if error.is_transient() || matches!(error, StoreError::Closed) => {
                HttpError::Unavailable(error.to_string())
            }
            error => HttpError::Internal(error.to_string()),
        }
    }
}

impl From<SettingsError> for HttpError {
    fn from(error: SettingsError) -> HttpError {
        HttpError::BadRequest(error.to_string())
    }
}

impl From<RunsError> for HttpError {
    fn from(error: RunsError) -> HttpError {
        match error {
            RunsError::Settings(error) => error.into(),
            RunsError::Store(error) => error.into(),
            RunsError::NotActive { .. }
            | RunsError::NotWaiting { .. }
            | RunsError::Stopping(_)
            | RunsError::Aborting(_) => HttpError::Conflict(error.to_string()),
        }
    }
}

impl From<FlashesError> for HttpError {
    fn from(error: FlashesError) -> HttpError {
        use FlashesError as E;
        match error {
            E::NoBoard(id) => HttpError::NotFound(format!("board {id}")),
            E::NoImage(_) => HttpError::NotFound(error.to_string().replacen("there is no ", "", 1)),
            E::Store(error) => error.into(),
            E::File { .. } | E::Changed(_) => HttpError::Internal(error.to_string()),
            E::Busy(_) | E::Playing { .. } | E::NotActive(_) | E::InUse(_) | E::NoPrevious(_) => {
                HttpError::Conflict(error.to_string())
            }
            E::NoRegion(_) | E::Which | E::Image(_) | E::Lines(_) | E::LinesUnused | E::By => {
                HttpError::BadRequest(error.to_string())
            }
        }
    }
}

/// A path that the API does not have.
pub(super) async fn no_such_route(OriginalUri(uri): OriginalUri) -> HttpError {
    HttpError::NotFound(format!("'{}' in this API; see the README", uri.path()))
}

/// A method that a path does not have.
pub(super) async fn no_such_method(method: Method) -> HttpError {
    HttpError::Method(method)
}
