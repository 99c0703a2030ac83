//! Plays a race: each person acts when it suits them, sends some commands twice, and sends a
//! command again under its id until there is an answer.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};

use super::{Act, Moment, Race};
use crate::random::Random;

/// A command is sent again for this long, and then given up.
const GIVE_UP: Duration = Duration::from_secs(60);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(50);
/// In a hundred commands so many are sent twice.
const TWICE: u64 = 40;

/// How people reach the server.
pub trait Line: Sync {
    /// Sends a command to a table: the status and what the server says, if it says anything.
    fn ask(
        &self,
        random: &mut Random,
        who: &str,
        table: &str,
        ask: &Value,
    ) -> impl Future<Output = Option<(u16, Value)>> + Send;

    /// Looks at a table.
    fn look(
        &self,
        random: &mut Random,
        who: &str,
        table: &str,
    ) -> impl Future<Output = Option<Value>> + Send;
}

/// The records that have been noted; none for an act that was refused or left out.
pub type Known = BTreeMap<&'static str, Option<u64>>;

/// What became of an act.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The id it was sent with.
    pub id: String,
    /// Who did it.
    pub who: &'static str,
    /// The command.
    pub command: Value,
    /// The round it named.
    pub round: Option<u64>,
    /// What it does, where others ask for the same.
    pub deed: Option<&'static str>,
    /// The records that it was acknowledged as: one for each time.
    pub acks: Vec<u64>,
    /// The problems that it was refused with.
    pub refusals: Vec<Value>,
    /// A contradiction between two answers.
    pub contradiction: Option<String>,
}

impl Answered {
    /// Whether the table did it.
    pub fn is_done(&self) -> bool {
        !self.acks.is_empty()
    }
}

/// One race at one table.
struct Course<'a, L> {
    line: &'a L,
    table: &'a str,
    /// The round in which it began.
    began: u64,
    known: Mutex<Known>,
    settled: Mutex<Vec<&'static str>>,
}

/// Prepares the table of a race. Nothing may be refused.
pub async fn prepare<L: Line>(race: &Race, line: &L, table: &str) -> Result<Known, String> {
    let known = Mutex::default();
    let course = Course { line, table, began: 0, known, settled: Mutex::default() };
    let mut random = Random::new(0, 0);
    for (number, act) in race.setup.iter().enumerate() {
        let id = format!("{table}-setup-{number}");
        let ready = course.ready(&mut random, act).await;
        let (command, round) = ready.ok_or_else(|| format!("{}: no {:?}", race.name, act))?;
        match course.copy(&mut random, act.who, &ask(&id, &command, round)).await {
            Some(Ok(seq)) => course.note(act, Some(seq)),
            other => return Err(format!("{}: {command} came to {other:?}", race.name)),
        }
    }
    Ok(course.known.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Plays a race at a table that was prepared for it.
pub async fn play<L: Line>(
    race: &Race,
    line: &L,
    table: &str,
    known: Known,
    seed: u64,
) -> Vec<Answered> {
    let mut random = Random::new(seed, 0);
    let began = loop {
        let view = line.look(&mut random, "dan", table).await;
        if let Some(round) = view.and_then(|view| view["hand"]["round"].as_u64()) {
            break round;
        }
        sleep(PAUSE).await;
    };
    let known = Mutex::new(known);
    let course = Course { line, table, began, known, settled: Mutex::default() };
    let people = race.people.iter().zip(1..);
    let people = people.map(|(acts, number)| course.act(acts, number, Random::new(seed, number)));
    join_all(people).await.into_iter().flatten().collect()
}

fn ask(id: &str, command: &Value, round: Option<u64>) -> Value {
    let mut ask = json!({ "id": id, "command": command });
    if let Some(round) = round {
        ask["round"] = json!(round);
    }
    ask
}

impl<L: Line> Course<'_, L> {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settled(&self) -> MutexGuard<'_, Vec<&'static str>> {
        self.settled.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, act: &Act, seq: Option<u64>) {
        if let Some(name) = act.noted {
            self.known().insert(name, seq);
            self.settled().push(name);
        }
    }

    /// One person does one thing after the other.
    async fn act(&self, acts: &[Act], number: u64, mut random: Random) -> Vec<Answered> {
        let mut answered = Vec::new();
        for (place, act) in acts.iter().enumerate() {
            while act.after.is_some_and(|name| !self.settled().contains(&name)) {
                sleep(PAUSE).await;
            }
            let Some((command, round)) = self.ready(&mut random, act).await else {
                self.note(act, None);
                continue;
            };
            sleep(Duration::from_millis(random.between(act.delay.0, act.delay.1))).await;
            let id = format!("{}-{number}-{place}", self.table);
            let done = self.send(&mut random, act, id, command, round).await;
            self.note(act, done.acks.first().copied());
            answered.push(done);
        }
        answered
    }

    /// The command with the numbers that the person knows; none if there are none.
    async fn ready(&self, random: &mut Random, act: &Act) -> Option<(Value, Option<u64>)> {
        let mut command = act.command.clone();
        for field in ["of", "proposal"] {
            let Some(name) = command[field].as_str().and_then(|text| text.strip_prefix('$')) else {
                continue;
            };
            let seq = loop {
                let known = self.known().get(name).copied();
                match known {
                    Some(seq) => break seq?,
                    None => sleep(PAUSE).await,
                }
            };
            command[field] = json!(seq);
        }
        let sees = act.round == Moment::Seen || command["config"].is_object();
        let view = match sees {
            true => self.look(random, act.who).await?,
            false => Value::Null,
        };
        if command["config"].is_object() {
            configure(&mut command, &view);
        }
        let round = match act.round {
            Moment::Unnamed => None,
            Moment::Seen => view["hand"]["round"].as_u64(),
            Moment::Held => Some(self.began),
        };
        Some((command, round))
    }

    async fn look(&self, random: &mut Random, who: &str) -> Option<Value> {
        let until = Instant::now() + GIVE_UP;
        while Instant::now() < until {
            if let Some(view) = self.line.look(random, who, self.table).await {
                return Some(view);
            }
            sleep(PAUSE).await;
        }
        None
    }

    /// Sends a command, perhaps twice at once, and perhaps once more after it was answered.
    async fn send(
        &self,
        random: &mut Random,
        act: &Act,
        id: String,
        command: Value,
        round: Option<u64>,
    ) -> Answered {
        let ask = ask(&id, &command, round);
        let mut second = Random::new(random.next(), 1);
        let twice = random.chance(TWICE);
        let wait = Duration::from_millis(random.below(700));
        let copy = async {
            if !twice {
                return None;
            }
            sleep(wait).await;
            self.copy(&mut second, act.who, &ask).await
        };
        let (one, other) = join(self.copy(random, act.who, &ask), copy).await;
        let (mut acks, mut refusals) = (Vec::new(), Vec::new());
        for answer in [one, other].into_iter().flatten() {
            match answer {
                Ok(seq) => acks.push(seq),
                Err(problem) => refusals.push(problem),
            }
        }
        let mut contradiction = None;
        if let Some(seq) = acks.first().copied().filter(|_| random.chance(30)) {
            match self.copy(random, act.who, &ask).await {
                Some(Ok(again)) if again == seq => {}
                None => {}
                Some(other) => {
                    let said = format!("{id} was acknowledged as {seq}, and then came {other:?}");
                    contradiction = Some(said);
                }
            }
        }
        let (who, deed) = (act.who, act.deed);
        Answered { id, who, command, round, deed, acks, refusals, contradiction }
    }

    /// One copy of a command, until it is answered.
    async fn copy(
        &self,
        random: &mut Random,
        who: &str,
        ask: &Value,
    ) -> Option<Result<u64, Value>> {
        let until = Instant::now() + GIVE_UP;
        while Instant::now() < until {
            match self.line.ask(random, who, self.table, ask).await {
                Some((200, said)) => return Some(Ok(said["seq"].as_u64().unwrap_or(0))),
                Some((400..=428 | 430..=499, problem)) => return Some(Err(problem)),
                // Not now, or nobody knows: the same again.
                _ => sleep(PAUSE).await,
            }
        }
        None
    }
}

