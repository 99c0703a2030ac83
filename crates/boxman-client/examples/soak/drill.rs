//! A table of its own where nobody else asks for anything, so that the answer to everything is
//! known: a dealer keys the dice, a player bets, two supervisors void, configure, change terms
//! and confirm jackpots. Nothing here may be refused, whenever the server is killed.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Value, json};

use crate::acks::Ack;
use crate::commands::{Sight, dice, faces};
use crate::house::{House, lock};
use crate::people::{Person, named};
use crate::random::Random;

/// The player's seat.
const SEAT: u64 = 0;

/// The drill and its people.
struct Drill {
    house: Arc<House>,
    random: Random,
    table: String,
    dealer: Arc<Person>,
    one: Arc<Person>,
    two: Arc<Person>,
    player: Arc<Person>,
}

/// The soak is over.
struct Over;

type Step<T = ()> = Result<T, Over>;

/// Drills until the soak is over.
pub(crate) async fn drill(house: Arc<House>) {
    let person = |name: &str| named(&house, name);
    let mut drill = Drill {
        random: Random::new(house.seed, 3_000),
        table: String::new(),
        dealer: person("drill.dealer"),
        one: person("drill.one"),
        two: person("drill.two"),
        player: person("drill.player"),
        house: Arc::clone(&house),
    };
    for person in [&drill.dealer, &drill.one, &drill.two, &drill.player] {
        if !person.be_in(&house).await {
            return;
        }
    }
    if drill.open().await.is_ok() {
        while drill.round().await.is_ok() {
            house.tick("drills");
        }
    }
}

impl Drill {
    async fn open(&mut self) -> Step {
        let config = json!({ "name": "Drill", "dice": "dealer" });
        let Some((open, client)) = self.house.client(&self.one).await else { return Err(Over) };
        let asked = client.post("/api/tables", &config);
        let view = self.house.timely(&open, "opening the drill's table", asked).await;
        let id = view.and_then(|view| Some(view.json["id"].as_str()?.to_owned()));
        let Some(id) = id else {
            self.house.fault("the drill has no table");
            return Err(Over);
        };
        *lock(&self.house.drill) = id.clone();
        self.table = id;
        self.must(&self.player.clone(), json!({ "command": "sit", "seat": SEAT })).await?;
        let name = json!({ "command": "sit", "seat": 1, "name": "Rail" });
        self.must(&self.dealer.clone(), name).await?;
        Ok(())
    }

    /// Asks until there is an answer, under one id.
    async fn ask(&self, who: &Arc<Person>, command: &Value) -> Step<Result<u64, String>> {
        let id = self.house.fresh_id();
        loop {
            let Some((open, client)) = self.house.client(who).await else { return Err(Over) };
            let asked = client.command(&self.table, &id, command);
            let answer = self.house.timely(&open, "a drill", asked).await;
            if let Some(answer) = answer.filter(|answer| !self.house.must_wait(answer)) {
                self.house.tick("commands");
                self.house.code(if answer.status < 300 { "ack" } else { answer.code() });
                let Some(seq) = answer.json["seq"].as_u64() else {
                    return Ok(Err(answer.code().to_owned()));
                };
                let (table, person) = (self.table.clone(), who.id());
                let command = command.to_string().into();
                self.house.acks.book(Ack { table, person, id, seq, command });
                return Ok(Ok(seq));
            }
            if !self.house.rest(Duration::from_millis(100)).await {
                return Err(Over);
            }
        }
    }

    /// Asks for something that cannot be refused.
    async fn must(&self, who: &Arc<Person>, command: Value) -> Step<Option<u64>> {
        match self.ask(who, &command).await? {
            Ok(seq) => {
                self.house.tick("musts");
                Ok(Some(seq))
            }
            Err(code) => {
                self.house.fault(format!("the drill's {command} was refused: {code}"));
                // A drill that is out of step must not fill the report.
                self.house.rest(Duration::from_secs(2)).await;
                Ok(None)
            }
        }
    }

    async fn view(&self) -> Step<Value> {
        let path = format!("/api/tables/{}", self.table);
        let answer = self.house.get(&self.one, &path).await.ok_or(Over)?;
        Ok(answer.json)
    }

