//! The whole floor: every table that is not closed, as it was seen last. Those of other nodes are
//! asked for, and only what has changed since; no room is opened for it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};

use super::App;
use super::lobby::{Looked, Seen, Shown, TableLine, line};
use crate::access::Person;
use crate::id::{MeterId, TableId};
use crate::log::Stream;
use crate::office::TableToday;
use crate::practice::Opener;
use crate::problem::Problem;
use crate::store::NodeRow;
use crate::wire::{WaitingAt, WaitingItem};

/// Every table is looked at this often, whether it has changed or not, and at most so many at
/// once: nobody waits for the rest of them.
const LOOK_ROUND: Duration = Duration::from_secs(30);
const AT_ONCE: usize = 128;
/// What a node that is gone has told is shown for so long, until somebody else has its tables.
const REMEMBERED: Duration = Duration::from_secs(30);
/// What others told so lately is good enough for a list.
const LATELY: Duration = Duration::from_millis(250);
/// So long another node may take to answer.
const PATIENCE: Duration = Duration::from_millis(1_500);
/// The most that an answer may hold.
const ANSWER: usize = 64 * 1_024 * 1_024;

/// A table on the sheet that a node shows others.
#[derive(Clone, Serialize, Deserialize)]
pub struct Row {
    table: TableId,
    line: TableLine,
    /// Who opened it, where it is a practice table.
    opener: Option<Opener>,
    /// Who has a seat.
    seated: Vec<String>,
    /// The meters it feeds.
    meters: Vec<String>,
    /// What players have bought there today.
    #[serde(default)]
    bought: TableToday,
}

/// What has changed on one node's part of the floor.
#[derive(Serialize, Deserialize)]
pub struct Sheet {
    /// What to ask for next: everything after this.
    version: u64,
    /// Whether this is all there is, and not only what has changed.
    whole: bool,
    rows: Vec<Row>,
    gone: Vec<TableId>,
    /// Everything that waits there for a person, changed or not: it is seldom much.
    #[serde(default)]
    waiting: Vec<WaitingItem>,
}

/// What this node has seen of its own tables.
#[derive(Default)]
struct Own {
    version: u64,
    /// Each with the version it changed with.
    tables: BTreeMap<TableId, (u64, Row, Arc<Shown>)>,
    gone: BTreeMap<TableId, u64>,
    /// What waits at them for a person.
    waiting: BTreeMap<TableId, Vec<WaitingItem>>,
    round: Option<Round>,
}

/// Going round the floor, from one table to the next.
#[derive(Clone, Copy)]
struct Round {
    /// The last one that was looked at.
    at: TableId,
    /// When.
    when: Instant,
}

/// What another node has told.
struct Other {
    version: u64,
    tables: BTreeMap<TableId, (Row, Arc<Shown>)>,
    waiting: Vec<WaitingItem>,
    heard: Instant,
}

/// Every table as it was seen last.
#[derive(Default)]
pub struct Floor {
    own: tokio::sync::Mutex<()>,
    seen: Mutex<Own>,
    others: Mutex<BTreeMap<(String, i64), Other>>,
    /// When the others were asked last.
    asked: Mutex<Option<Instant>>,
}

impl Floor {
    fn seen(&self) -> MutexGuard<'_, Own> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn others(&self) -> MutexGuard<'_, BTreeMap<(String, i64), Other>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Every table there is.
    pub(super) fn all(&self, app: &App) -> Seen {
        let mut all: BTreeMap<TableId, Arc<Shown>> = BTreeMap::new();
        let others = self.others();
        let there: Vec<NodeRow> = app.house.link().map(|link| link.others()).unwrap_or_default();
        let is_there = |key: &(String, i64)| {
            there.iter().any(|node| {
                (node.identity.name.as_str(), node.identity.incarnation) == (key.0.as_str(), key.1)
            })
        };
        // Whoever is gone is believed last, and this node's own eyes first.
        for present in [false, true] {
            for (_, other) in others.iter().filter(|(key, _)| is_there(key) == present) {
                all.extend(other.tables.iter().map(|(table, (_, shown))| (*table, shown.clone())));
            }
        }
        let own = self.seen();
        all.extend(own.tables.iter().map(|(table, (_, _, shown))| (*table, Arc::clone(shown))));
        Arc::new(all)
    }
}

