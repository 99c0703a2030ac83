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

use super::extract::{Json, Query, Who};
use super::{App, Shared};
use crate::access::Deed;
use crate::books::{Books, DayBook};
use crate::config::TableConfig;
use crate::day::utc_day;
use crate::hash::Hash;
use crate::history;
use crate::id::TableId;
use crate::log::{Stream, Written, now};
use crate::problem::{Problem, Problems};
use crate::reports::{LeftOut, Report, TableDay, csv, report};
use crate::room::Visit;
use crate::store::Day;

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

pub(super) fn day(given: Option<&str>) -> Result<String, Problem> {
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
    Problems,
))]
async fn reports(
    State(app): Shared,
    who: Who,
    Query(which): Query<Which>,
) -> Result<Response, Problem> {
    who.may(Deed::ReadReports, false)?;
    let (from, to) = (day(which.from.as_deref())?, day(which.to.as_deref())?);
    if from > to {
        return Err(Problem::malformed(format!("{from} is after {to}")));
    }
    let only = which.table.as_deref().map(str::parse::<TableId>).transpose();
    let only = only.map_err(|error| Problem::malformed(error.to_string()))?;
    let (days, left_out) = days(&app, &from, &to, only, which.practice).await?;
    let rules = rules(&app, &days).await?;
    let reporting = Arc::clone(&app);
    // A wager met for the first time is solved, which takes a moment.
    let made = tokio::task::spawn_blocking(move || {
        report(&days, &reporting.expectations, |hash| rules.get(&hash).cloned())
    });
    let mut report =
        made.await.map_err(|_| Problem::new(500, "broken", "the report could not be made"))?;
    report.left_out = left_out;
    Ok(match which.format {
        Format::Json => Json(report).into_response(),
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
) -> Result<(Vec<TableDay>, Vec<LeftOut>), Problem> {
    let mut kept: HashMap<TableId, BTreeMap<String, String>> = HashMap::new();
    for row in app.house.store.days(from, to).await? {
        if let Stream::Table(table) = row.stream {
            kept.entry(table).or_default().insert(row.day, row.body);
        }
    }
    let (mut days, mut left_out) = (Vec::new(), Vec::new());
    for table in app.house.all_tables().await? {
        if only.is_some_and(|only| only != table) {
            continue;
        }
        let kept = kept.remove(&table).unwrap_or_default();
        let (config, books) = match look(app, table).await {
            Ok(looked) => looked,
            // What the store has of its days nobody vouches for, nor that they are real money.
            Err(problem) => {
                left_out.push(LeftOut { table: table.to_string(), reason: problem.detail });
                continue;
            }
        };
        if config.practice && !practice && only.is_none() {
            continue;
        }
        let books = with_folded(app, table, books, &kept, from, to).await?;
        let within = books.into_iter().filter(|(day, _)| (from..=to).contains(&day.as_str()));
        days.extend(within.map(named(table, &config.name)));
    }
    days.sort_by(|one, other| (&one.day, one.table).cmp(&(&other.day, other.table)));
    Ok((days, left_out))
}

fn named(table: TableId, name: &str) -> impl Fn((String, DayBook)) -> TableDay {
    move |(day, book)| TableDay { table, name: name.to_owned(), day, book }
}

/// A table's configuration and books, where it opens and answers.
pub(super) async fn look(app: &Arc<App>, table: TableId) -> Result<(TableConfig, Books), Problem> {
    if !app.house.owns(&Stream::Table(table)) {
        return app.house.read_books(table).await;
    }
    let room = app.house.room(table).await?;
    let config = room.query(Visit::Look).await?.config.clone();
    Ok((config, room.query(Visit::Books).await?))
}

/// The days of a table's books, open or folded away. A day that was folded away and is not in the
/// store as it was written is read again from the log, and all of them are kept anew.
pub(super) async fn with_folded(
    app: &App,
    table: TableId,
    books: Books,
    kept: &BTreeMap<String, String>,
    from: &str,
    to: &str,
) -> Result<Vec<(String, DayBook)>, Problem> {
    let (mut days, folded) = (books.open_days(), books.folded());
    let asked = |(day, _): &(&String, &Hash)| (from..=to).contains(&day.as_str());
    for (day, hash) in folded.iter().filter(asked) {
        let body = kept.get(day).filter(|body| Hash::of(body.as_bytes()) == *hash);
        let Some(book) = body.and_then(|body| DayBook::read(body).ok()) else {
            tracing::warn!(%table, day, "a day is not what was kept, the log is read instead");
            return read_again(app, table, &books).await;
        };
        days.push((day.clone(), book));
    }
    Ok(days)
}

async fn read_again(
    app: &App,
    table: TableId,
    books: &Books,
) -> Result<Vec<(String, DayBook)>, Problem> {
    // Whole logs are read in turns.
    let _turn = app.histories.turn().await?;
    let (store, stream) = (&*app.house.store, Stream::Table(table));
    let days = history::books(store, &app.house.shelf, table).await?.open_days();
    if let Some((through, _)) = books.folded().last_key_value() {
        let past = days.iter().filter(|(day, _)| day <= through);
        let row = |(day, book): &(String, DayBook)| Day {
            stream: stream.clone(),
            day: day.clone(),
            body: book.text(),
        };
        let rows: Vec<Day> = past.map(row).collect();
        store.keep_days(&stream, through, &rows).await?;
    }
    Ok(days)
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
