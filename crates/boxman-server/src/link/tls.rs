//! The line itself: HTTP over TLS, on which each node proves who it is by a certificate whose
//! fingerprint is in the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::rustls::pki_types::ServerName;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::certificate::{self, Certificate, NoCertificate};
use super::{Line, Map, Unanswered};
use crate::store::{Identity, NodeRow};

/// A node that has not taken a connection by then does not.
const CONNECT: Duration = Duration::from_millis(1_000);
/// So many connections to a node are kept for later.
const IDLE: usize = 32;

/// Connections to each node on which nothing is under way.
type Idle = HashMap<(String, i64), Vec<SendRequest<Body>>>;

/// TLS to other nodes.
pub struct Tls {
    certificate: Certificate,
    idle: Mutex<Idle>,
}

/// A request that was never begun can be sent by another connection, whatever it asks for.
#[expect(clippy::needless_pass_by_value, reason = "it is what map_err passes")]
fn unanswered(error: hyper::Error) -> Unanswered {
    match error.is_canceled() {
        true => Unanswered::Unsent(error.to_string()),
        false => Unanswered::Cut(error.to_string()),
    }
}

impl Tls {
    /// With a certificate made for this start.
    pub fn fresh() -> Result<Tls, NoCertificate> {
        Ok(Tls { certificate: Certificate::fresh()?, idle: Mutex::default() })
    }

    /// What others know this node by.
    pub fn fingerprint(&self) -> String {
        self.certificate.fingerprint()
    }

    /// How to listen to other nodes, and to nobody else.
    pub fn acceptor(&self, map: watch::Receiver<Arc<Map>>) -> Result<TlsAcceptor, NoCertificate> {
        let server = self.certificate.server(move |shown| map.borrow().has_certificate(shown))?;
        Ok(TlsAcceptor::from(Arc::new(server)))
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection on which nothing is under way.
    fn ready(&self, key: &(String, i64)) -> Option<SendRequest<Body>> {
        let mut idle = self.idle();
        let idle = idle.get_mut(key)?;
        idle.retain(|sender| !sender.is_closed());
        let place = idle.iter().position(SendRequest::is_ready)?;
        Some(idle.swap_remove(place))
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

#[async_trait]
impl Line for Tls {
    async fn send(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered> {
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
        Ok(answer.map(Body::new))
    }

    async fn upgrade(
        &self,
        node: &NodeRow,
        request: Request<Body>,
    ) -> Result<Response<Body>, Unanswered> {
        let mut sender = self.connect(node).await?;
        let answer = sender.send_request(request).await.map_err(unanswered)?;
        Ok(answer.map(Body::new))
    }

    fn forget_but(&self, map: &Map) {
        let there: Vec<&Identity> = map.nodes().map(|node| &node.identity).collect();
        let is_there = |(name, incarnation): &(String, i64)| {
            there.iter().any(|node| node.name == *name && node.incarnation == *incarnation)
        };
        self.idle().retain(|node, _| is_there(node));
    }
}
