//! Tables closed for good can be found: by crew, auditors and administrators, page by page.

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, close_for_good, does, open};
use crate::nodes::House;

fn real(name: &str) -> Value {
    json!({ "name": name, "dice": "dealer" })
}

async fn closed(client: &Client, query: &str) -> Vec<Value> {
    let path = format!("/api/tables?closed=true{query}");
    client.get(&path).await.unwrap().ok().unwrap().as_array().unwrap().clone()
}

fn names(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| line["name"].as_str().unwrap()).collect()
}

/// Opens a table and closes it for good.
async fn close(client: &Client, other: &Client, config: &Value) -> String {
    let table = open(client, config).await;
    match config["practice"] == true {
        true => does(client, &table, json!({ "command": "close" })).await,
        false => close_for_good(client, other, &table).await,
    };
    table
}

#[tokio::test]
async fn closed_tables_are_found_with_when_and_by_whom() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let tim = live.account(&boss, "tim", &["auditor"]).await;
    let ann = live.account(&boss, "ann", &["player"]).await;
    assert_eq!(closed(&dan, "").await, Vec::<Value>::new());
    let still = open(&boss, &real("Pit 1")).await;
    // It had another name once.
    let table = open(&boss, &real("Pit 2")).await;
    let config = json!({ "name": "Pit 3", "dice": "dealer" });
    let configure = json!({ "command": "configure", "config": config, "reason": "moved" });
    let asked = does(&boss, &table, configure).await;
    does(&sue, &table, json!({ "command": "approve", "proposal": asked })).await;
    let moved = |view: &Value| view["config"]["name"] == "Pit 3";
    crate::live::until(&boss, &table, moved).await;
    let before = u64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    let seq = close_for_good(&boss, &sue, &table).await;
    let lines = closed(&dan, "").await;
    assert_eq!(names(&lines), ["Pit 3"]);
    let line = &lines[0];
    assert_eq!((&line["id"], &line["status"]), (&json!(table), &json!("closed")));
    assert_eq!(line["practice"], false);
    let told = &line["closed"];
    let me = sue.get("/api/me").await.unwrap().json;
    assert_eq!((&told["by"], &told["name"]), (&me["person"], &json!("Mx. sue")));
    assert_eq!(told["seq"], seq);
    assert!(told["at"].as_u64().unwrap() >= before && told["opened"].as_u64().unwrap() <= before);
    // The other list has the others, without a word of closing.
    let open = boss.get("/api/tables").await.unwrap().json;
    let open = open.as_array().unwrap();
    assert!(open.iter().any(|line| line["id"] == still.as_str()));
    assert!(open.iter().all(|line| line["id"] != table.as_str() && line.get("closed").is_none()));
    // Who may read what happened there may find it.
    for client in [&boss, &sue, &tim] {
        assert_eq!(closed(client, "").await, lines);
    }
    let (gus, nobody) = (live.guest("Gus").await, Client::anyone(&live.address));
    for (client, status) in [(&ann, 403), (&gus, 403), (&nobody, 401)] {
        let refused = client.get("/api/tables?closed=true").await.unwrap();
        assert_eq!(refused.status, status);
        assert_eq!(client.get("/api/tables").await.unwrap().status, 200);
    }
    live.stop().await;
    // And another day.
    let live = Live::start(&folder.store()).await;
    let dan = Client { address: live.address.clone(), ..dan };
    assert_eq!(closed(&dan, "").await, lines);
    live.stop().await;
}

#[tokio::test]
async fn closed_tables_come_page_by_page_those_closed_last_first() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        let name = format!("Pit {number}");
        ids.push(close(&boss, &sue, &real(&name)).await);
        let home = json!({ "name": format!("Home {number}"), "practice": true });
        ids.push(close(&boss, &sue, &home).await);
    }
    ids.reverse();
    let all = closed(&boss, "").await;
    let found: Vec<&str> = all.iter().map(|line| line["id"].as_str().unwrap()).collect();
    assert_eq!(found, ids);
    let mut read = Vec::new();
    while read.len() < all.len() {
        let after =
            read.last().map(|line: &Value| format!("&after={}", line["id"].as_str().unwrap()));
        let page = closed(&boss, &format!("&limit=4{}", after.unwrap_or_default())).await;
        assert!(page.len() == 4 || read.len() + page.len() == all.len(), "{page:?}");
        read.extend(page);
    }
    assert_eq!(read, all);
    let real = closed(&boss, "&practice=false&limit=2").await;
    assert_eq!(names(&real), ["Pit 4", "Pit 3"]);
    let next = format!("&practice=false&limit=2&after={}", real[1]["id"].as_str().unwrap());
    assert_eq!(names(&closed(&boss, &next).await), ["Pit 2", "Pit 1"]);
    let three = closed(&boss, "&name=%203").await;
    assert_eq!(names(&three), ["Home 3", "Pit 3"]);
    assert_eq!(names(&closed(&boss, "&name=HOME&limit=1").await), ["Home 4"]);
    let nothing = boss.get("/api/tables?closed=true&after=nowhere").await.unwrap();
    assert_eq!(nothing.status, 404);
    live.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closed_tables_of_every_node_are_found_at_each() {
    let Some(house) = House::open().await else { return };
    let sue = house.nodes[0].account(&house.boss, "sue", &["supervisor"]).await;
    let mut ids = Vec::new();
    for node in [0, 1] {
        let (at, sue) = (house.at(node, &house.boss), house.at(node, &sue));
        let table = house.table_at(node, &real("Pit 4")).await;
        close_for_good(&at, &sue, &table).await;
        ids.push(table);
    }
    for node in [0, 1] {
        let lines = closed(&house.at(node, &house.boss), "").await;
        let found: Vec<&str> = lines.iter().map(|line| line["id"].as_str().unwrap()).collect();
        assert_eq!(found, [ids[1].as_str(), ids[0].as_str()]);
    }
    house.close().await;
}
