//! A request that comes to the wrong node is passed on to the one that has the table, the meter or
//! the door. Whoever asks notices nothing, but for a moment while a table changes hands: until
//! somebody has it again, the request waits here and is sent to them.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::time::{Instant, timeout};

use super::App;
use super::guard::Address;
use crate::link::{Link, Map, Owner, Unanswered};
use crate::log::Stream;
use crate::pit::Pit;
use crate::problem::Problem;
use crate::store::{Identity, NodeRow, Pits};

/// Where a relayed request comes from.
pub(super) const ADDRESS: HeaderName = HeaderName::from_static("x-boxman-address");
/// The code of a problem, for the node that relays it.
const CODE: HeaderName = HeaderName::from_static("x-boxman-code");
/// Who has what was asked for, as far as the node knows that had it: others would find out with
/// their next beat.
const OWNER: HeaderName = HeaderName::from_static("x-boxman-owner");
/// So long a request waits for somebody to have its table.
const PATIENCE: Duration = Duration::from_secs(6);
/// And looks again this soon, and later each time, up to this.
const PACE: Duration = Duration::from_millis(10);
const SLOWEST: Duration = Duration::from_millis(40);
/// So long another node may take to answer.
const ANSWER: Duration = Duration::from_secs(30);
/// The last frame of a socket whose owner has not said why it ends: close, 1001. Where it falls
/// into the middle of another, that one is broken off as it would have been without it.
const GOING_AWAY: [u8; 4] = [0x88, 2, 0x03, 0xe9];
/// So long it may take to say so.
const LAST_WORD: Duration = Duration::from_secs(1);
/// The most that is kept to be sent again.
const KEPT: usize = 64 * 1_024;

/// A request that another node has passed on: it is answered here or not at all.
#[derive(Clone, Copy)]
pub(super) struct Relayed;

/// The code of a problem that is answered.
#[derive(Clone)]
pub(super) struct Code(pub(super) String);

/// The pit whose owner answers a request; none where any node does.
fn place(link: &Link, method: &Method, path: &str) -> Option<Pit> {
    let mut parts = path.strip_prefix("/api/")?.splitn(3, '/');
    let (first, second) = (parts.next()?, parts.next());
    match (first, second) {
        ("tables", Some(id)) => Some(Pit::of(&Stream::Table(id.parse().ok()?))),
        ("meters", Some(id)) => Some(Pit::of(&Stream::Meter(id.parse().ok()?))),
        // Whoever has no pit cannot open a table yet.
        ("tables", None) if *method == Method::POST && link.store().pits().is_empty() => {
            Some(Pit::of(&Stream::House))
        }
        // One door for all: wrong passwords are counted wherever they are tried.
        ("login" | "setup" | "accounts", _) => Some(Pit::of(&Stream::House)),
        _ => None,
    }
}

/// Whether a request may be sent again though it may have arrived: nothing happens twice.
fn is_repeatable(method: &Method, path: &str) -> bool {
    let command = path.starts_with("/api/tables/") && path.ends_with("/commands");
    matches!(*method, Method::GET | Method::HEAD) || command
}

