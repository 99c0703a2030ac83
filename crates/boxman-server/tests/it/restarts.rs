//! What holds through a restart: claims, ids, betting windows.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Client, Value, json};
use boxman_server::testing::config::TableConfig;
use boxman_server::testing::house::House;
use boxman_server::testing::id::TableId;
use boxman_server::testing::log::{Entry, Head, HouseEntry, Stream, TableEntry, now};
use boxman_server::testing::shelf::Shelf;
use boxman_server::testing::store::{Fence, Sqlite, Store};
use craps::Library;

use crate::live::{
    Folder, Live, PASSWORD, ask, does, fresh_id, join, open, put, roll, throw, until,
};

#[tokio::test]
async fn a_jackpot_that_waits_is_confirmed_after_a_restart() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let config = json!({
        "name": "Craps 1",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
        "confirm_jackpots": true,
    });
    let table = open(&boss, &config).await;
    does(&dan, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&dan, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&dan, &table, put(0, "pass", 1000)).await;
    does(&dan, &table, put(0, "fired-up", 100)).await;
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        throw(&dan, &table, dice).await;
    }
    until(&live.eye(), &table, |view| view["meters"][0]["hits"] != json!([])).await;
    live.stop().await;

    let live = Live::start(&folder.store()).await;
    let boss = Client::login(&live.address, "boss", PASSWORD).await.unwrap();
    does(&boss, &table, json!({ "command": "confirm-claim", "claim": 1 })).await;
    assert_eq!(live.view(&table).await["hand"]["claims"], json!([]));
    live.stop().await;
}

/// Whoever commits anew may have seen a shooter's bytes: they are good for one commitment only.
#[tokio::test]
async fn bytes_drawn_for_an_earlier_commitment_are_refused_after_a_restart() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let ann = live.account(&boss, "ann", &["player"]).await;
    let table = live.practice().await;
    join(&ann, &table, 0, 100_000).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    let roll = |commitment: &Value| {
        let bytes = "07".repeat(32);
        json!({ "command": "roll", "shooter_bytes": bytes, "commitment": commitment })
    };
    let shown = live.view(&table).await["hand"]["commitment"].clone();
    live.stop().await;

    let live = Live::start(&folder.store()).await;
    let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
    let refused = ask(&ann, &table, roll(&shown)).await;
    assert_eq!(refused, (409, "other-commitment".to_owned()));
    let shown = live.view(&table).await["hand"]["commitment"].clone();
    does(&ann, &table, roll(&shown)).await;
    live.stop().await;
}

#[tokio::test]
async fn an_id_stands_for_one_command_also_after_a_restart() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let ann = live.account(&boss, "ann", &["player", "dealer"]).await;
    let table = live.practice().await;
    join(&ann, &table, 0, 100_000).await;
    let (id, other) = (fresh_id(), fresh_id());
    let first = ann.command(&table, &id, &put(0, "field", 500)).await.unwrap().json;
    let pause = json!({ "command": "pause" });
    let paused = ann.command(&table, &other, &pause).await.unwrap().json;
    // Twice: once the record is read with the log, once it is behind a snapshot.
    let mut live = live;
    for _ in 0..2 {
        live.stop().await;
        live = Live::start(&folder.store()).await;
        let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
        let again = ann.command(&table, &id, &put(0, "field", 500)).await.unwrap().json;
        assert_eq!(again, first);
        for another in [put(0, "field", 600), json!({ "command": "close" })] {
            let answer = ann.command(&table, &id, &another).await.unwrap();
            assert_eq!((answer.status, answer.code()), (409, "id-reused"), "{another}");
        }
    }
    // Whoever has lost the right since still hears what became of it.
    let boss = Client::login(&live.address, "boss", PASSWORD).await.unwrap();
    let accounts = boss.get("/api/accounts").await.unwrap().ok().unwrap();
    let is_ann = |account: &&Value| account["name"] == "ann";
    assert!(accounts.as_array().unwrap().iter().any(|account| is_ann(&account)));
    let roles = json!({ "roles": ["player"] }).to_string();
    let changed = boss.request("PATCH", "/api/accounts/ann", &roles).await.unwrap();
    assert_eq!(changed.status, 200, "{}", changed.text);
    let ann = Client::login(&live.address, "ann", PASSWORD).await.unwrap();
    assert_eq!(ask(&ann, &table, json!({ "command": "resume" })).await, (403, "forbidden".into()));
    assert_eq!(ann.command(&table, &other, &pause).await.unwrap().json, paused);
    live.stop().await;
}

