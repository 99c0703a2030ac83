//! Where players' money goes: adjustments with a kind, money that moves to another meter, and
//! meters that close. None of it returns to the house.

use boxman_client::{Client, Value, json};

use super::Crew;
use crate::live::{does, open, put};

/// The side bet's own meter starts at $1,000 and takes in 15 %, and 5 % for the next start.
fn own() -> Value {
    json!({
        "rules": ["presque-isle", "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-FUP-05"],
        "options": { "fired-up.meter.seed": "1000", "fired-up.meter.increment": "15%",
                     "fired-up.meter.reserve": "5%" },
    })
}

impl Crew {
    async fn asks_meter(&self, who: &Client, meter: &str, command: Value) -> Result<u64, Value> {
        let path = format!("/api/meters/{meter}/commands");
        let answer = who.post(&path, &json!({ "command": command })).await.unwrap();
        match answer.status {
            200 => Ok(answer.json["seq"].as_u64().unwrap()),
            _ => Err(answer.json),
        }
    }

    /// One supervisor asks and another agrees.
    async fn agrees_at_meter(&self, meter: &str, command: Value) {
        let asked = self.asks_meter(&self.boss, meter, command).await;
        let proposal = asked.unwrap_or_else(|problem| panic!("{problem}"));
        let approve = json!({ "command": "approve", "proposal": proposal });
        let agreed = self.asks_meter(&self.sue, meter, approve).await;
        agreed.unwrap_or_else(|problem| panic!("{problem}"));
    }

    async fn refuses(&self, meter: &str, command: Value) -> String {
        let problem = self.asks_meter(&self.boss, meter, command).await.unwrap_err();
        problem["code"].as_str().unwrap().to_owned()
    }

    async fn meter(&self, meter: &str) -> Value {
        self.boss.get(&format!("/api/meters/{meter}")).await.unwrap().ok().unwrap()
    }

