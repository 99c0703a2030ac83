//! The lines between nodes, and from people to nodes: requests leave, and answers come, or not.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use axum::body::{Body, Bytes, to_bytes};
use axum::http::{Request, Response};
use boxman_client::Value;
use boxman_server::testing::simulation::{Line, Map, Unanswered};
use boxman_server::testing::store::NodeRow;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;
use tower::ServiceExt;

use crate::weather::Fate;
use crate::world::Shared;

/// The most that is ever said at once.
const MOST: usize = 64 * 1_024 * 1_024;

/// Which door of a node somebody knocks at.
#[derive(Clone, Debug)]
pub(crate) enum Door {
    /// The one for people.
    Public,
    /// The one for nodes, of whoever shows this certificate.
    Between(String),
}

/// What comes back.
pub(crate) type Answer = Result<Response<Bytes>, Unanswered>;

/// Whoever hangs up is not served on.
#[derive(Clone, Default)]
struct Serving(Arc<Mutex<(bool, Option<AbortHandle>)>>);

impl Serving {
    fn hang_up(&self) {
        let mut serving = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        serving.0 = true;
        if let Some(handle) = serving.1.take() {
            handle.abort();
        }
    }

    fn is_hung_up(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0
    }

    /// It has arrived. Whoever has hung up before that is served all the same: nobody has told.
    fn begin(&self, handle: AbortHandle) {
        let mut serving = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !serving.0 {
            serving.1 = Some(handle);
        }
    }
}

struct HangUp {
    world: Shared,
    number: u64,
    serving: Serving,
}

impl Drop for HangUp {
    fn drop(&mut self) {
        let serving = self.serving.clone();
        self.world.lock().soon(self.number, move |_| serving.hang_up());
    }
}

fn cut() -> Unanswered {
    Unanswered::Cut("the connection was cut".to_owned())
}

/// Sends a request from one place to another.
pub(crate) async fn send(
    world: &Shared,
    (from, to): (usize, usize),
    door: Door,
    request: Request<Body>,
) -> Answer {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, MOST).await.map_err(|_| cut())?;
    let command: Option<Value> = serde_json::from_slice(&body).ok();
    let id = command.and_then(|command| Some(command["id"].as_str()?.to_owned()));
    let request = Request::from_parts(parts, Body::from(body));
    let (reply, answer) = oneshot::channel::<Answer>();
    let serving = Serving::default();
    // One that nobody cuts and nobody answers hangs until whoever asked has no more patience.
    let mut hanging = None;
    {
        let world = &mut *world.lock();
        let fate = world.weather.between((from, to), world.now, &mut world.random);
        match fate {
            Fate::Fair { there, back } => {
                let begun = serving.clone();
                world.after(there, move |run| {
                    run.note_late(id, &begun);
                    run.serve(to, &door, request, Some((back, reply)), &begun);
                });
            }
            Fate::Unanswered { there, cut } => {
                let begun = serving.clone();
                world.after(there, move |run| {
                    run.note_late(id, &begun);
                    run.serve(to, &door, request, None, &begun);
                });
                world.after(cut, move |_| drop(reply));
            }
            Fate::Lost { cut } => world.after(cut, move |_| drop(reply)),
            Fate::Swallowed => hanging = Some(reply),
        }
    }
    let number = world.lock().number();
    let _hang_up = HangUp { world: world.clone(), number, serving };
    let answer = answer.await;
    drop(hanging);
    answer.unwrap_or_else(|_| Err(cut()))
}

impl crate::run::Run {
    /// Notes that a copy of a command arrives after whoever sent it has turned away.
    fn note_late(&self, id: Option<String>, serving: &Serving) {
        if serving.is_hung_up() {
            self.world.lock().late.extend(id);
        }
    }

    /// A node serves a request, once it gets to it.
    fn serve(
        &mut self,
        place: usize,
        door: &Door,
        request: Request<Body>,
        reply: Option<(u64, oneshot::Sender<Answer>)>,
        serving: &Serving,
    ) {
        let Some((runtime, router)) = self.hosts[place].door(door) else {
            if let Some((back, reply)) = reply {
                let nobody = Unanswered::Unsent("nobody is there".to_owned());
                self.world.lock().after(back, move |_| drop(reply.send(Err(nobody))));
            }
            return;
        };
        let world = self.world.clone();
        let waiting = reply.map(|(back, reply)| (back, world.lock().wait(place, reply)));
        let task = runtime.spawn(async move {
            let Ok(answer) = router.oneshot(request).await;
            let (parts, body) = answer.into_parts();
            let Ok(body) = to_bytes(body, MOST).await else { return };
            let Some((back, number)) = waiting else { return };
            let answer = Ok(Response::from_parts(parts, body));
            world.lock().after(back, move |run| run.world.lock().answer(number, answer));
        });
        serving.begin(task.abort_handle());
    }
}

/// A node's line to the others.
pub(crate) struct Wire {
    pub(crate) world: Shared,
    pub(crate) place: usize,
}

#[async_trait]
impl Line for Wire {
    async fn send(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered> {
        let to = node.address.parse().map_err(|_| cut())?;
        let door = Door::Between(node.certificate.clone());
        Ok(send(&self.world, (self.place, to), door, request).await?.map(Body::from))
    }

    async fn upgrade(&self, _: &NodeRow, _: Request<Body>) -> Result<Response<Body>, Unanswered> {
        Err(Unanswered::Unsent("nobody here speaks on sockets".to_owned()))
    }

    fn forget_but(&self, _: &Map) {}
}