/// Answers here, or passes on.
pub(super) async fn relay(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let Some(link) = app.house.link().filter(|_| app.node.is_some()) else {
        return next.run(request).await;
    };
    let pit = place(link, request.method(), request.uri().path());
    let Some(pit) = pit.filter(|_| request.extensions().get::<Relayed>().is_none()) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let body = match timeout(ANSWER, axum::body::to_bytes(body, KEPT)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let large = "that is more than a request may hold";
            return Problem::new(413, "too-large", large).into_response();
        }
        Err(_) => return Problem::new(408, "too-slow", "that took too long").into_response(),
    };
    let again = is_repeatable(&parts.method, parts.uri.path());
    let until = Instant::now() + PATIENCE;
    let mut reason = "nobody has taken it over yet".to_owned();
    let mut map = link.map();
    let mut pace = PACE;
    loop {
        // What has waited here while this node slept is not passed on.
        if !link.store().is_heard() {
            return Problem::unavailable("node-silent", "this node slept, try again")
                .into_response();
        }
        let answer = match link.owner(pit) {
            Owner::Here => Ok(next.clone().run(copy(&parts, &body)).await),
            // A node that beats and is not reached from here keeps its tables: nobody waits.
            Owner::There(node) if link.is_silent(&node.identity) => {
                return unreachable(&format!("node {} does not answer", node.identity.name));
            }
            Owner::There(node) => {
                let cut = || Err(Unanswered::Cut("its owner is gone".to_owned()));
                tokio::select! {
                    biased;
                    answer = pass_on(&app, link, (&node, pit), &parts, &body) => answer,
                    // One that hangs is not waited for once another has what it had.
                    () = has_changed_hands(link, &node, pit) => cut(),
                    () = link.falls_silent(&node.identity) => cut(),
                }
            }
            Owner::Nobody => Err(Unanswered::Unsent(reason.clone())),
        };
        match answer {
            Ok(answer) if !has_moved(&answer) => return answer,
            Ok(moved) => {
                if let Some((owner, epoch)) = named_owner(&moved) {
                    link.moved(pit, &owner, epoch);
                    map.mark_unchanged();
                }
            }
            Err(Unanswered::Cut(cut)) if !again => return unreachable(&cut),
            Err(error) => reason = error.to_string(),
        }
        if Instant::now() > until {
            return unreachable(&reason);
        }
        let _ = timeout(pace, map.changed()).await;
        pace = (2 * pace).min(SLOWEST);
    }
}

fn unreachable(reason: &str) -> Response {
    let detail = format!("the node that has it cannot be reached, try again ({reason})");
    Problem::unavailable("owner-unreachable", detail).into_response()
}

/// Whether somebody else has what was asked for.
fn has_moved(answer: &Response) -> bool {
    let code = answer.extensions().get::<Code>().map(|Code(code)| code.as_str());
    let told = answer.headers().get(CODE).and_then(|code| code.to_str().ok());
    let moved = ["table-moved", "table-silent", "shutting-down", "no-such-node", "node-silent"];
    code.or(told).is_some_and(|code| moved.contains(&code))
}

/// The node that an answer names as the owner of what was asked for, and at which epoch.
fn named_owner(answer: &Response) -> Option<(Identity, i64)> {
    let named = answer.headers().get(OWNER)?.to_str().ok()?;
    let mut words = named.splitn(3, ' ');
    let (incarnation, epoch) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    Some((Identity { name: words.next()?.to_owned(), incarnation }, epoch))
}

/// Has the node that asked know who has what it asked for, where that has just gone there.
pub(super) async fn tell_owner(
    State(app): State<Arc<App>>,
    request: Request,
    next: Next,
) -> Response {
    let link = app.house.link().map(Arc::clone);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let mut answer = next.run(request).await;
    let Some(link) = link.filter(|_| has_moved(&answer)) else { return answer };
    let owner = place(&link, &method, &path).map(|pit| (link.owner(pit), pit));
    if let Some((Owner::There(node), pit)) = owner {
        let Identity { name, incarnation } = &node.identity;
        let epoch = link.map().borrow().epoch(pit);
        if let Ok(named) = HeaderValue::from_str(&format!("{incarnation} {epoch} {name}")) {
            answer.headers_mut().insert(OWNER, named);
        }
    }
    answer
}

/// The same request once more.
fn copy(parts: &Parts, body: &Bytes) -> Request {
    let mut request = Request::new(Body::from(body.clone()));
    *request.method_mut() = parts.method.clone();
    *request.uri_mut() = parts.uri.clone();
    *request.version_mut() = parts.version;
    *request.headers_mut() = parts.headers.clone();
    *request.extensions_mut() = parts.extensions.clone();
    request
}

