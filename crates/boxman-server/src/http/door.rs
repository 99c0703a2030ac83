//! Coming in and going out.

use std::sync::Arc;

use axum::extract::{Extension, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Anyone, COOKIE, Json, Who};
use super::guard::Address;
use super::{App, Shared};
use crate::access::Person;
use crate::auth::Entered;
use crate::problem::{Problem, Problems};
use crate::role::Role;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(guest))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(setup))
        .routes(routes!(me, change_me))
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
    /// The name to log in with.
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
    /// The name to log in with: 2 to 24 lower-case letters, digits and full stops.
    #[schema(pattern = "^[a-z0-9.]{2,24}$")]
    pub name: String,
    /// Its password: 10 characters or more.
    #[schema(min_length = 10, max_length = 200)]
    pub password: String,
    /// The name shown at tables, another than the one to log in with; one is made up where it is
    /// left out.
    #[serde(default)]
    #[ts(optional = nullable)]
    #[schema(min_length = 1, max_length = 24)]
    pub table_name: Option<String>,
}

/// What somebody changes about themselves.
#[derive(Deserialize, TS, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeMe {
    /// The name shown at tables, from the next time they sit down, or have a table call them so
    /// (`rename`).
    #[schema(min_length = 1, max_length = 24)]
    pub table_name: String,
}

/// Who somebody is.
#[derive(Serialize, TS, ToSchema)]
pub struct Me {
    /// What stands for them at tables and in logs: `p-ID`, or `guest-ID`.
    pub person: String,
    /// The name shown at tables.
    pub name: String,
    /// The name they log in with, which others are not shown; guests have none.
    pub login: Option<String>,
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

async fn entered(app: &App, entered: Entered) -> Result<Response, Problem> {
    let cookie = cookie(app, &entered);
    let Entered { token, person, .. } = entered;
    let me = Me { token: Some(token), ..Me::of(app, &person).await? };
    let mut response = Json(me).into_response();
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

impl Me {
    async fn of(app: &App, person: &Person) -> Result<Me, Problem> {
        let Person { id, name, roles } = person.clone();
        let login = app.house.store.account(&id).await?.map(|account| account.login);
        Ok(Me { person: id, name, login, roles, token: None })
    }
}

/// Come in as a guest, by name, for play money.
#[utoipa::path(post, path = "/api/guest", tag = "door", request_body = Guest, responses(
    (status = 200, body = Me),
    Problems,
))]
async fn guest(State(app): Shared, Json(guest): Json<Guest>) -> Result<Response, Problem> {
    let came = app.door.guest(&guest.name).await?;
    entered(&app, came).await
}

/// Log in with a password. Whoever gives a wrong one waits before the next: `retry-after` says
/// how long.
#[utoipa::path(post, path = "/api/login", tag = "door", request_body = Login, responses(
    (status = 200, body = Me),
    Problems,
))]
async fn login(
    State(app): Shared,
    Extension(Address(from)): Extension<Address>,
    Json(login): Json<Login>,
) -> Result<Response, Problem> {
    let at = Arc::clone(&app);
    // Whoever hangs up has not given a wrong password for that.
    let coming =
        tokio::spawn(async move { at.door.login(from, &login.name, login.password).await });
    let broke = |_| Problem::new(500, "broken", "something broke, log in again");
    entered(&app, coming.await.map_err(broke)??).await
}

/// Make the first account with the link that the first start printed.
#[utoipa::path(post, path = "/api/setup", tag = "door", request_body = Redeem, responses(
    (status = 200, body = Me),
    Problems,
))]
async fn setup(State(app): Shared, Json(redeem): Json<Redeem>) -> Result<Response, Problem> {
    let Redeem { link, name, password, table_name } = redeem;
    let came = app.door.redeem_link(&link, name, password, table_name).await?;
    entered(&app, came).await
}

/// Log out; the token is no good any more, and sockets opened with it end.
#[utoipa::path(post, path = "/api/logout", tag = "door", responses(
    (status = 204),
    Problems,
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
    Problems,
))]
async fn me(State(app): Shared, who: Anyone) -> Result<Json<Me>, Problem> {
    let (_, person) = who.0.ok_or_else(Problem::nobody)?;
    Ok(Json(Me::of(&app, &person).await?))
}

/// Have another name at tables.
#[utoipa::path(patch, path = "/api/me", tag = "door", request_body = ChangeMe, responses(
    (status = 200, body = Me),
    Problems,
))]
async fn change_me(
    State(app): Shared,
    who: Who,
    Json(ChangeMe { table_name }): Json<ChangeMe>,
) -> Result<Json<Me>, Problem> {
    let person = app.door.rename(&who.person, who.token, &table_name).await?;
    Ok(Json(Me::of(&app, &person).await?))
}
