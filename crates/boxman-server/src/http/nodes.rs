//! What nodes say to each other, on a line of their own that nobody else can speak on: pits that
//! change hands, letters to meters, what is on the floor; and requests that are passed on.

use std::net::IpAddr;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Query, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use axum::routing::{get, post};
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::{Duration, timeout};

use super::extract::{Json, Path};
use super::floor::Sheet;
use super::guard::Address;
use super::relay::{ADDRESS, Relayed, tell_code, tell_owner};
use super::{App, Shared, router};
use crate::id::MeterId;
use crate::log::{KeptMeter, Letter, Stream, Transfer, Written};
use crate::meters::{
    Arrived, Found, HeardThrough, Letters, MeterHandle, MeterMessage, Money, News, Shown,
};
use crate::pit::Pit;
use crate::problem::Problem;
use crate::store::NodeRow;

/// So long a meter may take to hear letters.
const HEARD: Duration = Duration::from_secs(2);

/// So long another node may take to answer this one.
const REACHED: Duration = Duration::from_secs(1);

/// Everything a node answers other nodes.
pub fn between(app: Arc<App>) -> Router {
    let own = Router::new()
        .route("/node/{name}/{incarnation}/pits/{pit}/{epoch}", post(take_pit))
        .route("/node/{name}/{incarnation}/reached", get(reaches))
        .route("/node/meters/{id}", get(meter).post(found))
        .route("/node/meters/{id}/letters", post(letters))
        .route("/node/meters/{id}/money", post(money))
        .route("/node/floor", get(floor))
        .with_state(Arc::clone(&app));
    let tell_owner = axum::middleware::from_fn_with_state(Arc::clone(&app), tell_owner);
    own.fallback_service(router(app))
        .layer(tell_owner)
        .layer(axum::middleware::from_fn(passed_on))
        .layer(axum::middleware::map_response(tell_code))
}

/// A request that was passed on comes from where the other node says.
async fn passed_on(mut request: Request, next: Next) -> Response {
    let named = request.headers_mut().remove(ADDRESS);
    let address = named.as_ref().and_then(|value| value.to_str().ok());
    let address = address.and_then(|address| address.parse::<IpAddr>().ok());
    if let Some(address) = address {
        request.extensions_mut().insert(Address(address));
    }
    request.extensions_mut().insert(Relayed);
    next.run(request).await
}

/// Another node has handed a pit over to this one.
async fn take_pit(
    State(app): Shared,
    Path((name, incarnation, pit, epoch)): Path<(String, i64, u16, i64)>,
) -> Result<&'static str, Problem> {
    let link = app.house.link().ok_or_else(Problem::moved)?;
    let me = link.store().identity();
    let meant = me.filter(|me| me.name == name && me.incarnation == incarnation);
    let pit = Some(Pit(pit)).filter(|pit| pit.index() < Pit::COUNT);
    let (Some(me), Some(pit)) = (meant, pit) else {
        return Err(Problem::unavailable("no-such-node", "that node is gone"));
    };
    // The message may be late, and the pit somebody else's by now: only the database knows.
    tracing::debug!(%pit, epoch, "a pit is handed over");
    let is_new = link.store().reclaim(pit).await?;
    if let Some(epoch) = link.store().epoch(pit) {
        link.moved(pit, &me, epoch);
    }
    // What runs there already runs on.
    if is_new {
        app.house.gained(vec![pit]);
    }
    Ok("taken\n")
}

/// Whether this node reaches another, which asks where it starts.
async fn reaches(
    State(app): Shared,
    Path((name, incarnation)): Path<(String, i64)>,
) -> Result<&'static str, Problem> {
    let node = app.node.as_ref().ok_or_else(Problem::moved)?;
    let others = node.link().others();
    let is_meant = |other: &&NodeRow| {
        (&other.identity.name, other.identity.incarnation) == (&name, incarnation)
    };
    let Some(other) = others.iter().find(is_meant) else {
        return Err(Problem::unavailable("no-such-node", "that node is not known here yet"));
    };
    match node.is_reached(other, REACHED).await {
        true => Ok("reached\n"),
        false => {
            let address = &other.address;
            let detail = format!("nobody answers at {address} from here");
            Err(Problem::new(502, "not-reached", detail))
        }
    }
}

