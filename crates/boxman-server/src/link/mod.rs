//! The line between nodes: who has which pit, and how to speak to them. Each proves who it is by a
//! certificate whose fingerprint is in the database.

mod certificate;
mod map;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use self::certificate::Certificate;
pub use self::certificate::NoCertificate;
pub use self::map::Map;
use crate::pit::Pit;
use crate::store::{Identity, NodeRow, Peer, Postgres};

/// A node that has not taken a connection by then does not.
const CONNECT: Duration = Duration::from_millis(1_000);
/// So many connections to a node are kept for later.
const IDLE: usize = 32;

/// Who has a pit.
#[derive(Clone, Debug)]
pub enum Owner {
    /// This node.
    Here,
    /// Another.
    There(Box<NodeRow>),
    /// Nobody who is there.
    Nobody,
}

/// Why a request to another node was not answered.
#[derive(Debug)]
pub enum Unanswered {
    /// It never left.
    Unsent(String),
    /// It may have arrived.
    Cut(String),
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Unanswered::Unsent(reason) | Unanswered::Cut(reason)) = self;
        f.write_str(reason)
    }
}

/// A request that was never begun can be sent by another connection, whatever it asks for.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
fn unanswered(error: hyper::Error) -> Unanswered {
    match error.is_canceled() {
        true => Unanswered::Unsent(error.to_string()),
        false => Unanswered::Cut(error.to_string()),
    }
}

/// Connections to each node on which nothing is under way.
type Idle = HashMap<(String, i64), Vec<SendRequest<Body>>>;

/// The line to other nodes.
pub struct Link {
    store: Arc<Postgres>,
    name: String,
    address: String,
    certificate: Certificate,
    map: watch::Sender<Arc<Map>>,
    idle: Mutex<Idle>,
}

impl Link {
    /// The line of a node of this name, which others reach at this address.
    pub fn new(store: Arc<Postgres>, name: String, address: String) -> Result<Link, NoCertificate> {
        let certificate = Certificate::fresh()?;
        let map = watch::Sender::default();
        Ok(Link { store, name, address, certificate, map, idle: Mutex::default() })
    }

    /// What others have to know of this node.
    pub fn peer(&self) -> Peer {
        Peer {
            name: self.name.clone(),
            address: self.address.clone(),
            certificate: self.certificate.fingerprint(),
        }
    }

    /// The store that all nodes share.
    pub fn store(&self) -> &Arc<Postgres> {
        &self.store
    }

    /// How to listen to other nodes, and to nobody else.
    pub fn acceptor(&self) -> Result<TlsAcceptor, NoCertificate> {
        let map = self.map.subscribe();
        let server = self.certificate.server(move |shown| map.borrow().has_certificate(shown))?;
        Ok(TlsAcceptor::from(Arc::new(server)))
    }

    /// Nodes and pits, and when that changes.
    pub fn map(&self) -> watch::Receiver<Arc<Map>> {
        self.map.subscribe()
    }

    pub(crate) fn draw(&self, map: Map) {
        let there: Vec<(String, i64)> = map
            .nodes()
            .map(|node| (node.identity.name.clone(), node.identity.incarnation))
            .collect();
        self.idle().retain(|node, _| there.contains(node));
        self.map.send_replace(Arc::new(map));
    }

    /// Notes that a pit has changed hands, before the next beat says so.
    pub(crate) fn moved(&self, pit: Pit, to: &Identity) {
        self.map.send_modify(|map| Arc::make_mut(map).moved(pit, to));
    }

    /// Who has a pit, as far as this node knows.
    pub fn owner(&self, pit: Pit) -> Owner {
        if self.store.holds(pit) && self.store.is_heard() {
            return Owner::Here;
        }
        let map = self.map.borrow();
        let me = self.store.identity();
        match map.owner(pit).filter(|node| Some(&node.identity) != me.as_ref()) {
            Some(node) => Owner::There(Box::new(node.clone())),
            None => Owner::Nobody,
        }
    }

    /// The other nodes that are there.
    pub fn others(&self) -> Vec<NodeRow> {
        let me = self.store.identity();
        let map = self.map.borrow();
        map.nodes().filter(|node| Some(&node.identity) != me.as_ref()).cloned().collect()
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request to a node, and gives its answer.
    pub async fn send(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Incoming>, Unanswered> {
        let key = (node.identity.name.clone(), node.identity.incarnation);
        let mut sender = match self.ready(&key) {
            Some(sender) => sender,
            None => self.connect(node).await?,
        };
        let answer = sender.send_request(request).await.map_err(unanswered)?;
        let idle = &mut *self.idle();
        let idle = idle.entry(key).or_default();
        // It is ready again once the answer has been read.
        if idle.len() < IDLE {
            idle.push(sender);
        }
        Ok(answer)
    }

    /// A connection on which nothing is under way.
    fn ready(&self, key: &(String, i64)) -> Option<SendRequest<Body>> {
        let mut idle = self.idle();
        let idle = idle.get_mut(key)?;
        idle.retain(|sender| !sender.is_closed());
        let place = idle.iter().position(SendRequest::is_ready)?;
        Some(idle.swap_remove(place))
    }

    /// Sends a request that asks for a socket, on a connection of its own.
    pub async fn upgrade(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Incoming>, Unanswered> {
        let mut sender = self.connect(node).await?;
        sender.send_request(request).await.map_err(unanswered)
    }

    async fn connect(&self, node: &NodeRow) -> Result<SendRequest<Body>, Unanswered> {
        let connecting = async {
            let stream =
                TcpStream::connect(&node.address).await.map_err(|error| error.to_string())?;
            stream.set_nodelay(true).map_err(|error| error.to_string())?;
            let config = self.certificate.client(node.certificate.clone());
            let config = config.map_err(|error| error.to_string())?;
            let name =
                ServerName::try_from(certificate::NAME).map_err(|error| error.to_string())?;
            let stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await;
            let stream = stream.map_err(|error| error.to_string())?;
            let shaken = handshake::<_, Body>(TokioIo::new(stream)).await;
            let (sender, connection) = shaken.map_err(|error| error.to_string())?;
            tokio::spawn(async move {
                if let Err(error) = connection.with_upgrades().await {
                    tracing::debug!(%error, "a line to another node ended");
                }
            });
            Ok::<SendRequest<Body>, String>(sender)
        };
        let NodeRow { identity: Identity { name, .. }, address, .. } = node;
        let unsent = |reason| Unanswered::Unsent(format!("node {name} at {address}: {reason}"));
        match timeout(CONNECT, connecting).await {
            Ok(connected) => connected.map_err(unsent),
            Err(_) => Err(unsent("it does not answer".to_owned())),
        }
    }
}
