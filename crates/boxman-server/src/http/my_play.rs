//! What somebody has played, as their browser counted it: kept with their account, so that it is
//! there in every browser. Guests have it in their own.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Json, Path, Who};
use super::{App, Shared};
use crate::log::now;
use crate::problem::{Problem, Problems};
use crate::role::Role;
use crate::store::Play;

/// So many sittings are kept of one person; the oldest go.
const SITTINGS: u32 = 200;
/// One holds this much at most.
const SITTING: usize = 16 * 1_024;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(my_play, forget_all)).routes(routes!(keep, forget))
}

/// What somebody has played.
#[derive(Serialize, TS, ToSchema)]
pub struct MyPlay {
    /// Every sitting that is kept, the latest first.
    pub sessions: Vec<PlaySession>,
}

/// One sitting.
#[derive(Serialize, TS, ToSchema)]
pub struct PlaySession {
    /// The name it was kept under.
    pub id: String,
    /// When it was kept last, in milliseconds since 1970.
    #[ts(type = "number")]
    pub at: u64,
    /// What the browser counted.
    #[ts(type = "{ [key: string]: unknown }")]
    #[schema(value_type = Object)]
    pub session: Map<String, Value>,
}

/// The account whose play it is.
fn account(who: &Who) -> Result<&str, Problem> {
    match who.person.roles.contains(&Role::Guest) {
        false => Ok(&who.person.id),
        true => Err(Problem::forbidden("what a guest has played is kept in their own browser")),
    }
}

/// What you have played, as your browsers counted it.
#[utoipa::path(get, path = "/api/me/play", tag = "door", responses(
    (status = 200, body = MyPlay),
    Problems,
))]
async fn my_play(State(app): Shared, who: Who) -> Result<Json<MyPlay>, Problem> {
    let kept = app.house.store.play_of(account(&who)?).await?;
    let read = |play: Play| {
        let session = serde_json::from_str(&play.body).ok()?;
        Some(PlaySession { id: play.session, at: play.at, session })
    };
    Ok(Json(MyPlay { sessions: kept.into_iter().filter_map(read).collect() }))
}

/// Keep a sitting, in place of what was kept under its name. The latest 200 stay.
#[utoipa::path(put, path = "/api/me/play/{name}", tag = "door",
    request_body = std::collections::BTreeMap<String, Value>,
    params(("name" = String, Path, description = "1 to 64 letters, digits, - and _")),
    responses((status = 204, description = "it is kept"), Problems))]
async fn keep(
    State(app): Shared,
    who: Who,
    Path(session): Path<String>,
    Json(counted): Json<Map<String, Value>>,
) -> Result<StatusCode, Problem> {
    let person = account(&who)?.to_owned();
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    if !(1..=64).contains(&session.len()) || !session.bytes().all(fine) {
        return Err(Problem::malformed("a sitting's name has 1 to 64 letters, digits, - and _"));
    }
    let body = Value::Object(counted).to_string();
    if body.len() > SITTING {
        return Err(Problem::new(413, "too-large", "a sitting holds at most 16 kB"));
    }
    app.house.store.keep_play(&Play { person, session, at: now(), body }, SITTINGS).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forget a sitting.
#[utoipa::path(delete, path = "/api/me/play/{name}", tag = "door",
    params(("name" = String, Path, description = "its name")),
    responses((status = 204, description = "it is forgotten"), Problems))]
async fn forget(
    State(app): Shared,
    who: Who,
    Path(session): Path<String>,
) -> Result<StatusCode, Problem> {
    app.house.store.forget_play(account(&who)?, Some(&session)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forget everything you have played.
#[utoipa::path(delete, path = "/api/me/play", tag = "door",
    operation_id = "forget_all_play",
    responses((status = 204, description = "all of it is forgotten"), Problems))]
async fn forget_all(State(app): Shared, who: Who) -> Result<StatusCode, Problem> {
    app.house.store.forget_play(account(&who)?, None).await?;
    Ok(StatusCode::NO_CONTENT)
}
