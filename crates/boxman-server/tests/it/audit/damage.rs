//! A store that somebody, or something, has put its hand to: every change of what it says is
//! noticed. What it says is read here a second time, row by row, without the program's help.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use boxman_server::audit::{Anchor, Options, Source, anchor, verify};
use boxman_server::testing::ask::Command;
use boxman_server::testing::config::DiceMode;
use boxman_server::testing::house::House;
use boxman_server::testing::log::{Entry, Head, HouseEntry, Record, Stream};
use boxman_server::testing::role::Role;
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Account, Sqlite, Store};
use craps::{Cents, Library};
use futures_util::future::BoxFuture;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection};

use super::pit::{Folder, ask, calm, config, person, verified};
use crate::chance::Lehmer;

const FLIPS: u32 = 400;

/// What a store says: records, rulebooks, days, names and roles. Passwords, sessions and settings
/// are nobody's proof of anything, and the name of a rulebook's file is only for people.
const CONTENT: [&str; 4] = [
    "SELECT quote(stream), quote(seq), quote(command), quote(body), quote(hash) FROM record \
     NOT INDEXED ORDER BY 1, 2",
    "SELECT quote(hash), quote(body) FROM rulebook NOT INDEXED ORDER BY 1",
    "SELECT quote(stream), quote(day), quote(body) FROM day NOT INDEXED ORDER BY 1, 2",
    "SELECT quote(id), quote(login), quote(table_name), quote(roles) FROM account NOT INDEXED \
     ORDER BY 1",
];

/// A small store, closed.
struct Small {
    folder: Folder,
    path: PathBuf,
    table: Stream,
}

impl Small {
    async fn play() -> Small {
        let folder = Folder::new();
        let path = folder.file("boxman.db");
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(&path).await.unwrap());
        let house = House::open(Arc::clone(&store), Shelf::new(Library::embedded())).await.unwrap();
        for (name, roles) in [("sue", vec![Role::Supervisor]), ("dan", vec![Role::Dealer])] {
            let id = format!("p-{name}");
            let (login, table_name) = (name.to_owned(), format!("{name} at work"));
            let password = "secret".to_owned();
            let account = Account { id, login, table_name, roles, password };
            let Account { id, login, table_name, roles, .. } = account.clone();
            let made = HouseEntry::AccountMade { account: id, login, table_name, roles };
            let (account, made) = (&account, &made);
            let both = || -> BoxFuture<'_, _> {
                Box::pin(async { Ok((account.clone(), vec![made.clone()])) })
            };
            house.keep_account("boxman", &both).await.unwrap();
        }
        let guest = person("guest-1", Role::Guest);
        let room = house.open_table(&guest, config(DiceMode::House)).await.unwrap();
        ask(&room, &guest, Command::Sit { seat: Some(0), name: None }).await.unwrap();
        let chips = Command::buy_in(0, Cents::dollars(500));
        ask(&room, &guest, chips).await.unwrap();
        for (wager, dollars) in [("pass", 10), ("fired-up", 1), ("field", 5)] {
            let (wager, amount) = (wager.to_owned(), Cents::dollars(dollars));
            ask(&room, &guest, Command::Put { seat: 0, wager, amount }).await.unwrap();
        }
        ask(&room, &guest, Command::Roll { shooter_bytes: "07".repeat(32), commitment: None })
            .await
            .unwrap();
        calm(&room).await;
        house.close().await;
        Small { folder, path, table: Stream::Table(room.table) }
    }

    async fn anchor(&self) -> Anchor {
        let store = Sqlite::read(&self.path).await.unwrap();
        let anchor = anchor(&store).await.unwrap();
        store.close().await;
        anchor
    }
}

/// Everything that counts, or nothing where it cannot be read.
async fn content(path: &Path) -> Option<Vec<Vec<String>>> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.ok()?;
    let mut rows = Vec::new();
    for sql in CONTENT {
        for row in sqlx::query(sql).fetch_all(&mut connection).await.ok()? {
            let columns = (0..row.len()).map(|at| row.try_get::<String, _>(at).ok());
            rows.push(columns.collect::<Option<Vec<String>>>()?);
        }
    }
    connection.close().await.ok()?;
    Some(rows)
}

