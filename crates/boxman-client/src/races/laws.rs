//! What holds in the log of a table whatever people did at the same moment. It is worked out from
//! the JSON of the records and shares nothing with the server.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Answered, Race, Times};

/// A record of a table's log.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number.
    pub seq: u64,
    /// What happened, as it is written.
    pub body: Value,
}

/// Which bets and dice a table takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Open,
    Closed,
    Paying,
}

/// What began a betting round.
#[derive(Clone, Debug)]
struct Began {
    record: u64,
    what: &'static str,
    dice: Option<String>,
}

/// A log as it was read so far.
#[derive(Debug)]
pub struct Log {
    phase: Phase,
    rounds: Vec<Began>,
    /// The rounds that a throw was keyed for.
    thrown: BTreeSet<u64>,
    /// The last roll that could be taken back, and which one it was when that was asked for.
    last_roll: Option<u64>,
    asked_of: BTreeMap<u64, Option<u64>>,
    /// The record that set the configuration which waits, or else the one in force.
    configuration: u64,
    /// The last mend of each roll.
    mended: BTreeMap<u64, u64>,
    /// What is asked for and waits for a second person, and by whom.
    proposals: BTreeMap<u64, (String, Value)>,
    /// How the table is set up, and will be.
    config: Value,
    next: Value,
    /// Every command, by who sent it and its id.
    commands: BTreeMap<(String, String), u64>,
    balances: BTreeMap<String, i64>,
    /// What has left the tray into the box, less what came back, and what the cage has paid.
    sold: i64,
    /// Whoever held the dice left with this record: it may have begun a round.
    left: Option<u64>,
    broken: Vec<String>,
}

impl Default for Log {
    fn default() -> Log {
        Log {
            phase: Phase::Open,
            rounds: Vec::new(),
            thrown: BTreeSet::new(),
            last_roll: None,
            asked_of: BTreeMap::new(),
            configuration: 0,
            mended: BTreeMap::new(),
            proposals: BTreeMap::new(),
            config: Value::Null,
            next: Value::Null,
            commands: BTreeMap::new(),
            balances: BTreeMap::new(),
            sold: 0,
            left: None,
            broken: Vec::new(),
        }
    }
}

impl Log {
    /// Reads a log from its first record on.
    pub fn read(records: &[Record]) -> Log {
        let mut log = Log::default();
        records.iter().for_each(|record| log.take(record));
        log
    }

    /// Every law that is broken.
    pub fn broken(&self) -> &[String] {
        &self.broken
    }

    /// The number of the present betting round.
    pub fn round(&self) -> u64 {
        self.rounds.last().map_or(0, |round| round.record)
    }

    /// The record of a command.
    pub fn record_of(&self, by: &str, id: &str) -> Option<u64> {
        self.commands.get(&(by.to_owned(), id.to_owned())).copied()
    }

    fn wrong(&mut self, seq: u64, what: &str) {
        self.broken.push(format!("record {seq}: {what}"));
    }

    fn pays_first(&self) -> bool {
        let paying = self.config["paying"] != Value::Bool(false);
        self.follows_procedures() && paying
    }

    fn follows_procedures(&self) -> bool {
        self.config["procedures"].as_u64().unwrap_or(0) > 0
    }

    /// Takes the next record in.
    pub fn take(&mut self, record: &Record) {
        let (seq, body) = (record.seq, &record.body);
        if let (Some(by), Some(id)) = (body["by"].as_str(), body["id"].as_str())
            && let Some(first) = self.commands.insert((by.to_owned(), id.to_owned()), seq)
        {
            self.wrong(seq, &format!("the command {id} of {by} is in record {first} already"));
        }
        let Some((kind, what)) = body["what"].as_object().and_then(|what| what.iter().next())
        else {
            return self.wrong(seq, "it says nothing");
        };
        self.named(seq, body);
        match kind.as_str() {
            "opened" => {
                self.config = what["config"].clone();
                self.configuration = seq;
                self.rounds.push(Began { record: seq, what: "opened", dice: None });
            }
            "withdrawn" => drop(self.proposals.remove(&number(&what["proposal"]))),
            "agreed" => {
                match self.proposals.remove(&number(&what["proposal"])) {
                    None => self.wrong(seq, "nobody asked for what is agreed to"),
                    Some((by, _)) if Some(by.as_str()) == body["by"].as_str() => {
                        self.wrong(seq, "one person asked and agreed");
                    }
                    Some((_, proposal)) => self.agree(seq, &proposal),
                }
                self.queue(seq, &what["queued"]);
            }
            "queued" => self.queue(seq, &what["queued"]),
            _ => {}
        }
        let given_up = kind == "given-up" || !what["proposal"]["give-up"].is_null();
        for event in what["steps"].as_array().into_iter().flatten().flat_map(events) {
            self.event(seq, body, event, given_up);
        }
        if kind == "proposed" {
            let by = body["by"].as_str().unwrap_or_default().to_owned();
            self.proposals.insert(seq, (by, what["proposal"].clone()));
            self.asked_of.insert(seq, self.last_roll);
        }
        self.book(seq, &body["what"]);
        let short = self.balances.iter().find(|(account, balance)| {
            **balance < 0 && (account.starts_with("rack") || account.starts_with("action"))
        });
        if let Some((account, balance)) = short {
            let said = format!("{account} has {balance}");
            self.wrong(seq, &said);
        }
    }

