//! Throws: both consoles say what the dice showed, and it is booked once.

use boxman_client::{Value, json};

use super::{Answer, Crew, Step};
use crate::commands::{dice, faces};

impl Crew {
    /// Betting closes and the dice are thrown; none if the throw did not count.
    pub(super) async fn throw(&mut self) -> Step<Option<u64>> {
        let close = json!({ "command": "close-betting" });
        if self.asks(&close).await?.is_err() {
            // Somebody has to shoot.
            let shooter = self.view().await?["hand"]["shooter"].as_u64().unwrap_or(0);
            let put = self.put(shooter as usize, "pass", 1_000).await?;
            if let Err(problem) = self.asks(&close).await? {
                let house = &self.house;
                house.fault(format!("a crew cannot close betting: {problem} after {put:?}"));
                return Ok(None);
            }
        }
        let view = self.view().await?;
        let round = view["hand"]["round"].as_u64();
        self.too_late().await?;
        let thrown = self.dice();
        let key = |dice: &str| json!({ "command": "key-roll", "dice": dice });
        let second = match self.random.below(10) {
            0 => json!({ "command": "no-roll" }),
            1 | 2 => key(&dice(&mut self.random)),
            _ => key(&thrown),
        };
        let first = match self.random.chance(8) {
            true => json!({ "command": "no-roll" }),
            false => key(&thrown),
        };
        let booked = self.both(round, &first, &second).await?;
        let Some((seq, command)) = booked else { return Ok(None) };
        // A console that was asleep may still confirm that throw.
        if let Some(round) = round {
            self.stale.push((round, key(&thrown)));
            self.stale.push((round, json!({ "command": "close-betting" })));
        }
        Ok((command["command"] == "key-roll").then_some(seq))
    }

    /// Two faces. Sevens come seldom, so that side bets are won and wait for a supervisor.
    fn dice(&mut self) -> String {
        let total = self.random.between(2, 12);
        match total != 7 && self.random.chance(70) {
            true => faces(total),
            false => dice(&mut self.random),
        }
    }

    /// Both dealers say at the same moment what has happened: one of them is obeyed, and the
    /// other one reads what happened instead.
    pub(super) async fn both(
        &mut self,
        round: Option<u64>,
        first: &Value,
        second: &Value,
    ) -> Step<Option<(u64, Value)>> {
        let wait = std::time::Duration::from_millis(self.random.below(60));
        let (one, two) = (self.random.chance(25), self.random.chance(25));
        let [dan, dee] = &self.dealers;
        let late = async {
            tokio::time::sleep(wait).await;
            self.ask(dee, round, second, two).await
        };
        let (one, other) = tokio::join!(self.ask(dan, round, first, one), late);
        let (one, other): (Answer, Answer) = (one?, other?);
        let (seq, done, problem) = match (one, other) {
            (Ok(seq), Err(problem)) => (seq, first, problem),
            (Err(problem), Ok(seq)) => (seq, second, problem),
            (one, other) => {
                let both = format!("{first} and {second} of one moment came to");
                self.house.fault(format!("{both} {one:?} and {other:?}"));
                return Ok(None);
            }
        };
        let came = &problem["came"][0];
        let told = problem["code"] == "other-roll" && came["record"] == json!(seq);
        let dice = done["command"] != "key-roll" || came["dice"] == done["dice"];
        if !told || !dice {
            self.house.fault(format!("{done} was booked as {seq}, the other heard {problem}"));
        }
        self.house.tick("throws of two consoles");
        Ok(Some((seq, done.clone())))
    }

    /// Both dealers pass the dice, where that may be done: they go once.
    pub(super) async fn pass_dice(&mut self) -> Step {
        let hand = self.view().await?["hand"].clone();
        let pass = json!({ "command": "pass-dice" });
        if !hand["puck"].is_null() || hand["rolls"] == 0 {
            return Ok(());
        }
        let round = hand["round"].as_u64();
        let (one, two) = (self.random.chance(25), self.random.chance(25));
        let [dan, dee] = &self.dealers;
        let (one, two) =
            tokio::join!(self.ask(dan, round, &pass, one), self.ask(dee, round, &pass, two));
        match (one?, two?) {
            (Ok(_), Ok(_)) => self.house.fault("the dice were passed twice"),
            (Err(_), Err(_)) => {}
            _ => self.house.tick("dice passed by two consoles"),
        }
        self.work_off().await
    }

    /// A console that was asleep sends what was meant for a round that is over.
    pub(super) async fn too_late(&mut self) -> Step {
        if !self.random.chance(50) {
            return Ok(());
        }
        while self.stale.len() > 6 {
            self.stale.remove(0);
        }
        let Some((round, command)) = self.random.some(&self.stale).cloned() else {
            return Ok(());
        };
        match self.ask(&self.dealers[1], Some(round), &command, false).await? {
            Err(problem) if problem["code"] == "other-roll" => self.house.tick("told too late"),
            answer => {
                let house = &self.house;
                house.fault(format!("{command} of round {round} was too late, and is {answer:?}"));
            }
        }
        Ok(())
    }
}
