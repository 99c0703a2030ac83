//! Snapshots and days that somebody has put their hand to: the server believes its own seal and
//! its log, and nothing else.

use boxman_server::testing::history::books;
use boxman_server::testing::id::MeterId;
use boxman_server::testing::log::{Entry, Written};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{SealKey, beside};
use sqlx::{AssertSqlSafe, SqlitePool};

use super::*;
use crate::live::Live;

async fn raw(folder: &Folder) -> SqlitePool {
    SqlitePool::connect(&format!("sqlite:{}", folder.store().display())).await.unwrap()
}

pub(super) async fn run(folder: &Folder, statements: &[String]) {
    let raw = raw(folder).await;
    for sql in statements {
        let done = sqlx::query(AssertSqlSafe(sql.as_str())).execute(&raw).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    raw.close().await;
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// The statement that puts a snapshot in place of the one there is, with its checksum.
fn put(snapshot: &Snapshot) -> String {
    let Snapshot { stream, head, body, checksum, .. } = snapshot;
    let (seq, hash, body) = (head.seq, head.hash, quoted(body));
    format!(
        "UPDATE snapshot SET seq = {seq}, hash = '{hash}', body = {body}, \
         checksum = '{checksum}' WHERE stream = '{stream}'"
    )
}

/// A closed house with one table, at which Ann has a thousand dollars and has made some bets.
pub(super) async fn played(
    folder: &Folder,
) -> (boxman_server::testing::id::TableId, LiveTable, Head) {
    let store = Faulty::open(folder).await;
    let house = house(&store).await;
    let room = table(&house).await;
    seated(&room).await;
    let jackpot = Command::Put { seat: 0, wager: "fired-up".into(), amount: Cents(100) };
    ask(&room, jackpot).await.unwrap();
    for _ in 0..20 {
        ask(&room, field(100)).await.unwrap();
    }
    let (state, head) = inspect(&room).await;
    house.close().await;
    (room.table, state, head)
}

/// The table as a server opens it now.
async fn reopened(folder: &Folder, table: boxman_server::testing::id::TableId) -> LiveTable {
    let store = Faulty::open(folder).await;
    let house = house(&store).await;
    let room = house.room(table).await.unwrap();
    let (state, _) = inspect(&room).await;
    house.close().await;
    state
}

#[tokio::test]
async fn only_a_sealed_snapshot_is_believed() {
    let folder = Folder::new();
    let (table, state, _) = played(&folder).await;
    let stream = Stream::Table(table);
    let store = Sqlite::read(&folder.store()).await.unwrap();
    let snapshot = store.snapshot(&stream).await.unwrap().unwrap();
    store.close().await;
    let rack = state.table.rack(craps::Seat(0));
    let forge = |from: String, to: String| {
        let body = snapshot.body.replacen(&from, &to, 1);
        assert_ne!(body, snapshot.body, "{from}");
        Snapshot::new(stream.clone(), snapshot.head, body)
    };
    let richer = forge(rack.0.to_string(), (rack.0 + 50_000).to_string());
    let ahead = Head { seq: snapshot.head.seq + 1_000_000, ..snapshot.head };
    let seal = Hash::of(b"a guess");
    for statements in [
        // Five hundred dollars more, carelessly, with its checksum, and with a seal to go with it.
        vec![format!("UPDATE snapshot SET body = {}", quoted(&richer.body))],
        vec![put(&richer)],
        vec![put(&richer), format!("UPDATE snapshot SET seal = '{seal}'")],
        // It would keep every other from being kept.
        vec![put(&Snapshot::new(stream.clone(), ahead, snapshot.body.clone()))],
        vec!["UPDATE snapshot SET body = '{'".to_owned()],
        vec!["UPDATE snapshot SET seq = 'many', body = x'ff'".to_owned()],
        vec!["DELETE FROM snapshot".to_owned()],
    ] {
        run(&folder, &statements).await;
        let again = reopened(&folder, table).await;
        assert_eq!(again.table, state.table, "{statements:?}");
        assert_eq!(again.books.open_days(), state.books.open_days(), "{statements:?}");
        // A new one has been kept in its place.
        let store = Sqlite::read(&folder.store()).await.unwrap();
        let kept = store.snapshot(&stream).await.unwrap().expect("a snapshot");
        assert_eq!(kept.seal, boxman_server::testing::store::Seal::Ours, "{statements:?}");
        assert!(kept.head.seq < ahead.seq);
        store.close().await;
    }
}

/// Another key is like none: everything is read again from the log.
#[tokio::test]
async fn a_store_without_its_key_is_read_from_its_log() {
    let folder = Folder::new();
    let (table, state, _) = played(&folder).await;
    let key = beside(&folder.store(), ".key");
    std::fs::remove_file(&key).unwrap();
    assert_eq!(reopened(&folder, table).await.table, state.table);
    assert!(SealKey::read(&key).is_some(), "a new key was made");
    assert_eq!(reopened(&folder, table).await.table, state.table);
}

/// What a sealed snapshot has seen, the log must still have.
#[tokio::test]
async fn a_log_shorter_than_a_sealed_snapshot_is_damaged() {
    let folder = Folder::new();
    let (table, _, head) = played(&folder).await;
    let last = format!("stream = 'table/{table}' AND seq = {}", head.seq);
    run(&folder, &[format!("DELETE FROM record WHERE {last}")]).await;
    let store = Faulty::open(&folder).await;
    let house = house(&store).await;
    let Err(problem) = house.room(table).await else { panic!("it opened") };
    assert_eq!(problem.code, "store-damaged");
    assert!(problem.detail.contains("sealed snapshot"), "{}", problem.detail);
    house.close().await;
}

#[tokio::test]
async fn a_forged_snapshot_of_a_meter_makes_no_jackpot() {
    let folder = Folder::new();
    let (table, ..) = played(&folder).await;
    let id = MeterId::local(table, "PT-BJS-FUP-01");
    let amount = async || {
        let store = Faulty::open(&folder).await;
        let house = house(&store).await;
        let meter = house.open_meter(&id).await.unwrap();
        let state = meter.ask(boxman_server::testing::meters::MeterMessage::Look).await.unwrap();
        house.close().await;
        state.meter
    };
    let before = amount().await;
    let store = Sqlite::read(&folder.store()).await.unwrap();
    let stream = Stream::Meter(id.clone());
    let snapshot = store.snapshot(&stream).await.unwrap().expect("a snapshot");
    store.close().await;
    let body = snapshot.body.replacen("\"amount\":", "\"amount\":9", 1);
    assert_ne!(body, snapshot.body);
    run(&folder, &[put(&Snapshot::new(stream, snapshot.head, body))]).await;
    assert_eq!(amount().await, before);
}

/// Puts the records of a table on so many days, the last of them today. The chain holds.
async fn spread_over_days(folder: &Folder, table: boxman_server::testing::id::TableId, days: u64) {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    let stream = Stream::Table(table);
    let store = Sqlite::read(&folder.store()).await.unwrap();
    let records = store.records(&stream, 0, 10_000).await.unwrap();
    store.close().await;
    let mut head = Head::default();
    let mut statements = vec!["DELETE FROM snapshot".to_owned(), "DELETE FROM day".to_owned()];
    for record in &records {
        let mut entry: Entry<boxman_server::testing::log::TableEntry> = record.entry().unwrap();
        entry.at -= (days - 1 - record.seq * days / (records.len() as u64 + 1)) * DAY;
        let new = entry.record(head, stream.clone());
        head = new.head();
        statements.push(format!(
            "UPDATE record SET body = {}, hash = '{}' WHERE stream = '{stream}' AND seq = {}",
            quoted(&new.body),
            new.hash,
            new.seq
        ));
    }
    run(folder, &statements).await;
}

#[tokio::test]
async fn days_that_are_not_what_was_kept_are_read_again_from_the_log() {
    let folder = Folder::new();
    let (table, ..) = played(&folder).await;
    spread_over_days(&folder, table, 5).await;
    let store = Sqlite::read(&folder.store()).await.unwrap();
    let shelf = Shelf::new(craps::Library::embedded());
    let whole = books(&store, &shelf, table).await.unwrap();
    store.close().await;
    assert_eq!(whole.open_days().len(), 5);
    // A snapshot, the last at closing, writes all five down and forgets three.
    reopened(&folder, table).await;
    assert_eq!(reopened(&folder, table).await.books.open_days().len(), 2);
    let sheet = async || {
        let server = Live::start(&folder.store()).await;
        let boss = match &server.link {
            Some(_) => server.boss().await,
            None => boxman_client::Client::login(&server.address, "boss", crate::live::PASSWORD)
                .await
                .unwrap(),
        };
        let path = format!("/api/reports?from=2000-01-01&to=2999-01-01&table={table}");
        let report = boss.get(&path).await.unwrap().ok().unwrap();
        server.stop().await;
        report["days"].clone()
    };
    let honest = sheet().await;
    assert_eq!(honest.as_array().map(Vec::len), Some(5), "{honest}");
    let first = &whole.open_days()[0].0;
    for statement in [
        format!(
            "UPDATE day SET body = replace(body, '\"drop\":1', '\"drop\":9') WHERE day = '{first}'"
        ),
        format!("UPDATE day SET body = '{{' WHERE day = '{first}'"),
        format!("DELETE FROM day WHERE day = '{first}'"),
        format!("INSERT INTO day SELECT stream, '2001-01-01', body FROM day WHERE day = '{first}'"),
        "DELETE FROM snapshot".to_owned(),
    ] {
        run(&folder, std::slice::from_ref(&statement)).await;
        assert_eq!(sheet().await, honest, "{statement}");
    }
    let store = Sqlite::read(&folder.store()).await.unwrap();
    let kept = store.days_of(&Stream::Table(table)).await.unwrap();
    store.close().await;
    let right = whole.open_days().into_iter().map(|(day, book)| (day, book.text()));
    let kept = kept.into_iter().map(|day| (day.day, day.body));
    assert_eq!(kept.collect::<Vec<_>>(), right.collect::<Vec<_>>());
}
