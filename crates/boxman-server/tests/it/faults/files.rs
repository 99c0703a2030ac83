//! Files that are deleted, cut or replaced under a running server, and rows that say nothing.

use std::fs::File;
use std::path::{Path, PathBuf};

use boxman_client::Client;
use boxman_server::testing::serve::StoreAddress;
use boxman_server::testing::store::{RulebookText, beside};

use super::*;
use crate::live::{Live, PASSWORD, join};

/// A table at which a bet has been made, and what it takes to make trouble for it.
struct Watched {
    folder: Folder,
    house: Arc<House>,
    room: RoomHandle,
}

impl Watched {
    async fn new() -> Watched {
        let folder = Folder::new();
        let store = Faulty::open(&folder).await;
        let house = house(&store).await;
        let room = table(&house).await;
        seated(&room).await;
        ask(&room, field(100)).await.unwrap();
        Watched { folder, house, room }
    }

    fn log(&self) -> PathBuf {
        beside(&self.folder.store(), "-wal")
    }

    /// Nothing is acknowledged any more, and this is why.
    async fn refuses(&self, because: &str) {
        for _ in 0..5 {
            assert_eq!(ask(&self.room, field(100)).await.unwrap_err().code, "store-down");
        }
        let error = self.house.store.ping().await.unwrap_err().to_string();
        assert!(error.contains(because), "{error}");
    }
}

fn cut(path: &Path, length: u64) {
    File::options().write(true).open(path).unwrap().set_len(length).unwrap();
}

