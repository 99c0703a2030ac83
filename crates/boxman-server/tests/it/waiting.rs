//! The bell: what waits for each person of the crew, asked for and told on a socket.

use std::time::Duration;

use boxman_client::{Client, TableSocket, Value, json};
use tokio::time::timeout;

use crate::live::{Folder, Live, accepted, does, fresh_id, open, put, throw, until};
use crate::nodes::House;

/// A table with real dice and a jackpot.
fn real(name: &str) -> Value {
    json!({
        "name": name,
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
    })
}

async fn waits(client: &Client) -> Vec<Value> {
    let list = client.get("/api/waiting").await.unwrap().ok().unwrap();
    list.as_array().unwrap().clone()
}

/// Asks for chips that one person may not move.
async fn ask_fill(client: &Client, table: &str) -> u64 {
    does(client, table, json!({ "command": "fill", "amount": 5_000_000 })).await
}

/// The next list that the bell tells of, within the second that it may take.
async fn rung(bell: &mut TableSocket) -> Vec<Value> {
    let frame = timeout(Duration::from_secs(1), bell.next_of("waiting"));
    let frame = frame.await.expect("the bell rings within a second").unwrap();
    frame["waiting"].as_array().unwrap().clone()
}

/// Nothing is told for a while.
async fn silent(bell: &mut TableSocket) {
    let frame = timeout(Duration::from_millis(1_200), bell.next_of("waiting")).await;
    assert!(frame.is_err(), "{frame:?}");
}

#[tokio::test]
async fn a_request_waits_for_everybody_but_the_one_who_asked() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let sam = live.account(&boss, "sam", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let table = open(&boss, &real("Pit 4")).await;
    // One who plays there is a player there.
    does(&sam, &table, json!({ "command": "sit", "seat": 0 })).await;
    let mut bells = Vec::new();
    for client in [&sue, &boss, &sam, &dan] {
        let mut bell = client.bell().await.unwrap();
        assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
        bells.push(bell);
    }
    let asked = ask_fill(&dan, &table).await;
    let [sues, bosss, sams, dans] = &mut bells[..] else { unreachable!() };
    let told = rung(sues).await;
    assert_eq!(told, rung(bosss).await);
    let [one] = &told[..] else { panic!("{told:?}") };
    assert_eq!((&one["at"], &one["id"]), (&json!("table"), &json!(table)));
    assert_eq!((&one["name"], &one["kind"]), (&json!("Pit 4"), &json!("request")));
    assert_eq!((&one["number"], &one["what"]), (&json!(asked), &json!("fill of $50,000")));
    assert_eq!(one["by"], "Mx. dan");
    assert!(one["until"].as_u64().is_some(), "{one}");
    assert_eq!(waits(&sue).await, told);
    for other in [&sam, &dan] {
        assert_eq!(waits(other).await, Vec::<Value>::new());
    }
    tokio::join!(silent(sams), silent(dans));
    // Agreed to, it waits for nobody.
    does(&sue, &table, json!({ "command": "approve", "proposal": asked })).await;
    assert_eq!(rung(sues).await, Vec::<Value>::new());
    assert_eq!(rung(bosss).await, Vec::<Value>::new());
    assert_eq!(waits(&boss).await, Vec::<Value>::new());
    live.stop().await;
}

#[tokio::test]
async fn a_request_at_a_meter_waits_for_those_who_do_not_play_for_it() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let sam = live.account(&boss, "sam", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let table = open(&boss, &real("Pit 4")).await;
    does(&sam, &table, json!({ "command": "sit", "seat": 0 })).await;
    let meter = format!("{table}-pt-bjs-fup-05");
    let commands = format!("/api/meters/{meter}/commands");
    let mut bell = boss.bell().await.unwrap();
    assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
    let adjust = json!({ "command": { "command": "adjust", "kind": "malfunction",
                                       "amount": 5000, "reason": "party" } });
    let asked = sue.post(&commands, &adjust).await.unwrap().ok().unwrap();
    let told = rung(&mut bell).await;
    let [one] = &told[..] else { panic!("{told:?}") };
    assert_eq!((&one["at"], &one["id"]), (&json!("meter"), &json!(meter)));
    assert_eq!((&one["number"], &one["reason"]), (&asked["seq"], &json!("party")));
    assert_eq!((&one["name"], &one["by"]), (&json!("PT-BJS-FUP-05"), &json!("Mx. sue")));
    for other in [&sue, &sam, &dan] {
        assert_eq!(waits(other).await, Vec::<Value>::new());
    }
    let withdraw = json!({ "command": { "command": "withdraw", "proposal": asked["seq"] } });
    sue.post(&commands, &withdraw).await.unwrap().ok().unwrap();
    assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
    live.stop().await;
}

