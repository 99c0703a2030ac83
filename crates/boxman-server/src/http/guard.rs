//! Too much of anything: requests from one address, knocks at the door, commands on one socket,
//! connections and time; and requests that another site had a browser make.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::App;
use super::relay::Relayed;
use crate::config::PROCEDURES;
use crate::household::household;
use crate::practice::PracticeLimits;
use crate::problem::Problem;

/// How much is too much.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Requests a second from one address.
    pub requests: NonZeroU32,
    /// Logins and guests a minute from one address.
    pub door: NonZeroU32,
    /// Commands a second on one socket.
    pub commands: NonZeroU32,
    /// The dealing procedures of real tables that open: today's, unless a test wants those of
    /// earlier logs.
    pub procedures: u8,
    /// Practice tables.
    pub practice: PracticeLimits,
    /// Sockets from one address whose people only watch, signs included.
    pub watchers_per_address: NonZeroU32,
    /// Sockets at one table; for players and crew a watcher makes room.
    pub watchers_per_table: NonZeroU32,
    /// Connections in all; fewer where the system has not enough descriptors.
    pub connections: NonZeroU32,
    /// How long a connection may take to ask for something, and to take the answer.
    pub idle: Duration,
    /// How long a socket may say nothing, not even to a ping.
    pub silence: Duration,
    /// Whether the address of a client is the one a proxy in front names.
    pub behind_proxy: bool,
}

const fn nonzero(number: u32) -> NonZeroU32 {
    match NonZeroU32::new(number) {
        Some(number) => number,
        None => NonZeroU32::MIN,
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            requests: nonzero(100),
            door: nonzero(30),
            commands: nonzero(40),
            procedures: PROCEDURES,
            practice: PracticeLimits::default(),
            watchers_per_address: nonzero(50),
            watchers_per_table: nonzero(500),
            connections: nonzero(10_000),
            idle: Duration::from_secs(30),
            silence: Duration::from_secs(60),
            behind_proxy: false,
        }
    }
}

/// Counts, and says when it is too much.
pub struct Guard {
    /// How much is too much.
    pub limits: Limits,
    requests: DefaultKeyedRateLimiter<IpAddr>,
    door: DefaultKeyedRateLimiter<IpAddr>,
}

impl Guard {
    /// A guard with these limits; a burst of a few seconds' worth is let through.
    pub fn new(limits: Limits) -> Guard {
        let burst = |rate: NonZeroU32| rate.saturating_mul(nonzero(4));
        let requests = Quota::per_second(limits.requests).allow_burst(burst(limits.requests));
        let door = Quota::per_minute(limits.door).allow_burst(limits.door);
        Guard { limits, requests: RateLimiter::keyed(requests), door: RateLimiter::keyed(door) }
    }

    /// A counter for the commands of one socket.
    pub fn socket(&self) -> DefaultDirectRateLimiter {
        let burst = self.limits.commands.saturating_mul(nonzero(2));
        RateLimiter::direct(Quota::per_second(self.limits.commands).allow_burst(burst))
    }

    /// Forgets addresses that have been quiet.
    pub fn forget(&self) {
        self.requests.retain_recent();
        self.door.retain_recent();
    }

    fn check(&self, address: IpAddr, path: &str) -> Result<(), Problem> {
        let knocks = matches!(path, "/api/login" | "/api/guest" | "/api/setup");
        let many = "that was too much at once, wait a moment";
        if self.requests.check_key(&address).is_err()
            || (knocks && self.door.check_key(&address).is_err())
        {
            return Err(Problem::too_many(many));
        }
        Ok(())
    }
}

/// Where a request comes from.
#[derive(Clone, Copy)]
pub(super) struct Address(pub(super) IpAddr);

/// Watches every request go by, and notes where it comes from.
pub(super) async fn watch(
    State(app): State<Arc<App>>,
    mut request: Request,
    next: Next,
) -> Response {
    // What another node has passed on it has counted, and it knows whose it is.
    let relayed = request.extensions().get::<Relayed>().is_some();
    let address = match request.extensions().get::<Address>().filter(|_| relayed) {
        Some(Address(address)) => *address,
        None => address(&request, app.guard.limits.behind_proxy),
    };
    request.extensions_mut().insert(Address(address));
    if let Err(problem) = app.guard.check(address, request.uri().path())
        && !relayed
    {
        return problem.into_response();
    }
    // Who has slept through a beat does not know what has been answered elsewhere since.
    if !app.house.store.is_heard() && request.uri().path().starts_with("/api/") {
        let silent = "this node is out of touch with its database, try again";
        return Problem::unavailable("node-silent", silent).into_response();
    }
    if let Err(problem) = same_site(&request) {
        return problem.into_response();
    }
    let (method, started) = (known_method(request.method()), std::time::Instant::now());
    let response = next.run(request).await;
    let status = response.status().as_u16().to_string();
    metrics::counter!("boxman_requests_total", "method" => method, "status" => status).increment(1);
    metrics::histogram!("boxman_request_seconds").record(started.elapsed());
    response
}

/// A method's name for the figures. Anybody may make one up, and each would be counted apart.
fn known_method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

fn address(request: &Request, behind_proxy: bool) -> IpAddr {
    let named = request.headers().get("x-forwarded-for").and_then(|value| value.to_str().ok());
    let named = named.and_then(|all| all.rsplit(',').next()?.trim().parse().ok());
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let named = named.filter(|_| behind_proxy);
    household(named.or(peer).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)))
}

/// A browser names the page a request comes from; what changes something, and every socket, must
/// come from our own.
fn same_site(request: &Request) -> Result<(), Problem> {
    let headers = request.headers();
    let harmless = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS)
        && !headers.contains_key(header::UPGRADE);
    let Some(origin) = headers.get(header::ORIGIN).filter(|_| !harmless) else { return Ok(()) };
    let origin = origin.to_str().unwrap_or_default();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let theirs = origin.split_once("://").map_or("", |(_, theirs)| theirs);
    match theirs == host && !host.is_empty() {
        true => Ok(()),
        false => Err(Problem::forbidden("another site asked for that")),
    }
}