/// Whether an audit finds nothing wrong. One that cannot be made finds something.
async fn is_sound(path: &Path, options: &Options) -> bool {
    let Ok(store) = Sqlite::read_with(path, None).await else { return false };
    let verdict = verify(Source::Store(&store), options, &mut |_, _| {}).await;
    store.close().await;
    verdict.is_ok_and(|verdict| verdict.ok)
}

#[tokio::test]
async fn of_four_hundred_flipped_bits_every_one_that_changes_content_is_noticed() {
    let small = Small::play().await;
    let honest = content(&small.path).await.expect("it can be read");
    assert!(is_sound(&small.path, &Options::default()).await);
    let bytes = std::fs::read(&small.path).unwrap();
    let copy = small.folder.file("flipped.db");
    let mut random = Lehmer(16);
    let (mut changed, mut missed) = (0, Vec::new());
    for _ in 0..FLIPS {
        let bit = random.below(bytes.len() * 8);
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&copy, flipped).unwrap();
        if content(&copy).await.as_ref() == Some(&honest) {
            continue;
        }
        changed += 1;
        if is_sound(&copy, &Options::default()).await {
            missed.push(bit);
        }
    }
    assert!(missed.is_empty(), "{missed:?} of {changed}");
    assert!(changed > FLIPS / 5, "only {changed} flips changed anything");
}

/// What somebody with the database open might try. `T` is the table, `M` a meter.
const EDITS: [&[&str]; 42] = [
    &["UPDATE record SET body = replace(body, '50000', '90000') WHERE stream = 'T' AND seq = 4"],
    &["UPDATE record SET body = body || ' ' WHERE stream = 'T' AND seq = 1"],
    &["UPDATE record SET body = x'00' WHERE stream = 'T' AND seq = 2"],
    &["UPDATE record SET hash = upper(hash) WHERE stream = 'T' AND seq = 2"],
    &["UPDATE record SET hash = 'none' WHERE stream = 'T' AND seq = 2"],
    &["UPDATE record SET command = 'other' WHERE stream = 'T' AND seq = 4"],
    &["UPDATE record SET command = NULL WHERE stream = 'T' AND seq = 4"],
    &["UPDATE record SET seq = 0 WHERE stream = 'T' AND seq = 1"],
    &["UPDATE record SET seq = 1000 WHERE stream = 'T' AND seq = 3"],
    &["UPDATE record SET stream = 'table/0000000' WHERE stream = 'T' AND seq = 3"],
    &["UPDATE record SET stream = 'table/0000000' WHERE stream = 'T'"],
    &["DELETE FROM record WHERE stream = 'T' AND seq = 3"],
    &["DELETE FROM record WHERE stream = 'T' AND seq > 5", FORGET],
    &["DELETE FROM record WHERE stream = 'T'", FORGET],
    &["DELETE FROM record WHERE stream = 'M' AND seq > 1", FORGET],
    &["DELETE FROM record WHERE stream = 'M'", FORGET],
    &["DELETE FROM record WHERE stream = 'house'"],
    &["DELETE FROM record WHERE stream = 'house' AND seq > 2"],
    &["DELETE FROM record", FORGET, "DELETE FROM account"],
    &["UPDATE record SET body = replace(body, 'dan', 'eve') WHERE stream = 'house'"],
    &["INSERT INTO record SELECT stream, 0, NULL, body, hash FROM record WHERE seq = 1"],
    &["INSERT INTO record SELECT stream, -1, NULL, body, hash FROM record WHERE seq = 1"],
    &["INSERT INTO record SELECT stream, 'one', NULL, body, hash FROM record WHERE seq = 1"],
    &["INSERT INTO record SELECT 'table/0000000', seq, command, body, hash FROM record \
       WHERE stream = 'T'"],
    &["INSERT INTO record VALUES ('junk', 1, NULL, '{}', 'none')"],
    &["INSERT INTO record VALUES (x'ff', 1, NULL, '{}', 'none')"],
    &["UPDATE rulebook SET body = replace(body, '9 to 5', '2 to 1')"],
    &["UPDATE rulebook SET hash = replace(hash, substr(hash, 1, 1), 'x')"],
    &["DELETE FROM rulebook"],
    &["INSERT INTO rulebook SELECT 'none', file, body FROM rulebook LIMIT 1"],
    &["UPDATE day SET body = replace(body, '\"drop\":50000', '\"drop\":10000')"],
    &["UPDATE day SET day = '2001-01-01'"],
    &["DELETE FROM day"],
    &["INSERT INTO day SELECT stream, '2001-01-01', body FROM day"],
    &["INSERT INTO day VALUES ('table/0000000', '2001-01-01', '{}')"],
    &["UPDATE account SET roles = 'administrator' WHERE login = 'dan'"],
    &["UPDATE account SET login = 'eve' WHERE login = 'dan'"],
    &["UPDATE account SET id = 'p-eve' WHERE login = 'dan'"],
    &["UPDATE account SET table_name = 'Eve' WHERE login = 'dan'"],
    &["DELETE FROM account WHERE login = 'dan'"],
    &["INSERT INTO account SELECT 'p-eve', 'eve', 'Eve', 'administrator', password \
       FROM account LIMIT 1"],
    &["CREATE TRIGGER sly AFTER INSERT ON record BEGIN DELETE FROM account; END"],
];

