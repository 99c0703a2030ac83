//! Tables closed for good: found by their names, with when they were closed and by whom. None of
//! them is opened for it: the end of its log tells, and is remembered.

use std::collections::BTreeMap;
use std::sync::Arc;

use craps::Event;
use futures_util::stream::{self, StreamExt};
use serde::{Deserialize, Serialize};
use tokio::sync::Mutex;
use ts_rs::TS;
use utoipa::ToSchema;

use super::lobby::TableLine;
use super::{App, floor};
use crate::books::Books;
use crate::config::TableConfig;
use crate::day::utc_day;
use crate::id::TableId;
use crate::log::{Entry, KeptTable, Record, Stream, TableEntry, Written, now};
use crate::office::TableToday;
use crate::problem::Problem;
use crate::store::{Seal, Store, StoreError, Stored};
use crate::table::bought;

/// So many logs are looked at together.
const AT_ONCE: usize = 16;
/// So many records are read first, and so many at most: what comes after the closing is little.
const FIRST: u64 = 16;
const MOST: u64 = 1_024;

/// When a table was closed, and by whom.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct ClosedView {
    /// When it was opened, in milliseconds since 1970.
    #[ts(type = "number")]
    pub opened: u64,
    /// When it was closed.
    #[ts(type = "number")]
    pub at: u64,
    /// The record that closed it.
    #[ts(type = "number")]
    pub seq: u64,
    /// Who closed it, or agreed to it; `boxman` is the house itself.
    pub by: String,
    /// The name they had at tables then, where the record tells it.
    pub name: Option<String>,
    /// Who had asked for it, where two people closed it.
    pub asked_by: Option<String>,
}

/// Which closed tables are asked for.
pub(super) struct Wanted<'a> {
    /// Those after this one.
    pub(super) after: Option<&'a str>,
    /// So many.
    pub(super) limit: usize,
    /// Those whose name has this in it.
    pub(super) name: Option<&'a str>,
    /// Only practice tables, or none.
    pub(super) practice: Option<bool>,
}

/// The closed tables that have been found so far.
#[derive(Default)]
pub struct ClosedTables(Mutex<BTreeMap<TableId, Arc<TableLine>>>);

/// The closed tables of the whole house, those closed last first.
pub(super) async fn list(app: &App, wanted: &Wanted<'_>) -> Result<Vec<Arc<TableLine>>, Problem> {
    let all = find(app).await?;
    let after = match wanted.after {
        None => 0,
        Some(id) => match all.iter().position(|line| line.id == id) {
            Some(place) => place + 1,
            None => return Err(Problem::not_found(format!("closed table {id}"))),
        },
    };
    let name = wanted.name.unwrap_or_default().to_lowercase();
    let fits = |line: &&Arc<TableLine>| {
        wanted.practice.is_none_or(|practice| line.practice == practice)
            && line.name.to_lowercase().contains(&name)
    };
    Ok(all[after..].iter().filter(fits).take(wanted.limit).cloned().collect())
}

/// Finds the closed tables before anybody asks for them.
pub(crate) async fn look_ahead(app: &App) {
    if let Err(problem) = find(app).await {
        tracing::debug!(%problem, "closed tables are found when somebody asks for them");
    }
}

/// Looks at the logs of the tables that are neither open nor known to be closed.
async fn find(app: &App) -> Result<Vec<Arc<TableLine>>, Problem> {
    floor::refresh(app).await;
    floor::ask_others_lately(app).await;
    let open = app.floor.all(app);
    // One looks, and the others who ask have it then.
    let mut known = app.closed.0.lock().await;
    let tables = app.house.all_tables().await?;
    let unknown = tables.into_iter().filter(|table| {
        !known.contains_key(table) && (!open.contains_key(table) || app.house.is_closed(*table))
    });
    let unknown: Vec<TableId> = unknown.collect();
    let look = async |table: TableId| (table, look(app, table).await);
    let mut looked = stream::iter(unknown).map(look).buffer_unordered(AT_ONCE);
    while let Some((table, line)) = looked.next().await {
        match line {
            Ok(Some(line)) => drop(known.insert(table, Arc::new(line))),
            Ok(None) => {}
            // It is in the lobby, where its damage is told.
            Err(StoreError::Damaged(reason)) => {
                tracing::warn!(%table, reason, "a table is not listed among the closed ones");
            }
            Err(error) => return Err(error.into()),
        }
    }
    let mut lines: Vec<Arc<TableLine>> = known.values().cloned().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.closed.as_ref().map(|closed| closed.at)));
    Ok(lines)
}

/// A table as the list shows it, if it is closed.
async fn look(app: &App, table: TableId) -> Stored<Option<TableLine>> {
    let store = &*app.house.store;
    let Some(closed) = closing(store, table).await? else { return Ok(None) };
    let config = configured(app, table, closed.seq).await?;
    Ok(config.map(|config| TableLine::closed(table, &config, closed)))
}

/// The record that closed a table, among the last of its log.
async fn closing(store: &dyn Store, table: TableId) -> Stored<Option<ClosedView>> {
    let stream = Stream::Table(table);
    let head = store.head(&stream).await?.seq;
    let (mut until, mut count) = (head, FIRST);
    while until > 0 && head - until < MOST {
        let after = until.saturating_sub(count);
        let limit = u32::try_from(until - after).unwrap_or(u32::MAX);
        for record in store.records(&stream, after, limit).await?.iter().rev() {
            let entry: Entry<TableEntry> =
                record.entry().map_err(|error| StoreError::Damaged(error.to_string()))?;
            let mut events = entry.what.steps().iter().flat_map(|step| &step.events);
            if !events.any(|event| matches!(event, Event::Closed)) {
                continue;
            }
            let (seq, at, by, name) = (record.seq, entry.at, entry.by, entry.name);
            let asked_by = entry.second;
            let opened = opened(store, &stream).await?;
            return Ok(Some(ClosedView { opened, at, seq, by, name, asked_by }));
        }
        (until, count) = (after, 4 * count);
    }
    Ok(None)
}

async fn opened(store: &dyn Store, stream: &Stream) -> Stored<u64> {
    let records = store.records(stream, 0, 1).await?;
    let first = records.first().map(Record::entry::<TableEntry>);
    match first {
        Some(Ok(entry)) => Ok(entry.at),
        _ => Err(StoreError::Damaged(format!("{stream}: its first record cannot be read"))),
    }
}

/// How a closed table was set up in the end. Its snapshot says so; the log is read only where there
/// is none of the end.
async fn configured(app: &App, table: TableId, closed: u64) -> Stored<Option<TableConfig>> {
    let kept = app.house.store.snapshot(&Stream::Table(table)).await?;
    let kept = kept.filter(|kept| kept.seal == Seal::Ours && kept.head.seq >= closed);
    // What players have bought there today counts on.
    let note = |books: &Books| {
        let at = now();
        app.house.bought.note(table, TableToday::new(utc_day(at), bought(table, books, at)));
    };
    if let Some(Ok(kept)) = kept.map(|kept| KeptTable::read(&kept.body)) {
        note(&kept.books);
        return Ok(Some(kept.setup.config));
    }
    match app.house.read_books(table).await {
        Ok((config, books)) => {
            note(&books);
            Ok(Some(config))
        }
        Err(problem) => Err(StoreError::Damaged(problem.detail)),
    }
}
