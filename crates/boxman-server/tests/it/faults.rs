//! A store that fails: nothing is acknowledged that is not durable, the table waits, says so, and
//! goes on from what is really there.

mod damage;
mod files;
mod snapshots;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::TableConfig;
use boxman_server::testing::hash::Hash;
use boxman_server::testing::house::House;
use boxman_server::testing::log::{Head, Record, Stream};
use boxman_server::testing::problem::Problem;
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{
    Account, Batch, Day, Fault, Snapshot, Sql, Sqlite, Store, StoreError, Stored,
};
use boxman_server::testing::table::LiveTable;
use craps::{Cents, Library};
use futures_util::stream::BoxStream;

use crate::live::{Folder, bytes, fresh_id};

/// A store that fails when it is told to.
struct Faulty {
    inner: Sqlite,
    /// Appends until one fails, and the store is down; less than nothing where none does.
    until: AtomicI64,
    /// The one that fails is written all the same: the answer is lost, not the record.
    after_writing: AtomicBool,
    /// Every append fails.
    down: AtomicBool,
    reads: AtomicU64,
}

impl Faulty {
    async fn open(folder: &Folder) -> Arc<Faulty> {
        let inner = Sqlite::open(&folder.store()).await.unwrap();
        Arc::new(Faulty {
            inner,
            until: AtomicI64::new(-1),
            after_writing: AtomicBool::new(false),
            down: AtomicBool::new(false),
            reads: AtomicU64::new(0),
        })
    }

    fn broken() -> StoreError {
        StoreError::Down("planted".to_owned())
    }
}

#[async_trait]
impl Store for Faulty {
    async fn append(&self, records: &[Record]) -> Stored<()> {
        if self.down.load(Ordering::Relaxed) {
            return Err(Faulty::broken());
        }
        if self.until.fetch_sub(1, Ordering::Relaxed) == 0 {
            if self.after_writing.load(Ordering::Relaxed) {
                self.inner.append(records).await?;
            }
            self.down.store(true, Ordering::Relaxed);
            return Err(Faulty::broken());
        }
        self.inner.append(records).await
    }

    async fn append_batches(&self, batches: &[Batch]) -> Vec<Stored<()>> {
        let all: Vec<Record> =
            batches.iter().flat_map(|batch| batch.records.iter().cloned()).collect();
        vec![self.append(&all).await; batches.len()]
    }

    async fn append_pages(&self, pages: BoxStream<'_, Stored<Vec<Record>>>) -> Stored<()> {
        match self.down.load(Ordering::Relaxed) {
            true => Err(Faulty::broken()),
            false => self.inner.append_pages(pages).await,
        }
    }

    async fn records(&self, stream: &Stream, after: u64, limit: u32) -> Stored<Vec<Record>> {
        let records = self.inner.records(stream, after, limit).await?;
        self.reads.fetch_add(records.len() as u64, Ordering::Relaxed);
        Ok(records)
    }

    async fn ping(&self) -> Stored<()> {
        match self.down.load(Ordering::Relaxed) {
            true => Err(Faulty::broken()),
            false => self.inner.ping().await,
        }
    }

    fn sql(&self) -> &dyn Sql {
        &self.inner
    }
    async fn head(&self, stream: &Stream) -> Stored<Head> {
        self.inner.head(stream).await
    }
    async fn streams(&self) -> Stored<Vec<Stream>> {
        self.inner.streams().await
    }
    async fn keep_snapshot(
        &self,
        snapshot: &Snapshot,
        folded: Option<&str>,
        days: &[Day],
    ) -> Stored<()> {
        self.inner.keep_snapshot(snapshot, folded, days).await
    }
    async fn snapshot(&self, stream: &Stream) -> Stored<Option<Snapshot>> {
        self.inner.snapshot(stream).await
    }
    async fn drop_snapshot(&self, stream: &Stream) -> Stored<()> {
        self.inner.drop_snapshot(stream).await
    }
    async fn keep_days(&self, stream: &Stream, through: &str, days: &[Day]) -> Stored<()> {
        self.inner.keep_days(stream, through, days).await
    }
    async fn keep_account(&self, account: &Account, records: &[Record]) -> Stored<()> {
        self.inner.keep_account(account, records).await
    }
    async fn faults(&self) -> Stored<Vec<Fault>> {
        self.inner.faults().await
    }
    fn seal(&self, text: &[u8]) -> Option<Hash> {
        self.inner.seal(text)
    }
    async fn close(&self) {
        self.inner.close().await;
    }
}

fn ann() -> Arc<Person> {
    let roles = vec![Role::Guest];
    Arc::new(Person { id: "guest-ann".to_owned(), name: "Ann".to_owned(), roles })
}

fn boss() -> Person {
    let roles = vec![Role::Supervisor];
    Person { id: "boss".to_owned(), name: "Boss".to_owned(), roles }
}

