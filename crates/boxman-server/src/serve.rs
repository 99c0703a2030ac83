//! The server: opened, listened on, and closed without losing anything.

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use craps::Library;
use futures_util::future::BoxFuture;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use crate::anchors::Anchoring;
use crate::audit::COPYING;
use crate::http::{Limits, router};
use crate::link::{Link, NoCertificate, Tls};
use crate::listen::{connections, listen, listen_to_nodes};
use crate::node::Node;
use crate::problem::Problem;
use crate::running::Running;
use crate::shelf::Shelf;
use crate::store::{
    Durability, Peer, Postgres, PostgresAddress, SealKey, Sqlite, Store, StoreError, Stored,
    beside, real_path,
};

/// How long open requests may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(10);
/// So many connections may wait to be taken in.
const WAITING: u32 = 1_024;

/// Where the logs are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAddress {
    /// In a SQLite file.
    Sqlite(PathBuf),
    /// In a PostgreSQL.
    Postgres(PostgresAddress),
}

/// A store kept to this process.
pub struct StoreLock {
    _file: Option<File>,
}

/// A text that names no store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAStore(String);

impl fmt::Display for NotAStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotAStore {}

impl FromStr for StoreAddress {
    type Err = NotAStore;

    fn from_str(text: &str) -> Result<StoreAddress, NotAStore> {
        // What is not a store may be one with a typo, and a password in it.
        let shown = text.split_once('@').map_or(text, |(first, _)| first);
        let shown = if shown == text { text.to_owned() } else { "that".to_owned() };
        let expected = "expected sqlite:FILE or postgres://USER@HOST/DATABASE";
        let unknown =
            || NotAStore(format!("`{shown}` is not a store this program knows, {expected}"));
        match text.split_once(':') {
            Some(("sqlite", file)) if !file.is_empty() => Ok(StoreAddress::Sqlite(file.into())),
            Some(("postgres" | "postgresql", _)) => {
                text.parse().map(StoreAddress::Postgres).map_err(NotAStore)
            }
            Some((scheme, _)) if scheme.len() > 1 => Err(unknown()),
            _ if text.is_empty() => Err(unknown()),
            _ => Ok(StoreAddress::Sqlite(text.into())),
        }
    }
}

impl StoreAddress {
    /// Keeps the store to this process until the lock is dropped: two servers at one store would
    /// tell their players different things.
    ///
    /// Several nodes may use a PostgreSQL; they keep out of each other's way by other means.
    pub fn lock(&self) -> Result<StoreLock, StoreError> {
        let StoreAddress::Sqlite(path) = self else { return Ok(StoreLock { _file: None }) };
        let down =
            |error: &dyn fmt::Display| StoreError::Down(format!("{}: {error}", path.display()));
        // Whatever it is called by: a link must not let another server in.
        let real = real_path(path).map_err(|error| down(&error))?;
        if has_other_names(&real) {
            let linked = "it has another name (a hard link), by which another server could use it: \
                          remove all names but one";
            return Err(down(&linked));
        }
        let file = File::create(beside(&real, ".lock")).map_err(|error| down(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(StoreLock { _file: Some(file) }),
            Err(_) => Err(down(&"another server uses it, stop that one first")),
        }
    }
}

/// Whether a file is known by several names, none of them a link to another.
#[cfg(unix)]
fn has_other_names(file: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata().is_ok_and(|metadata| metadata.nlink() > 1)
}

#[cfg(not(unix))]
fn has_other_names(_: &Path) -> bool {
    false
}

/// How the server is run.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where the logs are kept.
    pub store: StoreAddress,
    /// The file with the key that snapshots are sealed with, where it is not beside the store.
    pub key: Option<PathBuf>,
    /// Which node this is among others, for a PostgreSQL.
    pub node: NodeOptions,
    /// Where to write down at times how far the logs have come.
    pub anchoring: Option<Anchoring>,
    /// The rulebooks to choose from.
    pub library: Library,
    /// How much is too much.
    pub limits: Limits,
    /// Whether cookies go over TLS only.
    pub secure_cookies: bool,
}

/// Which node this is among others.
#[derive(Clone, Debug)]
pub struct NodeOptions {
    /// Its name; the machine's where it has none.
    pub name: Option<String>,
    /// Where other nodes reach it.
    pub internal: SocketAddr,
    /// What has to happen before anything is acknowledged.
    pub durability: Durability,
}

impl Default for NodeOptions {
    fn default() -> NodeOptions {
        let internal = SocketAddr::from(([127, 0, 0, 1], 0));
        NodeOptions { name: None, internal, durability: Durability::Local }
    }
}

/// What a started server has to say.
#[derive(Clone, Debug)]
pub struct Started {
    /// Where it listens.
    pub address: SocketAddr,
    /// The secret of the one-time link, where nobody has an account yet.
    pub link: Option<String>,
    /// How many tables there are.
    pub tables: usize,
}

