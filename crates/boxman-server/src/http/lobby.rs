//! The lobby: every table that is not closed, and one socket that tells what changes at any of
//! them. Of real tables it shows no names.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::Instant;
use ts_rs::TS;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::closed::{self, ClosedView, Wanted};
use super::crowd::Standing;
use super::display::{Display, display};
use super::extract::{Anyone, Json, Query};
use super::floor;
use super::guard::Address;
use super::socket::{NO_ROOM, Upgrade, hang_up, upgraded};
use super::{App, Shared};
use crate::access::Deed;
use crate::config::TableConfig;
use crate::id::TableId;
use crate::log::Stream;
use crate::office::is_damage;
use crate::problem::{Problem, Problems};
use crate::room::Visit;
use crate::wire::{Frame, MeterView, TableView, WaitingItem};

/// How often the lobby is told what has changed.
const PACE: Duration = Duration::from_millis(250);
/// How often other nodes are asked while bells are heard and nobody is in the lobby.
const BELL_PACE: Duration = Duration::from_millis(500);
/// How often they are asked while nobody listens at all.
const UNWATCHED: Duration = Duration::from_secs(2);
/// So many rolls are shown.
const RECENT: usize = 8;

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(list))
}

pub(super) fn sockets() -> Router<Arc<App>> {
    Router::new().route("/api/lobby/socket", get(socket))
}

/// A table on the lobby's list.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
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
    /// How many look on; none are told of a real table.
    pub looking_on: usize,
    /// How many may.
    pub seats: u8,
    /// The point; none while the puck is OFF.
    pub puck: Option<u8>,
    /// The numbers it can lie on.
    pub points: Vec<u8>,
    /// The least on the pass line, in cents.
    #[ts(type = "number | null")]
    pub minimum: Option<i64>,
    /// The most.
    #[ts(type = "number | null")]
    pub maximum: Option<i64>,
    /// Whether bets are taken.
    pub betting: bool,
    /// The last rolls, newest last.
    pub recent: Vec<String>,
    /// How many rolls the hand has had.
    pub hand_rolls: u32,
    /// Who has the dice; nobody at a real table.
    pub shooter: Option<String>,
    /// The side bets, as people call them.
    pub sides: Vec<String>,
    /// Its meters.
    pub meters: Vec<LobbyMeter>,
    /// What its operator should not overlook.
    pub warnings: Vec<String>,
    /// What is wrong with it.
    pub problem: Option<Problem>,
    /// When it was closed for good, and by whom: on the list of closed tables only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub closed: Option<ClosedView>,
}

/// A meter on the lobby's list.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
pub struct LobbyMeter {
    /// The paytable it serves.
    pub paytable: String,
    /// The wager it is won on, as people call it.
    pub title: String,
    /// What it shows, in cents.
    #[ts(type = "number")]
    pub amount: i64,
}

/// What the lobby's socket says.
#[derive(Clone, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum FromLobby {
    /// Every table: the first frame.
    Lobby {
        /// The tables.
        tables: Vec<TableLine>,
    },
    /// A table that is new, or has changed.
    Table {
        /// The table.
        table: Box<TableLine>,
    },
    /// A table that is closed.
    Gone {
        /// Its name in addresses.
        id: String,
    },
}

