//! The pages, embedded in the program: one document for every address of theirs, and the files
//! it asks for. Built from `ui/` by the build script.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{Embed, EmbeddedFile};
use tower_http::compression::CompressionLayer;

use super::App;
use super::extract::Path;
use crate::problem::Problem;

#[derive(Embed)]
#[folder = "$OUT_DIR/ui"]
struct Files;

/// The addresses that are pages.
const PAGES: [&str; 8] = [
    "/",
    "/login",
    "/setup/{link}",
    "/odds",
    "/table/{id}",
    "/deal/{id}",
    "/sign/{id}",
    "/history/{id}",
];

pub(super) fn router() -> Router<Arc<App>> {
    let pages =
        PAGES.into_iter().fold(Router::new(), |router, page| router.route(page, get(document)));
    pages
        .route("/icon.svg", get(|headers: HeaderMap| async move { file("icon.svg", &headers) }))
        .route("/assets/{name}", get(asset))
        .layer(CompressionLayer::new())
}

async fn document(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    file(&format!("assets/{name}"), &headers)
}

/// A file, or that the browser has it already. Assets carry their hash in their name and never
/// change; the document is asked for each time.
fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Files::get(name) else {
        return Problem::not_found("such file").into_response();
    };
    let tag = tag(&file);
    let caching = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kind = file.metadata.mimetype().to_owned();
    let same =
        headers.get(header::IF_NONE_MATCH).is_some_and(|seen| seen.as_bytes() == tag.as_bytes());
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, caching.to_owned()),
        (header::ETAG, tag),
    ];
    if same {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.into_owned()).into_response()
}

fn tag(file: &EmbeddedFile) -> String {
    format!("\"{}\"", crate::hex::encode(&file.metadata.sha256_hash()[..12]))
}
