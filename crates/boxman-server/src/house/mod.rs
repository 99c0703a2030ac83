//! The house: every table and the room it is played in.

mod damage;
mod pits;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::access::Person;
use crate::audit::{self, Export};
use crate::books::Books;
use crate::config::{PROCEDURES, TableConfig};
use crate::id::{MeterId, TableId};
use crate::link::Link;
use crate::log::{Entry, Head, HouseEntry, Stream, TableEntry, now};
use crate::office::{Last, Office, Slot, Writing, is_damage, lock};
use crate::pit::Pit;
use crate::practice::PracticeLimits;
use crate::problem::Problem;
use crate::room::{Note, Room, RoomHandle, Visit};
use crate::shelf::Shelf;
use crate::store::{Store, Stored};
use crate::table::{self, LiveTable};
use crate::writer::Writer;

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

/// Rooms, opened or about to be.
type Rooms = BTreeMap<TableId, Slot<RoomHandle>>;

/// Every table, and the office behind them.
pub struct House {
    office: Arc<Office>,
    closing: AtomicBool,
    /// The dealing procedures of real tables that open.
    procedures: AtomicU8,
    tables: Mutex<BTreeSet<TableId>>,
    /// The rooms of each pit.
    rooms: Mutex<BTreeMap<Pit, Rooms>>,
    /// Every room that runs, found above or not: one may have been opened while its pit went.
    room_tasks: Mutex<Vec<(RoomHandle, JoinHandle<()>)>>,
    writer_task: Mutex<Option<JoinHandle<()>>>,
}

impl Deref for House {
    type Target = Office;

    fn deref(&self) -> &Office {
        &self.office
    }
}

impl House {
    /// The house of a store, without a server. Tables are read when a person comes to them. Real
    /// tables that it opens follow the procedures of earlier logs: see [`House::deal_by`].
    pub async fn open(store: Arc<dyn Store>, shelf: Shelf) -> Stored<Arc<House>> {
        let limits = PracticeLimits::default();
        let house = House::open_with(store, Arc::new(shelf), limits, None).await?;
        house.deal_by(0);
        Ok(house)
    }

    /// The same, with limits of its own for practice tables, and a line to other nodes.
    pub async fn open_with(
        store: Arc<dyn Store>,
        shelf: Arc<Shelf>,
        limits: PracticeLimits,
        link: Option<Arc<Link>>,
    ) -> Stored<Arc<House>> {
        let (writer, task) = Writer::start(&store);
        let streams: BTreeSet<Stream> = store.streams().await?.into_iter().collect();
        let tables = streams.iter().filter_map(|stream| match stream {
            Stream::Table(table) => Some(*table),
            _ => None,
        });
        let house = Arc::new(House {
            closing: AtomicBool::new(false),
            procedures: AtomicU8::new(PROCEDURES),
            tables: Mutex::new(tables.collect()),
            rooms: Mutex::default(),
            room_tasks: Mutex::default(),
            writer_task: Mutex::new(Some(task)),
            office: Arc::new(Office::open(store, writer, shelf, limits, link).await?),
        });
        house.office.start_courier();
        house.miss(&streams).await?;
        Ok(house)
    }

    /// Has real tables that open from now on follow these dealing procedures.
    pub fn deal_by(&self, procedures: u8) {
        self.procedures.store(procedures.min(PROCEDURES), Ordering::Relaxed);
    }

    /// Every table there is.
    pub fn tables(&self) -> Vec<TableId> {
        lock(&self.tables).iter().copied().collect()
    }