impl TableLine {
    fn of(view: &TableView, looking_on: usize) -> TableLine {
        let line = view.wagers.iter().find(|wager| wager.wager == "pass");
        let points = view.wagers.iter().find(|wager| wager.kind == "line");
        // Of a damaged meter nobody can say what it would pay.
        let vouched = view.meters.iter().filter(|meter| !meter.damaged);
        let title = |paytable: &str| {
            let mut wagers = view.wagers.iter();
            let fed = wagers.find(|wager| wager.paytable.as_deref() == Some(paytable));
            fed.map_or(paytable, |wager| &wager.title).to_owned()
        };
        let meter = |meter: &MeterView| LobbyMeter {
            paytable: meter.paytable.clone(),
            title: title(&meter.paytable),
            amount: meter.amount.0,
        };
        let shooter = view.seats.iter().find(|seat| Some(seat.seat) == view.hand.shooter);
        let sides = view.wagers.iter().filter(|wager| wager.board.is_some());
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
            looking_on,
            seats: view.config.seats,
            puck: view.hand.puck,
            points: points.map(|wager| wager.numbers.clone()).unwrap_or_default(),
            minimum: line.map(|wager| wager.min.0),
            maximum: line.and_then(|wager| wager.max).map(|max| max.0),
            betting: view.hand.betting,
            recent: view.recent[view.recent.len().saturating_sub(RECENT)..].to_vec(),
            hand_rolls: view.hand.hand_rolls,
            shooter: shooter.filter(|_| view.config.practice).and_then(|seat| seat.name.clone()),
            sides: sides.map(|wager| wager.title.clone()).collect(),
            meters: vouched.map(meter).collect(),
            warnings: view.warnings.clone(),
            problem: None,
            closed: None,
        }
    }

    /// A table that does not answer: damaged, or out of reach for the moment.
    fn silent(table: TableId, problem: Problem) -> TableLine {
        let status = if is_damage(&problem) { "damaged" } else { "silent" };
        let status = status.to_owned();
        TableLine { status, problem: Some(problem), ..TableLine::nothing_of(table) }
    }

    /// A table of which nothing is known but its name in addresses.
    fn nothing_of(table: TableId) -> TableLine {
        TableLine {
            id: table.to_string(),
            name: String::new(),
            rules: Vec::new(),
            practice: false,
            status: String::new(),
            players: 0,
            looking_on: 0,
            seats: 0,
            puck: None,
            points: Vec::new(),
            minimum: None,
            maximum: None,
            betting: false,
            recent: Vec::new(),
            hand_rolls: 0,
            shooter: None,
            sides: Vec::new(),
            meters: Vec::new(),
            warnings: Vec::new(),
            problem: None,
            closed: None,
        }
    }

    /// A table that is closed for good.
    pub(super) fn closed(table: TableId, config: &TableConfig, closed: ClosedView) -> TableLine {
        TableLine {
            id: table.to_string(),
            name: config.name.clone(),
            rules: config.rules.clone(),
            practice: config.practice,
            status: "closed".to_owned(),
            seats: config.seats,
            problem: None,
            closed: Some(closed),
            ..TableLine::nothing_of(table)
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

/// A table as the lobby shows it; none once it is closed.
pub(super) async fn line(app: &App, table: TableId) -> Option<Looked> {
    let room = app.house.room(table).await;
    let looked = match &room {
        Ok(room) => room.query(Visit::Look).await.map(|view| (view, room.looking_on())),
        Err(problem) => Err(problem.clone()),
    };
    let (line, meters) = match looked {
        Ok((view, looking_on)) => {
            let meters = view.meters.iter().map(|meter| meter.meter.clone()).collect();
            (TableLine::of(&view, looking_on), meters)
        }
        // Another node shows it.
        Err(problem) if problem.code == "table-moved" => return None,
        Err(problem) => (TableLine::silent(table, problem), Vec::new()),
    };
    let line = match app.house.damage_of(&Stream::Table(table)) {
        Some(reason) => line.damaged(&reason),
        None => line,
    };
    let (seated, waiting) = room
        .map(|room| (room.seated().borrow().clone(), room.waiting().borrow().clone()))
        .unwrap_or_default();
    (line.status != "closed").then_some(Looked { line, seated, meters, waiting })
}

/// What was seen at a table.
pub(super) struct Looked {
    pub(super) line: TableLine,
    /// Who has a seat.
    pub(super) seated: Vec<String>,
    /// Its meters.
    pub(super) meters: Vec<String>,
    /// What waits there for a person.
    pub(super) waiting: Vec<WaitingItem>,
}

/// Which tables.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Those that are closed for good, for crew, auditors and administrators; the others where it
    /// is left out. What follows is asked of closed tables only.
    #[serde(default)]
    closed: bool,
    /// Those after this table on the list.
    after: Option<String>,
    /// At most so many, up to 500.
    #[serde(default = "hundred")]
    #[param(minimum = 1, maximum = 500)]
    limit: u32,
    /// Those whose name has this in it.
    #[param(max_length = 60)]
    name: Option<String>,
    /// Only practice tables, or none of them; both where it is left out.
    practice: Option<bool>,
}

fn hundred() -> u32 {
    100
}

/// Every table that is not closed. With `closed=true`, those that are closed for good, page by
/// page, and those closed last first.
#[utoipa::path(get, path = "/api/tables", tag = "tables", operation_id = "tables",
    params(ListQuery), responses(
    (status = 200, body = Vec<TableLine>),
    Problems,
))]
async fn list(
    State(app): Shared,
    anyone: Anyone,
    Query(query): Query<ListQuery>,
) -> Result<Response, Problem> {
    if !query.closed {
        return Ok(open_tables(&app).await);
    }
    let who = anyone.person().ok_or_else(Problem::nobody)?;
    if !who.may_at_all(Deed::FindClosed, false) {
        return Err(Problem::forbidden("that is not for you to do"));
    }
    let wanted = Wanted {
        after: query.after.as_deref(),
        limit: query.limit.clamp(1, 500) as usize,
        name: query.name.as_deref(),
        practice: query.practice,
    };
    let lines = closed::list(&app, &wanted).await?;
    let lines: Vec<&TableLine> = lines.iter().map(|line| &**line).collect();
    Ok(Json(lines).into_response())
}

