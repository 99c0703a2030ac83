//! The bell: what waits for a person of the crew, at any table or meter of the house, and a socket
//! that tells them when that changes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Extension, State};
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::{Duration, interval};
use ts_rs::TS;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::crowd::Standing;
use super::display::{Display, display};
use super::extract::{Json, Who};
use super::guard::Address;
use super::socket::{LOGGED_OUT, NO_ROOM, Upgrade, hang_up, upgraded};
use super::{App, Shared, floor};
use crate::access::{Deed, Person};
use crate::auth::Ended;
use crate::log::now;
use crate::problem::{Problem, Problems};
use crate::wire::{Frame, WaitingItem, WaitingView};

/// How often the door is asked whether a session has run out.
const STILL_GOOD: Duration = Duration::from_secs(10);

pub(super) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(waiting))
}

pub(super) fn sockets() -> Router<Arc<App>> {
    Router::new().route("/api/waiting/socket", get(socket))
}

/// What the bell's socket says.
#[derive(Clone, Serialize, TS, ToSchema)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum FromBell {
    /// Everything that waits for you: the first frame, and again whenever it changes.
    Waiting {
        /// What waits: claims first, then requests, those that lapse first before others.
        waiting: Vec<WaitingView>,
    },
}

/// Everything that waits anywhere, for whomever.
type All = Arc<Vec<WaitingItem>>;

/// What everybody with a bell is told. It is found out once, and only while a page listens.
pub struct Bell(watch::Sender<Option<All>>);

impl Default for Bell {
    fn default() -> Bell {
        Bell(watch::Sender::new(None))
    }
}

impl Bell {
    /// Whether any page listens.
    pub(super) fn is_heard(&self) -> bool {
        self.0.receiver_count() > 0
    }

    /// Tells those who listen, if something has changed.
    pub(super) fn tell(&self, now: Option<Vec<WaitingItem>>) {
        self.0.send_if_modified(|told| {
            let changed = told.as_deref() != now.as_ref();
            if changed {
                *told = now.map(Arc::new);
            }
            changed
        });
    }
}

/// What waits for one person, in the order in which they should look at it.
fn mine(all: &[WaitingItem], who: &Person) -> Vec<WaitingView> {
    let now = now();
    let mine = all.iter().filter(|waiting| waiting.is_for(who, now));
    let mut mine: Vec<WaitingView> = mine.map(|waiting| waiting.shown.clone()).collect();
    mine.sort_by(|one, other| {
        let key = |view: &WaitingView| (view.kind, view.until, view.at, view.number);
        (key(one), &one.id).cmp(&(key(other), &other.id))
    });
    mine
}

/// What waits for you: requests of others that you may agree to, and claims that you may confirm,
/// at every table and meter of the house. For dealers, supervisors and administrators.
#[utoipa::path(get, path = "/api/waiting", tag = "tables", responses(
    (status = 200, body = Vec<WaitingView>),
    Problems,
))]
async fn waiting(State(app): Shared, who: Who) -> Result<Json<Vec<WaitingView>>, Problem> {
    who.may(Deed::HearBell, false)?;
    floor::refresh(&app).await;
    floor::ask_others_lately(&app).await;
    Ok(Json(mine(&floor::waiting(&app), &who.person)))
}

async fn socket(
    State(app): Shared,
    who: Who,
    Extension(Address(address)): Extension<Address>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    who.may(Deed::HearBell, false)?;
    let upgrade = upgraded(upgrade)?;
    let standing = Standing::of(Some(&who.person), |_| false);
    let place = app.crowd.enter(address, None, Some(who.person.id.clone()), standing);
    // Before the upgrade: what ends meanwhile is heard of.
    let ended = app.door.ended();
    Ok(upgrade.on_upgrade(move |mut socket| async move {
        let Some(place) = place else { return hang_up(socket, Some(NO_ROOM)).await };
        let rings = Rings::of(&app.bell, Arc::clone(&who.person));
        let ending = tokio::select! {
            ending = display(&app, &place, &mut socket, rings) => ending,
            () = is_over(&app, &who, ended) => Some(LOGGED_OUT),
        };
        drop(place);
        hang_up(socket, ending).await;
    }))
}

/// Comes back when a session has ended.
async fn is_over(app: &App, who: &Who, mut ended: tokio::sync::broadcast::Receiver<Ended>) {
    let mut tick = interval(STILL_GOOD);
    loop {
        tokio::select! {
            end = ended.recv() => match end {
                Ok(Ended::Session(token)) if token == who.token => return,
                Ok(Ended::Person(person)) if person == who.person.id => return,
                Ok(_) => {}
                // Too many ended at once to name them: better one too many.
                Err(_) => return,
            },
            // A store that is down ends no session.
            _ = tick.tick() => if !app.door.is_good(who.token).await.unwrap_or(true) {
                return;
            },
        }
    }
}

/// The bell of one page.
struct Rings {
    bell: watch::Receiver<Option<All>>,
    who: Arc<Person>,
    told: Option<Vec<WaitingView>>,
}

impl Rings {
    fn of(bell: &Bell, who: Arc<Person>) -> Rings {
        let mut bell = bell.0.subscribe();
        bell.mark_changed();
        Rings { bell, who, told: None }
    }
}

impl Display for Rings {
    async fn next(&mut self) -> Option<Vec<Frame>> {
        loop {
            self.bell.changed().await.ok()?;
            let Some(all) = self.bell.borrow_and_update().clone() else { continue };
            let waiting = mine(&all, &self.who);
            if self.told.as_ref() == Some(&waiting) {
                continue;
            }
            self.told = Some(waiting.clone());
            return Some(vec![Frame::of(&FromBell::Waiting { waiting })]);
        }
    }
}
