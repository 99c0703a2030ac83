//! The lobby's one socket: every table at first, then whatever changes; names of practice tables
//! only.

use boxman_client::{Client, TableSocket, Value, json};

use crate::live::{Folder, Live, does, join, open, put, roll, throw};

async fn lobby(client: &Client) -> (TableSocket, Vec<Value>) {
    let mut socket = client.lobby().await.unwrap();
    let first = socket.next_of("lobby").await.unwrap();
    (socket, first["tables"].as_array().unwrap().clone())
}

/// The next news of a table that is as expected.
async fn until(socket: &mut TableSocket, table: &str, found: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = socket.next_of("table").await.unwrap();
        if frame["table"]["id"] == table && found(&frame["table"]) {
            return frame["table"].clone();
        }
    }
}

#[tokio::test]
async fn the_lobby_hears_of_every_table_that_changes() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let dealer = live.account(&boss, "dee", &["dealer"]).await;
    let (mut socket, tables) = lobby(&Client::anyone(&live.address)).await;
    assert_eq!(tables.len(), 1);
    // One that is opened.
    let real = json!({
        "name": "Pit 4",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
    });
    let table = open(&boss, &real).await;
    let line = until(&mut socket, &table, |_| true).await;
    assert_eq!((&line["name"], &line["players"]), (&json!("Pit 4"), &json!(0)));
    assert_eq!(line["meters"][0]["title"], "Fired Up Progressive");
    assert_eq!(line["meters"][0]["amount"], 100_000);
    assert!(line["sides"].as_array().unwrap().contains(&json!("All Small")), "{line}");
    // Who sits down at a real table is nobody's business; the dice and the meter are.
    let ann = live.account(&boss, "ann", &["player"]).await;
    does(&ann, &table, json!({ "command": "sit", "seat": 0 })).await;
    does(&dealer, &table, json!({ "command": "buy-in", "seat": 0, "amount": 50_000 })).await;
    does(&ann, &table, put(0, "pass", 1_500)).await;
    does(&ann, &table, put(0, "fired-up", 100)).await;
    throw(&dealer, &table, "2-2").await;
    let line = until(&mut socket, &table, |line| line["puck"] == 4).await;
    assert_eq!((&line["shooter"], &line["recent"]), (&Value::Null, &json!(["2-2"])));
    let text = line.to_string();
    assert!(!text.contains("Mx. ann"), "{text}");
    if line["meters"][0]["amount"] != 100_015 {
        until(&mut socket, &table, |line| line["meters"][0]["amount"] == 100_015).await;
    }
    // At a practice table the shooter has a name.
    let practice = live.practice().await;
    let gus = live.guest("Gus").await;
    join(&gus, &practice, 0, 100_000).await;
    does(&gus, &practice, put(0, "pass", 1_500)).await;
    does(&gus, &practice, roll()).await;
    let line = until(&mut socket, &practice, |line| line["recent"] != json!([])).await;
    assert_eq!((&line["shooter"], &line["hand_rolls"]), (&json!("Gus"), &json!(1)));
    // What the socket says is what the list says.
    let list = live.eye().get("/api/tables").await.unwrap().ok().unwrap();
    let (_, again) = lobby(&Client::anyone(&live.address)).await;
    for line in list.as_array().unwrap() {
        assert!(again.contains(line), "{line}");
    }
    // One that is closed is gone.
    let other = open(&gus, &json!({ "name": "Soon over", "practice": true })).await;
    until(&mut socket, &other, |_| true).await;
    does(&boss, &other, json!({ "command": "close" })).await;
    assert_eq!(socket.next_of("gone").await.unwrap()["id"], other);
    live.stop().await;
}

#[tokio::test]
async fn those_who_look_on_are_counted_at_practice_tables() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let (practice, real) = (live.practice().await, open(&boss, &json!({ "name": "Pit 4" })).await);
    let gus = live.guest("Gus").await;
    join(&gus, &practice, 0, 100_000).await;
    let (mut socket, _) = lobby(&Client::anyone(&live.address)).await;
    let (eve, nobody) = (live.guest("Eve").await, Client::anyone(&live.address));
    // A player and the crew do not look on, and whoever has two windows is one.
    let mut sockets = Vec::new();
    for client in [&gus, &boss, &eve, &eve, &nobody] {
        sockets.push(client.socket(&practice, None).await.unwrap());
        sockets.push(client.socket(&real, None).await.unwrap());
    }
    let line = until(&mut socket, &practice, |line| line["looking_on"] == 2).await;
    assert_eq!(line["players"], 1);
    // At a real table an inspector may be among them.
    tokio::time::sleep(std::time::Duration::from_millis(2_500)).await;
    let list = nobody.get("/api/tables").await.unwrap().ok().unwrap();
    let told = |line: &Value| (line["id"] == real.as_str()).then(|| line["looking_on"].clone());
    assert_eq!(list.as_array().unwrap().iter().find_map(told), Some(json!(0)));
    // They go, and one of them sits down.
    drop(sockets);
    let _eves = eve.socket(&practice, None).await.unwrap();
    until(&mut socket, &practice, |line| line["looking_on"] == 1).await;
    join(&eve, &practice, 1, 100_000).await;
    let line = until(&mut socket, &practice, |line| line["looking_on"] == 0).await;
    assert_eq!(line["players"], 2);
    live.stop().await;
}

#[tokio::test]
async fn whoever_talks_in_the_lobby_is_shown_out() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let (mut socket, _) = lobby(&Client::anyone(&live.address)).await;
    for _ in 0..200 {
        if socket.text("hello").await.is_err() {
            break;
        }
    }
    assert_eq!(socket.ending().await.map(|(code, _)| code), Some(1001));
    live.stop().await;
}
