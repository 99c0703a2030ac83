//! A table that changes while it is open: other rules, other terms of its meters, and what
//! becomes of the house when one of its tables cannot be opened.

mod any;

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, ask, does, open, put, throw, until};

const NEVADA: &str = "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05";

/// A table for real players, with a betting window and a progressive.
fn timed(name: &str) -> Value {
    json!({
        "name": name,
        "rules": ["presque-isle", NEVADA],
        "options": {
            "fired-up.meter.seed": "1000",
            "fired-up.meter.increment": "15%",
            "fired-up.meter.reserve": "5%",
        },
        "dice": "dealer",
        "confirm_jackpots": false,
        "betting_seconds": 600,
    })
}

struct Crew {
    boss: Client,
    sue: Client,
    dan: Client,
}

async fn crew(live: &Live) -> Crew {
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    Crew { boss, sue, dan }
}

#[tokio::test]
async fn a_table_with_a_betting_window_goes_over_to_other_rules_and_opens_again() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let Crew { boss, sue, .. } = crew(&live).await;
    let table = open(&boss, &timed("Craps 1")).await;
    let mut config = timed("Craps 1");
    config["limits"] = json!({ "pass": { "min": 1500 } });
    let configure = json!({ "command": "configure", "config": config, "reason": "busy night" });
    let proposal = does(&boss, &table, configure).await;
    does(&sue, &table, json!({ "command": "approve", "proposal": proposal })).await;
    let least = |view: &Value| {
        let wagers = view["wagers"].as_array().unwrap().clone();
        wagers.iter().find(|wager| wager["wager"] == "pass").unwrap()["min"].clone()
    };
    let view = until(&live.eye(), &table, |view| view["hand"]["change_waits"] == false).await;
    assert_eq!(least(&view), 1500);
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    assert_eq!(least(&live.view(&table).await), 1500);
    live.stop().await;
}

#[tokio::test]
async fn a_table_with_a_betting_window_follows_its_meter_and_opens_again() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let Crew { boss, sue, dan } = crew(&live).await;
    let table = open(&boss, &timed("Craps 1")).await;
    let commands = format!("/api/meters/{table}-pt-bjs-fup-05/commands");
    let terms = json!({ "command": {
        "command": "set-terms", "seed": 200_000, "increment": 300_000, "reserve": 0,
        "reason": "a better jackpot",
    } });
    let asked = boss.post(&commands, &terms).await.unwrap().ok().unwrap();
    let approve = json!({ "command": { "command": "approve", "proposal": asked["seq"] } });
    sue.post(&commands, &approve).await.unwrap().ok().unwrap();
    does(&dan, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&dan, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&dan, &table, put(0, "pass", 1000)).await;
    does(&dan, &table, put(0, "fired-up", 100)).await;
    for dice in ["4-4", "4-5", "5-5", "5-6", "6-6"] {
        throw(&dan, &table, dice).await;
    }
    until(&live.eye(), &table, |view| view["hand"]["claims"] == json!([])).await;
    throw(&dan, &table, "3-4").await;
    let followed = |view: &Value| view["config"]["options"]["fired-up.meter.increment"] == "30%";
    until(&live.eye(), &table, followed).await;
    live.stop().await;
    let live = Live::start(&folder.store()).await;
    assert!(followed(&live.view(&table).await));
    live.stop().await;
}

