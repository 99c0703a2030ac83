//! A session in which everything happens that can be written down.

use std::path::Path;

use boxman_client::{Client, Value, json};

use crate::live::{Folder, Live, ask, close_for_good, does, join, open, put, roll, throw, until};

/// Every number of the tall side, then of the small side, with no seven.
const TALL: [&str; 5] = ["4-4", "4-5", "5-5", "5-6", "6-6"];
const SMALL: [&str; 5] = ["1-1", "1-2", "2-2", "2-3", "3-3"];

/// A real table with every side bet and two meters, one of them shared.
fn real(name: &str) -> Value {
    json!({
        "name": name,
        "rules": [
            "presque-isle",
            "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
            "super-shooter",
        ],
        "options": {
            "fired-up.meter.seed": "1000",
            "fired-up.meter.increment": "15%",
            "fired-up.meter.reserve": "5%",
            "fired-up.meter.ceiling": "1000.30",
            "make-em-all-progressive.meter.seed": "1000",
            "make-em-all-progressive.meter.increment": "12.5%",
            "make-em-all-progressive.meter.winners": "in-full",
            "aggregate-cap": "700",
            "aggregate-cap-per": "hand",
            "payout-unit": "1",
            "place-may-be-called-on": "true",
        },
        "limits": { "field": { "min": 500, "max": 100_000, "unit": 100 } },
        "dice": "dealer",
        "betting_seconds": 600,
        "confirm_jackpots": true,
        "confirm_over": 2_000,
        "betting_during_claims": true,
        "two_people_over": 2_000_000,
        "meters": { "PT-BJS-FUP-01": "downtown" },
        "empty_meters": true,
    })
}

/// Whether a meter of the table has answered a claim.
fn is_hit(view: &Value) -> bool {
    view["meters"].as_array().unwrap().iter().any(|meter| meter["hits"] != json!([]))
}

struct Crew {
    live: Live,
    boss: Client,
    sue: Client,
    dan: Client,
}

impl Crew {
    /// Two people do something.
    async fn agree(&self, table: &str, command: Value) {
        let proposal = does(&self.boss, table, command).await;
        does(&self.sue, table, json!({ "command": "approve", "proposal": proposal })).await;
    }

    async fn meter(&self, who: &Client, meter: &str, command: Value) -> Value {
        let path = format!("/api/meters/{meter}/commands");
        let answer = who.post(&path, &json!({ "command": command })).await.unwrap();
        answer.ok().unwrap()["seq"].clone()
    }

    async fn agree_at_meter(&self, meter: &str, command: Value) {
        let proposal = self.meter(&self.boss, meter, command).await;
        let approve = json!({ "command": "approve", "proposal": proposal });
        self.meter(&self.sue, meter, approve).await;
    }

    async fn patch(&self, path: &str, body: Value) {
        self.boss.request("PATCH", path, &body.to_string()).await.unwrap().ok().unwrap();
    }
}

/// Plays it into a store, which is closed again; gives the export of one of its tables.
pub(super) async fn play(store: &Path) -> Vec<u8> {
    let live = Live::start(store).await;
    let boss = live.boss().await;
    let sue = live.account(&boss, "sue", &["supervisor"]).await;
    let dan = live.account(&boss, "dan", &["dealer"]).await;
    let crew = Crew { live, boss, sue, dan };
    accounts(&crew).await;
    let first = open(&crew.boss, &real("Craps 1")).await;
    a_real_table(&crew, &first).await;
    let second = open(&crew.boss, &real("Craps 2")).await;
    jackpots(&crew, &second).await;
    practice(&crew).await;
    let path = format!("/api/tables/{second}/export");
    let exported = crew.boss.get(&path).await.unwrap().text.into_bytes();
    imported(&crew).await;
    crew.live.stop().await;
    exported
}

