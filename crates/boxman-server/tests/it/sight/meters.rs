//! What strangers are told of a jackpot.

use boxman_client::{Client, Value, json};

use super::*;
use crate::live::{Folder, ask, does, open, put};

#[tokio::test]
async fn a_jackpot_is_news_and_its_winner_is_not() {
    let folder = Folder::new();
    let people = People::of(&folder).await;
    let (boss, dealer) = (&people.boss, &people.dealer);
    let config = json!({
        "name": "Jackpot",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
        "dice": "dealer",
        "confirm_over": 10_000,
    });
    let table = open(boss, &config).await;
    let walk_in = json!({ "command": "sit", "seat": 0, "name": "Wilhelmina" });
    does(dealer, &table, walk_in).await;
    does(dealer, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    for (wager, amount) in [("pass", 1_000), ("fired-up", 100), ("all-tall", 500)] {
        does(dealer, &table, put(0, wager, amount)).await;
    }
    let stranger = Client::anyone(&people.live.address);
    let mut socket = stranger.socket(&table, None).await.unwrap();
    // The last of these wins the meter, and 30 for 1 on the tall numbers, which waits as well.
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        people.throw(&table, dice).await;
    }
    let hidden = |claim: u64, paytable: Value| {
        let (wager, amount) = (Value::Null, Value::Null);
        json!({
            "claim": claim, "paytable": paytable, "wager": wager, "amount": amount, "seats": [],
            "checklist": [],
        })
    };
    let view = stranger.get(&format!("/api/tables/{table}")).await.unwrap().ok().unwrap();
    let waits = json!([hidden(1, json!("PT-BJS-FUP-05")), hidden(2, Value::Null)]);
    assert_eq!(view["hand"]["claims"], waits);
    let crew = people.live.view(&table).await["hand"]["claims"].clone();
    assert_eq!((&crew[0]["seats"], &crew[1]["amount"]), (&json!([0]), &json!(15_000)));
    for claim in [1, 2] {
        // The meter answers in a moment.
        let confirm = json!({ "command": "confirm-claim", "claim": claim });
        let mut answer = ask(boss, &table, confirm.clone()).await;
        while answer.1 == "claim-unanswered" {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            answer = ask(boss, &table, confirm.clone()).await;
        }
        assert_eq!(answer.0, 200, "{answer:?}");
    }
    let last = people.live.view(&table).await["seq"].as_u64().unwrap();
    let mut told = Vec::new();
    for update in heard(&mut socket, last).await {
        let text = update.to_string();
        assert!(!text.contains("15000") && !text.contains("Wilhelmina"), "{text}");
        let events = update["events"].as_array().unwrap().clone();
        told.extend(events.into_iter().filter(|event| event["event"] != "betting-closed"));
    }
    assert_eq!(told[4]["claims"], json!([[1, "PT-BJS-FUP-05", []]]));
    assert_eq!((&told[4]["lines"], &told[4]["envy"]), (&json!([]), &Value::Null));
    let paid = json!({ "event": "claim-paid", "claim": 1, "amount": 100_015, "shares": [] });
    assert_eq!(told[5..], [paid]);
    people.live.stop().await;
}

#[tokio::test]
async fn what_waits_at_a_meter_is_not_for_strangers() {
    let folder = Folder::new();
    let people = People::of(&folder).await;
    let config = json!({
        "name": "Meter",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%" },
    });
    let table = open(&people.boss, &config).await;
    does(&people.seated, &table, json!({ "command": "sit", "seat": 1 })).await;
    let view = people.live.view(&table).await;
    let meter = view["meters"][0]["meter"].as_str().unwrap();
    let adjust =
        json!({ "command": "adjust", "kind": "malfunction", "amount": 100, "reason": "Zanzibar" });
    let path = format!("/api/meters/{meter}/commands");
    people.boss.post(&path, &json!({ "command": adjust })).await.unwrap().ok().unwrap();
    for (viewer, client) in &people.viewers {
        use Viewer::{Administrator, Auditor, Dealer, Seated, Supervisor};
        let crew = matches!(viewer, Dealer | Supervisor | Auditor | Administrator);
        for (place, sees) in [
            ("/api/meters".to_owned(), crew),
            (format!("/api/meters/{meter}"), crew),
            (format!("/api/tables/{table}"), crew || *viewer == Seated),
        ] {
            let text = client.get(&place).await.unwrap().text;
            assert!(text.contains("PT-BJS-FUP-05"), "{viewer:?} at {place}: {text}");
            assert_eq!(text.contains("Zanzibar"), sees, "{viewer:?} at {place}");
        }
    }
    people.live.stop().await;
}
