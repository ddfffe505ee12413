//! Who may ask: the token, and the guards against other sites' pages (Host against rebinding, Origin against forged requests).

use super::{HttpError, State};
use axum::{
    extract::{Query, Request, State as Extract},
    http::{HeaderMap, Method, Uri, header},
    middleware::Next,
    response::Response,
};
use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    sync::Arc,
};
use subtle::ConstantTimeEq;

const BEARER: &[u8] = b"Bearer ";

/// The rules.
#[derive(Clone)]
pub struct Access {
    token: Option<Arc<str>>,
    /// What may be done with the other one may be done with this one as well.
    flash_token: Option<Arc<str>>,
    loopback: bool,
}

impl Access {
    /// `address` is where the server listens. An empty token is none.
    #[must_use]
    pub fn new(token: Option<String>, address: Option<SocketAddr>) -> Access {
        let loopback = address.is_none_or(|address| address.ip().is_loopback());
        let token = token.filter(|token| !token.is_empty());
        Access { token: token.map(Into::into), flash_token: None, loopback }
    }

    /// Boards are flashed by whoever knows this one; an empty token is none.
    #[must_use]
    pub fn with_flash_token(self, token: Option<String>) -> Access {
        let flash_token = token.filter(|token| !token.is_empty()).map(Into::into);
        Access { flash_token, ..self }
    }

    fn token_fits(&self, headers: &HeaderMap, uri: &Uri) -> bool {
        let Some(token) = &self.token else { return true };
        fits(headers, uri, token)
            | self.flash_token.as_ref().is_some_and(|token| fits(headers, uri, token))
    }

    fn may_flash(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), HttpError> {
        let why = match &self.flash_token {
            Some(token) if fits(headers, uri, token) => return Ok(()),
            Some(_) => {
                "this needs the server's flash token (--flash-token): send 'Authorization: Bearer TOKEN'"
            }
            None if self.loopback => return Ok(()),
            None => {
                "boards are flashed from other machines only where the server has a token for it: start it with --flash-token"
            }
        };
        Err(HttpError::Forbidden(why.into()))
    }
}

fn fits(headers: &HeaderMap, uri: &Uri, token: &str) -> bool {
    let same = |given: &[u8]| bool::from(given.ct_eq(token.as_bytes()));
    if let Some(header) = headers.get(header::AUTHORIZATION) {
        // The scheme's name in any case, as RFC 9110 has it.
        let header = header.as_bytes();
        return header.len() > BEARER.len()
            && header[..BEARER.len()].eq_ignore_ascii_case(BEARER)
            && same(header[BEARER.len()..].trim_ascii());
    }
    // A browser cannot give a WebSocket a header.
    let Ok(Query(pairs)) = Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return false;
    };
    let decoded = pairs.iter().find(|(key, _)| key == "token").map(|(_, value)| value.as_str());
    // Also as it stands: by the rules of forms a '+' is a space, and tokens in base 64 have some.
    let raw =
        uri.query().and_then(|query| query.split('&').find_map(|pair| pair.strip_prefix("token=")));
    same(decoded.unwrap_or_default().as_bytes()) | same(raw.unwrap_or_default().as_bytes())
}

impl fmt::Debug for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let token = self.token.as_ref().map(|_| "(secret)");
        f.debug_struct("Access").field("token", &token).field("loopback", &self.loopback).finish()
    }
}

/// Lets through who has the token.
pub(super) async fn need_token(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    if state.access.token_fits(request.headers(), request.uri()) {
        Ok(next.run(request).await)
    } else {
        Err(HttpError::Unauthorized)
    }
}

/// Lets through who may flash boards: whatever only looks, and whoever has the token for it.
pub(super) async fn need_flash_token(
    Extract(state): Extract<State>,
    request: Request,
    next: Next,
) -> Result<Response, HttpError> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        state.access.may_flash(request.headers(), request.uri())?;
    }
    Ok(next.run(request).await)
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
    // What cannot be read is not passed over: it is the name of no machine.
    let text = |name| request.headers().get(name).map(|v| v.to_str().unwrap_or("(unreadable)"));
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        return Err(HttpError::BadRequest("the request has more than one Host".into()));
    }
    // A request line may name one as well (`GET http://HOST/ HTTP/1.1`), and nobody knows which of the two a proxy goes by.
    let named = request.uri().authority().map(|a| a.as_str());
    let Some(host) = text(header::HOST).or(named) else {
        return Err(HttpError::BadRequest("the request has no Host".into()));
    };
    let foreign = |host: &&str| access.loopback && !is_loopback_host(host);
    if let Some(host) = [Some(host), named].into_iter().flatten().find(foreign) {
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