/// The table's configuration with what is to be different.
fn configure(command: &mut Value, view: &Value) {
    let mut config = view["config"].clone();
    for (name, value) in command["config"].as_object().into_iter().flatten() {
        if name != "$" {
            config[name] = value.clone();
        }
    }
    command["config"] = config;
    if let Some(configuration) = view["hand"]["configuration"].as_u64() {
        command["of"] = json!(configuration);
    }
}

/// Whatever has happened, the crew can go on: what waits is withdrawn or confirmed, the last roll
/// is paid, and the next one is booked.
pub async fn go_on<L: Line>(line: &L, table: &str, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed, 99);
    let known = Mutex::default();
    let course = Course { line, table, began: 0, known, settled: Mutex::default() };
    let mut last = String::new();
    for turn in 0..40 {
        let Some(view) = course.look(&mut random, "dan").await else { break };
        let (who, command) = next(&view);
        let round = view["hand"]["round"].as_u64();
        let ask = ask(&format!("{table}-after-{turn}"), &command, round);
        match course.copy(&mut random, who, &ask).await {
            Some(Ok(_)) if command["command"] == "key-roll" => return Ok(()),
            Some(Ok(_)) => {}
            other => last = format!("{command} came to {other:?}"),
        }
        sleep(PAUSE).await;
    }
    Err(format!("the crew of table {table} cannot go on: {last}"))
}

/// What a crew does next so that the dice are thrown.
fn next(view: &Value) -> (&'static str, Value) {
    let hand = &view["hand"];
    let first = |part: &str| hand[part].as_array().and_then(|all| all.first().cloned());
    if let Some(waits) = first("proposals") {
        let proposal = &waits["proposal"];
        let mut withdraw = json!({ "command": "withdraw", "proposal": proposal });
        if hand["configuration"].is_u64() {
            withdraw["reason"] = json!("nobody agrees");
        }
        return ("sid", withdraw);
    }
    if let Some(claim) = first("claims") {
        let mut checklist = claim["checklist"].as_array().into_iter().flatten();
        if let Some(open) = checklist.find(|line| line["by"].is_null()) {
            let (claim, item) = (&claim["claim"], &open["item"]);
            return ("dee", json!({ "command": "check", "claim": claim, "item": item }));
        }
        return ("sid", json!({ "command": "confirm-claim", "claim": claim["claim"] }));
    }
    if hand["status"] == "paused" {
        return ("sid", json!({ "command": "resume" }));
    }
    match hand["phase"].as_str() {
        Some("paying") => ("dan", json!({ "command": "open-betting" })),
        Some("closed") => ("dan", json!({ "command": "key-roll", "dice": "3-3" })),
        _ => {
            let shooter = hand["shooter"].as_u64().unwrap_or(0);
            let mut seats = view["seats"].as_array().into_iter().flatten();
            let seat = seats.find(|seat| seat["seat"] == shooter);
            let bets = seat.and_then(|seat| seat["bets"].as_array().cloned()).unwrap_or_default();
            match bets.iter().any(|bet| bet["wager"] == "pass") {
                true => ("dan", json!({ "command": "close-betting" })),
                false => {
                    let put = json!({ "command": "put", "seat": shooter, "wager": "pass",
                        "amount": 1_000 });
                    ("dan", put)
                }
            }
        }
    }
}
