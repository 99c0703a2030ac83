//! The rulebooks a table can be opened on.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use craps::MeterTerms;
use serde::Serialize;
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::Json;
use super::{App, Shared};
use crate::hash::Hash;
use crate::problem::Problems;

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
    /// Options that put its meter on terms to start from; rulebooks leave them to the operator.
    #[schema(example = json!({ "fired-up.meter.seed": "1000" }))]
    pub suggested: BTreeMap<String, String>,
}

/// Every rulebook of the house.
#[utoipa::path(get, path = "/api/rulebooks", tag = "rules", operation_id = "rulebooks", responses(
    (status = 200, body = Vec<RulebookView>),
    Problems,
))]
async fn list(State(app): Shared) -> Json<Vec<RulebookView>> {
    let wager = |entry: &craps::rulebook::PaytableEntry| entry.wager.clone();
    let from_meter = |entry: &&craps::rulebook::PaytableEntry| {
        entry.pays.dues().any(|due| due == craps::wager::Due::Meter)
    };
    let paytable = |paytable: &craps::rulebook::Paytable| {
        let metered: Vec<String> = paytable.entries.iter().filter(from_meter).map(wager).collect();
        PaytableView {
            name: paytable.name.clone(),
            wagers: paytable.entries.iter().map(wager).collect(),
            progressive: !metered.is_empty(),
            suggested: metered.iter().flat_map(|wager| MeterTerms::suggested(wager)).collect(),
        }
    };
    let option = |(name, value): (&str, String)| (name.to_owned(), value);
    let view = |rulebook: &craps::Rulebook| RulebookView {
        name: rulebook.name.clone(),
        title: rulebook.title.clone(),
        source: rulebook.source.clone(),
        base: rulebook.kind == craps::rulebook::Kind::Base,
        paytables: rulebook.paytables.iter().map(paytable).collect(),
        default_paytables: rulebook.default_paytables.clone(),
        options: rulebook.options().into_iter().map(option).collect(),
        hash: Hash(rulebook.hash()).to_string(),
    };
    Json(app.house.shelf.library().rulebooks().iter().map(view).collect())
}
