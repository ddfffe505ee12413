//! A query string that asks two things at once: what is wanted (the same type for several routes and for the command line), and how this
//! route answers.

use super::HttpError;
use axum::{
    extract::{FromRequestParts, Query},
    http::{Uri, request::Parts},
};
use percent_encoding::percent_decode_str;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

/// Both. The token is the business of the access rules.
pub(super) struct Asked<A, B>(pub A, pub B);

impl<A, B, S> FromRequestParts<S> for Asked<A, B>
where
    A: DeserializeOwned + JsonSchema,
    B: DeserializeOwned + JsonSchema,
    S: Sync,
{
    type Rejection = HttpError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Asked<A, B>, HttpError> {
        let (first, second) = (fields::<A>(), fields::<B>());
        let (mut a, mut b) = (Vec::new(), Vec::new());
        let pairs = parts.uri.query().unwrap_or_default().split('&').filter(|p| !p.is_empty());
        for pair in pairs {
            let name = pair.split('=').next().unwrap_or_default();
            let name = percent_decode_str(name).decode_utf8_lossy();
            if first.iter().any(|field| *field == name) {
                a.push(pair);
            } else if second.iter().any(|field| *field == name) {
                b.push(pair);
            } else if name != "token" {
                let known = [first, second].concat().join(", ");
                let text = format!("there is no field '{name}' in this query; there are: {known}");
                return Err(HttpError::BadRequest(text));
            }
        }
        Ok(Asked(read(&a)?, read(&b)?))
    }
}

fn fields<T: JsonSchema>() -> Vec<String> {
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let properties = schema.get("properties").and_then(|fields| fields.as_object());
    properties.into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn read<T: DeserializeOwned>(pairs: &[&str]) -> Result<T, HttpError> {
    let uri: Uri = format!("/?{}", pairs.join("&")).parse().expect("parts of a query are a query");
    let Query(value) = Query::try_from_uri(&uri)?;
    Ok(value)
}