async fn accounts(crew: &Crew) {
    crew.live.account(&crew.boss, "ann", &["player"]).await;
    crew.patch("/api/accounts/ann", json!({ "roles": ["player", "auditor"] })).await;
    crew.patch("/api/accounts/ann", json!({ "table_name": "Annie" })).await;
    crew.patch("/api/accounts/ann", json!({ "password": "another horse battery" })).await;
    for name in ["ann", "nobody"] {
        let login = json!({ "name": name, "password": "not this one" });
        assert!(Client::anyone(&crew.live.address).post("/api/login", &login).await.is_ok());
    }
}

/// Every bet, and what two people may do to it.
async fn a_real_table(crew: &Crew, table: &str) {
    let Crew { boss, sue, dan, live } = crew;
    does(dan, table, json!({ "command": "fill", "amount": 100_000 })).await;
    does(dan, table, json!({ "command": "credit", "amount": 50_000 })).await;
    for (seat, name) in [(0, "Walter"), (1, "Wilma")] {
        does(dan, table, json!({ "command": "sit", "seat": seat, "name": name })).await;
        does(dan, table, json!({ "command": "buy-in", "seat": seat, "amount": 500_000 })).await;
    }
    crew.agree(table, json!({ "command": "buy-in", "seat": 0, "amount": 1_800_000 })).await;
    does(dan, table, json!({ "command": "cash-out", "seat": 1, "amount": 5_000 })).await;
    let bets = [
        (0, "pass", 1_000),
        (0, "all-small", 2_500),
        (0, "all-tall", 500),
        (0, "make-em-all-progressive", 100),
        (1, "make-em-all-progressive", 100),
        (1, "dont-pass", 1_500),
        (0, "fired-up", 100),
        (1, "field", 500),
        (1, "little", 500),
    ];
    for (seat, wager, amount) in bets {
        does(dan, table, put(seat, wager, amount)).await;
    }
    does(dan, table, json!({ "command": "take", "seat": 0, "wager": "fired-up" })).await;
    does(dan, table, put(0, "fired-up", 100)).await;
    does(dan, table, json!({ "command": "close-betting" })).await;
    does(dan, table, json!({ "command": "no-roll" })).await;
    throw(dan, table, "2-2").await;
    // A void that is thought better of, one that is not, and a roll read anew.
    let void = json!({ "command": "void", "reason": "a die hit the rail" });
    let proposal = does(boss, table, void.clone()).await;
    does(boss, table, json!({ "command": "withdraw", "proposal": proposal })).await;
    crew.agree(table, void).await;
    throw(dan, table, "3-1").await;
    let correct = json!({ "command": "correct", "dice": "2-2", "reason": "misread" });
    crew.agree(table, correct).await;
    let bets = [
        (0, "odds pass", 1_000),
        (1, "odds dont-pass", 3_000),
        (0, "come", 1_500),
        (0, "buy 10", 2_100),
        (1, "lay 6", 4_000),
        (0, "place 8", 700),
        (0, "hard 8", 100),
        (1, "any-craps", 100),
    ];
    for (seat, wager, amount) in bets {
        let (status, code) = ask(dan, table, put(seat, wager, amount)).await;
        assert!(status == 200, "{wager}: {code}");
    }
    let off = json!({ "command": "call", "seat": 0, "wager": "place 8", "call": "off" });
    does(dan, table, off).await;
    throw(dan, table, "2-3").await;
    let on = json!({ "command": "call", "seat": 0, "wager": "place 8", "call": "on" });
    does(dan, table, on).await;
    let less = json!({ "command": "take", "seat": 0, "wager": "odds pass", "amount": 500 });
    does(dan, table, less).await;
    for dice in ["1-1", "1-2", "3-3"] {
        throw(dan, table, dice).await;
    }
    // All Small is won, and waits with whatever else is above the threshold.
    let view = live.view(table).await;
    let claims = view["hand"]["claims"].as_array().unwrap().clone();
    assert!(!claims.is_empty(), "{view}");
    does(sue, table, json!({ "command": "confirm-claim", "claim": claims[0]["claim"] })).await;
    for dice in TALL {
        throw(dan, table, dice).await;
    }
    let view = until(boss, table, is_hit).await;
    // All Tall is denied, the jackpot of Make 'Em All is paid to both.
    let mut paid = 0;
    for claim in view["hand"]["claims"].as_array().unwrap() {
        let id = &claim["claim"];
        if claim["paytable"].is_null() {
            let deny = json!({ "command": "deny-claim", "claim": id, "reason": "a late bet" });
            crew.agree(table, deny).await;
        } else {
            does(sue, table, json!({ "command": "confirm-claim", "claim": id })).await;
            paid += 1;
        }
    }
    assert!(paid > 0, "{}", view["hand"]["claims"]);
    throw(dan, table, "3-4").await;
    does(dan, table, put(1, "dont-pass", 1_500)).await;
    throw(dan, table, "6-6").await;
    does(boss, table, json!({ "command": "pause" })).await;
    does(boss, table, json!({ "command": "resume" })).await;
    does(dan, table, put(0, "pass", 1_000)).await;
    does(dan, table, put(1, "pass", 1_000)).await;
    does(dan, table, json!({ "command": "pass-dice" })).await;
    throw(dan, table, "1-3").await;
    // A seat is given up with its bet on the line, another with more chips than one may move.
    does(sue, table, json!({ "command": "give-up-seat", "seat": 1, "reason": "asleep" })).await;
    let give_up = json!({ "command": "give-up-seat", "seat": 0, "reason": "barred" });
    crew.agree(table, give_up).await;
    does(dan, table, json!({ "command": "sit", "seat": 2, "name": "Wes" })).await;
    does(dan, table, json!({ "command": "buy-in", "seat": 2, "amount": 100_000 })).await;
    throw(dan, table, "3-4").await;
    // Other rules, while nothing is up.
    let mut config = real("Craps 1");
    config["limits"] = json!({ "pass": { "min": 1_500 } });
    let configure = json!({ "command": "configure", "config": config, "reason": "a busy night" });
    crew.agree(table, configure).await;
    until(boss, table, |view| view["hand"]["change_waits"] == false).await;
    // It is left with a hand under way, a roll that could be taken back, and two proposals.
    does(dan, table, put(2, "pass", 1_500)).await;
    does(dan, table, put(2, "all-tall", 500)).await;
    does(dan, table, put(2, "fired-up", 100)).await;
    throw(dan, table, "5-5").await;
    does(boss, table, json!({ "command": "void", "reason": "a cocked die" })).await;
}