/// Whoever cuts a log takes away what is kept beside it.
const FORGET: &str = "DELETE FROM snapshot; DELETE FROM day";

async fn edited(small: &Small, statements: &[&str], number: usize) -> PathBuf {
    let copy = small.folder.file(&format!("edited-{number}.db"));
    std::fs::copy(&small.path, &copy).unwrap();
    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(&copy));
    let pool = pool.await.unwrap();
    let Stream::Table(id) = &small.table else { panic!("it is a table") };
    let meter = Stream::Meter(boxman_server::testing::id::MeterId::local(*id, "PT-BJS-FUP-01"));
    for statement in statements.iter().flat_map(|statement| statement.split("; DELETE")) {
        let whole = if statement.starts_with(" FROM") { "DELETE" } else { "" };
        let sql = format!("{whole}{statement}")
            .replace("'T'", &format!("'{}'", small.table))
            .replace("'M'", &format!("'{meter}'"));
        let done = sqlx::raw_sql(AssertSqlSafe(sql.clone())).execute(&pool).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error}"));
    }
    pool.close().await;
    copy
}

#[tokio::test]
async fn of_forty_two_edits_every_one_is_noticed_with_the_anchor() {
    let small = Small::play().await;
    let honest = content(&small.path).await.expect("it can be read");
    let options = Options { table: None, anchor: Some(small.anchor().await) };
    assert!(is_sound(&small.path, &options).await);
    for (number, statements) in EDITS.iter().enumerate() {
        let copy = edited(&small, statements, number).await;
        let trigger = statements[0].starts_with("CREATE");
        assert!(trigger || content(&copy).await.as_ref() != Some(&honest), "{statements:?}");
        assert!(!is_sound(&copy, &options).await, "it passed: {statements:?}");
    }
}

/// Somebody patient gives themselves a role in account and log alike, with a chain that holds.
#[tokio::test]
async fn a_house_log_written_anew_is_noticed_by_the_anchor_alone() {
    let small = Small::play().await;
    let store = Sqlite::read(&small.path).await.unwrap();
    let records = store.records(&Stream::House, 0, 1_000).await.unwrap();
    store.close().await;
    let mut statements =
        vec!["UPDATE account SET roles = 'administrator' WHERE login = 'dan'".into()];
    let mut head = Head::default();
    for record in records {
        let mut entry: Entry<HouseEntry> = record.entry().unwrap();
        if let HouseEntry::AccountMade { login, roles, .. } = &mut entry.what
            && login == "dan"
        {
            *roles = vec![Role::Administrator];
        }
        let Record { seq, body, hash, .. } = entry.record(head, Stream::House);
        head = Head { seq, hash };
        statements.push(format!(
            "UPDATE record SET body = '{}', hash = '{hash}' WHERE stream = 'house' AND seq = {seq}",
            body.replace('\'', "''")
        ));
    }
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    let copy = edited(&small, &statements, 0).await;
    assert!(is_sound(&copy, &Options::default()).await, "nothing else can tell");
    let options = Options { table: None, anchor: Some(small.anchor().await) };
    assert!(!is_sound(&copy, &options).await);
}

