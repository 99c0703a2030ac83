//! The server: opened, listened on, and closed without losing anything.

use std::fmt;
use std::fs::File;
use std::future::Future;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use craps::Library;
use futures_util::future::BoxFuture;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::access::Person;
use crate::anchors::{self, Anchoring, keep};
use crate::auth::Door;
use crate::config::TableConfig;
use crate::history::Histories;
use crate::house::House;
use crate::http::{App, Carrying, Crowd, Guard, Limits, Lobby, keep_lobby, router};
use crate::listen::listen;
use crate::log::{HouseEntry, now};
use crate::pricing::Pricing;
use crate::problem::Problem;
use crate::reports::Expectations;
use crate::role::Role;
use crate::shelf::Shelf;
use crate::store::{SealKey, Sqlite, Store, StoreError, beside, real_path};

/// How long open requests may take to end once the server is told to stop.
const GRACE: Duration = Duration::from_secs(10);

/// Where the logs are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreAddress {
    /// In a SQLite file.
    Sqlite(PathBuf),
}

/// A store kept to this process.
pub struct StoreLock {
    _file: File,
}

/// A text that names no store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAStore(String);

impl fmt::Display for NotAStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a store this program knows, expected sqlite:FILE", self.0)
    }
}

impl std::error::Error for NotAStore {}

impl FromStr for StoreAddress {
    type Err = NotAStore;

    fn from_str(text: &str) -> Result<StoreAddress, NotAStore> {
        match text.split_once(':') {
            Some(("sqlite", file)) if !file.is_empty() => Ok(StoreAddress::Sqlite(file.into())),
            Some((scheme, _)) if scheme.len() > 1 => Err(NotAStore(text.to_owned())),
            _ if text.is_empty() => Err(NotAStore(text.to_owned())),
            _ => Ok(StoreAddress::Sqlite(text.into())),
        }
    }
}

impl StoreAddress {
    /// Keeps the store to this process until the lock is dropped: two servers at one store would
    /// tell their players different things.
    pub fn lock(&self) -> Result<StoreLock, StoreError> {
        let StoreAddress::Sqlite(path) = self;
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
            Ok(()) => Ok(StoreLock { _file: file }),
            Err(_) => Err(down(&"another server uses it, stop that one first")),
        }
    }

    /// Opens the store, and makes it where there is none. The key to seal with is in a file, by
    /// default beside the store, and made where there is none.
    pub async fn open(&self, key: Option<&Path>) -> Result<Arc<dyn Store>, StoreError> {
        let StoreAddress::Sqlite(path) = self;
        Ok(Arc::new(match key {
            None => Sqlite::open(path).await?,
            Some(key) => Sqlite::open_with(path, Some(SealKey::open(key)?)).await?,
        }))
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
    /// Where to write down at times how far the logs have come.
    pub anchoring: Option<Anchoring>,
    /// The rulebooks to choose from.
    pub library: Library,
    /// How much is too much.
    pub limits: Limits,
    /// Whether cookies go over TLS only.
    pub secure_cookies: bool,
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
    let listener = TcpListener::bind(options.listen).await;
    let listener = listener.map_err(|error| ServeError::Listen(options.listen, error))?;
    let address = listener.local_addr().unwrap_or(options.listen);
    let _lock = options.store.lock()?;
    let store = options.store.open(options.key.as_deref()).await?;
    store.forget_sessions(now()).await?;
    let house =
        House::open_with(store, Shelf::new(options.library), options.limits.practice).await?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    house.write_down("boxman", HouseEntry::Started { version }).await?;
    open_practice(&house).await?;
    let door = Door::new(Arc::clone(&house));
    let link = door.one_time_link().await?;
    let (stopping, stops) = watch::channel(false);
    let app = Arc::new(App {
        house: Arc::clone(&house),
        door,
        guard: Guard::new(options.limits),
        expectations: Expectations::default(),
        pricing: Pricing::default(),
        histories: Histories::default(),
        carrying: Carrying::default(),
        metrics: recorder(),
        secure_cookies: options.secure_cookies,
        stopping: stops,
        lobby: Lobby::default(),
        crowd: Crowd::new(&options.limits),
        sockets: AtomicU64::new(1),
    });
    let chores = tokio::spawn(chores(Arc::clone(&app)));
    let lobby = tokio::spawn(keep_lobby(Arc::clone(&app)));
    let anchoring = options.anchoring.clone();
    let anchors = anchoring.map(|anchoring| tokio::spawn(keep(Arc::clone(&house), anchoring)));
    let checking = tokio::spawn(Arc::clone(&house).look_through());
    started(&Started { address, link, tables: house.tables().len() });
    let (hurry, hurried) = watch::channel(false);
    let stopped = async move {
        stop.await;
        tracing::info!("stopping");
        let _ = stopping.send(true);
        let _ = hurry.send(true);
    };
    let crowd = Arc::clone(&app.crowd);
    tokio::select! {
        () = listen(listener, router(app), &options.limits, crowd, stopped) => {}
        () = late(hurried) => tracing::warn!("some requests did not end in time"),
    }
    // What they have begun is ended, so that nothing is written after the last anchor.
    for task in [Some(chores), Some(lobby), anchors].into_iter().flatten() {
        task.abort();
        let _ = task.await;
    }
    checking.abort();
    let _ = checking.await;
    house.stop().await;
    if let Some(Anchoring { file, .. }) = &options.anchoring {
        anchors::write(&house, file).await;
    }
    house.close().await;
    tracing::info!("everything is written down");
    Ok(())
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

/// A first start opens a table, so that one command is enough to play.
async fn open_practice(house: &Arc<House>) -> Result<(), Problem> {
    if house.tables().is_empty() {
        let boxman = Person {
            id: "boxman".to_owned(),
            name: "Boxman".to_owned(),
            roles: vec![Role::Supervisor],
        };
        house.open_table(&boxman, TableConfig::practice()).await?;
    }
    Ok(())
}

async fn chores(app: Arc<App>) {
    let mut minute = tokio::time::interval(Duration::from_secs(60));
    loop {
        minute.tick().await;
        app.guard.forget();
        // Figures are counted together, also where nobody ever asks for them.
        app.metrics.run_upkeep();
        app.house.practice.forget_addresses();
        if let Err(error) = app.house.store.forget_sessions(now()).await {
            tracing::warn!(%error, "old sessions were not forgotten");
        }
    }
}

/// One recorder serves the whole process, however many servers a test starts in it.
fn recorder() -> PrometheusHandle {
    static RECORDER: std::sync::OnceLock<PrometheusHandle> = std::sync::OnceLock::new();
    let install = || {
        let seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
        let builder = PrometheusBuilder::new();
        let matcher = Matcher::Suffix("_seconds".to_owned());
        let builder = match builder.set_buckets_for_metric(matcher, &seconds) {
            Ok(builder) => builder,
            Err(_) => PrometheusBuilder::new(),
        };
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        // Another recorder may be there already; then these figures stay empty.
        let _ = metrics::set_global_recorder(recorder);
        handle
    };
    RECORDER.get_or_init(install).clone()
}