/// What meters can go through.
async fn jackpots(crew: &Crew, table: &str) {
    let Crew { boss, sue, dan, .. } = crew;
    does(dan, table, json!({ "command": "sit", "seat": 5, "name": "Wanda" })).await;
    does(dan, table, json!({ "command": "buy-in", "seat": 5, "amount": 500_000 })).await;
    does(dan, table, put(5, "pass", 1_000)).await;
    does(dan, table, put(5, "fired-up", 100)).await;
    let adjust =
        json!({ "command": "adjust", "kind": "malfunction", "amount": 10, "reason": "a miscount" });
    crew.agree_at_meter("downtown", adjust.clone()).await;
    let proposal = crew.meter(boss, "downtown", adjust).await;
    crew.meter(boss, "downtown", json!({ "command": "withdraw", "proposal": proposal })).await;
    let terms = json!({ "command": "set-terms", "seed": 200_000, "increment": 300_000,
        "reserve": 50_000, "reason": "a better jackpot" });
    crew.agree_at_meter("downtown", terms).await;
    let hit = async || {
        for dice in TALL {
            throw(dan, table, dice).await;
        }
        until(boss, table, is_hit).await
    };
    // The first jackpot is taken back with its roll, the next is denied, the last one paid.
    hit().await;
    crew.agree(table, json!({ "command": "void", "reason": "a die was switched" })).await;
    throw(dan, table, "6-6").await;
    let claim = |view: &Value| view["hand"]["claims"][0]["claim"].clone();
    let view = until(boss, table, is_hit).await;
    let deny = json!({ "command": "deny-claim", "claim": claim(&view), "reason": "on film" });
    crew.agree(table, deny).await;
    throw(dan, table, "3-4").await;
    does(dan, table, put(5, "pass", 1_000)).await;
    does(dan, table, put(5, "fired-up", 100)).await;
    let view = hit().await;
    does(sue, table, json!({ "command": "confirm-claim", "claim": claim(&view) })).await;
    throw(dan, table, "3-4").await;
    let follows = |view: &Value| view["config"]["options"]["fired-up.meter.increment"] == "30%";
    until(boss, table, follows).await;
    does(dan, table, json!({ "command": "leave", "seat": 5 })).await;
    // Without side bets its own meter can be closed, and then the table.
    let mut plain = real("Craps 2");
    plain["rules"] = json!(["presque-isle"]);
    plain["options"] = json!({});
    plain["meters"] = json!({});
    let configure = json!({ "command": "configure", "config": plain, "reason": "a quiet night" });
    crew.agree(table, configure).await;
    until(boss, table, |view| view["hand"]["change_waits"] == false).await;
    let close = json!({ "command": "close", "reason": "nobody plays it" });
    crew.agree_at_meter(&format!("{table}-pt-bjs-mea-03"), close).await;
    close_for_good(boss, sue, table).await;
}

