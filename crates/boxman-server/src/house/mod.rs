//! The house: every table and every meter, the store they share, and a log of its own for
//! accounts and openings.

mod damage;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use craps::{MeterTerms, Refusal, Rules};
use tokio::sync::OnceCell;
use tokio::task::JoinHandle;

use self::damage::Damage;
pub(crate) use self::damage::is_damage;
use crate::access::Person;
use crate::audit::{self, Export};
use crate::config::TableConfig;
use crate::empty_meters;
use crate::id::{MeterId, TableId};
use crate::latest::Latest;
use crate::log::{Entry, Head, HouseEntry, KeptMeter, Record, Stream, TableEntry, now};
use crate::meters::{self, MeterHandle, MeterMessage, MeterTask};
use crate::practice::{PracticeLimits, PracticeTables};
use crate::problem::Problem;
use crate::room::{Note, Room, RoomHandle, Visit};
use crate::shelf::Shelf;
use crate::store::{Account, Store, StoreError, Stored};
use crate::writer::Writer;

/// So often the store is tried for those who ask whether it can be written to.
const PING: Duration = Duration::from_secs(1);

/// Opened once, by whoever comes first.
type Slot<T> = Arc<OnceCell<T>>;

/// A table brought in from elsewhere.
pub enum Brought {
    /// As another store exported it.
    Export(Box<Export>),
    /// As a tape tells it.
    Tape {
        /// The tape.
        text: String,
        /// What the table is called.
        name: String,
    },
}