    /// A meter, once this holds of it.
    async fn meter_until(&self, meter: &str, holds: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..100 {
            let view = self.meter(meter).await;
            if holds(&view) {
                return view;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        panic!("meter {meter} is {}", self.meter(meter).await);
    }

    /// Chips for a side bet of this many dollars at a table, which feed its meter.
    async fn feed(&self, table: &str, dollars: i64) {
        does(&self.dan, table, json!({ "command": "fill", "amount": 100_000 })).await;
        let sit = json!({ "command": "sit", "seat": 5, "name": "Wanda" });
        does(&self.dan, table, sit).await;
        let amount = dollars * 100 + 5_000;
        does(&self.dan, table, json!({ "command": "buy-in", "seat": 5, "amount": amount })).await;
        let view = self.boss.get(&format!("/api/tables/{table}")).await.unwrap().ok().unwrap();
        let ask = json!({ "id": crate::live::fresh_id(), "round": view["hand"]["round"],
                          "command": put(5, "fired-up", dollars * 100) });
        let path = format!("/api/tables/{table}/commands");
        assert_eq!(self.dan.post(&path, &ask).await.unwrap().status, 200);
    }
}

fn adjust(amount: i64, kind: &str) -> Value {
    json!({ "command": "adjust", "amount": amount, "kind": kind, "reason": "a miscount" })
}

#[tokio::test]
async fn an_adjustment_has_a_kind_and_never_goes_below_the_seed() {
    let crew = Crew::open(&own()).await;
    let meter = format!("{}-pt-bjs-fup-05", crew.table);
    crew.feed(&crew.table, 1).await;
    crew.meter_until(&meter, |view| view["amount"] == 100_015).await;
    for kind in ["paid-outside", "malfunction", "seed"] {
        assert_eq!(crew.refuses(&meter, adjust(-16, kind)).await, "below-seed");
    }
    let bare = json!({ "command": "adjust", "amount": 100, "reason": "x" });
    assert_eq!(crew.refuses(&meter, bare).await, "malformed");
    let about = json!({ "command": "adjust", "amount": -15, "kind": "paid-outside",
                        "table": crew.table, "record": 1, "reason": "paid at the cage" });
    let proposal = crew.asks_meter(&crew.boss, &meter, about).await.unwrap();
    // The second person reads what it is about, and what of it is the players'.
    let lines = crew.meter(&meter).await["proposals"][0]["lines"].clone();
    let line = |what: &str| {
        let mut all = lines.as_array().unwrap().iter();
        let line = all.find(|line| line["what"] == what).unwrap_or_else(|| panic!("{lines}"));
        (line["before"].as_str().unwrap().to_owned(), line["after"].as_str().unwrap().to_owned())
    };
    assert_eq!(line("shown"), ("$1,000.15".to_owned(), "$1,000".to_owned()));
    let record = format!("table {}, record 1", crew.table);
    assert_eq!(line("what it is about"), (String::new(), record));
    assert_eq!(line("of it the players'").1, "$0.05");
    let approve = json!({ "command": "approve", "proposal": proposal });
    crew.asks_meter(&crew.sue, &meter, approve).await.unwrap();
    assert_eq!(crew.meter(&meter).await["amount"], 100_000);
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn players_money_moves_once_through_a_restart_and_never_returns_to_the_house() {
    let crew = Crew::open(&own()).await;
    let other = open(&crew.boss, &{
        let mut config = own();
        config["name"] = json!("Craps 2");
        config["dice"] = json!("dealer");
        config
    })
    .await;
    let (from, to) = (format!("{}-pt-bjs-fup-05", crew.table), format!("{other}-pt-bjs-fup-05"));
    crew.feed(&crew.table, 1).await;
    let fed = crew.meter_until(&from, |view| view["amount"] == 100_015).await;
    assert_eq!((&fed["of_players"], &fed["set_aside"]), (&json!(20), &json!(5)));
    let reason = "one jackpot";
    let goes = |to: &str, amount: Value| {
        let mut command = json!({ "command": "move", "to": to });
        command["amount"] = amount;
        command["reason"] = json!(reason);
        command
    };
    let mistyped = to.replace("fup", "fpu");
    let problem = crew.asks_meter(&crew.boss, &from, goes(&mistyped, json!(10))).await.unwrap_err();
    assert_eq!(problem["code"], "unknown-meter");
    assert!(problem["detail"].as_str().unwrap().contains(&to), "{problem}");
    assert_eq!(crew.refuses(&from, goes(&from, json!(10))).await, "same-meter");
    assert_eq!(crew.refuses(&from, goes(&to, json!(16))).await, "below-seed");
    crew.agrees_at_meter(&from, goes(&to, json!(10))).await;
    // It may be anywhere on its way when the server goes.
    let crew = crew.restarted().await;
    crew.meter(&from).await;
    let arrived = crew.meter_until(&to, |view| view["amount"] != 100_000).await;
    assert_eq!((&arrived["amount"], &arrived["of_players"]), (&json!(100_010), &json!(10)));
    crew.agrees_at_meter(&from, goes(&to, Value::Null)).await;
    let arrived = crew.meter_until(&to, |view| view["of_players"] == 20).await;
    assert_eq!((&arrived["amount"], &arrived["set_aside"]), (&json!(100_015), &json!(5)));
    assert_eq!(crew.refuses(&from, goes(&to, Value::Null)).await, "nothing-to-move");
    let left = crew.meter(&from).await;
    assert_eq!((&left["amount"], &left["of_players"]), (&json!(100_000), &json!(0)));
    crew.sound().await;
    let crew = crew.restarted().await;
    for meter in [&from, &to] {
        crew.meter(meter).await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    assert_eq!(crew.meter(&to).await["amount"], 100_015, "it is taken in once");
    crew.sound().await;
    crew.live.stop().await;
}

/// A table's own meter, with the fifth paytable or another, or none of them.
fn paying_by(paytable: Option<&str>) -> Value {
    let mut config = own();
    config["name"] = json!("Craps 1");
    config["dice"] = json!("dealer");
    config["procedures"] = json!(1);
    match paytable {
        Some(name) => config["rules"][1] = json!(format!("bonus-craps-nevada:{name}")),
        None => {
            config["rules"] = json!(["presque-isle"]);
            config["options"] = json!({});
        }
    }
    config
}

impl Crew {
    /// The bets of the seat are lost, so that a configuration can apply.
    async fn sevens_out(&self) {
        self.does(&self.dan, put(5, "pass", 1000)).await;
        for dice in ["2-2", "3-4"] {
            self.throws(dice).await;
            self.does(&self.dan, json!({ "command": "open-betting" })).await;
        }
    }

    async fn configures(&self, config: &Value, old_meters: Value) -> Result<u64, Value> {
        let path = format!("/api/tables/{}/configuration", self.table);
        let known = self.boss.get(&path).await.unwrap().ok().unwrap();
        let configure = json!({ "command": "configure", "of": known["configuration"],
                                "config": config, "reason": "a new game",
                                "old_meters": old_meters });
        let asked = self.asks(&self.boss, None, configure).await?;
        self.does(&self.sue, json!({ "command": "approve", "proposal": asked })).await;
        self.applied().await;
        Ok(asked)
    }

    /// No configuration waits any more.
    async fn applied(&self) {
        let applied = |view: &Value| view["hand"]["change_waits"] == false;
        crate::live::until(&self.boss, &self.table, applied).await;
    }
}

#[tokio::test]
async fn a_change_of_paytable_says_where_the_players_money_goes() {
    let crew = Crew::open(&own()).await;
    let old = format!("{}-pt-bjs-fup-05", crew.table);
    crew.feed(&crew.table, 1).await;
    crew.meter_until(&old, |view| view["amount"] == 100_015).await;
    crew.sevens_out().await;
    let next = paying_by(Some("PT-BJS-FUP-03"));
    let problem = crew.configures(&next, json!({})).await.unwrap_err();
    assert_eq!(problem["code"], "players-money");
    assert!(problem["detail"].as_str().unwrap().contains("old_meters"), "{problem}");
    let stray = json!({ "PT-BJS-FUP-03": { "goes": "kept" } });
    assert_eq!(crew.configures(&next, stray).await.unwrap_err()["code"], "bad-config");
    // The same jackpot goes on under the other paytable.
    let goes = json!({ "PT-BJS-FUP-05": { "goes": "paytable", "paytable": "PT-BJS-FUP-03" } });
    crew.configures(&next, goes).await.unwrap();
    let new = format!("{}-pt-bjs-fup-03", crew.table);
    let arrived = crew.meter_until(&new, |view| view["of_players"] == 20).await;
    assert_eq!((&arrived["amount"], &arrived["set_aside"]), (&json!(100_015), &json!(5)));
    assert_eq!(crew.meter(&old).await["of_players"], 0);
    // Kept for players, and later moved on from there; the house has its own seed back.
    let goes = json!({ "PT-BJS-FUP-03": { "goes": "kept" } });
    crew.configures(&paying_by(None), goes).await.unwrap();
    let kept = crew.meter_until(&new, |view| view["kept"] == 20).await;
    assert_eq!((&kept["amount"], &kept["of_players"]), (&json!(100_000), &json!(20)));
    let reason = "nobody plays it";
    let close =
        |players: Value| json!({ "command": "close", "players": players, "reason": reason });
    // The table hears a moment later that the meter has had its letter.
    let mut code = crew.refuses(&new, close(Value::Null)).await;
    while code == "meter-linked" {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        code = crew.refuses(&new, close(Value::Null)).await;
    }
    assert_eq!(code, "players-money");
    crew.agrees_at_meter(&new, close(json!({ "goes": "kept" }))).await;
    let closed = crew.meter(&new).await;
    assert_eq!((&closed["closed"], &closed["amount"]), (&json!(true), &json!(0)));
    assert_eq!(closed["kept"], 20);
    let to = json!({ "command": "move", "to": old, "reason": "it is back" });
    let problem = crew.asks_meter(&crew.boss, &new, to).await.unwrap_err();
    assert_eq!(problem["code"], "other-paytable");
    let to = json!({ "command": "move", "to": old, "other_paytable": true, "reason": "back" });
    crew.agrees_at_meter(&new, to).await;
    crew.meter_until(&old, |view| view["of_players"] == 20).await;
    assert_eq!(crew.meter(&new).await["kept"], 0);
    crew.sound().await;
    let crew = crew.restarted().await;
    crew.meter_until(&old, |view| view["of_players"] == 20).await;
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_decision_about_one_meter_never_moves_the_money_of_another() {
    let crew = Crew::open(&own()).await;
    let old = format!("{}-pt-bjs-fup-05", crew.table);
    crew.feed(&crew.table, 1).await;
    crew.meter_until(&old, |view| view["of_players"] == 20).await;
    // One configuration has the table feed a meter that tables share, and waits for a come-out.
    let mut shared = paying_by(Some("PT-BJS-FUP-05"));
    shared["meters"] = json!({ "PT-BJS-FUP-05": "downtown" });
    shared["new_meters"] = json!(["downtown"]);
    let ask = |of: u64, config: &Value| {
        let old_meters = json!({ "PT-BJS-FUP-05": { "goes": "kept" } });
        json!({ "command": "configure", "of": of, "config": config, "reason": "a new game",
                "old_meters": old_meters })
    };
    let approve = |proposal: u64| json!({ "command": "approve", "proposal": proposal });
    let first = crew.does(&crew.boss, ask(1, &shared)).await;
    let waits = crew.does(&crew.sue, approve(first)).await;
    // The next, asked for while it waits, is about the table's own meter.
    let second = crew.does(&crew.boss, ask(waits, &paying_by(None))).await;
    crew.sevens_out().await;
    crew.applied().await;
    crew.does(&crew.dan, put(5, "fired-up", 100)).await;
    crew.meter_until("downtown", |view| view["of_players"] == 20).await;
    let problem = crew.asks(&crew.sue, None, approve(second)).await.unwrap_err();
    assert_eq!((&problem["status"], &problem["code"]), (&json!(409), &json!("out-of-date")));
    assert!(problem["detail"].as_str().unwrap().contains("ask again"), "{problem}");
    // Asked again it needs no such decision, and what tables share stays as it is.
    let stray = crew.asks(&crew.boss, None, ask(waits, &paying_by(None))).await.unwrap_err();
    assert_eq!(stray["code"], "bad-config");
    let reason = json!({ "command": "withdraw", "proposal": second, "reason": "out of date" });
    crew.does(&crew.sue, reason).await;
    crew.sevens_out().await;
    crew.configures(&paying_by(None), json!({})).await.unwrap();
    let downtown = crew.meter("downtown").await;
    assert_eq!((&downtown["of_players"], &downtown["kept"]), (&json!(20), &json!(0)));
    assert_eq!(crew.meter(&old).await["kept"], 20);
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn money_that_a_configuration_sends_finds_its_meter_open() {
    let crew = Crew::open(&own()).await;
    let mut config = own();
    (config["name"], config["dice"]) = (json!("Craps 2"), json!("dealer"));
    let other = open(&crew.boss, &config).await;
    let to = format!("{other}-pt-bjs-fup-05");
    // The other table is gone, and its meter is still there.
    let close = json!({ "command": "close", "reason": "a quiet night" });
    let asked = does(&crew.boss, &other, close).await;
    does(&crew.sue, &other, json!({ "command": "approve", "proposal": asked })).await;
    crew.feed(&crew.table, 1).await;
    let ask = |of: u64, goes: Value| {
        json!({ "command": "configure", "of": of, "config": paying_by(None),
                "reason": "a new game", "old_meters": { "PT-BJS-FUP-05": goes } })
    };
    let there = json!({ "goes": "meter", "to": to });
    let kept = json!({ "goes": "kept" });
    let close = json!({ "command": "close", "players": kept, "reason": "a quiet night" });
    // It is about to be sent money.
    let agreed = async |command: Value| {
        let asked = crew.does(&crew.boss, command).await;
        crew.does(&crew.sue, json!({ "command": "approve", "proposal": asked })).await
    };
    let now = agreed(ask(1, there.clone())).await;
    assert_eq!(crew.refuses(&to, close.clone()).await, "meter-linked");
    // It is not any more, and is closed before two people agree that it will be.
    let now = agreed(ask(now, kept)).await;
    let asked = crew.does(&crew.boss, ask(now, there)).await;
    crew.agrees_at_meter(&to, close).await;
    let approve = json!({ "command": "approve", "proposal": asked });
    let problem = crew.asks(&crew.sue, None, approve).await.unwrap_err();
    assert_eq!(problem["code"], "meter-closed", "{problem}");
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn money_that_came_from_another_meter_keeps_a_table_open() {
    let crew = Crew::open(&own()).await;
    let mut config = own();
    (config["name"], config["dice"]) = (json!("Craps 2"), json!("dealer"));
    let other = open(&crew.boss, &config).await;
    let (from, to) = (format!("{other}-pt-bjs-fup-05"), format!("{}-pt-bjs-fup-05", crew.table));
    crew.feed(&other, 1).await;
    crew.meter_until(&from, |view| view["of_players"] == 20).await;
    // No bet of this table has ever fed its meter.
    let goes = json!({ "command": "move", "to": to, "reason": "one jackpot" });
    crew.agrees_at_meter(&from, goes).await;
    crew.meter_until(&to, |view| view["of_players"] == 20).await;
    let close = json!({ "command": "close", "reason": "the game moves" });
    let round = Some(crew.round().await);
    let problem = crew.asks(&crew.sue, round, close.clone()).await.unwrap_err();
    assert_eq!(problem["code"], "not-empty");
    let remains = problem["remains"].as_array().unwrap().iter();
    assert!(remains.clone().all(|one| one["kind"] == "meter"), "{problem}");
    let what = format!("players' money in the meter of PT-BJS-FUP-05 ({to})");
    assert!(remains.clone().any(|one| one["what"] == what && one["amount"] == 20), "{problem}");
    let kept = json!({ "command": "move", "to": from, "reason": "back" });
    crew.agrees_at_meter(&to, kept).await;
    crew.meter_until(&from, |view| view["of_players"] == 20).await;
    let mut asked = crew.asks(&crew.sue, round, close.clone()).await;
    while asked.is_err() {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        asked = crew.asks(&crew.sue, round, close.clone()).await;
    }
    let approve = json!({ "command": "approve", "proposal": asked.unwrap() });
    crew.does(&crew.boss, approve).await;
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_table_does_not_feed_the_own_meter_of_another() {
    let crew = Crew::open(&own()).await;
    for name in ["pt-bjs-fup-05", "pt-bjs-fup-07"] {
        let meter = format!("{}-{name}", crew.table);
        let mut config = own();
        (config["name"], config["dice"]) = (json!("Craps 2"), json!("dealer"));
        config["meters"] = json!({ "PT-BJS-FUP-05": meter });
        config["new_meters"] = json!([meter]);
        let refused = crew.boss.post("/api/tables", &config).await.unwrap();
        assert_eq!((refused.status, refused.code()), (409, "own-meter"));
        let detail = refused.json["detail"].as_str().unwrap();
        assert!(detail.contains(&meter) && detail.contains("new_meters"), "{detail}");
    }
    // No table has this name, and the table itself may name its own.
    for meter in ["7777777-fire".to_owned(), format!("{}-pt-bjs-fup-05", crew.table)] {
        let mut config = paying_by(Some("PT-BJS-FUP-05"));
        config["meters"] = json!({ "PT-BJS-FUP-05": meter });
        config["new_meters"] = json!([meter]);
        crew.configures(&config, json!({})).await.unwrap();
    }
    crew.sound().await;
    crew.live.stop().await;
}

#[tokio::test]
async fn a_mistyped_shared_meter_is_refused_and_a_new_one_is_named() {
    let crew = Crew::open(&own()).await;
    let shared = |name: &str, new: Value| {
        let mut config = own();
        config["name"] = json!("Craps 2");
        config["dice"] = json!("dealer");
        config["meters"] = json!({ "PT-BJS-FUP-05": name });
        config["new_meters"] = new;
        config
    };
    let opens = async |config: &Value| crew.boss.post("/api/tables", config).await.unwrap();
    let refused = opens(&shared("downtown", json!([]))).await;
    assert_eq!((refused.status, refused.code()), (409, "unknown-meter"));
    assert!(refused.json["detail"].as_str().unwrap().contains("new_meters"));
    let stray = opens(&shared("downtown", json!(["uptown"]))).await;
    assert_eq!((stray.status, stray.code()), (422, "bad-config"));
    assert_eq!(opens(&shared("downtown", json!(["downtown"]))).await.status, 201);
    let typo = opens(&shared("downtwon", json!([]))).await;
    assert_eq!((typo.status, typo.code()), (409, "unknown-meter"));
    assert!(typo.json["detail"].as_str().unwrap().contains("`downtown`"), "{}", typo.json);
    assert_eq!(opens(&shared("downtown", json!([]))).await.status, 201);
    crew.sound().await;
    crew.live.stop().await;
}