/// Why the server does not start, or ended.
#[derive(Debug)]
pub enum ServeError {
    /// The store.
    Store(StoreError),
    /// The address.
    Listen(SocketAddr, std::io::Error),
    /// The address for other nodes.
    Internal(SocketAddr, std::io::Error),
    /// What has to do with other nodes.
    Node(String),
    /// Something else.
    Problem(Problem),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Store(error) => error.fmt(f),
            ServeError::Listen(address, error) => {
                write!(f, "cannot listen on {address}: {error} (choose another with --listen)")
            }
            ServeError::Internal(address, error) => {
                write!(
                    f,
                    "cannot listen to other nodes on {address}: {error} (choose an address \
                           of this machine with --internal)"
                )
            }
            ServeError::Node(reason) => f.write_str(reason),
            ServeError::Problem(problem) => problem.fmt(f),
        }
    }
}

impl std::error::Error for ServeError {}

impl From<StoreError> for ServeError {
    fn from(error: StoreError) -> ServeError {
        ServeError::Store(error)
    }
}

impl From<Problem> for ServeError {
    fn from(problem: Problem) -> ServeError {
        ServeError::Problem(problem)
    }
}

/// Runs the server until `stop` comes, and calls `started` once it listens.
pub fn serve<'a>(
    options: ServeOptions,
    started: impl FnOnce(&Started) + Send + 'a,
    stop: impl Future<Output = ()> + Send + 'static,
) -> BoxFuture<'a, Result<(), ServeError>> {
    compiled_here(options, Box::new(started), Box::pin(stop))
}

/// The server, behind a pointer: whatever is polled directly is compiled again by every program
/// that polls it, and this is all of the server.
fn compiled_here<'a>(
    options: ServeOptions,
    started: Box<dyn FnOnce(&Started) + Send + 'a>,
    stop: BoxFuture<'static, ()>,
) -> BoxFuture<'a, Result<(), ServeError>> {
    Box::pin(run(options, started, stop))
}

async fn run(
    options: ServeOptions,
    started: Box<dyn FnOnce(&Started) + Send + '_>,
    stop: BoxFuture<'static, ()>,
) -> Result<(), ServeError> {
    outlive_file_limits();
    let no_door = |error| ServeError::Listen(options.listen, error);
    let shut = PublicDoor::shut(options.listen, &options.store).map_err(no_door)?;
    let _lock = options.store.lock()?;
    let Opened { store, node, between } = Opened::open(&options).await?;
    let shelf = Arc::new(Shelf::new(options.library));
    let (limits, anchoring) = (options.limits, options.anchoring);
    let opened =
        Running::open(store, node.clone(), shelf, limits, options.secure_cookies, anchoring);
    let running = match (opened.await, node) {
        (Ok(running), _) => Arc::new(running),
        (Err(problem), node) => {
            // Others need not wait until they notice.
            if let Some(node) = node {
                node.leave().await;
            }
            return Err(problem.into());
        }
    };
    let app = Arc::clone(&running.app);
    let nodes = between.map(|(listener, acceptor)| {
        tokio::spawn(listen_to_nodes(listener, acceptor, crate::http::between(Arc::clone(&app))))
    });
    let tables = app.house.tables().len();
    if let Some(node) = &app.node
        && node.is_out_of_reach().await
    {
        running.close().await;
        nodes.inspect(tokio::task::JoinHandle::abort);
        let address = &node.link().peer().address;
        return Err(ServeError::Node(format!(
            "no other node reaches this one at {address}: name an address with --internal that \
             they reach"
        )));
    }
    let listener = match shut.open() {
        Ok(listener) => listener,
        Err(error) => {
            running.close().await;
            return Err(no_door(error));
        }
    };
    let address = listener.local_addr().unwrap_or(options.listen);
    started(&Started { address, link: running.link.clone(), tables });
    let (hurry, hurried) = watch::channel(false);
    let leaving = Arc::clone(&running);
    let drained = async move {
        tracing::info!("stopping");
        leaving.drain().await;
        let _ = hurry.send(true);
    };
    let crowd = Arc::clone(&app.crowd);
    let most = connections(limits.connections.get(), app.node.is_some());
    tokio::select! {
        () = listen(listener, router(app), &limits, most, crowd, stop, drained) => {}
        () = late(hurried) => tracing::warn!("some requests did not end in time"),
    }
    running.close().await;
    if let Some(nodes) = nodes {
        nodes.abort();
        let _ = nodes.await;
    }
    tracing::info!("everything is written down");
    Ok(())
}

/// The public's address, which is this server's before it opens anything.
enum PublicDoor {
    /// A node among others: until it is open, whoever knocks is sent to another at once.
    Bound(TcpSocket),
    /// A server alone: whoever knocks waits, as there is nobody else to ask.
    Listening(TcpListener),
}

impl PublicDoor {
    fn shut(address: SocketAddr, store: &StoreAddress) -> io::Result<PublicDoor> {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        // The address may have been another's a moment ago.
        #[cfg(unix)]
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        match store {
            StoreAddress::Sqlite(_) => Ok(PublicDoor::Listening(socket.listen(WAITING)?)),
            StoreAddress::Postgres(_) => Ok(PublicDoor::Bound(socket)),
        }
    }