/// Looks at this node's own tables that have changed, and at those whose turn it is.
pub(super) async fn refresh(app: &App) {
    let _one = app.floor.own.lock().await;
    let round = app.floor.seen().round;
    let open =
        |table: &TableId| app.house.owns(&Stream::Table(*table)) && !app.house.is_closed(*table);
    let changed = app.house.changes();
    changed.iter().filter(|table| !open(table)).for_each(|table| app.house.note_looked(*table));
    let all = app.house.tables();
    let (next, tables) = match round {
        // Once, everything is looked at.
        None => (all.last().copied(), all),
        Some(round) => {
            let next = round.next(&all);
            (next.last().copied(), changed.into_iter().chain(next).collect())
        }
    };
    for table in tables.into_iter().filter(open) {
        app.house.note_looked(table);
        let unseen = Unseen { app, table, seen: false };
        let looked = line(app, table).await;
        unseen.seen();
        app.floor.seen().note(app, table, looked);
    }
    let mut own = app.floor.seen();
    if let Some(at) = next {
        own.round = Some(Round { at, when: Instant::now() });
    }
    let closed: Vec<TableId> = own.tables.keys().filter(|table| !open(table)).copied().collect();
    closed.into_iter().for_each(|table| own.note(app, table, None));
}

impl Round {
    /// The tables whose turn it is: as many as are due by now.
    fn next(self, all: &[TableId]) -> Vec<TableId> {
        let due = all.len() as u128 * self.when.elapsed().as_millis() / LOOK_ROUND.as_millis();
        let due = usize::try_from(due).unwrap_or(usize::MAX).min(AT_ONCE).min(all.len());
        let after = all.partition_point(|table| *table <= self.at);
        all.iter().cycle().skip(after).take(due).copied().collect()
    }
}

/// A table that is being looked at. Whoever asked may turn away meanwhile: then it is looked at
/// next time.
struct Unseen<'a> {
    app: &'a App,
    table: TableId,
    seen: bool,
}

impl Unseen<'_> {
    fn seen(mut self) {
        self.seen = true;
    }
}

impl Drop for Unseen<'_> {
    fn drop(&mut self) {
        if !self.seen {
            self.app.house.note_change(self.table);
        }
    }
}

impl Own {
    /// Notes what was seen of a table; nothing where it is closed, or another node's.
    fn note(&mut self, app: &App, table: TableId, looked: Option<Looked>) {
        let Some(Looked { line, seated, meters, waiting }) = looked else {
            self.waiting.remove(&table);
            if self.tables.remove(&table).is_some() {
                self.version += 1;
                self.gone.insert(table, self.version);
            }
            return;
        };
        match waiting.is_empty() {
            true => drop(self.waiting.remove(&table)),
            false => drop(self.waiting.insert(table, waiting)),
        }
        let bought = app.house.bought.at(table);
        let known = self.tables.get(&table);
        let same = known.is_some_and(|(_, row, _)| {
            let same = row.line == line && row.seated == seated && row.meters == meters;
            same && row.bought == bought
        });
        if same {
            return;
        }
        self.version += 1;
        self.gone.remove(&table);
        let shown = Arc::new(Shown::of(line.clone()));
        let opener = app.house.practice.opener(table);
        let row = Row { table, line, opener, seated, meters, bought };
        self.tables.insert(table, (self.version, row, shown));
    }
}

/// What has changed here, for another node.
pub(super) async fn sheet(app: &App, since: u64) -> Sheet {
    refresh(app).await;
    let own = app.floor.seen();
    // One who has seen more than there is has seen another incarnation.
    let since = if since > own.version { 0 } else { since };
    let rows = own.tables.values().filter(|(version, ..)| *version > since);
    let rows = rows.map(|(_, row, _)| row.clone()).collect();
    let gone = own.gone.iter().filter(|(_, version)| **version > since);
    let gone = gone.map(|(table, _)| *table).collect();
    let waiting = own_waiting(app, &own);
    Sheet { version: own.version, whole: since == 0, rows, gone, waiting }
}

/// What waits for people at the tables and meters of this node.
fn own_waiting(app: &App, own: &Own) -> Vec<WaitingItem> {
    let tables = own.waiting.values().flatten().cloned();
    tables.chain(app.house.meters_here().iter().flat_map(WaitingItem::of_meter)).collect()
}

