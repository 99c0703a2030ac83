//! Every acknowledgement there was. After each restart some of them are asked for again, by
//! sending the same command under the same id, and by reading the record; and another command
//! under a used id must be refused.

use std::collections::HashMap;
use std::sync::Mutex;

use boxman_client::{Random, Value, json};

use crate::house::{House, lock};
use crate::people::named;

/// So many of the last before a restart are asked for again, and so many of all the others.
const LATEST: usize = 60;
const EARLIER: u64 = 40;

/// A command that was acknowledged.
#[derive(Clone, Debug)]
pub(crate) struct Ack {
    pub(crate) table: String,
    pub(crate) person: String,
    pub(crate) id: String,
    pub(crate) seq: u64,
    pub(crate) command: Box<str>,
}

/// A command that left and was not answered: it may have been accepted or not.
#[derive(Clone, Debug)]
pub(crate) struct Doubt {
    pub(crate) table: String,
    pub(crate) person: String,
    pub(crate) id: String,
    pub(crate) round: Option<u64>,
    pub(crate) command: Value,
}

/// All of them.
#[derive(Default)]
pub(crate) struct Acks {
    all: Mutex<Vec<Ack>>,
    doubts: Mutex<Vec<Doubt>>,
}

impl Acks {
    pub(crate) fn book(&self, ack: Ack) {
        lock(&self.all).push(ack);
    }

    pub(crate) fn doubt(&self, doubt: Doubt) {
        lock(&self.doubts).push(doubt);
    }

    pub(crate) fn len(&self) -> usize {
        lock(&self.all).len()
    }

    /// By table: the record of each person's id.
    pub(crate) fn by_table(&self) -> HashMap<String, Vec<Ack>> {
        let mut tables: HashMap<String, Vec<Ack>> = HashMap::new();
        for ack in lock(&self.all).iter() {
            tables.entry(ack.table.clone()).or_default().push(ack.clone());
        }
        tables
    }

    /// The latest, and others at random.
    fn sample(&self, random: &mut Random) -> Vec<Ack> {
        let all = lock(&self.all);
        let latest = all.len().saturating_sub(LATEST);
        let mut sample = all[latest..].to_vec();
        for _ in 0..EARLIER.min(latest as u64) {
            sample.push(all[random.below(latest as u64) as usize].clone());
        }
        sample
    }
}

/// Looks after a restart whether what was acknowledged is still so.
pub(crate) async fn check(house: &House, random: &mut Random) {
    settle_doubts(house).await;
    for ack in house.acks.sample(random) {
        let person = lock(&house.people).get(&ack.person).cloned();
        let command = serde_json::from_str(&ack.command).unwrap_or_default();
        let again = match person.as_ref() {
            Some(person) => ask_again(house, person, &ack, &command).await,
            None => None,
        };
        match again {
            Some(Again::Seq(seq)) if seq == ack.seq => house.tick("acks asked again"),
            Some(Again::Seq(seq)) => house
                .fault(format!("{ack:?} was acknowledged as record {}, and now as {seq}", ack.seq)),
            Some(Again::Code(code)) => {
                house.fault(format!("{ack:?} was acknowledged, and is now refused: {code}"));
            }
            // Whoever has gone home cannot ask; the record is there all the same.
            None => read_record(house, &ack).await,
        }
        if let Some(person) = person.filter(|_| random.chance(25)) {
            let other = match command["command"] == "no-roll" {
                true => json!({ "command": "pause" }),
                false => json!({ "command": "no-roll" }),
            };
            match ask_again(house, &person, &ack, &other).await {
                Some(Again::Code(code)) if code == "id-reused" => house.tick("ids refused"),
                Some(again) => {
                    house.fault(format!("{other} under the id of {ack:?} was answered {again:?}"));
                }
                None => {}
            }
        }
    }
}

/// What came of asking again.
#[derive(Debug)]
enum Again {
    Seq(u64),
    Code(String),
}

async fn ask_again(
    house: &House,
    person: &crate::people::Person,
    ack: &Ack,
    command: &Value,
) -> Option<Again> {
    if person.id() != ack.person {
        return None;
    }
    let (open, client) = house.client(person).await?;
    let asked = client.command(&ack.table, &ack.id, command);
    let answer = house.timely(&open, "a command sent again", asked).await?;
    if house.must_wait(&answer) || answer.status == 401 {
        return None;
    }
    Some(match answer.json["seq"].as_u64() {
        Some(seq) => Again::Seq(seq),
        None => Again::Code(answer.code().to_owned()),
    })
}

async fn read_record(house: &House, ack: &Ack) {
    let path = format!("/api/tables/{}/records?after={}&limit=1", ack.table, ack.seq - 1);
    let Some(answer) = house.get(&named(house, "checks"), &path).await else { return };
    let body = &answer.json[0]["body"];
    match body["id"] == *ack.id && body["by"] == *ack.person {
        true => house.tick("acks read"),
        false => house.fault(format!("{ack:?} is not in its record: {}", answer.text)),
    }
}

/// Commands that were under way when the server went away are sent again, as a client in doubt
/// does. Whatever the answer, it is the only one from now on.
async fn settle_doubts(house: &House) {
    let doubts = std::mem::take(&mut *lock(&house.acks.doubts));
    for doubt in doubts {
        let Some(person) = lock(&house.people).get(&doubt.person).cloned() else { continue };
        let Some((open, client)) = house.client(&person).await else { return };
        let asked = client.ask(&doubt.table, &doubt.id, doubt.round, &doubt.command);
        let Some(answer) = house.timely(&open, "a command in doubt", asked).await else { continue };
        house.tick("doubts settled");
        house.code(if answer.status < 300 { "ack" } else { answer.code() });
        if let Some(seq) = answer.json["seq"].as_u64() {
            let Doubt { table, person, id, command, .. } = doubt;
            let command = command.to_string().into();
            house.acks.book(Ack { table, person, id, seq, command });
        }
    }
}