    fn queue(&mut self, seq: u64, queued: &Value) {
        if !queued.is_null() {
            self.next = queued["config"].clone();
            self.configuration = seq;
        }
    }

    /// What is agreed to changes what it was meant to change.
    fn agree(&mut self, seq: u64, proposal: &Value) {
        let changes = proposal["configure"]["of"].as_u64();
        if changes.is_some_and(|changes| changes != self.configuration) {
            let now = self.configuration;
            self.wrong(seq, &format!("it changes configuration {changes:?}, and not {now}"));
        }
        let mend = &proposal["mend"];
        if let Some(of) = mend["question"]["of"].as_u64()
            && let last = self.mended.insert(of, seq)
            && mend["after"].as_u64() != last
        {
            self.wrong(seq, &format!("a mend of roll {of} does not count the mend {last:?}"));
        }
    }

    /// A command that names its round lies in it.
    fn named(&mut self, seq: u64, body: &Value) {
        let Some(named) = body["round"].as_u64() else { return };
        if self.left == Some(named) {
            self.begin(named, "dice-passed", None);
        }
        if named != self.round() {
            let round = self.round();
            self.wrong(seq, &format!("it was meant for round {named} and lies in round {round}"));
        }
    }

    fn begin(&mut self, record: u64, what: &'static str, dice: Option<&Value>) {
        self.rounds.retain(|round| round.record != record);
        let dice = dice.and_then(Value::as_str).map(str::to_owned);
        self.rounds.push(Began { record, what, dice });
        self.left = None;
    }

    /// No bet and no throw while the last roll may be taken back.
    fn is_considered(&self) -> bool {
        let about_the_roll = |(_, proposal): &(String, Value)| {
            !proposal["void"].is_null() || !proposal["correct"].is_null()
        };
        self.proposals.values().any(about_the_roll)
    }

    fn event(&mut self, seq: u64, body: &Value, event: (&str, &Value), given_up: bool) {
        let (name, what) = event;
        let plays = matches!(
            name,
            "put" | "called" | "betting-closed" | "betting-opened" | "rolled" | "no-roll"
        );
        if plays && self.is_considered() {
            self.wrong(seq, &format!("{name} while the last roll may be taken back"));
        }
        let denied = |(_, proposal): &(String, Value)| {
            proposal["deny"]["claim"].as_u64() == Some(number(&what["award"]["id"]))
        };
        if name == "released" && self.proposals.values().any(denied) {
            self.wrong(seq, "an award is paid while its denial is asked for");
        }
        let expected = match name {
            "put" | "called" | "betting-closed" => Some(Phase::Open),
            "took" if !given_up => Some(Phase::Open),
            "rolled" | "no-roll" => Some(Phase::Closed),
            "betting-opened" => Some(Phase::Paying),
            _ => None,
        };
        if expected.is_some_and(|phase| phase != self.phase) {
            self.wrong(seq, &format!("{name} while betting is {:?}", self.phase));
        }
        match name {
            "betting-closed" => self.phase = Phase::Closed,
            "rolled" => {
                let round = self.round();
                if !self.thrown.insert(round) {
                    self.wrong(seq, &format!("round {round} has a second throw"));
                }
                self.rolled(seq, body, "rolled", &what["roll"]);
            }
            "voided" => self.rolled(seq, body, "voided", &what["roll"]),
            "corrected" => self.rolled(seq, body, "corrected", &what["rolled"]["roll"]),
            "no-roll" => {
                self.phase = Phase::Open;
                self.begin(seq, "no-roll", None);
            }
            "dice-passed" => self.begin(seq, "dice-passed", None),
            "left" => self.left = Some(seq),
            "configured" => {
                self.config = std::mem::take(&mut self.next);
                self.begin(seq, "configured", None);
            }
            "paying-begun" => self.phase = Phase::Paying,
            "betting-opened" => self.phase = Phase::Open,
            _ => {}
        }
        self.sell(name, what);
    }

