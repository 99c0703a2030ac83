//! The socket of a table: commands in, numbered updates out. And the sign's: a meter, as it
//! climbs.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{
    CloseCode, CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::response::Response;
use axum::routing::get;
use craps::Seat;
use futures_util::SinkExt;
use governor::DefaultDirectRateLimiter;
use serde::Deserialize;
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout};

use super::extract::{Anyone, Path, Query, object};
use super::tables::busy;
use super::{App, Shared};
use crate::access::Person;
use crate::auth::Ended;
use crate::id::{MeterId, TableId};
use crate::log::Hash;
use crate::meters::MeterHandle;
use crate::problem::Problem;
use crate::room::{Asked, Client, Note, Reply, RoomHandle};
use crate::wire::{Ask, FromClient, FromServer, Shown};

/// The longest frame a client may send.
const FRAME: usize = 16 * 1_024;
/// So many frames may wait for a client before it is let go.
const QUEUE: usize = 256;
/// So many frames that make no sense, and the socket ends.
const PATIENCE: u32 = 20;
/// A client that has said nothing for this long, not even to a ping, is gone.
const SILENCE: Duration = Duration::from_secs(60);
const PING: Duration = Duration::from_secs(20);
/// A frame that does not leave in this time never will.
const WRITE: Duration = Duration::from_secs(10);
/// What a socket ends with where its session has ended: it is no use to come again.
const LOGGED_OUT: Ending = (4001, "you have been logged out");
const BEHIND: Ending = (close_code::AWAY, "you fell too far behind, come again");
const STOPPING: Ending = (close_code::AWAY, "the server is shutting down, come again");
const SENSELESS: Ending = (close_code::AWAY, "nothing you say makes sense");
const MANY: &str = "too many commands at once, wait a moment";

