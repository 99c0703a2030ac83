//! The back office: what every room shares. The store and the way into it, the rulebooks, the
//! meters, the house's own log, and what is known to be closed or damaged.

mod bought;
mod courier;
mod damage;
mod log;
mod meters;
mod players_money;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, OwnedRwLockReadGuard, RwLock};
use tokio::task::JoinHandle;

pub(crate) use self::bought::{BoughtToday, TableToday};
use self::courier::Courier;
use self::damage::Damage;
pub(crate) use self::damage::is_damage;
pub(crate) use self::log::{Last, Writing};
use crate::id::{MeterId, TableId};
use crate::latest::Latest;
use crate::link::Link;
use crate::log::Stream;
use crate::meters::{MeterHandle, StopMeter};
use crate::pit::Pit;
use crate::practice::{PracticeLimits, PracticeTables};
use crate::problem::Problem;
use crate::shelf::Shelf;
use crate::store::{Store, Stored, edition};
use crate::writer::Writer;

/// So often the store is tried for those who ask whether it can be written to.
const PING: Duration = Duration::from_secs(1);

/// Opened once, by whoever comes first.
pub(crate) type Slot<T> = Arc<OnceCell<T>>;

/// What every room shares.
pub struct Office {
    /// Where the logs are.
    pub store: Arc<dyn Store>,
    /// The way into them.
    pub writer: Writer,
    /// The rulebooks and rules.
    pub shelf: Arc<Shelf>,
    /// The practice tables that are open.
    pub(crate) practice: PracticeTables,
    /// The end of the house's own log.
    pub(crate) last: tokio::sync::Mutex<Last>,
    /// Tables known to be closed for good.
    closed: Mutex<BTreeSet<TableId>>,
    damaged: Mutex<BTreeMap<Stream, Damage>>,
    pinged: Latest<Stored<()>>,
    /// What players have bought at every table today.
    pub(crate) bought: BoughtToday,
    /// Tables that have changed since somebody asked.
    changed: Mutex<BTreeSet<TableId>>,
    meters: Mutex<BTreeMap<MeterId, Slot<MeterHandle>>>,
    /// The edition of the log that is written, as far as this process knows.
    edition: AtomicI64,
    /// The line to other nodes, where there may be some.
    link: Option<Arc<Link>>,
    /// Pits that are about to change hands: nothing in them is opened any more.
    vacating: Mutex<BTreeSet<Pit>>,
    /// Held by whoever opens something: its pit stays until they have.
    opening: Arc<RwLock<()>>,
    /// Where meters put money for others, and what brings it there.
    courier: Courier,
    /// Every meter that runs, found above or not.
    meter_tasks: Mutex<Vec<(StopMeter, JoinHandle<()>)>>,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Office {
    /// The office of a store.
    pub(crate) async fn open(
        store: Arc<dyn Store>,
        writer: Writer,
        shelf: Arc<Shelf>,
        limits: PracticeLimits,
        link: Option<Arc<Link>>,
    ) -> Stored<Office> {
        let written = edition::written(&*store).await?;
        Ok(Office {
            last: tokio::sync::Mutex::new(Last::read(&*store).await?),
            store,
            writer,
            shelf,
            practice: PracticeTables::new(limits),
            closed: Mutex::default(),
            damaged: Mutex::default(),
            pinged: Latest::new(PING),
            bought: BoughtToday::default(),
            changed: Mutex::default(),
            edition: AtomicI64::new(written),
            meters: Mutex::default(),
            link,
            vacating: Mutex::default(),
            opening: Arc::default(),
            courier: Courier::new(),
            meter_tasks: Mutex::default(),
        })
    }

    /// Whether the store can be written to. It is tried once a second, however many ask.
    pub async fn ready(&self) -> Stored<()> {
        self.pinged.get(|| self.store.ping()).await
    }

    /// Whether records of this version of the program may be written: while nodes of earlier ones
    /// share the store, they wait.
    pub(crate) async fn writes_newest(&self) -> bool {
        if self.edition.load(Ordering::Relaxed) >= edition::NEWEST {
            return true;
        }
        let written = edition::written(&*self.store).await.unwrap_or_default();
        self.edition.store(written, Ordering::Relaxed);
        written >= edition::NEWEST
    }

    /// The line to other nodes, where there may be some.
    pub(crate) fn link(&self) -> Option<&Arc<Link>> {
        self.link.as_ref()
    }

    /// Whether this process runs a log: where there are other nodes, one of them may.
    pub(crate) fn owns(&self, stream: &Stream) -> bool {
        self.link.as_ref().is_none_or(|link| link.store().holds(Pit::of(stream)))
    }

    /// Goes on only where this process runs a log, and will for a while.
    pub(crate) fn check_owned(&self, stream: &Stream) -> Result<(), Problem> {
        let vacating = lock(&self.vacating).contains(&Pit::of(stream));
        match self.owns(stream) && !vacating {
            true => Ok(()),
            false => Err(Problem::moved()),
        }
    }

    /// No pit is handed over while this is held.
    pub(crate) async fn stay(&self) -> OwnedRwLockReadGuard<()> {
        Arc::clone(&self.opening).read_owned().await
    }

    /// Nothing in a pit is opened any more, and whatever was about to be has been.
    pub(crate) async fn vacate(&self, pit: Pit) {
        // Whoever is just opening something there is shown it first.
        let _nobody_opens = self.opening.write().await;
        lock(&self.vacating).insert(pit);
    }

    /// Whoever has a pit now, nobody hands it over any more.
    pub(crate) fn settled(&self, pit: Pit) {
        lock(&self.vacating).remove(&pit);
    }

    /// Notes that a table has changed, or one of its meters.
    pub(crate) fn note_change(&self, table: TableId) {
        lock(&self.changed).insert(table);
    }

    /// The tables that have changed since somebody looked at them.
    pub(crate) fn changes(&self) -> BTreeSet<TableId> {
        lock(&self.changed).clone()
    }

    /// Somebody looks at a table: what changes from here on is another change.
    pub(crate) fn note_looked(&self, table: TableId) {
        lock(&self.changed).remove(&table);
    }

    /// Notes that a table is closed for good.
    pub(crate) fn note_closed(&self, table: TableId) {
        self.practice.forget(table);
        lock(&self.closed).insert(table);
    }

    /// Whether a table is known to be closed for good.
    pub fn is_closed(&self, table: TableId) -> bool {
        lock(&self.closed).contains(&table)
    }
}