    async fn round(&mut self) -> Step {
        if !self.house.rest(Duration::from_millis(self.random.between(50, 400))).await {
            return Err(Over);
        }
        if self.random.chance(40) {
            self.configure().await?;
        }
        let view = self.view().await?;
        let rack = seat(&view)["rack"].as_i64().unwrap_or(0);
        if rack < 40_000 {
            let buy = json!({ "command": "buy-in", "seat": SEAT, "amount": 50_000 });
            self.must(&self.dealer, buy).await?;
        }
        match self.random.chance(50) {
            true => self.line().await,
            false => self.jackpot().await,
        }
    }

    /// A pass line bet to its end, with every rack foretold. Some rolls are voided and thrown
    /// again.
    async fn line(&mut self) -> Step {
        let before = self.view().await?;
        let mut rack = seat(&before)["rack"].as_i64().unwrap_or(0);
        let stake = least(&before, "pass");
        self.put("pass", stake).await?;
        rack -= stake;
        let mut point = None;
        loop {
            let dice = dice(&mut self.random);
            let before = self.roll(&dice).await?;
            if self.random.chance(15) {
                self.void(&before).await?;
                continue;
            }
            let total = total(&dice);
            let won = match (point, total) {
                (None, 7 | 11) => Some(true),
                (None, 2 | 3 | 12) => Some(false),
                (None, total) => {
                    point = Some(total);
                    None
                }
                (Some(point), total) if total == point => Some(true),
                (Some(_), 7) => Some(false),
                _ => None,
            };
            rack += if won == Some(true) { 2 * stake } else { 0 };
            let shown = seat(&self.view().await?)["rack"].as_i64().unwrap_or(0);
            if shown != rack {
                let table = &self.table;
                self.house.fault(format!(
                    "drill at {table}: {dice} leaves {shown} in the rack, not {rack}"
                ));
                rack = shown;
            }
            self.house.tick("racks foretold");
            if won.is_some() {
                return Ok(());
            }
        }
    }

    /// Closes betting and keys the dice. Hands back the table as it was before.
    async fn roll(&self, dice: &str) -> Step<Value> {
        let closed = self.ask(&self.dealer, &json!({ "command": "close-betting" })).await?;
        // A betting window may have run out meanwhile.
        if let Err(code) = closed
            && code != "betting-closed"
        {
            self.house.fault(format!("the drill could not close betting: {code}"));
        }
        let before = self.view().await?;
        self.must(&self.dealer, json!({ "command": "key-roll", "dice": dice })).await?;
        Ok(before)
    }

    /// Takes the last roll back: everything is as it was before it.
    async fn void(&self, before: &Value) -> Step {
        let asked = json!({ "command": "void", "reason": "drill" });
        let proposal = self.must(&self.dealer, asked).await?;
        let Some(proposal) = proposal else { return Ok(()) };
        self.approve(proposal).await?;
        let after = self.view().await?;
        for (part, was, is) in [
            ("seats", &before["seats"], &after["seats"]),
            ("puck", &before["hand"]["puck"], &after["hand"]["puck"]),
            ("trackers", &before["hand"]["trackers"], &after["hand"]["trackers"]),
        ] {
            if was != is {
                self.house.fault(format!("a void left {part} as {is}, before the roll {was}"));
            }
        }
        self.house.tick("voids");
        Ok(())
    }

    async fn approve(&self, proposal: u64) -> Step<Option<u64>> {
        self.must(&self.two, json!({ "command": "approve", "proposal": proposal })).await
    }

    async fn put(&self, wager: &str, amount: i64) -> Step<Option<u64>> {
        let put = json!({ "command": "put", "seat": SEAT, "wager": wager, "amount": amount });
        self.must(&self.player, put).await
    }

