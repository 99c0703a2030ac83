//! The doors: connections are taken in, given their time, and counted.
//!
//! Nobody holds a connection for ever by doing nothing with it. There are at most so many, fewer
//! than the system has descriptors for, so that the store always finds one. Where all are taken,
//! whoever comes next is still heard: of the address that has most connections which are no
//! sockets the oldest are cut off, whatever they have half asked for; and where all are sockets,
//! somebody who only watches makes room.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};
use tokio_rustls::TlsAcceptor;

use crate::household::household;
use crate::http::{Crowd, Limits};

/// So many descriptors are left for the store, the log and the rest of the program.
const SPARE: u64 = 64;
/// After a failure to accept, such as no descriptor left, the next attempt is made this late.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// Somebody who was told to make room has this long before another is told.
const MAKE_ROOM: Duration = Duration::from_millis(500);
/// An answer that is under way has this long to leave, where room is needed.
const LAST_WORD: Duration = Duration::from_millis(100);
/// Of so many connections one is ended at a time, so that a flood is not let go one by one.
const A_FEW: usize = 64;

/// A node proves who it is in this time.
const HANDSHAKE: Duration = Duration::from_secs(2);

/// Everybody who is connected.
struct Lines {
    router: TowerToHyperService<Router>,
    /// How long the head of a request may take to come; also how long a connection may lie idle
    /// between two, and how long nobody may read what was answered.
    idle: Duration,
    places: Arc<Semaphore>,
    most: usize,
    crowd: Arc<Crowd>,
    /// Connections that are not sockets, in the order they came.
    plain: Mutex<BTreeMap<u64, Arc<Plain>>>,
}

/// A connection that is no socket, or not yet.
struct Plain {
    /// Whose it is.
    from: IpAddr,
    /// Whether it has asked for anything.
    asked: AtomicBool,
    /// It is to end after the answer that is under way.
    end: Notify,
    /// And soon: others need the room.
    hurry: AtomicBool,
}

/// Takes connections in, at most so many at once, until `stop` comes. Those that are there are
/// served until everything is `drained`; returns when the last has ended.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    most: u32,
    crowd: Arc<Crowd>,
    stop: impl Future<Output = ()>,
    drained: impl Future<Output = ()>,
) {
    let lines = Arc::new(Lines {
        router: TowerToHyperService::new(router),
        idle: limits.idle,
        places: Arc::new(Semaphore::new(most as usize)),
        most: most as usize,
        crowd,
        plain: Mutex::default(),
    });
    let mut stop = pin!(stop);
    let mut number = 0;
    loop {
        let taken = async {
            let (stream, peer) = accept(&listener).await;
            (stream, peer, lines.place().await)
        };
        let (stream, peer, place) = tokio::select! {
            taken = taken => taken,
            () = &mut stop => break,
        };
        number += 1;
        let line = Connection { stream, idle: lines.idle, stuck: None, _place: place };
        tokio::spawn(Arc::clone(&lines).serve(number, line, peer));
    }
    // Whoever comes now goes to another node, and does not have to leave it again in a moment.
    drop(listener);
    drained.await;
    for plain in std::mem::take(&mut *lines.plain()).into_values() {
        plain.end.notify_one();
    }
    // Sockets have been told by other means; they hold their places until they have ended.
    let _ = lines.places.acquire_many(most).await;
}

/// Takes connections in from other nodes, which prove who they are, for as long as it is asked to.
pub(crate) async fn listen_to_nodes(listener: TcpListener, acceptor: TlsAcceptor, router: Router) {
    let router = TowerToHyperService::new(router);
    loop {
        let (stream, peer) = accept(&listener).await;
        let (acceptor, router) = (acceptor.clone(), router.clone());
        tokio::spawn(async move {
            let _ = stream.set_nodelay(true);
            let stream = match timeout(HANDSHAKE, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => stream,
                Ok(Err(error)) => return tracing::warn!(%peer, %error, "that was no node"),
                Err(_) => return tracing::warn!(%peer, "a node said nothing"),
            };
            let serving = http1::Builder::new().serve_connection(TokioIo::new(stream), router);
            if let Err(error) = serving.with_upgrades().await {
                tracing::debug!(%error, %peer, "a line from another node ended");
            }
        });
    }
}

