//! Tables: the lobby's list, opening one, asking something of one, what happened at one.

use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use craps::Seat;
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Anyone, Json, Path, Query, Who};
use super::guard::Address;
use super::{App, Shared};
use crate::access::{Deed, Person};
use crate::ask::{Ask, Command, Verb};
use crate::config::TableConfig;
use crate::id::TableId;
use crate::log::Stream;
use crate::mend::{MendLine, MendQuestion};
use crate::problem::{Problem, Problems};
use crate::room::{Asked, Reply, RoomHandle, Visit};
use crate::table::BookedRoll;
use crate::wire::{IfRolledView, LimitsView, OfferView, TableView, WorkListView};

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(open))
        .routes(routes!(table))
        .routes(routes!(ask))
        .routes(routes!(offers))
        .routes(routes!(if_it_rolls))
        .routes(routes!(work))
        .routes(routes!(configuration))
        .routes(routes!(limits))
        .routes(routes!(suggest_mend))
        .routes(routes!(records))
}

/// A command was accepted and is durable.
#[derive(Serialize, TS, ToSchema)]
pub struct Accepted {
    /// The command's id.
    pub id: String,
    /// The record it became.
    #[ts(type = "number")]
    pub seq: u64,
}

/// A record of a table's log, as it is stored.
#[derive(Serialize, TS, ToSchema)]
pub struct RecordView {
    /// Its number.
    #[ts(type = "number")]
    pub seq: u64,
    /// What happened, in the log's own encoding.
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub body: serde_json::Value,
    /// The hash that chains it to the record before.
    pub hash: String,
}

pub(super) async fn room(app: &App, id: &str) -> Result<RoomHandle, Problem> {
    let table: TableId =
        id.parse().map_err(|error| Problem::not_found(format!("table: {error}")))?;
    app.house.room(table).await
}

/// Open a table: a practice table for anybody, others for supervisors and administrators.
#[utoipa::path(post, path = "/api/tables", tag = "tables",
    operation_id = "open_table", request_body = TableConfig, responses(
    (status = 201, body = TableView),
    Problems,
))]
async fn open(
    State(app): Shared,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    Json(config): Json<TableConfig>,
) -> Result<(StatusCode, Json<TableView>), Problem> {
    let action = if config.practice { Deed::OpenPractice } else { Deed::OpenTable };
    who.may(action, config.practice)?;
    let house = Arc::clone(&app.house);
    // Whoever hangs up leaves no half of a table, and what is opened here is shown here.
    let opening = tokio::spawn(async move {
        let _here = house.stay().await;
        let room = house.open_table_from(&who.person, Some(address), config).await?;
        room.query(Visit::Look).await
    });
    let view = opening.await.map_err(|_| silent(&app))??;
    Ok((StatusCode::CREATED, Json(Arc::unwrap_or_clone(view))))
}

/// A table as it is now, as far as you may see it.
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = TableView),
    Problems,
))]
async fn table(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
) -> Result<Json<TableView>, Problem> {
    let room = room(&app, &id).await?;
    let view = Arc::unwrap_or_clone(room.query(Visit::Look).await?);
    Ok(Json(view.shown_to(anyone.person().as_deref())))
}

/// Ask something of a table. It is answered once it is durable; asked again with the same id it
/// is answered again and not done again.
#[utoipa::path(post, path = "/api/tables/{id}/commands", tag = "tables",
    operation_id = "ask_table", request_body = Ask,
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Accepted),
    Problems,
))]
async fn ask(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Json(ask): Json<Ask>,
) -> Result<Json<Accepted>, Problem> {
    let room = room(&app, &id).await?;
    let roll = booked_roll(&app, &room, &who.person, &ask.command).await?;
    let (reply, answer) = Reply::once();
    let id = ask.id.clone();
    room.ask(Asked { who: who.person, ask, roll, reply }).map_err(|_| busy())?;
    let seq = answer.await.map_err(|_| silent(&app))??;
    Ok(Json(Accepted { id, seq }))
}

/// The roll that a command is to mend, read back from the log for those who may ask for that.
pub(super) async fn booked_roll(
    app: &App,
    room: &RoomHandle,
    who: &Person,
    command: &Command,
) -> Result<Option<Arc<BookedRoll>>, Problem> {
    let Some(question) = command.mend_question() else { return Ok(None) };
    if !who.may_at_all(Verb::Mend, false) {
        // The room says so.
        return Ok(None);
    }
    let roll = app.histories.booked_roll(&app.house, room.table, &question).await?;
    Ok(roll.map(Arc::new))
}

/// What the engine suggests for a roll: it is settled again on the table as it stood before it,
/// less what was booked and what has been moved since. Nothing is asked for yet.
#[utoipa::path(post, path = "/api/tables/{id}/mend/suggest", tag = "tables",
    operation_id = "suggest_mend", request_body = MendQuestion,
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Vec<MendLine>),
    Problems,
))]
async fn suggest_mend(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Json(question): Json<MendQuestion>,
) -> Result<Json<Vec<MendLine>>, Problem> {
    let room = room(&app, &id).await?;
    let view = room.query(Visit::Look).await?;
    who.may(Verb::Mend.into(), view.config.practice)?;
    let roll = app.histories.booked_roll(&app.house, room.table, &question).await?;
    let roll = roll.map(Arc::new);
    let suggest = |reply| Visit::SuggestMend { roll, question, reply };
    Ok(Json(room.query(suggest).await??))
}

/// The room has gone without an answer: with the server, or by itself.
fn silent(app: &App) -> Problem {
    if *app.stopping.borrow() {
        return Problem::unavailable("shutting-down", "the server is shutting down");
    }
    let detail = "the table did not answer, send that again with the same id";
    Problem::unavailable("table-silent", detail)
}