/// House dice, and a table that one person runs.
async fn practice(crew: &Crew) {
    let table = crew.live.practice().await;
    let gus = crew.live.guest("Gus").await;
    join(&gus, &table, 0, 100_000).await;
    for _ in 0..12 {
        for wager in ["pass", "all-small", "make-em-all"] {
            ask(&gus, &table, put(0, wager, 500)).await;
        }
        does(&gus, &table, roll()).await;
    }
    let mut home = real("Home");
    for field in ["confirm_jackpots", "betting_during_claims", "confirm_over", "two_people_over"] {
        home.as_object_mut().unwrap().remove(field);
    }
    home["practice"] = json!(true);
    home["meters"] = json!({});
    let home_id = open(&crew.boss, &home).await;
    join(&crew.boss, &home_id, 3, 100_000).await;
    let meter = format!("{home_id}-pt-bjs-fup-01");
    let adjust =
        json!({ "command": "adjust", "kind": "malfunction", "amount": 5_000, "reason": "a party" });
    crew.meter(&crew.boss, &meter, adjust).await;
    for dice in SMALL {
        ask(&crew.boss, &home_id, put(3, "pass", 1_000)).await;
        throw(&crew.boss, &home_id, dice).await;
    }
    home["limits"] = json!({ "pass": { "min": 1_500 } });
    let configure = json!({ "command": "configure", "config": home, "reason": "richer" });
    does(&crew.boss, &home_id, configure).await;
    // A house whose windows open after a seven.
    home["rules"] = json!(["presque-isle", "bonus-craps-washington"]);
    home["options"] = json!({ "re-bet": "true" });
    let away = open(&crew.boss, &home).await;
    join(&crew.boss, &away, 0, 100_000).await;
    does(&crew.boss, &away, put(0, "pass", 1_500)).await;
    throw(&crew.boss, &away, "3-4").await;
    does(&crew.boss, &away, put(0, "all-small", 500)).await;
    for dice in SMALL {
        ask(&crew.boss, &away, put(0, "pass", 1_500)).await;
        throw(&crew.boss, &away, dice).await;
    }
}

/// A table of another house comes in.
async fn imported(crew: &Crew) {
    let folder = Folder::new();
    let live = Live::start(&folder.store()).await;
    let boss = live.boss().await;
    let table = open(&boss, &json!({ "name": "From afar", "dice": "dealer" })).await;
    does(&boss, &table, json!({ "command": "fill", "amount": 5_000 })).await;
    let exported = boss.get(&format!("/api/tables/{table}/export")).await.unwrap().text;
    live.stop().await;
    crew.boss.request("POST", "/api/import", &exported).await.unwrap().ok().unwrap();
}
