//! A pit to audit: a session at a dealer's table and one with house dice, in a file that can be
//! tampered with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use boxman_server::audit::{Options, Source, Verdict, verify};
use boxman_server::testing::access::Person;
use boxman_server::testing::ask::{Ask, Command};
use boxman_server::testing::config::{DiceMode, TableConfig};
use boxman_server::testing::house::House;
use boxman_server::testing::id::TableId;
use boxman_server::testing::log::{Head, Key, Record, Stream};
use boxman_server::testing::role::Role;
use boxman_server::testing::room::{Asked, Reply, RoomHandle, Visit};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Sqlite, Store};
use craps::{Cents, Library};
use sqlx::AssertSqlSafe;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};

static COUNT: AtomicU32 = AtomicU32::new(0);

pub(super) fn next() -> u32 {
    COUNT.fetch_add(1, Ordering::Relaxed)
}

/// A folder that is gone again when the test ends.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Folder {
        let name = format!("boxman-audit-{}-{}", std::process::id(), next());
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A closed house with two tables.
pub(super) struct Pit {
    pub(super) folder: Folder,
    pub(super) path: PathBuf,
    /// Real dice, keyed in: a jackpot, a void, other rules.
    pub(super) dealer: TableId,
    /// The house's dice.
    pub(super) practice: TableId,
}

pub(super) fn person(id: &str, role: Role) -> Arc<Person> {
    Arc::new(Person { id: id.to_owned(), name: id.to_owned(), roles: vec![role] })
}

pub(super) async fn ask(room: &RoomHandle, who: &Arc<Person>, command: Command) -> Option<u64> {
    let (reply, answer) = Reply::once();
    let ask = Ask::new(format!("c{}", next()), command);
    assert!(room.ask(Asked { who: Arc::clone(who), ask, roll: None, reply }).is_ok());
    answer.await.unwrap().ok()
}

/// Everything is heard and paid.
pub(super) async fn calm(room: &RoomHandle) {
    for _ in 0..500 {
        let (state, _) = room.query(Visit::Inspect).await.unwrap();
        if state.outbox.is_empty() && state.table.claims().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the meters do not answer");
}

pub(super) fn config(dice: DiceMode) -> TableConfig {
    let mut config = TableConfig::practice();
    config.name = "Craps # 3".to_owned();
    config.dice = dice;
    config.practice = dice == DiceMode::House;
    config.confirm_jackpots = Some(false);
    config
}

impl Pit {
    /// Plays a session and closes the house. `change` has the rules change in the middle.
    pub(super) async fn play(change: bool) -> Pit {
        let folder = Folder::new();
        let path = folder.file("boxman.db");
        let store = Arc::new(Sqlite::open(&path).await.unwrap());
        let house = House::open(store, Shelf::new(Library::embedded())).await.unwrap();
        let sue = person("sue", Role::Supervisor);
        let room = house.open_table(&sue, config(DiceMode::Dealer)).await.unwrap();
        dealer_session(&room, &sue, change).await;
        let guest = person("guest-1", Role::Guest);
        let practice = house.open_table(&guest, config(DiceMode::House)).await.unwrap();
        house_session(&practice, &guest).await;
        house.close().await;
        Pit { folder, path, dealer: room.table, practice: practice.table }
    }

    /// A copy of the file with these statements run on it.
    pub(super) async fn tampered(&self, statements: &[String]) -> PathBuf {
        let copy = self.folder.file(&format!("copy-{}.db", next()));
        std::fs::copy(&self.path, &copy).unwrap();
        let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(&copy));
        let pool = pool.await.unwrap();
        for statement in statements {
            sqlx::query(AssertSqlSafe(statement.as_str())).execute(&pool).await.unwrap();
        }
        pool.close().await;
        copy
    }

    /// A copy in which one body is another, with every later hash computed anew and the
    /// snapshot and its days gone: what somebody with the database and some patience can do.
    pub(super) async fn forged(
        &self,
        stream: &Stream,
        seq: u64,
        forge: impl Fn(&str) -> String,
    ) -> PathBuf {
        let mut bodies = Vec::new();
        for record in self.records(stream).await {
            let body = if record.seq == seq { forge(&record.body) } else { record.body.clone() };
            assert!(record.seq != seq || body != record.body, "nothing was forged");
            bodies.push(body);
        }
        self.rewritten(stream, &bodies).await
    }

    /// The same with these bodies, one for each record.
    pub(super) async fn rewritten(&self, stream: &Stream, bodies: &[String]) -> PathBuf {
        let mut statements = forget(stream).to_vec();
        // No two records have the same key, not even for a moment.
        statements.push(format!("UPDATE record SET command = NULL WHERE stream = '{stream}'"));
        let mut head = Head::default();
        for body in bodies {
            let entry: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
            let id = entry["id"].as_str();
            let key = id.map(|id| Key::of_command(entry["by"].as_str().unwrap_or_default(), id));
            let new = Record::after(head, stream.clone(), key, body.clone());
            head = new.head();
            statements.push(rewrite(&new));
        }
        self.tampered(&statements).await
    }

    pub(super) async fn records(&self, stream: &Stream) -> Vec<Record> {
        let store = Sqlite::read(&self.path).await.unwrap();
        let records = store.records(stream, 0, 100_000).await.unwrap();
        store.close().await;
        records
    }

    /// The number of the first record that says this.
    pub(super) async fn find(&self, stream: &Stream, text: &str) -> u64 {
        let records = self.records(stream).await;
        let found = records.iter().find(|record| record.body.contains(text));
        found.unwrap_or_else(|| panic!("no record says {text}")).seq
    }
}

