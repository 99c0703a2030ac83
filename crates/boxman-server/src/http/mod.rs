//! HTTP and sockets: one file a resource, each with its own router.

mod accounts;
mod audit;
mod buy_ins;
mod crowd;
mod carry;
mod closed;
mod display;
mod door;
mod edges;
mod extract;
mod floor;
mod guard;
mod history;
mod lobby;
mod meters;
mod moved;
mod my_play;
mod nodes;
mod operations;
mod pages;
mod par;
mod relay;
mod reports;
mod rulebooks;
mod sign;
mod socket;
mod tables;
mod waiting;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{AppendHeaders, IntoResponse, Response};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::trace::TraceLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;

pub use self::accounts::{AccountView, ChangeAccount, MakeAccount};
pub use self::audit::Carrying;
pub use self::buy_ins::{BuyInSums, BuyInsView, PlayerBuyIns, SittingView};
pub(crate) use self::closed::look_ahead as find_closed;
pub use self::closed::{ClosedTables, ClosedView};
pub use self::crowd::Crowd;
pub use self::door::{ChangeMe, Guest, Login, Me, Redeem};
pub use self::floor::Floor;
pub use self::guard::{Guard, Limits};
pub(crate) use self::lobby::keep as keep_lobby;
pub use self::lobby::{FromLobby, Lobby, LobbyMeter, TableLine};
pub use self::meters::{AdjustWord, AskMeter, MeterCommandView, PlayersMoneyView, Recorded};
pub use self::my_play::{MyPlay, PlaySession};
pub use self::nodes::between;
pub use self::rulebooks::{PaytableView, RulebookView};
pub use self::socket::decode;
pub use self::tables::{Accepted, ConfigurationView, RecordView};
pub use self::waiting::{Bell, FromBell};
use crate::auth::Door;
use crate::history::Histories;
use crate::house::House;
use crate::node::Node;
use crate::pricing::Pricing;
use crate::problem::Problem;
use crate::reports::Expectations;

/// The most a request's body may hold.
const BODY: usize = 64 * 1_024;

/// What every handler needs.
pub struct App {
    /// Tables and meters.
    pub house: Arc<House>,
    /// This node, where there may be others.
    pub node: Option<Arc<Node>>,
    /// People.
    pub door: Arc<Door>,
    /// How much is too much.
    pub guard: Guard,
    /// What every wager should hold, as far as it has been asked.
    pub expectations: Expectations,
    /// What wagers and paytables are worth, for whoever asks.
    pub pricing: Pricing,
    /// What was read back from the logs of tables.
    pub histories: Histories,
    /// Turns at carrying tables in and out.
    pub carrying: Carrying,
    /// Figures for the operators.
    pub metrics: PrometheusHandle,
    /// Whether cookies go over TLS only.
    pub secure_cookies: bool,
    /// Turns true when the server is about to stop: sockets end.
    pub stopping: watch::Receiver<bool>,
    /// Every table as it was seen last, on other nodes too.
    pub floor: Floor,
    /// What the lobby shows.
    pub lobby: Lobby,
    /// What waits for people.
    pub bell: Bell,
    /// The closed tables that have been found so far.
    pub closed: ClosedTables,
    /// Everybody who holds a socket.
    pub crowd: Arc<Crowd>,
    /// Numbers the sockets.
    pub sockets: AtomicU64,
}

/// The state of every handler.
pub type Shared = axum::extract::State<Arc<App>>;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Boxman",
        description = "Live craps tables. Amounts are whole cents. Problems are RFC 9457 problem \
                       details with a stable `code`. Sockets: `GET /api/tables/{id}/socket` (see \
                       FromClient and FromServer), `GET /api/meters/{id}/socket` (a FromServer \
                       `meter` whenever it moves), `GET /api/lobby/socket` (see FromLobby) and, \
                       for the crew, `GET /api/waiting/socket` (see FromBell)."
    ),
    components(schemas(
        Problem,
        crate::wire::FromClient,
        crate::wire::FromServer,
        crate::wire::MeterView,
        FromLobby,
        FromBell
    ))
)]
struct Api;

fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::with_openapi(Api::openapi())
        .merge(door::router())
        .merge(my_play::router())
        .merge(lobby::router())
        .merge(waiting::router())
        .merge(tables::router())
        .merge(history::router())
        .merge(meters::router())
        .merge(rulebooks::router())
        .merge(edges::router())
        .merge(par::router())
        .merge(reports::router())
        .merge(buy_ins::router())
        .merge(audit::router())
        .merge(accounts::router())
        .merge(operations::router())
}

/// The API's own description.
pub fn openapi() -> utoipa::openapi::OpenApi {
    routes().into_openapi()
}

/// Everything the server answers.
pub fn router(app: Arc<App>) -> Router {
    let (router, _) = routes().split_for_parts();
    router
        .layer(axum::middleware::from_fn(in_time))
        // Sockets outlive any time limit.
        .merge(socket::router())
        .merge(sign::router())
        .merge(lobby::sockets())
        .merge(waiting::sockets())
        .merge(pages::router())
        .merge(moved::router())
        .fallback(pages::unknown)
        .method_not_allowed_fallback(|| async {
            Problem::new(405, "method-not-allowed", "that address does not take this method")
        })
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), relay::relay))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), guard::watch))
        .layer(DefaultBodyLimit::max(BODY))
        .layer(CatchPanicLayer::custom(|_| {
            Problem::new(500, "broken", "something broke; nothing acknowledged is lost")
                .into_response()
        }))
        .layer(axum::middleware::map_response(harden))
        // Whoever is told to come again is no fault, and a flood of them would fill the log.
        .layer(TraceLayer::new_for_http().make_span_with(span).on_failure(()))
        .with_state(app)
}

/// What log lines say of a request: never the secret of the one-time link.
fn span(request: &Request) -> tracing::Span {
    let path = request.uri().path();
    let path = if path.starts_with("/setup/") { "/setup/…" } else { path };
    tracing::debug_span!("request", method = %request.method(), path)
}

const TIMEOUT: Duration = Duration::from_secs(60);

/// Whoever sends a request bit by bit is not waited for.
async fn in_time(request: Request, next: Next) -> Response {
    let late = || Problem::new(408, "too-slow", "that took too long, try again").into_response();
    tokio::time::timeout(TIMEOUT, next.run(request)).await.unwrap_or_else(|_| late())
}

/// Files of our own, requests to ourselves, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
                      font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; \
                      frame-ancestors 'none'";

/// Headers that keep a browser from doing what nobody asked for.
async fn harden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let body = serde_json::to_string(&self).expect("a problem is plain data");
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let wait = self.retry_after.map(|seconds| [(header::RETRY_AFTER, seconds.to_string())]);
        let mut response = (status, kind, wait.map(AppendHeaders), body).into_response();
        response.extensions_mut().insert(relay::Code(self.code));
        response
    }
}