async fn house(store: &Arc<Faulty>) -> Arc<House> {
    let store: Arc<dyn Store> = Arc::<Faulty>::clone(store);
    House::open(store, Shelf::new(Library::embedded())).await.unwrap()
}

async fn table(house: &Arc<House>) -> RoomHandle {
    house.open_table(&boss(), TableConfig::practice()).await.unwrap()
}

async fn ask_as(room: &RoomHandle, id: &str, command: Command) -> Result<u64, Problem> {
    let (reply, answer) = Reply::once();
    let ask = Ask::new(id.to_owned(), command);
    room.ask(Asked { who: ann(), ask, roll: None, reply })
        .map_err(|_| ())
        .expect("the room has room");
    answer.await.unwrap()
}

async fn ask(room: &RoomHandle, command: Command) -> Result<u64, Problem> {
    ask_as(room, &fresh_id(), command).await
}

fn field(amount: i64) -> Command {
    Command::Put { seat: 0, wager: "field".to_owned(), amount: Cents(amount) }
}

async fn seated(room: &RoomHandle) {
    ask(room, Command::Sit { seat: Some(0), name: None }).await.unwrap();
    ask(room, Command::buy_in(0, Cents::dollars(1000))).await.unwrap();
}

async fn inspect(room: &RoomHandle) -> (LiveTable, Head) {
    room.query(Visit::Inspect).await.unwrap()
}

/// Until the room takes commands again.
async fn recovered(room: &RoomHandle) {
    for _ in 0..400 {
        if !matches!(ask(room, field(0)).await, Err(problem) if problem.code == "store-down") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the room never had its store again");
}

#[tokio::test]
async fn the_append_that_fails_is_not_acknowledged_whichever_it_is() {
    let mut cases = tokio::task::JoinSet::new();
    for after_writing in [false, true] {
        for place in 0..6 {
            cases.spawn(fail_at(place, after_writing));
        }
    }
    cases.join_all().await;
}

async fn fail_at(place: i64, after_writing: bool) {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let room = table(&house).await;
    seated(&room).await;
    store.after_writing.store(after_writing, Ordering::Relaxed);
    store.until.store(place, Ordering::Relaxed);
    let mut acknowledged = Vec::new();
    let mut refused = Vec::new();
    for number in 0..6 {
        let id = format!("bet-{number}");
        match ask_as(&room, &id, field(100)).await {
            Ok(seq) => acknowledged.push((id, seq)),
            Err(problem) => {
                assert_eq!(problem.code, "store-down");
                refused.push(id);
            }
        }
    }
    assert_eq!(refused.len(), usize::try_from(6 - place).unwrap());
    store.down.store(false, Ordering::Relaxed);
    recovered(&room).await;
    // What was acknowledged is there; what was not is done now, once, with the same id.
    for (id, seq) in &acknowledged {
        assert_eq!(ask_as(&room, id, field(100)).await.as_ref(), Ok(seq));
    }
    for id in &refused {
        ask_as(&room, id, field(100)).await.unwrap();
    }
    let (state, head) = inspect(&room).await;
    assert_eq!(state.table.rack(craps::Seat(0)), Cents::dollars(1000 - 6));
    assert_eq!(state.table.sum(), Cents::ZERO);
    assert_eq!(store.head(&Stream::Table(room.table)).await.unwrap(), head);
    house.close().await;
}

#[tokio::test]
async fn a_table_without_its_store_waits_says_so_and_goes_on() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let room = table(&house).await;
    seated(&room).await;
    ask(&room, Command::Put { seat: 0, wager: "pass".into(), amount: Cents::dollars(10) })
        .await
        .unwrap();
    let (before, _) = inspect(&room).await;
    store.down.store(true, Ordering::Relaxed);
    let roll = Command::Roll { shooter_bytes: bytes(), commitment: None };
    let problem = ask_as(&room, "roll", roll.clone()).await.unwrap_err();
    assert_eq!((problem.status, problem.code.as_str()), (503, "store-down"));
    // Dice that are not durable are shown to nobody.
    let (waiting, _) = inspect(&room).await;
    assert_eq!(waiting.table, before.table);
    let problem = ask(&room, field(100)).await.unwrap_err();
    assert_eq!(problem.code, "store-down");
    store.down.store(false, Ordering::Relaxed);
    recovered(&room).await;
    // The dice that nobody saw are gone with their secret: a new one is committed to.
    let (after, _) = inspect(&room).await;
    assert_eq!(after.table, before.table);
    ask_as(&room, "roll", roll).await.unwrap();
    let (after, _) = inspect(&room).await;
    assert_eq!(after.table.rolls(), 1);
    house.close().await;
}

