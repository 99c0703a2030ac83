//! The pages, embedded in the program: one document for every address of theirs, and the files
//! it asks for. Built from `ui/` by the build script.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
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
const PAGES: [&str; 12] = [
    "/",
    "/login",
    "/setup/{link}",
    "/edges",
    "/play",
    "/buy-ins",
    "/meters",
    "/table/{id}",
    "/deal/{id}",
    "/sign/{id}",
    "/history/{id}",
    "/slip/{id}/{record}",
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

/// What an address that is none answers: a browser gets the pages' own word for it.
pub(super) async fn unknown(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    let accepts = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let browses =
        method == Method::GET && accepts.into_iter().any(|kinds| kinds.contains("text/html"));
    match Files::get("index.html") {
        Some(file) if browses && path != "/api" && !path.starts_with("/api/") => {
            let kind = [(header::CONTENT_TYPE, file.metadata.mimetype().to_owned())];
            (StatusCode::NOT_FOUND, kind, file.data.into_owned()).into_response()
        }
        _ => Problem::not_found("such address").into_response(),
    }
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
    let same = has(headers, &tag);
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, caching.to_owned()),
        (header::ETAG, tag),
        (header::VARY, header::ACCEPT_ENCODING.to_string()),
    ];
    if same {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.into_owned()).into_response()
}

/// The tag of a file. It is weak: the file may leave compressed in one way or another.
fn tag(file: &EmbeddedFile) -> String {
    format!("W/\"{}\"", craps::hex::encode(&file.metadata.sha256_hash()[..12]))
}

/// Whether the browser says it has the file of this tag (RFC 9110, 13.1.2): tags are compared
/// weakly, and ours have no comma in them.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let weak = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let seen = headers.get_all(header::IF_NONE_MATCH).iter();
    let mut seen = seen.filter_map(|value| value.to_str().ok()).flat_map(|list| list.split(','));
    seen.any(|seen| seen.trim() == "*" || weak(seen) == weak(tag))
}
