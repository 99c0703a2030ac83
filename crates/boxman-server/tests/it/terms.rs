//! The terms of meters.

use boxman_client::{Client, Value, json};

use crate::live::{Live, does, open, put};
use crate::tables::{crewed, eventually, fire, meter, throw};

/// Bets pass and fired-up, and throws the five numbers of PT-BJS-FUP-05.
async fn hit(dealer: &Client, table: &str, base: i64) {
    does(dealer, table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(dealer, table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(dealer, table, put(0, "pass", 1000)).await;
    does(dealer, table, put(0, "fired-up", base)).await;
    fire(dealer, table).await;
}

/// Two people set a meter's terms.
async fn set_terms(one: &Client, two: &Client, meter: &str, terms: Value) {
    let commands = format!("/api/meters/{meter}/commands");
    let asked = one.post(&commands, &json!({ "command": terms })).await.unwrap().ok().unwrap();
    let approve = json!({ "command": { "command": "approve", "proposal": asked["seq"] } });
    two.post(&commands, &approve).await.unwrap().ok().unwrap();
}

/// A seed of $1,000.03 is no number of cents for each of five dollars.
#[tokio::test]
async fn a_table_that_follows_its_meter_adds_no_record_at_a_start() {
    let (folder, live, boss, dealer) = crewed().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let config = json!({
        "name": "Five dollars",
        "rules": ["presque-isle", "bonus-craps-nevada:PT-BJS-FUP-05"],
        "options": {
            "base-unit": "5",
            "fired-up.meter.seed": "1000",
            "fired-up.meter.increment": "15%",
        },
        "dice": "dealer",
        "confirm_jackpots": false,
    });
    let table = open(&boss, &config).await;
    let name = format!("{table}-pt-bjs-fup-05");
    let terms = json!({
        "command": "set-terms", "seed": 100_003, "increment": 150_001, "reserve": 0,
        "reason": "an odd jackpot",
    });
    set_terms(&boss, &sue, &name, terms).await;
    hit(&dealer, &table, 500).await;
    eventually(&live, &table, |view| view["hand"]["claims"] == json!([])).await;
    assert_eq!(meter(&live, &name).await["seed"], 100_003);
    // Bets ride, so the terms wait, through a start too.
    let waiting = eventually(&live, &table, |view| view["hand"]["change_waits"] == true).await;
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    let opened = live.view(&table).await;
    assert_eq!((&opened["seq"], &opened["hand"]), (&waiting["seq"], &waiting["hand"]));
    let dealer = Client { address: live.address.clone(), ..dealer };
    throw(&dealer, &table, "4-4").await;
    let followed = eventually(&live, &table, |view| view["hand"]["change_waits"] == false).await;
    assert_eq!(followed["config"]["options"]["fired-up.meter.seed"], "1000.03");
    live.stop().await;
    for _ in 0..2 {
        let live = Live::start(&folder.store()).await;
        let opened = live.view(&table).await;
        assert_eq!((&opened["seq"], &opened["rules"]), (&followed["seq"], &followed["rules"]));
        live.stop().await;
    }
}
