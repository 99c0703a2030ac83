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
use crate::access::Deed;
use crate::ask::Ask;
use crate::config::TableConfig;
use crate::id::TableId;
use crate::log::Stream;
use crate::office::is_damage;
use crate::problem::{Problem, Problems};
use crate::room::{Asked, Reply, RoomHandle, Visit};
use crate::wire::{OfferView, TableView};

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(list, open))
        .routes(routes!(table))
        .routes(routes!(ask))
        .routes(routes!(offers))
        .routes(routes!(records))
}

/// A table on the lobby's list.
#[derive(Serialize, TS, ToSchema)]
pub struct TableLine {
    /// Its name in addresses.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The rulebooks.
    pub rules: Vec<String>,
    /// Play money.
    pub practice: bool,
    /// `running`, `paused` or `closed`; `damaged` where it cannot be played on, `silent` where it
    /// does not answer at the moment.
    pub status: String,
    /// How many sit at it.
    pub players: usize,
    /// How many may.
    pub seats: u8,
    /// The point; none while the puck is OFF.
    pub puck: Option<u8>,
    /// The least on the pass line, in cents.
    #[ts(type = "number | null")]
    pub minimum: Option<i64>,
    /// The most.
    #[ts(type = "number | null")]
    pub maximum: Option<i64>,
    /// Its meters and what they show, in cents.
    #[ts(type = "Array<[string, number]>")]
    pub meters: Vec<(String, i64)>,
    /// What its operator should not overlook.
    pub warnings: Vec<String>,
    /// What is wrong with it.
    pub problem: Option<Problem>,
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

impl TableLine {
    fn of(view: &TableView) -> TableLine {
        let line = view.wagers.iter().find(|wager| wager.wager == "pass");
        // Of a damaged meter nobody can say what it would pay.
        let vouched = view.meters.iter().filter(|meter| !meter.damaged);
        let meters = vouched.map(|meter| (meter.paytable.clone(), meter.amount.0)).collect();
        TableLine {
            id: view.id.clone(),
            name: view.config.name.clone(),
            rules: view.config.rules.clone(),
            practice: view.config.practice,
            status: match view.hand.status {
                craps::Status::Running => "running",
                craps::Status::Paused => "paused",
                craps::Status::Closed => "closed",
            }
            .to_owned(),
            players: view.seats.len(),
            seats: view.config.seats,
            puck: view.hand.puck,
            minimum: line.map(|wager| wager.min.0),
            maximum: line.and_then(|wager| wager.max).map(|max| max.0),
            meters,
            warnings: view.warnings.clone(),
            problem: None,
        }
    }

    /// A table that does not answer: damaged, or out of reach for the moment.
    fn silent(table: TableId, problem: Problem) -> TableLine {
        let status = if is_damage(&problem) { "damaged" } else { "silent" };
        TableLine {
            id: table.to_string(),
            name: String::new(),
            rules: Vec::new(),
            practice: false,
            status: status.to_owned(),
            players: 0,
            seats: 0,
            puck: None,
            minimum: None,
            maximum: None,
            meters: Vec::new(),
            warnings: Vec::new(),
            problem: Some(problem),
        }
    }
}

impl TableLine {
    /// The same table, which does not play.
    fn damaged(self, reason: &str) -> TableLine {
        let problem = Some(Problem::unavailable("table-damaged", reason));
        TableLine { status: "damaged".to_owned(), problem, ..self }
    }
}

pub(super) async fn room(app: &App, id: &str) -> Result<RoomHandle, Problem> {
    let table: TableId =
        id.parse().map_err(|error| Problem::not_found(format!("table: {error}")))?;
    app.house.room(table).await
}

/// Every table that is not closed.
#[utoipa::path(get, path = "/api/tables", tag = "tables", operation_id = "tables", responses(
    (status = 200, body = Vec<TableLine>),
    Problems,
))]
async fn list(State(app): Shared) -> Result<Json<Vec<TableLine>>, Problem> {
    let mut lines = Vec::new();
    // Guests come and go, and the tables they leave behind are many.
    for table in app.house.tables().into_iter().filter(|table| !app.house.is_closed(*table)) {
        let line = match look(&app, table).await {
            Ok(view) => TableLine::of(&view),
            Err(problem) => TableLine::silent(table, problem),
        };
        lines.push(match app.house.damage_of(&Stream::Table(table)) {
            Some(reason) => line.damaged(&reason),
            None => line,
        });
    }
    lines.retain(|line| line.status != "closed");
    lines.sort_by(|one, other| (!one.practice, &one.name).cmp(&(!other.practice, &other.name)));
    Ok(Json(lines))
}

async fn look(app: &App, table: TableId) -> Result<Arc<TableView>, Problem> {
    app.house.room(table).await?.query(Visit::Look).await
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
    // Whoever hangs up leaves no half of a table.
    let opening =
        tokio::spawn(
            async move { house.open_table_from(&who.person, Some(address), config).await },
        );
    let room = opening.await.map_err(|_| silent(&app))??;
    Ok((StatusCode::CREATED, Json(Arc::unwrap_or_clone(room.query(Visit::Look).await?))))
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
    let (reply, answer) = Reply::once();
    let id = ask.id.clone();
    room.ask(Asked { who: who.person, ask, reply }).map_err(|_| busy())?;
    let seq = answer.await.map_err(|_| silent(&app))??;
    Ok(Json(Accepted { id, seq }))
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