/// The statements that take away what is kept beside a log.
pub(super) fn forget(stream: &Stream) -> [String; 2] {
    ["snapshot", "day"].map(|table| format!("DELETE FROM {table} WHERE stream = '{stream}'"))
}

/// The statement that puts a record in place of the one of its number.
pub(super) fn rewrite(record: &Record) -> String {
    let Record { stream, seq, key, body, hash } = record;
    let body = body.replace('\'', "''");
    let key = key.as_ref().map_or("NULL".to_owned(), |key| format!("'{key}'"));
    format!(
        "UPDATE record SET command = {key}, body = '{body}', hash = '{hash}' \
         WHERE stream = '{stream}' AND seq = {seq}"
    )
}

pub(super) async fn verified(path: &Path, options: &Options) -> Verdict {
    let store = Sqlite::read(path).await.unwrap();
    let verdict = verify(Source::Store(&store), options, &mut |_, _| {}).await.unwrap();
    store.close().await;
    verdict
}

/// What a server does for somebody may wander from thread to thread.
pub(super) fn sent<T: Send>(future: T) -> T {
    future
}

/// Verifies a copy and expects one record to be named first.
#[track_caller]
pub(super) fn names(verdict: &Verdict, stream: &Stream, seq: u64, reason: &str) {
    assert!(!verdict.ok, "it passed: {reason}");
    let first = &verdict.problems[0];
    let found = (first.stream.as_str(), first.seq);
    assert_eq!(found, (stream.to_string().as_str(), seq), "{first}");
    assert!(first.reason.contains(reason), "{first}\nexpected: {reason}");
}

async fn dealer_session(room: &RoomHandle, sue: &Arc<Person>, change: bool) {
    let (dan, sam) = (person("dan", Role::Dealer), person("sam", Role::Supervisor));
    let must = async |who: &Arc<Person>, command: Command| {
        let said = format!("{command:?}");
        ask(room, who, command).await.unwrap_or_else(|| panic!("refused: {said}"))
    };
    let put = |seat: u8, wager: &str, dollars: i64| Command::Put {
        seat,
        wager: wager.to_owned(),
        amount: Cents::dollars(dollars),
    };
    let key = async |dice: &str| {
        must(&dan, Command::CloseBetting {}).await;
        must(&dan, Command::KeyRoll { dice: dice.parse().unwrap() }).await;
    };
    for (seat, name) in [(4, "Ann Lee"), (2, "House")] {
        must(&dan, Command::Sit { seat: Some(seat), name: Some(name.to_owned()) }).await;
        must(&dan, Command::buy_in(seat, Cents::dollars(1000))).await;
    }
    must(&dan, Command::Fill { amount: Cents::dollars(5000) }).await;
    // A hand whose come bet travels, and the upward sequence of the jackpot.
    must(&dan, put(4, "pass", 10)).await;
    must(&dan, put(4, "fired-up", 1)).await;
    must(&dan, put(2, "make-em-all-progressive", 1)).await;
    key("4-4").await;
    must(&dan, put(4, "come", 10)).await;
    must(&dan, put(2, "hard 8", 5)).await;
    let off = Command::Call { seat: 2, wager: "hard 8".into(), call: craps::OnOff::Off };
    must(&dan, off).await;
    key("4-5").await;
    must(&dan, put(4, "odds come 9", 20)).await;
    must(&dan, put(2, "place 10", 10)).await;
    key("4-6").await;
    key("5-6").await;
    key("6-6").await;
    calm(room).await;
    // A roll that two people take back, with a reason that no tape could hold as it is.
    key("1-2").await;
    let reason = "a die hit # the rail".to_owned();
    let asked = must(&dan, Command::Void { of: None, reason }).await;
    must(sue, Command::Approve { proposal: asked }).await;
    must(&dan, Command::CloseBetting {}).await;
    must(&dan, Command::NoRoll {}).await;
    key("3-4").await;
    must(&dan, Command::Take { seat: 2, wager: "hard 8".into(), amount: None }).await;
    must(&dan, Command::leave(2)).await;
    must(&dan, Command::Sit { seat: Some(2), name: Some("Bob".to_owned()) }).await;
    if change {
        let mut config = config(DiceMode::Dealer);
        config.options.insert("payout-unit".to_owned(), "1".to_owned());
        let reason = "whole dollars".to_owned();
        let config = Box::new(config);
        let old_meters = BTreeMap::new();
        let asked = must(sue, Command::Configure { of: None, config, old_meters, reason }).await;
        must(&sam, Command::Approve { proposal: asked }).await;
    }
    must(&dan, Command::buy_in(2, Cents::dollars(50))).await;
    must(&dan, put(2, "pass", 5)).await;
    key("3-3").await;
    must(&dan, put(2, "odds", 5)).await;
    let reason = "went # home".to_owned();
    must(&dan, Command::GiveUpSeat { seat: 2, reason }).await;
    calm(room).await;
}

async fn house_session(room: &RoomHandle, guest: &Arc<Person>) {
    let put =
        |wager: &str| Command::Put { seat: 0, wager: wager.to_owned(), amount: Cents::dollars(5) };
    ask(room, guest, Command::Sit { seat: Some(0), name: None }).await.unwrap();
    let chips = Command::buy_in(0, Cents::dollars(5000));
    ask(room, guest, chips).await.unwrap();
    for throw in 0..40_u8 {
        // What the moment does not allow is refused and leaves no trace.
        for wager in ["pass", "come", "field", "odds"] {
            let _ = ask(room, guest, put(wager)).await;
        }
        let shooter_bytes = format!("{throw:02x}").repeat(32);
        ask(room, guest, Command::Roll { shooter_bytes, commitment: None }).await.unwrap();
    }
    calm(room).await;
}