pub(super) fn busy() -> Problem {
    let detail = "the table has more to do than it can, send that again with the same id";
    Problem::unavailable("busy", detail)
}

/// A seat.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SeatQuery {
    /// Which.
    #[param(minimum = 0, maximum = 23)]
    seat: u8,
}

/// What a seat may do now, spot by spot, and why not where it may not: for those who may see it.
#[utoipa::path(get, path = "/api/tables/{id}/offers", tag = "tables",
    params(("id" = String, Path, description = "the table"), SeatQuery), responses(
    (status = 200, body = Vec<OfferView>),
    Problems,
))]
async fn offers(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
    Query(query): Query<SeatQuery>,
) -> Result<Json<Vec<OfferView>>, Problem> {
    let room = room(&app, &id).await?;
    let (who, seat) = (anyone.person(), Seat(query.seat));
    Ok(Json(room.query(|reply| Visit::Offers { who, seat, reply }).await??))
}

/// What the next roll would do to a seat, for every way the dice can fall: what it would win, lose
/// and keep, with jackpots at what their meters show. For those who may see the seat.
#[utoipa::path(get, path = "/api/tables/{id}/if-it-rolls", tag = "tables",
    params(("id" = String, Path, description = "the table"), SeatQuery), responses(
    (status = 200, body = Vec<IfRolledView>),
    Problems,
))]
async fn if_it_rolls(
    State(app): Shared,
    anyone: Anyone,
    Path(id): Path<String>,
    Query(query): Query<SeatQuery>,
) -> Result<Json<Vec<IfRolledView>>, Problem> {
    let room = room(&app, &id).await?;
    let (who, seat) = (anyone.person(), Seat(query.seat));
    Ok(Json(room.query(|reply| Visit::IfItRolls { who, seat, reply }).await??))
}

/// The work of the crew: the chips to move, list by list, oldest first. For those who deal.
#[utoipa::path(get, path = "/api/tables/{id}/work", tag = "tables",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Vec<WorkListView>),
    Problems,
))]
async fn work(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Vec<WorkListView>>, Problem> {
    let room = room(&app, &id).await?;
    let view = room.query(Visit::Look).await?;
    who.may(Verb::Done.into(), view.config.practice)?;
    Ok(Json(room.query(Visit::Work).await?))
}

/// How a table is set up, and how it will be.
#[derive(Serialize, TS, ToSchema)]
pub struct ConfigurationView {
    /// The number of the last configuration, of the record that set it: a request for another one
    /// names it.
    #[ts(type = "number")]
    pub configuration: u64,
    /// The configuration in force.
    pub in_force: TableConfig,
    /// The one that waits for a come-out with nothing on the layout.
    pub waiting: Option<TableConfig>,
}

/// How a table is set up, and how it will be: what a request for another configuration changes.
/// For those who may read reports.
#[utoipa::path(get, path = "/api/tables/{id}/configuration", tag = "tables",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = ConfigurationView),
    Problems,
))]
async fn configuration(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<ConfigurationView>, Problem> {
    who.may(Deed::ReadReports, false)?;
    let room = room(&app, &id).await?;
    let (state, _) = room.query(Visit::Inspect).await?;
    Ok(Json(ConfigurationView {
        configuration: state.configuration(),
        in_force: state.config().clone(),
        waiting: state.queued.as_ref().map(|queued| queued.config.clone()),
    }))
}

/// The limits of the day, each by itself, and how much of it is left; nothing at tables of
/// procedures 0, nor at practice tables. For those who deal.
#[utoipa::path(get, path = "/api/tables/{id}/limits", tag = "tables",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Option<LimitsView>),
    Problems,
))]
async fn limits(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Option<LimitsView>>, Problem> {
    let room = room(&app, &id).await?;
    let view = room.query(Visit::Look).await?;
    who.may(Verb::Done.into(), view.config.practice)?;
    Ok(Json(room.query(Visit::Limits).await?))
}

/// Which records.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct RecordQuery {
    /// Those after this one.
    #[serde(default)]
    after: u64,
    /// At most so many, up to 500.
    #[serde(default = "many")]
    #[param(minimum = 1, maximum = 500)]
    limit: u32,
}

fn many() -> u32 {
    100
}

impl RecordQuery {
    /// The records of a log that are asked for.
    pub(super) async fn read(
        &self,
        app: &App,
        stream: &Stream,
    ) -> Result<Json<Vec<RecordView>>, Problem> {
        let limit = self.limit.clamp(1, 500);
        // No store has to know numbers beyond the last record.
        let after = self.after.min(app.house.store.head(stream).await?.seq);
        let records = app.house.store.records(stream, after, limit).await?;
        let view = |record: crate::log::Record| RecordView {
            seq: record.seq,
            body: serde_json::from_str(&record.body).unwrap_or_default(),
            hash: record.hash.to_string(),
        };
        Ok(Json(records.into_iter().map(view).collect()))
    }
}

/// What happened at a table, record by record: every command, event and posting.
#[utoipa::path(get, path = "/api/tables/{id}/records", tag = "tables",
    params(("id" = String, Path, description = "the table"), RecordQuery), responses(
    (status = 200, body = Vec<RecordView>),
    Problems,
))]
async fn records(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Result<Json<Vec<RecordView>>, Problem> {
    let room = room(&app, &id).await?;
    let view = room.query(Visit::Look).await?;
    who.may(Deed::ReadAudit, view.config.practice)?;
    query.read(&app, &Stream::Table(room.table)).await
}
