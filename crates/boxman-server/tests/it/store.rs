//! The story of a store, told to every kind there is.

use std::slice::from_ref;

use boxman_server::StoreAddress;
use boxman_server::testing::hash::Hash;
use boxman_server::testing::id::{MeterId, TableId};
use boxman_server::testing::log::{Head, Key, Record, Stream};
use boxman_server::testing::role::Role;
use boxman_server::testing::store::{
    Account, Day, RulebookText, Seal, SealKey, Session, Snapshot, Sqlite, Store, StoreError,
    Stored, beside,
};
use futures_util::stream::{self, StreamExt};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

use crate::live::Folder;
use crate::postgres::Database;

fn record(head: Head, stream: &Stream, key: Option<&str>) -> Record {
    let key = key.map(|id| Key::of_command("ann", id));
    Record::after(head, stream.clone(), key, format!("{{\"number\":{}}}", head.seq + 1))
}

async fn log(store: &dyn Store) {
    let stream = Stream::Table(TableId(7));
    assert_eq!(store.head(&stream).await.unwrap(), Head::default());
    let mut records = Vec::new();
    let mut head = Head::default();
    for number in 0..150 {
        let next = record(head, &stream, Some(&format!("id-{number}")));
        head = next.head();
        records.push(next);
    }
    let meter: MeterId = "downtown".parse().unwrap();
    records.push(record(Head::default(), &Stream::Meter(meter.clone()), None));
    store.append(&records).await.unwrap();
    assert_eq!(store.head(&stream).await.unwrap(), head);
    let mut streams = store.streams().await.unwrap();
    streams.sort();
    assert_eq!(streams, [stream.clone(), Stream::Meter(meter)]);
    assert_eq!(store.records(&stream, 0, 1000).await.unwrap(), records[..150]);
    assert_eq!(store.records(&stream, 140, 5).await.unwrap(), records[140..145]);
    let found = store.find(&stream, &Key::of_command("ann", "id-77")).await.unwrap();
    assert_eq!(found.as_ref(), Some(&records[77]));
    assert_eq!(store.find(&stream, &Key::of_command("bob", "id-77")).await.unwrap(), None);

    // A number or a command that is taken is refused, and with it all that came along.
    let next = record(head, &stream, Some("fresh"));
    let taken = record(Head { seq: 3, hash: Hash::default() }, &stream, Some("other"));
    assert_eq!(store.append(&[next.clone(), taken]).await, Err(StoreError::Conflict));
    assert_eq!(store.head(&stream).await.unwrap(), head);
    let twice = record(head, &stream, Some("id-3"));
    assert_eq!(store.append(&[twice]).await, Err(StoreError::Conflict));
    store.append(&[next]).await.unwrap();
}

async fn pages(store: &dyn Store) {
    let table = Stream::Table(TableId(8));
    let mut head = Head::default();
    let mut page = |size: usize| -> Stored<Vec<Record>> {
        let mut next = || {
            let next = record(head, &table, None);
            head = next.head();
            next
        };
        Ok((0..size).map(|_| next()).collect())
    };
    let (one, two) = (page(100), page(70));
    // All of them or none: a page that does not come undoes those before it.
    let broken = Err(StoreError::Damaged("planted".to_owned()));
    let cut = stream::iter([one.clone(), broken.clone()]).boxed();
    assert_eq!(store.append_pages(cut).await, broken.map(drop));
    assert_eq!(store.head(&table).await.unwrap(), Head::default());
    store.append_pages(stream::iter([one, two]).boxed()).await.unwrap();
    assert_eq!(store.head(&table).await.unwrap(), head);
}

