//! What handlers take out of a request, with a problem detail wherever it does not fit.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::App;
use crate::access::{Deed, Person};
use crate::hash::Hash;
use crate::problem::Problem;

/// The name of the cookie that holds the token.
pub(super) const COOKIE: &str = "boxman";

/// A JSON body: of a request, always an object, or of an answer.
pub(super) struct Json<T>(pub(super) T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // Written as the frames of sockets are, so that nothing is compiled for two kinds of
        // writers.
        let body = serde_json::to_vec(&self.0).expect("an answer is plain data");
        ([(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>, Problem> {
        if !is_json(request.headers()) {
            let expected = "send JSON, as content-type application/json";
            return Err(Problem::new(415, "not-json", expected));
        }
        let body = Bytes::from_request(request, state).await;
        let body = body.map_err(|rejection| match rejection.status().as_u16() {
            413 => Problem::new(413, "too-large", "that is more than a request may hold"),
            _ => Problem::malformed(rejection.body_text()),
        })?;
        let body = object(&body).ok_or_else(|| Problem::malformed("send a JSON object"))?;
        let read = serde_json::from_slice(body);
        read.map(Json).map_err(|error| Problem::malformed(error.to_string()))
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default();
    kind.trim().eq_ignore_ascii_case("application/json")
}

/// Text that can be a JSON object. A list would be taken for its fields in their order.
pub(super) fn object(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    text.starts_with(b"{").then_some(text)
}

/// A part of the path.
pub(super) struct Path<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Path<T>, Problem> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        path.map(|axum::extract::Path(path)| Path(path))
            .map_err(|rejection| Problem::new(404, "not-found", rejection.body_text()))
    }
}

/// What follows the question mark.
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>, Problem> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await;
        query
            .map(|axum::extract::Query(query)| Query(query))
            .map_err(|rejection| Problem::malformed(rejection.body_text()))
    }
}

/// Whoever asks, where they are logged in.
pub(super) struct Anyone(pub(super) Option<(Hash, Arc<Person>)>);

impl FromRequestParts<Arc<App>> for Anyone {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Anyone, Problem> {
        match token(parts) {
            Some(token) => app.door.who(&token).await.map(Anyone),
            None => Ok(Anyone(None)),
        }
    }
}

impl Anyone {
    /// Who it is, where they are logged in.
    pub(super) fn person(self) -> Option<Arc<Person>> {
        self.0.map(|(_, person)| person)
    }
}

/// Somebody who is logged in.
pub(super) struct Who {
    pub(super) token: Hash,
    pub(super) person: Arc<Person>,
}

impl FromRequestParts<Arc<App>> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Who, Problem> {
        let token = token(parts).ok_or_else(Problem::nobody)?;
        let who = match parts.method.is_safe() {
            true => app.door.who(&token).await?,
            false => app.door.who_acts(&token).await?,
        };
        let (token, person) = who.ok_or_else(Problem::nobody)?;
        Ok(Who { token, person })
    }
}

impl Who {
    /// Goes on only where they may do this.
    pub(super) fn may(&self, deed: Deed, practice: bool) -> Result<(), Problem> {
        match self.person.may_at_all(deed, practice) {
            true => Ok(()),
            false => Err(Problem::forbidden("that is not for you to do")),
        }
    }
}

/// The token, from the cookie or as a bearer.
fn token(parts: &Parts) -> Option<String> {
    let bearer = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = bearer.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some(token.trim().to_owned());
    }
    let cookies = parts.headers.get_all(header::COOKIE).iter().filter_map(|all| all.to_str().ok());
    cookies
        .flat_map(|all| all.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, token)| token.to_owned())
}