/// What waits for people at any table or meter of the house.
pub(super) fn waiting(app: &App) -> Vec<WaitingItem> {
    let others = app.floor.others();
    let own = app.floor.seen();
    let mut all = own_waiting(app, &own);
    for waiting in others.values().flat_map(|other| &other.waiting) {
        let one = &waiting.shown;
        let known = |other: &WaitingItem| {
            let other = &other.shown;
            (one.at, &one.id, one.kind, one.number)
                == (other.at, &other.id, other.kind, other.number)
        };
        if !all.iter().any(known) {
            all.push(waiting.clone());
        }
    }
    // Who plays for a meter at a real table leaves it to others.
    let rows = || {
        let own = own.tables.values().map(|(_, row, _)| row);
        let others = others.values().flat_map(|other| other.tables.values());
        own.chain(others.map(|(row, _)| row)).filter(|row| !row.line.practice)
    };
    for waiting in all.iter_mut().filter(|waiting| waiting.shown.at == WaitingAt::Meter) {
        let feeds = |row: &&Row| row.meters.contains(&waiting.shown.id);
        let players: Vec<String> =
            rows().filter(feeds).flat_map(|row| row.seated.clone()).collect();
        waiting.not_for.extend(players);
    }
    all
}

/// Asks every other node what has changed there, unless somebody has just done so.
pub(super) async fn ask_others_lately(app: &App) {
    let lately = *app.floor.asked.lock().unwrap_or_else(PoisonError::into_inner);
    if lately.is_none_or(|asked| asked.elapsed() > LATELY) {
        ask_others(app).await;
    }
}

/// Asks every other node what has changed there.
/// Says whether all have answered.
pub(super) async fn ask_others(app: &App) -> bool {
    let Some(link) = app.house.link() else { return true };
    *app.floor.asked.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    let nodes = link.others();
    let asked = nodes.iter().map(|node| ask(app, node));
    let answers = futures_util::future::join_all(asked).await;
    let all = answers.iter().all(Option::is_some);
    let mut others = app.floor.others();
    for (node, sheet) in nodes.iter().zip(answers) {
        let Some(Sheet { version, whole, rows, gone, waiting }) = sheet else { continue };
        let key = (node.identity.name.clone(), node.identity.incarnation);
        let other = others.entry(key).or_insert_with(|| Other {
            version: 0,
            tables: BTreeMap::new(),
            waiting: Vec::new(),
            heard: Instant::now(),
        });
        if whole {
            other.tables.clear();
        }
        gone.iter().for_each(|table| drop(other.tables.remove(table)));
        for row in rows {
            let shown = Arc::new(Shown::of(row.line.clone()));
            // This node knows its own tables best.
            if !app.house.owns(&Stream::Table(row.table)) {
                app.house.bought.note(row.table, row.bought.clone());
            }
            other.tables.insert(row.table, (row, shown));
        }
        other.waiting = waiting;
        (other.version, other.heard) = (version, Instant::now());
    }
    others.retain(|_, other| other.heard.elapsed() < REMEMBERED);
    let rows = others.values().flat_map(|other| other.tables.values());
    let openers = rows.filter_map(|(row, _)| Some((row.table, row.opener.clone()?))).collect();
    app.house.practice.note_elsewhere(openers);
    all
}

async fn ask(app: &App, node: &NodeRow) -> Option<Sheet> {
    let link = app.house.link()?;
    let key = (node.identity.name.clone(), node.identity.incarnation);
    let since = app.floor.others().get(&key).map_or(0, |other| other.version);
    let request = Request::get(format!("/node/floor?since={since}"));
    let request = request.header("host", "node").body(Body::empty()).ok()?;
    let asked = async {
        let answer = link.send(node, request).await.ok()?;
        let answer = Some(answer).filter(|answer| answer.status().is_success())?;
        axum::body::to_bytes(Body::new(answer.into_body()), ANSWER).await.ok()
    };
    let bytes = timeout(PATIENCE, asked).await.ok()??;
    serde_json::from_slice(&bytes).ok()
}

/// Whether somebody does not play for this meter at a real table of another node.
pub(super) async fn check_no_player_elsewhere(
    app: &App,
    meter: &MeterId,
    who: &Person,
) -> Result<(), Problem> {
    if !ask_others(app).await {
        let silent = "a node does not say who plays there, try again in a moment";
        return Err(Problem::unavailable("node-silent", silent));
    }
    let others = app.floor.others();
    let mut rows = others.values().flat_map(|other| other.tables.values()).map(|(row, _)| row);
    let plays = |row: &Row| {
        !row.line.practice
            && row.seated.contains(&who.id)
            && row.meters.iter().any(|known| known == meter.as_str())
    };
    match rows.any(plays) {
        true => Err(Problem::forbidden("you play at a table that feeds this meter")),
        false => Ok(()),
    }
}
