//! The socket of a table: commands in, numbered updates out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{
    CloseCode, CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code,
};
use axum::extract::{Extension, State};
use axum::response::Response;
use axum::routing::get;
use craps::{Refusal, Seat};
use futures_util::stream::{self, SelectAll, Stream};
use futures_util::{SinkExt, StreamExt};
use governor::DefaultDirectRateLimiter;
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until, timeout};

use super::crowd::{Place, Standing};
use super::extract::{Anyone, Path, Query, object};
use super::guard::Address;
use super::tables::{booked_roll, busy};
use super::{App, Shared};
use crate::access::Person;
use crate::ask::{Ask, Command};
use crate::auth::Ended;
use crate::hash::Hash;
use crate::id::TableId;
use crate::problem::Problem;
use crate::room::{Asked, Client, Reply, RoomHandle, Tick, Visit};
use crate::wire::{Cheer, Frame, FromClient, FromServer};

/// The longest frame a client may send.
const FRAME: usize = 16 * 1_024;
/// So many frames may wait for a client before it is let go.
const QUEUE: usize = 256;
/// So many frames that make no sense, and the socket ends.
pub(super) const PATIENCE: u32 = 20;
/// A frame that does not leave in this time never will.
pub(super) const WRITE: Duration = Duration::from_secs(10);
/// The last word has this long to leave, and the other end this long to hear it.
const LAST_WORD: Duration = Duration::from_secs(2);
const GOODBYE: Duration = Duration::from_millis(250);
/// A client is told what it missed, or everything, this often at most.
const CATCH_UP: Duration = Duration::from_secs(1);
/// So many ticks of work lists may wait for the room.
const TICKS: usize = 256;
const MANY: &str = "too many commands at once, wait a moment";