/// A log whose chain holds, beside those that the house has opened.
#[tokio::test]
async fn a_log_that_the_house_never_opened_is_named() {
    let small = Small::play().await;
    let Stream::Table(id) = &small.table else { panic!("it is a table") };
    let known = Stream::Meter(boxman_server::testing::id::MeterId::local(*id, "PT-BJS-FUP-01"));
    let unknown = Stream::Meter("from-nowhere".parse().unwrap());
    let store = Sqlite::open(&small.path).await.unwrap();
    let (mut head, mut records) = (Head::default(), Vec::new());
    for Record { key, body, .. } in store.records(&known, 0, 1_000).await.unwrap() {
        let next = Record::after(head, unknown.clone(), key, body);
        head = next.head();
        records.push(next);
    }
    store.append(&records).await.unwrap();
    store.close().await;
    let verdict = verified(&small.path, &Options::default()).await;
    let name = unknown.to_string();
    let found = verdict.problems.iter().filter(|finding| finding.stream == name);
    let reasons: Vec<&str> = found.map(|finding| finding.reason.as_str()).collect();
    assert!(reasons.contains(&"the log of the house does not know of it"), "{reasons:?}");
}

/// Whoever has the key sees who wrote an anchor; nobody else can tell.
#[tokio::test]
async fn an_anchor_without_the_seal_of_the_house_is_warned_of() {
    let small = Small::play().await;
    let honest = small.anchor().await.to_json();
    let seal = honest.lines().find(|line| line.contains("seal")).expect("it bears one");
    let digit = if seal.contains('7') { ("7", "8") } else { ("a", "b") };
    let foreign = honest.replace(seal, &seal.replacen(digit.0, digit.1, 1));
    let bare = honest.replace(&format!(",\n{seal}"), "");
    for (text, warnings) in [(&honest, 0), (&foreign, 1), (&bare, 1)] {
        let options = Options { table: None, anchor: Some(Anchor::parse(text).unwrap()) };
        let store = Sqlite::read(&small.path).await.unwrap();
        let verdict = verify(Source::Store(&store), &options, &mut |_, _| {}).await.unwrap();
        store.close().await;
        assert!(verdict.ok);
        assert_eq!(verdict.warnings.len(), warnings, "{text}: {:?}", verdict.warnings);
    }
}

#[tokio::test]
async fn an_anchor_names_every_log_that_was_cut() {
    let small = Small::play().await;
    let anchor = small.anchor().await;
    let cut = ["DELETE FROM record WHERE seq > 1 AND stream IN ('T', 'M')", FORGET];
    let copy = edited(&small, &cut, 0).await;
    let store = Sqlite::read(&copy).await.unwrap();
    let missed = anchor.missed(&store).await.unwrap();
    store.close().await;
    let streams: Vec<String> = missed.iter().map(|(stream, _)| stream.to_string()).collect();
    assert_eq!(streams.len(), 2, "{streams:?}");
    assert!(streams.contains(&small.table.to_string()), "{streams:?}");
}

/// Days are written with a snapshot. A server that was killed has gone on since, and a snapshot
/// that cannot be read does not say when that was.
#[tokio::test]
async fn a_spoilt_snapshot_is_no_reason_to_call_days_wrong() {
    let small = Small::play().await;
    let Stream::Table(table) = small.table else { panic!("it is a table") };
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&small.path).await.unwrap());
    let house = House::open(Arc::clone(&store), Shelf::new(Library::embedded())).await.unwrap();
    let room = house.room(table).await.unwrap();
    let guest = person("guest-1", Role::Guest);
    let chips = Command::buy_in(0, Cents::dollars(70));
    ask(&room, &guest, chips).await.unwrap();
    calm(&room).await;
    // What a server leaves that is killed now.
    let killed = small.folder.file("killed.db");
    for ending in ["", "-wal"] {
        let from = format!("{}{ending}", small.path.display());
        std::fs::copy(from, format!("{}{ending}", killed.display())).unwrap();
    }
    house.close().await;
    let small = Small { path: killed, ..small };
    assert!(is_sound(&small.path, &Options::default()).await);
    let spoil = "UPDATE snapshot SET body = replace(body, '\"v\"', '\"w\"') || ' '";
    let spoilt = edited(&small, &[spoil], 1).await;
    assert!(is_sound(&spoilt, &Options::default()).await, "the log is what it was");
    let forge = "UPDATE day SET body = replace(body, '\"drop\":50000', '\"drop\":10000')";
    let forged = edited(&small, &[spoil, forge], 2).await;
    assert!(!is_sound(&forged, &Options::default()).await);
}
