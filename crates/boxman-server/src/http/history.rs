//! History: the hands of a table, its log as it was broadcast, the ledger of a seat. Everybody
//! may look back, and sees what they may see of the table; a ledger is for those who may read it.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use craps::Seat;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Anyone, Json, Path, Query, Who};
use super::tables::room;
use super::{App, Shared};
use crate::access::{Deed, Reach};
use crate::history::{Asked, Wanted, csv};
use crate::names::NAME;
use crate::problem::{Problem, Problems};
use crate::room::Visit;
use crate::wire::{History, Kind, Ledger, PastHand, SlipView};

/// So many lines of a ledger are written out at once.
const CSV_LINES: usize = 100_000;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(hands))
        .routes(routes!(history))
        .routes(routes!(ledger))
        .routes(routes!(slip))
}

/// Which hands.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct HandsQuery {
    /// Those before this one; from the newest where it is left out.
    before: Option<u64>,
    /// At most so many, up to 200.
    #[serde(default = "fifty")]
    #[param(minimum = 1, maximum = 200)]
    limit: u32,
    /// The one that this record belongs to.
    record: Option<u64>,
    /// Those thrown from this seat.
    #[param(minimum = 0, maximum = 23)]
    shooter: Option<u8>,
    /// Those of a shooter whose name has this in it; not for strangers.
    #[param(max_length = 24)]
    name: Option<String>,
    /// Those of at least so many rolls.
    #[serde(default)]
    rolls: u32,
    /// Only those with a jackpot.
    #[serde(default)]
    jackpot: bool,
    /// Only those with a roll voided or corrected.
    #[serde(default)]
    voided: bool,
}

fn fifty() -> u32 {
    50
}

/// The hands of a table, newest first. At a real table players see names and money of those since
/// they took their seat, strangers of none.
#[utoipa::path(get, path = "/api/tables/{id}/hands", tag = "history",
    params(("id" = String, Path, description = "the table"), HandsQuery), responses(
    (status = 200, body = Vec<PastHand>),
    Problems,
))]
async fn hands(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
    Query(query): Query<HandsQuery>,
) -> Result<Json<Vec<PastHand>>, Problem> {
    if query.name.as_ref().is_some_and(|name| name.chars().count() > NAME) {
        return Err(Problem::malformed(format!("a name has at most {NAME} letters")));
    }
    let table = room(&app, &id).await?.table;
    let wanted = Wanted {
        before: query.before,
        limit: query.limit.clamp(1, 200) as usize,
        record: query.record,
        shooter: query.shooter,
        name: query.name.filter(|name| !name.is_empty()).map(|name| name.to_lowercase()),
        rolls: query.rolls as usize,
        jackpot: query.jackpot,
        voided: query.voided,
        who: anyone.person(),
    };
    Ok(Json(app.histories.hands(&app.house, table, wanted).await?))
}

/// Which stretch of the log.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// The table as it stood after this record, and what came next. The first record is the
    /// opening; a number beyond the last stands for the last.
    #[serde(default)]
    after: u64,
    /// At most so many updates, up to 500.
    #[serde(default = "many")]
    #[param(minimum = 1, maximum = 500)]
    limit: u32,
}

fn many() -> u32 {
    200
}

/// A table as it stood, and what came next: exactly what its socket told those who watched. At a
/// real table players see everything since they took their seat, strangers the dice.
#[utoipa::path(get, path = "/api/tables/{id}/history", tag = "history",
    params(("id" = String, Path, description = "the table"), HistoryQuery), responses(
    (status = 200, body = History),
    Problems,
))]
async fn history(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
    Query(HistoryQuery { after, limit }): Query<HistoryQuery>,
) -> Result<Json<History>, Problem> {
    let table = room(&app, &id).await?.table;
    let limit = limit.clamp(1, 500);
    let who = anyone.person();
    Ok(Json(app.histories.history(&app.house, table, after, limit, who).await?))
}

/// How a ledger is written.
#[derive(Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Json,
    Csv,
}

/// Which movements.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LedgerQuery {
    /// The seat.
    #[param(minimum = 0, maximum = 23)]
    seat: u8,
    /// Those after this record.
    #[serde(default)]
    after: u64,
    /// Those up to this record.
    until: Option<u64>,
    /// About so many, up to 500: those of one record are never parted. As CSV all of them;
    /// more than 100,000 are refused.
    #[serde(default = "many")]
    #[param(minimum = 1, maximum = 500)]
    limit: u32,
    /// Only of this kind.
    #[param(inline)]
    kind: Option<Kind>,
    /// `json` or `csv`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// Every movement of a seat's chips, oldest first. At a practice table anybody's; elsewhere
/// players read what they did themselves, the crew and auditors everything.
#[utoipa::path(get, path = "/api/tables/{id}/ledger", tag = "history",
    params(("id" = String, Path, description = "the table"), LedgerQuery), responses(
    (status = 200, description = "the ledger", content(
        (Ledger = "application/json"), (String = "text/csv")
    )),
    Problems,
))]
async fn ledger(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<LedgerQuery>,
) -> Result<Response, Problem> {
    let room = room(&app, &id).await?;
    let practice = room.query(Visit::Look).await?.config.practice;
    who.may(Deed::ReadLedger, practice)?;
    if usize::from(query.seat) >= Seat::COUNT {
        return Err(craps::Refusal::NoSuchSeat.into());
    }
    let all = who.person.reaches(Deed::ReadLedger).any(|reach| reach == Reach::Any);
    let asked = |limit: usize| Asked {
        seat: Seat(query.seat),
        limit,
        until: query.until,
        kind: query.kind,
        person: (!practice && !all).then(|| who.person.id.clone()),
    };
    let (table, histories, house) = (room.table, &app.histories, &app.house);
    Ok(match query.format {
        Format::Json => {
            let asked = asked(query.limit.clamp(1, 500) as usize);
            Json(histories.ledger(house, table, query.after, asked).await?).into_response()
        }
        Format::Csv => {
            let asked = asked(CSV_LINES);
            let ledger = histories.whole_ledger(house, table, query.after, asked).await?;
            let name = format!("attachment; filename=\"{table}-seat-{}.csv\"", query.seat);
            let kind = "text/csv; charset=utf-8".to_owned();
            let headers = [(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, name)];
            (headers, csv(&ledger)).into_response()
        }
    })
}

/// The slip of a jackpot or an award that was confirmed, by the record that paid it: what the meter
/// showed, what was paid and by whom, and who checked what before. For the crew and auditors.
#[utoipa::path(get, path = "/api/tables/{id}/slips/{record}", tag = "history",
    params(
        ("id" = String, Path, description = "the table"),
        ("record" = u64, Path, description = "the record that paid it")
    ), responses(
    (status = 200, body = SlipView),
    Problems,
))]
async fn slip(
    State(app): Shared,
    who: Who,
    Path((id, record)): Path<(String, u64)>,
) -> Result<Json<SlipView>, Problem> {
    if !who.person.reaches(Deed::ReadLedger).any(|reach| reach == Reach::Any) {
        return Err(Problem::forbidden("slips are for the crew and auditors"));
    }
    let room = room(&app, &id).await?;
    Ok(Json(app.histories.slip(&app.house, room.table, record).await?))
}