    fn open(self) -> io::Result<TcpListener> {
        match self {
            PublicDoor::Bound(socket) => socket.listen(WAITING),
            PublicDoor::Listening(listener) => Ok(listener),
        }
    }
}

/// A store that is open, and this node where there may be others.
struct Opened {
    store: Arc<dyn Store>,
    node: Option<Arc<Node>>,
    between: Option<(TcpListener, TlsAcceptor)>,
}

impl Opened {
    /// Opens the store, and makes it where there is none. The key to seal with is in a file, by
    /// default beside the store, and made where there is none.
    async fn open(options: &ServeOptions) -> Result<Opened, ServeError> {
        let key = options.key.as_deref();
        match &options.store {
            StoreAddress::Sqlite(path) => {
                let store = match key {
                    None => Sqlite::open(path).await?,
                    Some(key) => Sqlite::open_with(path, Some(SealKey::open(key)?)).await?,
                };
                check_copied(&store).await?;
                Ok(Opened { store: Arc::new(store), node: None, between: None })
            }
            StoreAddress::Postgres(address) => {
                let key = SealKey::open(key.unwrap_or(Path::new("boxman.key")))?;
                Opened::among_others(address, key, &options.node).await
            }
        }
    }

    async fn among_others(
        address: &PostgresAddress,
        key: SealKey,
        options: &NodeOptions,
    ) -> Result<Opened, ServeError> {
        let NodeOptions { name, internal, durability } = options;
        let name = name.clone().unwrap_or_else(host_name);
        if internal.ip().is_unspecified() {
            let reached = "--internal names the address at which other nodes reach this one, which \
                           is no single machine's here: name one of its own";
            return Err(ServeError::Node(reached.to_owned()));
        }
        let listener = TcpListener::bind(internal).await;
        let listener = listener.map_err(|error| ServeError::Internal(*internal, error))?;
        let reached = listener.local_addr().unwrap_or(*internal).to_string();
        let store = Arc::new(Postgres::open(address, Some(key), *durability).await?);
        check_copied(&*store).await?;
        check_key(&store).await?;
        tokio::spawn(Postgres::watch(Arc::downgrade(&store)));
        let failed = |error: NoCertificate| ServeError::Node(error.to_string());
        let tls = Arc::new(Tls::fresh().map_err(failed)?);
        let peer = Peer { name, address: reached, certificate: tls.fingerprint() };
        let link = Arc::new(Link::new(store.clone(), peer, tls.clone()));
        let acceptor = tls.acceptor(link.map()).map_err(failed)?;
        let node = Node::enter(link).await?;
        Ok(Opened { store, node: Some(node), between: Some((listener, acceptor)) })
    }
}

/// A store into which a copy was cut short is not served.
async fn check_copied(store: &dyn Store) -> Stored<()> {
    match store.setting(COPYING).await? {
        None => Ok(()),
        Some(_) => {
            let cut = "a copy into it was not finished: empty it, and `boxman copy` again";
            Err(StoreError::Down(cut.to_owned()))
        }
    }
}

/// Nodes believe each other's snapshots: they have one key.
async fn check_key(store: &Postgres) -> Result<(), ServeError> {
    const KEY: &str = "key";
    let Some(mine) = store.seal(b"the key of this house") else { return Ok(()) };
    let mine = mine.to_string();
    loop {
        let known = store.setting(KEY).await?;
        if known.as_ref() == Some(&mine) {
            return Ok(());
        }
        if known.is_some() && store.is_shared().await? {
            let other = "its key is not the one that the other nodes seal with: copy theirs, and \
                         name it with --key FILE";
            return Err(ServeError::Node(other.to_owned()));
        }
        if known.is_some() {
            tracing::warn!(
                "this house has another key now: tables open slowly until they are \
                            sealed with it"
            );
        }
        if store.exchange(KEY, known.as_deref(), &mine).await? {
            return Ok(());
        }
    }
}

fn host_name() -> String {
    let named = std::fs::read_to_string("/etc/hostname").ok();
    let named = named.or_else(|| std::env::var("HOSTNAME").ok()).unwrap_or_default();
    let named = named.trim();
    if named.is_empty() { "boxman".to_owned() } else { named.to_owned() }
}

/// A file that may grow no further (`ulimit -f`) is answered like a full disk, by waiting: the
/// signal that would end the program is heard and means nothing, and the write fails.
#[cfg(unix)]
fn outlive_file_limits() {
    use tokio::signal::unix::{SignalKind, signal};
    /// SIGXFSZ has this number wherever people run servers.
    const FILE_SIZE: i32 = 25;
    if let Err(error) = signal(SignalKind::from_raw(FILE_SIZE)) {
        tracing::warn!(%error, "a limit on the length of files would end the server");
    }
}

#[cfg(not(unix))]
fn outlive_file_limits() {}

/// A while after the server was told to stop.
async fn late(mut hurried: watch::Receiver<bool>) {
    let _ = hurried.wait_for(|hurry| *hurry).await;
    tokio::time::sleep(GRACE).await;
}