    /// Another configuration, asked for by one and agreed to by another, in force at once because
    /// nothing is on the layout.
    async fn configure(&mut self) -> Step {
        let view = self.view().await?;
        let mut config = view["config"].clone();
        let random = &mut self.random;
        let min = *random.pick(&[500, 1_000, 1_500]);
        config["limits"] = json!({ "pass": { "min": min, "max": null, "unit": null } });
        config["betting_seconds"] = random.pick(&[Value::Null, json!(20), json!(600)]).clone();
        config["confirm_jackpots"] = json!(random.chance(60));
        config["seats"] = json!(random.between(4, 16));
        if random.chance(50) {
            let side = *random.pick(&[
                "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03",
                "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
                "bonus-craps-nevada:PT-BJS-FUP-02",
            ]);
            config["rules"] = json!(["presque-isle", side]);
            let meters = self.meters().await?;
            config["options"] = terms(side, &self.table, &meters);
        }
        let asked = json!({ "command": "configure", "config": config, "reason": "drill" });
        let proposal = match self.ask(&self.one, &asked).await? {
            Ok(proposal) => proposal,
            // A meter may have been reset on other terms between looking and asking.
            Err(code) if code == "other-terms" => return Ok(()),
            Err(code) => {
                self.house.fault(format!("the drill's {asked} was refused: {code}"));
                return Ok(());
            }
        };
        self.approve(proposal).await?;
        for _ in 0..50 {
            let now = self.view().await?;
            if now["hand"]["change_waits"] == json!(false) {
                let same = |key: &str| now["config"][key] == config[key];
                let keys = ["limits", "betting_seconds", "confirm_jackpots", "seats", "rules"];
                if let Some(key) = keys.into_iter().find(|key| !same(key)) {
                    let (is, asked) = (&now["config"][key], &config[key]);
                    self.house.fault(format!("the drill asked for {key} {asked}, it is {is}"));
                }
                self.house.tick("configurations");
                return Ok(());
            }
            if !self.house.rest(Duration::from_millis(100)).await {
                return Err(Over);
            }
        }
        self.house.fault("the drill's configuration did not come into force in five seconds");
        Ok(())
    }

    async fn meters(&self) -> Step<Value> {
        let answer = self.house.get(&self.one, "/api/meters").await.ok_or(Over)?;
        Ok(answer.json)
    }

    /// A progressive, bet and hit where there is one, on other terms now and then, and paid.
    async fn jackpot(&mut self) -> Step {
        let view = self.view().await?;
        let offered = |name: &str| {
            let mut wagers = view["wagers"].as_array().into_iter().flatten();
            wagers.any(|wager| wager["wager"] == name)
        };
        let progressives = ["make-em-all-progressive", "fired-up"];
        let wager = progressives.into_iter().find(|name| offered(name));
        let Some(wager) = wager else { return self.line().await };
        if self.random.chance(40) {
            self.change_terms(&view, wager).await?;
        }
        self.put("pass", least(&view, "pass")).await?;
        self.put(wager, least(&view, wager)).await?;
        // A run takes 10 rolls at most; then a seven takes what is left from the layout.
        for turn in 0..40 {
            let view = self.view().await?;
            if !view["hand"]["claims"].as_array().is_none_or(Vec::is_empty) {
                self.claim(&view).await?;
                continue;
            }
            let bets: Vec<&Value> = seat(&view)["bets"].as_array().into_iter().flatten().collect();
            if bets.is_empty() && view["hand"]["puck"].is_null() {
                return Ok(());
            }
            let riding = bets.iter().any(|bet| bet["wager"] == wager);
            let rack = seat(&view)["rack"].as_i64().unwrap_or(0);
            if rack < 10_000 {
                let buy = json!({ "command": "buy-in", "seat": SEAT, "amount": 50_000 });
                self.must(&self.dealer, buy).await?;
            }
            if view["hand"]["puck"].is_null() && !bets.iter().any(|bet| bet["wager"] == "pass") {
                self.put("pass", least(&view, "pass")).await?;
            }
            let sight = Sight { house: &self.house, view: &view, me: "" };
            let help = sight.helpful(&mut self.random).filter(|_| riding && turn < 14);
            let before = self.roll(&faces(help.unwrap_or(7))).await?;
            // Later it may have been the roll that hit, and a jackpot that is paid stays paid.
            if turn < 4 && self.random.chance(10) {
                self.void(&before).await?;
            }
        }
        self.house.fault("the drill's layout does not become empty");
        Ok(())
    }

