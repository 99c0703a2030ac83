//! The floor: tables and the meters they are linked to, run together in one place.
//!
//! A table feeds meters and claims from them but never reads them. The floor carries those
//! messages: a roll that wins a top award becomes a claim, the meter answers with an award, and
//! the table records that it was paid. Local and linked meters take the same road. Where the house
//! wants to look first, jackpots and high awards wait until they are confirmed or denied.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::meter::{Award, Meter, MeterCommand, MeterEvent, TableClaim};
use crate::money::{Cents, MicroCents};
use crate::refusal::Refusal;
use crate::rules::Rules;
use crate::table::{Claim, ClaimId, Command, Dealing, Event, Fed, Rolled, Shooter, Table, Undone};

/// Tables, and the meters they share.
#[derive(Clone, Debug, Default)]
pub struct Floor {
    tables: Vec<(Arc<Rules>, Table)>,
    meters: BTreeMap<String, Meter>,
    confirm: Confirm,
    dealing: Dealing,
    /// What meters have awarded and nobody has confirmed yet, by meter.
    owed: Vec<(String, Award)>,
}

/// What waits until somebody confirms it: by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confirm {
    /// Whether jackpots wait.
    pub jackpots: bool,
    /// Winnings of a side bet above this wait.
    pub over: Option<Cents>,
}

/// Something that happened on the floor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[expect(
    clippy::large_enum_variant,
    reason = "most are of a table, and they are handed on at once"
)]
pub enum FloorEvent {
    /// At a table.
    Table {
        /// Which.
        table: u32,
        /// What.
        #[serde(flatten)]
        event: Event,
    },
    /// At a meter.
    Meter {
        /// Which.
        meter: String,
        /// What.
        #[serde(flatten)]
        event: MeterEvent,
    },
}

impl Floor {
    /// An empty floor where winnings wait as `confirm` says.
    pub fn confirming(confirm: Confirm) -> Floor {
        Floor { confirm, ..Floor::default() }
    }

    /// The same floor, where these may throw the dice on a come-out.
    #[must_use]
    pub fn with_shooter(self, shooter: Shooter) -> Floor {
        Floor { dealing: Dealing { shooter, ..self.dealing }, ..self }
    }

    /// Opens a table, and those of its meters that are not running yet. A table that would run
    /// a linked meter on other terms is refused.
    pub fn open(&mut self, rules: impl Into<Arc<Rules>>) -> Result<u32, Refusal> {
        let rules = rules.into();
        self.link(&rules)?;
        let table = Table::open(&rules);
        self.tables.push((rules, table));
        Ok(self.tables.len() as u32 - 1)
    }

    fn link(&mut self, rules: &Rules) -> Result<(), Refusal> {
        for rule in rules.meters() {
            let running = self.meters.get(&rule.name);
            if running.is_some_and(|meter| *meter.terms() != rule.terms) {
                return Err(Refusal::OtherTerms { meter: rule.name.clone() });
            }
        }
        for rule in rules.meters() {
            let open = || Meter::open(&rule.name, rule.terms, None);
            self.meters.entry(rule.name.clone()).or_insert_with(open);
        }
        Ok(())
    }

    /// Has a table go over to other rules, between hands.
    pub fn configure(
        &mut self,
        table: u32,
        rules: impl Into<Arc<Rules>>,
    ) -> Result<Vec<FloorEvent>, Refusal> {
        let rules = rules.into();
        let state = self.table(table);
        let events = state.decide(&rules, &Command::Configure)?;
        self.link(&rules)?;
        let entry = &mut self.tables[table as usize];
        events.iter().for_each(|event| entry.1.evolve(event));
        entry.0 = rules;
        Ok(events.into_iter().map(|event| FloorEvent::Table { table, event }).collect())
    }

    /// Has other winnings wait than so far. What waits already goes on waiting.
    pub fn confirm_from_now(&mut self, confirm: Confirm) {
        self.confirm = confirm;
    }

    /// Sets what a meter shows before play starts. Returns whether there is such a meter.
    pub fn preset(&mut self, meter: &str, amount: Cents) -> bool {
        match self.meters.get_mut(meter) {
            Some(meter) => {
                *meter = Meter::open(meter.name(), *meter.terms(), Some(amount));
                true
            }
            None => false,
        }
    }

    /// A table.
    pub fn table(&self, table: u32) -> &Table {
        &self.tables[table as usize].1
    }

    /// The rules a table plays by.
    pub fn rules(&self, table: u32) -> &Rules {
        &self.tables[table as usize].0
    }

    /// A meter.
    pub fn meter(&self, name: &str) -> Option<&Meter> {
        self.meters.get(name)
    }

    /// Every meter.
    pub fn meters(&self) -> impl Iterator<Item = &Meter> {
        self.meters.values()
    }

    /// Whether every account of every table sums to zero, no meter has lost money, and what
    /// tables have in clearing is what the meters have received and not paid, or paid for a claim
    /// that waits.
    pub fn is_conserved(&self) -> bool {
        let tables = self.tables.iter().all(|(_, table)| table.sum() == Cents::ZERO);
        let sum = |sum: MicroCents, part| sum + part;
        let clearing = self.tables.iter().map(|(_, table)| table.cleared());
        let owed = self.owed.iter().map(|(_, award)| MicroCents::from(award.from_meter));
        let cleared = self.meters.values().map(Meter::cleared).chain(owed);
        tables
            && self.meters.values().all(Meter::is_conserved)
            && clearing.fold(MicroCents::ZERO, sum) == cleared.fold(MicroCents::ZERO, sum)
    }

