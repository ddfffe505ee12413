//! Every error of the API in one form: a status, a short name, and words that say what to do.

use crate::{
    api::ApiError,
    runs::{RunsError, SettingsError},
    store::StoreError,
};
use axum::{
    Json,
    http::{Method, StatusCode, Uri},
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
    /// 503
    #[error("{0}")]
    Unavailable(String),
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
        (status, Json(ApiError { error: error.to_owned(), message: self.to_string() }))
            .into_response()
    }
}

impl From<StoreError> for HttpError {
    fn from(error: StoreError) -> HttpError {
        match error {
            StoreError::NotFound { what, id } => HttpError::NotFound(format!("{what} {id}")),
            error if error.is_transient() => HttpError::Unavailable(error.to_string()),
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
            RunsError::NotActive(_) => HttpError::Conflict(error.to_string()),
        }
    }
}

/// A path that the API does not have.
pub(super) async fn no_such_route(uri: Uri) -> HttpError {
    HttpError::NotFound(format!("'{}' in this API; see the README", uri.path()))
}

/// A method that a path does not have.
pub(super) async fn no_such_method(method: Method) -> HttpError {
    HttpError::Method(method)
}
