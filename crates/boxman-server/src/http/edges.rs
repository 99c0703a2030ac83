//! What every wager costs, for any rules and for those of a table: mathematics, open to all.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use craps::{Cents, Library, Rules};
use craps_report::AtlasPage;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Json, Path, Query};
use super::{App, Shared, tables};
use crate::hash::Hash;
use crate::pricing::WagerEdge;
use crate::problem::{Problem, Problems};
use crate::room::Visit;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(edges)).routes(routes!(table_edges)).routes(routes!(atlas))
}

/// No stake or unit is larger.
pub(super) const STAKE_MOST: Cents = Cents::dollars(1_000_000);
/// So many words a list may have, and letters in all.
const WORDS: usize = 64;
const LETTERS: usize = 2_000;

/// Which rules, and what is bet.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The rulebooks as on a tape, with the paytables on offer after a colon, separated by
    /// spaces.
    #[serde(default)]
    #[param(max_length = 2_000, example = "presque-isle bonus-craps-nevada:PT-FLT-BC-03")]
    rules: String,
    /// Options of those rulebooks, `NAME=VALUE`, separated by spaces.
    #[serde(default)]
    #[param(max_length = 2_000, example = "payout-unit=1 hard.come-out=off")]
    options: String,
    /// Price a real bet of so many cents, with its rounding; exact ratios where it is left out.
    #[param(minimum = 1, maximum = 100_000_000)]
    stake: Option<i64>,
    /// What every meter shows, in cents; the seed where it is left out.
    #[param(minimum = 0, maximum = 1_000_000_000_000_u64)]
    meter: Option<i64>,
}

/// The words of a list, where they are not too many.
pub(super) fn words(
    name: &str,
    text: &str,
    between: impl Fn(char) -> bool,
) -> Result<Vec<String>, Problem> {
    let words: Vec<String> = text
        .split(between)
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    if text.chars().count() > LETTERS || words.len() > WORDS {
        let most = format!("{name} holds at most {WORDS} words and {LETTERS} letters");
        return Err(Problem::malformed(most));
    }
    Ok(words)
}

/// An amount of cents within its bounds.
pub(super) fn cents(
    name: &str,
    amount: Option<i64>,
    least: Cents,
    most: Cents,
) -> Result<Option<Cents>, Problem> {
    let Some(amount) = amount.map(Cents) else { return Ok(None) };
    match (least..=most).contains(&amount) {
        true => Ok(Some(amount)),
        false => {
            let (least, most) = (least.0, most.0);
            Err(Problem::malformed(format!("{name} lies between {least} and {most} cents")))
        }
    }
}

/// What every wager of some rules costs, exactly.
#[utoipa::path(get, path = "/api/edges", tag = "rules", operation_id = "edges", params(Which),
    responses(
    (status = 200, body = Vec<WagerEdge>),
    Problems,
))]
async fn edges(
    State(app): Shared,
    Query(which): Query<Which>,
) -> Result<Json<Vec<WagerEdge>>, Problem> {
    let mut rulebooks = words("rules", &which.rules, char::is_whitespace)?;
    if rulebooks.is_empty() {
        rulebooks.push(Library::DEFAULT_BASE.to_owned());
    }
    let options = words("options", &which.options, char::is_whitespace)?;
    let stake = cents("stake", which.stake, Cents(1), STAKE_MOST)?;
    let meter = cents("meter", which.meter, Cents::ZERO, Cents::MOST)?;
    // What is known is not waited for.
    if let Some(rules) = app.pricing.known_rules(&rulebooks, &options) {
        check_meter(&rules, meter)?;
        if let Some(known) = app.pricing.known_edges(&rules, stake, |_| meter) {
            return Ok(Json(known));
        }
    }
    let asked = Arc::clone(&app);
    let priced = app.pricing.solving.work(move || {
        let library = asked.house.shelf.library();
        let rules = asked.pricing.rules(library, &rulebooks, &options)?;
        check_meter(&rules, meter)?;
        Ok(asked.pricing.edges(&rules, stake, |_| meter))
    });
    priced.await.map(Json)
}

fn check_meter(rules: &Rules, meter: Option<Cents>) -> Result<(), Problem> {
    match meter.is_some() && rules.meters().is_empty() {
        true => {
            let none = "no wager of these rules has a meter, leave it out";
            Err(Problem::new(400, "unpriced", none))
        }
        false => Ok(()),
    }
}

/// What every wager of a table costs, exactly, under its own rules and meters.
#[utoipa::path(get, path = "/api/tables/{id}/edges", tag = "tables", operation_id = "table_edges",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Vec<WagerEdge>),
    Problems,
))]
async fn table_edges(
    State(app): Shared,
    Path(id): Path<String>,
) -> Result<Json<Vec<WagerEdge>>, Problem> {
    let table = tables::room(&app, &id).await?.query(Visit::Look).await?;
    let unknown = || Problem::not_found(format!("rules of table {id}"));
    let hash: Hash = table.rules.parse().map_err(|_| unknown())?;
    let rules = app.house.shelf.recall_hash(&*app.house.store, hash).await?;
    let rules = rules.ok_or_else(unknown)?;
    // A meter grows by parts of a cent; its edge is told by the whole dollar.
    let shown = move |paytable: &str| {
        let meter = table.meters.iter().find(|meter| meter.paytable == paytable)?;
        Some(meter.amount.floor_to(Cents::dollars(1)))
    };
    if let Some(known) = app.pricing.known_edges(&rules, None, &shown) {
        return Ok(Json(known));
    }
    let asked = Arc::clone(&app);
    let priced = app.pricing.solving.work(move || Ok(asked.pricing.edges(&rules, None, shown)));
    priced.await.map(Json)
}

/// Every wager of every rulebook of the house under every paytable, priced exactly, with what
/// others have published of it. Worked out when it is first asked for.
#[utoipa::path(get, path = "/api/atlas", tag = "rules", operation_id = "atlas", responses(
    (status = 200, body = AtlasPage),
    Problems,
))]
async fn atlas(State(app): Shared) -> Result<Response, Problem> {
    if let Some(known) = app.pricing.known_atlas() {
        return Ok(Json(&*known).into_response());
    }
    let asked = Arc::clone(&app);
    let work = move || Ok(asked.pricing.atlas(asked.house.shelf.library()));
    let page = app.pricing.solving.work(work).await?;
    Ok(Json(&*page).into_response())
}
