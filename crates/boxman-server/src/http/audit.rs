//! Audit: logs verified, anchored, taken away and brought in.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::carry::{self, Pages};
use super::extract::{Json, Path, Query, Who};
use super::tables::{RecordQuery, RecordView, room};
use super::{App, Shared};
use crate::access::{Deed, Person};
use crate::audit::{self, Anchor, Export, Options, Source, Trouble, Verdict};
use crate::house::Brought;
use crate::id::TableId;
use crate::log::Stream;
use crate::office::is_damage;
use crate::problem::{Problem, Problems};
use crate::role::Role;
use crate::room::Visit;
use crate::turns::{Turn, Turns};
use crate::wire::TableView;

/// The most that may be brought in at once: the tables wait while it is written down.
const IMPORT: u64 = 64 * 1_024 * 1_024;
/// A tape is played as a whole, and becomes a log many times as long.
const TAPE: u64 = 1_024 * 1_024;
/// So many tables are carried in or out at once.
const CARRIED: usize = 2;
/// So many may wait for their turn.
const WAITING: usize = 8;
/// A tape is sent in pieces of this size.
const PIECE: usize = 64 * 1_024;

/// Turns at carrying tables in and out. They are not those of looking back: somebody with a slow
/// line keeps nobody from that. Guests have a line of their own.
pub struct Carrying {
    accounts: Turns,
    guests: Turns,
}

impl Default for Carrying {
    fn default() -> Carrying {
        let many = "many tables are carried in and out at the moment, try again in a little while";
        let turns = || Turns::new(CARRIED, WAITING, many);
        Carrying { accounts: turns(), guests: turns() }
    }
}

impl Carrying {
    async fn turn(&self, who: &Person) -> Result<Turn, Problem> {
        match who.roles.contains(&Role::Guest) {
            true => self.guests.turn().await,
            false => self.accounts.turn().await,
        }
    }
}

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(verify_table))
        .routes(routes!(verify_all))
        .routes(routes!(anchor))
        .routes(routes!(house_log))
        .routes(routes!(export))
        .routes(routes!(import))
}

impl From<Trouble> for Problem {
    fn from(trouble: Trouble) -> Problem {
        match trouble {
            Trouble::Store(error) => error.into(),
            other => Problem::invalid("not-taken", other.to_string()),
        }
    }
}

/// A table whose log this person may read: a practice table's players may read its own. Where it
/// is damaged nobody knows what it was, and whoever may read every log may read it.
async fn readable(app: &App, who: &Who, id: &str) -> Result<TableId, Problem> {
    match room(app, id).await {
        Ok(room) => {
            let view = room.query(Visit::Look).await?;
            who.may(Deed::ReadAudit, view.config.practice)?;
            Ok(room.table)
        }
        Err(problem) if is_damage(&problem) => {
            who.may(Deed::ReadAudit, false)?;
            id.parse().map_err(|error| Problem::not_found(format!("table: {error}")))
        }
        Err(problem) => Err(problem),
    }
}

/// Work out a table's log again, and that of the meters it feeds.
#[utoipa::path(get, path = "/api/tables/{id}/verify", tag = "audit",
    params(("id" = String, Path, description = "the table")), responses(
    (status = 200, body = Verdict),
    Problems,
))]
async fn verify_table(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
) -> Result<Json<Verdict>, Problem> {
    let table = readable(&app, &who, &id).await?;
    // Guests may ask too: it takes turns with everything else that reads whole logs.
    verified(&app, Options { table: Some(table), anchor: None }).await
}

/// A verdict. It is worked out to its end, though whoever asked may have gone, and the next waits
/// for its turn until then.
async fn verified(app: &Arc<App>, options: Options) -> Result<Json<Verdict>, Problem> {
    let turn = app.histories.turn().await?;
    let house = Arc::clone(&app.house);
    let verifying = tokio::spawn(async move {
        let _turn = turn;
        audit::verify(Source::Store(&*house.store), &options, &mut |_, _| {}).await
    });
    let broke = |_| Problem::new(500, "broken", "the logs could not be gone through");
    Ok(Json(verifying.await.map_err(broke)??))
}

/// Work out every log of the house again.
#[utoipa::path(get, path = "/api/audit/verify", tag = "audit", responses(
    (status = 200, body = Verdict),
    Problems,
))]
async fn verify_all(State(app): Shared, who: Who) -> Result<Json<Verdict>, Problem> {
    who.may(Deed::ReadAudit, false)?;
    verified(&app, Options::default()).await
}

/// Where every log stands: kept elsewhere, it shows later what was cut off.
#[utoipa::path(get, path = "/api/audit/anchor", tag = "audit", responses(
    (status = 200, body = Object),
    Problems,
))]
async fn anchor(State(app): Shared, who: Who) -> Result<Json<Anchor>, Problem> {
    who.may(Deed::ReadAudit, false)?;
    Ok(Json(audit::anchor(&*app.house.store).await?))
}