async fn pass_on(
    app: &App,
    link: &Arc<Link>,
    (node, pit): (&NodeRow, Pit),
    parts: &Parts,
    body: &Bytes,
) -> Result<Response, Unanswered> {
    let mut request = Request::new(Body::from(body.clone()));
    *request.method_mut() = parts.method.clone();
    *request.uri_mut() = parts.uri.clone();
    *request.headers_mut() = parts.headers.clone();
    let headers = request.headers_mut();
    // What was sent in pieces is sent as one.
    headers.remove(header::TRANSFER_ENCODING);
    headers.remove(&ADDRESS);
    if let Some(Address(address)) = parts.extensions.get()
        && let Ok(address) = HeaderValue::from_str(&address.to_string())
    {
        headers.insert(ADDRESS, address);
    }
    if parts.headers.contains_key(header::UPGRADE) {
        return socket(app, link, (node, pit), parts, request).await;
    }
    // Whether this connection ends is between the client and this node.
    request.headers_mut().remove(header::CONNECTION);
    let late = || Unanswered::Cut("it took too long".to_owned());
    let answer = timeout(ANSWER, link.send(node, request)).await.map_err(|_| late())??;
    metrics::counter!("boxman_relayed_total").increment(1);
    let mut answer = answer.into_response();
    answer.headers_mut().remove(header::CONNECTION);
    Ok(answer)
}

/// Comes back when a pit is not this node's any more, or the node is not there.
async fn has_changed_hands(link: &Link, node: &NodeRow, pit: Pit) {
    let mut map = link.map();
    let is_another =
        |map: &Arc<Map>| map.owner(pit).is_none_or(|owner| owner.identity != node.identity);
    // The line is there for as long as the server is.
    let _ = map.wait_for(is_another).await;
}

/// Passes a socket on, byte by byte.
async fn socket(
    app: &App,
    link: &Arc<Link>,
    (node, pit): (&NodeRow, Pit),
    parts: &Parts,
    request: Request,
) -> Result<Response, Unanswered> {
    let late = || Unanswered::Cut("it took too long".to_owned());
    let answer = timeout(ANSWER, link.upgrade(node, request)).await.map_err(|_| late())??;
    metrics::counter!("boxman_relayed_total").increment(1);
    if answer.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Ok(answer.into_response());
    }
    let Some(here) = parts.extensions.get::<hyper::upgrade::OnUpgrade>().cloned() else {
        return Ok(Problem::new(426, "not-a-socket", "that is no socket").into_response());
    };
    let (head, body) = answer.into_parts();
    let there = hyper::upgrade::on(Response::from_parts(head.clone(), body));
    let (mut stopping, store) = (app.stopping.clone(), Arc::clone(link.store()));
    let (link, node) = (Arc::clone(link), node.clone());
    tokio::spawn(async move {
        let (Ok(here), Ok(there)) = (here.await, there.await) else { return };
        let (mut here, mut there) = (Awake { io: TokioIo::new(here), store }, TokioIo::new(there));
        metrics::gauge!("boxman_relayed_sockets").increment(1.0);
        let is_said = tokio::select! {
            copied = tokio::io::copy_bidirectional(&mut here, &mut there) => copied.is_ok(),
            _ = stopping.changed() => false,
            () = has_changed_hands(&link, &node, pit) => false,
            () = link.falls_silent(&node.identity) => false,
        };
        // However it ends, whoever is still there hears it.
        if !is_said {
            let _ = timeout(LAST_WORD, here.io.write_all(&GOING_AWAY)).await;
            let _ = timeout(LAST_WORD, here.io.shutdown()).await;
        }
        metrics::gauge!("boxman_relayed_sockets").decrement(1.0);
    });
    let mut answer = Response::new(Body::empty());
    *answer.status_mut() = head.status;
    *answer.headers_mut() = head.headers;
    Ok(answer)
}

/// What comes from a client, as long as this node is awake: what it has slept through may have
/// been answered elsewhere, and is not passed on.
struct Awake<T> {
    io: T,
    store: Arc<dyn Pits>,
}

impl<T: AsyncRead + Unpin> AsyncRead for Awake<T> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.io).poll_read(context, buffer);
        match read.is_ready() && !self.store.is_heard() {
            true => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            false => read,
        }
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Awake<T> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

/// Has the node that relays an answer know the code of a problem.
pub(super) async fn tell_code(mut answer: Response) -> Response {
    let code = answer.extensions().get::<Code>().map(|Code(code)| code.clone());
    if let Some(code) = code.and_then(|code| HeaderValue::from_str(&code).ok()) {
        answer.headers_mut().insert(CODE, code);
    }
    answer
}
