//! Audit: logs verified, anchored, taken away and brought in.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::extract::{Path, Query, Who};
use super::tables::{RecordQuery, RecordView, room};
use super::{App, Shared};
use crate::access::Action;
use crate::audit::{self, Anchor, Export, Options, Source, Trouble, Verdict};
use crate::house::Brought;
use crate::log::Stream;
use crate::problem::Problem;
use crate::room::{RoomHandle, Visit};
use crate::wire::TableView;

/// The most that may be brought in at once.
const IMPORT: usize = 64 * 1_024 * 1_024;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(verify_table))
        .routes(routes!(verify_all))
        .routes(routes!(anchor))
        .routes(routes!(house_log))
        .routes(routes!(export))
        .merge(OpenApiRouter::new().routes(routes!(import)).layer(DefaultBodyLimit::max(IMPORT)))
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        match trouble {
            Trouble::Store(error) => error.into(),
            other => Problem::invalid("not-taken", other.to_string()),
        }
    }
}

/// A table whose log this person may read: a practice table's players may read its own.
async fn readable(app: &App, who: &Who, id: &str) -> Result<RoomHandle, Problem> {
    let room = room(app, id).await?;
    let view = room.query(Visit::Look).await?;
    who.may(Action::ReadAudit, view.config.practice)?;
    Ok(room)
}

/// Work out a table's log again, and that of the meters it feeds.
#[utoipa::path(get, path = "/api/tables/{id}/verify", tag = "audit",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Verdict),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn verify_table(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
) -> Result<axum::Json<Verdict>, Problem> {
    let room = readable(&app, &who, &id).await?;
    // Guests may ask too: it takes turns with everything else that reads whole logs.
    let _turn = app.histories.turn().await?;
    let options = Options { table: Some(room.table), anchor: None };
    let source = Source::Store(&*app.house.store);
    Ok(axum::Json(audit::verify(source, &options, &mut |_, _| {}).await?))
}

/// Work out every log of the house again.
#[utoipa::path(get, path = "/api/audit/verify", tag = "audit", responses(
    (status = 200, body = Verdict),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn verify_all(State(app): Shared, who: Who) -> Result<axum::Json<Verdict>, Problem> {
    who.may(Action::ReadAudit, false)?;
    let source = Source::Store(&*app.house.store);
    Ok(axum::Json(audit::verify(source, &Options::default(), &mut |_, _| {}).await?))
}

/// Where every log stands: kept elsewhere, it shows later what was cut off.
#[utoipa::path(get, path = "/api/audit/anchor", tag = "audit", responses(
    (status = 200, body = Object),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn anchor(State(app): Shared, who: Who) -> Result<axum::Json<Anchor>, Problem> {
    who.may(Action::ReadAudit, false)?;
    Ok(axum::Json(audit::anchor(&*app.house.store).await?))
}

/// What happened to the house: accounts, logins, tables and meters opened. What somebody logs in
/// with is left out for all but administrators.
#[utoipa::path(get, path = "/api/audit/house", tag = "audit", params(RecordQuery), responses(
    (status = 200, body = Vec<RecordView>),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn house_log(
    State(app): Shared,
    who: Who,
    Query(query): Query<RecordQuery>,
) -> Result<axum::Json<Vec<RecordView>>, Problem> {
    who.may(Action::ReadAudit, false)?;
    let mut records = query.read(&app, &Stream::House).await?;
    if who.may(Action::KeepAccounts, false).is_err() {
        for record in &mut records.0 {
            let entry = record.body.get_mut("what").and_then(serde_json::Value::as_object_mut);
            entry.and_then(|entry| entry.remove("login"));
        }
    }
    Ok(records)
}

/// How a table is written out.
#[derive(Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    /// Every record, one a line, for `boxman verify` and `boxman import`.
    #[default]
    Jsonl,
    /// A tape, for `boxman tape`.
    Tape,
}

/// How.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct How {
    /// `jsonl` or `tape`.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// A table to take away.
#[utoipa::path(get, path = "/api/tables/{id}/export", tag = "audit",
    params(("id" = String, Path, description = "the table"), How), responses(
    (status = 200, description = "the table", content(
        (String = "application/jsonl"), (String = "text/plain")
    )),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn export(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Query(How { format }): Query<How>,
) -> Result<Response, Problem> {
    let table = readable(&app, &who, &id).await?.table;
    let store = &*app.house.store;
    let (kind, ending, bytes) = match format {
        Format::Jsonl => {
            let mut bytes = Vec::new();
            audit::export(store, table, &mut bytes).await?;
            ("application/jsonl", "jsonl", bytes)
        }
        Format::Tape => {
            let library = app.house.shelf.library();
            let tape = audit::tape(Source::Store(store), table, library).await?;
            ("text/plain; charset=utf-8", "tape", tape.into_bytes())
        }
    };
    let name = format!("attachment; filename=\"{table}.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

/// What a table made of a tape is called.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Named {
    /// Its name; `imported` where it is left out. An exported table keeps its own.
    name: Option<String>,
}

/// Bring a table in: an export, verified first, or a tape as a new table.
#[utoipa::path(post, path = "/api/import", tag = "audit", params(Named),
    request_body(content = String, content_type = "text/plain"), responses(
    (status = 201, body = TableView),
    (status = "4XX", body = Problem, content_type = "application/problem+json"),
    (status = "5XX", body = Problem, content_type = "application/problem+json"),
))]
async fn import(
    State(app): Shared,
    who: Who,
    Query(Named { name }): Query<Named>,
    body: Bytes,
) -> Result<(StatusCode, axum::Json<TableView>), Problem> {
    who.may(Action::ImportTable, false)?;
    let brought = if body.starts_with(b"{") {
        Brought::Export(Box::new(Export::of(body.to_vec())?))
    } else {
        let text = String::from_utf8(body.to_vec())
            .map_err(|_| Problem::malformed("neither an export nor a tape: it is not text"))?;
        Brought::Tape { text, name: name.unwrap_or_else(|| "imported".to_owned()) }
    };
    let room = app.house.import(&who.person.id, brought).await?;
    Ok((StatusCode::CREATED, axum::Json(room.query(Visit::Look).await?)))
}