    fn rolled(&mut self, seq: u64, body: &Value, what: &'static str, dice: &Value) {
        self.begin(seq, what, Some(dice));
        self.phase = Phase::Open;
        self.last_roll = (what != "voided").then_some(seq);
        let begins = |step: &Value| events(step).any(|(name, _)| name == "paying-begun");
        let (_, entry) = body["what"].as_object().and_then(|what| what.iter().next()).unzip();
        let steps = entry.and_then(|entry| entry["steps"].as_array());
        let paid_first = steps.is_some_and(|steps| steps.iter().any(begins));
        if paid_first != self.pays_first() {
            self.wrong(seq, &format!("{what}, and whether it is paid first is {paid_first}"));
        }
    }

    /// What leaves the tray without a posting of its own.
    fn sell(&mut self, name: &str, what: &Value) {
        let kind = what["kind"].as_str().unwrap_or_default();
        let chips = what["postings"].as_array().into_iter().flatten();
        let to_cage = chips.filter(|posting| posting[0] == "cage").map(|posting| &posting[1]);
        let to_cage: i64 = to_cage.filter_map(Value::as_i64).sum();
        match (name, kind) {
            ("bought-in", "chips") => {}
            ("bought-in", _) => self.sold += to_cage,
            ("cashed-out" | "left", "redeem" | "jackpot") => self.sold += to_cage,
            _ => {}
        }
    }

    /// Every list of postings comes to nothing.
    fn book(&mut self, seq: u64, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    let Some(postings) = value.as_array().filter(|_| name == "postings") else {
                        self.book(seq, value);
                        continue;
                    };
                    let mut sum = 0;
                    for posting in postings {
                        let account = posting[0].as_str().unwrap_or_default().to_owned();
                        let amount = posting[1].as_i64().unwrap_or(0);
                        *self.balances.entry(account).or_default() += amount;
                        sum += amount;
                    }
                    if sum != 0 {
                        self.wrong(seq, &format!("its postings come to {sum}"));
                    }
                }
            }
            Value::Array(all) => all.iter().for_each(|value| self.book(seq, value)),
            _ => {}
        }
    }

    fn balance(&self, account: &str) -> i64 {
        self.balances.get(account).copied().unwrap_or(0)
    }

    /// What differs between the log and a table as its crew sees it after the last record.
    pub fn compare(&self, view: &Value) -> Vec<String> {
        let mut broken = Vec::new();
        let mut differs = |what: &str, log: i64, shown: i64| {
            if log != shown {
                broken.push(format!("{what} is {log} by the log, the table shows {shown}"));
            }
        };
        let seats: Vec<&Value> = view["seats"].as_array().into_iter().flatten().collect();
        for place in 0..24_u64 {
            let seat = seats.iter().find(|seat| seat["seat"] == place);
            let rack = seat.map_or(0, |seat| seat["rack"].as_i64().unwrap_or(0));
            let bets = seat.and_then(|seat| seat["bets"].as_array()).into_iter().flatten();
            let outlay =
                |bet: &Value| bet["stake"].as_i64().unwrap_or(0) + bet["vig"].as_i64().unwrap_or(0);
            let up = bets.map(outlay).sum();
            differs(&format!("rack {place}"), self.balance(&format!("rack {place}")), rack);
            differs(&format!("action {place}"), self.balance(&format!("action {place}")), up);
        }
        let hand = &view["hand"];
        if let Some(tray) = hand["tray"].as_i64().filter(|_| self.follows_procedures()) {
            let accounts = ["bank", "house", "breakage", "clearing", "held"];
            let sum: i64 = accounts.into_iter().map(|account| self.balance(account)).sum();
            differs("the tray", sum + self.sold, tray);
        }
        if self.left.is_none() && hand["round"].as_u64() != Some(self.round()) {
            broken.push(format!("the round is {}, the table shows {hand}", self.round()));
        }
        broken
    }
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

