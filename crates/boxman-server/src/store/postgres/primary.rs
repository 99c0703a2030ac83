//! Connections to the primary: which host that is, whether it waits for its standbys, and who has
//! been promoted since.

use std::sync::atomic::Ordering;
use std::sync::{PoisonError, Weak};
use std::time::Duration;

use sqlx::Connection;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use tokio::sync::Mutex;
use tokio::time::timeout;

use super::super::pits::Pits;
use super::super::rows::down;
use super::super::{StoreError, Stored};
use super::address::Found;
use super::{Durability, NO_STANDBYS, Postgres};

/// Connections for everything else.
const CONNECTIONS: u32 = 12;
/// Connections on which pits change hands: no report holds a take-over up.
const CLAIMS: u32 = 4;
/// Whoever has not found a primary and agreed with it by then has not.
const CONNECT: Duration = Duration::from_secs(4);
/// How often it is looked for a host that was promoted.
const LOOK: Duration = Duration::from_secs(3);

/// Connections to the primary.
#[derive(Clone)]
pub(super) struct Pools {
    pub(super) plain: PgPool,
    pub(super) claims: PgPool,
}

impl Pools {
    pub(super) fn to(host: &PgConnectOptions, durability: Durability, strict: bool) -> Pools {
        let of = |most| pool(host, durability, strict, most);
        Pools { plain: of(CONNECTIONS), claims: of(CLAIMS) }
    }

    pub(super) async fn close(&self) {
        tokio::join!(self.plain.close(), self.claims.close());
    }
}

/// A connection that is kept, and to which primary.
pub(super) type Kept = (u64, PgConnection);

/// Where one is kept for the next statement.
pub(super) type Lane = Mutex<Option<Kept>>;

impl Postgres {
    /// A new connection to the primary, which is looked for: where it is another than before, or
    /// was promoted since, everybody goes over to it, and every pit is claimed again. It may not
    /// have what this node has seen. Nobody goes back to one that was the primary earlier.
    async fn connect(&self) -> Stored<PgConnection> {
        let Found { options, mut connection, timeline, .. } = self.address.primary().await?;
        if self.strict && !waits(&mut connection).await.map_err(down)? {
            return Err(StoreError::Down(NO_STANDBYS.to_owned()));
        }
        prepare(&mut connection, self.durability, self.strict).await.map_err(down)?;
        let place = |host: &PgConnectOptions| (host.get_host().to_owned(), host.get_port());
        let mut host = self.host.lock().await;
        let (name, port) = place(&options);
        if timeline < host.1 {
            return Err(StoreError::Down(format!(
                "{name}:{port} was the primary until another was promoted: make it a standby"
            )));
        }
        if place(&options) != place(&host.0) || timeline != host.1 {
            tracing::warn!(host = name, port, timeline, "another primary");
            self.primaries.fetch_add(1, Ordering::SeqCst);
            let fresh = Pools::to(&options, self.durability, self.strict);
            let before = std::mem::replace(
                &mut *self.pools.write().unwrap_or_else(PoisonError::into_inner),
                fresh,
            );
            tokio::spawn(async move { before.close().await });
            *host = (options, timeline);
            (self as &dyn Pits).lose_all();
        }
        Ok(connection)
    }

    /// Looks now and then whether another host has been promoted while the one in use still
    /// answers as if nothing had happened, and goes over to it.
    pub async fn watch(store: Weak<Postgres>) {
        loop {
            tokio::time::sleep(LOOK).await;
            let Some(store) = store.upgrade() else { return };
            if store.address.is_one_host() {
                return;
            }
            let Ok(found) = store.address.primary().await else { continue };
            let later = found.timeline > store.host.lock().await.1;
            let _ = found.connection.close().await;
            if later && let Err(error) = store.connect().await {
                tracing::warn!(%error, "another host was promoted and is not used");
            }
        }
    }

    /// The connection that is kept somewhere, or a new one. Where that finds another primary,
    /// what was about to be sent was meant for the one before.
    pub(super) async fn kept(&self, slot: &mut Option<Kept>) -> Stored<Kept> {
        let primary = self.primaries.load(Ordering::SeqCst);
        match slot.take() {
            Some(kept) if kept.0 == primary => return Ok(kept),
            Some((_, connection)) => drop(tokio::spawn(connection.close_hard())),
            None => {}
        }
        let late = || StoreError::Down("the database did not answer in time".to_owned());
        let connection = timeout(CONNECT, self.connect()).await.map_err(|_| late())??;
        match self.primaries.load(Ordering::SeqCst) {
            now if now == primary => Ok((primary, connection)),
            _ => Err(StoreError::Down("another primary answers now".to_owned())),
        }
    }
}

/// A connection of the pool. One that has not answered, because it is late or because whoever
/// asked has turned away, is closed: it may never answer, and nobody is to wait for it.
pub(super) struct Borrowed(Option<PoolConnection<sqlx::Postgres>>);

impl Borrowed {
    pub(super) async fn of(pool: &PgPool) -> Stored<Borrowed> {
        pool.acquire().await.map(|connection| Borrowed(Some(connection))).map_err(down)
    }

    pub(super) fn get(&mut self) -> Stored<&mut PgConnection> {
        let gone = || StoreError::Down("the connection is gone".to_owned());
        self.0.as_deref_mut().ok_or_else(gone)
    }

    /// What came back. It goes back to the others.
    pub(super) fn answered<T>(
        mut self,
        answer: Result<Result<T, sqlx::Error>, tokio::time::error::Elapsed>,
    ) -> Stored<T> {
        let late = |_| StoreError::Down("the database did not answer in time".to_owned());
        let done = answer.map_err(late)?;
        drop(self.0.take());
        done.map_err(down)
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Some(mut connection) = self.0.take() {
            connection.close_on_drop();
        }
    }
}

fn pool(host: &PgConnectOptions, durability: Durability, strict: bool, most: u32) -> PgPool {
    PgPoolOptions::new()
        .max_connections(most)
        .acquire_timeout(Duration::from_secs(5))
        .idle_timeout(Duration::from_secs(60))
        .max_lifetime(None)
        .after_connect(move |connection, _| Box::pin(prepare(connection, durability, strict)))
        .connect_lazy_with(host.clone())
}

/// Whether the database waits for any standby. One that was promoted may wait for nobody: then
/// nothing is acknowledged by it.
pub(super) async fn waits(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    let names = "SELECT current_setting('synchronous_standby_names')";
    let names: String = sqlx::query_scalar(names).fetch_one(connection).await?;
    Ok(!names.trim().is_empty())
}

/// Has a connection wait for what is promised, whatever the database's default is.
async fn prepare(
    connection: &mut PgConnection,
    durability: Durability,
    strict: bool,
) -> Result<(), sqlx::Error> {
    if strict && !waits(connection).await? {
        return Err(sqlx::Error::Configuration(NO_STANDBYS.into()));
    }
    let set = match durability {
        Durability::Replica => "SET synchronous_commit = on",
        Durability::Local => "SET synchronous_commit = local",
    };
    sqlx::query(set).execute(&mut *connection).await?;
    // One who has begun and gone away holds nobody up.
    let set = "SET idle_in_transaction_session_timeout = '10s'";
    sqlx::query(set).execute(connection).await.map(drop)
}
