//! The sign's socket: a meter, as it climbs.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{Message, WebSocket};
use axum::extract::{Extension, State};
use axum::response::Response;
use axum::routing::get;
use tokio::time::{Instant, timeout};

use super::crowd::{Place, Standing};
use super::extract::{Anyone, Path};
use super::guard::Address;
use super::socket::{
    Ending, MADE_ROOM, NO_ROOM, PATIENCE, SENSELESS, SILENT, STOPPING, Upgrade, WRITE, failed,
    hang_up, text, upgraded,
};
use super::{App, Shared};
use crate::id::MeterId;
use crate::meters::MeterHandle;
use crate::problem::Problem;
use crate::wire::{Frame, FromServer, Shown};

/// A sign changes this often at most.
const PACE: Duration = Duration::from_millis(250);

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/api/meters/{id}/socket", get(meter))
}

async fn meter(
    State(app): Shared,
    Path(id): Path<String>,
    Anyone(who): Anyone,
    Extension(Address(address)): Extension<Address>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let id: MeterId = id.parse().map_err(|error| Problem::not_found(format!("meter: {error}")))?;
    let meter = app.house.open_meter(&id).await;
    let meter = meter.ok_or_else(|| Problem::not_found(format!("meter {id}")))?;
    let upgrade = upgraded(upgrade)?;
    let person = who.as_ref().map(|(_, person)| &**person);
    // Nobody sits at a sign.
    let standing = Standing::of(person, |_| false);
    let place = app.crowd.enter(address, None, person.map(|person| person.id.clone()), standing);
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let ending = match place {
            Some(place) => show(&app, meter, &place, &mut socket).await,
            None => Some(NO_ROOM),
        };
        hang_up(socket, ending).await;
    }))
}

/// Shows what the meter would pay until the socket ends; says how it does.
async fn show(
    app: &App,
    mut meter: MeterHandle,
    place: &Place,
    socket: &mut WebSocket,
) -> Option<Ending> {
    let mut stopping = app.stopping.clone();
    let silence = app.guard.limits.silence;
    let mut ping = tokio::time::interval(silence / 3);
    let (mut heard, mut senseless) = (Instant::now(), 0);
    let mut pace = tokio::time::interval(PACE);
    meter.view.mark_changed();
    loop {
        let message = tokio::select! {
            // The next change is looked for when the last has been seen for a while.
            changed = async { pace.tick().await; meter.view.changed().await } => {
                if changed.is_err() {
                    return Some(STOPPING);
                }
                // A sign hangs on a wall.
                let meter = meter.view.borrow_and_update().clone().to_strangers();
                text(Frame::of(&FromServer::Meter { meter }))
            }
            message = socket.recv() => {
                heard = Instant::now();
                match message? {
                    Ok(Message::Close(_)) => return None,
                    // A sign has nothing to say.
                    Ok(Message::Text(_) | Message::Binary(_)) => senseless += 1,
                    Ok(Message::Ping(_) | Message::Pong(_)) => {}
                    Err(error) => return failed(error),
                }
                if senseless > PATIENCE {
                    return Some(SENSELESS);
                }
                continue;
            },
            _ = stopping.changed() => return Some(STOPPING),
            () = place.needed() => return Some(MADE_ROOM),
            _ = ping.tick() => {
                if heard.elapsed() > silence {
                    return Some(SILENT);
                }
                Message::Ping(Vec::new().into())
            }
        };
        if !matches!(timeout(WRITE, socket.send(message)).await, Ok(Ok(()))) {
            return None;
        }
    }
}
