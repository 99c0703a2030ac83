//! For whoever runs the server: is it alive, can it write, how is it doing, what does it answer.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{App, Shared, openapi};
use crate::log::Stream;
use crate::problem::{Problem, Problems};

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(health))
        .routes(routes!(ready))
        .routes(routes!(figures))
        .routes(routes!(description))
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
async fn health() -> &'static str {
    "ok\n"
}

/// The store can be written to. Logs that are damaged are listed: the others play.
#[utoipa::path(get, path = "/readyz", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain"),
    Problems,
))]
async fn ready(State(app): Shared) -> Result<String, Problem> {
    if app.node.as_ref().is_some_and(|node| node.is_draining()) {
        return Err(Problem::unavailable("draining", "this node hands its tables over"));
    }
    if !app.house.store.is_heard() {
        let silent = "this node is out of touch with its database";
        return Err(Problem::unavailable("node-silent", silent));
    }
    app.house.ready().await?;
    let mut text = "ok\n".to_owned();
    for (stream, reason) in app.house.damaged() {
        text.push_str(&format!("damaged {stream}: {reason}\n"));
    }
    Ok(text)
}

/// Figures in the format of Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "operations", responses(
    (status = 200, body = String, content_type = "text/plain"),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
async fn figures(State(app): Shared) -> Response {
    metrics::gauge!("boxman_tables").set(app.house.tables().len() as u32);
    let damaged = app.house.damaged();
    let count = |is: fn(&Stream) -> bool| damaged.iter().filter(|(stream, _)| is(stream)).count();
    let tables = count(|stream| matches!(stream, Stream::Table(_)));
    let meters = count(|stream| matches!(stream, Stream::Meter(_)));
    metrics::gauge!("boxman_tables_damaged").set(tables as u32);
    metrics::gauge!("boxman_meters_damaged").set(meters as u32);
    let text = app.metrics.render();
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response()
}

/// This description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "operations", responses(
    (status = 200, body = Object),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
))]
async fn description() -> Response {
    /// It never changes, and takes a while to write.
    static TEXT: LazyLock<Bytes> = LazyLock::new(|| {
        serde_json::to_vec(&openapi()).expect("a description is plain data").into()
    });
    ([(header::CONTENT_TYPE, "application/json")], TEXT.clone()).into_response()
}