async fn snapshots(store: &dyn Store) {
    let stream = Stream::Table(TableId(7));
    assert_eq!(store.snapshot(&stream).await.unwrap(), None);
    let at = |seq, body: &str| {
        let head = Head { seq, hash: Hash::of(body.as_bytes()) };
        Snapshot::new(stream.clone(), head, body.to_owned())
    };
    let day = |day: &str, body: &str| Day {
        stream: stream.clone(),
        day: day.to_owned(),
        body: body.to_owned(),
    };
    let (monday, tuesday) = (day("2026-11-16", "monday"), day("2026-11-17", "tuesday"));
    let junk = day("2026-11-20", "not yet");
    let folded = Some("2026-11-16");
    store.keep_snapshot(&at(10, "ten"), None, &[monday.clone(), junk]).await.unwrap();
    store.keep_snapshot(&at(20, "twenty"), folded, from_ref(&tuesday)).await.unwrap();
    // An older one that comes late changes nothing.
    store.keep_snapshot(&at(15, "late"), None, &[day("2026-11-16", "late")]).await.unwrap();
    let kept = store.snapshot(&stream).await.unwrap().unwrap();
    assert_eq!((kept.body.as_str(), kept.is_sound(), kept.seal), ("twenty", true, Seal::Ours));
    let days = store.days("2026-11-16", "2026-11-17").await.unwrap();
    assert_eq!(days, [monday.clone(), tuesday.clone()]);
    assert_eq!(store.days_of(&stream).await.unwrap(), days);
    assert_eq!(store.days("2026-11-18", "2026-11-30").await.unwrap(), []);
    // Days are put right up to one of them; a snapshot takes its days along when it goes.
    let right = day("2026-11-15", "sunday");
    store.keep_days(&stream, "2026-11-16", from_ref(&right)).await.unwrap();
    assert_eq!(store.days_of(&stream).await.unwrap(), [right, tuesday]);
    store.drop_snapshot(&stream).await.unwrap();
    assert_eq!(store.snapshot(&stream).await.unwrap(), None);
    assert_eq!(store.days_of(&stream).await.unwrap(), []);
}

async fn people(store: &dyn Store) {
    let mut account = Account {
        id: "p-1".to_owned(),
        login: "sue".to_owned(),
        table_name: "Sue L.".to_owned(),
        roles: vec![Role::Dealer, Role::Supervisor],
        password: "hash".to_owned(),
    };
    assert_eq!(store.account("p-1").await.unwrap(), None);
    let made = record(Head::default(), &Stream::House, None);
    store.keep_account(&account, from_ref(&made)).await.unwrap();
    assert_eq!(store.head(&Stream::House).await.unwrap(), made.head());
    // Another name ends no session; other roles end every one, in the same moment.
    let token = Hash::of(b"sue is here");
    let here = Session { token, person: "p-1".to_owned(), name: None, expires: 5_000 };
    store.keep_session(&here).await.unwrap();
    account.table_name = "Sue M.".to_owned();
    store.keep_account(&account, &[record(made.head(), &Stream::House, None)]).await.unwrap();
    assert_eq!(store.session(token).await.unwrap(), Some(here));
    account.roles.pop();
    let head = store.head(&Stream::House).await.unwrap();
    store.keep_account(&account, &[record(head, &Stream::House, None)]).await.unwrap();
    assert_eq!(store.session(token).await.unwrap(), None);
    assert_eq!(store.account("p-1").await.unwrap().as_ref(), Some(&account));
    assert_eq!(store.account_of_login("sue").await.unwrap().as_ref(), Some(&account));
    assert_eq!(store.accounts().await.unwrap(), from_ref(&account));
    // Neither the account nor the record where one of them cannot be.
    let head = store.head(&Stream::House).await.unwrap();
    let other = Account { table_name: "Eve".to_owned(), ..account.clone() };
    assert_eq!(store.keep_account(&other, &[made]).await, Err(StoreError::Conflict));
    assert_eq!(store.account("p-1").await.unwrap().as_ref(), Some(&account));
    let other = Account { id: "p-2".to_owned(), ..account };
    let next = record(head, &Stream::House, None);
    assert_eq!(store.keep_account(&other, &[next]).await, Err(StoreError::Conflict));
    assert_eq!(store.head(&Stream::House).await.unwrap(), head);

    let session = |token: &str, person: &str, expires| Session {
        token: Hash::of(token.as_bytes()),
        person: person.to_owned(),
        name: person.strip_prefix("guest-").map(str::to_owned),
        expires,
    };
    let (one, two) = (session("one", "p-1", 1_000), session("two", "p-1", 2_000));
    let three = session("three", "guest-ann", 3_000);
    for session in [&one, &two, &three] {
        store.keep_session(session).await.unwrap();
    }
    assert_eq!(store.session(one.token).await.unwrap(), Some(one.clone()));
    store.forget_sessions(1_500).await.unwrap();
    assert_eq!(store.session(one.token).await.unwrap(), None);
    store.end_sessions_of("p-1").await.unwrap();
    assert_eq!(store.session(two.token).await.unwrap(), None);
    assert_eq!(store.session(three.token).await.unwrap(), Some(three.clone()));
    store.end_session(three.token).await.unwrap();
    assert_eq!(store.session(three.token).await.unwrap(), None);
}

