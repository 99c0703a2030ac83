//! The drill's table is set up anew, and its meters run on other terms.

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Random, Value, json};

use super::{Drill, Kind, Over, Step};
use crate::commands::with;
use crate::people::Person;

const SIDES: [&str; 3] = [
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03",
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
    "bonus-craps-nevada:PT-BJS-FUP-02",
];

impl Drill {
    /// Another configuration, asked for by one and agreed to by another, in force at once because
    /// nothing is on the layout.
    pub(super) async fn configure(&mut self) -> Step {
        self.pay_out().await?;
        let view = self.view().await?;
        let (mut config, of) = (view["config"].clone(), view["hand"]["configuration"].as_u64());
        self.choose(&mut config);
        if self.random.chance(50) {
            let side = *self.random.pick(&SIDES);
            config["rules"] = json!(["presque-isle", side]);
            let answer = self.house.get(&self.one, "/api/meters").await.ok_or(Over)?;
            config["options"] = terms(side, &self.table, &answer.json);
        }
        let asked = json!({ "command": "configure", "config": config, "reason": "drill" });
        let asked = with(asked, "of", of.map(|of| json!(of)));
        let kept = self.dropped(&view, &config);
        let asked = with(asked, "old_meters", kept);
        let proposal = match self.ask(&self.one, &asked).await? {
            Ok(proposal) => proposal,
            // A meter may have been reset on other terms between looking and asking.
            Err(code) if code == "other-terms" || code == "out-of-date" => return Ok(()),
            Err(code) => {
                self.house.fault(format!("the drill's {asked} was refused: {code}"));
                return Ok(());
            }
        };
        self.approve(proposal).await?;
        for _ in 0..50 {
            let now = self.view().await?;
            if now["hand"]["change_waits"] == json!(false) {
                self.compare(&config, &now["config"]);
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

    /// What the players put into a meter that the table no longer has is kept for them.
    fn dropped(&self, view: &Value, config: &Value) -> Option<Value> {
        if self.kind == Kind::Alone || !self.house.knows("old_meters") {
            return None;
        }
        let rules = config["rules"].to_string();
        let mut kept = json!({});
        for meter in view["meters"].as_array().into_iter().flatten() {
            let paytable = meter["paytable"].as_str().unwrap_or_default();
            if !rules.contains(paytable) {
                kept[paytable] = json!({ "goes": "kept" });
            }
        }
        Some(kept)
    }

    fn choose(&mut self, config: &mut Value) {
        let random = &mut self.random;
        let min = *random.pick(&[500, 1_000, 1_500]);
        config["limits"] = json!({ "pass": { "min": min, "max": null, "unit": null } });
        config["betting_seconds"] = random.pick(&[Value::Null, json!(20), json!(600)]).clone();
        config["seats"] = json!(random.between(4, 16));
        if self.kind == Kind::Alone {
            return;
        }
        config["confirm_jackpots"] = json!(random.chance(60));
        if self.house.knows("paying") {
            config["paying"] = random.pick(&[Value::Null, json!(true), json!(false)]).clone();
        }
        if self.house.knows("confirm_over") {
            let over = |random: &mut Random, most: i64| {
                random.pick(&[Value::Null, json!(0), json!(most)]).clone()
            };
            config["confirm_over"] = over(random, 10_000);
            config["two_people_over"] = over(random, 100_000_000);
            config["betting_during_claims"] = json!(random.chance(30));
        }
    }

    fn compare(&self, asked: &Value, is: &Value) {
        for (key, asked) in asked.as_object().into_iter().flatten() {
            // Meters may have come to other terms meanwhile.
            if key != "options" && is[key] != *asked {
                let is = &is[key];
                self.house.fault(format!("the drill asked for {key} {asked}, it is {is}"));
            }
        }
    }

    /// Other terms for one of the table's own meters, from its next reset on.
    pub(super) async fn change_terms(&mut self, view: &Value, wager: &str) -> Step {
        let named = if wager == "fired-up" { "FUP" } else { "MEA" };
        let serves =
            |meter: &&Value| meter["paytable"].as_str().is_some_and(|table| table.contains(named));
        let meter = view["meters"].as_array().into_iter().flatten().find(serves);
        let Some(id) = meter.and_then(|meter| meter["meter"].as_str()) else { return Ok(()) };
        let seed = *self.random.pick(&[100_000, 50_000, 200_000]);
        let asked = json!({ "command": "set-terms", "seed": seed, "increment": 150_000,
            "reserve": 50_000, "reason": "drill" });
        let proposal = self.ask_meter(&self.one, id, &asked).await?;
        if let Some(proposal) = proposal.filter(|_| self.kind == Kind::Crew) {
            let approve = json!({ "command": "approve", "proposal": proposal });
            self.ask_meter(&self.two, id, &approve).await?;
        }
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
        // A proposal that was approved before its answer was lost is not there any more.
        if seq.is_none() && self.house.still(&open) {
            self.house.fault(format!("the drill's {command} at {id}: {}", answer.text));
        }
        Ok(seq)
    }
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
