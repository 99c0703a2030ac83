//! The drill hits jackpots and other high awards, which are paid at once, or wait until they are
//! confirmed or denied.

use std::time::Duration;

use boxman_client::{Value, json};

use super::{Drill, Kind, Over, Step, least, rack, seat};
use crate::commands::{Sight, faces};

const PROGRESSIVES: [&str; 2] = ["make-em-all-progressive", "fired-up"];

impl Drill {
    /// A progressive, bet and hit where there is one, on other terms now and then, and paid.
    pub(super) async fn jackpot(&mut self) -> Step {
        let view = self.view().await?;
        let offered = |name: &&str| {
            let mut wagers = view["wagers"].as_array().into_iter().flatten();
            wagers.any(|wager| wager["wager"] == *name)
        };
        let wager = PROGRESSIVES.into_iter().find(offered);
        let Some(wager) = wager else { return self.line().await };
        if self.random.chance(40) {
            self.change_terms(&view, wager).await?;
        }
        self.put("pass", least(&view, "pass")).await?;
        self.put(wager, least(&view, wager)).await?;
        if offered(&"make-em-all") && self.random.chance(50) {
            self.put("make-em-all", 500).await?;
        }
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
            let up = |wager: &str| bets.iter().any(|bet| bet["wager"] == wager);
            if rack(&view) < 10_000 {
                self.buy_in(50_000).await?;
            }
            if view["hand"]["puck"].is_null() && !up("pass") {
                self.put("pass", least(&view, "pass")).await?;
            }
            let sight = Sight { house: &self.house, view: &view, me: "" };
            let riding = up(wager) || up("make-em-all");
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

    /// What was won is paid at once; or, after a restart as well, when it has been confirmed.
    async fn claim(&mut self, view: &Value) -> Step {
        let claim = view["hand"]["claims"][0].clone();
        let held = claim["paytable"].is_null();
        let confirms = match self.house.knows("deny-claim") {
            true => view["config"]["confirm_jackpots"] != json!(false) && self.kind == Kind::Crew,
            false => view["config"]["confirm_jackpots"] == json!(true),
        };
        let waits = held || confirms;
        if waits && self.house.knows("deny-claim") {
            if view["config"]["betting_during_claims"] != json!(true) && self.random.chance(20) {
                self.bet_too_soon(view).await?;
            }
            if self.random.chance(30) {
                return self.deny(&claim).await;
            }
        }
        self.pay(&claim, waits).await
    }

    async fn pay(&self, claim: &Value, waits: bool) -> Step {
        let number = &claim["claim"];
        for _ in 0..100 {
            let view = self.view().await?;
            if waits {
                self.check(claim).await?;
                let confirm = json!({ "command": "confirm-claim", "claim": number });
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
            if !is_waiting(&now, number) {
                // What is paid is what the meter had frozen, or what was held.
                let owed = match claim["paytable"].is_null() {
                    true => claim["amount"].as_i64(),
                    false => hit(&view, &claim["paytable"]),
                };
                let paid = rack(&now) - rack(&view);
                if waits && owed.is_some_and(|owed| paid != owed) {
                    self.house.fault(format!("claim {claim} of {owed:?} brought {paid}"));
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

    /// The crew checks what it has to before it pays.
    async fn check(&self, claim: &Value) -> Step {
        for line in claim["checklist"].as_array().into_iter().flatten() {
            let (claim, item) = (&claim["claim"], &line["item"]);
            let check = json!({ "command": "check", "claim": claim, "item": item });
            match self.ask(&self.one, &check).await? {
                Ok(_) => {}
                // It was checked the last time around.
                Err(code) if code == "checked" => {}
                Err(code) => self.house.fault(format!("the drill could not check: {code}")),
            }
        }
        Ok(())
    }

    /// Two people say no: the award goes back, and the stake to the player.
    async fn deny(&self, claim: &Value) -> Step {
        let before = self.view().await?;
        let number = &claim["claim"];
        let deny = json!({ "command": "deny-claim", "claim": number, "reason": "drill" });
        let Some(proposal) = self.must(&self.one, deny).await? else { return Ok(()) };
        self.approve(proposal).await?;
        let after = self.view().await?;
        if is_waiting(&after, number) {
            self.house.fault(format!("claim {claim} was denied and still waits"));
        }
        let back = rack(&after) - rack(&before);
        // A held award's stake is in the rack already; a meter's comes back with the denial.
        let stake = match claim["paytable"].as_str() {
            None => 0,
            Some(paytable) if paytable.contains("FUP") => least(&before, "fired-up"),
            Some(_) => least(&before, "make-em-all-progressive"),
        };
        if back != stake {
            self.house.fault(format!("denying {claim} brought {back} back, not {stake}"));
        }
        self.house.tick("denials");
        Ok(())
    }

    /// No bet is taken while a claim waits.
    async fn bet_too_soon(&self, view: &Value) -> Step {
        let amount = least(view, "field");
        let put = json!({ "command": "put", "seat": 0, "wager": "field", "amount": amount });
        if self.ask(&self.player, &put).await?.is_ok() {
            self.house.fault("a bet was taken while a claim waits");
        }
        Ok(())
    }
}

fn is_waiting(view: &Value, number: &Value) -> bool {
    let mut claims = view["hand"]["claims"].as_array().into_iter().flatten();
    claims.any(|claim| claim["claim"] == *number)
}

/// What the meter of a paytable has frozen for its one hit.
fn hit(view: &Value, paytable: &Value) -> Option<i64> {
    let mut meters = view["meters"].as_array().into_iter().flatten();
    match meters.find(|meter| meter["paytable"] == *paytable)?["hits"].as_array()?.as_slice() {
        [hit] => hit.as_i64(),
        _ => None,
    }
}
