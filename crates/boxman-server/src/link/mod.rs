//! The line between nodes: who has which pit, and how to speak to them.

mod certificate;
mod map;
mod tls;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{Request, Response};
use tokio::sync::watch;

pub use self::certificate::NoCertificate;
pub use self::map::Map;
pub use self::tls::Tls;
use crate::pit::Pit;
use crate::store::{Identity, NodeRow, Peer, Pits};

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

/// How nodes speak to each other.
#[async_trait]
pub trait Line: Send + Sync + 'static {
    /// Sends a request to a node, and gives its answer.
    async fn send(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered>;

    /// Sends a request that asks for a socket, on a connection of its own.
    async fn upgrade(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered>;

    /// Forgets every node that is not there.
    fn forget_but(&self, map: &Map);
}

/// This node's end of the line.
pub struct Link {
    store: Arc<dyn Pits>,
    peer: Peer,
    map: watch::Sender<Arc<Map>>,
    /// Nodes that beat, and that this one has not reached for a while.
    silent: watch::Sender<Vec<Identity>>,
    line: Arc<dyn Line>,
}

impl Link {
    /// The end of a node that others know so.
    pub fn new(store: Arc<dyn Pits>, peer: Peer, line: Arc<dyn Line>) -> Link {
        let (map, silent) = (watch::Sender::default(), watch::Sender::default());
        Link { store, peer, map, silent, line }
    }

    /// What others have to know of this node.
    pub fn peer(&self) -> &Peer {
        &self.peer
    }

    /// The store that all nodes share.
    pub fn store(&self) -> &Arc<dyn Pits> {
        &self.store
    }

    /// Nodes and pits, and when that changes.
    pub fn map(&self) -> watch::Receiver<Arc<Map>> {
        self.map.subscribe()
    }

    /// Takes in what a beat told. Whoever waits for a change is woken by one.
    pub(crate) fn draw(&self, map: Map) {
        self.line.forget_but(&map);
        self.map.send_if_modified(|known| {
            let map = map.after(known);
            let changed = !map.is_same(known);
            *known = Arc::new(map);
            changed
        });
    }

    /// Notes that a pit has changed hands, before the next beat says so.
    pub(crate) fn moved(&self, pit: Pit, to: &Identity, epoch: i64) {
        self.map.send_if_modified(|map| Arc::make_mut(map).moved(pit, to, epoch));
    }

    /// Notes which nodes beat and are not reached from here.
    pub(crate) fn not_reached(&self, silent: Vec<Identity>) {
        self.silent.send_if_modified(|known| {
            let changed = *known != silent;
            *known = silent;
            changed
        });
    }

    /// Whether a node has not been reached for a while.
    pub fn is_silent(&self, node: &Identity) -> bool {
        self.silent.borrow().contains(node)
    }

    /// Comes back when a node is not reached any more.
    pub async fn falls_silent(&self, node: &Identity) {
        // The line is there for as long as the server is.
        let _ = self.silent.subscribe().wait_for(|silent| silent.contains(node)).await;
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

    /// Sends a request to a node, and gives its answer.
    pub async fn send(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered> {
        self.line.send(node, request).await
    }

    /// Sends a request that asks for a socket, on a connection of its own.
    pub async fn upgrade(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered> {
        self.line.upgrade(node, request).await
    }
}