async fn open_tables(app: &Arc<App>) -> Response {
    floor::refresh(app).await;
    floor::ask_others_lately(app).await;
    let seen = app.floor.all(app);
    let mut lines: Vec<&Shown> = seen.values().map(|shown| &**shown).collect();
    lines.sort_by(|one, other| one.order().cmp(&other.order()));
    // They have been written out already, however many there are.
    let mut body = Vec::with_capacity(lines.iter().map(|shown| shown.text.len() + 1).sum());
    body.push(b'[');
    for (place, shown) in lines.iter().enumerate() {
        if place > 0 {
            body.push(b',');
        }
        body.extend_from_slice(&shown.text);
    }
    body.push(b']');
    ([(header::CONTENT_TYPE, "application/json")], body).into_response()
}

/// A table as everybody in the lobby sees it, written out once.
pub(super) struct Shown {
    pub(super) line: TableLine,
    text: Vec<u8>,
    frame: Frame,
}

impl Shown {
    pub(super) fn of(line: TableLine) -> Shown {
        let text = serde_json::to_vec(&line).expect("a line is plain data");
        let frame = Frame::of(&FromLobby::Table { table: Box::new(line.clone()) });
        Shown { line, text, frame }
    }

    fn order(&self) -> (bool, &str) {
        (!self.line.practice, &self.line.name)
    }
}

/// Every table as it was seen last.
pub(super) type Seen = Arc<BTreeMap<TableId, Arc<Shown>>>;

/// What everybody in the lobby is shown. It is found out once, however many are there, and only
/// while somebody is.
pub struct Lobby(watch::Sender<Option<Seen>>);

impl Default for Lobby {
    fn default() -> Lobby {
        Lobby(watch::Sender::new(None))
    }
}

/// Keeps the lobby up to date until the server stops.
pub(crate) async fn keep(app: Arc<App>) {
    let (lobby, mut stopping) = (&app.lobby.0, app.stopping.clone());
    let mut pace = tokio::time::interval(PACE);
    pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut asked = Instant::now();
    loop {
        tokio::select! {
            biased;
            _ = stopping.changed() => return,
            _ = pace.tick() => {}
        }
        let (watched, heard) = (lobby.receiver_count() > 0, app.bell.is_heard());
        // What is on other nodes counts for limits too, though nobody watches.
        let due = if heard { BELL_PACE } else { UNWATCHED };
        if watched || asked.elapsed() >= due {
            asked = Instant::now();
            floor::ask_others(&app).await;
        }
        if watched || heard {
            floor::refresh(&app).await;
        }
        app.bell.tell(heard.then(|| floor::waiting(&app)));
        if !watched {
            lobby.send_replace(None);
            continue;
        }
        let now = app.floor.all(&app);
        let before = lobby.borrow().clone();
        let same = before.is_some_and(|before| {
            before.len() == now.len()
                && before
                    .iter()
                    .zip(now.iter())
                    .all(|(one, other)| one.0 == other.0 && Arc::ptr_eq(one.1, other.1))
        });
        if !same {
            lobby.send_replace(Some(now));
        }
    }
}

async fn socket(
    State(app): Shared,
    Anyone(who): Anyone,
    Extension(Address(address)): Extension<Address>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let upgrade = upgraded(upgrade)?;
    let person = who.as_ref().map(|(_, person)| &**person);
    // Nobody sits in the lobby.
    let standing = Standing::of(person, |_| false);
    let place = app.crowd.enter(address, None, person.map(|person| person.id.clone()), standing);
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let ending = match place {
            Some(place) => display(&app, &place, &mut socket, News::of(&app.lobby)).await,
            None => Some(NO_ROOM),
        };
        hang_up(socket, ending).await;
    }))
}

/// What has changed since this was seen.
fn news(before: Option<&Seen>, now: &Seen) -> Vec<Frame> {
    let Some(before) = before else {
        let tables = now.values().map(|seen| seen.line.clone()).collect();
        return vec![Frame::of(&FromLobby::Lobby { tables })];
    };
    let is_known = |(table, seen): &(&TableId, &Arc<Shown>)| {
        before.get(*table).is_some_and(|known| Arc::ptr_eq(known, seen))
    };
    let changed = now.iter().filter(|one| !is_known(one)).map(|(_, seen)| seen.frame.clone());
    let gone = before.keys().filter(|table| !now.contains_key(*table));
    let gone = gone.map(|table| Frame::of(&FromLobby::Gone { id: table.to_string() }));
    changed.chain(gone).collect()
}

/// The lobby, and what somebody has seen of it.
struct News {
    lobby: watch::Receiver<Option<Seen>>,
    seen: Option<Seen>,
}

impl News {
    fn of(lobby: &Lobby) -> News {
        let mut lobby = lobby.0.subscribe();
        lobby.mark_changed();
        News { lobby, seen: None }
    }
}

impl Display for News {
    async fn next(&mut self) -> Option<Vec<Frame>> {
        loop {
            self.lobby.changed().await.ok()?;
            let Some(now) = self.lobby.borrow_and_update().clone() else { continue };
            let frames = news(self.seen.as_ref(), &now);
            self.seen = Some(now);
            return Some(frames);
        }
    }
}
