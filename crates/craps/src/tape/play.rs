//! Playing a tape: every step is obeyed or refused, every assertion is checked, all of it kept.

use std::sync::Arc;

use super::{Expect, Kind, Setup, Tape};
use crate::account::{Account, Seat};
use crate::catalogue::progress;
use crate::dice::Totals;
use crate::floor::{Floor, FloorEvent};
use crate::meter::Meter;
use crate::money::Cents;
use crate::notation;
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::table::{Command, Table};

/// What became of a tape.
#[derive(Clone, Debug)]
pub struct Played {
    /// The floor at the end: one table, and its meters.
    pub floor: Floor,
    /// Every step and what it did.
    pub entries: Vec<Entry>,
    /// Every assertion that did not hold.
    pub failures: Vec<Failure>,
}

/// One step of a tape and what it did.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line of the tape.
    pub line: usize,
    /// What the line says.
    pub text: String,
    /// What happened.
    pub events: Vec<FloorEvent>,
    /// Why nothing happened.
    pub refusal: Option<Refusal>,
    /// The rules that the table goes over to by it.
    pub rules: Option<Arc<Rules>>,
    /// The rack of every player afterwards, in the order of the seats.
    pub racks: Vec<(Seat, Cents)>,
}

/// Something a tape said that was not so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The line of the tape.
    pub line: usize,
    /// What the line says.
    pub text: String,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub got: String,
}

const TABLE: u32 = 0;

pub(super) fn play(tape: &Tape) -> Played {
    let mut floor = Floor::confirming(tape.setup.confirm).with_shooter(tape.shooter);
    floor.open(tape.rules.clone()).expect("a new floor has no meters");
    for (meter, amount) in &tape.setup.presets {
        floor.preset(meter, *amount);
    }
    let mut played = Played { floor, entries: Vec::new(), failures: Vec::new() };
    for step in &tape.steps {
        let fail = |expected: String, got: String| Failure {
            line: step.line,
            text: step.text.clone(),
            expected,
            got,
        };
        let mut entry = Entry {
            line: step.line,
            text: step.text.clone(),
            events: Vec::new(),
            refusal: None,
            rules: None,
            racks: Vec::new(),
        };
        let done = match &step.kind {
            Kind::Do(commands) => Some(obey(&mut played.floor, commands)),
            Kind::Configure(setup) => Some(configure(&mut played.floor, setup)),
            Kind::Refuse { .. } | Kind::Expect(_) => None,
        };
        match done {
            Some(Ok(events)) => entry.events = events,
            Some(Err(refusal)) => {
                let got = format!("refused, {}: {refusal}", refusal.code());
                played.failures.push(fail("accepted".to_owned(), got));
                entry.refusal = Some(refusal);
            }
            None => {}
        }
        match &step.kind {
            Kind::Do(_) => {}
            Kind::Configure(setup) => {
                entry.rules = entry.refusal.is_none().then(|| Arc::clone(&setup.rules));
            }
            Kind::Refuse { commands, code } => match obey(&mut played.floor, commands) {
                Ok(events) => {
                    let code = code.as_deref().unwrap_or("for any reason");
                    let expected = format!("refused, {code}");
                    played.failures.push(fail(expected, "accepted".to_owned()));
                    entry.events = events;
                }
                Err(refusal) => {
                    if let Some(code) = code.as_deref().filter(|code| *code != refusal.code()) {
                        let got = format!("refused, {}: {refusal}", refusal.code());
                        played.failures.push(fail(format!("refused, {code}"), got));
                    }
                    entry.refusal = Some(refusal);
                }
            },
            Kind::Expect(expect) => {
                let (expected, got) = compare(&played.floor, expect);
                if expected != got {
                    played.failures.push(fail(expected, got));
                }
                continue;
            }
        }
        let table = played.floor.table(TABLE);
        entry.racks = table.players().map(|(seat, _)| (seat, table.rack(seat))).collect();
        played.entries.push(entry);
    }
    played
}

/// Obeys all commands of a step or none.
fn obey(floor: &mut Floor, commands: &[Command]) -> Result<Vec<FloorEvent>, Refusal> {
    let mut after = floor.clone();
    let mut events = Vec::new();
    for command in commands {
        let throws = matches!(command, Command::Roll { .. } | Command::NoRoll);
        if throws && after.table(TABLE).is_betting_open() {
            events.extend(after.obey(TABLE, &Command::CloseBetting)?);
        }
        events.extend(after.obey(TABLE, command)?);
    }
    *floor = after;
    Ok(events)
}

