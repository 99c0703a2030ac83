//! Addresses that had another name once: whoever kept one is sent on, for good.

use std::sync::Arc;

use axum::Router;
use axum::http::Uri;
use axum::response::Redirect;
use axum::routing::get;

use super::App;

/// What shows edges was called odds, which are only the bet behind the line.
const ONCE_ODDS: [&str; 5] =
    ["/odds", "/odds/{*rest}", "/api/odds", "/api/odds/{*rest}", "/api/tables/{id}/odds"];

pub(super) fn router() -> Router<Arc<App>> {
    ONCE_ODDS.into_iter().fold(Router::new(), |router, old| router.route(old, get(to_edges)))
}

/// The same address with `edges` for `odds`; what is asked stays as it was written.
async fn to_edges(uri: Uri) -> Redirect {
    let mut to = String::new();
    let mut renamed = false;
    for part in uri.path().split('/').skip(1) {
        let odds = part == "odds" && !renamed;
        renamed |= odds;
        to.push('/');
        to.push_str(if odds { "edges" } else { part });
    }
    if let Some(query) = uri.query() {
        to.push('?');
        to.push_str(query);
    }
    Redirect::permanent(&to)
}