/// How a socket ends: the code, and why in words.
pub(super) type Ending = (CloseCode, &'static str);

/// What a socket ends with where its session has ended: it is no use to come again.
pub(super) const LOGGED_OUT: Ending = (4001, "you have been logged out");
/// And where there are too many who watch: it is no use to come again at once.
pub(super) const NO_ROOM: Ending = (4002, "too many watch, come again later");
pub(super) const MADE_ROOM: Ending = (4002, "you made room for somebody else, come again later");
const BEHIND: Ending = (close_code::AWAY, "you fell too far behind, come again");
pub(super) const STOPPING: Ending = (close_code::AWAY, "the server is shutting down, come again");
pub(super) const SENSELESS: Ending = (close_code::AWAY, "nothing you say makes sense");
pub(super) const SILENT: Ending = (close_code::AWAY, "you said nothing for too long, come again");
const TOO_LONG: Ending = (close_code::SIZE, "a frame has at most 16 KB");
const NO_FRAME: Ending = (close_code::PROTOCOL, "that was no frame");

pub(super) fn router() -> Router<Arc<App>> {
    Router::new().route("/api/tables/{id}/socket", get(table))
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
    Extension(Address(address)): Extension<Address>,
    upgrade: Upgrade,
) -> Result<Response, Problem> {
    let table: TableId =
        id.parse().map_err(|error| Problem::not_found(format!("table: {error}")))?;
    let room = app.house.room(table).await?;
    let upgrade = upgraded(upgrade)?;
    let person = who.as_ref().map(|(_, person)| &**person);
    let standing = Standing::of(person, |id| room.is_seated(id));
    let person = person.map(|person| person.id.clone());
    let place = app.crowd.enter(address, Some(table), person, standing);
    Ok(upgrade.on_upgrade(move |socket| async move {
        let Some(place) = place else { return hang_up(socket, Some(NO_ROOM)).await };
        metrics::gauge!("boxman_sockets").increment(1.0);
        Connection::new(app, room, who, place, socket).run(after).await;
        metrics::gauge!("boxman_sockets").decrement(1.0);
    }))
}

pub(super) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

pub(super) fn upgraded(upgrade: Upgrade) -> Result<WebSocketUpgrade, Problem> {
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

/// How a socket ends from which nothing can be read any more.
pub(super) fn failed(error: axum::Error) -> Option<Ending> {
    use tungstenite::Error;
    match error.into_inner().downcast_ref()? {
        Error::Capacity(_) => Some(TOO_LONG),
        Error::Protocol(_) | Error::Utf8(_) => Some(NO_FRAME),
        _ => None,
    }
}

/// Says why, and gives the other end a moment to hear it: what lies unread would cut it off.
pub(super) async fn hang_up(mut socket: WebSocket, ending: Option<Ending>) {
    let Some((code, reason)) = ending else {
        // The other end may have said goodbye, and waits for ours.
        let _ = timeout(GOODBYE, socket.flush()).await;
        return;
    };
    let frame = CloseFrame { code, reason: reason.into() };
    // It may not be there to hear it.
    let _ = timeout(LAST_WORD, socket.send(Message::Close(Some(frame)))).await;
    let rest = async {
        while let Some(Ok(_)) = socket.recv().await {}
        if ending == Some(TOO_LONG) {
            // The rest of it cannot be read.
            std::future::pending::<()>().await;
        }
    };
    let _ = timeout(GOODBYE, rest).await;
}

/// What a client wants to be told again. It waits for its turn: a client has one visit in the
/// room at a time, and what it wants meanwhile is put together.
struct Wants {
    /// The last record seen.
    after: Option<u64>,
    /// When the next catch-up may be asked for.
    not_before: Instant,
    /// Seats whose offers are wanted, a bit each.
    seats: u32,
    /// Seats of which is asked what the next roll would do, a bit each.
    if_it_rolls: u32,
    /// What is to be called to everybody.
    cheer: Option<Cheer>,
    /// Items of work lists that were ticked off, or whose tick was taken away.
    ticks: Vec<Tick>,
    /// Whether the worst roll is wanted.
    worst_roll: bool,
    turn: Arc<Semaphore>,
}

impl Wants {
    fn new() -> Wants {
        let turn = Arc::new(Semaphore::new(1));
        Wants {
            after: None,
            not_before: Instant::now(),
            seats: 0,
            if_it_rolls: 0,
            cheer: None,
            ticks: Vec::new(),
            worst_roll: false,
            turn,
        }
    }

    fn catch_up(&mut self, after: u64) {
        // Whoever asks for this and for that is sent everything.
        let other = self.after.is_some_and(|before| before != after);
        self.after = Some(if other { u64::MAX } else { after });
    }

    fn offers(&mut self, seat: u8) -> Result<(), Problem> {
        self.seats |= bit(seat)?;
        Ok(())
    }

    fn if_it_rolls(&mut self, seat: u8) -> Result<(), Problem> {
        self.if_it_rolls |= bit(seat)?;
        Ok(())
    }

    fn any(&self) -> bool {
        self.after.is_some() || self.is_quick()
    }

    /// Whether anything is wanted that need not wait.
    fn is_quick(&self) -> bool {
        let told = self.seats != 0 || self.if_it_rolls != 0 || self.worst_roll;
        told || self.cheer.is_some() || !self.ticks.is_empty()
    }

    /// A turn and a place in the room, when both are there; none where the room is gone.
    async fn next(
        &self,
        room: &RoomHandle,
    ) -> Option<(OwnedSemaphorePermit, mpsc::OwnedPermit<Visit>)> {
        let turn = Arc::clone(&self.turn).acquire_owned().await.ok()?;
        if !self.is_quick() {
            sleep_until(self.not_before).await;
        }
        Some((turn, room.place().await?))
    }

    /// What is asked for next. Offers come first: they cost little, and people bet by them.
    fn visit(
        &mut self,
        client: u64,
        who: Option<&Arc<Person>>,
        turn: OwnedSemaphorePermit,
    ) -> Option<Visit> {
        if self.seats != 0 {
            let seat = self.seats.trailing_zeros() as u8;
            self.seats &= self.seats - 1;
            return Some(Visit::OffersTo { client, seat: Seat(seat), turn });
        }
        if self.if_it_rolls != 0 {
            let seat = self.if_it_rolls.trailing_zeros() as u8;
            self.if_it_rolls &= self.if_it_rolls - 1;
            return Some(Visit::IfItRollsTo { client, seat: Seat(seat), turn });
        }
        if !self.ticks.is_empty() {
            let ticks = std::mem::take(&mut self.ticks);
            return Some(Visit::Tick { client, who: who.cloned(), ticks, turn });
        }
        if std::mem::take(&mut self.worst_roll) {
            return Some(Visit::WorstRollTo { client, turn });
        }
        if let Some(cheer) = self.cheer.take() {
            return Some(Visit::Cheer { client, who: who.cloned(), cheer, turn });
        }
        let after = self.after.take()?;
        self.not_before = Instant::now() + CATCH_UP;
        Some(Visit::Resume { client, after, turn })
    }
}

/// A seat as a bit.
fn bit(seat: u8) -> Result<u32, Problem> {
    match usize::from(seat) < Seat::COUNT {
        true => Ok(1 << seat),
        false => Err(Refusal::NoSuchSeat.into()),
    }
}

/// What seldom happens to a socket.
enum Seldom {
    /// Somebody's session ended, or many have.
    Ended(Result<Ended, RecvError>),
    /// The server stops.
    Stopping,
    /// Somebody else needs the place.
    Needed,
    /// People sat down or left; not where the room is gone.
    Seated(bool),
    /// It is time to ask whether anybody is there.
    Ping,
}

/// Somebody at a table.
struct Connection {
    app: Arc<App>,
    room: RoomHandle,
    who: Option<(Hash, Arc<Person>)>,
    place: Place,
    socket: WebSocket,
    id: u64,
    frames: mpsc::Sender<Frame>,
    queue: mpsc::Receiver<Frame>,
    wants: Wants,
    limiter: DefaultDirectRateLimiter,
    senseless: u32,
    heard: Instant,
}

impl Connection {
    fn new(
        app: Arc<App>,
        room: RoomHandle,
        who: Option<(Hash, Arc<Person>)>,
        place: Place,
        socket: WebSocket,
    ) -> Connection {
        let (frames, queue) = mpsc::channel(QUEUE);
        let id = app.sockets.fetch_add(1, Ordering::Relaxed);
        let limiter = app.guard.socket();
        let (wants, heard) = (Wants::new(), Instant::now());
        Connection {
            app,
            room,
            who,
            place,
            socket,
            id,
            frames,
            queue,
            wants,
            limiter,
            senseless: 0,
            heard,
        }
    }

    async fn run(mut self, after: Option<u64>) {
        let ending = match self.join(after).await {
            Ok(()) => self.play().await,
            Err(ending) => Some(ending),
        };
        // The room sees that we are gone.
        drop((self.queue, self.place));
        hang_up(self.socket, ending).await;
    }

    async fn join(&mut self, after: Option<u64>) -> Result<(), Ending> {
        let person = self.who.as_ref().map(|(_, person)| Arc::clone(person));
        let client = Client { id: self.id, person, frames: self.frames.clone() };
        let mut stopping = self.app.stopping.clone();
        tokio::select! {
            place = self.room.place() => {
                place.ok_or(BEHIND)?.send(Visit::Join { client, after });
                Ok(())
            }
            _ = stopping.changed() => Err(STOPPING),
        }
    }

    /// What seldom happens. It is waited for apart from the frames: there are thousands of those
    /// a second, and none of them asks for this anew.
    fn seldom(&self) -> SelectAll<impl Stream<Item = Seldom> + Unpin + use<>> {
        let ended = self.app.door.ended();
        let stopping = self.app.stopping.clone();
        let seated = self.room.seated();
        let needed = Box::pin(self.place.needed());
        // The first comes at once: a session may have ended before we listened for it.
        let ping = tokio::time::interval(self.app.guard.limits.silence / 3);
        let all = (ended, stopping, seated, needed, ping);
        let all = stream::unfold(all, async |mut all| {
            let (ended, stopping, seated, needed, ping) = &mut all;
            let what = tokio::select! {
                end = ended.recv() => Seldom::Ended(end),
                _ = stopping.changed() => Seldom::Stopping,
                () = needed => Seldom::Needed,
                changed = seated.changed() => Seldom::Seated(changed.is_ok()),
                _ = ping.tick() => Seldom::Ping,
            };
            Some((what, all))
        });
        stream::select_all([Box::pin(all)])
    }

    /// Carries frames in and out until the socket ends; says how it does.
    async fn play(&mut self) -> Option<Ending> {
        let mut seldom = self.seldom();
        loop {
            tokio::select! {
                frame = self.queue.recv() => if !self.write(frame?).await {
                    return None;
                },
                message = self.socket.recv() => match message? {
                    Ok(message) => {
                        self.heard = Instant::now();
                        if let Some(ending) = self.read(message) {
                            return ending;
                        }
                    }
                    Err(error) => return failed(error),
                },
                next = self.wants.next(&self.room), if self.wants.any() => {
                    let Some((turn, place)) = next else { return Some(BEHIND) };
                    let who = self.who.as_ref().map(|(_, person)| person);
                    if let Some(visit) = self.wants.visit(self.id, who, turn) {
                        place.send(visit);
                    }
                }
                Some(what) = seldom.next() => if let Some(ending) = self.notice(what).await {
                    return ending;
                }
            }
            // The room holds a second end of the queue while it still wants us.
            if self.frames.strong_count() < 2 && self.queue.is_empty() {
                return Some(BEHIND);
            }
        }
    }

    /// Takes notice of what seldom happens; says how the socket ends, where it does.
    async fn notice(&mut self, what: Seldom) -> Option<Option<Ending>> {
        let ending = match what {
            Seldom::Ended(end) => self.is_over(end).then_some(LOGGED_OUT),
            Seldom::Stopping => Some(STOPPING),
            Seldom::Needed => Some(MADE_ROOM),
            Seldom::Seated(false) => Some(BEHIND),
            Seldom::Seated(true) => (!self.place.stand_as(self.standing())).then_some(MADE_ROOM),
            Seldom::Ping if self.heard.elapsed() > self.app.guard.limits.silence => Some(SILENT),
            Seldom::Ping if !self.ping().await => return Some(None),
            Seldom::Ping => (!self.is_welcome().await).then_some(LOGGED_OUT),
        };
        ending.map(Some)
    }

    fn standing(&self) -> Standing {
        let person = self.who.as_ref().map(|(_, person)| &**person);
        Standing::of(person, |id| self.room.is_seated(id))
    }

    /// Writes a frame and whatever else waits, and hands it all over at once.
    async fn write(&mut self, first: Frame) -> bool {
        let socket = &mut self.socket;
        let queue = &mut self.queue;
        let all = async {
            socket.feed(text(first)).await?;
            while let Ok(frame) = queue.try_recv() {
                socket.feed(text(frame)).await?;
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

    fn is_over(&mut self, end: Result<Ended, RecvError>) -> bool {
        let Some((token, person)) = &mut self.who else { return false };
        match end {
            Ok(Ended::Session(ended)) => ended == *token,
            Ok(Ended::Person(ended)) => ended == person.id,
            Ok(Ended::Renamed(renamed)) => {
                if renamed.id == person.id {
                    *person = renamed;
                }
                false
            }
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
            Ok(FromClient::Command { id, round, until, command }) => {
                let ask = Ask { id, round, until: until.map(Box::new), command };
                let reply = Reply::Socket(self.frames.clone(), ask.id.clone());
                if self.limiter.check().is_err() {
                    return reply.send(Err(Problem::too_many(MANY)));
                }
                let Some((_, person)) = &self.who else {
                    return reply.send(Err(Problem::nobody()));
                };
                let asked = Asked { who: Arc::clone(person), ask, roll: None, reply };
                if matches!(asked.ask.command, Command::Mend { .. }) {
                    // Reading the roll back takes a while, and nothing else waits for it.
                    let (app, room) = (Arc::clone(&self.app), self.room.clone());
                    tokio::spawn(ask_with_roll(app, room, asked));
                } else if let Err(refused) = self.room.ask(asked) {
                    refused.reply.send(Err(busy()));
                }
            }
            Ok(FromClient::Resume { after }) => {
                // Each may have the whole table written out.
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                self.wants.catch_up(after);
            }
            Ok(FromClient::Offers { seat }) => {
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                if let Err(problem) = self.wants.offers(seat) {
                    self.say(problem);
                }
            }
            Ok(FromClient::IfItRolls { seat }) => {
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                if let Err(problem) = self.wants.if_it_rolls(seat) {
                    self.say(problem);
                }
            }
            Ok(FromClient::Tick { list, item, on }) => {
                if self.limiter.check().is_err() || self.wants.ticks.len() >= TICKS {
                    return self.say(Problem::too_many(MANY));
                }
                self.wants.ticks.push(Tick { list, item, on });
            }
            Ok(FromClient::WorstRoll {}) => {
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                self.wants.worst_roll = true;
            }
            Ok(FromClient::Cheer { cheer }) => {
                if self.limiter.check().is_err() {
                    return self.say(Problem::too_many(MANY));
                }
                self.wants.cheer = Some(cheer);
            }
            Err(reason) => self.complain(&reason),
        }
    }

    fn complain(&mut self, reason: &str) {
        self.senseless += 1;
        self.say(Problem::malformed(reason));
    }

    fn say(&self, problem: Problem) {
        // Where there is no room for it, the client does not listen anyway.
        let _ = self.frames.try_send(Frame::of(&FromServer::Problem { problem }));
    }
}

/// Asks the room for a mend, with the roll that it is about.
async fn ask_with_roll(app: Arc<App>, room: RoomHandle, asked: Asked) {
    match booked_roll(&app, &room, &asked.who, &asked.ask.command).await {
        Ok(roll) => {
            if let Err(refused) = room.ask(Asked { roll, ..asked }) {
                refused.reply.send(Err(busy()));
            }
        }
        Err(problem) => asked.reply.send(Err(problem)),
    }
}

/// A frame as the socket takes it.
pub(super) fn text(frame: Frame) -> Message {
    Message::Text(Utf8Bytes::try_from(Bytes::from(frame)).expect("JSON is text"))
}

/// Reads a frame from a client.
pub fn decode(text: &str) -> Result<FromClient, String> {
    let senseless = |reason: String| format!("that frame makes no sense: {reason}");
    let text = object(text.as_bytes()).ok_or_else(|| senseless("send a JSON object".to_owned()))?;
    serde_json::from_slice(text).map_err(|error| senseless(error.to_string()))
}