async fn the_rest(store: &dyn Store) {
    let text = "name = \"tiny\"".to_owned();
    let hash = Hash::of(text.as_bytes());
    let rulebook = RulebookText { hash, file: "tiny.toml".to_owned(), text };
    assert_eq!(store.rulebook(hash).await.unwrap(), None);
    store.keep_rulebook(&rulebook).await.unwrap();
    store.keep_rulebook(&rulebook).await.unwrap();
    assert_eq!(store.rulebook(hash).await.unwrap(), Some(rulebook));
    store.set("link", Some("one")).await.unwrap();
    store.set("link", Some("two")).await.unwrap();
    assert_eq!(store.setting("link").await.unwrap().as_deref(), Some("two"));
    store.set("link", None).await.unwrap();
    assert_eq!(store.setting("link").await.unwrap(), None);
    store.ping().await.unwrap();
}

async fn story(store: &dyn Store) {
    log(store).await;
    pages(store).await;
    snapshots(store).await;
    people(store).await;
    the_rest(store).await;
}

#[tokio::test]
async fn postgres_tells_the_story_and_remembers_it() {
    let Some(database) = Database::for_test() else { return };
    let store = database.open().await;
    story(&store).await;
    let head = store.head(&Stream::Table(TableId(7))).await.unwrap();
    assert_eq!(store.faults().await.unwrap(), []);
    store.close().await;
    let store = database.open().await;
    assert_eq!(store.head(&Stream::Table(TableId(7))).await.unwrap(), head);
    store.close().await;
}

#[tokio::test]
async fn sqlite_tells_the_story_and_remembers_it() {
    let folder = Folder::new();
    let store = Sqlite::open(&folder.store()).await.unwrap();
    story(&store).await;
    let head = store.head(&Stream::Table(TableId(7))).await.unwrap();
    store.close().await;
    let store = Sqlite::open(&folder.store()).await.unwrap();
    assert_eq!(store.head(&Stream::Table(TableId(7))).await.unwrap(), head);
    store.close().await;
}

/// Whoever does not have the key reads everything and believes no snapshot.
#[tokio::test]
async fn a_snapshot_is_sealed_with_a_key_that_is_not_in_the_store() {
    let folder = Folder::new();
    let store = Sqlite::open(&folder.store()).await.unwrap();
    let stream = Stream::Table(TableId(7));
    let snapshot = Snapshot::new(stream.clone(), Head { seq: 1, ..Head::default() }, "{}".into());
    store.keep_snapshot(&snapshot, None, &[]).await.unwrap();
    store.close().await;
    let file = beside(&folder.store(), ".key");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.trim_end().len(), 64);
    let bytes = std::fs::read(folder.store()).unwrap();
    let key = text.trim_end().as_bytes();
    assert!(!bytes.windows(64).any(|window| window == key), "the key is in the store");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let seal = async |key: Option<SealKey>| {
        let store = Sqlite::read_with(&folder.store(), key).await.unwrap();
        let seal = store.snapshot(&stream).await.unwrap().unwrap().seal;
        store.close().await;
        seal
    };
    assert_eq!(seal(SealKey::read(&file)).await, Seal::Ours);
    assert_eq!(seal(None).await, Seal::Unknown);
    let other = folder.store().with_extension("other");
    assert_eq!(seal(Some(SealKey::open(&other).unwrap())).await, Seal::NotOurs);
    // A file that is no key is not written over.
    std::fs::write(&other, "not a key").unwrap();
    let error = SealKey::open(&other).err().expect("it is no key").to_string();
    assert!(error.contains("64 hex digits"), "{error}");
}

#[tokio::test]
async fn what_is_appended_after_failures_of_every_kind_is_durable() {
    let folder = Folder::new();
    let store = Sqlite::open(&folder.store()).await.unwrap();
    let stream = Stream::Table(TableId(7));
    let long = |head: Head| {
        Record::after(head, stream.clone(), None, format!("\"{}\"", "a".repeat(100_000)))
    };
    let first = record(Head::default(), &stream, None);
    store.append(from_ref(&first)).await.unwrap();
    let mut head = first.head();
    for _ in 0..3 {
        // A disk without room, and then a number that is taken.
        store.limit_pages(1).await.unwrap();
        let full = store.append(&[long(head)]).await;
        assert!(matches!(full, Err(StoreError::Down(_))), "{full:?}");
        store.limit_pages(1_000_000).await.unwrap();
        assert_eq!(store.append(from_ref(&first)).await, Err(StoreError::Conflict));
        let next = record(head, &stream, None);
        store.append(from_ref(&next)).await.unwrap();
        head = next.head();
        // Somebody else sees it: it is in the file, and not only in a transaction.
        let other = Sqlite::read(&folder.store()).await.unwrap();
        assert_eq!(other.head(&stream).await.unwrap(), head);
        other.close().await;
    }
    store.close().await;
}