    /// Has a table obey a command, and carries what follows from it to the meters and back.
    /// [`Command::Release`] also confirms a jackpot that waits: its table does not know what the
    /// meter has awarded, the floor does.
    pub fn obey(&mut self, table: u32, command: &Command) -> Result<Vec<FloorEvent>, Refusal> {
        let confirmed = match command {
            Command::Release { claim } => self.owed_to(TableClaim { table, id: *claim }),
            _ => None,
        };
        let pay = confirmed.map(|place| pay(&self.owed[place].1));
        let (rules, state) = &mut self.tables[table as usize];
        let events = state.obey_as(rules, pay.as_ref().unwrap_or(command), self.dealing)?;
        let mut log = Vec::new();
        for event in events {
            log.push(FloorEvent::Table { table, event: event.clone() });
            match &event {
                Event::Put(betting) | Event::Took(betting) | Event::Returned { betting, .. } => {
                    if let Some(fed) = &betting.fed {
                        let Fed { increment, reserve, .. } = *fed;
                        let feed = MeterCommand::Feed { increment, reserve };
                        self.tell(&fed.meter, &feed, &mut log);
                    }
                }
                Event::Rolled(rolled) => self.award(table, rolled, &mut log),
                Event::Voided(voided) => {
                    self.unfeed(&voided.undone, &mut log);
                    self.reverse(table, &voided.claims, &mut log);
                }
                Event::Corrected { voided, rolled } => {
                    self.unfeed(&voided.undone, &mut log);
                    self.reverse(table, &voided.claims, &mut log);
                    self.award(table, rolled, &mut log);
                }
                Event::ClaimPaid { claim, .. } => drop(self.settled(table, *claim)),
                Event::ClaimDenied { claim, .. } => {
                    if let Some((meter, Award { claim, .. })) = self.settled(table, *claim) {
                        self.tell(&meter, &MeterCommand::Reverse { claim }, &mut log);
                    }
                }
                _ => {}
            }
        }
        Ok(log)
    }

    fn tell(&mut self, meter: &str, command: &MeterCommand, log: &mut Vec<FloorEvent>) {
        let state = self.meters.get_mut(meter).expect("a table's meters are opened with it");
        let events = state.obey(command).expect("a meter takes what its tables tell it");
        let logged = |event| FloorEvent::Meter { meter: meter.to_owned(), event };
        log.extend(events.into_iter().map(logged));
    }

    /// Has the meters answer the claims of a roll, and holds what is to be looked at first.
    fn award(&mut self, table: u32, rolled: &Rolled, log: &mut Vec<FloorEvent>) {
        for claim in &rolled.claims {
            let known = TableClaim { table, id: claim.id };
            let winners = claim.winners.clone();
            let answered = log.len();
            self.tell(&claim.meter, &MeterCommand::Claim { claim: known, winners }, log);
            let award = log[answered..].iter().find_map(|logged| match logged {
                FloorEvent::Meter { event: MeterEvent::Awarded(award), .. } => Some(award.clone()),
                _ => None,
            });
            let award = award.expect("a meter answers every claim");
            match self.confirm.jackpots {
                true => self.owed.push((claim.meter.clone(), award)),
                false => self.follow(table, &pay(&award), log),
            }
        }
        self.hold(table, log);
        let (rules, state) = &self.tables[table as usize];
        let envy = state.envy_holds(rules, rolled, self.confirm.jackpots);
        envy.iter().for_each(|hold| self.follow(table, hold, log));
    }

    /// Holds the awards of the last roll that are to be looked at first.
    fn hold(&mut self, table: u32, log: &mut Vec<FloorEvent>) {
        let Some(over) = self.confirm.over else { return };
        let (rules, state) = &self.tables[table as usize];
        let high = state.holdable(rules).filter(|(_, _, amount)| *amount > over);
        let hold = |(seat, spot, amount)| {
            let wager = rules.spot_rule(spot).notation.clone();
            Command::Hold { seat, wager, amount }
        };
        let holds: Vec<Command> = high.map(hold).collect();
        holds.iter().for_each(|hold| self.follow(table, hold, log));
    }

    /// Has a table do what follows from what it has done.
    fn follow(&mut self, table: u32, command: &Command, log: &mut Vec<FloorEvent>) {
        let (rules, state) = &mut self.tables[table as usize];
        let events = state.obey(rules, command).expect("it follows from the roll");
        log.extend(events.into_iter().map(|event| FloorEvent::Table { table, event }));
    }

    fn owed_to(&self, claim: TableClaim) -> Option<usize> {
        self.owed.iter().position(|(_, award)| award.claim == claim)
    }

    /// A claim waits no longer.
    fn settled(&mut self, table: u32, id: ClaimId) -> Option<(String, Award)> {
        self.owed_to(TableClaim { table, id }).map(|place| self.owed.remove(place))
    }

    /// Bets that were undone with a roll take back what they had fed.
    fn unfeed(&mut self, undone: &[Undone], log: &mut Vec<FloorEvent>) {
        for Fed { meter, increment, reserve, .. } in
            undone.iter().filter_map(|bet| bet.fed.as_ref())
        {
            let feed = MeterCommand::Feed { increment: *increment, reserve: *reserve };
            self.tell(meter, &feed, log);
        }
    }

    fn reverse(&mut self, table: u32, claims: &[Claim], log: &mut Vec<FloorEvent>) {
        for claim in claims {
            self.settled(table, claim.id);
            let command = MeterCommand::Reverse { claim: TableClaim { table, id: claim.id } };
            self.tell(&claim.meter, &command, log);
        }
    }
}

fn pay(award: &Award) -> Command {
    Command::PayClaim {
        claim: award.claim.id,
        shares: award.shares.clone(),
        from_house: award.from_house,
    }
}
