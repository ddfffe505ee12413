//! The page, embedded in the program.

use super::{HttpError, error::no_such_route};
use axum::{
    extract::OriginalUri,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

/// The page needs nothing from elsewhere, and gets nothing from elsewhere.
pub(super) const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

#[derive(RustEmbed)]
#[folder = "../web/dist"]
struct Page;

pub(super) async fn asset(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        let allow = [(header::ALLOW, HeaderValue::from_static("GET, HEAD"))];
        return (allow, HttpError::Method(method)).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return no_such_route(OriginalUri(uri)).await.into_response();
    }
    let path = if path.is_empty() { "index.html" } else { path };
    let Some(file) = Page::get(path) else {
        return (StatusCode::NOT_FOUND, "not found\n").into_response();
    };
    // The names stay the same from version to version: the browser asks each time, and is told if it has the right one.
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("W/\"{tag}\"");
    let cache = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag.clone())];
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.split(',').any(|one| matches(one.trim(), &tag))) {
        return (StatusCode::NOT_MODIFIED, cache).into_response();
    }
    let kind = file.metadata.mimetype().to_owned();
    (cache, [(header::CONTENT_TYPE, kind)], file.data).into_response()
}

/// The weak comparison of entity tags: a strong one of the same text is the same.
fn matches(given: &str, tag: &str) -> bool {
    let bare = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    given == "*" || bare(given) == bare(tag)
}
