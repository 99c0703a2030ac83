//! Reports: handle, hold against its exact expectation, envy, jackpots, by table and day.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use craps::Rules;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Query, Who};
use super::{App, Shared};
use crate::access::Action;
use crate::books::DayBook;
use crate::day::utc_day;
use crate::id::TableId;
use crate::log::{Hash, Stream, now};
use crate::problem::Problem;
use crate::reports::{Report, TableDay, csv, report};
use crate::room::Visit;
use crate::store::StoreError;
use crate::wire::TableView;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(reports))
}

/// Which days and tables.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// From this day on, `YYYY-MM-DD` (UTC); today where it is left out.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    from: Option<String>,
    /// To this day; today where it is left out.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    to: Option<String>,
    /// Only this table.
    table: Option<String>,
    /// Play money too; left out where it is not asked for, or a table is not named.
    #[serde(default)]
    practice: bool,
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// How a report is written.
#[derive(Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Json,
    Csv,
}

fn day(given: Option<&str>) -> Result<String, Problem> {
    let Some(text) = given else { return Ok(utc_day(now())) };
    let parts: Vec<&str> = text.split('-').collect();
    let digits = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    match parts.as_slice() {
        [year, month, day] if digits(year, 4) && digits(month, 2) && digits(day, 2) => {
            Ok(text.to_owned())
        }
        _ => Err(Problem::malformed(format!("`{text}` is not a day, expected YYYY-MM-DD"))),
    }
}

/// What tables held, day by day, against what they should have.
#[utoipa::path(get, path = "/api/reports", tag = "reports", params(Which), responses(
    (status = 200, description = "the report", content(
        (Report = "application/json"), (String = "text/csv")
    )),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn reports(
    State(app): Shared,
    who: Who,
    Query(which): Query<Which>,
) -> Result<Response, Problem> {
    who.may(Action::ReadReports, false)?;
    let (from, to) = (day(which.from.as_deref())?, day(which.to.as_deref())?);
    if from > to {
        return Err(Problem::malformed(format!("{from} is after {to}")));
    }
    let only = which.table.as_deref().map(str::parse::<TableId>).transpose();
    let only = only.map_err(|error| Problem::malformed(error.to_string()))?;
    let days = days(&app, &from, &to, only, which.practice).await?;
    let rules = rules(&app, &days).await?;
    let reporting = Arc::clone(&app);
    // A wager met for the first time is solved, which takes a moment.
    let made = tokio::task::spawn_blocking(move || {
        report(&days, &reporting.expectations, |hash| rules.get(&hash).cloned())
    });
    let report =
        made.await.map_err(|_| Problem::new(500, "broken", "the report could not be made"))?;
    Ok(match which.format {
        Format::Json => axum::Json(report).into_response(),
        Format::Csv => {
            ([(header::CONTENT_TYPE, "text/csv; charset=utf-8")], csv(&report)).into_response()
        }
    })
}

/// The days asked for: from the store, and those still open in their rooms.
async fn days(
    app: &Arc<App>,
    from: &str,
    to: &str,
    only: Option<TableId>,
    practice: bool,
) -> Result<Vec<TableDay>, Problem> {
    let mut books: BTreeMap<(String, TableId), DayBook> = BTreeMap::new();
    for row in app.house.store.days(from, to).await? {
        let Stream::Table(table) = row.stream else { continue };
        let book = serde_json::from_str(&row.body)
            .map_err(|error| StoreError::Damaged(format!("{} of {table}: {error}", row.day)))?;
        books.insert((row.day, table), book);
    }
    let mut names: HashMap<TableId, String> = HashMap::new();
    for table in app.house.tables() {
        if only.is_some_and(|only| only != table) {
            continue;
        }
        // A table that does not open keeps the days it has in the store.
        let Ok(room) = app.house.room(table).await else { continue };
        let Ok(TableView { config, .. }) = room.query(Visit::Look).await else { continue };
        if config.practice && !practice && only.is_none() {
            books.retain(|(_, known), _| *known != table);
            continue;
        }
        names.insert(table, config.name);
        let Ok(days) = room.query(Visit::Books).await else { continue };
        for (day, book) in days {
            if (from..=to).contains(&day.as_str()) {
                books.insert((day, table), book);
            }
        }
    }
    let wanted = books.into_iter().filter(|((_, table), _)| only.is_none_or(|only| only == *table));
    let named = |((day, table), book): ((String, TableId), DayBook)| {
        let name = names.get(&table).cloned().unwrap_or_default();
        TableDay { table, name, day, book }
    };
    Ok(wanted.map(named).collect())
}

/// The rules the days were played under.
async fn rules(app: &App, days: &[TableDay]) -> Result<HashMap<Hash, Arc<Rules>>, Problem> {
    let mut rules = HashMap::new();
    for (hash, ..) in days.iter().flat_map(|day| day.book.figures()) {
        let Ok(hash) = hash.parse::<Hash>() else { continue };
        if let std::collections::hash_map::Entry::Vacant(place) = rules.entry(hash)
            && let Some(found) = app.house.shelf.recall_hash(&*app.house.store, hash).await?
        {
            place.insert(found);
        }
    }
    Ok(rules)
}
