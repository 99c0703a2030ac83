//! Tables where nobody else asks for anything, so that the answer to everything is known. At a
//! real one a dealer keys the dice, a player bets, two supervisors void, configure, change terms,
//! confirm jackpots and deny them; at one for practice somebody does all of it alone. Nothing
//! here may be refused, whenever the server is killed.

mod configure;
mod jackpot;

use std::sync::Arc;
use std::time::Duration;

use boxman_client::{Random, Value, json};

use crate::acks::Ack;
use crate::commands::{dice, round};
use crate::house::{House, lock};
use crate::people::{Person, named};

/// The player's seat.
const SEAT: u64 = 0;

/// The chips the table opens with, in cents.
const FILL: u64 = 500_000_000;

/// A pause before everything that is asked.
const PACE: Duration = Duration::from_millis(40);

/// The drill and its people.
struct Drill {
    house: Arc<House>,
    random: Random,
    table: String,
    dealer: Arc<Person>,
    one: Arc<Person>,
    two: Arc<Person>,
    player: Arc<Person>,
    kind: Kind,
}

/// Who runs a drill's table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A crew, for real.
    Crew,
    /// One person at home, who also plays.
    Alone,
}

/// The soak is over.
struct Over;

type Step<T = ()> = Result<T, Over>;

/// Drills until the soak is over.
pub(crate) async fn drill(house: Arc<House>, kind: Kind) {
    let person = |name: &str| match kind {
        Kind::Crew => named(&house, name),
        Kind::Alone => named(&house, "drill.home"),
    };
    let mut drill = Drill {
        random: Random::new(house.seed, 3_000 + kind as u64),
        table: String::new(),
        dealer: person("drill.dealer"),
        one: person("drill.one"),
        two: person("drill.two"),
        player: person("drill.player"),
        house: Arc::clone(&house),
        kind,
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
        let practice = self.kind == Kind::Alone;
        let config = json!({ "name": "Drill", "dice": "dealer", "practice": practice });
        let Some((open, client)) = self.house.client(&self.one).await else { return Err(Over) };
        let asked = client.post("/api/tables", &config);
        let view = self.house.timely(&open, "opening the drill's table", asked).await;
        let id = view.and_then(|view| Some(view.json["id"].as_str()?.to_owned()));
        let Some(id) = id else {
            self.house.fault("the drill has no table");
            return Err(Over);
        };
        lock(&self.house.drills).push(id.clone());
        self.table = id;
        self.must(&self.player, json!({ "command": "sit", "seat": SEAT })).await?;
        let name = json!({ "command": "sit", "seat": 1, "name": "Rail" });
        self.must(&self.dealer, name).await?;
        if self.kind == Kind::Crew {
            let fill = json!({ "command": "fill", "amount": FILL });
            if let Some(asked) = self.must(&self.dealer, fill).await? {
                self.approve(asked).await?;
            }
        }
        Ok(())
    }

    /// The last roll is paid, where a crew pays before it takes bets again.
    async fn pay_out(&self) -> Step {
        if self.view().await?["hand"]["phase"] == "paying" {
            self.must(&self.dealer, json!({ "command": "open-betting" })).await?;
        }
        Ok(())
    }

    /// Asks until there is an answer, under one id. The rules may change between looking and
    /// asking, because a meter was reset on other terms: then it is asked in the next round.
    async fn ask(&self, who: &Arc<Person>, command: &Value) -> Step<Result<u64, String>> {
        for _ in 0..3 {
            let round = round(&self.view().await?, command);
            match self.ask_in(who, round, command).await? {
                Err(code) if code == "other-roll" => self.house.tick("asked in the next round"),
                answer => return Ok(answer),
            }
        }
        Ok(Err("other-roll".to_owned()))
    }

    async fn ask_in(
        &self,
        who: &Arc<Person>,
        round: Option<u64>,
        command: &Value,
    ) -> Step<Result<u64, String>> {
        let id = self.house.fresh_id();
        // Two drills are not to be most of the load.
        self.house.rest(PACE).await;
        loop {
            let Some((open, client)) = self.house.client(who).await else { return Err(Over) };
            let asked = client.ask(&self.table, &id, round, command);
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
        if rack(&self.view().await?) < 40_000 {
            self.buy_in(50_000).await?;
        }
        match self.random.chance(50) {
            true => self.line().await,
            false => self.jackpot().await,
        }
    }

    /// Chips for the player. Above a threshold of the day another has to agree.
    async fn buy_in(&self, amount: i64) -> Step {
        let before = rack(&self.view().await?);
        let buy = json!({ "command": "buy-in", "seat": SEAT, "amount": amount });
        let asked = self.must(&self.dealer, buy).await?;
        let view = self.view().await?;
        let mut waiting = view["hand"]["proposals"].as_array().into_iter().flatten();
        if let Some(seq) = asked.filter(|seq| waiting.any(|one| one["proposal"] == json!(seq))) {
            self.house.tick("thresholds");
            if rack(&view) != before {
                self.house.fault("a buy-in that waits for a second person has been booked");
            }
            self.approve(seq).await?;
        }
        let after = rack(&self.view().await?);
        if after != before + amount {
            self.house.fault(format!("a buy-in of {amount} made {after} of {before}"));
        }
        Ok(())
    }

    /// A pass line bet to its end, with every rack foretold. Some rolls are voided and thrown
    /// again.
    async fn line(&mut self) -> Step {
        let before = self.view().await?;
        let mut foretold = rack(&before);
        let stake = least(&before, "pass");
        self.put("pass", stake).await?;
        foretold -= stake;
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
            foretold += if won == Some(true) { 2 * stake } else { 0 };
            let shown = rack(&self.view().await?);
            if shown != foretold {
                let table = &self.table;
                self.house.fault(format!(
                    "drill at {table}: {dice} leaves {shown} in the rack, not {foretold}"
                ));
                foretold = shown;
            }
            self.house.tick("racks foretold");
            if won.is_some() {
                return Ok(());
            }
        }
    }

    /// Closes betting and keys the dice. Hands back the table as it was before.
    async fn roll(&self, dice: &str) -> Step<Value> {
        self.pay_out().await?;
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
        let mut asked = json!({ "command": "void", "reason": "drill" });
        if let Some(last) = self.view().await?["hand"]["last_roll"].as_u64() {
            asked["of"] = json!(last);
        }
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

    /// Another agrees, where that takes another.
    async fn approve(&self, proposal: u64) -> Step {
        if self.kind == Kind::Crew {
            let approve = json!({ "command": "approve", "proposal": proposal });
            self.must(&self.two, approve).await?;
        }
        Ok(())
    }

    async fn put(&self, wager: &str, amount: i64) -> Step<Option<u64>> {
        self.pay_out().await?;
        let put = json!({ "command": "put", "seat": SEAT, "wager": wager, "amount": amount });
        self.must(&self.player, put).await
    }
}

/// The drill's seat.
fn seat(view: &Value) -> &Value {
    let mut seats = view["seats"].as_array().into_iter().flatten();
    seats.find(|seat| seat["seat"] == json!(SEAT)).unwrap_or(&Value::Null)
}

/// What it has off the layout.
fn rack(view: &Value) -> i64 {
    seat(view)["rack"].as_i64().unwrap_or(0)
}

fn least(view: &Value, wager: &str) -> i64 {
    let mut wagers = view["wagers"].as_array().into_iter().flatten();
    let found = wagers.find(|known| known["wager"] == wager);
    found.and_then(|wager| wager["min"].as_i64()).unwrap_or(500)
}

fn total(dice: &str) -> u64 {
    dice.split('-').filter_map(|face| face.parse::<u64>().ok()).sum()
}
