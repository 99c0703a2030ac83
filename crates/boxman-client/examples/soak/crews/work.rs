//! What the hands of a crew do: work lists, rolls taken back in the middle of them, and claims.

use std::time::Duration;

use boxman_client::chips::Chips;
use boxman_client::{Value, json};

use super::{Crew, Over, Step};
use crate::commands::dice;

impl Crew {
    async fn lists(&self) -> Step<Vec<Value>> {
        let path = format!("/api/tables/{}/work", self.table);
        let answer = self.house.get(&self.dealers[0], &path).await.ok_or(Over)?;
        Ok(answer.json.as_array().cloned().unwrap_or_default())
    }

    fn move_item(&mut self, list: &Value, item: &Value) {
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        if self.moved.insert((number(&list["list"]), number(&item["item"])))
            && let Err(reason) = self.chips.work(item)
        {
            self.house.fault(reason);
        }
    }

    /// A roll is paid. Some are taken back while the crew is at it, or after betting has opened.
    pub(super) async fn pay(&mut self, rolled: u64) -> Step {
        let mut last = Some(rolled);
        for _ in 0..2 {
            for list in self.lists().await? {
                for item in list["items"].as_array().into_iter().flatten() {
                    if self.random.chance(50) {
                        self.move_item(&list, item);
                    }
                }
            }
            if self.random.chance(40) {
                self.work_off().await?;
                if self.random.chance(50) {
                    self.bet().await?;
                }
            }
            match last.filter(|_| self.random.chance(30)) {
                Some(rolled) => last = self.take_back(rolled).await?,
                None => break,
            }
        }
        self.work_off().await
    }

    /// A roll is voided or corrected by two people. Hands back the roll that counts now.
    async fn take_back(&mut self, rolled: u64) -> Step<Option<u64>> {
        let command = match self.random.chance(50) {
            true => json!({ "command": "void", "of": rolled, "reason": "cocked" }),
            false => {
                let dice = dice(&mut self.random);
                json!({ "command": "correct", "of": rolled, "dice": dice, "reason": "misread" })
            }
        };
        // Both dealers may have seen it.
        let asked = self.ask(&self.dealers[0], None, &command, false).await?;
        let Ok(proposal) = asked else { return Ok(Some(rolled)) };
        let before = self.ticked().await?;
        let approve = json!({ "command": "approve", "proposal": proposal });
        let agreed = self.ask(&self.supervisors[0], None, &approve, true).await?;
        let Ok(agreed) = agreed else {
            self.house.fault(format!("a crew could not agree to {command}: {agreed:?}"));
            let withdraw = json!({ "command": "withdraw", "proposal": proposal });
            return self.must(withdraw).await.map(|_| Some(rolled));
        };
        self.house.tick("rolls taken back by crews");
        // Ticks are lost with the server, as the page says: then the crew counts its chips.
        if before != self.house.count("starts") {
            self.recount().await?;
        }
        Ok((command["command"] == "correct").then_some(agreed))
    }

    /// Ticks off what has been moved, on every console. Hands back which server knows it.
    async fn ticked(&self) -> Step<u64> {
        loop {
            let starts = self.house.count("starts");
            let mut missing = Vec::new();
            for list in self.lists().await? {
                for item in list["items"].as_array().into_iter().flatten() {
                    let known = (list["list"].as_u64(), item["item"].as_u64());
                    let (Some(record), Some(number)) = known else { continue };
                    let moved = self.moved.contains(&(record, number));
                    if list["done"] != true && moved != (item["ticked"] == true) {
                        let (list, item) = (record, number);
                        let tick =
                            json!({ "type": "tick", "list": list, "item": item, "on": moved });
                        missing.push(tick);
                    }
                }
            }
            if missing.is_empty() {
                return Ok(starts);
            }
            let Some((_, client)) = self.house.client(&self.dealers[1]).await else {
                return Err(Over);
            };
            if let Ok(mut socket) = client.socket(&self.table, None).await {
                for tick in missing {
                    // One that is lost is set again.
                    let _ = socket.text(&tick.to_string()).await;
                }
                let _ = tokio::time::timeout(Duration::from_secs(1), socket.next_of("work")).await;
            }
            if !self.house.rest(Duration::from_millis(50)).await {
                return Err(Over);
            }
        }
    }