/// However long a log is, opening its table reads no more than a snapshot's worth of it.
#[tokio::test]
async fn opening_a_long_log_reads_a_bounded_part_of_it() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let first = house(&store).await;
    let room = table(&first).await;
    seated(&room).await;
    for _ in 0..1_300 {
        ask(&room, Command::Put { seat: 0, wager: "any-craps".into(), amount: Cents(100) })
            .await
            .map(drop)
            .or_else(|problem| if problem.code == "short-rack" { Ok(()) } else { Err(problem) })
            .unwrap();
        ask(&room, Command::Take { seat: 0, wager: "any-craps".into(), amount: None })
            .await
            .unwrap();
    }
    let (state, head) = inspect(&room).await;
    assert!(head.seq > 2_500);
    first.close().await;

    let store = Faulty::open(&folder).await;
    let second = house(&store).await;
    let room = second.room(room.table).await.unwrap();
    assert!(store.reads.load(Ordering::Relaxed) < 1_100, "{:?}", store.reads);
    let (again, _) = inspect(&room).await;
    assert_eq!(again.table, state.table);
    assert_eq!(again.books, state.books);
    second.close().await;
}

#[tokio::test]
async fn a_damaged_log_keeps_its_table_shut_and_others_open() {
    for (sql, code) in [
        ("UPDATE record SET body = replace(body, 'Ann', 'Eve') WHERE seq = 3", "store-damaged"),
        ("DELETE FROM record WHERE seq = 3", "store-damaged"),
        ("UPDATE rulebook SET body = body || ' '", "store-damaged"),
    ] {
        let folder = Folder::new();
        let store = Faulty::open(&folder).await;
        let first = house(&store).await;
        let room = table(&first).await;
        seated(&room).await;
        first.close().await;
        let file = format!("sqlite:{}", folder.store().display());
        let raw = sqlx::SqlitePool::connect(&file).await.unwrap();
        // Without its snapshot the whole log is read at once.
        sqlx::query("DELETE FROM snapshot").execute(&raw).await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&raw).await.unwrap();
        raw.close().await;
        let store = Faulty::open(&folder).await;
        let second = house(&store).await;
        let Err(problem) = second.room(room.table).await else { panic!("{sql}: it opened") };
        assert_eq!((problem.status, problem.code.as_str()), (503, code), "{sql}");
        second.close().await;
    }
}

/// A log that was damaged where no reader looks at once is found by walking it afterwards.
#[tokio::test]
async fn a_table_closes_when_its_chain_turns_out_to_be_broken() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let first = house(&store).await;
    let room = table(&first).await;
    seated(&room).await;
    ask(&room, field(100)).await.unwrap();
    first.close().await;
    let file = format!("sqlite:{}", folder.store().display());
    let raw = sqlx::SqlitePool::connect(&file).await.unwrap();
    let sql = "UPDATE record SET body = replace(body, '100000', '900000') WHERE seq = 4";
    sqlx::query(sql).execute(&raw).await.unwrap();
    raw.close().await;
    let store = Faulty::open(&folder).await;
    let second = house(&store).await;
    let room = second.room(room.table).await.unwrap();
    Arc::clone(&second).look_through().await;
    let problem = ask(&room, field(100)).await.unwrap_err();
    assert_eq!(problem.code, "table-damaged");
    assert!(problem.detail.contains("record 4"), "{}", problem.detail);
    second.close().await;
}

#[tokio::test]
async fn a_file_that_is_moved_away_stops_the_table() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let room = table(&house).await;
    seated(&room).await;
    let aside = folder.store().with_extension("aside");
    std::fs::rename(folder.store(), &aside).unwrap();
    let problem = ask(&room, field(100)).await.unwrap_err();
    assert_eq!(problem.code, "store-down");
    std::fs::rename(&aside, folder.store()).unwrap();
    recovered(&room).await;
    ask(&room, field(100)).await.unwrap();
    house.close().await;
}

#[tokio::test]
async fn a_full_disk_stops_the_table_until_there_is_room_again() {
    let folder = Folder::new();
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let room = table(&house).await;
    seated(&room).await;
    let (before, _) = inspect(&room).await;
    let pages = store.inner.limit_pages(1).await.unwrap();
    let mut refused = None;
    for _ in 0..2_000 {
        if let Err(problem) = ask(&room, field(100)).await {
            refused = Some(problem);
            break;
        }
        ask(&room, Command::Take { seat: 0, wager: "field".into(), amount: None }).await.ok();
    }
    assert_eq!(refused.expect("the file is full").code, "store-down");
    store.inner.limit_pages(pages * 4).await.unwrap();
    recovered(&room).await;
    let (after, _) = inspect(&room).await;
    assert_eq!(after.table.sum(), Cents::ZERO);
    assert!(after.table.rack(craps::Seat(0)) <= before.table.rack(craps::Seat(0)));
    ask(&room, field(100)).await.unwrap();
    house.close().await;
}