#[tokio::test]
async fn a_betting_window_starts_anew_after_a_restart() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let ann = live.guest("Ann").await;
    let config = json!({ "name": "Quick", "practice": true, "betting_seconds": 3 });
    let table = open(&ann, &config).await;
    join(&ann, &table, 0, 100_000).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    live.stop().await;
    tokio::time::sleep(Duration::from_millis(3_100)).await;
    let live = Live::start(&folder.store()).await;
    let view = live.view(&table).await;
    assert_eq!(view["hand"]["betting"], true);
    let closes = view["hand"]["closes_at"].as_u64().unwrap();
    assert!(closes > now() + 1_000, "{closes}");
    does(&ann_again(&live, &ann), &table, put(0, "field", 500)).await;
    live.stop().await;
}

/// The same guest at another server.
fn ann_again(live: &Live, ann: &Client) -> Client {
    Client { address: live.address.clone(), ..ann.clone() }
}

/// A table whose last record is a day ahead, as one leaves that was opened while the clock had
/// been set forward.
async fn opened_tomorrow(folder: &Folder, config: TableConfig) -> TableId {
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(&folder.store()).await.unwrap());
    let house = House::open(Arc::clone(&store), Shelf::new(Library::embedded())).await.unwrap();
    let (queued, _) = house.shelf.choose(&*store, config).await.unwrap();
    let table = TableId::fresh().unwrap();
    let name = queued.config.name.clone();
    let opened =
        TableEntry::Opened { config: queued.config, library: queued.library, rules: queued.rules };
    let tomorrow = now() + 24 * 60 * 60 * 1_000;
    let record =
        Entry::new(tomorrow, "boxman", opened).record(Head::default(), Stream::Table(table));
    house.writer.append_by(vec![record], Fence::default()).await.unwrap();
    house.write_down("boxman", HouseEntry::TableOpened { table, name }).await.unwrap();
    house.close().await;
    table
}

#[tokio::test]
async fn betting_closes_in_time_though_the_clock_was_set_back_by_a_day() {
    let folder = Folder::new();
    let name = "Quick".to_owned();
    let config = TableConfig { name, betting_seconds: Some(3), ..TableConfig::practice() };
    let table = opened_tomorrow(&folder, config).await.to_string();
    let live = Live::start(&folder.store()).await;
    let ann = live.guest("Ann").await;
    let bob = live.guest("Bob").await;
    join(&ann, &table, 0, 100_000).await;
    join(&bob, &table, 1, 100_000).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    let started = std::time::Instant::now();
    until(&live.eye(), &table, |view| view["hand"]["betting"] == false).await;
    assert!(started.elapsed() > Duration::from_secs(2), "it closed too early");
    does(&ann, &table, roll()).await;
    // All records bear the same time until the clock has caught up; windows still have theirs.
    for _ in 0..2 {
        let started = std::time::Instant::now();
        let shooter = live.view(&table).await["hand"]["shooter"].as_u64().unwrap();
        let (who, seat) = if shooter == 0 { (&ann, 0) } else { (&bob, 1) };
        does(who, &table, put(seat, "field", 500)).await;
        // After a seven-out the next shooter has to have a line bet.
        ask(who, &table, put(seat, "pass", 1000)).await;
        until(&live.eye(), &table, |view| view["hand"]["betting"] == false).await;
        assert!(started.elapsed() > Duration::from_secs(2), "it closed too early");
        does(who, &table, roll()).await;
    }
    live.stop().await;
}

#[tokio::test]
async fn no_bet_is_recorded_after_its_window_closed() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let ann = live.guest("Ann").await;
    let config = json!({ "name": "Quick", "practice": true, "betting_seconds": 3 });
    let table = open(&ann, &config).await;
    join(&ann, &table, 0, 10_000_000).await;
    does(&ann, &table, put(0, "pass", 1000)).await;
    let closes = live.view(&table).await["hand"]["closes_at"].as_u64().unwrap();
    tokio::time::sleep(Duration::from_millis(2_600)).await;
    let mut last = None;
    for _ in 0..5_000 {
        let answer = ann.command(&table, &fresh_id(), &put(0, "field", 500)).await.unwrap();
        match answer.status {
            200 => last = answer.json["seq"].as_u64(),
            _ => break,
        }
    }
    let after = last.expect("one bet is in time") - 1;
    let path = format!("/api/tables/{table}/records?after={after}&limit=1");
    let records = ann.get(&path).await.unwrap().ok().unwrap();
    assert!(records[0]["body"]["at"].as_u64().unwrap() <= closes, "{records}");
    live.stop().await;
}