    /// The crew counts every chip, and goes on from there.
    async fn recount(&mut self) -> Step {
        for list in self.lists().await? {
            for item in list["items"].as_array().into_iter().flatten() {
                let (list, item) = (list["list"].as_u64(), item["item"].as_u64());
                self.moved.extend(list.zip(item));
            }
        }
        let ledger = Chips::of(&self.view().await?);
        self.chips = Chips { dealers: self.chips.dealers, cage: self.chips.cage, ..ledger };
        self.house.tick("chips counted again");
        Ok(())
    }

    /// Everything on the lists is moved and marked done, and betting opens.
    pub(super) async fn work_off(&mut self) -> Step {
        for list in self.lists().await? {
            for item in list["items"].as_array().into_iter().flatten() {
                self.move_item(&list, item);
            }
        }
        if self.view().await?["hand"]["phase"] == "paying" {
            self.must(json!({ "command": "open-betting" })).await?;
        }
        for list in self.lists().await? {
            // Only what is held remains of a list that is done.
            if list["done"] != true && self.is_moved(&list) {
                self.must(json!({ "command": "done", "list": list["list"] })).await?;
            }
        }
        Ok(())
    }

    /// Whether nothing is left to move on a list.
    fn is_moved(&self, list: &Value) -> bool {
        let record = list["list"].as_u64().unwrap_or(0);
        let mut items = list["items"].as_array().into_iter().flatten();
        items.all(|item| self.moved.contains(&(record, item["item"].as_u64().unwrap_or(0))))
    }

    /// What waits is confirmed by one supervisor, or denied by two.
    pub(super) async fn claims(&mut self) -> Step {
        for _ in 0..200 {
            let hand = self.view().await?["hand"].clone();
            let Some(claim) = hand["claims"].as_array().and_then(|claims| claims.first()) else {
                return self.work_off().await;
            };
            let claim = &claim["claim"];
            if self.random.chance(30) {
                let deny = json!({ "command": "deny-claim", "claim": claim, "reason": "late" });
                let asked = self.ask(&self.supervisors[0], None, &deny, false).await?;
                if let Ok(proposal) = asked {
                    let approve = json!({ "command": "approve", "proposal": proposal });
                    // The meter may have paid a jackpot that nobody has to confirm.
                    let agreed = self.ask(&self.supervisors[1], None, &approve, true).await?;
                    let what = if agreed.is_ok() { "denials of crews" } else { "denials too late" };
                    self.house.tick(what);
                }
            } else {
                self.check(&hand["claims"][0]).await?;
                let mut confirm = json!({ "command": "confirm-claim", "claim": claim });
                if self.house.knows("paid_by") && self.random.chance(40) {
                    confirm["paid_by"] = json!("cage");
                    confirm["slip"] = json!("17");
                }
                // Whoever agreed to a correction does not confirm what it won.
                let supervisor = self.random.below(2) as usize;
                let done = self.ask(&self.supervisors[supervisor], None, &confirm, false).await?;
                if done.is_ok() {
                    self.house.tick("claims confirmed by crews");
                }
            }
            self.work_off().await?;
            if !self.house.rest(Duration::from_millis(50)).await {
                return Err(Over);
            }
        }
        self.house.fault(format!("a claim at table {} does not get answered", self.table));
        Ok(())
    }

    /// What has to be checked before a claim is paid, by both consoles at once: each item once.
    async fn check(&mut self, claim: &Value) -> Step {
        for line in claim["checklist"].as_array().into_iter().flatten() {
            let (claim, item) = (&claim["claim"], &line["item"]);
            let check = json!({ "command": "check", "claim": claim, "item": item });
            let [dan, dee] = &self.dealers;
            let (one, two) =
                tokio::join!(self.ask(dan, None, &check, true), self.ask(dee, None, &check, false));
            if one?.is_ok() && two?.is_ok() {
                self.house.fault(format!("{check} was done twice"));
            }
        }
        Ok(())
    }

    /// Tray, felt and racks are what the ledger says.
    pub(super) async fn compare(&mut self) -> Step {
        for _ in 0..10 {
            let before = self.view().await?;
            self.work_off().await?;
            let view = self.view().await?;
            // A meter pays when it has heard: nothing may come between looking and counting.
            let quiet = before["seq"] == view["seq"]
                && self.lists().await?.iter().all(|list| list["done"] == true);
            if !quiet {
                continue;
            }
            match self.chips.differs(&view) {
                None => self.house.tick("chips counted"),
                Some(differs) => {
                    let (table, seq) = (&self.table, &view["seq"]);
                    self.house.fault(format!("chips of table {table} at record {seq}: {differs}"));
                    self.recount().await?;
                }
            }
            return Ok(());
        }
        Ok(())
    }
}
