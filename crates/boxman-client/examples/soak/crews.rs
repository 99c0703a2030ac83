//! Crews at real tables of their own: two consoles each, which do the same thing at the same
//! moment, twice, or too late. A model moves chips by what people buy and bet and by what the
//! work lists say, some items before a roll is taken back and some after. Tray, felt and racks
//! have to end where the ledger has them, whatever options the table has and whenever the server
//! is killed.

mod throws;
mod work;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use boxman_client::chips::Chips;
use boxman_client::{Random, Value, json};

use crate::acks::Ack;
use crate::commands::round;
use crate::house::{House, lock};
use crate::people::{Person, named};

/// The seats of the rail.
const SEATS: usize = 4;
/// A crew opens another table after so many turns.
const TURNS: u64 = 40;
/// A pause before everything that is asked.
const PACE: Duration = Duration::from_millis(30);

const WAGERS: [(&str, i64); 11] = [
    ("pass", 1_000),
    ("dont-pass", 1_500),
    ("field", 500),
    ("place 6", 1_200),
    ("hard 8", 500),
    ("come", 1_000),
    ("all-small", 500),
    ("all-tall", 500),
    ("make-em-all-progressive", 100),
    ("fired-up", 100),
    ("odds", 2_000),
];
const SIDES: [&str; 4] = [
    "bonus-craps-nevada:PT-FLT-BC-03",
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03",
    "bonus-craps-nevada:PT-FLT-BC-03,PT-BJS-MEA-03,PT-BJS-FUP-01",
    "super-shooter",
];

/// A crew and the chips of its table.
struct Crew {
    house: Arc<House>,
    random: Random,
    table: String,
    dealers: [Arc<Person>; 2],
    supervisors: [Arc<Person>; 2],
    chips: Chips,
    /// The items of work lists whose chips have been moved.
    moved: BTreeSet<(u64, u64)>,
    /// Commands of a console that was asleep: their rounds are over.
    stale: Vec<(u64, Value)>,
}

/// The soak is over.
struct Over;

type Step<T = ()> = Result<T, Over>;
/// The record a command became, or the problem.
type Answer = Result<u64, Value>;

/// Deals until the soak is over.
pub(crate) async fn crew(house: Arc<House>, number: u64) {
    let person = |name: &str| named(&house, &format!("crew.{name}"));
    let mut crew = Crew {
        random: Random::new(house.seed, 3_500 + number),
        table: String::new(),
        dealers: [person("dan"), person("dee")],
        supervisors: [person("sue"), person("sam")],
        chips: Chips::default(),
        moved: BTreeSet::new(),
        stale: Vec::new(),
        house: Arc::clone(&house),
    };
    for person in crew.dealers.iter().chain(&crew.supervisors) {
        if !person.be_in(&house).await {
            return;
        }
    }
    while crew.table().await.is_ok() {}
}

impl Crew {
    /// One table, from its opening on.
    async fn table(&mut self) -> Step {
        self.open().await?;
        for _ in 0..TURNS {
            self.turn().await?;
            self.house.tick("turns of crews");
        }
        Ok(())
    }

    async fn open(&mut self) -> Step {
        let random = &mut self.random;
        let side = *random.pick(&SIDES);
        let mut options = json!({});
        for (paytable, wager) in [("MEA", "make-em-all-progressive"), ("FUP", "fired-up")] {
            if side.contains(paytable) {
                options[format!("{wager}.meter.seed")] = json!("1000");
                options[format!("{wager}.meter.increment")] = json!("15%");
                options[format!("{wager}.meter.reserve")] = json!("5%");
            }
        }
        let mut config = json!({ "name": "Crew", "rules": ["presque-isle", side],
            "options": options, "dice": "dealer", "two_people_over": 100_000_000_000_i64 });
        if random.chance(50) {
            config["paying"] = json!(random.chance(50));
        }
        if random.chance(60) {
            config["confirm_over"] = json!(*random.pick(&[0, 10_000, 100_000]));
        }
        if random.chance(50) {
            config["confirm_jackpots"] = json!(random.chance(60));
        }
        let Some((open, client)) = self.house.client(&self.supervisors[0]).await else {
            return Err(Over);
        };
        let asked = client.post("/api/tables", &config);
        let view = self.house.timely(&open, "opening a crew's table", asked).await;
        let Some(id) = view.as_ref().and_then(|view| view.json["id"].as_str()) else {
            // The server was killed meanwhile, or there are no more tables to be had.
            return self.house.rest(Duration::from_secs(1)).await.then_some(()).ok_or(Over);
        };
        lock(&self.house.drills).push(id.to_owned());
        self.house.tick("tables of crews");
        self.table = id.to_owned();
        (self.chips, self.moved, self.stale) = Default::default();
        for seat in 0..SEATS {
            let name = ["Ann", "Bob", "Cy", "Di"][seat];
            self.must(json!({ "command": "sit", "seat": seat, "name": name })).await?;
        }
        Ok(())
    }

    async fn turn(&mut self) -> Step {
        if self.table.is_empty() {
            return self.house.rest(Duration::from_secs(1)).await.then_some(()).ok_or(Over);
        }
        self.fund().await?;
        for _ in 0..self.random.below(7) {
            self.bet().await?;
        }
        if self.random.chance(6) {
            self.pass_dice().await?;
        }
        if let Some(rolled) = self.throw().await? {
            self.pay(rolled).await?;
        }
        self.claims().await?;
        self.leave().await?;
        self.compare().await
    }