/// The events of a step, each with its name.
fn events(step: &Value) -> impl Iterator<Item = (&str, &Value)> {
    let events = step["events"].as_array().into_iter().flatten();
    events.flat_map(|event| match event {
        Value::String(name) => Some((name.as_str(), &Value::Null)),
        Value::Object(fields) => fields.iter().next().map(|(name, what)| (name.as_str(), what)),
        _ => None,
    })
}

/// What is wrong with the answers to those who took part in a race. `person` gives the name that
/// the server has for somebody, `late` says whether a copy of a command arrived after its sender
/// had turned away: such a copy may be obeyed though another was refused.
pub fn of_answers(
    race: &Race,
    log: &Log,
    answers: &[Answered],
    person: impl Fn(&str) -> String,
    late: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut broken: Vec<String> = answers.iter().filter_map(|a| a.contradiction.clone()).collect();
    for answer in answers {
        let Answered { id, who, command, acks, refusals, .. } = answer;
        let found = log.record_of(&person(who), id);
        match acks.first() {
            Some(_) if acks.iter().any(|seq| Some(*seq) != found) => {
                broken.push(format!("{id} was acknowledged as {acks:?}, the log has {found:?}"));
            }
            Some(seq) => {
                let last = log.asked_of.get(seq).copied().flatten();
                let word = command["command"].as_str();
                let of = command["of"].as_u64();
                if matches!(word, Some("void" | "correct")) && of != last {
                    broken.push(format!("{who}'s {command} was asked of roll {last:?}"));
                }
            }
            None if refusals.is_empty() => broken.push(format!("{id} was never answered")),
            None if found.is_some() && !late(id) => {
                broken.push(format!("{id} was refused, the log has {found:?}: {refusals:?}"));
            }
            _ => {}
        }
        for problem in refusals {
            let code = problem["code"].as_str().unwrap_or_default();
            if !race.codes.contains(&code) {
                broken.push(format!("{who}'s {command} was refused as {problem}"));
            }
            if code == "other-roll" {
                let named = command["of"].as_u64().or(answer.round);
                broken.extend(instead(log, named, problem).map(|said| format!("{id}: {said}")));
            }
        }
    }
    for (deed, times) in &race.deeds {
        let of_deed = answers.iter().filter(|answer| answer.deed == Some(deed));
        let done =
            of_deed.filter(|answer| log.record_of(&person(answer.who), &answer.id).is_some());
        match (done.count(), times) {
            (1, _) | (0, Times::AtMostOnce) => {}
            (done, _) => broken.push(format!("{deed} was done {done} times")),
        }
    }
    broken
}

/// A refusal says what happened instead, and that is what the log says.
fn instead(log: &Log, named: Option<u64>, problem: &Value) -> Option<String> {
    let named = named?;
    let came = problem["came"].as_array().cloned().unwrap_or_default();
    let last = came.last().map_or(0, |came| number(&came["record"]));
    if problem["round"].as_u64() != Some(last) {
        return Some(format!("the round of {problem} is not what came last"));
    }
    let since: Vec<&Began> =
        log.rounds.iter().filter(|round| round.record > named && round.record <= last).collect();
    // A correction is told with the dice that it has now, a void with those that do not count.
    let same = |(round, came): (&&Began, &Value)| {
        round.record == number(&came["record"])
            && came["what"] == round.what
            && round.dice.as_deref() == came["dice"].as_str()
    };
    let told = since.len() == came.len() && since.iter().zip(&came).all(same);
    let words = problem["detail"].as_str().is_some_and(|detail| detail.contains("too late"));
    (!told || !words).then(|| format!("{problem} does not say that {since:?} came instead"))
}

/// What is wrong at the table of a race: the laws its log breaks, and what it shows otherwise.
pub fn at_the_table(log: &Log, views: &[Value]) -> Vec<String> {
    let mut broken = log.broken().to_vec();
    broken.extend(views.iter().flat_map(|view| log.compare(view)));
    let shown = |view: &Value| (view["seq"].clone(), view["seats"].clone(), view["hand"].clone());
    if let Some(pair) = views.windows(2).find(|pair| shown(&pair[0]) != shown(&pair[1])) {
        broken.push(format!("two people see {} and {}", pair[0], pair[1]));
    }
    broken
}