    /// The room of a table, read from its log where nobody has been there yet.
    pub async fn room(self: &Arc<House>, table: TableId) -> Result<RoomHandle, Problem> {
        self.check_owned(&Stream::Table(table))?;
        if !self.is_known(table).await? {
            return Err(Problem::not_found(format!("table {table}")));
        }
        if self.closing.load(Ordering::Relaxed) {
            return Err(Problem::unavailable("shutting-down", "the server is shutting down"));
        }
        let slot = {
            let mut rooms = lock(&self.rooms);
            let rooms = rooms.entry(Pit::of(&Stream::Table(table))).or_default();
            // A room that came to grief, or has gone to rest, is read back from its log.
            if rooms.get(&table).and_then(|slot| slot.get()).is_some_and(RoomHandle::is_gone) {
                rooms.remove(&table);
            }
            rooms.entry(table).or_default().clone()
        };
        self.check_damage(table)?;
        let house = Arc::clone(self);
        let room = slot.get_or_try_init(|| async move {
            house.check_owned(&Stream::Table(table))?;
            let begun = Instant::now();
            let (room, task) = match Room::start(Arc::clone(&house.office), table).await {
                Ok(started) => started,
                Err(problem) => {
                    if is_damage(&problem) {
                        house.shut(table, &problem.detail);
                    }
                    return Err(problem);
                }
            };
            tracing::debug!(%table, took = ?begun.elapsed(), "a table is open");
            house.opened(table);
            let watching = Arc::clone(&house);
            let watch = async move {
                if let Err(panic) = task.await {
                    watching.shut(table, &format!("its room came to grief: {panic}"));
                }
            };
            let mut tasks = lock(&house.room_tasks);
            tasks.retain(|(_, task)| !task.is_finished());
            tasks.push((room.clone(), tokio::spawn(watch)));
            Ok::<RoomHandle, Problem>(room)
        });
        let room = room.await?.clone();
        // The pit may have gone to another node while the room was being opened, and may have come
        // back since: then another room is the table's.
        let is_found = self.finds(&slot, table);
        if let Err(moved) = self.check_owned(&Stream::Table(table)).and(is_found) {
            room.tell(Note::Lost);
            return Err(moved);
        }
        // It may have been found while the room was being opened.
        if let Some(reason) = self.lasting_damage(&Stream::Table(table)) {
            room.tell(Note::Damaged(reason));
        }
        Ok(room)
    }

    /// Whether whoever asks for a table is sent to this room.
    fn finds(&self, room: &Slot<RoomHandle>, table: TableId) -> Result<(), Problem> {
        let rooms = lock(&self.rooms);
        let rooms = rooms.get(&Pit::of(&Stream::Table(table)));
        let found = rooms.and_then(|rooms| rooms.get(&table));
        match found.is_some_and(|found| Arc::ptr_eq(found, room)) {
            true => Ok(()),
            false => Err(Problem::moved()),
        }
    }

    /// Whether there is such a table: another node may have opened it.
    async fn is_known(&self, table: TableId) -> Result<bool, Problem> {
        if lock(&self.tables).contains(&table) {
            return Ok(true);
        }
        if self.link().is_none() || self.store.head(&Stream::Table(table)).await?.seq == 0 {
            return Ok(false);
        }
        lock(&self.tables).insert(table);
        Ok(true)
    }

    /// The rooms that are open now.
    pub fn open_rooms(&self) -> Vec<RoomHandle> {
        let rooms = lock(&self.rooms);
        rooms.values().flat_map(BTreeMap::values).filter_map(|slot| slot.get().cloned()).collect()
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
        mut config: TableConfig,
    ) -> Result<RoomHandle, Problem> {
        // Nodes of an earlier version could not read a table of today's procedures.
        if !config.practice && self.writes_newest().await {
            config.procedures = self.procedures.load(Ordering::Relaxed);
        }
        let table = self.fresh_table()?;
        // Before the rules are compiled and kept: they take time and room of their own.
        let place = match config.practice {
            true => Some(self.practice.reserve(table, by, address)?),
            false => None,
        };
        let (queued, rules) = self.shelf.choose(&*self.store, config).await?;
        self.shelf.look_over(&rules).await;
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
        self.note_change(table);
        self.room(table).await
    }