/// Has the table go over to other rules, or changes nothing.
fn configure(floor: &mut Floor, setup: &Setup) -> Result<Vec<FloorEvent>, Refusal> {
    let mut after = floor.clone();
    let events = after.configure(TABLE, Arc::clone(&setup.rules))?;
    for (meter, amount) in &setup.presets {
        after.preset(meter, *amount);
    }
    after.confirm_from_now(setup.confirm);
    *floor = after;
    Ok(events)
}

/// What a tape expects and what is there, in the same words.
fn compare(floor: &Floor, expect: &Expect) -> (String, String) {
    let (table, rules) = (floor.table(TABLE), floor.rules(TABLE));
    let balance =
        |account, expected: &Cents| (expected.to_string(), table.balance(account).to_string());
    match expect {
        Expect::Rack(seat, expected) => balance(Account::Rack(*seat), expected),
        Expect::Bet(seat, wager, expected) => {
            (expected.to_string(), bet(rules, table, *seat, wager).to_string())
        }
        Expect::House(expected) => balance(Account::House, expected),
        Expect::Envy(expected) => balance(Account::Envy, expected),
        Expect::Breakage(expected) => balance(Account::Breakage, expected),
        Expect::Cage(expected) => balance(Account::Cage, expected),
        Expect::Bank(expected) => balance(Account::Bank, expected),
        Expect::Tray(expected) => (expected.to_string(), table.tray().to_string()),
        Expect::Clearing(expected) => balance(Account::Clearing, expected),
        Expect::Held(expected) => balance(Account::Held, expected),
        Expect::Claims(expected) => {
            let waiting = table.claims().len() + table.held().len();
            (expected.to_string(), waiting.to_string())
        }
        Expect::Memo(expected) => (expected.to_string(), table.memo().to_string()),
        Expect::Meter(name, expected) => (expected.to_string(), shown(floor, name, Meter::payable)),
        Expect::Reserve(name, expected) => {
            (expected.to_string(), shown(floor, name, |meter| meter.reserve().whole_cents()))
        }
        Expect::Puck(expected) => (expected.to_string(), table.hand().puck.to_string()),
        Expect::Shooter(expected) => {
            let name = |seat: Seat| table.player(seat).map(|player| player.name.clone());
            let shooter = table.shooter(rules).and_then(name);
            let nobody = || "nobody".to_owned();
            (name(*expected).unwrap_or_else(nobody), shooter.unwrap_or_else(nobody))
        }
        Expect::Progress(wager, expected) => {
            let spot = rules.spot(wager);
            let words = spot.and_then(|spot| {
                let tracker = table.hand().trackers[rules.tracker_at(spot)?];
                Some(progress(rules, spot, tracker).words)
            });
            (expected.clone(), words.unwrap_or_default())
        }
        Expect::Lammers(wager, expected) => {
            let words = |totals: Totals| match totals.is_empty() {
                true => "none".to_owned(),
                false => totals.to_string(),
            };
            (words(*expected), words(lammers(rules, table, wager)))
        }
    }
}

/// An amount of a meter. One that other rules bring does not run where the table did not go over.
fn shown(floor: &Floor, name: &str, amount: impl Fn(&Meter) -> Cents) -> String {
    floor.meter(name).map_or("no such meter".to_owned(), |meter| amount(meter).to_string())
}

fn bet(rules: &Rules, table: &Table, seat: Seat, wager: &str) -> Cents {
    let Some(player) = table.player(seat) else { return Cents::ZERO };
    let spot = notation::parse_spot(rules, &player.layout, wager).ok();
    let bet = spot.and_then(|spot| player.layout.bet(spot));
    bet.map_or(Cents::ZERO, |bet| bet.stake)
}

fn lammers(rules: &Rules, table: &Table, wager: &str) -> Totals {
    let tracker = rules.spot(wager).and_then(|spot| rules.tracker_at(spot));
    tracker.map_or(Totals::NONE, |tracker| table.hand().trackers[tracker].marks())
}