/// How a socket ends: the code, and why in words.
type Ending = (CloseCode, &'static str);

pub(super) fn router() -> Router<Arc<App>> {
    Router::new()
        .route("/api/tables/{id}/socket", get(table))
        .route("/api/meters/{id}/socket", get(meter))
}

#[derive(Deserialize)]
struct After {
    after: Option<u64>,
}

async fn table(
    State(app): Shared,
    Path(id): Path<String>,
    Query(After { after }): Query<After>,
    Anyone(who): Anyone,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let table: TableId =
        id.parse().map_err(|error| Problem::not_found(format!("table: {error}")))?;
    let room = app.house.room(table).await?;
    let upgrade = upgraded(upgrade)?;
    Ok(upgrade.on_upgrade(move |socket| async move {
        metrics::gauge!("boxman_sockets").increment(1.0);
        Connection::new(app, room, who, socket).run(after).await;
        metrics::gauge!("boxman_sockets").decrement(1.0);
    }))
}

fn upgraded(
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<WebSocketUpgrade, Problem> {
    let upgrade = upgrade.map_err(|rejection| {
        Problem::new(rejection.status().as_u16(), "not-a-socket", rejection.body_text())
    })?;
    Ok(upgrade
        .max_message_size(FRAME)
        .max_frame_size(FRAME)
        .read_buffer_size(4 * 1_024)
        // Frames that wait together leave together.
        .write_buffer_size(32 * 1_024)
        .max_write_buffer_size(1_024 * 1_024))
}

/// Somebody at a table.
struct Connection {
    app: Arc<App>,
    room: RoomHandle,
    who: Option<(Hash, Arc<Person>)>,
    socket: WebSocket,
    id: u64,
    frames: mpsc::Sender<Utf8Bytes>,
    queue: mpsc::Receiver<Utf8Bytes>,
    limiter: DefaultDirectRateLimiter,
    senseless: u32,
    heard: Instant,
}

impl Connection {
    fn new(
        app: Arc<App>,
        room: RoomHandle,
        who: Option<(Hash, Arc<Person>)>,
        socket: WebSocket,
    ) -> Connection {
        let (frames, queue) = mpsc::channel(QUEUE);
        let id = app.sockets.fetch_add(1, Ordering::Relaxed);
        let limiter = app.guard.socket();
        let heard = Instant::now();
        Connection { app, room, who, socket, id, frames, queue, limiter, senseless: 0, heard }
    }

    async fn run(mut self, after: Option<u64>) {
        let person = self.who.as_ref().map(|(_, person)| Arc::clone(person));
        let client = Client { id: self.id, person, frames: self.frames.clone() };
        self.room.tell(Note::Join { client, after });
        let mut ended = self.app.door.ended();
        let mut stopping = self.app.stopping.clone();
        let mut ping = tokio::time::interval(PING);
        let ending = loop {
            tokio::select! {
                frame = self.queue.recv() => match frame {
                    Some(frame) => if !self.write(frame).await { break None },
                    None => break Some(BEHIND),
                },
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => {
                        self.heard = Instant::now();
                        if let Some(ending) = self.read(message) {
                            break ending;
                        }
                    }
                    _ => break None,
                },
                end = ended.recv() => if self.is_over(end) {
                    break Some(LOGGED_OUT);
                },
                _ = stopping.changed() => break Some(STOPPING),
                // The first comes at once: a session may have ended before we listened for it.
                _ = ping.tick() => {
                    if self.heard.elapsed() > SILENCE || !self.ping().await {
                        break None;
                    }
                    if !self.is_welcome().await {
                        break Some(LOGGED_OUT);
                    }
                }
            }
            // The room holds a second end of the queue while it still wants us.
            if self.frames.strong_count() < 2 && self.queue.is_empty() {
                break Some(BEHIND);
            }
        };
        self.room.tell(Note::Gone(self.id));
        if let Some((code, reason)) = ending {
            let frame = CloseFrame { code, reason: reason.into() };
            // It may not be there to hear it.
            let _ = timeout(WRITE, self.socket.send(Message::Close(Some(frame)))).await;
        }
    }

    /// Writes a frame and whatever else waits, and hands it all over at once.
    async fn write(&mut self, first: Utf8Bytes) -> bool {
        let socket = &mut self.socket;
        let queue = &mut self.queue;
        let all = async {
            socket.feed(Message::Text(first)).await?;
            while let Ok(frame) = queue.try_recv() {
                socket.feed(Message::Text(frame)).await?;
            }
            socket.flush().await
        };
        matches!(timeout(WRITE, all).await, Ok(Ok(())))
    }

    async fn ping(&mut self) -> bool {
        let sent = timeout(WRITE, self.socket.send(Message::Ping(Vec::new().into()))).await;
        matches!(sent, Ok(Ok(())))
    }

    /// Whether the session has not run out. A store that is down does not end any.
    async fn is_welcome(&mut self) -> bool {
        match &self.who {
            Some((token, _)) => self.app.door.is_good(*token).await.unwrap_or(true),
            None => true,
        }
    }

    fn is_over(&self, end: Result<Ended, tokio::sync::broadcast::error::RecvError>) -> bool {
        let Some((token, person)) = &self.who else { return false };
        match end {
            Ok(Ended::Session(ended)) => ended == *token,
            Ok(Ended::Person(ended)) => ended == person.id,
            // Too many ended at once to name them: better one login too many than one too few.
            Err(_) => true,
        }
    }

    /// Takes a frame from the client; says how the socket ends, where it does.
    fn read(&mut self, message: Message) -> Option<Option<Ending>> {
        match message {
            Message::Text(text) => self.take(&text),
            Message::Binary(_) => self.complain("send text, not binary"),
            Message::Close(_) => return Some(None),
            Message::Ping(_) | Message::Pong(_) => {}
        }
        (self.senseless > PATIENCE).then_some(Some(SENSELESS))
    }

    fn take(&mut self, text: &str) {
        match decode(text) {
            Ok(FromClient::Command { id, command }) => {
                let ask = Ask { id, command };
                let reply = Reply::Socket(self.frames.clone(), ask.id.clone());
                if self.limiter.check().is_err() {
                    return reply.send(Err(Problem::too_many(MANY)));
                }
                let Some((_, person)) = &self.who else {
                    return reply.send(Err(Problem::nobody()));
                };
                let asked = Asked { who: Arc::clone(person), ask, reply };
                if let Err(refused) = self.room.ask(asked) {
                    refused.reply.send(Err(busy()));
                }
            }
            Ok(FromClient::Resume { after }) => {
                // Each may have the whole table written out.
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                self.room.tell(Note::Resume { client: self.id, after });
            }
            Ok(FromClient::Offers { seat }) => {
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                self.room.tell(Note::OffersTo { client: self.id, seat: Seat(seat) });
            }
            Err(reason) => self.complain(&reason),
        }
    }

    fn complain(&mut self, reason: &str) {
        self.senseless += 1;
        self.say(Problem::malformed(reason));
    }

    fn say(&self, problem: Problem) {
        let frame = serde_json::to_string(&FromServer::Problem { problem });
        if let Ok(frame) = frame {
            // Where there is no room for it, the client does not listen anyway.
            let _ = self.frames.try_send(frame.into());
        }
    }
}

/// Reads a frame from a client.
pub fn decode(text: &str) -> Result<FromClient, String> {
    let senseless = |reason: String| format!("that frame makes no sense: {reason}");
    let text = object(text.as_bytes()).ok_or_else(|| senseless("send a JSON object".to_owned()))?;
    serde_json::from_slice(text).map_err(|error| senseless(error.to_string()))
}

async fn meter(
    State(app): Shared,
    Path(id): Path<String>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let id: MeterId = id.parse().map_err(|error| Problem::not_found(format!("meter: {error}")))?;
    let meter = app.house.open_meter(&id).await;
    let meter = meter.ok_or_else(|| Problem::not_found(format!("meter {id}")))?;
    let upgrade = upgraded(upgrade)?;
    Ok(upgrade.on_upgrade(move |socket| sign(app, meter, socket)))
}

/// A sign shows what the meter would pay, at most four times a second.
async fn sign(app: Arc<App>, mut meter: MeterHandle, mut socket: WebSocket) {
    let mut stopping = app.stopping.clone();
    let mut ping = tokio::time::interval(PING);
    meter.view.mark_changed();
    loop {
        tokio::select! {
            changed = meter.view.changed() => {
                if changed.is_err() {
                    break;
                }
                let view = meter.view.borrow_and_update().clone();
                // A sign hangs on a wall.
                let meter = view.to_strangers();
                let text = serde_json::to_string(&FromServer::Meter { meter });
                let Ok(text) = text else { break };
                let sent = timeout(WRITE, socket.send(Message::Text(text.into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(250)).await;
            }
            message = socket.recv() => if !matches!(message, Some(Ok(_))) {
                break;
            },
            _ = stopping.changed() => break,
            _ = ping.tick() => {
                let sent = timeout(WRITE, socket.send(Message::Ping(Vec::new().into()))).await;
                if !matches!(sent, Ok(Ok(()))) {
                    break;
                }
            }
        }
    }
}