/// A table that feeds a closed meter would never be heard, and its jackpots never answered.
#[tokio::test]
async fn no_meter_is_closed_under_a_table_that_feeds_it_or_is_about_to() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let Crew { boss, sue, dan } = crew(&live).await;
    let table = open(&boss, &timed("Craps 1")).await;
    let meter = format!("/api/meters/{table}-pt-bjs-fup-05/commands");
    let ask_meter = async |who: &Client, command: Value| {
        let answer = who.post(&meter, &json!({ "command": command })).await.unwrap();
        (answer.json["seq"].clone(), answer.code().to_owned())
    };
    let approve = |proposal: &Value| json!({ "command": "approve", "proposal": proposal });
    let close = json!({ "command": "close", "reason": "nobody plays it" });
    let plain = json!({ "name": "Craps 1", "dice": "dealer" });
    let configure = async |config: &Value| {
        let asked = json!({ "command": "configure", "config": config, "reason": "quiet night" });
        json!(does(&boss, &table, asked).await)
    };
    let applied = |view: &Value| view["hand"]["change_waits"] == false;

    // Fed again between asking and agreeing.
    does(&sue, &table, approve(&configure(&plain).await)).await;
    until(&live.eye(), &table, applied).await;
    let (closing, code) = ask_meter(&boss, close.clone()).await;
    assert_eq!(code, "");
    does(&sue, &table, approve(&configure(&timed("Craps 1")).await)).await;
    until(&live.eye(), &table, applied).await;
    assert_eq!(ask_meter(&sue, approve(&closing)).await.1, "meter-linked");

    // About to be fed, once the layout is empty.
    does(&sue, &table, approve(&configure(&plain).await)).await;
    until(&live.eye(), &table, applied).await;
    does(&dan, &table, json!({ "command": "sit", "seat": 0, "name": "Walter" })).await;
    does(&dan, &table, json!({ "command": "buy-in", "seat": 0, "amount": 100_000 })).await;
    does(&dan, &table, put(0, "place 6", 600)).await;
    let waiting = configure(&timed("Craps 1")).await;
    let feeding = configure(&timed("Craps 1")).await;
    does(&sue, &table, approve(&feeding)).await;
    assert_eq!(ask_meter(&sue, approve(&closing)).await.1, "meter-linked");

    // Closed between asking for a configuration and agreeing to it.
    does(&sue, &table, approve(&configure(&plain).await)).await;
    assert_eq!(ask_meter(&sue, approve(&closing)).await.1, "");
    assert_eq!(ask(&sue, &table, approve(&waiting)).await, (409, "meter-closed".to_owned()));
    live.stop().await;
}

#[tokio::test]
async fn a_table_that_cannot_be_opened_is_shown_and_takes_nobody_down() {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let Crew { boss, .. } = crew(&live).await;
    let (bad, good) = (open(&boss, &timed("Bad")).await, open(&boss, &timed("Good")).await);
    live.stop().await;
    let file = format!("sqlite:{}", folder.store().display());
    let raw = sqlx::SqlitePool::connect(&file).await.unwrap();
    let spoil = "UPDATE record SET body = replace(body, 'Bad', 'Sad') WHERE stream = $1";
    let stream = format!("table/{bad}");
    sqlx::query(spoil).bind(&stream).execute(&raw).await.unwrap();
    sqlx::query("DELETE FROM snapshot").execute(&raw).await.unwrap();
    raw.close().await;

    let live = Live::start(&folder.store()).await;
    let boss = Client::login(&live.address, "boss", crate::live::PASSWORD).await.unwrap();
    let lines = boss.get("/api/tables").await.unwrap().ok().unwrap();
    let line = |id: &str| {
        let lines = lines.as_array().unwrap();
        lines.iter().find(|line| line["id"] == id).unwrap().clone()
    };
    assert_eq!(line(&good)["status"], "running");
    assert_eq!(line(&bad)["status"], "damaged");
    let why = line(&bad)["problem"]["detail"].as_str().unwrap().to_owned();
    assert!(why.contains("record 1"), "{why}");
    let ready = boss.get("/readyz").await.unwrap();
    assert_eq!(ready.status, 200);
    assert!(ready.text.contains(&format!("damaged table/{bad}")), "{}", ready.text);
    assert!(!ready.text.contains(&good), "{}", ready.text);
    let figures = boss.get("/metrics").await.unwrap().text;
    assert!(figures.contains("boxman_tables_damaged 1"), "{figures}");
    let days = "/api/reports?from=2026-01-01&to=2099-12-31";
    assert_eq!(boss.get(days).await.unwrap().status, 200);
    let guest = live.guest("Ann").await;
    open(&guest, &json!({ "name": "Another", "practice": true })).await;
    live.stop().await;
}
