//! The rulebooks a table can be opened on.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{App, Shared};
use crate::log::Hash;
use crate::problem::Problem;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A rulebook.
#[derive(Serialize, TS, ToSchema)]
pub struct RulebookView {
    /// The name it is chosen by.
    pub name: String,
    /// The name a reader knows it by.
    pub title: String,
    /// The document it was written from.
    pub source: String,
    /// A base game; otherwise side bets.
    pub base: bool,
    /// Its paytables and the wagers each covers.
    pub paytables: Vec<PaytableView>,
    /// The paytables used where none is chosen.
    pub default_paytables: Vec<String>,
    /// Its options and their present values.
    pub options: Vec<(String, String)>,
    /// The hash of its text.
    pub hash: String,
}

/// A paytable.
#[derive(Serialize, TS, ToSchema)]
pub struct PaytableView {
    /// Its name.
    pub name: String,
    /// The wagers it prices.
    pub wagers: Vec<String>,
    /// Whether it pays from a meter.
    pub progressive: bool,
}

/// Every rulebook of the house.
#[utoipa::path(get, path = "/api/rulebooks", tag = "rules", operation_id = "rulebooks", responses(
    (status = 200, body = Vec<RulebookView>),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn list(State(app): Shared) -> axum::Json<Vec<RulebookView>> {
    let from_meter = |due: craps::Due| due == craps::Due::Meter;
    let paytable = |paytable: &craps::Paytable| PaytableView {
        name: paytable.name.clone(),
        wagers: paytable.entries.iter().map(|entry| entry.wager.clone()).collect(),
        progressive: paytable.entries.iter().flat_map(|entry| entry.pays.dues()).any(from_meter),
    };
    let option = |(name, value): (&str, String)| (name.to_owned(), value);
    let view = |rulebook: &craps::Rulebook| RulebookView {
        name: rulebook.name.clone(),
        title: rulebook.title.clone(),
        source: rulebook.source.clone(),
        base: rulebook.kind == craps::Kind::Base,
        paytables: rulebook.paytables.iter().map(paytable).collect(),
        default_paytables: rulebook.default_paytables.clone(),
        options: rulebook.options().into_iter().map(option).collect(),
        hash: Hash(rulebook.hash()).to_string(),
    };
    axum::Json(app.house.shelf.library().rulebooks().iter().map(view).collect())
}
