//! The sign's socket: a meter, as it climbs.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, State};
use axum::response::Response;
use axum::routing::get;
use tokio::time::Interval;

use super::crowd::Standing;
use super::display::{Display, display};
use super::extract::{Anyone, Path};
use super::guard::Address;
use super::socket::{NO_ROOM, Upgrade, hang_up, upgraded};
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
            Some(place) => display(&app, &place, &mut socket, Climbing::new(meter)).await,
            None => Some(NO_ROOM),
        };
        hang_up(socket, ending).await;
    }))
}

/// A meter, and how often it is looked at.
struct Climbing {
    meter: MeterHandle,
    pace: Interval,
}

impl Climbing {
    fn new(mut meter: MeterHandle) -> Climbing {
        meter.view.mark_changed();
        Climbing { meter, pace: tokio::time::interval(PACE) }
    }
}

impl Display for Climbing {
    async fn next(&mut self) -> Option<Vec<Frame>> {
        // The next change is looked for when the last has been seen for a while.
        self.pace.tick().await;
        self.meter.view.changed().await.ok()?;
        // A sign hangs on a wall.
        let meter = self.meter.view.borrow_and_update().clone().to_strangers();
        Some(vec![Frame::of(&FromServer::Meter { meter })])
    }
}
