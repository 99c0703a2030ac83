//! The two pages the server has of its own: a front door, and the one-time link.

use std::sync::Arc;

use axum::extract::{Form, State};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Router, http::StatusCode};
use serde::Deserialize;

use super::door::cookie;
use super::extract::Path;
use super::{App, Shared};

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/", get(front)).route("/setup/{link}", get(form).post(redeem))
}

fn page(body: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Boxman</title>\
         <h1>Boxman</h1>{body}</html>"
    ))
}

async fn front() -> Html<String> {
    page(
        "<p>The tables are open. Programs play over the API: \
         <a href=\"/api/openapi.json\">its description</a>, \
         <a href=\"/api/tables\">the tables</a>.</p>",
    )
}

async fn form(Path(_): Path<String>) -> Html<String> {
    page(
        "<p>Make the first account: a supervisor who also keeps the accounts.</p>\
         <form method=\"post\">\
         <p><label>Name <input name=\"name\" required pattern=\"[a-z0-9.]{2,24}\"></label></p>\
         <p><label>Password, 10 characters or more \
         <input name=\"password\" type=\"password\" required minlength=\"10\"></label></p>\
         <p><button>Make it</button></p></form>",
    )
}

#[derive(Deserialize)]
struct First {
    name: String,
    password: String,
}

async fn redeem(
    State(app): Shared,
    Path(link): Path<String>,
    Form(First { name, password }): Form<First>,
) -> Response {
    match app.door.redeem_link(&link, &name, password).await {
        Ok(entered) => {
            let cookie = cookie(&app, &entered);
            let page = page("<p>Done. You are logged in, and the link is used up.</p>");
            ([(axum::http::header::SET_COOKIE, cookie)], page).into_response()
        }
        Err(problem) => {
            let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::BAD_REQUEST);
            (status, page(&format!("<p>{}</p>", problem.detail))).into_response()
        }
    }
}
