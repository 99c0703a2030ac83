//! Coming in and going out.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Anyone, COOKIE, Json, Who};
use super::{App, Shared};
use crate::access::Role;
use crate::auth::Entered;
use crate::problem::Problem;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(guest))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(setup))
        .routes(routes!(me))
}

/// A guest's name.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Guest {
    /// The name to play under.
    #[schema(min_length = 1, max_length = 24)]
    pub name: String,
}

/// A name and a password.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// The one-time link, and the account to be made with it.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Redeem {
    /// The secret at the end of the link.
    pub link: String,
    /// The account's name.
    pub name: String,
    /// Its password: 10 characters or more.
    #[schema(min_length = 10, max_length = 200)]
    pub password: String,
}

/// Who somebody is.
#[derive(Serialize, TS, ToSchema)]
pub struct Me {
    /// The account, or `guest-ID`.
    pub person: String,
    /// The name shown at the table.
    pub name: String,
    /// What they may do.
    pub roles: Vec<Role>,
    /// The token, for programs that send it as a bearer; browsers have it as a cookie. Shown
    /// once, when it is made.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub token: Option<String>,
}

/// The cookie that keeps a token in a browser.
pub(super) fn cookie(app: &App, entered: &Entered) -> String {
    let Entered { token, seconds, .. } = entered;
    let secure = if app.secure_cookies { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict{secure}")
}

fn entered(app: &App, entered: Entered) -> Response {
    let cookie = cookie(app, &entered);
    let Entered { token, person, .. } = entered;
    let me = Me {
        person: person.id.clone(),
        name: person.name.clone(),
        roles: person.roles.clone(),
        token: Some(token),
    };
    let mut response = axum::Json(me).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Come in as a guest, by name, for play money.
#[utoipa::path(post, path = "/api/guest", tag = "door", request_body = Guest, responses(
    (status = 200, body = Me),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn guest(State(app): Shared, Json(guest): Json<Guest>) -> Result<Response, Problem> {
    let came = app.door.guest(&guest.name).await?;
    Ok(entered(&app, came))
}

/// Log in with a password. Three failures in a row lock an account.
#[utoipa::path(post, path = "/api/login", tag = "door", request_body = Login, responses(
    (status = 200, body = Me),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn login(State(app): Shared, Json(login): Json<Login>) -> Result<Response, Problem> {
    let came = app.door.login(&login.name, login.password).await?;
    Ok(entered(&app, came))
}

/// Make the first account with the link that the first start printed.
#[utoipa::path(post, path = "/api/setup", tag = "door", request_body = Redeem, responses(
    (status = 200, body = Me),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn setup(State(app): Shared, Json(redeem): Json<Redeem>) -> Result<Response, Problem> {
    let came = app.door.redeem_link(&redeem.link, &redeem.name, redeem.password).await?;
    Ok(entered(&app, came))
}

/// Log out; the token is no good any more, and sockets opened with it end.
#[utoipa::path(post, path = "/api/logout", tag = "door", responses(
    (status = 204),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn logout(State(app): Shared, who: Who) -> Result<Response, Problem> {
    app.door.logout(who.token).await?;
    let cookie = format!("{COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict");
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Who am I?
#[utoipa::path(get, path = "/api/me", tag = "door", responses(
    (status = 200, body = Me),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn me(who: Anyone) -> Result<axum::Json<Me>, Problem> {
    let (_, person) = who.0.ok_or_else(Problem::nobody)?;
    let (id, name, roles) = (person.id.clone(), person.name.clone(), person.roles.clone());
    Ok(axum::Json(Me { person: id, name, roles, token: None }))
}