/// The next connection. Running out of descriptors is no reason to give up: some will end.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    let mut failing = false;
    loop {
        match listener.accept().await {
            Ok(taken) => return taken,
            // Whoever it was has hung up already.
            Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
            Err(error) => {
                if !failing {
                    tracing::error!(%error, "connections have to wait");
                }
                failing = true;
                sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

impl Lines {
    /// A place for one more connection; somebody makes room where there is none.
    async fn place(&self) -> OwnedSemaphorePermit {
        loop {
            let place = Arc::clone(&self.places).acquire_owned();
            if self.places.available_permits() == 0 && !self.make_room() {
                self.crowd.make_room();
            }
            // The places are never closed.
            if let Ok(Ok(place)) = timeout(MAKE_ROOM, place).await {
                return place;
            }
        }
    }

    /// Has some connections end that are no sockets: the oldest of whoever has most of them. Says
    /// whether there were any.
    fn make_room(&self) -> bool {
        let mut all = self.plain();
        let mut held: HashMap<IpAddr, (usize, Reverse<u64>)> = HashMap::new();
        for (number, plain) in all.iter() {
            held.entry(plain.from).or_insert((0, Reverse(*number))).0 += 1;
        }
        let Some((crowded, _)) = held.into_iter().max_by_key(|(_, held)| *held) else {
            return false;
        };
        let theirs = all.iter().filter(|(_, plain)| plain.from == crowded);
        let going: Vec<u64> =
            theirs.map(|(number, _)| *number).take(1 + self.most / A_FEW).collect();
        for plain in going.iter().filter_map(|number| all.remove(number)) {
            plain.hurry.store(true, Ordering::Relaxed);
            plain.end.notify_one();
        }
        true
    }

    fn plain(&self) -> std::sync::MutexGuard<'_, BTreeMap<u64, Arc<Plain>>> {
        self.plain.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Serves a connection until it ends or becomes a socket.
    async fn serve(self: Arc<Lines>, number: u64, line: Connection, peer: SocketAddr) {
        // What is answered goes out at once: an update and the answer after it are two small
        // packets, and the second would wait until the first has been acknowledged.
        if let Err(error) = line.stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection will be slow");
        }
        let plain = Arc::new(Plain {
            from: household(peer.ip()),
            asked: AtomicBool::new(false),
            end: Notify::new(),
            hurry: AtomicBool::new(false),
        });
        self.plain().insert(number, Arc::clone(&plain));
        if let Err(error) = self.answer(&plain, line, peer).await {
            tracing::debug!(%error, %peer, "a connection ended");
        }
        self.plain().remove(&number);
    }

    /// Answers requests.
    async fn answer(&self, plain: &Plain, line: Connection, peer: SocketAddr) -> hyper::Result<()> {
        let answer = service_fn(|mut request: hyper::Request<Incoming>| {
            plain.asked.store(true, Ordering::Relaxed);
            request.extensions_mut().insert(ConnectInfo(peer));
            self.router.call(request)
        });
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(self.idle);
        let mut serving = pin!(http.serve_connection(TokioIo::new(line), answer).with_upgrades());
        tokio::select! {
            ended = serving.as_mut() => return ended,
            () = plain.end.notified() => {}
        }
        // One that has not asked for anything is cut off: nothing is lost.
        if !plain.asked.load(Ordering::Relaxed) {
            return Ok(());
        }
        serving.as_mut().graceful_shutdown();
        match plain.hurry.load(Ordering::Relaxed) {
            true => timeout(LAST_WORD, serving).await.unwrap_or(Ok(())),
            false => serving.await,
        }
    }
}

/// How many connections there may be: as many as are wanted, or as the system has descriptors
/// for. At a node among others each may need a second one, to the node that has its table, and
/// others pass on as many of theirs.
#[cfg(unix)]
pub(crate) fn connections(wanted: u32, among_others: bool) -> u32 {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let each = if among_others { 3 } else { 1 };
    let needed = each * u64::from(wanted) + SPARE;
    if limit.current.is_some_and(|current| current < needed) {
        // Everybody may ask for more, up to what the operator set as the most.
        let most = limit.maximum.map_or(needed, |maximum| maximum.min(needed));
        let more = rustix::process::Rlimit { current: Some(most), ..limit };
        if setrlimit(Resource::Nofile, more).is_ok() {
            limit = more;
        }
    }
    let most = limit.current.map_or(needed, |current| current.min(needed));
    // A program that has next to none serves a few rather than nobody.
    let most = (most.saturating_sub(SPARE) / each).max(8).min(wanted.into());
    if most < u64::from(wanted) {
        tracing::warn!(connections = most, wanted, "more descriptors would allow more connections");
    }
    u32::try_from(most).unwrap_or(wanted)
}

#[cfg(not(unix))]
pub(crate) fn connections(wanted: u32, _among_others: bool) -> u32 {
    wanted
}

/// A connection's bytes. It keeps the place for as long as they flow, also as a socket, and ends
/// where nobody takes what is written.
struct Connection {
    stream: TcpStream,
    idle: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
    _place: OwnedSemaphorePermit,
}

impl Connection {
    fn in_time<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let until = Instant::now() + self.idle;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(sleep_until(until)));
        stuck.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