#[tokio::test]
async fn a_claim_waits_for_those_who_did_not_key_it_in() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let sam = live.account(&boss, "sam", &["supervisor"]).await;
    let table = open(&boss, &real("Pit 4")).await;
    does(&sue, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&sue, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&sue, &table, put(0, "pass", 1_000)).await;
    does(&sue, &table, put(0, "fired-up", 100)).await;
    for dice in ["4-4", "4-5", "5-5", "5-6"] {
        throw(&sue, &table, dice).await;
    }
    let mut bell = sam.bell().await.unwrap();
    assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
    throw(&sue, &table, "6-6").await;
    let told = rung(&mut bell).await;
    let [one] = &told[..] else { panic!("{told:?}") };
    assert_eq!((&one["kind"], &one["number"]), (&json!("claim"), &json!(1)));
    assert_eq!(one["what"], "jackpot of PT-BJS-FUP-05");
    assert_eq!(waits(&sue).await, Vec::<Value>::new());
    assert_eq!(waits(&boss).await, told);
    // Where another denies it, what waits is that.
    until(&boss, &table, |view| view["meters"][0]["hits"] != json!([])).await;
    let deny = json!({ "command": "deny-claim", "claim": 1, "reason": "dice switched" });
    let asked = does(&boss, &table, deny).await;
    let told = rung(&mut bell).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!((&told[0]["kind"], &told[0]["number"]), (&json!("request"), &json!(asked)));
    let withdraw = json!({ "command": "withdraw", "proposal": asked });
    accepted(boss.command(&table, &fresh_id(), &withdraw).await);
    assert_eq!(rung(&mut bell).await[0]["kind"], "claim");
    does(&sam, &table, json!({ "command": "confirm-claim", "claim": 1 })).await;
    assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
    live.stop().await;
}

/// At a practice table one person is enough, and nothing of it rings.
#[tokio::test]
async fn the_bell_is_the_crews() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let (ann, tim) = (
        live.account(&boss, "ann", &["player"]).await,
        live.account(&boss, "tim", &["auditor"]).await,
    );
    let (gus, nobody) = (live.guest("Gus").await, Client::anyone(&live.address));
    for (client, status) in [(&ann, 403), (&tim, 403), (&gus, 403), (&nobody, 401)] {
        assert_eq!(client.get("/api/waiting").await.unwrap().status, status);
        let refused = client.bell().await.err().expect("no bell").to_string();
        assert!(refused.contains(&status.to_string()), "{refused}");
    }
    // A session that ends takes the bell with it.
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let mut bell = sue.bell().await.unwrap();
    assert_eq!(rung(&mut bell).await, Vec::<Value>::new());
    sue.post("/api/logout", &json!({})).await.unwrap();
    let ending = timeout(Duration::from_secs(5), bell.ending()).await.expect("it ends");
    assert_eq!(ending.map(|(code, _)| code), Some(4001));
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bell_rings_for_tables_of_other_nodes() {
    let Some(house) = House::open().await else { return };
    let sue = house.nodes[0].account(&house.boss, "sue", &["supervisor"]).await;
    // A table on each node, and a bell at each.
    for node in [0, 1] {
        let at = house.at(node, &house.boss);
        let table = house.table_at(node, &real("Pit 4")).await;
        let (mut here, mut there) = (
            house.at(node, &sue).bell().await.unwrap(),
            house.at(1 - node, &sue).bell().await.unwrap(),
        );
        assert_eq!(rung(&mut here).await, rung(&mut there).await);
        let asked = ask_fill(&at, &table).await;
        let told = rung(&mut there).await;
        assert_eq!((&told[0]["id"], &told[0]["number"]), (&json!(table), &json!(asked)));
        assert_eq!(rung(&mut here).await, told);
        for other in [0, 1] {
            assert_eq!(waits(&house.at(other, &sue)).await, told);
        }
        let withdraw = json!({ "command": "withdraw", "proposal": asked });
        does(&at, &table, withdraw).await;
        assert_eq!(rung(&mut there).await, Vec::<Value>::new());
    }
    house.close().await;
}