    /// Other terms for the drill's own meter, from its next reset on.
    async fn change_terms(&mut self, view: &Value, wager: &str) -> Step {
        let named = if wager == "fired-up" { "FUP" } else { "MEA" };
        let mut meters = view["meters"].as_array().into_iter().flatten();
        let meter =
            meters.find(|meter| meter["paytable"].as_str().is_some_and(|p| p.contains(named)));
        let Some(id) = meter.and_then(|meter| meter["meter"].as_str()) else { return Ok(()) };
        let seed = *self.random.pick(&[100_000, 50_000, 200_000]);
        let asked = json!({ "command": "set-terms", "seed": seed, "increment": 150_000,
            "reserve": 50_000, "reason": "drill" });
        let Some(seq) = self.ask_meter(&self.one, id, &asked).await? else { return Ok(()) };
        let approve = json!({ "command": "approve", "proposal": seq });
        self.ask_meter(&self.two, id, &approve).await?;
        Ok(())
    }

    /// Meters know no ids: an answer that was lost is not asked for again.
    async fn ask_meter(&self, who: &Arc<Person>, id: &str, command: &Value) -> Step<Option<u64>> {
        let Some((open, client)) = self.house.client(who).await else { return Err(Over) };
        let path = format!("/api/meters/{id}/commands");
        let body = json!({ "command": command });
        let answer = self.house.timely(&open, &path, client.post(&path, &body)).await;
        let Some(answer) = answer.filter(|answer| !self.house.must_wait(answer)) else {
            return Ok(None);
        };
        let seq = answer.json["seq"].as_u64();
        if seq.is_none() && self.house.still(&open) {
            self.house.fault(format!("the drill's {command} at {id}: {}", answer.text));
        }
        Ok(seq)
    }

    /// A jackpot is paid at once, or when it has been confirmed; after a restart as well.
    async fn claim(&self, view: &Value) -> Step {
        let claim = &view["hand"]["claims"][0]["claim"];
        let confirms = view["config"]["confirm_jackpots"] == json!(true);
        let before = seat(view)["rack"].as_i64().unwrap_or(0);
        for _ in 0..100 {
            if confirms {
                let confirm = json!({ "command": "confirm-claim", "claim": claim });
                match self.ask(&self.one, &confirm).await? {
                    Ok(_) => {}
                    Err(code) if code == "claim-unanswered" => {}
                    Err(code) => {
                        self.house.fault(format!("the drill's claim was not confirmed: {code}"));
                        self.house.rest(Duration::from_secs(2)).await;
                    }
                }
            }
            let now = self.view().await?;
            if now["hand"]["claims"].as_array().is_none_or(Vec::is_empty) {
                let after = seat(&now)["rack"].as_i64().unwrap_or(0);
                if after <= before {
                    self.house.fault(format!("a jackpot left {after} in a rack of {before}"));
                }
                self.house.tick("jackpots");
                return Ok(());
            }
            if !self.house.rest(Duration::from_millis(100)).await {
                return Err(Over);
            }
        }
        self.house.fault(format!("claim {claim} at {} was not paid in ten seconds", self.table));
        Ok(())
    }
}

/// The drill's seat.
fn seat(view: &Value) -> &Value {
    let mut seats = view["seats"].as_array().into_iter().flatten();
    seats.find(|seat| seat["seat"] == json!(SEAT)).unwrap_or(&Value::Null)
}

fn least(view: &Value, wager: &str) -> i64 {
    let mut wagers = view["wagers"].as_array().into_iter().flatten();
    let found = wagers.find(|known| known["wager"] == wager);
    found.and_then(|wager| wager["min"].as_i64()).unwrap_or(500)
}

fn total(dice: &str) -> u64 {
    dice.split('-').filter_map(|face| face.parse::<u64>().ok()).sum()
}

/// The options a table's own meters run on, or start on.
fn terms(side: &str, table: &str, meters: &Value) -> Value {
    let mut options = json!({});
    for (named, wager) in [("MEA", "make-em-all-progressive"), ("FUP", "fired-up")] {
        let Some(at) = side.find(&format!("PT-BJS-{named}")) else { continue };
        let paytable = side[at..].split(',').next().unwrap_or_default().to_lowercase();
        let id = format!("{table}-{paytable}");
        let mut all = meters.as_array().into_iter().flatten();
        let seed = all.find(|meter| meter["meter"] == *id).and_then(|meter| meter["seed"].as_i64());
        options[format!("{wager}.meter.seed")] = json!((seed.unwrap_or(100_000) / 100).to_string());
        options[format!("{wager}.meter.increment")] = json!("15%");
        options[format!("{wager}.meter.reserve")] = json!("5%");
    }
    options
}