/// Every table and every meter.
pub struct House {
    /// Where the logs are.
    pub store: Arc<dyn Store>,
    /// The way into them.
    pub writer: Writer,
    /// The rulebooks and rules.
    pub shelf: Shelf,
    /// The practice tables that are open.
    pub(crate) practice: PracticeTables,
    closing: AtomicBool,
    tables: Mutex<BTreeSet<TableId>>,
    /// Those known to be closed for good.
    closed: Mutex<BTreeSet<TableId>>,
    rooms: Mutex<HashMap<TableId, Slot<RoomHandle>>>,
    damaged: Mutex<BTreeMap<Stream, Damage>>,
    pinged: Latest<Stored<()>>,
    meters: Mutex<HashMap<MeterId, Slot<MeterHandle>>>,
    last: tokio::sync::Mutex<Last>,
    room_tasks: Mutex<Vec<JoinHandle<()>>>,
    meter_tasks: Mutex<Vec<JoinHandle<()>>>,
    writer_task: Mutex<Option<JoinHandle<()>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl House {
    /// The house of a store. Tables are read when somebody comes to them.
    pub async fn open(store: Arc<dyn Store>, shelf: Shelf) -> Stored<Arc<House>> {
        House::open_with(store, shelf, PracticeLimits::default()).await
    }

    /// The same, with limits of its own for practice tables.
    pub async fn open_with(
        store: Arc<dyn Store>,
        shelf: Shelf,
        limits: PracticeLimits,
    ) -> Stored<Arc<House>> {
        let (writer, task) = Writer::start(Arc::clone(&store));
        let last = Last::read(&*store).await?;
        let streams: BTreeSet<Stream> = store.streams().await?.into_iter().collect();
        let tables = streams.iter().filter_map(|stream| match stream {
            Stream::Table(table) => Some(*table),
            _ => None,
        });
        let house = Arc::new(House {
            writer,
            shelf,
            practice: PracticeTables::new(limits),
            closing: AtomicBool::new(false),
            tables: Mutex::new(tables.collect()),
            closed: Mutex::default(),
            rooms: Mutex::default(),
            damaged: Mutex::default(),
            pinged: Latest::new(PING),
            meters: Mutex::default(),
            last: tokio::sync::Mutex::new(last),
            room_tasks: Mutex::default(),
            meter_tasks: Mutex::default(),
            writer_task: Mutex::new(Some(task)),
            store,
        });
        house.miss(&streams).await?;
        Ok(house)
    }

    /// Whether the store can be written to. It is tried once a second, however many ask.
    pub async fn ready(&self) -> Stored<()> {
        self.pinged.get(|| self.store.ping()).await
    }

    /// Every table there is.
    pub fn tables(&self) -> Vec<TableId> {
        lock(&self.tables).iter().copied().collect()
    }

    /// The room of a table, read from its log where nobody has been there yet.
    pub async fn room(self: &Arc<House>, table: TableId) -> Result<RoomHandle, Problem> {
        if !lock(&self.tables).contains(&table) {
            return Err(Problem::not_found(format!("table {table}")));
        }
        if self.closing.load(Ordering::Relaxed) {
            return Err(Problem::unavailable("shutting-down", "the server is shutting down"));
        }
        let slot = {
            let mut rooms = lock(&self.rooms);
            // A room that came to grief, or has gone to rest, is read back from its log.
            if rooms.get(&table).and_then(|slot| slot.get()).is_some_and(RoomHandle::is_gone) {
                rooms.remove(&table);
            }
            rooms.entry(table).or_default().clone()
        };
        self.check_damage(table)?;
        let house = Arc::clone(self);
        let room = slot.get_or_try_init(|| async move {
            let (room, task) = match Room::start(Arc::clone(&house), table).await {
                Ok(started) => started,
                Err(problem) => {
                    if is_damage(&problem) {
                        house.shut(table, &problem.detail);
                    }
                    return Err(problem);
                }
            };
            house.opened(table);
            let watching = Arc::clone(&house);
            let watch = async move {
                if let Err(panic) = task.await {
                    watching.shut(table, &format!("its room came to grief: {panic}"));
                }
            };
            let mut tasks = lock(&house.room_tasks);
            tasks.retain(|task| !task.is_finished());
            tasks.push(tokio::spawn(watch));
            Ok::<RoomHandle, Problem>(room)
        });
        let room = room.await?.clone();
        // It may have been found while the room was being opened.
        if let Some(reason) = self.lasting_damage(&Stream::Table(table)) {
            room.tell(Note::Damaged(reason));
        }
        Ok(room)
    }

    /// The rooms that are open now.
    pub fn open_rooms(&self) -> Vec<RoomHandle> {
        lock(&self.rooms).values().filter_map(|slot| slot.get().cloned()).collect()
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

    /// Opens a table.
    pub async fn open_table(
        self: &Arc<House>,
        by: &Person,
        config: TableConfig,
    ) -> Result<RoomHandle, Problem> {
        self.open_table_from(by, None, config).await
    }

    /// Opens a table for somebody at this address.
    pub async fn open_table_from(
        self: &Arc<House>,
        by: &Person,
        address: Option<IpAddr>,
        config: TableConfig,
    ) -> Result<RoomHandle, Problem> {
        let table = self.fresh_table()?;
        // Before the rules are compiled and kept: they take time and room of their own.
        let place = match config.practice {
            true => Some(self.practice.reserve(table, by, address)?),
            false => None,
        };
        let (queued, rules) = self.shelf.choose(&*self.store, config).await?;
        self.check_meters(table, &queued.config, &rules).await?;
        let name = queued.config.name.clone();
        let opened = TableEntry::Opened {
            config: queued.config,
            library: queued.library,
            rules: queued.rules,
        };
        let entry = Entry::new(now(), by.id.as_str(), opened);
        let record = entry.record(Head::default(), Stream::Table(table));
        self.write_opening(&by.id, HouseEntry::TableOpened { table, name }, record).await?;
        if let Some(place) = place {
            place.keep();
        }
        lock(&self.tables).insert(table);
        self.room(table).await
    }

    fn fresh_table(&self) -> Result<TableId, Problem> {
        loop {
            let table = TableId::fresh()?;
            if !lock(&self.tables).contains(&table) {
                return Ok(table);
            }
        }
    }

    /// Brings a table in from elsewhere. Logins and openings go on while it is verified; nothing
    /// else is written into the house's log while it is brought in.
    pub async fn import(
        self: &Arc<House>,
        by: &str,
        brought: Brought,
    ) -> Result<RoomHandle, Problem> {
        let store = &*self.store;
        let prepared = match &brought {
            Brought::Export(export) => audit::prepare(store, export).await?,
            Brought::Tape { text, name } => {
                let library = self.shelf.library().clone();
                audit::prepare_tape(store, "tape", text, Some(name), library).await?
            }
        };
        let imported = {
            let mut last = self.last.lock().await;
            let imported = audit::append(store, by, prepared).await;
            *last = Last::read(&*self.store).await?;
            imported?
        };
        lock(&self.tables).insert(imported.table);
        self.room(imported.table).await
    }

    /// Whether the meters a table needs could serve it: open, for that paytable, on those terms,
    /// and at a real table a jackpot.
    pub async fn check_meters(
        &self,
        table: TableId,
        config: &TableConfig,
        rules: &Rules,
    ) -> Result<(), Problem> {
        for rule in rules.meters() {
            let id = config.meter(table, &rule.name);
            let jackpot = !config.practice && !config.empty_meters;
            let Some(meter) = self.open_meter(&id).await else {
                if jackpot {
                    empty_meters::check_new(rules, rule)?;
                }
                continue;
            };
            if let Some(reason) = self.damage_of(&Stream::Meter(id.clone())) {
                return Err(Problem::unavailable("meter-damaged", reason));
            }
            let state = meter.ask(MeterMessage::Look).await?;
            if state.meter.name() != rule.name {
                let served = state.meter.name();
                let other = format!("meter {id} serves paytable {served}, not {}", rule.name);
                return Err(Problem::conflict("other-paytable", other));
            }
            if state.practice && !config.practice {
                let play = format!("meter {id} holds play money, a real table cannot share it");
                return Err(Problem::conflict("practice-meter", play));
            }
            if state.meter.is_closed() {
                return Err(Refusal::MeterClosed { meter: id.to_string() }.into());
            }
            let fits =
                *state.meter.terms() == rule.terms || state.meter.next_terms() == Some(&rule.terms);
            if !fits {
                return Err(Refusal::OtherTerms { meter: id.to_string() }.into());
            }
            if jackpot {
                empty_meters::check_own(rules, rule, &id, state.meter.terms())?;
            }
        }
        Ok(())
    }

    /// Whether somebody does not play for this meter at a real table: nobody changes what they may
    /// win themselves.
    pub async fn check_no_player_of(&self, id: &MeterId, who: &Person) -> Result<(), Problem> {
        for room in self.open_rooms().into_iter().filter(|room| room.is_seated(&who.id)) {
            let Ok(view) = room.query(Visit::Look).await else { continue };
            let feeds = view.meters.iter().any(|meter| meter.meter == id.as_str());
            if feeds && !view.config.practice {
                return Err(Problem::forbidden("you play at a table that feeds this meter"));
            }
        }
        Ok(())
    }

    /// Whether no table feeds a meter: not now, not once the configuration that waits applies, and
    /// nothing is still on its way to it. A table that cannot be opened feeds none.
    pub async fn check_unlinked(self: &Arc<House>, id: &MeterId) -> Result<(), Problem> {
        for table in self.tables() {
            let Ok(room) = self.room(table).await else { continue };
            let (state, _) = room.query(Visit::Inspect).await?;
            let mut linked = state.outbox.iter().any(|letter| letter.meter == *id);
            let setups = [Some(&state.setup), state.queued.as_ref()];
            let open = state.table.status() != craps::Status::Closed;
            for setup in setups.into_iter().flatten().filter(|_| open) {
                let rules = self.shelf.recall(&*self.store, setup).await?;
                let feeds = |paytable: &str| setup.config.meter(table, paytable) == *id;
                linked |= rules.meters().iter().any(|rule| feeds(&rule.name));
            }
            if linked {
                let name = &state.config().name;
                let still =
                    format!("table {name} still feeds that meter, close or change it first");
                return Err(Problem::conflict("meter-linked", still));
            }
        }
        Ok(())
    }

    /// A meter that exists, read from its log where nobody has asked for it yet.
    pub async fn open_meter(&self, id: &MeterId) -> Option<MeterHandle> {
        let known = lock(&self.meters).contains_key(id);
        // A name that somebody made up leaves no trace.
        if !known && self.store.head(&Stream::Meter(id.clone())).await.ok()? == Head::default() {
            return None;
        }
        let slot = lock(&self.meters).entry(id.clone()).or_default().clone();
        let found = slot.get_or_try_init(|| async {
            match self.load_meter(id).await {
                Err(StoreError::Damaged(reason)) => {
                    let state = meters::founded(&*self.store, id).await?;
                    Ok(self.start_damaged(state, &reason))
                }
                loaded => loaded.map(|loaded| self.start_meter(loaded)),
            }
        });
        let found: Stored<&MeterHandle> = found.await;
        let found = found.inspect_err(|error| tracing::error!(meter = %id, %error, "no meter"));
        Some(self.reminded(id, found.ok()?.clone()))
    }

    /// A meter whose log may have been found damaged while it was being opened.
    fn reminded(&self, id: &MeterId, meter: MeterHandle) -> MeterHandle {
        if let Some(reason) = self.lasting_damage(&Stream::Meter(id.clone())) {
            meter.tell(MeterMessage::Damaged(reason));
        }
        meter
    }

    /// A meter, opened on these terms where it does not exist yet.
    pub async fn meter(
        &self,
        id: &MeterId,
        paytable: &str,
        terms: MeterTerms,
        practice: bool,
    ) -> Result<MeterHandle, Problem> {
        let slot = lock(&self.meters).entry(id.clone()).or_default().clone();
        let opened = slot.get_or_try_init(|| async {
            if let Some(reason) = self.lasting_damage(&Stream::Meter(id.clone())) {
                let state = KeptMeter::open(id.clone(), paytable, terms, practice);
                return Ok(self.start_damaged(state, &reason));
            }
            if self.store.head(&Stream::Meter(id.clone())).await?.seq == 0 {
                let founded = self.found_meter(id, paytable, terms, practice).await?;
                return Ok(self.start_meter(founded));
            }
            match self.load_meter(id).await {
                // Its tables play on, and claims on it wait.
                Err(StoreError::Damaged(reason)) => {
                    let state = KeptMeter::open(id.clone(), paytable, terms, practice);
                    Ok(self.start_damaged(state, &reason))
                }
                loaded => Ok::<MeterHandle, Problem>(self.start_meter(loaded?)),
            }
        });
        Ok(self.reminded(id, opened.await?.clone()))
    }

    async fn load_meter(&self, id: &MeterId) -> Stored<meters::Loaded> {
        let (store, meter) = (Arc::clone(&self.store), id.clone());
        // A log that makes the engine panic is damaged too.
        let loaded = tokio::spawn(async move { meters::load(&*store, &meter).await });
        loaded.await.unwrap_or_else(|panic| {
            Err(StoreError::Damaged(format!("meter/{id} cannot be replayed: {panic}")))
        })
    }

    async fn found_meter(
        &self,
        id: &MeterId,
        paytable: &str,
        terms: MeterTerms,
        practice: bool,
    ) -> Result<meters::Loaded, Problem> {
        let (state, record) = meters::opening(id, "boxman", paytable, terms, practice);
        let head = record.head();
        let opened = HouseEntry::MeterOpened { meter: id.clone() };
        self.write_opening("boxman", opened, record).await?;
        Ok(meters::Loaded { state, head, snapshot_at: 0, damaged: None })
    }

    fn start_meter(&self, loaded: meters::Loaded) -> MeterHandle {
        let store = Arc::clone(&self.store);
        let (handle, task) = MeterTask::start(loaded, store, self.writer.clone());
        lock(&self.meter_tasks).push(task);
        handle
    }

    /// A meter whose log is damaged answers no claim; what it shows is what it began with.
    fn start_damaged(&self, state: KeptMeter, reason: &str) -> MeterHandle {
        self.note_damage(Stream::Meter(state.id.clone()), reason, true);
        let (head, damaged) = (Head::default(), Some(reason.to_owned()));
        self.start_meter(meters::Loaded { state, head, snapshot_at: 0, damaged })
    }

    /// Every meter in the store.
    pub async fn meters(&self) -> Result<Vec<MeterHandle>, Problem> {
        let mut meters = Vec::new();
        for stream in self.store.streams().await? {
            if let Stream::Meter(id) = stream {
                meters.extend(self.open_meter(&id).await);
            }
        }
        Ok(meters)
    }

    /// Writes something into the house's own log.
    pub async fn write_down(&self, by: &str, what: HouseEntry) -> Result<(), Problem> {
        self.write(by, vec![what], None, Vec::new()).await
    }

    /// Writes down that something was opened, together with its first record: no log is there that
    /// the house does not know of, whenever it is killed.
    async fn write_opening(
        &self,
        by: &str,
        what: HouseEntry,
        first: Record,
    ) -> Result<(), Problem> {
        self.write(by, vec![what], None, vec![first]).await
    }

    /// Keeps an account together with what the house's own log says of it.
    pub async fn keep_account(
        &self,
        by: &str,
        account: &Account,
        entries: Vec<HouseEntry>,
    ) -> Result<(), Problem> {
        self.write(by, entries, Some(account), Vec::new()).await
    }

    async fn write(
        &self,
        by: &str,
        entries: Vec<HouseEntry>,
        account: Option<&Account>,
        others: Vec<Record>,
    ) -> Result<(), Problem> {
        let mut last = self.last.lock().await;
        let mut overtaken = false;
        loop {
            let (mut records, next) = last.followed_by(by, entries.clone());
            records.extend(others.iter().cloned());
            let written = match account {
                Some(account) => self.store.keep_account(account, &records).await,
                None => self.writer.append(records).await,
            };
            let Err(error) = written else {
                *last = next;
                return Ok(());
            };
            // Whether it was written is unknown until the log is read.
            *last = Last::read(&*self.store).await?;
            // Whoever hung up before their record was durable has left it there unnoticed.
            if error != StoreError::Conflict || std::mem::replace(&mut overtaken, true) {
                return Err(error.into());
            }
        }
    }

    /// Has every room and meter finish what is under way; everything acknowledged is durable.
    pub async fn close(&self) {
        self.stop().await;
        self.store.close().await;
        if let Some(task) = lock(&self.writer_task).take() {
            task.abort();
        }
    }

    /// The same, and the logs can still be read.
    pub(crate) async fn stop(&self) {
        self.closing.store(true, Ordering::Relaxed);
        for room in self.open_rooms() {
            room.tell(Note::Stop);
        }
        let rooms: Vec<JoinHandle<()>> = lock(&self.room_tasks).drain(..).collect();
        for task in rooms {
            let _ = task.await;
        }
        let meters: Vec<MeterHandle> =
            lock(&self.meters).values().filter_map(|slot| slot.get().cloned()).collect();
        for meter in meters {
            meter.send(MeterMessage::Stop).await;
        }
        let meters: Vec<JoinHandle<()>> = lock(&self.meter_tasks).drain(..).collect();
        for task in meters {
            let _ = task.await;
        }
    }
}

/// The last record of the house's own log, and when it was written.
#[derive(Clone, Copy)]
struct Last {
    head: Head,
    at: u64,
}

impl Last {
    /// The records that come next, and where they end.
    fn followed_by(self, by: &str, entries: Vec<HouseEntry>) -> (Vec<Record>, Last) {
        let Last { mut head, at } = self;
        let at = now().max(at);
        let mut records = Vec::new();
        for what in entries {
            let record = Entry::new(at, by, what).record(head, Stream::House);
            head = record.head();
            records.push(record);
        }
        (records, Last { head, at })
    }

    async fn read(store: &dyn Store) -> Stored<Last> {
        let head = store.head(&Stream::House).await?;
        let record = match store.records(&Stream::House, head.seq.saturating_sub(1), 1).await {
            // The house goes on after a record that cannot be read, and an audit names it.
            Err(StoreError::Damaged(reason)) => {
                tracing::error!(reason, "the last record of the house cannot be read");
                Vec::new()
            }
            record => record?,
        };
        let entry = record.first().and_then(|record| record.entry::<HouseEntry>().ok());
        Ok(Last { head, at: entry.map_or(0, |entry| entry.at) })
    }
}