#[tokio::test]
async fn a_deleted_log_stops_the_table_and_what_it_held_is_saved() {
    let watched = Watched::new().await;
    for _ in 0..20 {
        ask(&watched.room, field(100)).await.unwrap();
    }
    let (_, head) = inspect(&watched.room).await;
    std::fs::remove_file(watched.log()).unwrap();
    watched.refuses("-wal has been moved away or deleted").await;
    // The file alone is all that a crash would leave now.
    let copy = watched.folder.store().with_extension("copy");
    let stream = Stream::Table(watched.room.table);
    for _ in 0..100 {
        std::fs::copy(watched.folder.store(), &copy).unwrap();
        // A copy made in the middle of a checkpoint may be anything: the next is better.
        let last = match Sqlite::read(&copy).await {
            Ok(left) => {
                let last = left.head(&stream).await.unwrap_or_default();
                left.close().await;
                last
            }
            Err(_) => Head::default(),
        };
        if last.seq >= head.seq {
            // Another log in its place is not the one that was written to.
            std::fs::write(watched.log(), "").unwrap();
            watched.refuses("-wal has been moved away or deleted").await;
            watched.house.close().await;
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("what was acknowledged is not in the file");
}

#[tokio::test]
async fn a_log_that_is_moved_away_and_back_is_gone_on_with() {
    let watched = Watched::new().await;
    let aside = watched.folder.store().with_extension("aside");
    std::fs::rename(watched.log(), &aside).unwrap();
    watched.refuses("-wal has been moved away or deleted").await;
    std::fs::rename(&aside, watched.log()).unwrap();
    recovered(&watched.room).await;
    ask(&watched.room, field(100)).await.unwrap();
    watched.house.close().await;
}

#[tokio::test]
async fn a_log_that_is_cut_is_never_trusted_again() {
    for length in [0, 4_000] {
        let watched = Watched::new().await;
        let log = File::open(watched.log()).unwrap().metadata().unwrap().len();
        assert!(log > 4_000);
        cut(&watched.log(), length);
        watched.refuses("-wal has been cut").await;
        cut(&watched.log(), log + 100_000);
        watched.refuses("-wal has been cut").await;
        watched.house.close().await;
    }
}

#[tokio::test]
async fn a_file_whose_length_is_not_what_was_left_is_never_trusted_again() {
    let mut cases = tokio::task::JoinSet::new();
    cases.spawn(change_length(|length| length + 4_096));
    cases.spawn(change_length(|length| length / 8_192 * 4_096));
    cases.spawn(change_length(|_| 0));
    cases.join_all().await;
}

async fn change_length(change: fn(u64) -> u64) {
    let watched = Watched::new().await;
    // Until everything is in the file, and its length does not change any more.
    tokio::time::sleep(Duration::from_millis(700)).await;
    let length = watched.folder.store().metadata().unwrap().len();
    assert!(length > 16_384, "{length}");
    cut(&watched.folder.store(), change(length));
    watched.refuses("something else has changed it").await;
    cut(&watched.folder.store(), length);
    watched.refuses("something else has changed it").await;
    watched.house.close().await;
}

/// Accounts and settings are told durable no sooner than records are.
#[tokio::test]
async fn nothing_at_all_is_written_to_a_log_that_is_gone() {
    let watched = Watched::new().await;
    std::fs::remove_file(watched.log()).unwrap();
    let store = &watched.house.store;
    let text = "name = \"tiny\"".to_owned();
    let hash = Hash::of(text.as_bytes());
    let rulebook = RulebookText { hash, file: "tiny.toml".to_owned(), text };
    assert!(matches!(store.set("link", Some("one")).await, Err(StoreError::Down(_))));
    assert!(matches!(store.keep_rulebook(&rulebook).await, Err(StoreError::Down(_))));
    assert!(matches!(store.forget_sessions(1).await, Err(StoreError::Down(_))));
    watched.house.close().await;
}

#[tokio::test]
async fn a_link_to_a_store_is_the_store() {
    let folder = Folder::new();
    let link = folder.store().with_extension("link");
    std::os::unix::fs::symlink(folder.store(), &link).unwrap();
    // It leads nowhere yet: what it leads to is made.
    let lock = StoreAddress::Sqlite(link.clone()).lock().unwrap();
    assert!(folder.store().exists());
    for path in [&link, &folder.store()] {
        let again = StoreAddress::Sqlite(path.clone()).lock();
        let error = again.err().expect("it is locked").to_string();
        assert!(error.contains("another server uses it"), "{error}");
    }
    // The files beside it are those beside the store, and are watched there.
    let store = Sqlite::open(&link).await.unwrap();
    assert!(beside(&folder.store(), "-wal").exists());
    store.set("link", Some("one")).await.unwrap();
    store.close().await;
    drop(lock);
}

#[tokio::test]
async fn rows_that_say_nothing_keep_nobody_out() {
    let folder = Folder::new();
    let server = Live::start(&folder.store()).await;
    server.boss().await;
    server.stop().await;
    let file = format!("sqlite:{}", folder.store().display());
    let raw = sqlx::SqlitePool::connect(&file).await.unwrap();
    for junk in [
        "INSERT INTO record VALUES ('junk', 1, NULL, '{}', 'none')",
        "INSERT INTO record VALUES ('table/!', 1, NULL, '{}', 'none')",
        "INSERT INTO record VALUES (x'ff', 1, NULL, x'00', x'00')",
        "INSERT INTO record SELECT stream, max(seq) + 1, NULL, x'ff', 'none' FROM record \
         WHERE stream = 'house'",
        "INSERT INTO record VALUES ('house', 'one', NULL, '{}', 'none')",
        "INSERT INTO day VALUES ('junk', '2026-11-16', '{}')",
        "UPDATE account SET roles = roles || ',wizard'",
        "INSERT INTO account SELECT x'ff', x'fe', table_name, roles, x'ff' FROM account",
        "INSERT INTO setting VALUES (x'ff', x'ff')",
        "INSERT INTO session VALUES ('junk', 'nobody', 'Nobody', 'never')",
    ] {
        let done = sqlx::query(sqlx::AssertSqlSafe(junk)).execute(&raw).await;
        done.unwrap_or_else(|error| panic!("{junk}: {error}"));
    }
    raw.close().await;
    let server = Live::start(&folder.store()).await;
    let boss = Client::login(&server.address, "boss", PASSWORD).await.unwrap();
    let accounts = boss.get("/api/accounts").await.unwrap().ok().unwrap();
    assert_eq!(accounts.as_array().map(Vec::len), Some(1), "{accounts}");
    let guest = server.guest("Ann").await;
    let table = server.practice().await;
    join(&guest, &table, 0, 10_000).await;
    let report = boss.get("/api/reports?from=2026-11-01&to=2026-11-30").await.unwrap();
    assert_eq!(report.status, 200, "{}", report.text);
    server.stop().await;
}
