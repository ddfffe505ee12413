//! Who may ask: the token, and the guards against other sites' pages (Host against rebinding, Origin against forged requests).

use super::{HttpError, State};
use axum::{
    extract::{Request, State as Extract},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::Response,
};
use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};
use subtle::ConstantTimeEq;

/// The rules.
#[derive(Clone, Debug)]
pub struct Access {
    token: Option<Arc<str>>,
    loopback: bool,
}

impl Access {
    /// `address` is where the server listens.
    #[must_use]
    pub fn new(token: Option<String>, address: Option<SocketAddr>) -> Access {
        let loopback = address.is_none_or(|address| address.ip().is_loopback());
        Access { token: token.map(Into::into), loopback }
    }

    fn token_fits(&self, headers: &HeaderMap, query: Option<&str>) -> bool {
        let Some(token) = &self.token else { return true };
        let bearer = headers
            .get(header::AUTHORIZATION)
            .and_then(|value| value.to_str().ok())
            .and_then(|value| value.strip_prefix("Bearer "));
        // A browser cannot give a WebSocket a header.
        let in_query = || {
            let pairs = query?.split('&').filter_map(|pair| pair.split_once('='));
            pairs.filter(|(key, _)| *key == "token").map(|(_, value)| value).next()
        };
        let given = bearer.or_else(in_query).unwrap_or_default();
        given.as_bytes().ct_eq(token.as_bytes()).into()
    }
}

/// Lets through who has the token.
pub(super) async fn need_token(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    if state.access.token_fits(request.headers(), request.uri().query()) {
        Ok(next.run(request).await)
    } else {
        Err(HttpError::Unauthorized)
    }
}

/// Refuses requests that a page of another site has sent.
pub(super) async fn check_origin(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    check(&state.access, &request)?;
    Ok(next.run(request).await)
}

fn check(access: &Access, request: &Request) -> Result<(), HttpError> {
    let text = |name| request.headers().get(name).and_then(|v| v.to_str().ok());
    let host = text(header::HOST).or_else(|| request.uri().authority().map(|a| a.as_str()));
    let Some(host) = host else {
        return Err(HttpError::BadRequest("the request has no Host".into()));
    };
    if access.loopback && !is_loopback_host(host) {
        return Err(HttpError::Forbidden(format!(
            "Host '{host}' is not this machine; open http://127.0.0.1 or http://localhost"
        )));
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let upgrades = request.headers().contains_key(header::UPGRADE);
    match text(header::ORIGIN) {
        Some(origin)
            if (changes || upgrades)
                && origin.split_once("://").map(|(_, authority)| authority) != Some(host) =>
        {
            Err(HttpError::Forbidden(format!("a page of '{origin}' may not ask this server")))
        }
        _ => Ok(()),
    }
}

fn is_loopback_host(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|n| n.strip_suffix(']')).unwrap_or(name);
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::is_loopback_host;

    #[test]
    fn only_this_machine_is_loopback() {
        for good in
            ["localhost", "localhost:8080", "127.0.0.1:80", "[::1]:80", "[::1]", "127.0.0.9"]
        {
            assert!(is_loopback_host(good), "{good}");
        }
        for bad in
            ["example.com", "127.0.0.1.example.com", "localhost.example.com:80", "10.0.0.1", ""]
        {
            assert!(!is_loopback_host(bad), "{bad}");
        }
    }
}