    /// The tray and the racks have enough.
    async fn fund(&mut self) -> Step {
        let view = self.view().await?;
        if view["hand"]["tray"].as_i64().unwrap_or(0) < 20_000_000 {
            self.must(json!({ "command": "fill", "amount": 50_000_000 })).await?;
            self.chips.tray += 50_000_000;
        }
        for seat in 0..SEATS {
            if Chips::of(&view).racks[seat] >= 20_000 {
                continue;
            }
            let (amount, kind) = (100_000, *self.random.pick(&["cash", "marker", "chips"]));
            let mut buy_in = json!({ "command": "buy-in", "seat": seat, "amount": amount });
            buy_in["kind"] = json!(kind);
            self.must(buy_in).await?;
            self.chips.racks[seat] += amount;
            // Chips that the player brought along come from no tray.
            self.chips.tray -= if kind == "chips" { 0 } else { amount };
        }
        Ok(())
    }

    /// A bet, if it is one.
    async fn bet(&mut self) -> Step {
        let seat = self.random.below(SEATS as u64) as usize;
        let (wager, amount) = *self.random.pick(&WAGERS);
        self.put(seat, wager, amount).await.map(drop)
    }

    async fn put(&mut self, seat: usize, wager: &str, amount: i64) -> Step<Answer> {
        let put = json!({ "command": "put", "seat": seat, "wager": wager, "amount": amount });
        let answer = self.asks(&put).await?;
        if answer.is_ok() {
            self.chips.bet(seat, amount);
        }
        Ok(answer)
    }

    /// A player goes, with their chips or without.
    async fn leave(&mut self) -> Step {
        if !self.random.chance(8) {
            return Ok(());
        }
        let seat = self.random.below(SEATS as u64) as usize;
        let kind = *self.random.pick(&["walk", "redeem", "toke", "left-behind"]);
        let rack = self.chips.racks[seat];
        let leave = json!({ "command": "leave", "seat": seat, "kind": kind });
        // Whoever has bets up stays.
        if self.asks(&leave).await?.is_ok() {
            self.chips.racks[seat] = 0;
            self.chips.tray += if kind == "redeem" { rack } else { 0 };
            self.must(json!({ "command": "sit", "seat": seat, "name": "Eve" })).await?;
        }
        Ok(())
    }

    async fn view(&self) -> Step<Value> {
        let path = format!("/api/tables/{}", self.table);
        Ok(self.house.get(&self.supervisors[0], &path).await.ok_or(Over)?.json)
    }

    /// One of the dealers asks for something in the present round.
    async fn asks(&mut self, command: &Value) -> Step<Answer> {
        let dealer = self.random.below(2) as usize;
        let round = round(&self.view().await?, command);
        let twice = self.random.chance(25);
        self.ask(&self.dealers[dealer], round, command, twice).await
    }

    /// Something that cannot be refused.
    async fn must(&mut self, command: Value) -> Step<Option<u64>> {
        match self.asks(&command).await? {
            Ok(seq) => Ok(Some(seq)),
            Err(problem) => {
                self.house.fault(format!("a crew's {command} was refused: {problem}"));
                // A crew that is out of step must not fill the report.
                self.house.rest(Duration::from_secs(2)).await;
                Ok(None)
            }
        }
    }

    /// Asks until there is an answer, under one id; `twice` also when there is one.
    async fn ask(
        &self,
        who: &Arc<Person>,
        round: Option<u64>,
        command: &Value,
        twice: bool,
    ) -> Step<Answer> {
        let id = self.house.fresh_id();
        self.house.rest(PACE).await;
        let answer = self.answer(who, &id, round, command).await?;
        if let Ok(seq) = &answer {
            let (table, person) = (self.table.clone(), who.id());
            let (id, seq) = (id.clone(), *seq);
            let command = command.to_string().into();
            self.house.acks.book(Ack { table, person, id, seq, command });
        }
        if twice {
            let again = self.answer(who, &id, round, command).await?;
            if again.as_ref().ok() != answer.as_ref().ok() {
                self.house.fault(format!("{command} was answered {answer:?}, again {again:?}"));
            }
        }
        Ok(answer)
    }

    async fn answer(
        &self,
        who: &Arc<Person>,
        id: &str,
        round: Option<u64>,
        command: &Value,
    ) -> Step<Answer> {
        loop {
            let Some((open, client)) = self.house.client(who).await else { return Err(Over) };
            let asked = client.ask(&self.table, id, round, command);
            let answer = self.house.timely(&open, "a crew", asked).await;
            let answer = answer.filter(|answer| {
                !self.house.must_wait(answer) && answer.status != 503 && answer.status != 401
            });
            if let Some(answer) = answer {
                self.house.tick("commands");
                self.house.code(if answer.status < 300 { "ack" } else { answer.code() });
                return Ok(answer.json["seq"].as_u64().ok_or(answer.json));
            }
            if !self.house.rest(Duration::from_millis(100)).await {
                return Err(Over);
            }
        }
    }
}