async fn owned(app: &App, id: &str) -> Result<MeterHandle, Problem> {
    let id: MeterId = id.parse().map_err(|error| Problem::not_found(format!("meter: {error}")))?;
    app.house.check_owned(&Stream::Meter(id.clone()))?;
    let meter = app.house.open_meter(&id).await;
    meter.ok_or_else(|| Problem::not_found(format!("meter {id}")))
}

async fn shown(app: &App, meter: &MeterHandle) -> Result<Json<Shown>, Problem> {
    let damaged = meter.view.borrow().damaged;
    let mut state = meter.ask(MeterMessage::Look).await?;
    if !app.house.writes_newest().await {
        // Nodes of an earlier version do not know it.
        state.shown.clear();
    }
    let damaged = damaged.then(|| "its log is damaged".to_owned());
    Ok(Json(Shown { state: state.text(), damaged }))
}

/// A meter of this node.
async fn meter(State(app): Shared, Path(id): Path<String>) -> Result<Json<Shown>, Problem> {
    shown(&app, &owned(&app, &id).await?).await
}

/// Opens a meter that does not exist yet, for a table of another node.
async fn found(
    State(app): Shared,
    Path(id): Path<String>,
    Json(Found { state }): Json<Found>,
) -> Result<Json<Shown>, Problem> {
    let id: MeterId = id.parse().map_err(|error| Problem::not_found(format!("meter: {error}")))?;
    app.house.check_owned(&Stream::Meter(id.clone()))?;
    let blank = KeptMeter::read(&state).map_err(Problem::malformed)?;
    let (paytable, terms) = (blank.meter.name().to_owned(), *blank.meter.terms());
    let meter = app.house.meter(&id, &paytable, terms, blank.practice).await?;
    shown(&app, &meter).await
}

/// Letters from tables of another node. The answer says up to where each was heard, and comes when
/// that is durable.
async fn letters(
    State(app): Shared,
    Path(id): Path<String>,
    Json(Letters { letters }): Json<Letters>,
) -> Result<Json<HeardThrough>, Problem> {
    let meter = owned(&app, &id).await?;
    let (table_hears, mut news) = mpsc::unbounded_channel();
    let mut waiting = std::collections::BTreeSet::new();
    let mut hears = Vec::new();
    for (table, text) in letters {
        let letter = Letter::read(&text).map_err(Problem::malformed)?;
        // What it says to each comes by a way of its own, which tells them apart.
        if waiting.insert(table) {
            let (hears_one, mut said) = mpsc::unbounded_channel();
            let all = table_hears.clone();
            tokio::spawn(async move {
                while let Some(news) = said.recv().await {
                    // Awards and terms are asked for by themselves.
                    let News::Heard { through, .. } = news else { continue };
                    if all.send((table, through)).is_err() {
                        return;
                    }
                }
            });
            hears.push((table, hears_one));
        }
        let hears = hears.iter().find(|(known, _)| *known == table);
        let Some((_, table_hears)) = hears.cloned() else { continue };
        meter.send(MeterMessage::Letter { table, letter, table_hears }).await;
    }
    drop(table_hears);
    let mut heard = std::collections::BTreeMap::new();
    let all = async {
        while waiting.iter().any(|table| !heard.contains_key(table)) {
            let Some((table, through)) = news.recv().await else { break };
            heard.insert(table, through);
        }
    };
    let _ = timeout(HEARD, all).await;
    Ok(Json(HeardThrough { heard: heard.into_iter().collect() }))
}

/// Players' money from a meter of another node. The answer comes when it is durable here.
async fn money(
    State(app): Shared,
    Path(id): Path<String>,
    Json(Money { transfer }): Json<Money>,
) -> Result<Json<Arrived>, Problem> {
    let meter = owned(&app, &id).await?;
    let transfer = Transfer::read(&transfer).map_err(Problem::malformed)?;
    meter.ask(|reply| MeterMessage::TakeMoneyIn { transfer, reply }).await??;
    Ok(Json(Arrived {}))
}

#[derive(Deserialize)]
struct Since {
    #[serde(default)]
    since: u64,
}

/// What has changed on this node's part of the floor.
async fn floor(State(app): Shared, Query(Since { since }): Query<Since>) -> Json<Sheet> {
    Json(super::floor::sheet(&app, since).await)
}