#[tokio::test]
async fn a_file_that_is_no_store_is_refused() {
    let folder = Folder::new();
    std::fs::write(folder.store(), "this is not a database, whatever its name says").unwrap();
    assert!(matches!(Sqlite::open(&folder.store()).await, Err(StoreError::Damaged(_))));
    assert!(matches!(
        Sqlite::read(&folder.store().with_extension("gone")).await,
        Err(StoreError::Down(_))
    ));
}

/// Nothing is made in a database that is somebody else's.
#[tokio::test]
async fn another_programs_database_is_refused_and_left_alone() {
    let folder = Folder::new();
    let options = SqliteConnectOptions::new().filename(folder.store()).create_if_missing(true);
    for table in ["customers (name TEXT)", "setting (colour TEXT)", "account (id INTEGER)"] {
        let mut connection = options.connect().await.unwrap();
        let made = format!("CREATE TABLE {table}");
        sqlx::query(AssertSqlSafe(made)).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
        let before = std::fs::read(folder.store()).unwrap();
        let refused = Sqlite::open(&folder.store()).await.err();
        let said = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains("another program's database"), "{table}: {said}");
        assert!(std::fs::read(folder.store()).unwrap() == before, "{table}");
    }
}

/// Two names of one file would each have a lock and a log of their own.
#[cfg(unix)]
#[tokio::test]
async fn a_store_with_two_names_is_not_served() {
    let folder = Folder::new();
    Sqlite::open(&folder.store()).await.unwrap().close().await;
    let other = folder.store().with_extension("other");
    std::fs::hard_link(folder.store(), &other).unwrap();
    for path in [folder.store(), other.clone()] {
        let refused = StoreAddress::Sqlite(path).lock().err();
        let said = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains("another name (a hard link)"), "{said}");
    }
    std::fs::remove_file(other).unwrap();
    assert!(StoreAddress::Sqlite(folder.store()).lock().is_ok());
}

/// Whoever reads a store leaves every file of it as it is, and needs to write nothing.
#[tokio::test]
async fn reading_changes_nothing() {
    let folder = Folder::new();
    let store = Sqlite::open(&folder.store()).await.unwrap();
    story(&store).await;
    // As after a crash: what was written ahead is not brought in.
    let crashed = Folder::new();
    for ending in ["", "-wal"] {
        let name = |folder: &Folder| beside(&folder.store(), ending);
        std::fs::copy(name(&folder), name(&crashed)).unwrap();
    }
    let streams = store.streams().await.unwrap();
    store.close().await;
    let files = |folder: &Folder| {
        ["", "-wal"].map(|ending| std::fs::read(beside(&folder.store(), ending)).ok())
    };
    let before = files(&crashed);
    assert!(before[1].as_ref().is_some_and(|log| !log.is_empty()));
    let read = Sqlite::read(&crashed.store()).await.unwrap();
    assert_eq!(read.streams().await.unwrap(), streams);
    read.close().await;
    assert!(files(&crashed) == before);
}

#[tokio::test]
async fn a_store_of_another_layout_is_refused_and_left_alone() {
    let folder = Folder::new();
    let store = Sqlite::open(&folder.store()).await.unwrap();
    store.set("schema", Some("2")).await.unwrap();
    store.close().await;
    let before = std::fs::read(folder.store()).unwrap();
    for refused in
        [Sqlite::open(&folder.store()).await.err(), Sqlite::read(&folder.store()).await.err()]
    {
        let said = refused.map(|error| error.to_string()).unwrap_or_default();
        assert!(said.contains("schema 2, this one knows 3"), "{said}");
        assert!(said.ends_with("use that one, or begin a new store"), "{said}");
    }
    assert!(std::fs::read(folder.store()).unwrap() == before);
}
