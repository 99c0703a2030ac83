//! A house that an earlier version of the program has run goes on with this one.

use boxman_client::races::{Line, go_on};
use boxman_client::{Client, Random, Value, json};
use boxman_server::audit::{Options, Source, verify};
use boxman_server::testing::log::Record;
use boxman_server::testing::store::{Sqlite, Store};

use super::{FIRST, SIDE_BETS, records, store};
use crate::live::{Folder, Live, PASSWORD, does, generous, put};

/// One person who has every role of the crew.
struct Alone(Client);

impl Line for Alone {
    async fn ask(&self, _: &mut Random, _: &str, table: &str, ask: &Value) -> Option<(u16, Value)> {
        let path = format!("/api/tables/{table}/commands");
        let answer = self.0.post(&path, ask).await.unwrap();
        Some((answer.status, answer.json))
    }

    async fn look(&self, _: &mut Random, _: &str, table: &str) -> Option<Value> {
        let view = self.0.get(&format!("/api/tables/{table}")).await.unwrap();
        Some(view.ok().unwrap())
    }
}

/// A server opens the store of an earlier version and plays on at every table. What was written
/// before stays byte for byte, and all of it is sound.
#[tokio::test]
async fn every_table_plays_on_and_what_was_written_stays() {
    for session in [FIRST, SIDE_BETS] {
        let folder = Folder::new();
        store(session, &folder).await.close().await;
        let limits = boxman_server::Limits { procedures: 1, ..generous() };
        let live = Live::with_limits(&folder.store(), limits).await;
        // The accounts of that house are no part of its logs.
        let link = live.link.clone().expect("nobody has an account");
        let newcomer = Client::first(&live.address, &link, "newcomer", PASSWORD).await.unwrap();
        let roles = json!({ "roles": ["dealer", "supervisor", "administrator"] }).to_string();
        let path = "/api/accounts/newcomer";
        newcomer.request("PATCH", path, &roles).await.unwrap().ok().unwrap();
        let newcomer = Client::login(&live.address, "newcomer", PASSWORD).await.unwrap();
        let tables = newcomer.get("/api/tables").await.unwrap().ok().unwrap();
        let tables: Vec<Value> = tables.as_array().unwrap().clone();
        assert!(!tables.is_empty());
        for line in &tables {
            plays_on(&newcomer, line).await;
        }
        live.stop().await;
        // Once more, from the snapshots that this version has kept.
        Live::with_limits(&folder.store(), limits).await.stop().await;
        unchanged(session, &folder).await;
    }
}

async fn plays_on(newcomer: &Client, line: &Value) {
    let table = line["id"].as_str().unwrap();
    let view = newcomer.get(&format!("/api/tables/{table}")).await.unwrap().ok().unwrap();
    // What earlier versions did not write down follows from the log.
    assert!(view["hand"]["round"].as_u64().unwrap() > 0, "{line}");
    assert!(view["config"]["procedures"].as_u64().unwrap_or(0) == 0, "{line}");
    if view["hand"]["status"] == "closed" {
        return;
    }
    // What waits about a roll stops every chip until it is agreed to or withdrawn.
    for proposal in view["hand"]["proposals"].as_array().unwrap() {
        let withdraw = json!({ "command": "withdraw", "proposal": proposal["proposal"],
                               "reason": "nobody agrees" });
        does(newcomer, table, withdraw).await;
    }
    let taken: Vec<u64> =
        view["seats"].as_array().unwrap().iter().filter_map(|seat| seat["seat"].as_u64()).collect();
    let seat = (0..16).find(|seat| !taken.contains(seat)).unwrap();
    let mut sit = json!({ "command": "sit", "seat": seat });
    if view["config"]["practice"] == false {
        sit["name"] = json!("Newt");
    }
    does(newcomer, table, sit).await;
    let buy_in = json!({ "command": "buy-in", "seat": seat, "amount": 50_000 });
    does(newcomer, table, buy_in).await;
    if view["config"]["practice"] == false {
        return go_on(&Alone(newcomer.clone()), table, 1).await.unwrap();
    }
    does(newcomer, table, put(u8::try_from(seat).unwrap(), "field", 1_500)).await;
}

async fn unchanged(session: &str, folder: &Folder) {
    let store = Sqlite::read(&folder.store()).await.unwrap();
    for old in records(session) {
        let now = store.records(&old.stream, old.seq - 1, 1).await.unwrap();
        let parts = |record: &Record| (record.seq, record.key, record.body.clone(), record.hash);
        assert_eq!(now.iter().map(parts).collect::<Vec<_>>(), [parts(&old)], "{session}");
    }
    let verdict = verify(Source::Store(&store), &Options::default(), &mut |_, _| {}).await.unwrap();
    let found = verdict.problems.iter().filter(|of| !of.stream.starts_with("account "));
    assert_eq!(found.map(ToString::to_string).collect::<Vec<_>>(), Vec::<String>::new());
    assert!(verdict.records > records(session).len() as u64);
    store.close().await;
}