/// What happened to the house: accounts, logins, tables and meters opened. What somebody logs in
/// with is left out for all but administrators.
#[utoipa::path(get, path = "/api/audit/house", tag = "audit", params(RecordQuery), responses(
    (status = 200, body = Vec<RecordView>),
    Problems,
))]
async fn house_log(
    State(app): Shared,
    who: Who,
    Query(query): Query<RecordQuery>,
) -> Result<Json<Vec<RecordView>>, Problem> {
    who.may(Deed::ReadAudit, false)?;
    let mut records = query.read(&app, &Stream::House).await?;
    if who.may(Deed::KeepAccounts, false).is_err() {
        for record in &mut records.0 {
            let what = record.body.get_mut("what").and_then(serde_json::Value::as_object_mut);
            for entry in what.into_iter().flat_map(|what| what.values_mut()) {
                entry.as_object_mut().and_then(|entry| entry.remove("login"));
            }
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
    Problems,
))]
async fn export(
    State(app): Shared,
    who: Who,
    Path(id): Path<String>,
    Query(How { format }): Query<How>,
) -> Result<Response, Problem> {
    let table = readable(&app, &who, &id).await?;
    let (kind, ending) = match format {
        Format::Jsonl => ("application/jsonl", "jsonl"),
        Format::Tape => ("text/plain; charset=utf-8", "tape"),
    };
    let turn = app.carrying.turn(&who.person).await?;
    let (pages, taken) = carry::pages(carry::PATIENCE);
    tokio::spawn(async move {
        let _turn = turn;
        match send(&app, table, format, &pages).await {
            // Whoever did not take a page is not waited for again.
            Ok(false) => {}
            Ok(true) => pages.end(Ok(())).await,
            Err(problem) => pages.end(Err(problem)).await,
        }
    });
    let name = format!("attachment; filename=\"{table}.{ending}\"");
    let headers = [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, taken.body().await?).into_response())
}

/// Sends a table page by page; says whether all of them were taken.
async fn send(app: &App, table: TableId, format: Format, pages: &Pages) -> Result<bool, Problem> {
    let store = &*app.house.store;
    match format {
        Format::Jsonl => {
            let mut export = audit::Pages::of(store, table).await?;
            while let Some(page) = export.next().await? {
                if !pages.send(page).await {
                    return Ok(false);
                }
            }
        }
        Format::Tape => {
            let library = app.house.shelf.library();
            let tape = audit::tape(Source::Store(store), table, library).await?;
            for piece in tape.as_bytes().chunks(PIECE) {
                if !pages.send(piece.to_vec()).await {
                    return Ok(false);
                }
            }
        }
    }
    Ok(true)
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
    Problems,
))]
async fn import(
    State(app): Shared,
    who: Who,
    Query(Named { name }): Query<Named>,
    body: Body,
) -> Result<(StatusCode, Json<TableView>), Problem> {
    who.may(Deed::ImportTable, false)?;
    let turn = app.carrying.turn(&who.person).await?;
    let file = carry::take_in(body, IMPORT).await?;
    let reading = tokio::task::spawn_blocking(move || brought(file, name));
    let broke = |_| Problem::new(500, "broken", "something broke; nothing was brought in");
    let brought = reading.await.map_err(broke)??;
    // It is brought in to its end, though whoever asked may have gone.
    let importing = tokio::spawn(async move {
        let _turn = turn;
        let room = app.house.import(&who.person.id, brought).await?;
        room.query(Visit::Look).await.map(Arc::unwrap_or_clone)
    });
    Ok((StatusCode::CREATED, Json(importing.await.map_err(broke)??)))
}

/// What a file holds: an export begins as its first line does, and anything else is a tape.
fn brought(mut file: File, name: Option<String>) -> Result<Brought, Problem> {
    let unread = |error: std::io::Error| Problem::unavailable("no-room", error.to_string());
    let mut first = [0];
    let read = file.read(&mut first).map_err(unread)?;
    file.seek(SeekFrom::Start(0)).map_err(unread)?;
    if read > 0 && first == *b"{" {
        return Ok(Brought::Export(Box::new(Export::of_file(file)?)));
    }
    if file.metadata().map_err(unread)?.len() > TAPE {
        let large = "a running server takes in tapes of up to 1 MB, stop it and use boxman import";
        return Err(Problem::new(413, "too-large", large));
    }
    let mut text = String::new();
    file.read_to_string(&mut text)
        .map_err(|_| Problem::malformed("neither an export nor a tape: it is not text"))?;
    Ok(Brought::Tape { text, name: name.unwrap_or_else(|| "imported".to_owned()) })
}