    /// Opens a table where there is none: of several nodes that start together, one does.
    pub async fn open_first_table(
        self: &Arc<House>,
        by: &Person,
        config: TableConfig,
    ) -> Result<(), Problem> {
        // Whoever has no pit yet has started after somebody else.
        let Ok(table) = self.fresh_table() else { return Ok(()) };
        if !self.tables().is_empty() {
            return Ok(());
        }
        let (queued, rules) = self.shelf.choose(&*self.store, config).await?;
        self.shelf.look_over(&rules).await;
        let name = queued.config.name.clone();
        let opened = TableEntry::Opened {
            config: queued.config,
            library: queued.library,
            rules: queued.rules,
        };
        let entry = Entry::new(now(), by.id.as_str(), opened);
        let record = entry.record(Head::default(), Stream::Table(table));
        let fence = self.store.fence(&record.stream)?;
        let first = || -> BoxFuture<'_, Result<Writing, Problem>> {
            Box::pin(async {
                let streams = self.store.streams().await?;
                let none = !streams.iter().any(|stream| matches!(stream, Stream::Table(_)));
                let opened = HouseEntry::TableOpened { table, name: name.clone() };
                let entries = if none { vec![opened] } else { Vec::new() };
                let first = none.then(|| (record.clone(), fence));
                Ok(Writing { entries, account: None, first })
            })
        };
        self.write(&by.id, &first).await?;
        self.find_tables().await?;
        match lock(&self.tables).contains(&table) {
            false => return Ok(()),
            true => self.note_change(table),
        }
        self.room(table).await.map(drop)
    }

    fn fresh_table(&self) -> Result<TableId, Problem> {
        for _ in 0..100_000 {
            let table = TableId::fresh()?;
            let known = lock(&self.tables).contains(&table);
            // Of several nodes, whoever opens a table runs it.
            if !known && self.check_owned(&Stream::Table(table)).is_ok() {
                return Ok(table);
            }
        }
        Err(Problem::moved())
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
        let table = prepared.table();
        if self.check_owned(&Stream::Table(table)).is_err() {
            let other = format!(
                "another node would run table {table}: bring it in there, or stop every node and \
                 use boxman import"
            );
            return Err(Problem::conflict("other-node", other));
        }
        let imported = {
            let mut last = self.last.lock().await;
            let imported = audit::append(store, by, prepared).await;
            *last = Last::read(&*self.store).await?;
            imported?
        };
        lock(&self.tables).insert(imported.table);
        self.note_change(imported.table);
        self.room(imported.table).await
    }

    /// Every table there is, on whichever node.
    pub async fn all_tables(&self) -> Result<Vec<TableId>, Problem> {
        if self.link().is_some() {
            self.find_tables().await?;
        }
        Ok(self.tables())
    }

    async fn find_tables(&self) -> Result<(), Problem> {
        let streams = self.store.streams().await?;
        lock(&self.tables).extend(streams.into_iter().filter_map(|stream| match stream {
            Stream::Table(table) => Some(table),
            _ => None,
        }));
        Ok(())
    }

    /// How a table is set up and its books, read from its log: it may be another node's.
    pub async fn read_books(&self, table: TableId) -> Result<(TableConfig, Books), Problem> {
        let loaded = table::load(&*self.store, &self.shelf, table).await?;
        Ok((loaded.state.config().clone(), loaded.state.books.clone()))
    }

    /// A table as it stands, from its room or, where it is another node's, from its log.
    async fn inspect(self: &Arc<House>, table: TableId) -> Result<LiveTable, Problem> {
        if !self.owns(&Stream::Table(table)) {
            return Ok(table::load(&*self.store, &self.shelf, table).await?.state);
        }
        Ok(self.room(table).await?.query(Visit::Inspect).await?.0)
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
    /// nothing is still on its way to it. A table whose log is damaged feeds none.
    pub async fn check_unlinked(self: &Arc<House>, id: &MeterId) -> Result<(), Problem> {
        for table in self.all_tables().await? {
            let state = match self.inspect(table).await {
                Ok(state) => state,
                Err(problem) if is_damage(&problem) => continue,
                Err(problem) => return Err(problem),
            };
            let mut linked = state.outbox.iter().any(|letter| letter.meter == *id);
            let setups = [Some(&state.setup), state.queued.as_ref()];
            let open = state.table.status() != craps::Status::Closed;
            for setup in setups.into_iter().flatten().filter(|_| open) {
                let rules = self.shelf.recall(&*self.store, setup).await?;
                let feeds = |paytable: &str| setup.config.meter(table, paytable) == *id;
                linked |= rules.meters().iter().any(|rule| feeds(&rule.name));
                linked |= setup.old_meters.values().any(|players| players.to() == Some(id));
            }
            if linked {
                let name = &state.config().name;
                let still = format!(
                    "table {name} still feeds that meter, or is about to send it players' money: \
                     first change the table's configuration to one that does not use the meter"
                );
                return Err(Problem::conflict("meter-linked", still));
            }
        }
        Ok(())
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
        let rooms = std::mem::take(&mut *lock(&self.room_tasks));
        for (room, _) in &rooms {
            room.tell(Note::Stop);
        }
        for (_, task) in rooms {
            let _ = task.await;
        }
        self.stop_meters().await;
    }
}
